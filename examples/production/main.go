// Production is a whole MCP server as it runs in production: sign-in with scopes by tool, pages of other origins, a proxy in front of
// it, limits, health, metrics, traces, a log, and a stop that loses no answer. Each file is one of these; docs/production.md explains them.
//
//	go run . -url https://mcp.example/rooms/mcp -issuer https://login.example -listen 127.0.0.1:8080
package main

import (
	"context"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"syscall"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych"
)

const (
	name    = "rooms"
	version = "1.0.0"
)

func main() {
	slog.SetDefault(slog.New(slog.NewJSONHandler(os.Stderr, nil)))
	c, err := readConfig(os.Args[1:])
	switch {
	case err == flag.ErrHelp:
		return
	case err != nil:
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, c); err != nil {
		slog.Error("the server ended", "error", err)
		os.Exit(1)
	}
}

// run serves until ctx is done, and then until the calls that were begun are answered.
func run(ctx context.Context, c *config) error {
	signIn, err := newSignIn(ctx, c)
	if err != nil {
		return err
	}
	traces, err := newTraces(ctx)
	if err != nil {
		return err
	}
	metrics := newMetrics()

	// region production-server
	server := mcp.NewServer(&mcp.Implementation{Name: name, Version: version}, nil)
	if err := addTools(server, diptych.Timeout(c.callTimeout)); err != nil {
		return err
	}
	// The first is the outermost: a call that is refused is traced, logged and counted too.
	server.AddReceivingMiddleware(traces.middleware, logged, metrics.middleware, signIn.scopes)
	handler := diptych.Handler(server,
		diptych.AllowOrigins(c.origins...),
		diptych.BehindProxy(c.url.Host),
		diptych.StreamableHTTP(func(o *mcp.StreamableHTTPOptions) { o.MaxRequestBodyBytes = maxBody }),
	)
	// endregion

	err = newWeb(c, signIn, handler, metrics).serve(ctx, c)
	return traces.flush(err)
}
