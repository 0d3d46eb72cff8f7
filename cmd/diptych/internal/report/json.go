package report

import (
	"encoding/json"
	"io"
	"strings"

	"github.com/diptych-mcp/diptych/cmd/diptych/internal/audit"
)

// JSON writes a report for a program.
func JSON(out io.Writer, r *audit.Report) error {
	return write(out, struct {
		*audit.Report
		Errors   int `json:"errors"`
		Warnings int `json:"warnings"`
		Notes    int `json:"notes"`
	}{r, r.Count(audit.Error), r.Count(audit.Warning), r.Count(audit.Note)})
}

// message is a finding on one line.
func message(f audit.Finding) string {
	text := f.Place + ": " + f.Fault
	if len(f.Hosts) > 0 {
		text += " (" + strings.Join(f.Hosts, ", ") + ")"
	}
	text += "; " + f.Remedy
	if f.Sent != "" {
		text += "; sent " + f.Sent
	}
	if f.Said != "" {
		text += "; said " + f.Said
	}
	return text
}

func write(out io.Writer, v any) error {
	e := json.NewEncoder(out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}
