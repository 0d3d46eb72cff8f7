package splice

import (
	"io"

	"github.com/diptych-mcp/diptych/internal/jsontext"
)

// A buffer collects small pieces on their way to w. The first error stays.
type buffer struct {
	w   io.Writer
	buf []byte
	err error
}

// How much is written at once, and how much text is escaped at once: a byte becomes at most six.
const (
	bufferSize = 64 << 10
	textSize   = 2 << 10
)

func (s *server) buffer(w io.Writer) *buffer {
	b, ok := s.buffers.Get().(*buffer)
	if !ok {
		b = &buffer{buf: make([]byte, 0, bufferSize)}
	}
	b.w, b.buf, b.err = w, b.buf[:0], nil
	return b
}

// send writes what is left, and gives the buffer back. It is of no use afterwards.
func (s *server) send(b *buffer) error {
	b.flush()
	err := b.err
	b.w = nil
	s.buffers.Put(b)
	return err
}

// string writes a few bytes.
func (b *buffer) string(s string) {
	if len(s) > cap(b.buf)-len(b.buf) {
		b.flush()
	}
	b.buf = append(b.buf, s...)
}

// raw writes p, without a copy where it is large.
func (b *buffer) raw(p []byte) {
	if len(p) > cap(b.buf)-len(b.buf) {
		b.flush()
		if len(p) > cap(b.buf) {
			b.write(p)
			return
		}
	}
	b.buf = append(b.buf, p...)
}

// text writes the inside of the JSON string for s, which is valid UTF-8.
func (b *buffer) text(s string) {
	for len(s) > 0 {
		if cap(b.buf)-len(b.buf) < 6*textSize {
			b.flush()
		}
		n := min(len(s), textSize)
		b.buf = jsontext.AppendEscaped(b.buf, s[:n])
		s = s[n:]
	}
}

func (b *buffer) flush() {
	b.write(b.buf)
	b.buf = b.buf[:0]
}

func (b *buffer) write(p []byte) {
	if b.err == nil && len(p) > 0 {
		_, b.err = b.w.Write(p)
	}
}
