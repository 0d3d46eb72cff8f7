package audit

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych/cmd/diptych/internal/peer"
	"github.com/diptych-mcp/diptych/cmd/diptych/internal/tree"
)

// This file looks at what hosts cut, drop or never show of a good result: how much there is, in how many blocks, of what kind,
// and in which of the panels.

func (a *auditor) sizes(r peer.Result) {
	texts, length, whole, picture := 0, 0, len(r.Structured), false
	for i, block := range r.Content {
		place := "content[" + strconv.Itoa(i) + "]"
		switch b := block.(type) {
		case *mcp.TextContent:
			texts++
			length += len(b.Text)
			whole += len(b.Text)
		case *mcp.ImageContent:
			picture = true
			whole += len(b.Data) * 4 / 3
		case *mcp.AudioContent:
			a.found("blocks-foreign", place, "the block is audio")
			whole += len(b.Data) * 4 / 3
		case *mcp.ResourceLink:
			a.found("blocks-foreign", place, "the block is a link to a resource")
		case *mcp.EmbeddedResource:
			a.found("blocks-foreign", place, "the block is an embedded resource")
			if b.Resource != nil {
				whole += len(b.Resource.Text) + len(b.Resource.Blob)*4/3
			}
		}
	}
	if texts > 1 {
		a.found("blocks-many", "content", fmt.Sprintf("there are %d text blocks", texts))
	}
	if picture && r.Structured != nil {
		a.found("picture-beside", "content", "there is a picture beside structured content")
	}
	if n := max(length, len(r.Structured)); len(losers("answer-long", n)) > 0 {
		a.foundSize("answer-long", "result", n, fmt.Sprintf("the longer panel has %d characters", n))
	}
	if tooLarge(whole, a.session != nil && a.session.Streamed()) {
		a.found("answer-event", "result", fmt.Sprintf("the answer has %.1f MiB, in an event stream", float64(whole)/(1<<20)))
	}
}

// tooLarge reports whether an answer is an event that the official Python client refuses.
func tooLarge(bytes int, streamed bool) bool { return streamed && bytes > maxEvent }

var figure = regexp.MustCompile(`\d[\d,]*(\.\d+)?`)

// figures looks for the numbers of a text in the structured content: several hosts give their model that alone. One number in
// the text may be another's rounding, and how many items a list has is said by the list.
func (a *auditor) figures(root *tree.Node, content []mcp.Content) {
	known := make(map[float64]bool)
	var all []float64
	var gather func(n *tree.Node)
	gather = func(n *tree.Node) {
		switch n.Kind {
		case tree.Number:
			if f, err := strconv.ParseFloat(n.Text, 64); err == nil {
				known[f] = true
				all = append(all, f)
			}
		case tree.String:
			for _, f := range numbers(n.Text) {
				known[f.value] = true
			}
		case tree.Array:
			known[float64(len(n.Items))] = true
		}
		for _, item := range n.Items {
			gather(item)
		}
		for _, m := range n.Members {
			for _, f := range numbers(m.Name) {
				known[f.value] = true
			}
			gather(m.Value)
		}
	}
	gather(root)
	if len(all) > maxFigures*10 {
		return // too many to look at each for each figure
	}
	for i, block := range content {
		text, ok := block.(*mcp.TextContent)
		if !ok || parsed(text.Text) != nil {
			continue
		}
		for _, f := range numbers(text.Text) {
			if known[f.value] || f.value < 10 && f.decimals == 0 {
				continue
			}
			if !roundedFrom(all, f) {
				a.found("panel-figures", "content["+strconv.Itoa(i)+"]", "a figure of the text is not in the structured content")
				return
			}
		}
	}
}

type number struct {
	value    float64
	decimals int
}

func numbers(text string) []number {
	var out []number
	for _, word := range figure.FindAllString(text, maxFigures) {
		word = strings.ReplaceAll(word, ",", "")
		if f, err := strconv.ParseFloat(word, 64); err == nil {
			_, fraction, _ := strings.Cut(word, ".")
			out = append(out, number{f, len(fraction)})
		}
	}
	return out
}

// roundedFrom reports whether one of all is f when it is rounded as f is, by itself, as a percentage, or as its opposite.
func roundedFrom(all []float64, f number) bool {
	scale := math.Pow10(min(f.decimals, 15))
	for _, v := range all {
		for _, v := range []float64{math.Abs(v), math.Abs(v) * 100} {
			if math.Abs(v-f.value)*scale <= 0.5000001 {
				return true
			}
		}
	}
	return false
}
