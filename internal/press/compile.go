package press

import (
	"github.com/diptych-mcp/diptych/internal/encode"
	"github.com/diptych-mcp/diptych/internal/shape"
	"github.com/diptych-mcp/diptych/internal/validate"
)

// A compiler finds the printer for each shape where a schema meets it.
type compiler struct {
	forms    shape.Forms
	printers map[pair]printer
}

// A pair is a shape and what is asked of its values. The same type may stand under several demands.
type pair struct {
	shape  *shape.Shape
	demand validate.Demand
}

func (c *compiler) printer(s *shape.Shape, d validate.Demand) printer {
	k := pair{s, d}
	if p := c.printers[k]; p != nil {
		return p
	}
	if p := c.known(k); p != nil {
		c.printers[k] = p
		return p
	}
	p := &foreign{encoder: encode.Compile(s, c.forms), demand: d}
	c.printers[k] = p
	return p
}

// known returns the printer of a pair that needs no second reading, or nil. Printers of what may hold itself are
// remembered before those of their parts are asked for.
func (c *compiler) known(k pair) printer {
	s, d := k.shape, k.demand
	if t := newScalar(s, d); t != nil {
		return &token{t, d}
	}
	switch s.Kind {
	case shape.List, shape.Array, shape.Tuple:
		return c.list(k)
	case shape.Map:
		return c.dict(k)
	case shape.Struct:
		return c.object(k)
	case shape.Promise, shape.Raw:
		return newPromise(s, d)
	case shape.Pointer, shape.Optional:
		p := &pointer{null: d.Takes("null"), value: s.Value}
		c.printers[k] = p
		p.elem = c.printer(s.Elem, d)
		return p
	case shape.Union:
		u := make(union, len(s.Parts))
		c.printers[k] = u
		for i, part := range s.Parts {
			u[i] = c.printer(part, d)
		}
		return u
	}
	return nil
}
