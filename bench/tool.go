package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"github.com/mark3labs/mcp-go/server"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	trpc "trpc.group/trpc-go/trpc-mcp-go"

	"github.com/diptych-mcp/diptych"
)

// The peers, by the names that the tables give them.
const (
	ours    = "diptych"
	raw     = "official, raw"
	typed   = "official, typed"
	mark    = "mcp-go"
	checked = "mcp-go, validating"
	tencent = "trpc-mcp-go"
)

// A house has one server of each peer, all with the same tools.
type house struct {
	ours, raw, typed *mcp.Server
	mark, checked    *server.MCPServer
	tencent          *trpc.Server
	works            []work
	session          *mcp.ServerSession // for handlers that ask whom they answer
}

// A work is one tool's answer: the value encoded plainly, and made into a result by each peer's handler alone.
type work struct {
	name, tool string
	size       int // of the structured content in bytes
	marshal    func() error
	handlers   []entrant
}

func newHouse() *house {
	return &house{
		ours:    newOfficial(nil),
		raw:     newOfficial(nil),
		typed:   newOfficial(nil),
		mark:    server.NewMCPServer("bench", "1.0.0", server.WithToolCapabilities(false)),
		checked: server.NewMCPServer("bench", "1.0.0", server.WithToolCapabilities(false), server.WithOutputSchemaValidation(), server.WithInputSchemaValidation()),
		tencent: newTencent(),
	}
}

// publish gives every server a tool that answers with v. Peers that publish nothing but objects answer with the same
// bytes, wrapped by hand; all of them publish the schema that this library derives.
func publish[Out any](h *house, name, tool string, v Out) error {
	if isObject(v) {
		return publishAs[Out, Out](h, name, tool, v, v)
	}
	return publishAs[Out, wrapped[Out]](h, name, tool, v, wrapped[Out]{v})
}

func publishAs[Out, Whole any](h *house, name, tool string, v Out, whole Whole) error {
	published, handler, err := diptych.New(&mcp.Tool{Name: tool}, func(context.Context, struct{}) (Out, error) { return v, nil })
	if err != nil {
		return err
	}
	schema := published.OutputSchema.(json.RawMessage)
	doc, err := json.Marshal(whole)
	if err != nil {
		return err
	}
	panels, err := newFiller(schema, &v)
	if err != nil {
		return err
	}
	rawHandler := rawHandler(whole)
	h.ours.AddTool(published, handler)
	h.raw.AddTool(&mcp.Tool{Name: tool, InputSchema: noArguments, OutputSchema: schema}, rawHandler)
	typedHandler, err := addTyped(h.typed, tool, schema, whole)
	if err != nil {
		return err
	}
	addMark(h.mark, tool, schema, whole)
	addMark(h.checked, tool, schema, whole)
	tencentHandler, err := addTencent(h.tencent, tool, schema, whole)
	if err != nil {
		return err
	}
	w := work{
		name: name, tool: tool, size: len(doc),
		marshal: func() error { _, err := json.Marshal(&v); return err },
		handlers: []entrant{
			{"panels alone", panels.run},
			{ours, runHandler(handler, doc)},
			{raw, runHandler(rawHandler, doc)},
			{typed, typedHandler},
			{mark, runMark(h.mark, tool)},
			{checked, runMark(h.checked, tool)},
			{tencent, tencentHandler},
		},
	}
	for _, e := range w.handlers {
		if err := e.run(); err != nil {
			return fmt.Errorf("%s: %s: %w", tool, e.name, err)
		}
	}
	if err := panels.same(handler); err != nil {
		return fmt.Errorf("%s: %w", tool, err)
	}
	h.works = append(h.works, w)
	return nil
}

func isObject(v any) bool {
	doc, err := json.Marshal(v)
	return err == nil && doc[0] == '{'
}

// noArguments is the schema of a tool that takes none.
var noArguments = json.RawMessage(`{"type":"object"}`)

// runHandler calls a handler of the SDK. It expects doc at the first call and takes the rest on trust.
func runHandler(h mcp.ToolHandler, doc []byte) func() error {
	req := &mcp.CallToolRequest{Params: &mcp.CallToolParamsRaw{Arguments: json.RawMessage("{}")}}
	ctx := context.Background()
	seen := false
	return func() error {
		res, err := h(ctx, req)
		if err != nil {
			return err
		}
		if !seen {
			seen = true
			return sameStructured(res, doc)
		}
		return nil
	}
}

// sameStructured says whether a result carries doc, and its text the same value.
func sameStructured(res *mcp.CallToolResult, doc []byte) error {
	if res.IsError {
		text, _ := json.Marshal(res.Content)
		return fmt.Errorf("the call failed: %.300s", text)
	}
	got, err := json.Marshal(res.StructuredContent)
	if err != nil {
		return err
	}
	if !sameJSON(got, doc) {
		return fmt.Errorf("structured content is %.100s, want %.100s", got, doc)
	}
	if len(res.Content) == 0 {
		return fmt.Errorf("the text panel is empty")
	}
	return nil
}

func sameJSON(a, b []byte) bool {
	if bytes.Equal(a, b) {
		return true
	}
	var x, y any
	return json.Unmarshal(a, &x) == nil && json.Unmarshal(b, &y) == nil && fmt.Sprint(x) == fmt.Sprint(y)
}
