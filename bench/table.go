package main

import (
	"fmt"
	"io"
	"strings"
	"time"
)

// A table is printed as Markdown.
type table struct {
	head []string
	rows [][]string
}

func (t *table) add(cells ...string) { t.rows = append(t.rows, cells) }

// compare adds a row of scores: what the first used, and the others as ratios to it. The first row of scores names the
// columns.
func (t *table) compare(scores []score, cells ...string) {
	t.columns(scores)
	cells = append(cells, "1 ("+duration(scores[0].cpu)+")")
	for _, s := range scores[1:] {
		cells = append(cells, figure(s.ratio))
	}
	t.add(cells...)
}

// count adds a row of what each allocated: how many times, and how many bytes.
func (t *table) count(scores []score, cells ...string) {
	t.columns(scores)
	for _, s := range scores {
		cells = append(cells, fmt.Sprintf("%d · %s", s.mallocs, size(s.bytes)))
	}
	t.add(cells...)
}

func (t *table) columns(scores []score) {
	if len(t.rows) > 0 {
		return
	}
	for _, s := range scores {
		t.head = append(t.head, s.name)
	}
}

func (t *table) print(w io.Writer) {
	line := func(cells []string) { fmt.Fprintf(w, "| %s |\n", strings.Join(cells, " | ")) }
	line(t.head)
	marks := make([]string, len(t.head))
	for i := range marks {
		marks[i] = "---:"
	}
	marks[0] = "---"
	line(marks)
	for _, r := range t.rows {
		line(r)
	}
	fmt.Fprintln(w)
}

// figure writes three digits or so.
func figure(f float64) string {
	switch {
	case f >= 100:
		return fmt.Sprintf("%.0f", f)
	case f >= 10:
		return fmt.Sprintf("%.1f", f)
	case f >= 0.1:
		return fmt.Sprintf("%.2f", f)
	}
	return fmt.Sprintf("%.3f", f)
}

func duration(d time.Duration) string {
	switch {
	case d >= time.Second:
		return figure(d.Seconds()) + " s"
	case d >= time.Millisecond:
		return figure(float64(d)/1e6) + " ms"
	case d >= 10*time.Microsecond:
		return figure(float64(d)/1e3) + " µs"
	}
	return fmt.Sprintf("%d ns", d)
}

func size(n uint64) string {
	switch {
	case n >= 1<<20:
		return figure(float64(n)/(1<<20)) + " MB"
	case n >= 1<<10:
		return figure(float64(n)/(1<<10)) + " KB"
	}
	return fmt.Sprintf("%d B", n)
}
