package exact

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// An events is a body of server-sent events, read and rewritten one event at a time. Names, ids, retry times, comments
// and the order of lines stay; an event whose data needs no rewriting passes byte for byte.
// See https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation.
type events struct {
	body   io.ReadCloser
	lines  *bufio.Reader
	bounds *bounds
	about  string // the call that the stream answers
	ready  []byte // what Read hands out next
	event  []byte // the event being read; its memory is used again
	err    error  // why there is no further event
}

func newEvents(body io.ReadCloser, limits *bounds, about string) *events {
	return &events{body: body, lines: bufio.NewReaderSize(body, 32<<10), bounds: limits, about: about}
}

func (e *events) Read(p []byte) (int, error) {
	for len(e.ready) == 0 {
		if e.err != nil {
			return 0, e.err
		}
		e.next()
	}
	n := copy(p, e.ready)
	e.ready = e.ready[n:]
	return n, nil
}

func (e *events) Close() error { return e.body.Close() }

var errTooLarge = errors.New("event too large")

// next reads up to the blank line after an event.
func (e *events) next() {
	if e.event = e.event[:0]; cap(e.event) > largestKept {
		e.event = nil
	}
	for {
		start := len(e.event)
		err := e.line()
		if err == errTooLarge {
			e.end(e.bounds.tooLarge())
			return
		}
		blank := len(bytes.TrimRight(e.event[start:], "\r\n")) == 0
		if e.err = err; err != nil || blank {
			event, request := rewriteEvent(e.event, e.about)
			passed, dropped, fault := e.bounds.pass(event, request)
			if dropped {
				e.end(passed, fault)
				return
			}
			e.ready = passed
			return
		}
	}
}

// line appends a line to the event.
func (e *events) line() error {
	for {
		part, err := e.lines.ReadSlice('\n')
		if len(e.event)+len(part) > e.bounds.bytes {
			return errTooLarge
		}
		e.event = append(e.event, part...)
		if err != bufio.ErrBufferFull {
			return err
		}
	}
}

// end ends the stream with an answer in the place of the event that was read, or with an error.
func (e *events) end(answer []byte, err error) {
	if e.err = err; err != nil {
		return
	}
	e.ready, e.err = append(append([]byte("data: "), answer...), "\n\n"...), io.EOF
}

// rewriteEvent returns the event with its data rewritten, and whether that is a request.
func rewriteEvent(event []byte, about string) (_ []byte, request bool) {
	var data []byte
	found := false
	for line := range bytes.Lines(event) {
		if v, ok := dataLine(line); ok {
			if found {
				data = append(data, '\n')
			}
			data, found = append(data, v...), true
		}
	}
	rewritten, request := rewriteMessage(data, about)
	if len(data) == 0 || &rewritten[0] == &data[0] {
		return event, request
	}
	out := make([]byte, 0, len(event)-len(data)+len(rewritten)+16)
	placed := false
	for line := range bytes.Lines(event) {
		if _, ok := dataLine(line); !ok {
			out = append(out, line...)
			continue
		}
		if placed {
			continue
		}
		// All the data goes where its first line was.
		for part := range bytes.SplitSeq(rewritten, []byte{'\n'}) {
			out = append(append(append(out, "data: "...), part...), '\n')
		}
		placed = true
	}
	return out, request
}

// dataLine returns the value of a data field.
func dataLine(line []byte) ([]byte, bool) {
	name, value, found := bytes.Cut(line, []byte{':'})
	return bytes.TrimRight(bytes.TrimPrefix(value, []byte{' '}), "\r\n"), found && string(name) == "data"
}
