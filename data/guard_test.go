package data_test

import (
	"bytes"
	"context"
	"encoding/json"
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
