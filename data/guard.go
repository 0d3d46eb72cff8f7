package data

// The guard: what a registry does with the requests of its server. It runs before the handlers, so it also sees a tool
// that was put on the server without the registry.

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"strings"
	"sync/atomic"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych"
)

func (r *Registry) guard(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		switch method {
		case "initialize", "server/discover":
			if err := r.survey(ctx, next, req); err != nil {
				return nil, err
			}
			res, err := next(ctx, method, req)
			if err == nil {
				r.cfg.view.advertise(res)
			}
			return res, err
		case "tools/list":
			return r.list(ctx, next, req)
		case "tools/call":
			return r.call(ctx, next, req)
		}
		return next(ctx, method, req)
	}
}

// survey finds the strangers among the server's tools when a client arrives, so that they are warned of at the start. In
// strict mode a refused tool turns the client away.
func (r *Registry) survey(ctx context.Context, next mcp.MethodHandler, req mcp.Request) error {
	session, ok := req.GetSession().(*mcp.ServerSession)
	if !ok {
		return r.fatal()
	}
	err := r.each(ctx, func(ctx context.Context, params *mcp.ListToolsParams) (mcp.Result, error) {
		return next(ctx, "tools/list", &mcp.ListToolsRequest{Session: session, Params: params, Extra: req.GetExtra()})
	}, func(t *mcp.Tool) { r.stranger(t) })
	if err != nil {
		return err
	}
	return r.fatal()
}

// each visits the tools of the server, page by page.
func (r *Registry) each(ctx context.Context, list func(context.Context, *mcp.ListToolsParams) (mcp.Result, error), visit func(*mcp.Tool)) error {
	params := &mcp.ListToolsParams{}
	for {
		res, err := list(ctx, params)
		if err != nil {
			return err
		}
		page, ok := res.(*mcp.ListToolsResult)
		if !ok {
			return nil
		}
		for _, t := range page.Tools {
			visit(t)
		}
		if page.NextCursor == "" || page.NextCursor == params.Cursor {
			return nil
		}
		params = &mcp.ListToolsParams{Cursor: page.NextCursor}
	}
}

// unguardedKey marks the context of the registry's own list, which has the tools that it hides.
type unguardedKey struct{}

// fatal is the error that a strict registry with refused tools answers with.
func (r *Registry) fatal() error {
	refused := r.Refused()
	if !r.cfg.strict || len(refused) == 0 {
		return nil
	}
	names := make([]string, len(refused))
	for i, e := range refused {
		names[i] = e.Tool
	}
	return &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "the server does not serve: tools without sources: " + strings.Join(names, ", ")}
}

// list hides what was not admitted.
func (r *Registry) list(ctx context.Context, next mcp.MethodHandler, req mcp.Request) (mcp.Result, error) {
	res, err := next(ctx, "tools/list", req)
	list, ok := res.(*mcp.ListToolsResult)
	if err != nil || !ok || list == nil || ctx.Value(unguardedKey{}) != nil {
		return res, err
	}
	out := *list
	out.Tools = make([]*mcp.Tool, 0, len(list.Tools))
	for _, t := range list.Tools {
		switch {
		case r.knows(t):
			out.Tools = append(out.Tools, t)
		case r.allows(t.Name):
			out.Tools = append(out.Tools, marked(t))
		default:
			r.stranger(t)
		}
	}
	if err := r.fatal(); err != nil {
		return nil, err
	}
	return &out, nil
}

// marked is a tool that is allowed without sources as clients see it.
func marked(t *mcp.Tool) *mcp.Tool {
	tool := *t
	tool.Meta = maps.Clone(t.Meta)
	if tool.Meta == nil {
		tool.Meta = mcp.Meta{}
	}
	tool.Meta[noSource] = true
	return &tool
}

// stranger refuses a tool of the server that is neither a data tool nor allowed without sources.
func (r *Registry) stranger(t *mcp.Tool) *RefusedError {
	if r.knows(t) || r.allows(t.Name) {
		return nil
	}
	return r.refuse(t.Name, fmt.Sprintf("it is on the server but did not come through the registry; add it with data.Add or Registry.AddTool, "+
		"name it in data.AllowWithoutSources(%q), or put it on a server without a registry", t.Name))
}

// knows reports whether a tool of the server came through the registry. One that took the place of an admitted tool is told by
// what it publishes.
func (r *Registry) knows(t *mcp.Tool) bool {
	published, ok := t.OutputSchema.(json.RawMessage)
	if !ok {
		published, _ = json.Marshal(t.OutputSchema) // what has no JSON form equals no admitted schema
	}
	r.mu.Lock()
	schema, known := r.admitted[t.Name]
	if known = known && bytes.Equal(published, schema); !known {
		delete(r.admitted, t.Name)
	}
	r.mu.Unlock()
	return known
}

// call refuses a tool that was not admitted in the words the server has for one that does not exist, and looks at every
// result once more.
func (r *Registry) call(ctx context.Context, next mcp.MethodHandler, req mcp.Request) (mcp.Result, error) {
	if err := r.fatal(); err != nil {
		return nil, err
	}
	params, ok := req.GetParams().(*mcp.CallToolParamsRaw)
	if !ok || params == nil {
		return next(ctx, "tools/call", req)
	}
	r.mu.Lock()
	_, admitted := r.admitted[params.Name]
	r.mu.Unlock()
	if !admitted && r.allows(params.Name) {
		return next(ctx, "tools/call", req)
	}
	if !admitted {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: fmt.Sprintf("unknown tool %q", params.Name)}
	}
	seen := &voucher{}
	res, err := next(context.WithValue(ctx, voucherKey{}, seen), "tools/call", req)
	if err != nil {
		return nil, err
	}
	result, ok := res.(*mcp.CallToolResult)
	if !ok || result == nil {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: fmt.Sprintf("tool %q answered in a form that cannot be checked", params.Name)}
	}
	if result.IsError && result.StructuredContent != nil {
		bare := *result
		bare.StructuredContent = nil // it was not checked
		return &bare, nil
	}
	raw, _ := result.StructuredContent.(json.RawMessage)
	if doc := seen.doc.Load(); doc != nil && *doc != nil && bytes.Equal(raw, *doc) && speaks(result.Content) {
		return res, nil
	}
	if _, err := inspect(result); err != nil {
		lie := mismatch(params.Name, err)
		r.cfg.log().LogAttrs(ctx, slog.LevelError, "tool result does not match its schema",
			slog.String("tool", params.Name), slog.String("type", lie.Schema), slog.String("field", strings.Join(lie.Faults, "; ")))
		told := &diptych.Mismatch{Tool: params.Name, Schema: lie.Schema, Faults: lines(err, breach.told)}
		said := strings.TrimPrefix(told.Error(), "result of "+params.Name)
		failed := &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "Error executing tool " + params.Name +
			": the tool ran, but its result" + said}}}
		failed.SetError(lie)
		return failed, nil
	}
	return res, nil
}

// A voucher carries the structured content that a handler of the registry has checked out to the guard, which need not check
// the same bytes twice. It is atomic: a handler that was abandoned after its timeout may still speak.
type voucher struct{ doc atomic.Pointer[[]byte] }

type voucherKey struct{}

func vouch(ctx context.Context, doc []byte) {
	if v, ok := ctx.Value(voucherKey{}).(*voucher); ok {
		v.doc.Store(&doc)
	}
}

// inspect checks a result that was not built by NewResult, and returns its structured content. Errors and requests for input
// promise no data.
func inspect(res *mcp.CallToolResult) ([]byte, error) {
	if res.IsError || res.NeedsInput() || res.InputRequests != nil {
		return nil, nil
	}
	var c checker
	if !speaks(res.Content) {
		c.add("content", noText)
	}
	doc, raw := res.StructuredContent.(json.RawMessage)
	if !raw && res.StructuredContent != nil {
		var err error
		if doc, err = marshal(res.StructuredContent); err != nil {
			c.fault("structured content cannot be written as JSON")
			return nil, c.err()
		}
	}
	c.document(doc)
	return doc, c.err()
}

// speaks reports whether there is a text for the model.
func speaks(content []mcp.Content) bool {
	for _, block := range content {
		if text, ok := block.(*mcp.TextContent); ok && text != nil && strings.TrimSpace(text.Text) != "" {
			return true
		}
	}
	return false
}

// lines are a failed check's faults, one for each place.
func lines(err error, spell func(breach) string) []string {
	var b *breaches
	if errors.As(err, &b) {
		return b.lines(spell)
	}
	return []string{err.Error()}
}
