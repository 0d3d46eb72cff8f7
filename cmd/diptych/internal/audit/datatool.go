package audit

import (
	"slices"

	"github.com/diptych-mcp/diptych/cmd/diptych/internal/connect"
	"github.com/diptych-mcp/diptych/data"
	"github.com/diptych-mcp/diptych/internal/validate"
)

// This file checks data tools: those whose output schema demands sources.

func (a *auditor) dataTool(t connect.Tool, r connect.Result) {
	if !demandsSources(t) {
		return
	}
	if err := data.Check(r.Structured); err != nil {
		a.found("data-invalid", "structuredContent", err.Error())
	}
}

// demandsSources asks a validator, and does not read the schema: a tool is a data tool when nothing passes without sources.
func demandsSources(t connect.Tool) bool {
	checker, err := t.Checker()
	if err != nil || checker.Check([]byte(`{"sources":[]}`)) || checker.Check([]byte(`{"sources":null}`)) {
		return false
	}
	return slices.ContainsFunc(checker.Explain([]byte(`{}`)), func(f validate.Fault) bool { return f.Path == "sources" })
}
