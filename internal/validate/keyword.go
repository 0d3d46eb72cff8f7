package validate

import (
	"encoding/binary"
	"strconv"

	"github.com/diptych-mcp/diptych/internal/jsontext"
)

// This file compiles the values of keywords.

func (c *compiler) kinds(n *node, v *value, at string) error {
	names := []*value{v}
	if v.kind == kindArray {
		names = v.items
	}
	n.kinds = 0
	for _, name := range names {
		k := kindNamed(name.str)
		if name.kind != kindString || k == 0 {
			return errorf(at, "not a type; use string, integer, number, boolean, array, object or null")
		}
		n.kinds |= k
	}
	return nil
}

// kindNamed returns the kinds that a name of type means, or none.
func kindNamed(name string) kind {
	switch name {
	case "null":
		return kindNull
	case "boolean":
		return kindBoolean
	case "integer":
		return kindInteger
	case "number":
		return kindNumber
	case "string":
		return kindString
	case "array":
		return kindArray
	case "object":
		return kindObject
	}
	return 0
}

func (c *compiler) schemas(v *value, at string) ([]*node, error) {
	if err := wants(at, v, kindArray); err != nil {
		return nil, err
	}
	if len(v.items) == 0 {
		return nil, errorf(at, "must have at least 1 item")
	}
	nodes := make([]*node, len(v.items))
	for i, item := range v.items {
		n, err := c.schema(item, at+"/"+strconv.Itoa(i))
		if err != nil {
			return nil, err
		}
		nodes[i] = n
	}
	return nodes, nil
}

func (c *compiler) definitions(v *value, at string) error {
	if err := wants(at, v, kindObject); err != nil {
		return err
	}
	for _, m := range v.members {
		if _, err := c.schema(m.value, step(at, m.name)); err != nil {
			return err
		}
	}
	return nil
}

func (c *compiler) properties(n *node, v *value, at string) error {
	if err := wants(at, v, kindObject); err != nil {
		return err
	}
	n.index = make(map[string]int, len(v.members))
	for _, m := range v.members {
		sub, err := c.schema(m.value, step(at, m.name))
		if err != nil {
			return err
		}
		n.index[m.name] = len(n.properties)
		n.properties = append(n.properties, newProperty(m.name, sub))
	}
	n.declared = len(n.properties)
	return nil
}

func newProperty(name string, sub *node) property {
	p := property{name: name, node: sub}
	quoted := string(jsontext.AppendString(nil, name))
	p.token, p.spaced = quoted+":", quoted+": "
	var head [8]byte
	n := copy(head[:], p.token)
	p.head, p.mask = binary.LittleEndian.Uint64(head[:]), ^uint64(0)>>(8*(8-n))
	for i := range p.leads {
		p.leads[i] = Fresh(i+1) + p.spaced
	}
	return p
}

// finish does what needs several keywords of n at once.
func (c *compiler) finish(n *node, v *value) error {
	if req := v.find("required"); req != nil {
		names, err := strs(req, step(n.at, "required"))
		if err != nil {
			return err
		}
		for _, name := range names {
			i, ok := n.index[name]
			if !ok {
				if n.index == nil {
					n.index = make(map[string]int)
				}
				i = len(n.properties)
				n.index[name] = i
				n.properties = append(n.properties, newProperty(name, n.additional))
			}
			if p := &n.properties[i]; !p.required {
				p.required = true
				n.required = append(n.required, i)
				if i < 64 {
					n.requiredMask |= 1 << i
				}
			}
		}
	}
	if r := n.rest; r != nil && r.contains == nil {
		r.minContains, r.maxContains = 0, unbounded
	}
	return nil
}

func count(v *value, at string) (int, error) {
	if v.kind != kindInteger {
		return 0, errorf(at, "%s", ruleKind(v.kind, kindInteger))
	}
	d := parseDecimal(v.raw)
	if d.sign() < 0 {
		return 0, errorf(at, "must be at least 0")
	}
	if n, ok := d.small(); ok {
		return int(n), nil
	}
	return unbounded, nil
}

func flag(v *value, at string) (bool, error) {
	return v.kind == kindBoolean && v.raw[0] == 't', wants(at, v, kindBoolean)
}

func strs(v *value, at string) ([]string, error) {
	if err := wants(at, v, kindArray); err != nil {
		return nil, err
	}
	names := make([]string, len(v.items))
	for i, item := range v.items {
		if err := wants(at+"/"+strconv.Itoa(i), item, kindString); err != nil {
			return nil, err
		}
		names[i] = item.str
	}
	return names, nil
}

func schemaNumber(v *value, at string) (decimal, error) {
	if err := wants(at, v, kindNumber); err != nil {
		return decimal{}, err
	}
	d := parseDecimal(v.raw)
	if d.exp > maxSchemaExponent || d.exp < -maxSchemaExponent {
		return d, errorf(at, "exponent past %d", maxSchemaExponent)
	}
	return d, nil
}
