package splice

import (
	"bytes"
	"io"
	"net/http"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych/internal/jsontext"
)

// Documents returns sdk, the SDK's handler with these options, without streams of events where the answer is all that is sent:
// such an answer is a document. A stream that begins with a notification stays one.
func Documents(sdk http.Handler, opts mcp.StreamableHTTPOptions) http.Handler {
	limit := opts.MaxRequestBodyBytes
	if limit == 0 {
		limit = mcp.DefaultMaxRequestBodyBytes
	}
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if req.Method != http.MethodPost || req.Body == nil {
			sdk.ServeHTTP(w, req)
			return
		}
		if limit > 0 {
			// The reader tells w of a body that is too large, which the SDK's own cannot do through another writer.
			req.Body = http.MaxBytesReader(w, req.Body, limit)
		}
		d := &documentWriter{ResponseWriter: w, body: req.Body}
		req.Body = d
		sdk.ServeHTTP(&responseOf{d}, req)
	})
}

// A documentWriter is the body of a request and, as responseOf, the writer of the response.
type documentWriter struct {
	http.ResponseWriter
	body    io.ReadCloser
	first   byte // of the request's body, after white space
	decided bool // whether the response is a document
}

type responseOf struct{ *documentWriter }

// Read reads the request.
func (d *documentWriter) Read(p []byte) (int, error) {
	n, err := d.body.Read(p)
	if i := jsontext.SkipSpace(p[:n], 0); d.first == 0 && i < n {
		d.first = p[i]
	}
	return n, err
}

// Close closes the body of the request.
func (d *documentWriter) Close() error { return d.body.Close() }

// Unwrap lets http.ResponseController find what else the writer can do.
func (r *responseOf) Unwrap() http.ResponseWriter { return r.ResponseWriter }

// WriteHeader begins a response that is no stream.
func (r *responseOf) WriteHeader(status int) {
	r.decided = true
	r.Header().Del("Connection") // which the SDK sets for a stream
	r.ResponseWriter.WriteHeader(status)
}

// Write writes p, which the SDK gives as one event.
func (r *responseOf) Write(p []byte) (int, error) {
	if r.decided {
		return r.ResponseWriter.Write(p)
	}
	r.decided = true
	h := r.Header()
	// A batch, of which only older revisions know, has several answers.
	if r.first == '[' || !strings.HasPrefix(h.Get("Content-Type"), "text/event-stream") {
		return r.ResponseWriter.Write(p)
	}
	doc, ok := onlyAnswer(p)
	if !ok {
		return r.ResponseWriter.Write(p)
	}
	h.Set("Content-Type", "application/json")
	h.Del("Connection")
	if _, err := r.ResponseWriter.Write(doc); err != nil {
		return 0, err
	}
	return len(p), nil
}

// onlyAnswer returns the message of an event, if it answers a request.
func onlyAnswer(event []byte) ([]byte, bool) {
	doc, begins := bytes.CutPrefix(event, []byte("event: message\ndata: "))
	doc, ends := bytes.CutSuffix(doc, []byte("\n\n"))
	if !begins || !ends || bytes.IndexByte(doc, '\n') >= 0 {
		return nil, false
	}
	m, ok := members(doc, true, "method", "result", "error")
	return doc, ok && m[0] == nil && (m[1] != nil || m[2] != nil)
}
