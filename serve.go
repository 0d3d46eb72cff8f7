package diptych

import (
	"bytes"
	"context"
	"errors"
	"net/http"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych/internal/splice"
)

// Handler serves s over streamable HTTP, guarded against requests from other origins, and cancels a tool whose caller
// has gone. Nil options mean a stateless server, which the protocol's 2026-07-28 revision asks for and which serves
// older clients too; options with Stateless false keep sessions, for servers that speak to their clients between calls.
// Opts is not modified.
//
// A stateless server without an event store sends results and lists of tools as the bytes they were finished as, which
// the SDK would encode again. For that, Handler adds a receiving middleware to s, outside of those that s has and gets:
// they see the SDK's results as ever. [SDKTransport] leaves everything to the SDK.
func Handler(s *mcp.Server, opts *mcp.StreamableHTTPOptions, more ...HandlerOption) http.Handler {
	o := mcp.StreamableHTTPOptions{Stateless: true}
	if opts != nil {
		o = *opts
	}
	o.PropagateRequestCancellation = true
	var c handlerConfig
	for _, m := range more {
		if m != nil {
			m(&c)
		}
	}
	var h http.Handler = mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, &o)
	// A stored event is sent again by the SDK, a session outlives its requests, and other origins are the SDK's to judge
	// where it was told how.
	//lint:ignore SA1019 who still sets it gets the SDK's own handler
	if s != nil && o.Stateless && o.EventStore == nil && o.CrossOriginProtection == nil && !c.sdk {
		h = splice.Handler(s, h, o)
	}
	return http.NewCrossOriginProtection().Handler(h)
}

// A HandlerOption changes how [Handler] serves.
type HandlerOption func(*handlerConfig)

type handlerConfig struct{ sdk bool }

// SDKTransport leaves every request and every answer to the SDK's own transport, which encodes results again. Use it to
// find out whether a difference comes from this library.
func SDKTransport() HandlerOption { return func(c *handlerConfig) { c.sdk = true } }

// hasPlainHeaders says that no argument of a tool is repeated in a header. A name may be written with escapes.
func hasPlainHeaders(schema []byte) bool {
	return !bytes.Contains(schema, []byte("x-mcp-header")) && !bytes.Contains(schema, []byte(`\u`))
}

// Run serves s on t until the client goes away or ctx is done, as s.Run does. On standard input and output, on other
// streams of lines (mcp.IOTransport) and in memory, results and lists of tools are sent as the bytes they were finished
// as, which the SDK would encode again, and plain requests are read once. For that, Run adds a receiving middleware to s,
// outside of those that s has and gets: they see the SDK's results as ever. Any other transport, and a session from its
// first batch on, is the SDK's alone.
func Run(ctx context.Context, s *mcp.Server, t mcp.Transport) error {
	if s == nil {
		return errors.New("the server is nil; make one with mcp.NewServer")
	}
	if t == nil {
		return errors.New("the transport is nil; give &mcp.StdioTransport{} for standard input and output")
	}
	return splice.Run(ctx, s, t)
}
