package write

import (
	"reflect"

	"github.com/diptych-mcp/diptych/internal/shape"
)

// A list writes slices, arrays and tuples.
type list struct {
	min, max int
	parts    []node // of a tuple
	elem     node   // of anything else
	slice    bool   // it may hold itself
	blocks   bool   // content blocks may be among its items
}

func (c *compiler) list(k pair) node {
	kind := k.shape.Kind
	a, ok := k.demand.Array()
	if !ok || kind != shape.Tuple && !a.Uniform() {
		return c.checked(k)
	}
	l := &list{min: a.Min, max: a.Max, slice: kind == shape.List, blocks: k.shape.Has(mayShow)}
	c.nodes[k] = l
	if kind != shape.Tuple {
		l.elem = c.node(k.shape.Elem, a.Item(0))
		return l
	}
	for i, part := range k.shape.Parts {
		l.parts = append(l.parts, c.node(part, a.Item(i)))
	}
	return l
}

// mayShow reports whether values of s are content blocks.
func mayShow(s *shape.Shape) bool { return s.Type == contentType || isBlock(s.Type) }

func (l *list) len(v reflect.Value) int {
	if l.elem == nil {
		return len(l.parts)
	}
	return v.Len()
}

// shows reports whether a content block is among the items, or may be.
func (l *list) shows(v reflect.Value) bool {
	if l.blocks || l.elem == nil {
		return l.blocks
	}
	if d, ok := l.elem.(*dynamic); ok && !d.block {
		for i := range v.Len() {
			if item := v.Index(i).Elem(); item.IsValid() && (isBlock(item.Type()) || item.Kind() == reflect.Pointer && isBlock(item.Type().Elem())) {
				return true
			}
		}
	}
	return false
}

func (l *list) item(v reflect.Value, i int) (node, reflect.Value) {
	if l.elem == nil {
		return l.parts[i], v.Field(i)
	}
	return l.elem, v.Index(i)
}

// descend notes that the walk goes into a slice.
func (l *list) descend(b *buffer, v reflect.Value) *fault {
	if !l.slice {
		return nil
	}
	if b.depth == maxDepth {
		return tooDeep(v)
	}
	b.depth++
	return nil
}

// fault adds a step to the fault of an item.
func (l *list) fault(f *fault, v reflect.Value, i int) *fault {
	if f = f.item(i); l.slice {
		f.passing(v)
	}
	return f
}

func (l *list) write(b *buffer, v reflect.Value) *fault {
	n := l.len(v)
	b.say(l.min <= n && n <= l.max)
	if f := l.descend(b, v); f != nil {
		return f
	}
	start := len(b.doc)
	line := b.enter()
	for i := range n {
		if i == 0 {
			b.first('[')
		} else {
			b.next()
		}
		p, item := l.item(v, i)
		if f := p.write(b, item); f != nil {
			return l.fault(f, v, i)
		}
		if b.full() {
			return tooLarge()
		}
	}
	if l.slice {
		b.depth--
	}
	if n == 0 {
		b.empty(line, "[]")
	} else {
		b.leave(line, start, ']')
	}
	return nil
}

func (l *list) split(b *buffer, v reflect.Value) *fault {
	if b.style.OneBlock && !l.shows(v) {
		b.open()
		f := l.write(b, v)
		b.end()
		return f
	}
	n := l.len(v)
	b.say(l.min <= n && n <= l.max)
	if f := l.descend(b, v); f != nil {
		return f
	}
	b.deeper()
	b.doc = append(b.doc, '[')
	for i := range n {
		if i > 0 {
			b.doc = append(b.doc, ',')
		}
		p, item := l.item(v, i)
		if f := split(b, p, item); f != nil {
			return l.fault(f, v, i)
		}
		if b.full() {
			return tooLarge()
		}
	}
	if l.slice {
		b.depth--
	}
	b.nesting--
	b.doc = append(b.doc, ']')
	return nil
}
