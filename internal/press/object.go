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
	encode.Place
	plain    int     // its index, or -1 where finding it takes more
	token    *token  // of a scalar, which the loop below copies itself
	printer  printer // of anything else
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
		m.plain = m.Index()
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
		m, d := &p.members[i], o.Property(f.Name)
		if f.Quoted {
			m.printer = &foreign{encode.CompileField(f, c.forms), d}
		} else {
			m.printer = c.printer(f.Shape, d)
			m.token, _ = m.printer.(*token)
		}
	}
	return p
}

func (o *object) print(s *Sheet, v reflect.Value) bool {
	if !s.enter() {
		return false
	}
	s.level++
	// Both panels are kept out of the sheet while scalars follow each other: that spares the collector's write barriers.
	doc, text := s.Doc, s.Text
	start, begun := len(doc), len(text)
	for i := range o.members {
		m := &o.members[i]
		var field reflect.Value
		if m.plain >= 0 {
			field = v.Field(m.plain)
		} else {
			var ok bool
			if field, ok = m.In(v); !ok {
				if m.required {
					return false
				}
				continue
			}
		}
		doc = append(doc, m.compact...)
		if s.level < levels {
			text = append(text, m.leads[s.level]...)
		} else {
			text = append(text, validate.Fresh(s.level)...)
			text = append(text, m.spaced...)
		}
		if m.token == nil {
			s.Doc, s.Text = doc, text
			if !m.printer.print(s, field) {
				return false
			}
			doc, text = s.Doc, s.Text
			continue
		}
		var v verdict
		at := len(doc)
		doc, v = m.token.append(doc, field)
		if v != yes && !m.token.settle(s, v, doc, at) {
			return false
		}
		text = append(text, doc[at:]...)
	}
	s.level--
	s.depth--
	if len(doc) == start {
		s.twice("{}")
		return true
	}
	doc[start], text[begun] = '{', '{' // where the first member wrote its comma
	doc = append(doc, '}')
	text = append(text, validate.Fresh(s.level)[1:]...)
	s.Doc, s.Text = doc, append(text, '}')
	return true
}
