package diptych

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych/internal/splice"
)

// Handler serves s over streamable HTTP. Without options it
//
//   - keeps no sessions, which the protocol's 2026-07-28 revision asks for and which serves older clients too: any process can
//     answer any request ([Sessions]);
//   - refuses requests of pages from other origins ([AllowOrigins]), and requests to a loopback address under the name of another
//     host ([BehindProxy]), with 403 Forbidden;
//   - answers with application/json, and with a stream of events where progress or a log message precedes the answer;
//   - cancels a tool whose caller has gone, from the 2026-07-28 revision on;
//   - accepts request bodies of up to 4 MiB ([StreamableHTTP]).
//
// Calls and lists of tools are read once and sent as the bytes they were finished as. All middleware of s is called for them,
// as it is when the request arrives, and sees ordinary requests and results. [SDKTransport] leaves them to the SDK's transport.
func Handler(s *mcp.Server, opts ...HandlerOption) http.Handler {
	c := handlerConfig{http: mcp.StreamableHTTPOptions{Stateless: true, PropagateRequestCancellation: true}}
	for _, o := range opts {
		if o != nil {
			o.applyHandler(&c)
		}
	}
	guard := c.guard()
	if c.fault != nil {
		slog.Error("the server answers every request with an error", "error", c.fault)
		return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			http.Error(w, "the server is not configured: "+c.fault.Error(), http.StatusInternalServerError)
		})
	}
	var h http.Handler = mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, &c.http)
	// A stored event is sent again by the SDK, and a session outlives its requests.
	switch alone := c.http.EventStore != nil || !c.http.Stateless; {
	case alone:
	case s == nil || c.sdk:
		h = splice.Documents(h, c.http)
	default:
		h = splice.Handler(s, h, c.http)
	}
	return guard.wrap(h)
}

// A HandlerOption changes how [Handler] serves. The options are those of this package; callers cannot invent one.
type HandlerOption interface{ applyHandler(*handlerConfig) }

// handlerConfig is the sum of the options of one handler.
type handlerConfig struct {
	http    mcp.StreamableHTTPOptions
	sdk     bool
	origins []string
	hosts   []string
	fault   error // an option that cannot be followed
}

type handlerOptionFunc func(*handlerConfig)

func (f handlerOptionFunc) applyHandler(c *handlerConfig) { f(c) }

// Sessions keeps a session for each client, for servers that ask clients of revisions before 2026-07-28 or speak to them between
// calls. A session without requests for the time of idle ends; 0 means never. Clients of the 2026-07-28 revision, which has no
// sessions, use an older one with such a server. Results are encoded by the SDK, and sent as events.
func Sessions(idle time.Duration) HandlerOption {
	return handlerOptionFunc(func(c *handlerConfig) { c.http.Stateless, c.http.SessionTimeout = false, idle })
}

// StreamableHTTP changes the options of the SDK's handler, after those of this package that are given before it. The option that a
// server has no sessions is set by default, and Stateless = false is [Sessions].
func StreamableHTTP(change func(*mcp.StreamableHTTPOptions)) HandlerOption {
	return handlerOptionFunc(func(c *handlerConfig) {
		if change != nil {
			change(&c.http)
		}
	})
}

// SDKTransport leaves every request and every answer to the SDK's own transport, which encodes results again. Use it to
// find out whether a difference comes from this library.
func SDKTransport() HandlerOption { return handlerOptionFunc(func(c *handlerConfig) { c.sdk = true }) }

// Run serves s on t until the client goes away or ctx is done, as s.Run does. On standard input and output and on other streams
// of lines (mcp.IOTransport), calls and lists of tools are read once and sent as the bytes they were finished as, and a line that
// is no message is answered with the protocol's error instead of ending the session. All middleware of s is called, and sees
// ordinary requests and results. Any other transport is served by s.Run.
func Run(ctx context.Context, s *mcp.Server, t mcp.Transport) error {
	if s == nil {
		return errors.New("the server is nil; make one with mcp.NewServer")
	}
	if t == nil {
		return errors.New("the transport is nil; give &mcp.StdioTransport{} for standard input and output")
	}
	return splice.Run(ctx, s, t)
}
