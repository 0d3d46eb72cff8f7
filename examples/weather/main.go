// Weather is a server of seven tools, one for each kind of answer: a number, an object, a list, a map, a document from
// elsewhere and plain text.
//
//	go run ./examples/weather                        # on stdin and stdout
//	go run ./examples/weather -http 127.0.0.1:8080   # on http://127.0.0.1:8080/mcp
package main

import "github.com/diptych-mcp/diptych/internal/serve"

func main() { serve.Main("weather", addTools) }
