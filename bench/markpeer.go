package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"

	markmcp "github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// mark3labs/mcp-go: once as it comes, once with its validation of arguments and results switched on.

func addMark[In, Whole any](s *server.MCPServer, t *mcp.Tool, fn func(In) Whole) {
	tool := markmcp.NewToolWithRawSchema(t.Name, "", t.InputSchema.(json.RawMessage))
	tool.RawOutputSchema = t.OutputSchema.(json.RawMessage)
	s.AddTool(tool, markmcp.NewStructuredToolHandler(func(_ context.Context, _ markmcp.CallToolRequest, in In) (Whole, error) { return fn(in), nil }))
}

// runMark calls a tool through the server's dispatch, which is where it validates. Its result still holds the Go value:
// the wire encodes it.
func runMark(s *server.MCPServer, tool, arguments string, doc []byte) func() error {
	request := json.RawMessage(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"` + tool + `","arguments":` + arguments + `}}`)
	ctx := context.Background()
	seen := false
	return func() error {
		resp, ok := s.HandleMessage(ctx, request).(markmcp.JSONRPCResponse)
		if !ok {
			return fmt.Errorf("the call failed: %v", resp)
		}
		var res *markmcp.CallToolResult
		switch r := resp.Result.(type) {
		case markmcp.CallToolResult:
			res = &r
		case *markmcp.CallToolResult:
			res = r
		default:
			return fmt.Errorf("the result is a %T", resp.Result)
		}
		if res.IsError {
			return fmt.Errorf("the call failed: %.300v", res.Content)
		}
		if !seen {
			seen = true
			return same(res.StructuredContent, doc)
		}
		return nil
	}
}

func markHTTP(s *server.MCPServer) http.Handler {
	return server.NewStreamableHTTPServer(s, server.WithStateLess(true))
}
