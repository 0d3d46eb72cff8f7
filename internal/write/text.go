package write

import (
	"encoding"
	"reflect"
	"slices"
	"unicode/utf8"

	"github.com/diptych-mcp/diptych/internal/jsontext"
	"github.com/diptych-mcp/diptych/internal/validate"
)

// A text writes strings.
type text struct {
	validate.Strings
	words [][2]string // those that alone are taken, and as they are written
	good  verdict     // on a string of which no more is known
}

func newText(d validate.Demand) *text {
	asked, ok := d.Strings()
	t := &text{Strings: asked}
	for _, w := range asked.Words {
		t.words = append(t.words, [2]string{w, string(jsontext.AppendString(nil, w))})
	}
	switch {
	case !ok:
		t.good = no
	case asked.Closer:
		t.good = unsure
	}
	return t
}

func (t *text) append(doc []byte, v reflect.Value) ([]byte, verdict) {
	return appendText(t, doc, v.String())
}

// appendText appends a string as t asks for it. Bytes that are not UTF-8 stay as they are.
func appendText[T string | []byte](t *text, doc []byte, x T) ([]byte, verdict) {
	length, verdict := len(x), t.good
	if t.Words != nil {
		for i := range t.words {
			if t.words[i][0] == string(x) {
				return append(doc, t.words[i][1]...), verdict
			}
		}
		verdict = no
	}
	if jsontext.IsPlain(x) {
		start := len(doc)
		doc = slices.Grow(doc, length+2)[:start+length+2]
		doc[start] = '"'
		copy(doc[start+1:], x)
		doc[start+length+1] = '"'
	} else {
		start := len(doc)
		if doc = jsontext.AppendString(doc, x); !utf8.Valid(doc[start:]) {
			return doc, no
		}
	}
	// A character has from one to four bytes: most strings need no counting.
	if length > t.Max || length/4 < t.Min {
		if n := utf8.RuneCountInString(string(x)); n < t.Min || n > t.Max {
			return doc, no
		}
	}
	return doc, verdict
}

// A textMarshaler writes what a MarshalText writes.
type textMarshaler struct {
	*text
	demand validate.Demand
}

func (t *textMarshaler) write(b *buffer, v reflect.Value) *fault {
	if !v.CanInterface() {
		return broken(ruleUnexported, nil)
	}
	m, _ := reflect.TypeAssert[encoding.TextMarshaler](receiver(v))
	written, err := m.MarshalText()
	if err != nil {
		return broken(ruleFailedText, err)
	}
	start := len(b.doc)
	doc, verdict := appendText(t.text, b.doc, written)
	b.doc = doc
	b.copied(start)
	switch verdict {
	case no:
		b.proven = false
	case unsure:
		b.meets(t.demand, start)
	}
	return nil
}

// receiver is what a marshaler's method is called on: the address where there is one, which serves both kinds of
// receivers and needs no copy.
func receiver(v reflect.Value) reflect.Value {
	if v.CanAddr() {
		return v.Addr()
	}
	return v
}
