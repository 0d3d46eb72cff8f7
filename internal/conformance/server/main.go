// Server is the fixture that the protocol's official conformance suite runs against. The suite dictates the names of its
// tools, resources and prompts; every tool is published with this library, the rest with the SDK.
//
//	go run ./internal/conformance/server -http 127.0.0.1:8080             # stateless, for revision 2026-07-28
//	go run ./internal/conformance/server -http 127.0.0.1:8080 -sessions   # stateful, for revision 2025-11-25
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych"
	"github.com/diptych-mcp/diptych/internal/exampleserver"
)

func main() {
	addr := flag.String("http", "127.0.0.1:0", "serve streamable HTTP at `host:port`; port 0 picks a free one")
	sessions := flag.Bool("sessions", false, "keep sessions, in which the server may ask its client")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, *addr, *sessions); err != nil {
		fmt.Fprintln(os.Stderr, "server:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, addr string, sessions bool) error {
	s := mcp.NewServer(&mcp.Implementation{Name: "diptych-conformance", Version: "1.0.0"}, &mcp.ServerOptions{
		CompletionHandler:  complete,
		SubscribeHandler:   func(context.Context, *mcp.SubscribeRequest) error { return nil },
		UnsubscribeHandler: func(context.Context, *mcp.UnsubscribeRequest) error { return nil },
	})
	if err := errors.Join(addContent(s), addCalls(s), addQuestions(s)); err != nil {
		return err
	}
	addResources(s)
	addPrompts(s)
	if !sessions {
		return exampleserver.HTTP(ctx, addr, diptych.Handler(s))
	}
	return exampleserver.HTTP(ctx, addr, diptych.Handler(s, diptych.Sessions(0), diptych.StreamableHTTP(func(o *mcp.StreamableHTTPOptions) {
		o.EventStore = mcp.NewMemoryEventStore(nil) // a client that was cut off may come back for its answer
	})))
}
