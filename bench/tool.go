package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/mark3labs/mcp-go/server"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	trpc "trpc.group/trpc-go/trpc-mcp-go"

	"github.com/diptych-mcp/diptych"
)

// The peers, by the names that the tables give them.
const (
	ours    = "diptych"
	raw     = "official, raw"
	ready   = "official, raw, diptych's answer"
	typed   = "official, typed"
	mark    = "mcp-go"
	checked = "mcp-go, validating"
	tencent = "trpc-mcp-go"
)

// candidates are one server of each peer, all with the same tools. Ready sends what ours once answered, and makes nothing.
type candidates struct {
	ours, raw, typed *mcp.Server
	ready            *mcp.Server
	mark, checked    *server.MCPServer
	tencent          *trpc.Server
	works            []work
	asked            work // the one tool that takes arguments
}

// A work is one tool's answer: the value encoded plainly, and made into a result by each peer's handler alone.
type work struct {
	name, tool string
	arguments  string // of a call
	doc        []byte // the structured content
	marshal    func() error
	panels     entrant
	handlers   []entrant
}

// work is the work of one tool.
func (h *candidates) work(tool string) work {
	return h.works[slices.IndexFunc(h.works, func(w work) bool { return w.tool == tool })]
}

func newCandidates() *candidates {
	return &candidates{
		ours:    newOfficial(nil),
		raw:     newOfficial(nil),
		ready:   newOfficial(nil),
		typed:   newOfficial(nil),
		mark:    server.NewMCPServer("bench", "1.0.0", server.WithToolCapabilities(false)),
		checked: server.NewMCPServer("bench", "1.0.0", server.WithToolCapabilities(false), server.WithOutputSchemaValidation(), server.WithInputSchemaValidation()),
		tencent: newTencent(),
	}
}

// publish gives every server a tool that takes no arguments and answers with v. Peers that publish nothing but objects
// answer with the same bytes, wrapped by hand.
func publish[Out any](h *candidates, name, tool string, v Out) error {
	answer := func(struct{}) Out { return v }
	var w work
	var err error
	if isObject(v) {
		w, err = publishAs(h, tool, "{}", answer, answer)
	} else {
		w, err = publishAs(h, tool, "{}", answer, func(struct{}) wrapped[Out] { return wrapped[Out]{v} })
	}
	w.name = name
	h.works = append(h.works, w)
	return err
}

// publishAs gives every server a tool, which the peers serve by whole. All of them publish the schemas that this library
// derives. Each answers once for the arguments before anything is measured.
func publishAs[In, Out, Whole any](h *candidates, tool, arguments string, fn func(In) Out, whole func(In) Whole) (work, error) {
	published, handler, err := diptych.New(&mcp.Tool{Name: tool}, func(_ context.Context, in In) (Out, error) { return fn(in), nil })
	if err != nil {
		return work{}, err
	}
	var in In
	if err := json.Unmarshal([]byte(arguments), &in); err != nil {
		return work{}, err
	}
	v := fn(in)
	doc, err := json.Marshal(whole(in))
	if err != nil {
		return work{}, err
	}
	panels, err := newFiller(published.OutputSchema.(json.RawMessage), &v)
	if err != nil {
		return work{}, err
	}
	rawHandler := rawHandler(whole)
	h.ours.AddTool(published, handler)
	h.raw.AddTool(published, rawHandler)
	made, err := handler(context.Background(), request(arguments))
	if err != nil {
		return work{}, err
	}
	h.ready.AddTool(published, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		res := *made
		return &res, nil
	})
	typedHandler, err := addTyped(h.typed, published, whole, arguments, doc)
	if err != nil {
		return work{}, err
	}
	addMark(h.mark, published, whole)
	addMark(h.checked, published, whole)
	tencentHandler, err := addTencent(h.tencent, published, whole, arguments, doc)
	if err != nil {
		return work{}, err
	}
	w := work{
		tool: tool, arguments: arguments, doc: doc,
		marshal: func() error { _, err := json.Marshal(&v); return err },
		panels:  entrant{"panels alone", panels.run},
		handlers: []entrant{
			{raw, runHandler(rawHandler, arguments, doc)},
			{ours, runHandler(handler, arguments, doc)},
			{typed, typedHandler},
			{mark, runMark(h.mark, tool, arguments, doc)},
			{checked, runMark(h.checked, tool, arguments, doc)},
			{tencent, tencentHandler},
		},
	}
	for _, e := range append(w.handlers, w.panels) {
		if err := e.run(); err != nil {
			return w, fmt.Errorf("%s: %s: %w", tool, e.name, err)
		}
	}
	if err := panels.same(handler, arguments); err != nil {
		return w, fmt.Errorf("%s: %w", tool, err)
	}
	return w, nil
}

func isObject(v any) bool {
	doc, err := json.Marshal(v)
	return err == nil && doc[0] == '{'
}

// runHandler calls a handler of the SDK. It expects doc at the first call and takes the rest on trust.
func runHandler(h mcp.ToolHandler, arguments string, doc []byte) func() error {
	req, ctx := request(arguments), context.Background()
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

func request(arguments string) *mcp.CallToolRequest {
	return &mcp.CallToolRequest{Params: &mcp.CallToolParamsRaw{Arguments: json.RawMessage(arguments)}}
}

// sameStructured says whether a result carries doc, and its text the same value.
func sameStructured(res *mcp.CallToolResult, doc []byte) error {
	if res.IsError {
		text, _ := json.Marshal(res.Content)
		return fmt.Errorf("the call failed: %.300s", text)
	}
	if len(res.Content) == 0 {
		return fmt.Errorf("the text panel is empty")
	}
	return same(res.StructuredContent, doc)
}

// same says whether structured content leaves as doc.
func same(structured any, doc []byte) error {
	got, err := json.Marshal(structured)
	if err == nil && !sameJSON(got, doc) {
		err = fmt.Errorf("structured content is %.100s, want %.100s", got, doc)
	}
	return err
}

func sameJSON(a, b []byte) bool {
	if bytes.Equal(a, b) {
		return true
	}
	var x, y any
	return json.Unmarshal(a, &x) == nil && json.Unmarshal(b, &y) == nil && fmt.Sprint(x) == fmt.Sprint(y)
}
