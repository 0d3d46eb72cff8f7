package audit

import (
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych/cmd/diptych/internal/peer"
	"github.com/diptych-mcp/diptych/data"
	"github.com/diptych-mcp/diptych/data/lint"
)

// This file checks data tools: those whose output schema demands sources.

func (a *auditor) dataTool(t peer.Tool, r peer.Result) {
	if data.DemandsSources(t.Output) != nil {
		return
	}
	var content []string
	for _, block := range r.Content {
		if text, ok := block.(*mcp.TextContent); ok {
			content = append(content, text.Text)
		}
	}
	for _, f := range lint.Result(content, r.Structured, 0) {
		if f.Rule == lint.Contract {
			a.found("data-contract", "structuredContent", f.Text)
		} else {
			a.found("data-"+f.Rule, "content", f.Text)
		}
	}
}
