// Cities is an open-data server: five tools about the large cities of the world, none of which can answer without a source.
// PROVENANCE.md says where the figures come from.
//
//	go run ./examples/cities                        # on stdin and stdout
//	go run ./examples/cities -http 127.0.0.1:8080   # on http://127.0.0.1:8080/mcp
package main

import "github.com/diptych-mcp/diptych/internal/serve"

func main() { serve.Main("cities", publish) }
