// Package encode writes Go values as compact JSON, and marks which parts of the document become text blocks. A type is
// compiled once; a call then looks at values alone. The bytes are those of encoding/json without HTML escaping, save
// that nil slices, maps and byte slices are written empty instead of null.
//
// The encoder is total on plain values: NaN, infinities and invalid UTF-8 are written as they are, because the check
// behind it reads every byte and refuses them by name. What it cannot write at all is a Fault.
package encode

import (
	"reflect"

	"github.com/diptych-mcp/diptych/internal/shape"
)

// An Encoder writes values of one type. It is safe for concurrent use.
type Encoder struct{ root *node }

// Compile prepares the encoder of a shape. The forms recognise the library's own types where they are met inside
// interfaces, whose types are compiled when they first appear.
func Compile(s *shape.Shape, forms shape.Forms) *Encoder {
	return &Encoder{newCompiler(forms).compile(s)}
}

// CompileField prepares the encoder of a struct's field, whose tag may put its values in quotes.
func CompileField(f *shape.Field, forms shape.Forms) *Encoder {
	c := newCompiler(forms)
	if f.Quoted {
		return &Encoder{&node{write: c.quoted(f.Shape)}}
	}
	return &Encoder{c.compile(f.Shape)}
}

// Append appends the JSON of v, an addressable value of the shape's type. After an error, which is a *Fault, dst is as
// long as it was.
func (e *Encoder) Append(dst []byte, v reflect.Value) ([]byte, error) {
	return e.Part(dst, v, 0)
}

// Part is Append for a part of a document, this deep in it.
func (e *Encoder) Part(dst []byte, v reflect.Value, depth int) ([]byte, error) {
	start := len(dst)
	dst, f := e.root.write(dst, v, depth)
	if f != nil {
		return dst[:start], f.close()
	}
	return dst, nil
}

// AppendBlocks is Append that also marks the text blocks: one for each item of a list, with lists inside lists
// flattened, and one for anything else. There is always at least one; their offsets count from the start of dst.
func (e *Encoder) AppendBlocks(dst []byte, blocks []Block, v reflect.Value) ([]byte, []Block, error) {
	start, before := len(dst), len(blocks)
	dst, blocks, err := e.Mark(dst, blocks, v, 0)
	if err == nil && len(blocks) == before {
		blocks = append(blocks, Block{Start: start, End: len(dst)})
	}
	return dst, blocks, err
}

// Mark is AppendBlocks for a part of a document, this deep in it: lists without items have no block.
func (e *Encoder) Mark(dst []byte, blocks []Block, v reflect.Value, depth int) ([]byte, []Block, error) {
	start, before := len(dst), len(blocks)
	dst, blocks, f := e.root.mark(dst, blocks, v, depth)
	if f != nil {
		return dst[:start], blocks[:before], f.close()
	}
	return dst, blocks, nil
}
