// Package press writes both panels of a value in one walk: the document and, from the same tokens, its indented text. What
// the type alone does not prove is checked as it is written; what others wrote (marshalers, raw JSON, whatever an interface
// holds) is read again by package validate, that part alone.
//
// A press says yes or no. A no means that it does not know: the encoder and the check behind it, which go over the
// document one after the other, have the last word and explain it. A yes is theirs too, byte for byte.
package press

import (
	"reflect"

	"github.com/diptych-mcp/diptych/internal/encode"
	"github.com/diptych-mcp/diptych/internal/shape"
	"github.com/diptych-mcp/diptych/internal/validate"
)

// A Press prints values of one type under one schema. It is safe for concurrent use.
type Press struct {
	root     printer
	wrapped  bool
	anything validate.Demand
}

// A Sheet is what a value is printed on. Its memory can be used again.
type Sheet struct {
	Doc  []byte
	Text []byte // the text blocks, one behind the other
	Ends []int  // where each of them ends in Text

	level  int // of indentation
	depth  int // of pointers, lists, maps and structs
	reader validate.Reader
	blocks []encode.Block
}

// maxDepth is a bound of the encoder's, and of the check's, whatever each of them counts.
const maxDepth = 1000

// A printer prints values of one shape under one demand. It returns false where it cannot say yes.
type printer interface {
	// print prints v as a part of the open block.
	print(s *Sheet, v reflect.Value) bool
}

// A splitter is a printer of values that are not one block of their own, or not one that is indented.
type splitter interface {
	// split prints v as the blocks that it becomes.
	split(s *Sheet, v reflect.Value) bool
}

// Compile prepares the press of a shape under the schema of the whole document; wrapped says that the value stands under
// "result" there. It returns nil where the schema is one that only the walker can judge.
func Compile(s *shape.Shape, forms shape.Forms, check *validate.Checker, wrapped bool) *Press {
	d, ok := check.Demand()
	if !ok {
		return nil
	}
	if wrapped {
		o, ok := d.Object()
		if !ok || o.Min > 1 || o.Max < 1 {
			return nil
		}
		for _, name := range o.Required() {
			if name != result {
				return nil
			}
		}
		d = o.Property(result)
	}
	c := compiler{forms: forms, printers: make(map[pair]printer)}
	return &Press{c.printer(s, d), wrapped, check.Anything()}
}

const result = "result"

// Print prints v, an addressable value of the press's type, on a fresh sheet or one whose slices were cut to nothing.
func (p *Press) Print(s *Sheet, v reflect.Value) bool {
	s.level, s.depth = 0, 0
	s.reader.Start()
	if p.wrapped {
		s.depth++
		s.Doc = append(s.Doc, `{"`+result+`":`...)
	}
	start := len(s.Doc)
	if !split(s, p.root, v) {
		return false
	}
	if len(s.Ends) == 0 { // a list without items, all the way down
		var ok bool
		if s.Text, ok = s.reader.Part(p.anything, s.Doc, start, s.Text, s.depth, 0); !ok {
			return false
		}
		s.end()
	}
	if p.wrapped {
		s.Doc = append(s.Doc, '}')
	}
	return true
}

// split prints v as the blocks that it becomes: where p does not split, as one.
func split(s *Sheet, p printer, v reflect.Value) bool {
	if p, ok := p.(splitter); ok {
		return p.split(s, v)
	}
	if !p.print(s, v) {
		return false
	}
	s.end()
	return true
}

// end ends a block.
func (s *Sheet) end() { s.Ends = append(s.Ends, len(s.Text)) }

// twice writes to both panels.
func (s *Sheet) twice(token string) {
	s.Doc = append(s.Doc, token...)
	s.Text = append(s.Text, token...)
}

// copy writes to the text what stands in the document from start on.
func (s *Sheet) copy(start int) { s.Text = append(s.Text, s.Doc[start:]...) }
