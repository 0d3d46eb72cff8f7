package schema

import (
	"reflect"
	"slices"
	"strings"

	"github.com/diptych-mcp/diptych/internal/shape"
)

// A def is a type that lives in $defs.
type def struct {
	name  string
	shape *shape.Shape
	known []byte // the schema of a type that Config.Known named
	place string // the field that led to it, for errors
}

// typeName is the name that the definition is called by.
func (d *def) typeName() string {
	t := d.shape.Type
	if d.known != nil && t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return typeName(t)
}

// collect finds the types that live in $defs: named structs, types with declared values, and whatever named type
// refers to itself. The root is written in place, so it is among them only when something below refers back to it.
func (b *builder) collect(root *shape.Shape) error {
	c := collector{b: b, seen: map[*shape.Shape]bool{}, onPath: map[*shape.Shape]bool{}}
	c.walk(root, true)
	return b.nameDefs()
}

type collector struct {
	b      *builder
	seen   map[*shape.Shape]bool
	onPath map[*shape.Shape]bool
	path   []string // of fields, from the root
}

func (c *collector) walk(s *shape.Shape, root bool) {
	if c.b.saysOwn(s.Type) {
		return // its own schema is written in place
	}
	if c.onPath[s] {
		if s.Type.Name() != "" {
			c.add(s, nil)
		}
		return
	}
	if c.b.cfg.Known != nil && !root {
		if raw, name, ok := c.b.cfg.Known(s.Type); ok && name != "" {
			c.add(s, raw)
			return
		}
	}
	// What is wrong with declared values is told when they are written.
	values, err := c.b.enum(s.Type, s.Kind)
	if err == nil && values != nil || !root && s.Kind == shape.Struct && s.Type.Name() != "" {
		c.add(s, nil)
	}
	if c.seen[s] {
		return
	}
	c.seen[s] = true
	c.onPath[s] = true
	if s.Elem != nil {
		c.walk(s.Elem, false)
	}
	for _, p := range s.Parts {
		c.walk(p, false)
	}
	for _, f := range s.Fields {
		c.path = append(c.path, f.GoName)
		c.walk(f.Shape, false)
		c.path = c.path[:len(c.path)-1]
	}
	delete(c.onPath, s)
}

// add is idempotent. A type has one definition however its values are addressed.
func (c *collector) add(s *shape.Shape, known []byte) {
	if c.b.byType[s.Type] == nil {
		d := &def{shape: s, known: known}
		if len(c.path) > 0 {
			d.place = strings.Join(append(slices.Clone(c.b.path), c.path...), ".")
		}
		c.b.byType[s.Type] = d
		c.b.defs = append(c.b.defs, d)
	}
}

// nameDefs gives each definition its key: the type's name, or package__name for every type of a name that two types
// share. Instances of a generic type are told apart by the packages of their arguments.
func (b *builder) nameDefs() error {
	short := func(d *def) string { return defName(d.typeName()) }
	withPackage := func(d *def) string {
		path := d.shape.Type.PkgPath()
		return defName(path[strings.LastIndexByte(path, '/')+1:]) + "__" + short(d)
	}
	withArguments := func(d *def) string {
		name := d.shape.Type.Name()
		if !strings.Contains(name, "[") {
			return withPackage(d)
		}
		return defName(strings.ReplaceAll(lastOfPaths(name), ".", "__"))
	}
	withPath := func(d *def) string { return defName(d.shape.Type.PkgPath()) + "__" + short(d) }
	for _, name := range []func(*def) string{short, withArguments, withPackage, withPath, func(d *def) string { return defName(d.shape.Type.PkgPath() + "." + d.shape.Type.Name()) }} {
		count := map[string]int{}
		for _, d := range b.defs {
			if d.name == "" {
				count[name(d)]++
			}
		}
		for _, d := range b.defs {
			if d.name == "" && count[name(d)] == 1 {
				d.name = name(d)
			}
		}
	}
	for _, d := range b.defs {
		if d.name == "" {
			b.path = []string{d.typeName()}
			return b.fail("another type has the same name in the same package; rename one of them")
		}
	}
	return nil
}

// defName keeps what a JSON pointer and every host can read: Page[Addr] becomes Page_Addr_.
func defName(name string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '.' || r == '-' || r > 127 {
			return r
		}
		return '_'
	}, name)
}

// addDefs writes the definitions into root, sorted by key.
func (b *builder) addDefs(root *object) error {
	if len(b.defs) == 0 {
		return nil
	}
	slices.SortFunc(b.defs, func(x, y *def) int { return strings.Compare(x.name, y.name) })
	var p properties
	for _, d := range b.defs {
		b.path = []string{typeName(d.shape.Type)}
		if d.place != "" {
			b.path[0] = d.place + " (" + b.path[0] + ")"
		}
		o, err := b.definition(d)
		if err != nil {
			return err
		}
		p.add(d.name, o)
	}
	defs := p.json()
	root.set("$defs", defs)
	if b.cfg.Accepts == nil {
		return nil
	}
	for _, d := range b.presets {
		o, err := parse(d.schema)
		if err != nil {
			return err
		}
		o.set("$defs", defs)
		if !b.cfg.Accepts(o.json(), d.value) {
			return d.fault
		}
	}
	return nil
}
