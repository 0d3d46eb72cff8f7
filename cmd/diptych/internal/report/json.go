package report

import (
	"encoding/json"
	"io"

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

func write(out io.Writer, v any) error {
	e := json.NewEncoder(out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}
