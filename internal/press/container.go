package press

import (
	"math"
	"reflect"

	"github.com/diptych-mcp/diptych/internal/encode"
	"github.com/diptych-mcp/diptych/internal/shape"
	"github.com/diptych-mcp/diptych/internal/validate"
)

// enter goes one level down, where that is left.
func (s *Sheet) enter() bool {
	s.depth++
	return s.depth <= maxDepth
}

// open writes what stands before the first element of a list or an object to the text, and separate what stands before
// the others.
func (s *Sheet) open(bracket byte) {
	s.Text = append(append(s.Text, bracket), validate.Fresh(s.level)[1:]...)
}

func (s *Sheet) separate() { s.Text = append(s.Text, validate.Fresh(s.level)...) }

func (s *Sheet) close(bracket byte) {
	s.Doc = append(s.Doc, bracket)
	s.Text = append(append(s.Text, validate.Fresh(s.level)[1:]...), bracket)
}

// A list prints slices, arrays and tuples.
type list struct {
	min, max int
	parts    []printer // of a tuple
	elem     printer   // of anything else
}

func (c *compiler) list(k pair) printer {
	a, ok := k.demand.Array()
	if !ok || k.shape.Kind != shape.Tuple && !a.Uniform() {
		return nil
	}
	l := &list{min: a.Min, max: a.Max}
	c.printers[k] = l
	if k.shape.Kind != shape.Tuple {
		l.elem = c.printer(k.shape.Elem, a.Item(0))
		return l
	}
	for i, part := range k.shape.Parts {
		l.parts = append(l.parts, c.printer(part, a.Item(i)))
	}
	return l
}

func (l *list) len(v reflect.Value) int {
	if l.elem == nil {
		return len(l.parts)
	}
	return v.Len()
}

func (l *list) item(v reflect.Value, i int) (printer, reflect.Value) {
	if l.elem == nil {
		return l.parts[i], v.Field(i)
	}
	return l.elem, v.Index(i)
}

func (l *list) print(s *Sheet, v reflect.Value) bool {
	n := l.len(v)
	if n < l.min || n > l.max || !s.enter() {
		return false
	}
	if n == 0 {
		s.twice("[]")
		s.depth--
		return true
	}
	s.level++
	s.Doc = append(s.Doc, '[')
	s.open('[')
	for i := range n {
		if i > 0 {
			s.Doc = append(s.Doc, ',')
			s.separate()
		}
		if p, item := l.item(v, i); !p.print(s, item) {
			return false
		}
	}
	s.level--
	s.depth--
	s.close(']')
	return true
}

func (l *list) split(s *Sheet, v reflect.Value) bool {
	n := l.len(v)
	if n < l.min || n > l.max || !s.enter() {
		return false
	}
	s.Doc = append(s.Doc, '[')
	for i := range n {
		if i > 0 {
			s.Doc = append(s.Doc, ',')
		}
		if p, item := l.item(v, i); !split(s, p, item) {
			return false
		}
	}
	s.depth--
	s.Doc = append(s.Doc, ']')
	return true
}

// A dict prints maps.
type dict struct {
	min, max int
	keys     encode.Keys
	key      text // asks no more of keys than that they are text
	unique   bool // two keys of a map may have the same text
	elem     printer
}

func (c *compiler) dict(k pair) printer {
	o, ok := k.demand.Object()
	if !ok || !o.Uniform() {
		return nil
	}
	d := &dict{min: o.Min, max: o.Max, keys: encode.KeysOf(k.shape), unique: k.shape.Key.Kind == shape.Text, key: text{Strings: validate.Strings{Max: math.MaxInt}}}
	c.printers[k] = d
	d.elem = c.printer(k.shape.Elem, o.Property(""))
	return d
}

func (d *dict) print(s *Sheet, v reflect.Value) bool {
	n := v.Len()
	if n < d.min || n > d.max || !s.enter() {
		return false
	}
	if n == 0 {
		s.twice("{}")
		s.depth--
		return true
	}
	var room [8]encode.Entry // stays on the stack
	entries, values, err := d.keys.Sorted(room[:0], v)
	if err != nil || len(entries) != n { // the method of a key may change the map
		return false
	}
	s.level++
	s.Doc = append(s.Doc, '{')
	s.open('{')
	for i, e := range entries {
		if i > 0 {
			if d.unique && e.Key == entries[i-1].Key {
				return false
			}
			s.Doc = append(s.Doc, ',')
			s.separate()
		}
		start := len(s.Doc)
		doc, v := d.key.appendString(s.Doc, e.Key)
		if v != yes {
			return false
		}
		s.Doc = append(doc, ':')
		s.copy(start)
		s.Text = append(s.Text, ' ')
		if !d.elem.print(s, values.Index(e.Index)) {
			return false
		}
	}
	s.level--
	s.depth--
	s.close('}')
	return true
}

// A pointer prints what a pointer or an optional holds, or null.
type pointer struct {
	null  bool // is allowed
	value func(optional any) any
	elem  printer
}

// held returns what v points at; some is false where that is nothing, ok where v cannot be asked.
func (p *pointer) held(v reflect.Value) (_ reflect.Value, some, ok bool) {
	if p.value != nil {
		if !v.CanInterface() || !v.CanAddr() {
			return v, false, false
		}
		if v = reflect.ValueOf(p.value(v.Addr().Interface())); !v.IsValid() {
			return v, false, true
		}
	}
	if v.IsNil() {
		return v, false, true
	}
	return v.Elem(), true, true
}

func (p *pointer) print(s *Sheet, v reflect.Value) bool {
	v, some, ok := p.held(v)
	if !some {
		s.twice("null")
		return ok && p.null
	}
	if !s.enter() || !p.elem.print(s, v) {
		return false
	}
	s.depth--
	return true
}

func (p *pointer) split(s *Sheet, v reflect.Value) bool {
	v, some, ok := p.held(v)
	if !some {
		s.twice("null")
		s.end()
		return ok && p.null
	}
	if !s.enter() || !split(s, p.elem, v) {
		return false
	}
	s.depth--
	return true
}

// A union prints the one arm that is set.
type union []printer

func (u union) arm(v reflect.Value) (p printer, arm reflect.Value) {
	for i := range u {
		if f := v.Field(i); !f.IsNil() {
			if p != nil {
				return nil, arm
			}
			p, arm = u[i], f.Elem()
		}
	}
	return p, arm
}

func (u union) print(s *Sheet, v reflect.Value) bool {
	p, arm := u.arm(v)
	if p == nil || !s.enter() || !p.print(s, arm) {
		return false
	}
	s.depth--
	return true
}

func (u union) split(s *Sheet, v reflect.Value) bool {
	p, arm := u.arm(v)
	if p == nil || !s.enter() || !split(s, p, arm) {
		return false
	}
	s.depth--
	return true
}
