package audit

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/diptych-mcp/diptych/cmd/diptych/internal/peer"
	"github.com/diptych-mcp/diptych/cmd/diptych/internal/tree"
)

// This file checks what JSON Schema allows and hosts are known to refuse. An input schema travels on to a model's API,
// which reads a subset of JSON Schema; an output schema is compiled by the host, often in JavaScript.

func (a *auditor) hosts(t peer.Tool) {
	if root, err := tree.Parse(t.Input); err == nil && root.Kind == tree.Object {
		for _, keyword := range []string{"anyOf", "oneOf", "allOf"} {
			if root.Get(keyword) != nil {
				a.found("host-composition", "inputSchema", keyword+" stands at the root")
			}
		}
		s := schemaWalk{side: "inputSchema", a: a, root: root}
		s.visit(root, "", 0)
		if s.references > 0 {
			a.found("host-reference", "inputSchema", fmt.Sprintf("$ref is used %s", times(s.references)))
		}
	}
	if root, err := tree.Parse(t.Output); err == nil && root.Kind == tree.Object {
		if dialect := root.Str("$schema"); dialect != "" && !strings.Contains(dialect, "draft-07") {
			a.found("host-dialect", "outputSchema", "$schema names "+cut(dialect))
		}
		s := schemaWalk{side: "outputSchema", a: a, root: root}
		s.visit(root, "", 0)
	}
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
