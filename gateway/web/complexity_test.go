package web

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"
)

// worst are texts that cost as much as their length lets them, or did.
var worst = map[string]string{
	"a wide table":             "|" + strings.Repeat("a|", 2000) + "\n|" + strings.Repeat("-|", 2000) + "\n" + strings.Repeat("|a|\n", 14_000),
	"a table as it may be":     "|" + strings.Repeat("a|", 100) + "\n|" + strings.Repeat("-|", 100) + "\n" + strings.Repeat("|a|\n", 140),
	"a table without bars":     "a\n-\n" + strings.Repeat("a\n", 30_000),
	"a table in a quote":       "> |" + strings.Repeat("a|", 1000) + "\n> |" + strings.Repeat("-|", 1000) + "\n" + strings.Repeat("> |a|\n", 10_000),
	"a table in an item":       "- |" + strings.Repeat("a|", 1000) + "\n  |" + strings.Repeat("-|", 1000) + "\n" + strings.Repeat("  |a|\n", 10_000),
	"small tables":             strings.Repeat("|a|\n|-|\n\n", 7000),
	"emphasis in a paragraph":  strings.Repeat(strings.Repeat("*a_", 2700)+"\n", 8),
	"emphasis as it may be":    strings.Repeat("*a_", 2700),
	"emphasis in paragraphs":   strings.Repeat(strings.Repeat("*a_", 500)+"\n\n", 40),
	"pairs of emphasis":        strings.Repeat("*a* *a* *a* *a* *a* *a*\n\n", 2500),
	"long emphasis":            strings.Repeat("*", 4000) + "a" + strings.Repeat("*", 4000),
	"tildes":                   strings.Repeat(strings.Repeat("~~a~", 100)+"\n", 160),
	"links without an end":     strings.Repeat("[a](b \"\n", 8000),
	"brackets":                 strings.Repeat("[[[[[[[[[\n", 6000),
	"pairs of brackets":        strings.Repeat("[a]\n", 16_000),
	"brackets, one in another": strings.Repeat("[", 4000) + strings.Repeat("]", 4000),
	"images":                   strings.Repeat("![\n", 20_000),
	"web links":                strings.Repeat("[a](http://b)\n\n", 4300),
	"definitions":              strings.Repeat("[a]: b\n", 9000),
	"comments":                 strings.Repeat("x<!--\n", 10_000),
	"instructions":             strings.Repeat("x<?\n", 16_000),
	"tags":                     strings.Repeat("x<a \n", 12_000),
	"code":                     strings.Repeat("`a`\n", 16_000),
	"paragraphs":               strings.Repeat("a\n\n", 21_000),
	"items":                    strings.Repeat("- a\n", 16_000),
	"items in a paragraph":     strings.Repeat("2. a*\n", 10_000),
	"deep quotes":              strings.Repeat(strings.Repeat(">", 100)+"a\n\n", 600),
	"quotes as they may be":    strings.Repeat(strings.Repeat(">", maxNesting)+"a\n\n", 500),
	"deep lists":               strings.Repeat(strings.Repeat("- ", 50)+"a\n", 600),
	"deeper and deeper": func() string {
		var b strings.Builder
		for i := 0; b.Len() < maxProse-1000; i++ {
			b.WriteString(strings.Repeat("  ", i) + "- a\n")
		}
		return b.String()
	}(),
	"rules":   strings.Repeat("***\n", 16_000),
	"fences":  strings.Repeat("```\n", 16_000),
	"headers": strings.Repeat("# \n", 20_000),
	"HTML":    strings.Repeat("<b>\n\n", 12_000),
}

// cost is what rendering allocates, and how long it takes on a processor.
func cost(text string) (bytes uint64, took time.Duration) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	began := processorTime()
	prose(text)
	took = processorTime() - began
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc, took
}

func TestWorstMarkdown(t *testing.T) {
	const most = 32 << 20
	longest := 100 * time.Millisecond
	if raceEnabled {
		longest *= 10
	}
	for name, text := range worst {
		text = text[:min(len(text), maxProse)]
		bytes, took := cost(text)
		for range 3 { // the best of some: others use the same processor caches
			if took > longest {
				_, took = cost(text)
			}
		}
		if bytes > most || took > longest {
			t.Errorf("%s: %d MiB, %v", name, bytes>>20, took)
		}
	}
}

// What people and models write is within the bounds.
func TestOrdinaryMarkdownIsSimple(t *testing.T) {
	table := "| City | *People* | Area |\n|---|---:|---|\n" + strings.Repeat("| **Oslo** | 709,037 | [454](https://a.example/x_y) km² |\n", 200)
	list := strings.Repeat("- **A point** with `code`, a [link](https://a.example/) and *emphasis*.\n  - and a smaller one\n", 300)
	prose := strings.Repeat("A sentence with 12 figures, a_name_with_underscores and 3 * 4.\nAnother.\n\n", 300)
	code := "```go\n" + strings.Repeat("if a[i] < b || c[j] > d { f(*p, x_1) }\n", 300) + "```\n"
	for name, text := range map[string]string{"table": table, "list": list, "prose": prose, "code": code, "all": table[:8000] + "\n" + list[:16000] + "\n" + prose[:16000] + "\n" + code[:8000]} {
		if !simple(text) {
			t.Errorf("%s of %d bytes is not rendered", name, len(text))
		}
	}
}

func TestComplexityLimits(t *testing.T) {
	for name, text := range map[string]string{
		"nodes":   strings.Repeat("#\n", maxNodes+1),
		"steps":   strings.Repeat("*a ", 5500),
		"nesting": strings.Repeat(">", maxNesting+1) + "a",
		"bytes":   strings.Repeat("a", maxLine-1) + "\n" + strings.Repeat(strings.Repeat("b ", maxLine/2-1)+"\n", 8),
		"line":    strings.Repeat("a", maxLine+1),
	} {
		if simple(text) {
			t.Errorf("%s: %d bytes are simple", name, len(text))
		}
	}
}

// FuzzMarkdown looks for texts that cost more than they may. What is repeated is what grows.
func FuzzMarkdown(f *testing.F) {
	for _, text := range worst {
		f.Add(text[:min(len(text), 40)], text[max(0, len(text)-10):], uint16(8000))
	}
	f.Fuzz(func(t *testing.T, head, repeated string, times uint16) {
		text := head
		if repeated != "" {
			text += strings.Repeat(repeated, min(int(times), (maxProse-min(len(head), maxProse))/len(repeated)))
		}
		bytes, took := cost(text)
		if bytes > 64<<20 || took > time.Second { // the fuzzer's own instruments cost as much again
			t.Errorf("%d bytes cost %d MiB and %v", len(text), bytes>>20, took)
		}
		check(t, fmt.Sprintf("%.40q", text), prose(text), 0)
	})
}
