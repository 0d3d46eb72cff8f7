package splice

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A visit is one request through the front door: transport and connection of a session that ends with its answer.
type visit struct {
	place
	request  *request
	read     bool // the request was handed over
	plain    bool // one document instead of a stream
	gone     <-chan struct{}
	answered chan struct{}
	closed   chan struct{}

	mu   sync.Mutex
	w    http.ResponseWriter
	done bool // the answer was written, or could not be
}

// Connect makes a visit a transport.
func (v *visit) Connect(context.Context) (mcp.Connection, error) { return v, nil }

// SessionID is that of all stateless sessions.
func (v *visit) SessionID() string { return "" }

// Read hands over the request. The end of the connection behind it cancels the tool.
func (v *visit) Read(context.Context) (jsonrpc.Message, error) {
	if !v.read {
		v.read = true
		return &v.request.call, nil
	}
	select {
	case <-v.closed:
		return nil, io.EOF
	case <-v.gone:
		return nil, context.Canceled
	}
}

// Close ends Read. The session closes its connection once.
func (v *visit) Close() error {
	close(v.closed)
	return nil
}

// Write sends the answer, and notifications before it.
func (v *visit) Write(ctx context.Context, msg jsonrpc.Message) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	switch msg := msg.(type) {
	case *jsonrpc.Response:
		if v.done {
			return rejected("write to closed stream")
		}
		v.done = true
		defer close(v.answered)
		if err := v.answer(msg); err != nil {
			return rejected("undelivered message: " + err.Error())
		}
	case *jsonrpc.Request:
		switch from, _ := ctx.Value(placeKey{}).(*place); {
		case msg.IsCall():
			return rejected("stateless servers cannot make requests")
		case v.done:
			return rejected("write to closed stream")
		case v.plain || from != &v.place:
			return rejected("undelivered message: stream not connected or already closed")
		}
		if err := v.notify(msg); err != nil {
			return rejected("undelivered message: " + err.Error())
		}
	}
	return nil
}

// rejected is an error that costs its message and not the session. The SDK knows it by its code.
func rejected(why string) error {
	return &jsonrpc.Error{Code: -32005, Message: "rejected by transport: " + why}
}

func (v *visit) notify(msg jsonrpc.Message) error {
	doc, err := jsonrpc.EncodeMessage(msg)
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintf(v.w, "event: message\ndata: %s\n\n", doc); err != nil {
		return err
	}
	_ = http.NewResponseController(v.w).Flush() // as soon as can be
	return nil
}

func (v *visit) answer(msg *jsonrpc.Response) error {
	k := v.kept.Load()
	if k != nil && msg.Error == nil {
		if head, ok := bytes.CutSuffix(msg.Result, []byte(k.member()+"}")); ok && !bytes.Contains(head, []byte(k.mark)) {
			return v.send(func(o *out) {
				o.string(`{"jsonrpc":"2.0","id":`)
				o.raw(v.request.id)
				o.string(`,"result":`)
				o.raw(head)
				k.body.write(o)
				o.string("}}")
			})
		}
	}
	if k != nil && bytes.Contains(msg.Result, []byte(k.mark)) {
		msg = &jsonrpc.Response{ID: msg.ID, Error: &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: errLayout.Error()}}
	}
	doc, err := jsonrpc.EncodeMessage(msg)
	if err != nil {
		return err
	}
	if status := statusOf(msg.Error); status != 0 {
		v.w.Header().Set("Content-Type", "application/json")
		v.w.WriteHeader(status)
		_, err := v.w.Write(doc)
		return err
	}
	return v.send(func(o *out) { o.raw(doc) })
}

// send writes a message in its frame.
func (v *visit) send(message func(o *out)) error {
	o := v.keeper.out(v.w)
	defer v.keeper.free(o)
	if !v.plain {
		o.string("event: message\ndata: ")
	}
	message(o)
	if !v.plain {
		o.string("\n\n")
	}
	return o.flush()
}

// statusOf is the status that the protocol has for an error, and nothing for those that travel in the stream.
func statusOf(err error) int {
	e, ok := errors.AsType[*jsonrpc.Error](err)
	if !ok {
		return 0
	}
	switch e.Code {
	case jsonrpc.CodeMethodNotFound:
		return http.StatusNotFound
	case jsonrpc.CodeInvalidParams, mcp.CodeUnsupportedProtocolVersion, mcp.CodeMissingRequiredClientCapabilities:
		return http.StatusBadRequest
	}
	return 0
}
