package write

import (
	"encoding/json"
	"reflect"

	"github.com/diptych-mcp/diptych/internal/jsontext"
	"github.com/diptych-mcp/diptych/internal/shape"
	"github.com/diptych-mcp/diptych/internal/validate"
)

// maxRawDepth bounds how deep JSON from elsewhere may nest to be JSON at all; encoding/json has the same bound.
const maxRawDepth = 10000

// raw writes JSON that others wrote, without the space between its tokens: as a part of the open block where cut is nil, else
// as blocks. It reports whether src is exactly one JSON value. Nothing that is less or more is written, so that raw JSON cannot
// reach out of its place in the document.
func (b *buffer) raw(d, anything validate.Demand, src []byte, cut *validate.Cut) bool {
	if len(src) > b.style.Most-len(b.doc) {
		b.tooLong = true
		return true
	}
	if b.rawUnder(d, src, cut) {
		return true
	}
	b.proven = false
	if d != anything && !b.reader.Full() && b.rawUnder(anything, src, cut) {
		return true
	}
	if b.reader.Full() {
		b.tooLong = true
		return true
	}
	// What no schema accepts has no text, but the document is explained.
	b.refused = true
	var ok bool
	b.doc, ok = jsontext.AppendCompact(b.doc, src, maxRawDepth)
	return ok
}

// rawUnder is raw for what meets d, if src does.
func (b *buffer) rawUnder(d validate.Demand, src []byte, cut *validate.Cut) (ok bool) {
	to := validate.Raw{Doc: b.doc, Text: b.text, Ends: b.ends, Depth: b.nesting, Level: b.level(), Cut: cut, Mute: b.mute,
		BlockDoc: len(b.doc) - b.fromDoc, BlockText: len(b.text) - b.fromText}
	if ok = b.reader.Raw(d, src, &to); ok {
		b.doc, b.text, b.ends = to.Doc, to.Text, to.Ends
	}
	return ok
}

// A marshaler writes what a MarshalJSON writes.
type marshaler struct{ demand, anything validate.Demand }

func (m *marshaler) write(b *buffer, v reflect.Value) *fault {
	if !v.CanInterface() {
		return broken(ruleUnexported, nil)
	}
	x, _ := reflect.TypeAssert[json.Marshaler](receiver(v))
	src, err := x.MarshalJSON()
	if err != nil {
		return broken(ruleFailedJSON, err)
	}
	if !b.raw(m.demand, m.anything, src, nil) {
		return broken(ruleWroteBad, nil)
	}
	return nil
}

// A promise writes raw JSON: of a known shape, or a json.RawMessage, which has none.
type promise struct {
	demand, anything validate.Demand
	shape            *shape.Shape  // nil: none
	cut              *validate.Cut // nil where the blocks are deeper than one level
	whole            *validate.Cut // one block
}

func newPromise(s *shape.Shape, d, anything validate.Demand) *promise {
	p := &promise{demand: d, anything: anything}
	if s.Kind == shape.Raw {
		p.cut = &validate.Cut{Bare: true}
		p.whole = p.cut
		return p
	}
	p.shape = s.Elem
	text := follow(p.shape, '"')
	p.whole = &validate.Cut{Bare: text != nil && (text.Kind == shape.String || text.Kind == shape.Any)}
	switch s = plain(s.Elem); s.Kind {
	case shape.Any, shape.Union, shape.Tuple:
	case shape.List, shape.Array:
		switch item := plain(s.Elem); item.Kind {
		case shape.Any, shape.Union, shape.Tuple, shape.List, shape.Array:
		default:
			p.cut = &validate.Cut{Each: true, Bare: item.Kind == shape.String}
		}
	default:
		p.cut = &validate.Cut{Bare: s.Kind == shape.String}
	}
	return p
}

// plain follows shapes that write no JSON of their own.
func plain(s *shape.Shape) *shape.Shape {
	for s.Kind == shape.Pointer || s.Kind == shape.Optional || s.Kind == shape.Promise {
		s = s.Elem
	}
	return s
}

func (p *promise) write(b *buffer, v reflect.Value) *fault { return p.read(b, v, nil) }

func (p *promise) split(b *buffer, v reflect.Value) *fault {
	b.open()
	switch {
	case b.style.OneBlock:
		return p.read(b, v, p.whole)
	case p.cut != nil:
		return p.read(b, v, p.cut)
	}
	start := len(b.doc)
	b.mute = true
	f := p.read(b, v, nil)
	b.mute = false
	if f == nil && !b.refused && !b.tooLong {
		p.mark(b, p.shape, start)
	}
	return f
}

func (p *promise) read(b *buffer, v reflect.Value, cut *validate.Cut) *fault {
	src := v.Bytes()
	if src == nil && p.shape == nil {
		src = []byte("null")
	}
	switch {
	case b.raw(p.demand, p.anything, src, cut):
		return nil
	case jsontext.SkipSpace(src, 0) == len(src):
		return broken(ruleNoRaw, nil)
	}
	return broken(ruleBadRaw, nil)
}

// mark writes the blocks of the compact JSON value at start in the document, by the shape that it promises, and returns where
// it ends. JSON that breaks the promise gets blocks as well as may be.
func (p *promise) mark(b *buffer, s *shape.Shape, start int) int {
	s = follow(s, b.doc[start])
	if b.doc[start] != '[' || s == nil {
		end := jsontext.Skip(b.doc, start, maxRawDepth)
		bare := b.doc[start] == '"' && s != nil && (s.Kind == shape.String || s.Kind == shape.Any)
		if bare && end > start+len(`""`) {
			b.text = jsontext.AppendUnescaped(b.text, b.doc[start+1:end-1])
		} else {
			b.text = b.reader.Indent(p.anything, b.doc[start:end], b.text)
			b.tooLong = b.tooLong || b.reader.Full()
		}
		b.end()
		return end
	}
	at := start + 1
	for i := 0; b.doc[at] != ']'; i++ {
		if b.full() {
			return at
		}
		if b.doc[at] == ',' {
			at++
		}
		at = p.mark(b, itemShape(s, i), at)
	}
	return at + 1
}

// follow finds the shape that decides over a raw value with this first byte: after pointers and the library's forms,
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
