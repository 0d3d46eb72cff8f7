// Package arguments makes a tool's arguments: from words that a person typed, or out of the schema alone.
package arguments

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/diptych-mcp/diptych/cmd/diptych/internal/tree"
	"github.com/diptych-mcp/diptych/internal/jsontext"
	"github.com/diptych-mcp/diptych/internal/nearest"
)

// Parse turns key=value words into the arguments that the input schema types. A key given more than once is a list; the
// value of an object, or of a list as a whole, is JSON. What key:=value gives is JSON, sent as it is.
func Parse(schema []byte, words []string) (json.RawMessage, error) {
	root, err := tree.Parse(schema)
	if err != nil {
		root = &tree.Node{Kind: tree.Object}
	}
	given := make(map[string][]string)
	raw := make(map[string]json.RawMessage)
	var order []string
	for _, word := range words {
		key, value, ok := strings.Cut(word, "=")
		if !ok || key == "" {
			return nil, fmt.Errorf("%q is no argument; write key=value, or --args JSON", word)
		}
		if name, ok := strings.CutSuffix(key, ":"); ok && name != "" && root.Get("properties").Get(key) == nil {
			if !json.Valid([]byte(value)) {
				return nil, fmt.Errorf("%s: %q is no JSON; write %s=… for text", name, value, name)
			}
			key, raw[name] = name, json.RawMessage(value)
		}
		if _, twice := given[key]; !twice {
			order = append(order, key)
		}
		given[key] = append(given[key], value)
	}
	var b bytes.Buffer
	b.WriteByte('{')
	for i, key := range order {
		property, err := property(root, key)
		if err != nil {
			return nil, err
		}
		value, isRaw := raw[key]
		if isRaw && len(given[key]) > 1 {
			return nil, fmt.Errorf("%s: given %d times, and once as JSON; write the whole list as JSON", key, len(given[key]))
		}
		if !isRaw {
			if value, err = typed(root, property, given[key]); err != nil {
				return nil, fmt.Errorf("%s: %w", key, err)
			}
		}
		if i > 0 {
			b.WriteByte(',')
		}
		b.Write(quote(key))
		b.WriteByte(':')
		b.Write(value)
	}
	b.WriteByte('}')
	if missing := missing(root, given); len(missing) > 0 {
		return nil, fmt.Errorf("missing %s; add %s", strings.Join(missing, " and "), strings.Join(missing, "=… ")+"=…")
	}
	return b.Bytes(), nil
}

// property is the schema of the argument called key. Nil means that anything goes.
func property(root *tree.Node, key string) (*tree.Node, error) {
	properties := root.Get("properties")
	if p := properties.Get(key); p != nil {
		return p, nil
	}
	rest := root.Get("additionalProperties")
	if rest.Is(tree.Object) || rest != nil && string(rest.Raw) == "true" {
		return rest, nil
	}
	var names []string
	if properties != nil {
		for _, m := range properties.Members {
			names = append(names, m.Name)
		}
	}
	switch {
	case len(names) == 0 && rest == nil && properties == nil:
		return nil, nil
	case len(names) == 0:
		return nil, fmt.Errorf("unknown argument %q; the tool takes none", key)
	}
	if match, ok := nearest.To(key, names); ok {
		return nil, fmt.Errorf("unknown argument %q; did you mean %q?", key, match)
	}
	return nil, fmt.Errorf("unknown argument %q; the tool takes %s", key, strings.Join(names, ", "))
}

func missing(root *tree.Node, given map[string][]string) []string {
	var names []string
	for _, name := range root.List("required") {
		if name.Is(tree.String) && given[name.Text] == nil {
			names = append(names, name.Text)
		}
	}
	return names
}

// typed reads one argument by its schema.
func typed(root, schema *tree.Node, values []string) (json.RawMessage, error) {
	if len(values) > 1 {
		return list(root, schema, values)
	}
	value := values[0]
	kinds := kindsOf(root, schema)
	if choices := choicesOf(root, schema); len(choices) > 0 {
		return choice(choices, value)
	}
	// From the strictest kind to text, which takes everything.
	switch text := strings.TrimSpace(value); {
	case kinds["null"] && text == "null":
		return json.RawMessage("null"), nil
	case kinds["boolean"] && (text == "true" || text == "false"):
		return json.RawMessage(text), nil
	case (kinds["integer"] || kinds["number"]) && number(text) && (kinds["number"] || whole(text)):
		return json.RawMessage(text), nil
	case kinds["object"] && strings.HasPrefix(text, "{") && json.Valid([]byte(text)),
		kinds["array"] && strings.HasPrefix(text, "[") && json.Valid([]byte(text)):
		return json.RawMessage(text), nil
	case kinds["string"]:
		return quote(value), nil
	case kinds["array"]:
		return list(root, schema, values)
	case len(kinds) == 0:
		if json.Valid([]byte(text)) && text != "" {
			return json.RawMessage(text), nil
		}
		return quote(value), nil
	}
	return nil, fmt.Errorf("got %q, want %s", value, names(kinds))
}

// list is a key given several times, or an array given as its one item.
func list(root, schema *tree.Node, values []string) (json.RawMessage, error) {
	kinds := kindsOf(root, schema)
	if len(kinds) > 0 && !kinds["array"] {
		return nil, fmt.Errorf("given %d times, but it is no list; give it once", len(values))
	}
	target, _ := tree.Follow(root, schema)
	items := target.Get("items")
	for _, arm := range append(target.List("anyOf"), target.List("oneOf")...) {
		if arm, _ = tree.Follow(root, arm); items == nil && arm.Str("type") == "array" {
			items = arm.Get("items")
		}
	}
	var b bytes.Buffer
	for i, value := range values {
		item, err := typed(root, items, []string{value})
		if err != nil {
			return nil, fmt.Errorf("item %d: %w", i+1, err)
		}
		b.WriteByte("[,"[min(i, 1)])
		b.Write(item)
	}
	b.WriteByte(']')
	return b.Bytes(), nil
}

func choice(choices []*tree.Node, value string) (json.RawMessage, error) {
	var names []string
	for _, c := range choices {
		text := string(c.Raw)
		if c.Kind == tree.String {
			text = c.Text
		}
		if text == value {
			return json.RawMessage(c.Raw), nil
		}
		names = append(names, text)
	}
	if match, ok := nearest.To(value, names); ok {
		return nil, fmt.Errorf("got %q; did you mean %q?", value, match)
	}
	return nil, fmt.Errorf("got %q, want %s", value, or(names))
}

// kindsOf is what type allows, through references and alternatives; empty means that the schema does not say.
func kindsOf(root, schema *tree.Node) map[string]bool {
	kinds, visits := make(map[string]bool), maxVisits
	addKinds(kinds, root, schema, &visits)
	return kinds
}

func addKinds(kinds map[string]bool, root, schema *tree.Node, visits *int) {
	n, _ := tree.Follow(root, schema)
	if *visits--; n == nil || *visits < 0 {
		return
	}
	if kind := n.Str("type"); kind != "" {
		kinds[kind] = true
	}
	for _, kind := range n.List("type") {
		kinds[kind.Text] = true
	}
	for _, arm := range append(append([]*tree.Node(nil), n.List("anyOf")...), n.List("oneOf")...) {
		addKinds(kinds, root, arm, visits)
	}
	if n.Get("type") == nil && n.Get("properties") != nil {
		kinds["object"] = true
	}
}

// choicesOf is a closed set of values: enum, const, or alternatives that are all such.
func choicesOf(root, schema *tree.Node) []*tree.Node {
	visits := maxVisits
	return choicesWithin(root, schema, &visits)
}

func choicesWithin(root, schema *tree.Node, visits *int) []*tree.Node {
	n, _ := tree.Follow(root, schema)
	if *visits--; n == nil || *visits < 0 {
		return nil
	}
	if c := n.Get("const"); c != nil {
		return []*tree.Node{c}
	}
	if values := n.List("enum"); len(values) > 0 {
		return values
	}
	var all []*tree.Node
	for _, arm := range append(append([]*tree.Node(nil), n.List("anyOf")...), n.List("oneOf")...) {
		if arm.Str("type") == "null" {
			all = append(all, &tree.Node{Raw: []byte("null")})
			continue
		}
		values := choicesWithin(root, arm, visits)
		if len(values) == 0 {
			return nil
		}
		all = append(all, values...)
	}
	return all
}

func number(text string) bool {
	return text != "" && (text[0] == '-' || text[0] >= '0' && text[0] <= '9') && json.Valid([]byte(text))
}

func whole(text string) bool { return !strings.ContainsAny(text, ".eE") }

func names(kinds map[string]bool) string {
	var list []string
	for _, kind := range []string{"string", "integer", "number", "boolean", "array", "object", "null"} {
		if kinds[kind] {
			list = append(list, map[string]string{"array": "a list as JSON", "object": "an object as JSON", "boolean": "true or false"}[kind])
			if list[len(list)-1] == "" {
				list[len(list)-1] = kind
			}
		}
	}
	return or(list)
}

// or is "a, b or c", cut where it is long.
func or(list []string) string {
	if len(list) > maxChoices {
		list = append(list[:maxChoices:maxChoices], "…")
	}
	if len(list) < 2 {
		return strings.Join(list, "")
	}
	return strings.Join(list[:len(list)-1], ", ") + " or " + list[len(list)-1]
}

func quote(s string) json.RawMessage {
	return jsontext.AppendString(nil, strings.ToValidUTF8(s, "\ufffd"))
}

// Answer reads one line that a person typed for one field.
func Answer(schema *tree.Node, line string) (json.RawMessage, error) {
	if kindsOf(schema, schema)["array"] && !strings.HasPrefix(line, "[") {
		values := strings.Split(line, ",")
		for i := range values {
			values[i] = strings.TrimSpace(values[i])
		}
		return list(schema, schema, values)
	}
	return typed(schema, schema, []string{line})
}

// Hint is what a field takes, in a few words.
func Hint(schema *tree.Node) string {
	if choices := choicesOf(schema, schema); len(choices) > 0 {
		var names []string
		for _, c := range choices {
			if c.Kind == tree.String {
				names = append(names, c.Text)
			} else {
				names = append(names, string(c.Raw))
			}
		}
		return or(names)
	}
	kinds := kindsOf(schema, schema)
	if kinds["array"] {
		if items := choicesOf(schema, schema.Get("items")); len(items) > 0 {
			return "any of " + Hint(schema.Get("items")) + ", with commas between"
		}
		return "a list, with commas between"
	}
	if format := schema.Str("format"); format != "" && kinds["string"] {
		return format
	}
	if len(kinds) == 0 {
		return "text"
	}
	return names(kinds)
}
