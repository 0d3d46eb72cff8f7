package connect

// Messages over a pipe, a line each.

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/diptych-mcp/diptych/internal/exact"
	"github.com/diptych-mcp/diptych/internal/jsontext"
)

// lines hands on whole messages. One that is longer than limit is read past, and replaced by an error for the call that it
// answers: the call fails and the session goes on.
type lines struct {
	io.Closer
	in    *bufio.Reader
	limit int
	noise bool   // lines that are no messages are left out
	kept  []byte // the message being read; its memory is used again
	ready []byte // what Read hands out next
	err   error  // why there is no further message
}

func newLines(in io.ReadCloser, limit int, noise bool) *lines {
	return &lines{Closer: in, in: bufio.NewReaderSize(in, 64<<10), limit: limit, noise: noise}
}

var errTooLong = errors.New("a message does not end")

func (l *lines) Read(p []byte) (int, error) {
	for len(l.ready) == 0 {
		if l.err != nil {
			return 0, l.err
		}
		l.next()
	}
	n := copy(p, l.ready)
	l.ready = l.ready[n:]
	return n, nil
}

// next reads up to the end of a line.
func (l *lines) next() {
	if l.kept = l.kept[:0]; cap(l.kept) > largestKept {
		l.kept = nil
	}
	for {
		part, err := l.in.ReadSlice('\n')
		if len(l.kept)+len(part) > l.limit {
			l.skip(part, err)
			return
		}
		l.kept = append(l.kept, part...)
		if err == bufio.ErrBufferFull {
			continue
		}
		if l.err = err; !l.noise || message(l.kept) {
			l.ready = l.kept
		}
		return
	}
}

// message reports whether a line can be one. Some servers print other text too.
func message(line []byte) bool {
	line = bytes.TrimLeft(line, " \t\r")
	return len(line) > 0 && (line[0] == '{' || line[0] == '[')
}

// skip reads past a line that is too long, of which part is the latest.
func (l *lines) skip(part []byte, err error) {
	var e envelope
	e.read(l.kept)
	e.read(part)
	for length := len(l.kept) + len(part); err == bufio.ErrBufferFull; length += len(part) {
		if length > maxSkipped*l.limit {
			l.err = errTooLong
			return
		}
		part, err = l.in.ReadSlice('\n')
		e.read(part)
	}
	l.err = err
	if id := e.answers(); id != nil {
		l.ready = fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":"the message is larger than %d bytes"}}`+"\n", id, exact.TooLarge, l.limit)
	}
}

// An envelope finds out which call a message answers, without keeping the message.
type envelope struct {
	at     jsontext.Tracker
	naming bool   // a string in the outer object is the name of a member
	name   []byte // of the latest member of the outer object
	inID   bool   // its value is the id
	id     []byte
	asks   bool // has a method, and so answers nothing
}

func (e *envelope) read(b []byte) {
	for _, c := range b {
		outside := e.at.Next(c)
		if e.inID && len(e.id) < maxID && (!outside || c != ',' && c != '}') {
			e.id = append(e.id, c)
		}
		switch {
		case !outside:
			if e.naming && c != '"' && len(e.name) < maxID {
				e.name = append(e.name, c)
			}
		case c == '}' || c == ']':
			e.inID = false
		case e.at.Depth != 1:
			e.naming = false
		case c == '{', c == ',':
			e.naming, e.inID = true, false
		case c == ':':
			e.naming = false
			e.inID = string(e.name) == "id"
			e.asks = e.asks || string(e.name) == "method"
			e.name = e.name[:0]
		}
	}
}

// answers is the id of the call that is answered, or nil.
func (e *envelope) answers() json.RawMessage {
	if e.asks || len(e.id) >= maxID || !json.Valid(e.id) {
		return nil
	}
	return e.id
}
