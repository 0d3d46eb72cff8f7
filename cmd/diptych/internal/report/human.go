// Package report writes an audit's outcome: for a person, for a program, for the two formats that continuous integration
// reads.
package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/diptych-mcp/diptych/cmd/diptych/internal/audit"
	"github.com/diptych-mcp/diptych/cmd/diptych/internal/terminal"
)

// Human writes a report for a person to read: good tools on a line each, the others with what is wrong and what helps.
// Width 0 wraps nothing.
func Human(out io.Writer, r *audit.Report, width int, style terminal.Style) error {
	h := human{out: out, width: width, style: style}
	if h.width == 0 {
		h.width = 1 << 20
	}
	name := terminal.Short(strings.TrimSpace(r.Name+" "+r.Version), 60)
	if name == "" {
		name = "a server without a name"
	}
	h.line("%s%s", style.Bold(name), style.Dim("  "+terminal.Short(r.Protocol, 20)+"  "+count(len(r.Tools), "tool")))
	for i, t := range r.Tools {
		if i == 0 || len(t.Findings) > 0 || len(r.Tools[i-1].Findings) > 0 {
			h.line("")
		}
		h.tool(t)
	}
	h.line("")
	h.line("%s", h.sum(r))
	return h.err
}

type human struct {
	out   io.Writer
	width int
	style terminal.Style
	err   error
}

func (h *human) line(format string, args ...any) {
	if h.err == nil {
		_, h.err = fmt.Fprintln(h.out, strings.TrimRight(fmt.Sprintf(format, args...), " "))
	}
}

func (h *human) tool(t audit.Tool) {
	mark := map[string]string{audit.Good: h.style.Green("✓"), audit.Untried: h.style.Dim("·"), audit.Flawed: h.style.Yellow("!"), audit.Broken: h.style.Red("✗")}[t.Verdict]
	name := terminal.Line(t.Name)
	if name == "" {
		name = "(no name)"
	}
	h.line("%s %s", mark, h.style.Bold(name)+h.style.Dim("  "+terminal.Short(t.Called, max(h.width-terminal.Width(name)-4, 20))))
	for _, f := range t.Findings {
		h.finding(f)
	}
}

// indent is the column at which a text begins, after its label.
const indent = 11

// labelled writes a text after its label, in as many lines as it needs, and returns how wide they may be.
func (h *human) labelled(label string, paint func(string) string, text string) (width int) {
	if width = min(h.width, 120) - indent; h.width > 1<<16 {
		width = h.width
	}
	lead := "  " + paint(terminal.Pad(label, indent-2))
	for _, part := range terminal.Wrap(terminal.Line(text), width) {
		h.line("%s%s", lead, part)
		lead = strings.Repeat(" ", indent)
	}
	return width
}

func (h *human) finding(f audit.Finding) {
	paint := h.style.Dim
	switch f.Severity {
	case audit.Error:
		paint = h.style.Red
	case audit.Warning:
		paint = h.style.Yellow
	}
	fault := f.Place + ": " + f.Fault
	if len(f.Hosts) > 0 {
		fault += " (" + strings.Join(f.Hosts, ", ") + ")"
	}
	width := h.labelled(string(f.Severity), paint, fault)
	for _, part := range []struct{ word, text string }{{"sent", f.Sent}, {"said", f.Said}} {
		if part.text != "" {
			h.line("%s%s %s", strings.Repeat(" ", indent), h.style.Dim(part.word), terminal.Short(part.text, max(min(width, 160)-5, 20)))
		}
	}
	for i, text := range terminal.Wrap(terminal.Line(f.Remedy)+"  ["+f.Rule+"]", width-2) {
		lead := "→ "
		if i > 0 {
			lead = "  "
		}
		h.line("%s%s", strings.Repeat(" ", indent), h.style.Dim(lead+text))
	}
}

func (h *human) sum(r *audit.Report) string {
	verdicts := make(map[string]int)
	for _, t := range r.Tools {
		verdicts[t.Verdict]++
	}
	var parts []string
	for _, v := range []struct {
		name  string
		paint func(string) string
	}{{audit.Good, h.style.Green}, {audit.Untried, h.style.Dim}, {audit.Flawed, h.style.Yellow}, {audit.Broken, h.style.Red}} {
		if n := verdicts[v.name]; n > 0 {
			parts = append(parts, v.paint(fmt.Sprintf("%d %s", n, v.name)))
		}
	}
	if len(parts) == 0 {
		parts = append(parts, "no tools")
	}
	return strings.Join(parts, ", ") + h.style.Dim("  ·  "+strings.Join([]string{
		count(r.Count(audit.Error), "error"), count(r.Count(audit.Warning), "warning"), count(r.Count(audit.Note), "note")}, ", "))
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
