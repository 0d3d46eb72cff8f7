package encode

import (
	"reflect"

	"github.com/diptych-mcp/diptych/internal/shape"
)

// An object writes a struct.
type object []member

// A member is a field of a struct, ready to be written.
type member struct {
	name      string
	prefix    string // `,"name":`
	index     int
	path      []int // the rest of the way to a promoted field
	omits     bool  // one of the next two is set
	omitEmpty bool
	isZero    func(reflect.Value) bool
	direct    reflect.Kind // a kind that the loop below writes itself
	write     writeFunc
}

func (c *compiler) object(s *shape.Shape) object {
	o := make(object, len(s.Fields))
	for i := range s.Fields {
		f := &s.Fields[i]
		m := member{
			name: f.Name, prefix: `,"` + f.Name + `":`,
			index: f.Index[0], path: f.Index[1:],
			omits: f.OmitEmpty || f.OmitZero, omitEmpty: f.OmitEmpty, isZero: f.IsZero,
		}
		switch {
		case f.Quoted:
			m.write = c.quoted(f.Shape)
		case f.Shape.Kind == shape.Invalid && f.OmitEmpty:
			m.write = c.unomitted(f.Shape)
		default:
			n := c.node(f.Shape)
			// The node may be one that is still being filled, further up.
			m.write = n.write
			if m.write == nil {
				m.write = func(dst []byte, v reflect.Value, depth int) ([]byte, *fault) {
					return n.write(dst, v, depth)
				}
			}
			switch f.Shape.Kind {
			case shape.Bool, shape.Int, shape.String:
				m.direct = f.Shape.Type.Kind()
			case shape.Float:
				if f.Shape.Type.Kind() == reflect.Float64 {
					m.direct = reflect.Float64
				}
			}
		}
		o[i] = m
	}
	return o
}

// unomitted writes a field whose omitempty has no effect. Registration refuses it, so that it stands inside an
// interface; there it is written like any other.
func (c *compiler) unomitted(s *shape.Shape) writeFunc {
	addressed, contents := c.node(c.reader.Read(s.Type)), c.node(c.reader.ReadContents(s.Type))
	return func(dst []byte, v reflect.Value, depth int) ([]byte, *fault) {
		if v.CanAddr() {
			return addressed.write(dst, v, depth)
		}
		return contents.write(dst, v, depth)
	}
}

func (o object) write(dst []byte, v reflect.Value, depth int) ([]byte, *fault) {
	start := len(dst)
	for i := range o {
		m := &o[i]
		fv := v.Field(m.index)
		if len(m.path) > 0 {
			if fv = m.reach(fv); !fv.IsValid() {
				continue
			}
		}
		if m.omits && (m.omitEmpty && empty(fv) || m.isZero != nil && m.isZero(fv)) {
			continue
		}
		dst = append(dst, m.prefix...)
		switch m.direct {
		case reflect.String:
			dst = appendString(dst, fv.String())
		case reflect.Int, reflect.Int64, reflect.Int32, reflect.Int16, reflect.Int8:
			dst = appendInt(dst, fv.Int())
		case reflect.Float64:
			dst = appendFloat(dst, fv.Float(), 64)
		case reflect.Bool:
			dst = appendBool(dst, fv.Bool())
		default:
			var f *fault
			if dst, f = m.write(dst, fv, depth); f != nil {
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

// reach follows the way to a promoted field. Behind an embedded pointer that is nil there is no field.
func (m *member) reach(v reflect.Value) reflect.Value {
	for _, i := range m.path {
		if v.Kind() == reflect.Pointer {
			if v.IsNil() {
				return reflect.Value{}
			}
			v = v.Elem()
		}
		v = v.Field(i)
	}
	return v
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
