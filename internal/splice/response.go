package splice

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A response is the HTTP response to one request, and the connection of the session of that request, on which the server sends
// notifications. It is a document where the answer is all that is sent, and a stream of events where something precedes it.
type response struct {
	server    *server
	version   string // of the header
	documents bool   // nothing may precede the answer
	closed    chan struct{}

	mu       sync.Mutex
	w        http.ResponseWriter
	streamed bool // a stream has begun
	done     bool // nothing more is sent
}

// Connect makes a response a transport.
func (r *response) Connect(context.Context) (mcp.Connection, error) { return r, nil }

// SessionID is that of all stateless sessions.
func (r *response) SessionID() string { return "" }

// Read waits for the end: the session of a request gets no message.
func (r *response) Read(context.Context) (jsonrpc.Message, error) {
	<-r.closed
	return nil, io.EOF
}

// Close ends Read. A session closes its connection once.
func (r *response) Close() error {
	close(r.closed)
	return nil
}

// Write sends a notification that was made with the context of the request.
func (r *response) Write(ctx context.Context, msg jsonrpc.Message) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	notification, ok := msg.(*jsonrpc.Request)
	switch c, _ := ctx.Value(callKey{}).(*call); {
	case !ok || notification.IsCall():
		return rejected("stateless servers cannot make requests")
	case r.done:
		return rejected("write to closed stream")
	case r.documents || c == nil || c.response != r:
		return rejected("undelivered message: stream not connected or already closed")
	}
	doc, err := jsonrpc.EncodeMessage(msg)
	if err != nil {
		return err
	}
	r.stream()
	if _, err := fmt.Fprintf(r.w, "event: message\ndata: %s\n\n", doc); err != nil {
		return rejected("undelivered message: " + err.Error())
	}
	_ = http.NewResponseController(r.w).Flush() // as soon as can be
	return nil
}

// rejected is an error that costs its message and not the session. The SDK knows it by its code.
func rejected(why string) error {
	return &jsonrpc.Error{Code: -32005, Message: "rejected by transport: " + why}
}

// stream begins a stream of events, unless it has begun.
func (r *response) stream() {
	if r.streamed {
		return
	}
	r.streamed = true
	h := r.w.Header()
	h.Set("Cache-Control", "no-cache, no-transform")
	h.Set("Content-Type", "text/event-stream")
	h.Set("Connection", "keep-alive")
}

// end ends the stream before the answer, which is then lost: of a server without sessions a stream is not resumed.
func (r *response) end(args mcp.CloseSSEStreamArgs) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.version >= revision || r.documents || r.done { // the newest revision does not know it
		return
	}
	r.done = true
	r.stream()
	if r.version >= "2025-11-25" && args.RetryAfter > 0 {
		_, _ = fmt.Fprintf(r.w, "event: close\nretry: %d\ndata: \n\n", args.RetryAfter.Milliseconds())
	}
	_ = http.NewResponseController(r.w).Flush()
}

// send sends the answer.
func (r *response) send(a *answer) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.done {
		return
	}
	r.done = true
	b := r.server.buffer(r.w)
	if r.streamed {
		b.string("event: message\ndata: ")
	} else {
		h := r.w.Header()
		h.Set("Cache-Control", "no-cache, no-transform")
		h.Set("Content-Type", "application/json")
		if status := a.status(r.version); status != 0 {
			r.w.WriteHeader(status)
		}
	}
	a.write(b)
	if r.streamed {
		b.string("\n\n")
	}
	_ = r.server.send(b) // a client that has gone is not told
}

// status is the HTTP status that the protocol has for an error from the newest revision on, and 0 for every other answer.
func (a *answer) status(version string) int {
	if a.err == nil || version < revision {
		return 0
	}
	switch a.err.Code {
	case jsonrpc.CodeMethodNotFound:
		return http.StatusNotFound
	case jsonrpc.CodeInvalidParams, mcp.CodeUnsupportedProtocolVersion, mcp.CodeMissingRequiredClientCapabilities:
		return http.StatusBadRequest
	}
	return 0
}
