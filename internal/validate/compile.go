package validate

import (
	"fmt"
	"strings"

	"github.com/diptych-mcp/diptych/internal/jsontext"
)

// This file turns the text of a schema into nodes, keyword by keyword. References are followed in reference.go.

// A compiler has what is known while one schema is compiled.
type compiler struct {
	root    *value
	id      string // of the root, which references may spell out
	nodes   map[*value]*node
	order   []*node // as they were met
	limit   int     // of nodes
	ways    int     // limit of alternatives that one value may have to be checked against
	anchors map[string]*node
	refs    []reference
	anyNode *node
	slow    bool
	tracks  bool
	program int // instructions of all patterns
}

// Compile compiles a schema that describes documents whole.
func Compile(schema []byte) (*Checker, error) {
	root, err := parseSchema(schema, jsontext.MaxDepth)
	if err != nil {
		return nil, err
	}
	c := compiler{root: root, limit: maxNodes, ways: maxWays}
	return c.compile()
}

func parseSchema(schema []byte, depth int) (*value, error) {
	root, flawed := parse(schema, depth)
	if flawed {
		f := flaws(root)[0]
		return nil, fmt.Errorf("schema: %s at byte %d", f.Rule, f.Start)
	}
	return root, nil
}

func (c *compiler) compile() (*Checker, error) {
	c.nodes = make(map[*value]*node)
	c.anchors = make(map[string]*node)
	c.anyNode = everything()
	c.anyNode.gap, c.anyNode.items, c.anyNode.additional = true, c.anyNode, c.anyNode
	if id := c.root.find("$id"); c.root.kind == kindObject && id != nil {
		c.id = strings.TrimSuffix(id.str, "#")
	}
	root, err := c.schema(c.root, "")
	if err != nil {
		return nil, err
	}
	if err := c.resolve(); err != nil {
		return nil, err
	}
	s := survey{chain: make(map[*node]int), ways: make(map[*node]int)}
	for _, n := range c.order {
		if err := s.visit(n); err != nil {
			return nil, err
		}
	}
	if s.most > c.ways {
		return nil, fmt.Errorf("schema: %d ways to check one value against it; at most %d are followed", s.most, c.ways)
	}
	for _, n := range c.order {
		n.shorten()
	}
	for _, n := range c.order {
		n.findPresets()
	}
	checker := &Checker{root: root, open: c.anyNode, slow: c.slow, tracks: c.tracks}
	if t := c.root.find("title"); t != nil {
		checker.title = t.str
	}
	checker.passes.New = func() any { return new(pass) }
	return checker, nil
}

// errorf says what is wrong with a schema, and where.
func errorf(at, format string, args ...any) error {
	if at == "" {
		at = "/"
	}
	return fmt.Errorf("schema: %s: %w", at, fmt.Errorf(format, args...))
}

func wants(at string, v *value, k kind) error {
	if v.kind&k == 0 {
		return errorf(at, "%s", ruleKind(v.kind, k))
	}
	return nil
}

// step appends a reference token to a JSON pointer (RFC 6901).
func step(at, name string) string {
	if strings.ContainsAny(name, "~/") {
		name = strings.NewReplacer("~", "~0", "/", "~1").Replace(name)
	}
	return at + "/" + name
}

func (c *compiler) schema(v *value, at string) (*node, error) {
	if n := c.nodes[v]; n != nil {
		return n, nil
	}
	if len(c.order) >= c.limit {
		return nil, errorf(at, "more than %d subschemas", c.limit)
	}
	n := everything()
	n.at = at
	c.nodes[v] = n
	c.order = append(c.order, n)
	n.additional, n.items = c.anyNode, c.anyNode
	switch v.kind {
	case kindBoolean:
		if v.raw[0] == 'f' {
			n.never, n.kinds = true, 0
		}
		return n, nil
	case kindObject:
	default:
		return nil, errorf(at, "%s", ruleKind(v.kind, kindBoolean|kindObject))
	}
	for i := range v.members {
		m := &v.members[i]
		if err := c.keyword(n, v, m.name, m.value, step(at, m.name)); err != nil {
			return nil, err
		}
	}
	return n, c.finish(n, v)
}

// keyword compiles one member of a schema. What it does not know is an annotation.
func (c *compiler) keyword(n *node, parent *value, name string, v *value, at string) (err error) {
	switch name {
	case "type":
		return c.kinds(n, v, at)
	case "enum":
		if err := wants(at, v, kindArray); err != nil {
			return err
		}
		n.enum = intersect(n.enum, newEnumeration(v.items, false))
	case "const":
		n.enum = intersect(n.enum, newEnumeration([]*value{v}, true))

	case "minLength":
		n.minLength, err = count(v, at)
	case "maxLength":
		n.maxLength, err = count(v, at)
	case "minItems":
		n.minItems, err = count(v, at)
	case "maxItems":
		n.maxItems, err = count(v, at)
	case "minProperties":
		n.minProperties, err = count(v, at)
	case "maxProperties":
		n.maxProperties, err = count(v, at)

	case "pattern":
		n.pattern, err = c.pattern(v, at)
	case "format":
		if err := wants(at, v, kindString); err != nil {
			return err
		}
		n.format = formatNamed(v.str)
	case "contentEncoding":
		if err := wants(at, v, kindString); err != nil {
			return err
		}
		n.base64 = strings.EqualFold(v.str, "base64")

	case "minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum":
		return c.bound(n, name, v, at)
	case "multipleOf":
		d, err := schemaNumber(v, at)
		if err != nil {
			return err
		}
		m, ok := newDivisor(&d)
		if !ok {
			return errorf(at, "not a positive number of at most %d digits", maxDivisorDigits)
		}
		n.multiple, n.multipleText = &m, string(v.raw)

	case "items":
		n.items, err = c.schema(v, at)
	case "prefixItems":
		n.prefix, err = c.schemas(v, at)
	case "uniqueItems":
		n.unique, err = flag(v, at)

	case "properties":
		return c.properties(n, v, at)
	case "required":
		// Compiled in finish, once the declared properties are known.
	case "additionalProperties":
		n.additional, err = c.schema(v, at)
	case "propertyNames":
		n.names, err = c.schema(v, at)

	case "allOf":
		n.allOf, err = c.schemas(v, at)
	case "anyOf":
		n.anyOf, err = c.schemas(v, at)
	case "oneOf":
		n.oneOf, err = c.schemas(v, at)
	case "not":
		n.not, err = c.schema(v, at)

	case "$ref", "$dynamicRef":
		if err := wants(at, v, kindString); err != nil {
			return err
		}
		c.refs = append(c.refs, reference{n, v.str, at})
	case "$anchor", "$dynamicAnchor":
		if err := wants(at, v, kindString); err != nil {
			return err
		}
		if other := c.anchors[v.str]; other != nil && other != n {
			return errorf(at, "anchor %q is also at %q; give each its own name", v.str, other.at)
		}
		c.anchors[v.str] = n
	case "$defs":
		return c.definitions(v, at)
	case "$id":
		if parent != c.root {
			return errorf(at, "a document within the document; move it to $defs and drop its $id")
		}
		return wants(at, v, kindString)
	case "$schema":
		return dialect(v, at)
	case "$recursiveRef":
		return errorf(at, "not a keyword of draft 2020-12; use $dynamicRef")
	case "dependencies":
		return errorf(at, "not a keyword of draft 2020-12; use dependentRequired or dependentSchemas")
	case "additionalItems":
		return errorf(at, "not a keyword of draft 2020-12; use prefixItems and items")
	case "default":
		n.fallback = v
	case "title":
		n.title = v.str
	default:
		return c.rare(n, name, v, at)
	}
	return err
}

// dialect accepts the drafts whose common keywords mean the same; those that differ are refused one by one.
func dialect(v *value, at string) error {
	switch strings.TrimSuffix(strings.TrimPrefix(strings.TrimPrefix(v.str, "https:"), "http:"), "#") {
	case "//json-schema.org/draft/2020-12/schema", "//json-schema.org/draft/2019-09/schema",
		"//json-schema.org/draft-07/schema", "//json-schema.org/draft-06/schema":
		return nil
	}
	return errorf(at, "an unknown dialect; use https://json-schema.org/draft/2020-12/schema")
}
