// Package exampleserver runs the servers of this module: the mains of the examples, and tests that start a server as a program.
package exampleserver

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych"
)

// Main is the main of an example: it makes a server, lets add publish on it, and serves it on stdin and stdout, or on the
// address that the flag -http gives. An interrupt ends it after the calls that are under way.
func Main(name string, add func(*mcp.Server) error) {
	addr := flag.String("http", "", "serve streamable HTTP at `host:port` instead of stdin and stdout; port 0 picks a free one")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()

	server := mcp.NewServer(&mcp.Implementation{Name: name, Version: "1.0.0"}, nil)
	err := add(server)
	switch {
	case err != nil:
	case *addr == "":
		err = diptych.Run(ctx, server, &mcp.StdioTransport{})
	default:
		err = HTTP(ctx, *addr, diptych.Handler(server))
	}
	if err != nil && !errors.Is(err, context.Canceled) {
		fmt.Fprintf(os.Stderr, "%s: %v\n", name, err)
		os.Exit(1)
	}
}

// grace is how long calls that are under way have to finish.
const grace = 5 * time.Second

// listening is what a server says first, before its URL.
const listening = "listening on "

// HTTP serves h under /mcp at addr until ctx is done. It says on stderr where it listens.
func HTTP(ctx context.Context, addr string, h http.Handler) error {
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		return err
	}
	mux := http.NewServeMux()
	mux.Handle("/mcp", h)
	server := &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second}
	fmt.Fprintf(os.Stderr, "%shttp://%s/mcp\n", listening, listener.Addr())

	stopped := make(chan error, 1)
	go func() {
		<-ctx.Done()
		last, cancel := context.WithTimeout(context.Background(), grace)
		defer cancel()
		stopped <- server.Shutdown(last)
	}()
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	if err := <-stopped; !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return server.Close() // what is left are streams without an end
}
