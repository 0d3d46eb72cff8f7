package data_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych/data"
)

// A tool that is put on the server itself, before or after the registry, in place of an admitted one or beside it.
func TestBehindTheRegistrysBack(t *testing.T) {
	for _, era := range eras {
		s := newServer()
		var log bytes.Buffer
		s.AddTool(tool("before", demanding), foreign(sourced))
		r := data.NewRegistry(s, data.Logger(slog.New(slog.NewTextHandler(&log, nil))))
		if err := r.AddTool(tool("replaced_alike", demanding), foreign(sourced)); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"kept", "replaced"} {
			if err := data.Add(r, &mcp.Tool{Name: name}, good); err != nil {
				t.Fatal(err)
			}
		}
		s.AddTool(tool("after", ""), foreign(`{"secret":1}`))
		s.AddTool(tool("replaced", ""), foreign(`{"secret":1}`))
		s.AddTool(tool("replaced_alike", demanding), foreign(`{"secret":1}`))

		session := connected(t, s, era)
		if n := strings.Count(log.String(), "level=WARN"); n != 3 {
			t.Errorf("%s: %d warnings when the client arrived, want 3:\n%s", era, n, &log)
		}
		if diff := cmp.Diff([]string{"kept", "replaced_alike"}, listed(t, session)); diff != "" {
			t.Errorf("%s: listed (-want +got)\n%s", era, diff)
		}
		for _, name := range []string{"before", "after", "replaced"} {
			if _, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: name}); err == nil || !strings.Contains(err.Error(), "unknown tool") {
				t.Errorf("%s %s: called, got %v", era, name, err)
			}
		}
		res := call(t, session, "replaced_alike")
		if !res.IsError || strings.Contains(textOf(res), marker) || res.StructuredContent != nil {
			t.Errorf("%s: got %s", era, textOf(res))
		}
		if n := strings.Count(log.String(), "level=WARN"); n != 3 {
			t.Errorf("%s: %d warnings in all, want 3", era, n)
		}
		if len(r.Refused()) != 3 {
			t.Errorf("%s: refused %v", era, r.Refused())
		}
	}
}

func TestStrict(t *testing.T) {
	for _, era := range eras {
		for name, spoil := range map[string]func(*mcp.Server, *data.Registry){
			"by AddTool":    func(_ *mcp.Server, r *data.Registry) { _ = r.AddTool(tool("bare", ""), foreign(sourced)) },
			"on the server": func(s *mcp.Server, _ *data.Registry) { s.AddTool(tool("bare", ""), foreign(sourced)) },
			"not at all":    nil,
		} {
			s := newServer()
			r := data.NewRegistry(s, data.Strict(), data.Logger(slog.New(slog.DiscardHandler)))
			if err := data.Add(r, &mcp.Tool{Name: "good"}, good); err != nil {
				t.Fatal(err)
			}
			if spoil != nil {
				spoil(s, r)
			}
			_, err := connect(t, s, era)
			if spoil == nil && err != nil || spoil != nil && (err == nil || !strings.Contains(err.Error(), "tools without sources: bare")) {
				t.Errorf("%s, %s: got %v", era, name, err)
			}
		}
	}
}

// What other middleware makes of a result is looked at too.
func TestMiddlewareInside(t *testing.T) {
	type own struct{ mcp.Result }
	tests := map[string]struct {
		change func(*mcp.CallToolResult) mcp.Result
		want   string
	}{
		"nothing": {func(res *mcp.CallToolResult) mcp.Result { return res }, ""},
		"another source": {func(res *mcp.CallToolResult) mcp.Result {
			res.StructuredContent = json.RawMessage(`{"sources":[]}`)
			return res
		}, "sources: empty"},
		"no text":         {func(res *mcp.CallToolResult) mcp.Result { res.Content = []mcp.Content{}; return res }, "content: no text"},
		"another form":    {func(res *mcp.CallToolResult) mcp.Result { return own{res} }, "cannot be checked"},
		"another context": {func(res *mcp.CallToolResult) mcp.Result { res.Meta = mcp.Meta{"k": "w"}; return res }, ""},
	}
	for name, tt := range tests {
		s := newServer()
		s.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
			return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
				res, err := next(ctx, method, req)
				if result, ok := res.(*mcp.CallToolResult); ok && err == nil {
					return tt.change(result), nil
				}
				return res, err
			}
		})
		r := data.NewRegistry(s, data.Logger(slog.New(slog.DiscardHandler)))
		if err := data.Add(r, &mcp.Tool{Name: "good"}, good); err != nil {
			t.Fatal(err)
		}
		res, err := connected(t, s, eras[0]).CallTool(t.Context(), &mcp.CallToolParams{Name: "good"})
		got := ""
		switch {
		case err != nil:
			got = err.Error()
		case res.IsError:
			got = textOf(res)
		}
		if !strings.Contains(got, tt.want) || tt.want == "" && got != "" {
			t.Errorf("%s: got %q, want %q", name, got, tt.want)
		}
	}
}

// Plain tools and data tools are on one server where the author names the plain ones; what would be hidden is an error at start.
func TestAllowWithoutSources(t *testing.T) {
	for _, era := range eras {
		initialized := false
		s := mcp.NewServer(&mcp.Implementation{Name: "test", Version: "1"}, &mcp.ServerOptions{InitializedHandler: func(context.Context, *mcp.InitializedRequest) { initialized = true }})
		r := data.NewRegistry(s, data.AllowWithoutSources("delete_order", "forward"), data.Logger(slog.New(slog.DiscardHandler)))
		plain := func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "gone"}}, StructuredContent: json.RawMessage(`{"n":1}`)}, nil
		}
		s.AddTool(tool("delete_order", ""), plain)
		if err := errors.Join(data.Add(r, &mcp.Tool{Name: "good"}, good), r.AddTool(tool("forward", ""), plain), r.Check()); err != nil {
			t.Fatalf("%s: %v", era, err)
		}
		if initialized {
			t.Error("the check initialized a session")
		}
		session, err := connect(t, s, era)
		if err != nil {
			t.Fatal(err)
		}
		list, err := session.ListTools(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		marks := map[string]bool{}
		for _, tool := range list.Tools {
			marks[tool.Name] = tool.Meta["io.github.diptych-mcp/noSource"] == true
		}
		if diff := cmp.Diff(map[string]bool{"delete_order": true, "forward": true, "good": false}, marks); diff != "" {
			t.Errorf("%s: marks (-want +got)\n%s", era, diff)
		}
		for _, name := range []string{"delete_order", "forward"} {
			res, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: name})
			if err != nil || res.IsError || res.StructuredContent == nil {
				t.Errorf("%s: %s: %+v, %v", era, name, res, err)
			}
		}
		s.AddTool(tool("bare", ""), plain)
		const want = `tool "bare" refused: it is on the server but did not come through the registry; add it with data.Add or Registry.AddTool, name it in data.AllowWithoutSources("bare")`
		if err := r.Check(); err == nil || !strings.Contains(err.Error(), want) || len(r.Refused()) != 1 {
			t.Errorf("%s: a tool that would be hidden: %v, %v", era, err, r.Refused())
		}
	}
	if data.NewRegistry(nil).Check() == nil {
		t.Error("a registry without a server is fine")
	}
}
