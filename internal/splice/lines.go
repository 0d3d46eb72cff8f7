package splice

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych/internal/jsontext"
)

// Lines are a session's connection on which each line is a message. Calls that are written plainly are answered here; all other
// messages go to the SDK's session. A line that is no message is answered with the protocol's error, and does not end the session.
type lines struct {
	*server
	io       mcp.IOTransport
	maxLine  int             // 0: no limit
	ctx      context.Context // of all calls: its values
	incoming chan jsonrpc.Message
	ended    chan struct{} // no message will come, because of lost
	end      sync.Once
	lost     error
	closed   chan struct{}
	close    sync.Once
	fault    error // of closing

	writing sync.Mutex // of Writer

	mu      sync.Mutex // of the following
	calls   map[jsonrpc.ID]context.CancelCauseFunc
	running sync.WaitGroup // as many as there are calls
	closing bool
	order   order
	batches map[jsonrpc.ID]*batch
}

func newLines(ctx context.Context, s *server, t mcp.IOTransport) *lines {
	limit := max(0, t.MaxLineLength)
	if t.MaxLineLength == 0 {
		limit = mcp.DefaultMaxLineLength
	}
	return &lines{
		server: s, io: t, maxLine: limit, ctx: context.WithoutCancel(ctx), incoming: make(chan jsonrpc.Message),
		ended: make(chan struct{}), closed: make(chan struct{}), calls: make(map[jsonrpc.ID]context.CancelCauseFunc),
	}
}

// An order tells when a call may be answered here. The SDK handles a notification to its end before the calls after it: a call
// that overtook it would be seen by middleware too early. So after a notification the next call is the SDK's too, and until that
// one is answered all calls are.
type order struct {
	notified bool
	call     jsonrpc.ID // the call after the last notification
}

// Connect makes lines a transport.
func (l *lines) Connect(context.Context) (mcp.Connection, error) { return l, nil }

// SessionID is that of a session that is its connection.
func (l *lines) SessionID() string { return "" }

// Read returns the next message for the SDK.
func (l *lines) Read(ctx context.Context) (jsonrpc.Message, error) {
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-l.closed:
		return nil, io.EOF
	case msg := <-l.incoming:
		return msg, nil
	case <-l.ended:
		return nil, l.lost
	}
}

// Close ends Read. A read from outside that does not end with it is left alone, as by the SDK.
func (l *lines) Close() error {
	l.close.Do(func() {
		close(l.closed)
		l.fault = errors.Join(l.io.Reader.Close(), l.io.Writer.Close())
	})
	return l.fault
}

// Write sends a message of the SDK.
func (l *lines) Write(ctx context.Context, msg jsonrpc.Message) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	doc, err := jsonrpc.EncodeMessage(msg)
	if err != nil {
		return err
	}
	if res, ok := msg.(*jsonrpc.Response); ok {
		if doc = l.answered(res.ID, doc); doc == nil {
			return nil
		}
	}
	return l.line(doc)
}

// answered notes that the SDK answered a call, and returns what is to be sent, which is nothing until a batch is complete.
func (l *lines) answered(id jsonrpc.ID, doc []byte) []byte {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.order.notified && l.order.call == id && id.IsValid() {
		l.order = order{}
	}
	b := l.batches[id]
	if b == nil {
		return doc
	}
	delete(l.batches, id)
	b.answers[b.open[id]] = doc
	delete(b.open, id)
	if len(b.open) > 0 {
		return nil
	}
	return b.json()
}

// line writes a line.
func (l *lines) line(doc []byte) error {
	l.writing.Lock()
	defer l.writing.Unlock()
	_, err := l.io.Writer.Write(append(doc, '\n'))
	return err
}

// respond writes an answer that is not the SDK's.
func (l *lines) respond(a *answer) {
	l.writing.Lock()
	defer l.writing.Unlock()
	b := l.buffer(l.io.Writer)
	a.write(b)
	b.string("\n")
	if err := l.send(b); err != nil {
		l.lose(err)
	}
}

// lose ends the session because lines can be read or written no more.
func (l *lines) lose(err error) {
	l.end.Do(func() {
		l.lost = err
		close(l.ended)
		l.cancelCalls(err)
	})
}

// listen reads lines until there are no more.
func (l *lines) listen(session *mcp.ServerSession) {
	in := bufio.NewReader(l.io.Reader)
	for {
		line, tooLong, err := l.read(in)
		switch doc := bytes.TrimSpace(line); {
		case tooLong:
			l.refuse(nil, jsonrpc.CodeInvalidRequest, fmt.Sprintf("the message is longer than %d bytes", l.maxLine))
		case len(doc) == 0:
		case !jsontext.Valid(doc, jsontext.MaxDepth):
			l.refuse(nil, jsonrpc.CodeParseError, "parse error: the line is not one JSON value")
		case doc[0] == '[':
			l.batch(session, doc)
		default:
			l.message(session, doc)
		}
		if err != nil {
			l.lose(err)
			return
		}
	}
}

// read reads a line. Of one that is too long nothing is left.
func (l *lines) read(in *bufio.Reader) (line []byte, tooLong bool, err error) {
	for {
		part, err := in.ReadSlice('\n')
		if tooLong = tooLong || l.maxLine > 0 && len(line)+len(part) > l.maxLine; tooLong {
			line = nil
		} else {
			line = append(line, part...)
		}
		if err != bufio.ErrBufferFull {
			return line, tooLong, err
		}
	}
}

// refuse answers what is no request with an error of the protocol.
func (l *lines) refuse(id []byte, code int64, why string) {
	if id == nil {
		id = []byte("null")
	}
	l.respond(&answer{id: id, err: &jsonrpc.Error{Code: code, Message: why}})
}

// message takes a line that is one JSON value.
func (l *lines) message(session *mcp.ServerSession, doc []byte) {
	if msg, id, ok := message(doc); ok {
		if !l.serve(session, msg, id) {
			l.give(&msg)
		}
		return
	}
	msg, err := jsonrpc.DecodeMessage(doc)
	if err != nil {
		l.refuse(idOf(doc), jsonrpc.CodeInvalidRequest, "invalid request: "+err.Error())
		return
	}
	l.give(msg)
}

// idOf is the id of a message that cannot be read, if it has one.
func idOf(doc []byte) []byte {
	m, _ := members(doc, true, "id")
	if _, ok := identifier(m[0]); ok {
		return m[0]
	}
	return nil
}

// give hands a message to the SDK.
func (l *lines) give(msg jsonrpc.Message) {
	if req, ok := msg.(*jsonrpc.Request); ok {
		l.mu.Lock()
		switch {
		case req.Method == "notifications/cancelled":
			if cancel := l.calls[cancelled(req.Params)]; cancel != nil {
				cancel(nil)
			}
		case !req.IsCall():
			l.order = order{notified: true}
		case l.order.notified && !l.order.call.IsValid():
			l.order.call = req.ID
		}
		l.mu.Unlock()
	}
	select {
	case l.incoming <- msg:
	case <-l.closed:
	}
}

// cancelled is the id of the call that a notification cancels.
func cancelled(params []byte) jsonrpc.ID {
	var p struct {
		RequestID any `json:"requestId"`
	}
	if json.Unmarshal(params, &p) != nil {
		return jsonrpc.ID{}
	}
	id, err := jsonrpc.MakeID(p.RequestID)
	if err != nil {
		return jsonrpc.ID{}
	}
	return id
}

// serve answers a call on a goroutine of its own, and reports whether it does.
func (l *lines) serve(session *mcp.ServerSession, msg jsonrpc.Request, id []byte) bool {
	if msg.Method != "tools/call" && msg.Method != "tools/list" || session.InitializeParams() == nil {
		return false
	}
	f := l.facts()
	if f == nil {
		return false
	}
	r, ok := l.request(f, msg, id)
	if !ok {
		return false
	}
	c := new(call)
	ctx, cancel := context.WithCancelCause(context.WithValue(l.ctx, callKey{}, c))
	l.mu.Lock()
	_, used := l.calls[r.ID]
	ordered, closing := l.order.notified, l.closing
	if !used && !ordered && !closing {
		l.calls[r.ID] = cancel
		l.running.Add(1)
	}
	l.mu.Unlock()
	switch {
	case ordered:
		cancel(nil)
		return false
	case closing:
		cancel(nil)
		l.refuse(id, codeClosing, "server is closing")
		return true
	case used: // as the SDK does: an error would be taken for the answer to the other call
		cancel(nil)
		return true
	}
	go func() {
		defer l.running.Done()
		res, err := chain(l.Server)(ctx, r.Method, r.forSession(session, nil))
		a := l.answer(c, r, res, err)
		l.mu.Lock()
		delete(l.calls, r.ID) // a client may use the id again once it has the answer
		l.mu.Unlock()
		l.respond(a)
		cancel(nil)
	}()
	return true
}

// codeClosing is the SDK's error for calls that come too late.
const codeClosing = -32004

// cancelCalls ends the contexts of all calls.
func (l *lines) cancelCalls(cause error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, cancel := range l.calls {
		cancel(cause)
	}
}

// shutDown accepts no more calls, and waits for those that run.
func (l *lines) shutDown() {
	l.mu.Lock()
	l.closing = true
	l.mu.Unlock()
	l.running.Wait()
}
