// Package write turns a Go value into an answer: the JSON document of structuredContent, the text blocks of content, and
// whether the schema accepts the document. A type is compiled once, together with the compiled schema of the answer; one
// walk over a value then writes the document and the text, and proves on the way what the type alone does not.
//
// The bytes are those of encoding/json without its escapes for HTML, except that nil slices, maps and byte slices are written
// empty instead of null. They are the same on every Go release; the tests list where a release of encoding/json differs.
//
// A walk writes the document to its end even where something in it breaks the schema: NaN, infinities and text that is not
// UTF-8 are written as they are. What was not proven is read again by package validate, which also explains what it refuses.
// A value that cannot be written at all is a [Fault].
package write

import (
	"reflect"

	"github.com/diptych-mcp/diptych/internal/shape"
	"github.com/diptych-mcp/diptych/internal/validate"
)

// A Writer writes values of one type under one schema. It is safe for concurrent use.
type Writer struct {
	root    node // nil for a tool without a value, which writes null
	check   *validate.Checker
	wrapped bool
	second  bool // no walk proves what the schema asks: the finished document is always read
	memory  memory
}

// A node writes values of one type, under what the schema asks of them at their place.
type node interface {
	// write writes v to the document, and to the text as a part of the open block.
	write(b *buffer, v reflect.Value) *fault
}

// A splitter is a node whose values are not one block each, or one that is not indented JSON.
type splitter interface {
	// split writes v to the document, and to the text as the blocks that it becomes.
	split(b *buffer, v reflect.Value) *fault
}

// Compile prepares the writer of a shape, nil for a tool without a value. check is the schema of the whole document; wrapped
// says that the value is the member "result" there. The forms recognise the library's own types inside interfaces, whose
// types are compiled when they first appear.
func Compile(s *shape.Shape, forms shape.Forms, check *validate.Checker, wrapped bool) *Writer {
	w := &Writer{check: check, wrapped: wrapped}
	d, known := check.Demand()
	if known && wrapped {
		d, known = d.Only(result)
	}
	if !known {
		d, w.second = check.Anything(), true
	}
	if s != nil {
		c := newCompiler(forms, check.Anything())
		w.root = c.compile(s, d)
	} else {
		w.second = w.second || !d.Takes("null")
	}
	return w
}

const result = "result"

// A Style says how an answer is written.
type Style struct {
	Most     int  // bytes that the document and its text may have together; 0 is no limit
	OneBlock bool // a list is one block, unless a content block may be in it
	Compact  bool // the text of every block is one line
}

// Append appends the document of v, an addressable value of the writer's type, without a check. After an error, which
// is a *Fault, dst is as long as it was.
func (w *Writer) Append(dst []byte, v reflect.Value) ([]byte, error) {
	return w.AppendWithin(dst, v, 0)
}

// AppendWithin is Append with a bound on the document and its text in bytes, past which the error is ErrTooLarge.
func (w *Writer) AppendWithin(dst []byte, v reflect.Value, most int) ([]byte, error) {
	b := w.memory.take()
	defer w.memory.put(b)
	if err := w.walk(b, v, Style{Most: most}); err != nil {
		return dst, err
	}
	return append(dst, b.doc...), nil
}

// walk writes v to b.
func (w *Writer) walk(b *buffer, v reflect.Value, style Style) error {
	b.begin(!w.second, style)
	if w.wrapped {
		b.deeper()
		b.doc = append(b.doc, `{"`+result+`":`...)
	}
	start := len(b.doc)
	if w.root == nil {
		b.both("null")
		b.end()
	} else if f := split(b, w.root, v); f != nil {
		return f.close()
	} else if b.full() {
		return ErrTooLarge
	}
	if len(b.ends) == 0 && len(b.given) == 0 { // a list without items, at every depth of it
		b.open()
		b.text = b.reader.Indent(w.check.Anything(), b.doc[start:], b.text)
		b.end()
	}
	if w.wrapped {
		b.doc = append(b.doc, '}')
	}
	if b.full() {
		return ErrTooLarge
	}
	return nil
}

// split writes v as the blocks that it becomes: one, where n does not split.
func split(b *buffer, n node, v reflect.Value) *fault {
	if n, ok := n.(splitter); ok {
		return n.split(b, v)
	}
	b.open()
	f := n.write(b, v)
	b.end()
	return f
}
