// Package notation writes a JSON Schema the way a programmer writes a type.
//
//	find_slots(room_id: string, day: string, minutes?: 30|60|120 = 60) -> [Slot{room_id: string, start: string}]
//
// It is for reading: bounds and formats show where they are short, what is long is cut with an ellipsis, and a type that
// has a name is written out once.
package notation

import (
	"strings"

	"github.com/diptych-mcp/diptych/cmd/diptych/internal/tree"
)

// Text is the notation of a tool that publishes no output schema.
const Text = "text"

// Signature is a tool's name with what goes in and what comes out. A schema that cannot be read is "?".
func Signature(name string, input, output []byte) string {
	return name + Parameters(input) + " -> " + Result(output)
}

// Parameters writes an input schema as a parameter list.
func Parameters(schema []byte) string {
	root, err := tree.Parse(schema)
	if err != nil || root.Kind != tree.Object {
		return "(?)"
	}
	w := writer{root: root, met: make(map[string]bool)}
	w.text("(")
	if p := root.Get("properties"); root.Get("additionalProperties").Is(tree.Object) && (p == nil || len(p.Members) == 0) {
		w.object(root, "", 0)
	} else {
		w.properties(root, 0)
	}
	w.text(")")
	return w.String()
}

// Result writes an output schema. The wrapper round what is no object, {"result": …}, is left out.
func Result(schema []byte) string {
	if len(schema) == 0 {
		return Text
	}
	root, err := tree.Parse(schema)
	if err != nil {
		return "?"
	}
	w := writer{root: root, met: make(map[string]bool)}
	n := root
	if inner := Wrapped(root); inner != nil {
		n = inner
	}
	w.schema(n, 0)
	return w.String()
}

// Wrapped returns the schema of the one required property "result" of a wrapper, or nil where root is none.
func Wrapped(root *tree.Node) *tree.Node {
	properties := root.Get("properties")
	if properties.Is(tree.Object) && len(properties.Members) == 1 && root.Has("required", "result") {
		return properties.Get("result")
	}
	return nil
}

// A writer writes one type. It stops at a length that no person reads.
type writer struct {
	strings.Builder
	root *tree.Node
	met  map[string]bool // named types already written out
	part *tree.Node      // the property being written, whose title is its own and no type's
	full bool
}

func (w *writer) text(s string) {
	if w.full {
		return
	}
	if w.Len()+len(s) > maxLength {
		w.full = true
		s = "…"
	}
	w.WriteString(s)
}

// schema writes the type of any value.
func (w *writer) schema(n *tree.Node, depth int) {
	if depth > maxNested || w.full {
		w.text("…")
		return
	}
	if n.Is(tree.Boolean) {
		w.text(map[string]string{"true": "any", "false": "never"}[string(n.Raw)])
		return
	}
	n, name := tree.Follow(w.root, n)
	if n == nil {
		w.text("?")
		return
	}
	if name != "" {
		if w.met[name] {
			w.text(name)
			return
		}
		w.met[name] = true
	}
	for _, keyword := range []string{"anyOf", "oneOf"} {
		if arms := n.List(keyword); len(arms) > 0 {
			w.choice(arms, depth, w.schema)
			return
		}
	}
	if arms := n.List("allOf"); len(arms) > 0 && n.Get("properties") == nil {
		for i, arm := range arms {
			if i > 0 {
				w.text(" & ")
			}
			w.schema(arm, depth+1)
		}
		return
	}
	if c := n.Get("const"); c != nil {
		w.text(string(c.Raw))
		return
	}
	if values := n.List("enum"); len(values) > 0 {
		w.choice(values, depth, func(v *tree.Node, _ int) { w.text(string(v.Raw)) })
		return
	}
	if kinds := n.List("type"); len(kinds) > 0 {
		w.choice(kinds, depth, func(k *tree.Node, _ int) { w.kind(k.Text, n, name, depth) })
		return
	}
	w.kind(n.Str("type"), n, name, depth)
}

// choice writes alternatives, null last, the many cut.
func (w *writer) choice(arms []*tree.Node, depth int, write func(*tree.Node, int)) {
	first := true
	put := func(arm *tree.Node) {
		if !first {
			w.text("|")
		}
		first = false
		write(arm, depth+1)
	}
	null := func(arm *tree.Node) bool {
		return arm.Is(tree.Null) || arm.Str("type") == "null" || arm.Is(tree.String) && arm.Text == "null"
	}
	for i, arm := range arms {
		if i == maxChoice {
			w.text("|…")
			return
		}
		if !null(arm) {
			put(arm)
		}
	}
	for _, arm := range arms {
		if null(arm) {
			put(arm)
		}
	}
}

func (w *writer) kind(kind string, n *tree.Node, name string, depth int) {
	if kind == "" {
		switch {
		case n.Get("properties") != nil || n.Get("additionalProperties") != nil:
			kind = "object"
		case n.Get("items") != nil || n.Get("prefixItems") != nil:
			kind = "array"
		}
	}
	switch kind {
	case "object":
		w.object(n, name, depth)
	case "array":
		w.array(n, depth)
	case "string":
		w.text("string")
		if format := n.Str("format"); format != "" {
			w.text(":" + format)
		} else if n.Str("contentEncoding") == "base64" {
			w.text(":base64")
		}
	case "integer", "number":
		w.text(kind + bounds(n))
	case "":
		w.text("any")
	default:
		w.text(kind)
	}
}

// bounds is " 0..100", " 0.." or "..100".
func bounds(n *tree.Node) string {
	low, high := n.Get("minimum"), n.Get("maximum")
	if !low.Is(tree.Number) && !high.Is(tree.Number) {
		return ""
	}
	s := " "
	if low.Is(tree.Number) {
		s += low.Text
	}
	s += ".."
	if high.Is(tree.Number) {
		s += high.Text
	}
	return s
}

func (w *writer) array(n *tree.Node, depth int) {
	if prefix := n.List("prefixItems"); len(prefix) > 0 {
		w.text("(")
		for i, item := range prefix {
			if i > 0 {
				w.text(", ")
			}
			w.schema(item, depth+1)
		}
		w.text(")")
		return
	}
	w.text("[")
	if items := n.Get("items"); items != nil {
		w.schema(items, depth+1)
	} else {
		w.text("any")
	}
	w.text("]")
}

func (w *writer) object(n *tree.Node, name string, depth int) {
	if title := n.Str("title"); name == "" && n != w.part && (depth > 0 || !strings.HasSuffix(title, "Output")) {
		name = typeName(title)
	}
	properties, rest := n.Get("properties"), n.Get("additionalProperties")
	if (properties == nil || len(properties.Members) == 0) && (rest.Is(tree.Object) || name == "" && rest.Is(tree.Boolean) && string(rest.Raw) == "true") {
		w.text("{string: ")
		w.schema(rest, depth+1)
		w.text("}")
		return
	}
	if properties == nil {
		if name == "" {
			name = "object"
		}
		w.text(name)
		return
	}
	w.text(name + "{")
	w.properties(n, depth)
	w.text("}")
}

// typeName is the title where it is written like the name of a type.
func typeName(title string) string {
	for i, r := range title {
		if !(r == '_' || r >= 'A' && r <= 'Z' || i > 0 && (r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '[' || r == ']')) {
			return ""
		}
	}
	return title
}

func (w *writer) properties(n *tree.Node, depth int) {
	properties := n.Get("properties")
	if properties == nil {
		return
	}
	for i, m := range properties.Members {
		if i > 0 {
			w.text(", ")
		}
		w.text(m.Name)
		if !n.Has("required", m.Name) {
			w.text("?")
		}
		w.text(": ")
		w.part = m.Value
		w.schema(m.Value, depth+1)
		if d := m.Value.Get("default"); d != nil && d.Kind != tree.Null && len(d.Raw) <= 40 {
			w.text(" = " + string(d.Raw))
		}
		if w.full {
			return
		}
	}
}
