package connect

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych/internal/exact"
)

// Older is the revision that a server is asked in when it cannot bear the first question of the newest.
const Older = "2025-11-25"

// Web is a transport to a server over HTTP. Header puts more headers on every request; limit is of one message, in bytes. Each
// of seen is told of every answer, before its body is read.
func Web(url string, limit int, header func(context.Context, http.Header), seen ...func(*http.Response)) mcp.Transport {
	return &mcp.StreamableClientTransport{
		Endpoint: url,
		HTTPClient: &http.Client{
			Transport:     bounded{http.DefaultTransport, header, int64(limit), seen},
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }, // the headers are for this server
		},
		MaxRetries:           -1,
		DisableStandaloneSSE: true,
		MaxEventSize:         limit,
	}
}

// bounded reads no more of an answer than a message may have. Event streams are bounded event by event.
type bounded struct {
	next   http.RoundTripper
	header func(context.Context, http.Header)
	limit  int64
	seen   []func(*http.Response)
}

func (b bounded) RoundTrip(req *http.Request) (*http.Response, error) {
	req = req.Clone(req.Context())
	b.header(req.Context(), req.Header)
	resp, err := b.next.RoundTrip(req)
	for _, seen := range b.seen {
		if err == nil {
			seen(resp)
		}
	}
	if err == nil && !strings.HasPrefix(resp.Header.Get("Content-Type"), "text/event-stream") {
		resp.Body = struct {
			io.Reader
			io.Closer
		}{io.LimitReader(resp.Body, b.limit+1), resp.Body} // one more: then it is known to be too large
	}
	return resp, err
}

// guard keeps the process alive where the SDK's own handling of what a server sends panics.
func guard(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (_ mcp.Result, err error) {
		defer func() {
			if p := recover(); p != nil {
				err = fmt.Errorf("panic: %v", p)
			}
		}()
		return next(ctx, method, req)
	}
}

// Open opens a session with raw bytes kept, and returns soon after ctx ends, whatever the transport makes of that. A
// protocol of "" negotiates, the newest first. What the server sends cannot end the process.
func Open(ctx context.Context, client *mcp.Client, transport mcp.Transport, protocol string) (*mcp.ClientSession, error) {
	type answer struct {
		session *mcp.ClientSession
		err     error
	}
	answered := make(chan answer, 1)
	client.AddReceivingMiddleware(guard)
	go func() {
		s, err := client.Connect(ctx, exact.Transport(transport), &mcp.ClientSessionOptions{ProtocolVersion: protocol})
		answered <- answer{s, err}
	}()
	select {
	case a := <-answered:
		return a.session, a.err
	case <-ctx.Done():
	}
	select {
	case a := <-answered:
		return a.session, a.err
	case <-time.After(grace):
		go func() {
			if late := <-answered; late.session != nil {
				_ = late.session.Close()
			}
		}()
		return nil, ctx.Err()
	}
}

// Close ends a session and the process of its server, which is nil where there is none.
func Close(s *mcp.ClientSession, p *Process) {
	done := make(chan struct{})
	go func() {
		_ = s.Close()
		close(done)
	}()
	if p != nil {
		p.End()
	}
	select {
	case <-done:
	case <-time.After(grace):
	}
}

// Refused reports whether the server answered, with a protocol error. The SDK has errors of the same type for what its own
// transport did not deliver, and internal/exact for what was too large or too much to be read.
func Refused(err error) (*jsonrpc.Error, bool) {
	const undelivered = -32005
	e, ok := errors.AsType[*jsonrpc.Error](err)
	return e, ok && !TooLarge(err) && e.Code != exact.Flooded && (e.Code != undelivered || e.Message != "rejected by transport")
}

// TooLarge reports whether a message was larger than is read.
func TooLarge(err error) bool {
	e, ok := errors.AsType[*jsonrpc.Error](err)
	return ok && e.Code == exact.TooLarge
}
