package press

import (
	"reflect"

	"github.com/diptych-mcp/diptych/internal/encode"
	"github.com/diptych-mcp/diptych/internal/shape"
	"github.com/diptych-mcp/diptych/internal/validate"
)

// A foreign prints what others wrote, and what is asked for in ways that take a second reading: the encoder writes it, and
// a reader checks and indents it.
type foreign struct {
	encoder *encode.Encoder
	demand  validate.Demand
}

func (f *foreign) print(s *Sheet, v reflect.Value) (ok bool) {
	start := len(s.Doc)
	var err error
	if s.Doc, err = f.encoder.Part(s.Doc, v, s.depth); err != nil {
		return false
	}
	s.Text, ok = s.reader.Part(f.demand, s.Doc, start, s.Text, s.depth, s.level)
	return ok
}

func (f *foreign) split(s *Sheet, v reflect.Value) (ok bool) {
	start := len(s.Doc)
	var err error
	if s.Doc, s.blocks, err = f.encoder.Mark(s.Doc, s.blocks[:0], v, s.depth); err != nil {
		return false
	}
	s.Text, s.Ends, ok = s.reader.Blocks(f.demand, s.Doc, start, s.Text, s.Ends, s.depth, s.blocks)
	return ok
}

// A promise prints raw JSON: one reading checks it, leaves out the space in it and indents it.
type promise struct {
	demand validate.Demand
	cut    validate.Cut
	null   bool // what is nil is null
}

// newPromise returns the printer of raw JSON, or nil where what it promises is cut into blocks in ways that depend on more
// than the first level of it.
func newPromise(s *shape.Shape, d validate.Demand) printer {
	if s.Kind == shape.Raw {
		return &promise{d, validate.Cut{Bare: true}, true}
	}
	switch s = behind(s); s.Kind {
	case shape.Any, shape.Union, shape.Tuple:
		return nil
	case shape.List, shape.Array:
		switch item := behind(s.Elem); item.Kind {
		case shape.Any, shape.Union, shape.Tuple, shape.List, shape.Array:
			return nil
		default:
			return &promise{d, validate.Cut{Each: true, Bare: item.Kind == shape.String}, false}
		}
	}
	return &promise{d, validate.Cut{Bare: s.Kind == shape.String}, false}
}

// behind follows shapes that write no JSON of their own.
func behind(s *shape.Shape) *shape.Shape {
	for s.Kind == shape.Pointer || s.Kind == shape.Optional || s.Kind == shape.Promise {
		s = s.Elem
	}
	return s
}

func (p *promise) print(s *Sheet, v reflect.Value) bool { return p.read(s, v, nil) }

func (p *promise) split(s *Sheet, v reflect.Value) bool { return p.read(s, v, &p.cut) }

func (p *promise) read(s *Sheet, v reflect.Value, cut *validate.Cut) (ok bool) {
	raw := v.Bytes()
	if p.null && raw == nil {
		raw = []byte("null")
	}
	s.Doc, s.Text, s.Ends, ok = s.reader.Raw(p.demand, raw, s.Doc, s.Text, s.Ends, s.depth, s.level, cut)
	return ok
}
