package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/diptych-mcp/diptych/internal/wire"
)

// The page is 80 columns wide: a margin of two, then two panels of equal width inside their frame.
const (
	margin = "  "
	width  = 78
	panel  = (width - 7) / 2
	label  = 8 // columns before the schema and the arguments
)

// A page is what is printed, and the first error in printing it.
type page struct {
	out    io.Writer
	colour bool
	shown  map[string]bool // tools whose schema is on the page
	err    error
}

func (p *page) line(parts ...string) {
	text := strings.TrimRight(margin+strings.Join(parts, ""), " ") + "\n"
	if _, err := io.WriteString(p.out, text); p.err == nil {
		p.err = err
	}
}

func (p *page) style(code, s string) string {
	if !p.colour || s == "" {
		return s
	}
	return "\x1b[" + code + "m" + s + "\x1b[0m"
}

func (p *page) bold(s string) string { return p.style("1", s) }
func (p *page) dim(s string) string  { return p.style("2", s) }

func (p *page) title(url string, tools int) {
	p.line()
	p.line(p.bold("Diptych"), p.dim("  one typed Go function, one schema, two panels"))
	p.line(p.dim(fmt.Sprintf("The weather server publishes %d tools at %s", tools, url)))
}

// part begins a new part of the page.
func (p *page) part() {
	p.line()
	p.line(p.dim(strings.Repeat("─", width)))
	p.line()
}

// scene prints one call: the Go side, the published schema when it is new, the arguments, both panels.
func (p *page) scene(s scene, t wire.Tool, res wire.Result) {
	p.part()
	p.line(p.bold(s.tool), p.dim(between(s.tool, "returns "+s.returns)), p.dim("returns "), s.returns)
	p.line(p.dim(s.remark))
	p.line()
	if !p.shown[t.Name] {
		p.field("schema", fold(t.OutputSchema, width-label))
		p.line()
		p.shown[t.Name] = true
	}
	p.field("call", fold(json.RawMessage(s.arguments), width-label))
	p.line()
	left, right := []string{}, fold(res.StructuredContent, panel)
	for _, b := range res.Content {
		if len(left) > 0 {
			left = append(left, rule)
		}
		left = append(left, wrap(b.Text, panel)...)
	}
	p.panels(left, right, res.IsError)
}

// between is the space that moves right to the right edge.
func between(left, right string) string {
	return strings.Repeat(" ", max(1, width-utf8.RuneCountInString(left+right)))
}

// field prints lines beside their label.
func (p *page) field(name string, lines []string) {
	for i, l := range lines {
		if i > 0 {
			name = ""
		}
		p.line(p.dim(fmt.Sprintf("%-*s", label, name)), l)
	}
}

// rule stands between two text blocks of one panel.
const rule = "\x00"

func (p *page) panels(left, right []string, failed bool) {
	heading := " content "
	if failed {
		heading = " content · isError "
	}
	p.line(p.dim("┌─"), p.heading(heading), p.dim("─┬─"), p.heading(" structuredContent "), p.dim("─┐"))
	for i := range max(len(left), len(right)) {
		p.line(p.dim("│ "), p.cell(left, i), p.dim(" │ "), p.cell(right, i), p.dim(" │"))
	}
	p.line(p.dim("└─" + strings.Repeat("─", panel) + "─┴─" + strings.Repeat("─", panel) + "─┘"))
}

// heading is a panel's name in the upper edge of its frame.
func (p *page) heading(name string) string {
	return p.bold(name) + p.dim(strings.Repeat("─", panel-utf8.RuneCountInString(name)))
}

// cell is the i-th line of a panel, filled up to the panel's width.
func (p *page) cell(lines []string, i int) string {
	text := ""
	if i < len(lines) {
		text = lines[i]
	}
	if text == rule {
		return p.dim(strings.Repeat("╌", panel))
	}
	pad := strings.Repeat(" ", max(0, panel-utf8.RuneCountInString(text)))
	if text == none {
		text = p.dim(text)
	}
	return text + pad
}

// log prints what the server's operator saw meanwhile.
func (p *page) log(text string) {
	p.part()
	p.line(p.bold("The server's log"), p.dim("  one record for each failed call; causes and values stay here"))
	p.line()
	for _, record := range strings.Split(text, "\n") {
		for i, l := range wrap(record, width-2) {
			indent := ""
			if i > 0 {
				indent = "  "
			}
			p.line(indent, l)
		}
	}
	p.line()
}
