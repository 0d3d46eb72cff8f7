package peer

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych/internal/connect"
)

// listing is a session with a server whose list of tools is what page returns for a cursor.
func listing(t *testing.T, page func(cursor string) *mcp.ListToolsResult) *Session {
	t.Helper()
	server := mcp.NewServer(&mcp.Implementation{Name: "endless", Version: "1"}, &mcp.ServerOptions{Capabilities: &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{}}})
	server.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			if list, ok := req.(*mcp.ListToolsRequest); ok {
				return page(list.Params.Cursor), nil
			}
			return next(ctx, method, req)
		}
	})
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	t.Cleanup(cancel)
	near, far := mcp.NewInMemoryTransports()
	if _, err := server.Connect(ctx, far, nil); err != nil {
		t.Fatal(err)
	}
	session, err := connect.Open(ctx, mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil), near, "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close() })
	return &Session{ClientSession: session}
}

func TestListsEnd(t *testing.T) {
	tool := &mcp.Tool{Name: "t", InputSchema: json.RawMessage(`{"type":"object"}`)}
	endless := 0
	many := make([]*mcp.Tool, maxTools+1)
	for i := range many {
		many[i] = tool
	}
	for want, page := range map[string]func(string) *mcp.ListToolsResult{
		"on more than 200 pages": func(string) *mcp.ListToolsResult {
			endless++
			return &mcp.ListToolsResult{Tools: []*mcp.Tool{tool}, NextCursor: fmt.Sprint(endless)}
		},
		"more than 10000 tools": func(string) *mcp.ListToolsResult { return &mcp.ListToolsResult{Tools: many} },
		"a cursor came twice":   func(string) *mcp.ListToolsResult { return &mcp.ListToolsResult{NextCursor: "again"} },
	} {
		ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
		tools, err := listing(t, page).Tools(ctx)
		cancel()
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%d tools, %v; want %q", len(tools), err, want)
		}
	}
}

func TestFewFaultsAreTold(t *testing.T) {
	properties := make([]string, 13)
	for i := range properties {
		properties[i] = fmt.Sprintf("p%02d", i)
	}
	schema := fmt.Appendf(nil, `{"type":"object","required":["%s"]}`, strings.Join(properties, `","`))
	verdict := Tool{Output: schema}.Judge(Result{CallToolResult: &mcp.CallToolResult{}, Structured: json.RawMessage(`{}`)})
	if n := len(verdict.Faults); n != maxFaults+1 || verdict.Faults[maxFaults] != "and 3 more" {
		t.Errorf("%d faults: %q", n, verdict.Faults)
	}
}
