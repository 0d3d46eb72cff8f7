package encode

import (
	"reflect"

	"github.com/diptych-mcp/diptych/internal/shape"
)

// A Block marks the part of a document that becomes one text block. Bare says that it is a string and stands there
// without quotes. (An alias, so that the check behind can name the same type without importing this package.)
type Block = struct {
	Start, End int
	Bare       bool
}

// mark writes v and marks its blocks.
func (n *node) mark(dst []byte, blocks []Block, v reflect.Value, depth int) ([]byte, []Block, *fault) {
	if n.split != nil {
		return n.split(dst, blocks, v, depth)
	}
	start := len(dst)
	dst, f := n.write(dst, v, depth)
	return dst, append(blocks, Block{start, len(dst), n.bare}), f
}

// markNull writes the null of a value that is not there.
func markNull(dst []byte, blocks []Block) ([]byte, []Block, *fault) {
	start := len(dst)
	dst = append(dst, "null"...)
	return dst, append(blocks, Block{Start: start, End: len(dst)}), nil
}

// markRaw marks the blocks of the compact JSON value that begins at start, by the shape that it promises, and returns
// where it ends. JSON that breaks the promise is marked as well as it can be; the check behind refuses it.
func markRaw(doc []byte, start int, blocks []Block, s *shape.Shape) (int, []Block) {
	s = follow(s, doc[start])
	if doc[start] != '[' || s == nil {
		end := endOf(doc, start)
		bare := doc[start] == '"' && s != nil && (s.Kind == shape.String || s.Kind == shape.Any)
		return end, append(blocks, Block{start, end, bare})
	}
	at := start + 1
	for i := 0; doc[at] != ']'; i++ {
		if doc[at] == ',' {
			at++
		}
		at, blocks = markRaw(doc, at, blocks, itemShape(s, i))
	}
	return at + 1, blocks
}

// follow finds the shape that decides over a raw value with this first byte: behind pointers and the library's forms,
// and in a union the first arm that could be meant. It is nil where the value is one block that is no string.
func follow(s *shape.Shape, first byte) *shape.Shape {
	if s == nil {
		return nil
	}
	switch s.Kind {
	case shape.Pointer, shape.Optional, shape.Promise:
		return follow(s.Elem, first)
	case shape.Union:
		for _, p := range s.Parts {
			if arm := follow(p, first); arm != nil {
				return arm
			}
		}
	case shape.List, shape.Array, shape.Tuple:
		if first == '[' {
			return s
		}
	case shape.String:
		if first == '"' {
			return s
		}
	case shape.Any:
		return s
	}
	return nil
}

func itemShape(s *shape.Shape, i int) *shape.Shape {
	switch {
	case s.Kind == shape.Any:
		return s
	case s.Kind != shape.Tuple:
		return s.Elem
	case i < len(s.Parts):
		return s.Parts[i]
	}
	return nil
}
