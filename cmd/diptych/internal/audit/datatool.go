package audit

import (
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych/cmd/diptych/internal/peer"
	"github.com/diptych-mcp/diptych/data"
	"github.com/diptych-mcp/diptych/data/lint"
)

// This file checks data tools: those whose output schema demands sources.

func (a *auditor) dataTool(t peer.Tool, args []byte, r peer.Result) {
	if err := data.DemandsSources(t.Output); err != nil {
		if read(t.Output).Get("properties").Get("sources") != nil {
			fault, remedy, _ := strings.Cut(err.Error(), "; ")
			a.found("data-undemanded", "outputSchema", "a gateway that shows data with its sources refuses the tool: "+fault, remedy)
		}
		return
	}
	var content []string
	for _, block := range r.Content {
		if text, ok := block.(*mcp.TextContent); ok {
			content = append(content, text.Text)
		}
	}
	a.told(args, strings.Join(content, "\n"), func() {
		for _, f := range lint.Result(content, r.Structured, 0) {
			if f.Rule == lint.Contract {
				a.found("data-contract", "structuredContent", f.Text)
			} else {
				a.found("data-"+f.Rule, "content", f.Text)
			}
		}
		a.leaks(strings.Join(content, "\n"), args, "content")
	})
}
