// Package sidebyside sets two texts side by side where the terminal is wide, and one above the other where it is not.
package sidebyside

import (
	"strings"

	"github.com/diptych-mcp/diptych/cmd/diptych/internal/terminal"
)

// A Panel is one half of the picture.
type Panel struct {
	Title string
	Note  string // after the title, dimmed
	Body  string // clean text
	Paint func(line string) string
}

// Wide is the least width at which panels are side by side.
const Wide = 100

const (
	gutter   = " │ "
	crossing = "─┼─"
	maxWidth = 200 // beyond, lines are too long to read
)

// Draw lays out two panels for a terminal of width cells.
func Draw(left, right Panel, width int, style terminal.Style) string {
	width = min(width, maxWidth)
	if width < Wide {
		return left.draw(width, style) + "\n" + right.draw(width, style)
	}
	half := (width - terminal.Width(gutter)) / 2
	a, b := left.lines(half, style), right.lines(half, style)
	var out strings.Builder
	for i := range max(len(a), len(b)) {
		var l, r line
		if i < len(a) {
			l = a[i]
		}
		if i < len(b) {
			r = b[i]
		}
		between := gutter
		switch {
		case i == 1:
			between = crossing
		case r.width == 0:
			between = strings.TrimRight(gutter, " ")
		}
		out.WriteString(l.painted + strings.Repeat(" ", max(half-l.width, 0)) + style.Dim(between) + r.painted + "\n")
	}
	return out.String()
}

// Plain is the same for a pipe: titles, texts as they are, nothing wrapped.
func Plain(left, right Panel) string {
	var out strings.Builder
	for i, p := range []Panel{left, right} {
		if i > 0 {
			out.WriteString("\n")
		}
		out.WriteString(p.Title + ":\n" + strings.TrimRight(p.Body, "\n") + "\n")
	}
	return out.String()
}

type line struct {
	painted string
	width   int // of what shows
}

func (p Panel) lines(width int, style terminal.Style) []line {
	title, note := terminal.Short(p.Title, width), ""
	if room := width - terminal.Width(title) - 2; p.Note != "" && room > 8 {
		note = "  " + terminal.Short(p.Note, room)
	}
	lines := []line{
		{style.Bold(title) + style.Dim(note), terminal.Width(title + note)},
		{style.Dim(strings.Repeat("─", width)), width},
	}
	for _, text := range terminal.Wrap(p.Body, width) {
		painted := text
		if p.Paint != nil {
			painted = p.Paint(text)
		}
		lines = append(lines, line{painted, terminal.Width(text)})
	}
	return lines
}

func (p Panel) draw(width int, style terminal.Style) string {
	var out strings.Builder
	for _, l := range p.lines(width, style) {
		out.WriteString(l.painted + "\n")
	}
	return out.String()
}
