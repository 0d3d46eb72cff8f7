package splice

import "io"

// An out collects small pieces on their way to w. The first error stays.
type out struct {
	w   io.Writer
	buf []byte
	err error
}

// How much is written at once, and how much text is escaped at once: a byte becomes at most six.
const (
	room  = 64 << 10
	block = 2 << 10
)

func (k *keeper) out(w io.Writer) *out {
	o, ok := k.outs.Get().(*out)
	if !ok {
		o = &out{buf: make([]byte, 0, room)}
	}
	o.w, o.buf, o.err = w, o.buf[:0], nil
	return o
}

// free gives the room back. The out is of no use afterwards.
func (k *keeper) free(o *out) {
	o.w = nil
	k.outs.Put(o)
}

// string writes a few bytes.
func (o *out) string(s string) {
	if len(s) > cap(o.buf)-len(o.buf) {
		o.flush()
	}
	o.buf = append(o.buf, s...)
}

// raw writes p, without a copy where it is large.
func (o *out) raw(p []byte) {
	if len(p) > cap(o.buf)-len(o.buf) {
		o.flush()
		if len(p) > cap(o.buf) {
			o.put(p)
			return
		}
	}
	o.buf = append(o.buf, p...)
}

// text writes the inside of the JSON string for s, which is valid UTF-8.
func (o *out) text(s string) {
	for len(s) > 0 {
		if cap(o.buf)-len(o.buf) < 6*block {
			o.flush()
		}
		n := min(len(s), block)
		o.buf = appendText(o.buf, s[:n])
		s = s[n:]
	}
}

func (o *out) put(p []byte) {
	if o.err == nil && len(p) > 0 {
		_, o.err = o.w.Write(p)
	}
}

func (o *out) flush() error {
	o.put(o.buf)
	o.buf = o.buf[:0]
	return o.err
}

const hex = "0123456789abcdef"

// escapes holds what follows the backslash for the bytes that a JSON string cannot hold as they are: 'u' for six.
var escapes = func() (t [256]byte) {
	for c := range 0x20 {
		t[c] = 'u'
	}
	t['"'], t['\\'], t['\n'], t['\r'], t['\t'], t['\b'], t['\f'] = '"', '\\', 'n', 'r', 't', 'b', 'f'
	return t
}()

// appendText appends s as it stands in a JSON string. Dst has room for it: text has an escape every few bytes, so that
// bytes one by one are quicker than runs.
func appendText(dst []byte, s string) []byte {
	n := len(dst)
	dst = dst[:cap(dst)]
	for i := 0; i < len(s); i++ {
		c := s[i]
		e := escapes[c]
		if e == 0 {
			dst[n] = c
			n++
			continue
		}
		dst[n], dst[n+1] = '\\', e
		n += 2
		if e == 'u' {
			n += copy(dst[n:], []byte{'0', '0', hex[c>>4], hex[c&0xF]})
		}
	}
	return dst[:n]
}
