package jsontext

// A Tracker follows JSON text that arrives in pieces. It checks nothing: it tells structure from what strings say. Its
// zero value is at the start of a text.
type Tracker struct {
	Depth           int // of arrays and objects that are open; less than 0 where more were closed than opened
	quoted, escaped bool
}

// Next takes the next byte and reports whether it is outside of strings. The quotes of a string are part of it.
func (t *Tracker) Next(c byte) (outside bool) {
	if t.quoted {
		switch {
		case t.escaped:
			t.escaped = false
		case c == '\\':
			t.escaped = true
		case c == '"':
			t.quoted = false
		}
		return false
	}
	switch c {
	case '"':
		t.quoted = true
		return false
	case '{', '[':
		t.Depth++
	case '}', ']':
		t.Depth--
	}
	return true
}
