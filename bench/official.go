package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// The official SDK, by its raw path and by its typed one.

func newOfficial(opts *mcp.ServerOptions) *mcp.Server {
	return mcp.NewServer(&mcp.Implementation{Name: "bench", Version: "1.0.0"}, opts)
}

// rawHandler is what one writes by hand on the raw path: encode once, send the bytes in both panels, check nothing.
func rawHandler[Whole any](v Whole) mcp.ToolHandler {
	return func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		doc, err := json.Marshal(v)
		if err != nil {
			return nil, err
		}
		return &mcp.CallToolResult{
			Content:           []mcp.Content{&mcp.TextContent{Text: string(doc)}},
			StructuredContent: json.RawMessage(doc),
		}, nil
	}
}

// addTyped publishes a tool by AddTool and returns a call of its handler. The SDK shows that handler only to its own
// dispatch, so it is called through the innermost method handler, as the dispatch would.
func addTyped[Whole any](s *mcp.Server, tool string, schema json.RawMessage, v Whole) (func() error, error) {
	add := func(s *mcp.Server) {
		t := &mcp.Tool{Name: tool, OutputSchema: schema}
		mcp.AddTool(s, t, func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, Whole, error) {
			return nil, v, nil
		})
	}
	add(s)
	// A server of its own catches the dispatch of one call, to repeat it.
	probe := newOfficial(nil)
	add(probe)
	var again func() error
	probe.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			if method == "tools/call" {
				kept := context.WithoutCancel(ctx)
				again = func() error {
					res, err := next(kept, method, req)
					if err == nil && res.(*mcp.CallToolResult).IsError {
						err = fmt.Errorf("the call failed: %v", res)
					}
					return err
				}
			}
			return next(ctx, method, req)
		}
	})
	ctx := context.Background()
	session, err := connect(ctx, probe, runOfficial)
	if err != nil {
		return nil, err
	}
	res, err := session.CallTool(ctx, &mcp.CallToolParams{Name: tool})
	if err != nil {
		return nil, err
	}
	doc, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	return again, sameStructured(res, doc)
}

// connect is a session with s in memory, by the SDK's own client.
func connect(ctx context.Context, s *mcp.Server, run runner) (*mcp.ClientSession, error) {
	near, far := mcp.NewInMemoryTransports()
	go func() { _ = run(ctx, s, far) }()
	return mcp.NewClient(&mcp.Implementation{Name: "bench", Version: "1.0.0"}, nil).Connect(ctx, near, nil)
}

// A runner serves one session.
type runner func(context.Context, *mcp.Server, mcp.Transport) error

func runOfficial(ctx context.Context, s *mcp.Server, t mcp.Transport) error { return s.Run(ctx, t) }

func officialHTTP(s *mcp.Server) http.Handler {
	return mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, &mcp.StreamableHTTPOptions{Stateless: true})
}
