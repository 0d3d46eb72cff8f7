// Rooms is a server about the bookable rooms of one floor: tools of this library beside a resource of the SDK.
//
//	go run ./examples/rooms                        # on stdin and stdout
//	go run ./examples/rooms -http 127.0.0.1:8080   # on http://127.0.0.1:8080/mcp
package main

import (
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych/internal/exampleserver"
)

//go:generate go tool diptych gen

// What exampleserver.Main does stands written out in examples/weather.
func main() { exampleserver.Main("rooms", publish) }

func publish(s *mcp.Server) error {
	floor, err := newFloor()
	if err != nil {
		return err
	}
	addPlan(s)
	return AddTools(s, floor)
}
