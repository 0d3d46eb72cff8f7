// Weather is a server of seven tools, one for each kind of answer: a number, an object, a list, a map, a document from
// elsewhere and plain text. What a model reads about them are the comments in tools.go, word for word.
//
//	go run ./examples/weather                        # on stdin and stdout
//	go run ./examples/weather -http 127.0.0.1:8080   # on http://127.0.0.1:8080/mcp
package main

import (
	"context"
	"errors"
	"flag"
	"log"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych"
)

//go:generate go tool diptych gen

func main() {
	addr := flag.String("http", "", "serve HTTP at `host:port` instead of stdin and stdout; port 0 picks a free one")
	flag.Parse()
	log.SetFlags(0)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	server := mcp.NewServer(&mcp.Implementation{Name: "weather", Version: "1.0.0"}, nil)
	err := publish(server)
	switch {
	case err != nil:
	case *addr == "":
		err = diptych.Run(ctx, server, &mcp.StdioTransport{})
	default:
		err = serveHTTP(ctx, *addr, diptych.Handler(server))
	}
	if err != nil && !errors.Is(err, context.Canceled) {
		log.Fatal(err)
	}
}

func publish(s *mcp.Server) error {
	station, err := newStation()
	if err != nil {
		return err
	}
	return AddTools(s, station)
}

// serveHTTP serves h until ctx is done. Calls that are under way then have five seconds to finish.
func serveHTTP(ctx context.Context, addr string, h http.Handler) error {
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		return err
	}
	log.Printf("listening on http://%s/mcp", listener.Addr())
	mux := http.NewServeMux()
	mux.Handle("/mcp", h)
	web := &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second}
	failed := make(chan error, 1)
	go func() { failed <- web.Serve(listener) }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	last, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	_ = web.Shutdown(last)
	return web.Close() // what is left are streams that their clients do not end
}
