// Package datatest checks a server of data tools against its contract, in one call in its author's own tests:
//
//	func TestContract(t *testing.T) {
//		datatest.Run(t, newServer(), datatest.Call{Tool: "list_cities", Arguments: map[string]any{"country": "JP"}})
//	}
package datatest

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych"
	"github.com/diptych-mcp/diptych/data"
	"github.com/diptych-mcp/diptych/data/lint"
	"github.com/diptych-mcp/diptych/internal/exact"
)

// A Call is a call that must give a good result.
type Call struct {
	Tool      string
	Arguments any // what encodes to a JSON object; nil: none
	Budget    int // tokens that the content may have; 0: [lint.Budget]
}

// Run lists the tools of s as a client does and makes the calls, and fails t for everything that the contract of a data tool or
// the lint finds: a tool whose schema does not demand sources, sources that are not well formed, a model that must talk blind,
// figures without a cell, emptiness without a word, too long a content. A tool that has no Call is called without arguments;
// one that requires arguments needs a Call.
func Run(t *testing.T, s *mcp.Server, calls ...Call) {
	t.Helper()
	for _, problem := range problems(t.Context(), s, calls) {
		t.Error(problem)
	}
}

// problems is Run without a test to fail.
func problems(ctx context.Context, s *mcp.Server, calls []Call) (found []string) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	report := func(format string, args ...any) { found = append(found, fmt.Sprintf(format, args...)) }
	here, there := mcp.NewInMemoryTransports()
	serving, err := s.Connect(ctx, there, nil)
	if err != nil {
		return []string{fmt.Sprintf("the server does not start: %v", err)}
	}
	defer serving.Close()
	client := mcp.NewClient(&mcp.Implementation{Name: "datatest", Version: "1"}, nil)
	session, err := client.Connect(ctx, diptych.Exact(here), nil)
	if err != nil {
		return []string{fmt.Sprintf("the server does not answer: %v", err)}
	}
	defer session.Close()

	var names []string
	for tool, err := range session.Tools(ctx, nil) {
		if err != nil {
			report("the server does not list its tools: %v", err)
			return found
		}
		names = append(names, tool.Name)
		if err := data.DemandsSources(tool.OutputSchema); err != nil {
			report("%s: %v", tool.Name, err)
		}
		if slices.ContainsFunc(calls, func(c Call) bool { return c.Tool == tool.Name }) {
			continue
		}
		if required := requires(tool.InputSchema); len(required) > 0 {
			report("%s: requires %v and was not called; give a datatest.Call", tool.Name, required)
			continue
		}
		calls = append(calls, Call{Tool: tool.Name})
	}
	if len(names) == 0 {
		report("the server lists no tools; add them before Run")
	}
	for _, c := range calls {
		if !slices.Contains(names, c.Tool) {
			report("%s: not listed, so no client can call it", c.Tool)
			continue
		}
		if c.Arguments == nil {
			c.Arguments = map[string]any{}
		}
		res, err := session.CallTool(ctx, &mcp.CallToolParams{Name: c.Tool, Arguments: c.Arguments})
		if err != nil {
			report("%s: %v", c.Tool, err)
			continue
		}
		if res.IsError {
			report("%s: %v", c.Tool, texts(res))
			continue
		}
		structured, ok := exact.Structured(res)
		if !ok && res.StructuredContent != nil {
			if structured, err = json.Marshal(res.StructuredContent); err != nil {
				report("%s: %v", c.Tool, err)
				continue
			}
		}
		for _, f := range lint.Result(texts(res), structured, c.Budget) {
			report("%s: %s", c.Tool, f)
		}
	}
	return found
}

// texts are the text blocks of a result's content.
func texts(res *mcp.CallToolResult) []string {
	var texts []string
	for _, block := range res.Content {
		if text, ok := block.(*mcp.TextContent); ok {
			texts = append(texts, text.Text)
		}
	}
	return texts
}

// requires lists the arguments that an input schema requires.
func requires(inputSchema any) []string {
	raw, err := json.Marshal(inputSchema)
	if err != nil {
		return nil
	}
	var schema struct{ Required []string }
	_ = json.Unmarshal(raw, &schema) // a schema of another form requires nothing that could be given here
	return schema.Required
}
