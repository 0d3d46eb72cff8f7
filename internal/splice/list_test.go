package splice

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// TestListsAreCurrent changes the list in every way between two requests and compares each answer with the SDK's.
func TestListsAreCurrent(t *testing.T) {
	hide := ""
	ttl := 0
	opts := &mcp.ServerOptions{PageSize: 4, SetCacheable: func(_ context.Context, _ mcp.Request, c *mcp.Cacheable) { c.TTLMs = ttl }}
	s := newTestServer(opts)
	s.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			res, err := next(ctx, method, req)
			if list, ok := res.(*mcp.ListToolsResult); ok {
				kept := list.Tools[:0]
				for _, tool := range list.Tools {
					if tool.Name != hide {
						kept = append(kept, tool)
					}
				}
				list.Tools = kept
			}
			return res, err
		}
	})
	want, got := documents(s), spliced(s, mcp.StreamableHTTPOptions{})
	check := func() string {
		t.Helper()
		cursor, last := "", ""
		for {
			params := fmt.Sprintf(`"cursor":%q`, cursor)
			w := post(got, modern, "tools/list", params)
			alike(t, post(want, modern, "tools/list", params), w)
			last += w.Body.String()
			all := messages(t, w)
			if cursor, _ = all[0].(map[string]any)["result"].(map[string]any)["nextCursor"].(string); cursor == "" {
				return last
			}
		}
	}
	seen := map[string]bool{}
	for _, step := range []func(){
		func() {},
		func() { hide = "text" },
		func() { hide = "blocks" },
		func() { hide = "" },
		func() { ttl = 60_000 },
		func() { s.RemoveTools("text") },
		func() {
			s.AddTool(&mcp.Tool{Name: "blocks", Description: "new", InputSchema: json.RawMessage(`{"type":"object"}`)},
				func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) { return answerOf("", ""), nil })
		},
	} {
		step()
		first := check()
		if second := check(); first != second {
			t.Error("the same list twice, and two answers")
		}
		seen[first] = true
	}
	if len(seen) != 6 { // hiding nothing comes back
		t.Errorf("%d different lists", len(seen))
	}
}

// TestListsRemember tests that a repeated list is encoded once, and that memory is bounded.
func TestListsRemember(t *testing.T) {
	var l lists
	tools := make([]*mcp.Tool, 3*maxLists)
	for i := range tools {
		tools[i] = &mcp.Tool{Name: fmt.Sprint("tool", i), InputSchema: json.RawMessage(`{}`)}
	}
	encoded := func(from int) []byte {
		doc, err := l.encode(&mcp.ListToolsResult{Tools: tools[from:]})
		if err != nil {
			t.Fatal(err)
		}
		return doc
	}
	if a, b := encoded(0), encoded(0); &a[0] != &b[0] {
		t.Error("encoded twice")
	}
	for i := range tools {
		encoded(i)
	}
	if len(l.pages) > maxLists {
		t.Errorf("%d pages", len(l.pages))
	}
	if _, err := l.encode(&mcp.ListToolsResult{Tools: []*mcp.Tool{{InputSchema: json.RawMessage(`{`)}}}); err == nil {
		t.Error("a broken schema was encoded")
	}
}
