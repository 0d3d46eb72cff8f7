// Outside is the cities example in a module of its own, as a user of the library would have it.
package main

import (
	"context"
	"log"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych"
	"github.com/diptych-mcp/diptych/data"
)

func main() {
	server := mcp.NewServer(&mcp.Implementation{Name: "outside", Version: "1.0.0"}, nil)
	atlas, err := newAtlas()
	if err == nil {
		err = AddDataTools(data.NewRegistry(server), atlas)
	}
	if err == nil {
		err = diptych.Run(context.Background(), server, &mcp.StdioTransport{})
	}
	if err != nil {
		log.Fatal(err)
	}
}
