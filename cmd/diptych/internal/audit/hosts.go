package audit

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/diptych-mcp/diptych/cmd/diptych/internal/peer"
	"github.com/diptych-mcp/diptych/cmd/diptych/internal/tree"
)

// This file checks what JSON Schema allows and hosts are known to refuse. An input schema travels on to a model's API,
// which reads a subset of JSON Schema; an output schema is compiled by the host, often in JavaScript.

func (a *auditor) hosts(t peer.Tool) {
	if root := read(t.Input); root.Is(tree.Object) {
		for _, keyword := range []string{"anyOf", "oneOf", "allOf"} {
			if root.Get(keyword) != nil {
				a.found("host-composition", "inputSchema", keyword+" stands at the root")
			}
		}
		if root.Str("type") == "object" && root.Get("properties") == nil {
			a.found("host-properties", "inputSchema", "there are no properties")
		}
		s := schemaWalk{side: "inputSchema", a: a, root: root}
		s.visit(root, "", 0)
		if s.references > 0 {
			a.found("host-reference", "inputSchema", fmt.Sprintf("$ref is used %s", times(s.references)))
		}
		if at, ok := recursion(root); ok {
			a.found("host-recursion", "inputSchema", at+" leads back to itself")
		}
		if len(s.hidden) > 0 {
			a.found("host-hidden", "inputSchema", "no description mentions "+several(s.hidden))
		}
	}
	if root := read(t.Output); root.Is(tree.Object) {
		a.dialect(root.Str("$schema"))
		s := schemaWalk{side: "outputSchema", a: a, root: root}
		s.visit(root, "", 0)
	}
}

// dialect looks at what an output schema says of itself. Validators of hosts know one dialect or the other.
func (a *auditor) dialect(name string) {
	switch {
	case name == "":
	case strings.Contains(name, "2020-12"):
		a.found("host-dialect", "outputSchema", "$schema names "+cut(name))
	default:
		a.found("output-dialect", "outputSchema", "$schema names "+cut(name))
	}
}

// recursion returns a reference of a schema that leads back to itself.
func recursion(root *tree.Node) (at string, found bool) {
	done, budget := make(map[string]bool), maxSubschemas
	var visit func(n *tree.Node, open []string, depth int)
	visit = func(n *tree.Node, open []string, depth int) {
		if budget--; found || n == nil || budget < 0 || depth > maxDepth {
			return
		}
		if ref := n.Str("$ref"); ref != "" && n.Kind == tree.Object {
			if slices.Contains(open, ref) || ref == "#" {
				at, found = ref, true
				return
			}
			if !done[ref] {
				done[ref] = true
				target, _ := tree.Follow(root, n)
				visit(target, append(open[:len(open):len(open)], ref), depth+1)
			}
		}
		for _, m := range n.Members {
			if m.Name != "$defs" && m.Name != "definitions" && m.Name != "enum" && m.Name != "const" && m.Name != "default" && m.Name != "examples" {
				visit(m.Value, open, depth+1)
			}
		}
		for _, item := range n.Items {
			visit(item, open, depth+1)
		}
	}
	visit(root, nil, 0)
	return cut(at), found
}

func times(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}

// A schemaWalk visits the subschemas of one schema.
type schemaWalk struct {
	a          *auditor
	root       *tree.Node
	side       string
	references int
	seen       int
	hidden     []string // arguments whose default or bound no description mentions
}

func (s *schemaWalk) visit(n *tree.Node, at string, depth int) {
	if s.seen++; !n.Is(tree.Object) || s.seen > maxSubschemas || depth > maxDepth {
		return
	}
	input := s.side == "inputSchema"
	place := s.side + at
	if n.Get("$ref").Is(tree.String) {
		s.references++
	}
	if p := n.Get("pattern"); p.Is(tree.String) {
		s.pattern(p.Text, place)
	}
	if f := n.Str("format"); f != "" && !knownFormat(f) {
		s.a.found("host-format", place, fmt.Sprintf("the format %q is none of JSON Schema's", cut(f)))
	}
	if input && n.Str("type") == "array" && n.Get("items") == nil && n.Get("prefixItems") == nil {
		s.a.found("host-items", place, "the list has no items schema")
	}
	if input {
		s.argument(n, place, at, depth)
	}
	for _, m := range n.Members {
		below := at + "/" + m.Name
		switch m.Name {
		case "properties", "$defs", "definitions", "dependentSchemas", "patternProperties":
			if !m.Value.Is(tree.Object) {
				continue
			}
			for _, p := range m.Value.Members {
				if input && m.Name == "properties" && !spelt(p.Name, "_-.", maxNarrow) {
					s.a.found("host-key", place, fmt.Sprintf("the name %q is more than some hosts allow", cut(p.Name)))
				}
				if m.Name == "patternProperties" {
					s.pattern(p.Name, place)
				}
				s.visit(p.Value, below+"/"+p.Name, depth+1)
			}
		case "items", "additionalProperties", "not", "if", "then", "else", "contains", "propertyNames", "unevaluatedItems", "unevaluatedProperties":
			s.visit(m.Value, below, depth+1)
		case "anyOf", "oneOf", "allOf", "prefixItems":
			if !m.Value.Is(tree.Array) {
				continue
			}
			for i, item := range m.Value.Items {
				s.visit(item, fmt.Sprintf("%s/%d", below, i), depth+1)
			}
		}
	}
}

// argument looks at one schema of the input, below its root.
func (s *schemaWalk) argument(n *tree.Node, place, at string, depth int) {
	if n.Str("format") == "email" {
		s.a.found("host-email", place, `the format is "email"`)
	}
	values := n.List("enum")
	for _, v := range values {
		if !v.Is(tree.String) && !v.Is(tree.Null) {
			s.a.found("host-enum-type", place, "the enum holds a value that is no text ("+v.Kind.String()+")")
			break
		}
	}
	if slices.ContainsFunc(values, func(v *tree.Node) bool { return v.Is(tree.String) && v.Text == "" }) {
		s.a.found("host-enum-empty", place, `the enum holds ""`)
	}
	if n.Get("type").Is(tree.Array) {
		s.a.found("host-type-list", place, "the type is a list of types")
	}
	if !valued(at) {
		return
	}
	if n.Get("type") == nil && n.Get("$ref") == nil && n.Get("anyOf") == nil && n.Get("oneOf") == nil && n.Get("allOf") == nil {
		s.a.found("host-type", place, "there is no type")
	}
	if name := at[strings.LastIndexByte(at, '/')+1:]; s.unsaid(n) && depth > 0 {
		s.hidden = append(s.hidden, name)
	}
}

// valued reports whether the schema at a place is that of a value: of a property or of an item.
func valued(at string) bool {
	parts := strings.Split(at, "/")
	return parts[len(parts)-1] == "items" || len(parts) > 1 && (parts[len(parts)-2] == "properties" || parts[len(parts)-2] == "prefixItems")
}

// unsaid reports whether no description mentions a default or a bound of an argument.
func (s *schemaWalk) unsaid(n *tree.Node) bool {
	text := strings.ToLower(n.Str("description") + " " + s.root.Str("description"))
	for _, keyword := range []string{"default", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength", "maxLength", "minItems", "maxItems"} {
		v := n.Get(keyword)
		switch {
		case v.Is(tree.Number) && !(keyword != "default" && (v.Text == "0" || v.Text == "1")), v.Is(tree.Boolean) && keyword == "default":
			if !strings.Contains(text, strings.ToLower(string(v.Raw))) {
				return true
			}
		case v.Is(tree.String) && v.Text != "" && keyword == "default":
			if !strings.Contains(text, strings.ToLower(v.Text)) {
				return true
			}
		}
	}
	return false
}

// pattern holds a pattern against the two engines that hosts use. One that JavaScript refuses in an output schema costs the
// whole list: the official TypeScript client compiles every output schema of a list and fails with the first.
func (s *schemaWalk) pattern(text, place string) {
	if len(text) > maxPattern {
		s.a.found("host-pattern", place, "the pattern is longer than 4096 characters", "shorten it: engines bound what they compile")
		return
	}
	if why := notJavaScript(text); why != "" {
		id := "host-pattern"
		if s.side == "outputSchema" {
			id = "output-pattern"
		}
		s.a.found(id, place, "the pattern "+why)
		return
	}
	if _, err := regexp.Compile(text); err != nil {
		s.a.found("host-pattern", place, "the pattern does not compile in RE2, which hosts in Go use")
	}
}

func knownFormat(f string) bool {
	switch f {
	case "date-time", "date", "time", "duration", "email", "idn-email", "hostname", "idn-hostname", "ipv4", "ipv6", "uri",
		"uri-reference", "iri", "iri-reference", "uuid", "uri-template", "json-pointer", "relative-json-pointer", "regex":
		return true
	}
	return false
}
