// Weather is a server of seven tools, one for each kind of answer: a number, an object, a list, a map, a document from
// elsewhere and plain text. What a model reads about them are the comments in tools.go, as they stand there.
//
//	go run ./examples/weather                        # on stdin and stdout
//	go run ./examples/weather -http 127.0.0.1:8080   # on http://127.0.0.1:8080/mcp
package main

import (
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych/internal/serve"
)

//go:generate go tool diptych gen

func main() { serve.Main("weather", publish) }

func publish(s *mcp.Server) error {
	station, err := newStation()
	if err != nil {
		return err
	}
	return AddTools(s, station)
}
