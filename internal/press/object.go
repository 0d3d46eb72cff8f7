package press

import (
	"reflect"

	"github.com/diptych-mcp/diptych/internal/encode"
	"github.com/diptych-mcp/diptych/internal/validate"
)

// An object prints structs.
type object struct{ members []member }

// A member is a field of a struct with what stands before its value.
type member struct {
	printer
	encode.Place
	required bool
	compact  string         // `,"name":`
	spaced   string         // `"name": `
	leads    [levels]string // the same behind a comma and a fresh line, by level of indentation
}

// levels is how many levels of indentation have their lines ready.
const levels = 4

func (c *compiler) object(k pair) printer {
	o, ok := k.demand.Object()
	if !ok {
		return nil
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
		m.Place, m.required = encode.PlaceOf(f), missing[f.Name]
		delete(missing, f.Name)
		m.spaced = `"` + f.Name + `": `
		m.compact = `,"` + f.Name + `":`
		for level := range m.leads {
			m.leads[level] = validate.Fresh(level) + m.spaced
		}
	}
	if len(missing) > 0 || certain < o.Min || len(fields) > o.Max {
		return nil
	}
	c.printers[k] = p
	for i := range fields {
		f := &fields[i]
		if d := o.Property(f.Name); f.Quoted {
			p.members[i].printer = &foreign{encode.CompileField(f, c.forms), d}
		} else {
			p.members[i].printer = c.printer(f.Shape, d)
		}
	}
	return p
}

func (o *object) print(s *Sheet, v reflect.Value) bool {
	if !s.enter() {
		return false
	}
	s.level++
	start, begun := len(s.Doc), len(s.Text)
	for i := range o.members {
		m := &o.members[i]
		field, ok := m.In(v)
		if !ok {
			if m.required {
				return false
			}
			continue
		}
		s.Doc = append(s.Doc, m.compact...)
		if s.level < levels {
			s.Text = append(s.Text, m.leads[s.level]...)
		} else {
			s.separate()
			s.Text = append(s.Text, m.spaced...)
		}
		if !m.print(s, field) {
			return false
		}
	}
	s.level--
	s.depth--
	if len(s.Doc) == start {
		s.twice("{}")
		return true
	}
	s.Doc[start], s.Text[begun] = '{', '{' // where the first member wrote its comma
	s.close('}')
	return true
}
