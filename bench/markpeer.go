package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"

	markmcp "github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// mark3labs/mcp-go: once as it comes, once with its validation of arguments and results switched on.

func addMark[Whole any](s *server.MCPServer, tool string, schema json.RawMessage, v Whole) {
	s.AddTool(
		markmcp.NewTool(tool, markmcp.WithRawOutputSchema(schema)),
		markmcp.NewStructuredToolHandler(func(context.Context, markmcp.CallToolRequest, struct{}) (Whole, error) { return v, nil }),
	)
}

// runMark calls a tool through the server's dispatch, which is where it validates. Its result still holds the Go value:
// the wire encodes it.
func runMark(s *server.MCPServer, tool string) func() error {
	request := json.RawMessage(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"` + tool + `","arguments":{}}}`)
	ctx := context.Background()
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
		return nil
	}
}

func markHTTP(s *server.MCPServer) http.Handler {
	return server.NewStreamableHTTPServer(s, server.WithStateLess(true))
}
