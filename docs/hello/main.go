// Hello is a whole MCP server with one tool. It serves standard input and output, or HTTP where -http gives an address.
package main

import (
	"context"
	"flag"
	"log"
	"net"
	"net/http"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych"
)

var readings = map[string]int{"London": 17, "Cairo": 34}

// region plain

type City struct {
	City string `json:"city" jsonschema:"City name, as people write it."`
}

func temperature(ctx context.Context, in City) (int, error) {
	celsius, ok := readings[in.City]
	if !ok {
		return 0, diptych.Errorf("no readings for %q; ask for London or Cairo", in.City)
	}
	return celsius, nil
}

// endregion

func main() {
	addr := flag.String("http", "", "serve HTTP at `host:port`, not standard input and output")
	flag.Parse()
	log.SetFlags(0) // the log goes to standard error

	server := mcp.NewServer(&mcp.Implementation{Name: "hello", Version: "1.0.0"}, nil)
	tool := &mcp.Tool{Name: "get_temperature", Description: "Current temperature in a city, in whole degrees Celsius."}
	if err := diptych.Add(server, tool, temperature); err != nil {
		log.Fatal(err)
	}
	if *addr == "" {
		if err := diptych.Run(context.Background(), server, &mcp.StdioTransport{}); err != nil {
			log.Fatal(err)
		}
		return
	}

	listener, err := net.Listen("tcp", *addr)
	if err != nil {
		log.Fatal(err)
	}
	log.Printf("listening on http://%s/mcp", listener.Addr())
	mux := http.NewServeMux()
	mux.Handle("/mcp", diptych.Handler(server))
	web := &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second}
	log.Fatal(web.Serve(listener))
}
