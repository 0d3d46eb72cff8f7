package write

import (
	"reflect"

	"github.com/diptych-mcp/diptych/internal/jsontext"
	"github.com/diptych-mcp/diptych/internal/shape"
	"github.com/diptych-mcp/diptych/internal/validate"
)

// An object writes structs.
type object struct{ members []member }

// A member is a field of a struct with what comes before its value.
type member struct {
	place
	name     string
	token    *token // of a scalar, which the loop below copies itself
	node     node   // of anything else
	required bool
	compact  string         // `,"name":`
	spaced   string         // `"name": `
	leads    [levels]string // the same after a comma and a new line, by level of indentation
}

// levels is how many levels of indentation have their lines ready.
const levels = 4

func (c *compiler) object(k pair) node {
	o, ok := k.demand.Object()
	if !ok {
		return c.checked(k)
	}
	fields := k.shape.Fields
	missing := map[string]bool{}
	for _, name := range o.Required() {
		missing[name] = true
	}
	certain := 0
	p := &object{members: make([]member, len(fields))}
	for i := range fields {
		f, m := &fields[i], &p.members[i]
		if !f.Optional() {
			certain++
		}
		m.place, m.name, m.required = placeOf(f), f.Name, missing[f.Name]
		delete(missing, f.Name)
		quoted := string(jsontext.AppendString(nil, f.Name))
		m.compact, m.spaced = ","+quoted+":", quoted+": "
		for level := range m.leads {
			m.leads[level] = validate.Fresh(level) + m.spaced
		}
	}
	if len(missing) > 0 || certain < o.Min || len(fields) > o.Max {
		return c.checked(k)
	}
	c.nodes[k] = p
	for i := range fields {
		f, m := &fields[i], &p.members[i]
		if d := o.Property(f.Name); f.Quoted {
			m.node = c.quoted(f.Shape, d)
		} else {
			m.node = c.node(f.Shape, d)
		}
		m.token, _ = m.node.(*token)
	}
	return p
}

func (o *object) write(b *buffer, v reflect.Value) *fault {
	// Both panels are kept out of the buffer while scalars follow each other: that spares the collector's write barriers.
	start := len(b.doc)
	line := b.enter()
	doc, text, begun := b.doc, b.text, len(b.text)
	level, mute, most := b.level(), b.mute, b.style.Most
	for i := range o.members {
		m := &o.members[i]
		var field reflect.Value
		if m.always {
			field = v.Field(m.index)
		} else {
			var ok bool
			if field, ok = m.in(v); !ok {
				b.say(!m.required)
				continue
			}
		}
		doc = append(doc, m.compact...)
		switch {
		case mute:
		case level < levels:
			text = append(text, m.leads[level]...)
		default:
			text = append(append(text, validate.Fresh(level)...), m.spaced...)
		}
		if m.token == nil {
			b.doc, b.text = doc, text
			if f := m.node.write(b, field); f != nil {
				return f.member(m.name)
			}
			if doc, text = b.doc, b.text; b.full() {
				return tooLarge()
			}
			continue
		}
		var verdict verdict
		at := len(doc)
		doc, verdict = m.token.append(doc, field)
		if verdict != yes {
			b.doc = doc
			if f := m.token.settle(b, field, verdict, at); f != nil {
				return f.member(m.name)
			}
		}
		if !mute {
			text = append(text, doc[at:]...)
		}
		if len(doc)+len(text) > most {
			return tooLarge()
		}
	}
	b.doc, b.text = doc, text
	if len(doc) == start {
		b.empty(line, "{}")
		return nil
	}
	doc[start] = '{' // where the first member wrote its comma
	if !mute {
		text[begun] = '{'
	}
	b.leave(line, start, '}')
	return nil
}

// A place is where a struct keeps a field, and when that is left out.
type place struct {
	index     int
	path      []int // the rest of the way to a promoted field
	always    bool  // it is never left out, and index is all of the way
	omitEmpty bool
	isZero    func(reflect.Value) bool
}

func placeOf(f *shape.Field) place {
	return place{f.Index[0], f.Index[1:], len(f.Index) == 1 && !f.OmitEmpty && !f.OmitZero, f.OmitEmpty, f.IsZero}
}

// in finds the field in a struct. There is none after an embedded pointer that is nil, nor where its tag leaves it out.
func (p *place) in(v reflect.Value) (_ reflect.Value, ok bool) {
	v = v.Field(p.index)
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
