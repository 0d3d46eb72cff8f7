package exact

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"

	"github.com/diptych-mcp/diptych/internal/jsontext"
)

// maxMessage is how many bytes one message over HTTP may have where the transport's MaxEventSize does not say.
const maxMessage = 64 << 20

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
	wrapped.Transport = &roundTripper{c.Transport, limit(maxEventSize)}
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
}

func (t *roundTripper) RoundTrip(req *http.Request) (*http.Response, error) {
	inner := t.inner
	if inner == nil {
		inner = http.DefaultTransport
	}
	resp, err := inner.RoundTrip(req)
	if err != nil || resp.StatusCode < 200 || resp.StatusCode > 299 || resp.Body == nil || resp.Header.Get("Content-Encoding") != "" {
		return resp, err
	}
	size := &sizeLimit{t.limit, req.GetBody}
	about, _ := req.Context().Value(aboutKey{}).(string)
	kind, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	switch kind {
	case "application/json":
		resp.Body = &document{body: resp.Body, limit: size, about: about}
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

// A sizeLimit bounds one message, and answers in the place of one that is larger: the call fails, its session goes on.
type sizeLimit struct {
	bytes   int
	request func() (io.ReadCloser, error)
}

// TooLarge is the code of the error that answers a call in the place of a message that is too large.
const TooLarge = -32051

// refusal is an error response to the call that brought too large a message, or an error where there was no call.
func (l *sizeLimit) refusal() ([]byte, error) {
	fault := fmt.Sprintf("the message is larger than %d bytes; ask for less, or raise MaxEventSize of the transport", l.bytes)
	id := l.id()
	if id == nil {
		return nil, errors.New(fault)
	}
	quoted := jsontext.AppendString(nil, fault)
	return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":%s}}`, id, TooLarge, quoted), nil
}

// id is the id of the request that is being answered.
func (l *sizeLimit) id() json.RawMessage {
	if l.request == nil {
		return nil
	}
	body, err := l.request()
	if err != nil {
		return nil
	}
	defer body.Close()
	b, err := io.ReadAll(body)
	if err != nil {
		return nil
	}
	var id json.RawMessage
	jsontext.Members(b, 0, jsontext.MaxDepth, func(name []byte, v jsontext.Span) {
		if string(name) == "id" {
			id = json.RawMessage(v.Of(b))
		}
	})
	return id
}

// A document is a body that is one message.
type document struct {
	body  io.ReadCloser
	limit *sizeLimit
	about string
	rest  *bytes.Reader // of the rewritten message; nil until the first Read
	err   error
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
	b, err := io.ReadAll(io.LimitReader(d.body, int64(d.limit.bytes)+1))
	if err == nil && len(b) > d.limit.bytes {
		b, err = d.limit.refusal()
	}
	if err != nil {
		return bytes.NewReader(nil), err
	}
	return bytes.NewReader(rewriteMessage(b, d.about)), nil
}

func (d *document) Close() error { return d.body.Close() }
