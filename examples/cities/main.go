// Cities is an open-data server: five tools about the large cities of the world, none of which can answer without a source.
// PROVENANCE.md says where the figures come from.
//
//	go run ./examples/cities                        # on stdin and stdout
//	go run ./examples/cities -http 127.0.0.1:8080   # on http://127.0.0.1:8080/mcp
package main

import (
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych/data"
	"github.com/diptych-mcp/diptych/internal/exampleserver"
)

//go:generate go tool diptych gen

// What exampleserver.Main does is written out in examples/weather.
func main() { exampleserver.Main("cities", publish) }

// publish puts the tools on s, through a registry, which requires sources.
func publish(s *mcp.Server) error {
	atlas, err := newAtlas()
	if err != nil {
		return err
	}
	return AddDataTools(data.NewRegistry(s), atlas)
}
