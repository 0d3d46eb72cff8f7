package splice

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A talk is the SDK's connection of one session, and what is read beside it.
type talk struct {
	mcp.Connection
	lines  *lines
	heard  chan heard     // closed when the rest is the SDK's to read
	rest   *io.PipeWriter // to the SDK
	closed chan struct{}
	close  sync.Once
	fault  error // of closing
}

// A heard message, or why it is none.
type heard struct {
	msg jsonrpc.Message
	err error
}

// Read returns the next message.
func (t *talk) Read(ctx context.Context) (jsonrpc.Message, error) {
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-t.closed:
		return nil, io.EOF
	case h, ok := <-t.heard:
		if !ok {
			h.msg, h.err = t.Connection.Read(ctx)
		}
		join(t.lines.server)
		return h.msg, h.err
	}
}

// Close ends Read. A read from outside that does not end with it is left behind, as by the SDK.
func (t *talk) Close() error {
	t.close.Do(func() {
		close(t.closed)
		t.fault = errors.Join(t.lines.io.Reader.Close(), t.Connection.Close())
	})
	return t.fault
}

// listen reads lines until one is more or less than a message.
func (t *talk) listen() {
	in := bufio.NewReader(t.lines.io.Reader)
	for {
		line, err := t.line(in)
		h, ok := t.message(line)
		if err != nil || !ok {
			t.lines.shelf.closed.Store(true) // a batch is written when the requests in it are over
			close(t.heard)
			if _, err := t.rest.Write(line); err == nil {
				_, err = io.Copy(t.rest, in)
				t.rest.CloseWithError(err)
			}
			return
		}
		select {
		case t.heard <- h:
		case <-t.closed:
			return
		}
	}
}

// message reads a line. It says false unless the line is one JSON object and nothing else.
func (t *talk) message(line []byte) (heard, bool) {
	doc := bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r"))
	if len(doc) == 0 || doc[0] != '{' || doc[len(doc)-1] != '}' {
		return heard{}, false
	}
	if r, _, ok := t.lines.shelf.keeper.plainRequest(doc); ok {
		return heard{msg: &r}, true
	}
	if !json.Valid(doc) {
		return heard{}, false
	}
	msg, err := jsonrpc.DecodeMessage(doc)
	return heard{msg, err}, true
}

// errLong is a line that may be longer than the SDK takes.
var errLong = errors.New("a long line")

// line reads a line.
func (t *talk) line(in *bufio.Reader) (line []byte, err error) {
	limit := t.lines.io.MaxLineLength
	if limit == 0 {
		limit = mcp.DefaultMaxLineLength
	}
	for {
		part, err := in.ReadSlice('\n')
		line = append(line, part...)
		if limit > 0 && len(line) >= limit {
			return line, errLong
		}
		if err != bufio.ErrBufferFull {
			return line, err
		}
	}
}
