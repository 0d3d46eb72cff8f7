package validate

import (
	"bytes"
	"slices"

	"github.com/diptych-mcp/diptych/internal/jsontext"
)

// Arguments reads the arguments of a tool as they are meant and returns them as compact JSON in the sender's order, or every
// fault. Strings keep the escapes they came with. A null for a property that is optional and not nullable means that it is
// absent, at every depth. No input, and null, count as {}. Defaults are added after the members
// that came. A string becomes the number, boolean, object or array it spells where the schema would refuse a string; an
// integer loses the fraction, the exponent or the sign of zero it came with where the schema wants an integer and not any
// number. Of several forms (anyOf, oneOf) the first that accepts the value as it is applies, else the first that accepts it
// once read. What is under if, then, else, not, contains and dependentSchemas changes nothing.
func (c *Checker) Arguments(args []byte) ([]byte, []Fault) {
	if len(args) > maxArguments {
		return nil, []Fault{{Rule: "must have at most 16 MiB", End: len(args)}}
	}
	if same, ok := c.literal(args); ok {
		return same, nil
	}
	return c.meant(args)
}

// literal returns arguments that are valid and mean just what they say, without the space in them. Most are: they need no
// tree, and where there is no space not even a copy.
func (c *Checker) literal(args []byte) (_ []byte, ok bool) {
	start := jsontext.SkipSpace(args, 0)
	if c.slow || start == len(args) || args[start] != '{' {
		return nil, false
	}
	p := c.passes.Get().(*pass)
	defer c.passes.Put(p)
	p.part(0)
	p.raw, p.doc, p.steps = true, args, steps(len(args))
	end := p.value(c.root, start)
	if ok = end >= 0 && jsontext.SkipSpace(args, end) == len(args) && !p.spent && !p.differs; ok {
		if args = args[start:end]; len(p.gaps) > 0 {
			args = without(slices.Clone(p.doc[:end]), p.gaps)[start:]
		}
	}
	p.forget()
	return args, ok
}

// meant is Arguments by way of a tree.
func (c *Checker) meant(args []byte) ([]byte, []Fault) {
	if trimmed := bytes.TrimSpace(args); len(trimmed) == 0 || string(trimmed) == "null" {
		out, faults := c.meant([]byte("{}"))
		for i := range faults {
			faults[i].Start, faults[i].End = 0, len(args)
		}
		return out, faults
	}
	v, flawed := parse(args, jsontext.MaxDepth)
	r := reader{walker: walker{tracks: c.tracks, steps: steps(len(args)), quiet: 1}}
	if !stopped(v) {
		r.read(c.root, v, 0)
		if r.spent {
			return nil, []Fault{{Rule: ruleCost, Start: v.start, End: v.end}}
		}
		if v.kind != kindObject {
			return nil, []Fault{{Rule: ruleKind(v.kind, kindObject), Start: v.start, End: v.end}}
		}
	}
	if faults := c.faults(v, flawed, len(args), true); faults != nil {
		return nil, faults
	}
	return appendCompact(make([]byte, 0, len(args)), v), nil
}

// A reader changes a tree to what a schema says was meant. Its walker tells which form accepts a value.
type reader struct{ walker }

// read changes v in place. depth counts the arrays and objects around it.
func (r *reader) read(n *node, v *value, depth int) {
	if !r.charge(1) || v.flaw != "" {
		return
	}
	r.spell(n.admits, v, depth)
	switch v.kind {
	case kindObject:
		r.members(n, v, depth+1)
	case kindArray:
		for i, item := range v.items {
			sub := n.items
			if i < len(n.prefix) {
				sub = n.prefix[i]
			}
			if !sub.open() {
				r.read(sub, item, depth+1)
			}
		}
	}
	if n.ref != nil {
		r.read(n.ref, v, depth)
	}
	for _, sub := range n.allOf {
		r.read(sub, v, depth)
	}
	r.choose(n.anyOf, v, depth)
	r.choose(n.oneOf, v, depth)
}

func (r *reader) members(n *node, v *value, depth int) {
	v.members = slices.DeleteFunc(v.members, n.absent)
	met := make(map[int]bool, n.declared)
	for i := range v.members {
		m := &v.members[i]
		if at, found := n.index[m.name]; found && at < n.declared {
			met[at] = true
			r.read(n.properties[at].node, m.value, depth)
			continue
		}
		reached := false
		if n.rest != nil {
			for _, p := range n.rest.patterns {
				if r.charge(p.pattern.cost(len(m.name))) && p.pattern.re.MatchString(m.name) {
					reached = true
					r.read(p.node, m.value, depth)
				}
			}
		}
		if !reached && !n.additional.open() {
			r.read(n.additional, m.value, depth)
		}
	}
	for i := range n.properties[:n.declared] {
		p := &n.properties[i]
		if fallback := p.node.preset(); fallback != nil && !met[i] && !r.spent {
			v.members = append(v.members, member{name: p.name, start: v.start, end: v.end, value: r.copy(fallback, v)})
		}
	}
}

// absent reports whether a member is null where n neither requires the property nor lets it be null: clients send null for
// whatever a caller left out.
func (n *node) absent(m member) bool {
	if m.value.kind != kindNull || m.flaw != "" || m.value.flaw != "" {
		return false
	}
	at, found := n.index[m.name]
	return found && at < n.declared && !n.properties[at].required && n.properties[at].node.admits&kindNull == 0
}

// preset is the default of n, or of the schema that it refers to.
func (n *node) preset() *value {
	for n.fallback == nil && n.jump != nil {
		n = n.jump
	}
	return n.fallback
}

// choose reads v as the first of the arms that accepts it. Where none does, the arm that was plainly meant is read all
// the same: the faults that are then told are its own.
func (r *reader) choose(arms []*node, v *value, depth int) {
	for _, arm := range arms {
		if r.walk(arm, v, &place{}, nil) {
			r.read(arm, v, depth)
			return
		}
	}
	for _, arm := range arms {
		if other := r.copy(v, nil); !r.spent {
			if r.read(arm, other, depth); r.walk(arm, other, &place{}, nil) {
				*v = *other
				return
			}
		}
	}
	if arm := r.meant(arms, v); arm != nil {
		r.read(arm, v, depth)
	}
}

// copy copies a tree. Where at is given, all of the copy has its position.
func (r *reader) copy(v, at *value) *value {
	if !r.charge(1 + len(v.str)/8) {
		return v
	}
	c := *v
	if at != nil {
		c.start, c.end = at.start, at.end
	}
	c.items, c.members = nil, nil
	for _, item := range v.items {
		c.items = append(c.items, r.copy(item, at))
	}
	for _, m := range v.members {
		m.value = r.copy(m.value, at)
		if at != nil {
			m.start, m.end = at.start, at.end
		}
		c.members = append(c.members, m)
	}
	return &c
}

// spell changes v to the kind it spells, where its own is not wanted.
func (r *reader) spell(want kind, v *value, depth int) {
	if v.kind == kindString && want&kindString == 0 {
		s := bytes.Trim([]byte(v.str), " \t\r\n")
		first := byte(' ')
		if len(s) > 0 {
			first = s[0]
		}
		switch {
		case want&kindBoolean != 0 && (bytes.EqualFold(s, []byte("true")) || bytes.EqualFold(s, []byte("false"))):
			v.kind, v.raw, v.str = kindBoolean, bytes.ToLower(s), ""
		case want&kindNumber != 0 && (first == '-' || first-'0' <= 9):
			number := parser{doc: s}
			var read value
			if number.value(&read); !number.flawed && number.pos == len(s) && read.kind&want != 0 {
				v.kind, v.raw, v.str = read.kind, s, ""
			}
		case want&kindObject != 0 && first == '{', want&kindArray != 0 && first == '[':
			if inner, flawed := parse(s, jsontext.MaxDepth-depth); !flawed && r.charge(len(s)/8) {
				*v = *r.copy(inner, v)
			}
		}
	}
	if v.kind == kindInteger && want&kindNumber == kindInteger {
		if _, small, form := scanNumber(v.raw, 0); disguised(v.raw[0], small, form) {
			d := parseDecimal(v.raw)
			if raw, ok := appendInteger(nil, &d, maxIntegerDigits); ok {
				v.raw = raw
			}
		}
	}
}

// disguised reports whether a number, if it is an integer, is one with a fraction, an exponent or the sign of zero.
func disguised(first byte, small int64, form numberForm) bool {
	return form >= fractional || form == smallInteger && small == 0 && first == '-'
}

// appendCompact writes v without white space.
func appendCompact(dst []byte, v *value) []byte {
	switch v.kind {
	case kindArray:
		dst = append(dst, '[')
		for i, item := range v.items {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = appendCompact(dst, item)
		}
		return append(dst, ']')
	case kindObject:
		dst = append(dst, '{')
		for i := range v.members {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = append(jsontext.AppendString(dst, v.members[i].name), ':')
			dst = appendCompact(dst, v.members[i].value)
		}
		return append(dst, '}')
	}
	return append(dst, v.raw...)
}
