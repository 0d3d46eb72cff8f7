package encode

import (
	"reflect"

	"github.com/diptych-mcp/diptych/internal/shape"
)

// An object writes a struct.
type object []member

// A member is a field of a struct, ready to be written.
type member struct {
	Place
	plain  int // its index, or -1 where finding it takes more
	name   string
	prefix string       // `,"name":`
	direct reflect.Kind // a kind that the loop below writes itself
	node   *node
}

// A Place is where a struct keeps a field, and when that is left out.
type Place struct {
	index     int
	path      []int // the rest of the way to a promoted field
	omits     bool  // one of the next two is set
	omitEmpty bool
	isZero    func(reflect.Value) bool
}

// PlaceOf returns the Place of a field.
func PlaceOf(f *shape.Field) Place {
	return Place{index: f.Index[0], path: f.Index[1:], omits: f.OmitEmpty || f.OmitZero, omitEmpty: f.OmitEmpty, isZero: f.IsZero}
}

func (c *compiler) object(s *shape.Shape) object {
	o := make(object, len(s.Fields))
	for i := range s.Fields {
		f := &s.Fields[i]
		m := member{Place: PlaceOf(f), name: f.Name, prefix: `,"` + f.Name + `":`}
		m.plain = m.Index()
		if f.Quoted {
			m.node = &node{write: c.quoted(f.Shape)}
		} else {
			m.node = c.node(f.Shape)
			m.direct = direct(f.Shape)
		}
		o[i] = m
	}
	return o
}

// direct returns the kind of a plain shape that an object's loop writes, or Invalid.
func direct(s *shape.Shape) reflect.Kind {
	switch s.Kind {
	case shape.Bool, shape.Int, shape.String:
		return s.Type.Kind()
	case shape.Float:
		if s.Type.Kind() == reflect.Float64 {
			return reflect.Float64
		}
	}
	return reflect.Invalid
}

func (o object) write(dst []byte, v reflect.Value, depth int) ([]byte, *fault) {
	start := len(dst)
	for i := range o {
		m := &o[i]
		var fv reflect.Value
		if m.plain >= 0 {
			fv = v.Field(m.plain)
		} else {
			var ok bool
			if fv, ok = m.In(v); !ok {
				continue
			}
		}
		dst = append(dst, m.prefix...)
		switch m.direct {
		case reflect.String:
			dst = AppendString(dst, fv.String())
		case reflect.Int, reflect.Int64, reflect.Int32, reflect.Int16, reflect.Int8:
			dst = appendInt(dst, fv.Int())
		case reflect.Float64:
			dst = AppendFloat(dst, fv.Float(), 64)
		case reflect.Bool:
			dst = appendBool(dst, fv.Bool())
		default:
			var f *fault
			if dst, f = m.node.write(dst, fv, depth); f != nil {
				return dst, f.member(m.name)
			}
		}
	}
	if len(dst) == start {
		return append(dst, "{}"...), nil
	}
	dst[start] = '{' // where the first member wrote its comma
	return append(dst, '}'), nil
}

// Index is where the struct itself keeps a field that is always written, or -1.
func (p *Place) Index() int {
	if len(p.path) > 0 || p.omits {
		return -1
	}
	return p.index
}

// In finds the field in a struct. It is not there behind an embedded pointer that is nil, nor where its tag leaves it out.
func (p *Place) In(v reflect.Value) (_ reflect.Value, ok bool) {
	if v = v.Field(p.index); len(p.path) == 0 && !p.omits {
		return v, true
	}
	for _, i := range p.path {
		if v.Kind() == reflect.Pointer {
			if v.IsNil() {
				return v, false
			}
			v = v.Elem()
		}
		v = v.Field(i)
	}
	return v, !(p.omitEmpty && empty(v) || p.isZero != nil && p.isZero(v))
}

// empty is omitempty's rule.
func empty(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Array, reflect.Map, reflect.Slice, reflect.String:
		return v.Len() == 0
	case reflect.Struct:
		return false
	}
	return v.IsZero()
}
