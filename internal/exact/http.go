package exact

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"net/http"

	"github.com/diptych-mcp/diptych/internal/jsontext"
)

// client returns a copy of c that rewrites what it receives, and the MaxEventSize for the transport that uses it: none,
// because an event is measured here, before rewriting makes it longer.
func client(c *http.Client, maxEventSize int) (*http.Client, int) {
	if c == nil {
		c = http.DefaultClient
	}
	if _, ours := c.Transport.(*roundTripper); ours {
		return c, maxEventSize
	}
	wrapped := *c
	wrapped.Transport = &roundTripper{inner: c.Transport, limit: limit(maxEventSize)}
	return &wrapped, -1
}

func limit(maxEventSize int) int {
	switch {
	case maxEventSize == 0:
		return maxMessage
	case maxEventSize < 0:
		return int(^uint(0)>>1) - 1
	}
	return maxEventSize
}

// A roundTripper rewrites the messages in the answers of another.
type roundTripper struct {
	inner http.RoundTripper // nil: http.DefaultTransport
	limit int               // of one message, in bytes
	open  requests          // of the server
}

func (t *roundTripper) RoundTrip(req *http.Request) (*http.Response, error) {
	inner := t.inner
	if inner == nil {
		inner = http.DefaultTransport
	}
	if err := t.open.flooded(); err != nil && req.Method != http.MethodDelete { // which ends the session
		if req.Body != nil {
			req.Body.Close()
		}
		return nil, err
	}
	answer := t.open.waiting() && answers(req)
	resp, err := inner.RoundTrip(req)
	if answer {
		t.open.answered()
	}
	if err != nil || resp.StatusCode < 200 || resp.StatusCode > 299 || resp.Body == nil || resp.Header.Get("Content-Encoding") != "" {
		return resp, err
	}
	size := &bounds{t.limit, &t.open, req.GetBody}
	about, _ := req.Context().Value(aboutKey{}).(string)
	kind, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	switch kind {
	case "application/json":
		resp.Body = &document{body: resp.Body, bounds: size, about: about}
	case "text/event-stream":
		resp.Body = newEvents(resp.Body, size, about)
	default:
		return resp, nil
	}
	resp.ContentLength = -1
	resp.Header = resp.Header.Clone()
	resp.Header.Del("Content-Length")
	return resp, nil
}

// CloseIdleConnections lets [http.Client.CloseIdleConnections] through.
func (t *roundTripper) CloseIdleConnections() {
	inner := http.Client{Transport: t.inner}
	inner.CloseIdleConnections()
}

// bounds limits what a server sends in answer to a request. An error answers in the place of what is too much: the call
// fails and, where a message is too large, its session goes on.
type bounds struct {
	bytes   int // of one message
	open    *requests
	request func() (io.ReadCloser, error)
}

// TooLarge is the code of the error that answers a call in the place of a message that is too large.
const TooLarge = -32051

// tooLarge is the answer in the place of a message that is too large.
func (b *bounds) tooLarge() ([]byte, error) {
	return b.refusal(TooLarge, fmt.Errorf("the message is larger than %d bytes; ask for less, or raise MaxEventSize of the transport", b.bytes))
}

// pass counts a message that was read if it is a request, and returns it or the answer in its place.
func (b *bounds) pass(message []byte, request bool) (_ []byte, dropped bool, _ error) {
	if !request {
		return message, false, nil
	}
	fault := b.open.asked()
	if fault == nil {
		return message, false, nil
	}
	answer, err := b.refusal(Flooded, fault)
	return answer, true, err
}

// refusal is an error response to the call that is being answered, or the fault itself where there is none.
func (b *bounds) refusal(code int, fault error) ([]byte, error) {
	id := b.id()
	if id == nil {
		return nil, fault
	}
	return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":%s}}`, id, code, jsontext.AppendString(nil, fault.Error())), nil
}

// id is the id of the request that is being answered.
func (b *bounds) id() json.RawMessage {
	body, err := sent(b.request)
	if err != nil {
		return nil
	}
	var id json.RawMessage
	jsontext.Members(body, 0, jsontext.MaxDepth, func(name []byte, v jsontext.Span) {
		if string(name) == "id" {
			id = json.RawMessage(v.Of(body))
		}
	})
	return id
}

// A document is a body that is one message.
type document struct {
	body   io.ReadCloser
	bounds *bounds
	about  string
	rest   *bytes.Reader // of the rewritten message; nil until the first Read
	err    error
}

func (d *document) Read(p []byte) (int, error) {
	if d.rest == nil {
		d.rest, d.err = d.rewrite()
	}
	if d.err != nil {
		return 0, d.err
	}
	return d.rest.Read(p)
}

func (d *document) rewrite() (*bytes.Reader, error) {
	b, err := io.ReadAll(io.LimitReader(d.body, int64(d.bounds.bytes)+1))
	if err == nil && len(b) > d.bounds.bytes {
		b, err = d.bounds.tooLarge()
	}
	if err != nil {
		return bytes.NewReader(nil), err
	}
	b, request := rewriteMessage(b, d.about)
	b, _, err = d.bounds.pass(b, request)
	return bytes.NewReader(b), err
}

func (d *document) Close() error { return d.body.Close() }
