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

// rawHandler is what one writes by hand on the raw path: decode the arguments where there are any, encode once, send the
// bytes in both panels, check nothing.
func rawHandler[In, Whole any](fn func(In) Whole) mcp.ToolHandler {
	_, none := any(*new(In)).(struct{})
	return func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		var in In
		if !none {
			if err := json.Unmarshal(req.Params.Arguments, &in); err != nil {
				return nil, err
			}
		}
		doc, err := json.Marshal(fn(in))
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
func addTyped[In, Whole any](s *mcp.Server, t *mcp.Tool, fn func(In) Whole, arguments string, doc []byte) (func() error, error) {
	add := func(s *mcp.Server) {
		mcp.AddTool(s, t, func(_ context.Context, _ *mcp.CallToolRequest, in In) (*mcp.CallToolResult, Whole, error) {
			return nil, fn(in), nil
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
	res, err := session.CallTool(ctx, &mcp.CallToolParams{Name: t.Name, Arguments: json.RawMessage(arguments)})
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
