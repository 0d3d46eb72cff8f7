// Rooms is a server about the bookable rooms of one floor: tools of this library beside a resource of the SDK.
//
//	go run ./examples/rooms                        # on stdin and stdout
//	go run ./examples/rooms -http 127.0.0.1:8080   # on http://127.0.0.1:8080/mcp
package main

import "github.com/diptych-mcp/diptych/internal/serve"

func main() { serve.Main("rooms", publish) }
