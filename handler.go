package diptych

import (
	"net/http"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych/internal/splice"
)

// Handler serves s over streamable HTTP, guarded against requests from other origins, and cancels a tool whose caller
// has gone. Nil options mean a stateless server, which the protocol's 2026-07-28 revision asks for and which serves
// older clients too; options with Stateless false keep sessions, for servers that speak to their clients between calls.
// Opts is not modified.
func Handler(s *mcp.Server, opts *mcp.StreamableHTTPOptions) http.Handler {
	o := mcp.StreamableHTTPOptions{Stateless: true}
	if opts != nil {
		o = *opts
	}
	o.PropagateRequestCancellation = true
	var h http.Handler = mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, &o)
	// A stored event is sent again by the SDK, and a session outlives its requests.
	if s != nil && o.Stateless && o.EventStore == nil {
		limit := o.MaxRequestBodyBytes
		if limit == 0 {
			limit = mcp.DefaultMaxRequestBodyBytes
		}
		h = splice.Handler(s, h, limit)
	}
	return http.NewCrossOriginProtection().Handler(h)
}
