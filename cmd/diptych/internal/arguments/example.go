package arguments

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/diptych-mcp/diptych/cmd/diptych/internal/tree"
	"github.com/diptych-mcp/diptych/internal/validate"
)

// Example makes arguments out of an input schema alone: its examples and defaults first, the smallest sensible values
// where there are none. Only what is required is filled in. The error says why nothing that fits could be made.
func Example(schema []byte) (json.RawMessage, error) {
	if err := validate.Screen(schema); err != nil {
		return nil, err
	}
	checker, err := validate.Compile(schema)
	if err != nil {
		return nil, err
	}
	root, err := tree.Parse(schema)
	if err != nil {
		return nil, err
	}
	m := maker{root: root}
	var b bytes.Buffer
	m.value(&b, root, "", 0)
	if b.Len() > maxExample {
		return nil, errors.New("arguments made from the schema would be too large")
	}
	if faults := checker.Explain(b.Bytes()); len(faults) > 0 {
		return nil, fmt.Errorf("no arguments could be made that fit the schema (%s %s)", faults[0].Path, faults[0].Rule)
	}
	return b.Bytes(), nil
}

// Wrong returns good arguments with one of them, the named one, of a type that its schema cannot mean. Name is "" where
// every argument takes anything.
func Wrong(schema, good []byte) (bad json.RawMessage, name string) {
	root, err := tree.Parse(schema)
	if err != nil {
		return nil, ""
	}
	given, err := tree.Parse(good)
	if err != nil || root.Get("properties") == nil {
		return nil, ""
	}
	for _, m := range root.Get("properties").Members {
		kinds := kindsOf(root, m.Value)
		var value string
		switch {
		case len(kinds) == 0:
			continue
		case !kinds["object"]:
			value = `{"wrong":"type"}`
		case !kinds["array"]:
			value = `["wrong","type"]`
		default:
			continue
		}
		var b bytes.Buffer
		b.WriteString("{")
		for _, g := range given.Members {
			if g.Name != m.Name {
				b.Write(quote(g.Name))
				b.WriteByte(':')
				b.Write(g.Value.Raw)
				b.WriteByte(',')
			}
		}
		b.Write(quote(m.Name))
		b.WriteString(":" + value + "}")
		return b.Bytes(), m.Name
	}
	return nil, ""
}

type maker struct{ root *tree.Node }

// value appends one value that the schema n should accept.
func (m maker) value(b *bytes.Buffer, n *tree.Node, name string, depth int) {
	n, _ = tree.Follow(m.root, n)
	if depth > maxLevels || b.Len() > maxExample {
		b.WriteString("null")
		return
	}
	for _, given := range []*tree.Node{n.Get("const"), first(n.List("examples")), n.Get("default"), first(n.List("enum"))} {
		if given != nil {
			b.Write(given.Raw)
			return
		}
	}
	for _, keyword := range []string{"anyOf", "oneOf", "allOf"} {
		for _, arm := range n.List(keyword) {
			if n.Get("properties") == nil && arm.Str("type") != "null" {
				m.value(b, arm, name, depth+1)
				return
			}
		}
	}
	kind := n.Str("type")
	if kinds := n.List("type"); len(kinds) > 0 {
		kind = kinds[0].Text
		if kind == "null" && len(kinds) > 1 {
			kind = kinds[1].Text
		}
	}
	switch {
	case kind == "object", kind == "" && n.Get("properties") != nil, kind == "" && depth == 0:
		m.object(b, n, depth)
	case kind == "array":
		m.array(b, n, name, depth)
	case kind == "integer", kind == "number":
		b.WriteString(amount(n))
	case kind == "boolean":
		b.WriteString("false")
	case kind == "null":
		b.WriteString("null")
	default:
		b.Write(quote(word(n, name)))
	}
}

func first(list []*tree.Node) *tree.Node {
	if len(list) == 0 {
		return nil
	}
	return list[0]
}

func (m maker) object(b *bytes.Buffer, n *tree.Node, depth int) {
	b.WriteByte('{')
	for i, required := range n.List("required") {
		if i > 0 {
			b.WriteByte(',')
		}
		b.Write(quote(required.Text))
		b.WriteByte(':')
		m.value(b, n.Get("properties").Get(required.Text), required.Text, depth+1)
	}
	b.WriteByte('}')
}

func (m maker) array(b *bytes.Buffer, n *tree.Node, name string, depth int) {
	prefix := n.List("prefixItems")
	count := len(prefix)
	if least := n.Get("minItems"); least.Is(tree.Number) {
		if k, err := strconv.Atoi(least.Text); err == nil {
			count = min(max(k, count), maxItems)
		}
	}
	b.WriteByte('[')
	for i := range count {
		if i > 0 {
			b.WriteByte(',')
		}
		item := n.Get("items")
		if i < len(prefix) {
			item = prefix[i]
		}
		m.value(b, item, strings.TrimSuffix(name, "s"), depth+1)
	}
	b.WriteByte(']')
}

// amount is 1, or the number nearest to it that the bounds allow.
func amount(n *tree.Node) string {
	bound := func(name string) (float64, bool) {
		b := n.Get(name)
		if !b.Is(tree.Number) {
			return 0, false
		}
		f, err := strconv.ParseFloat(b.Text, 64)
		return f, err == nil
	}
	step := 1.0
	if m, ok := bound("multipleOf"); ok && m > 0 {
		step = m
	}
	value := step
	if low, ok := bound("minimum"); ok && value < low {
		value = low
	}
	if low, ok := bound("exclusiveMinimum"); ok && value <= low {
		value = low + step
	}
	if high, ok := bound("maximum"); ok && value > high {
		value = high
	}
	if high, ok := bound("exclusiveMaximum"); ok && value >= high {
		value = high - step
	}
	return strconv.FormatFloat(value, 'f', -1, 64)
}

// word is a text that fits format, pattern and length, chosen by the argument's name where nothing else says.
func word(n *tree.Node, name string) string {
	text := hint(name)
	if format := formatted(n.Str("format")); format != "" {
		text = format
	}
	if pattern := n.Str("pattern"); pattern != "" {
		if re, err := regexp.Compile(pattern); err == nil && !re.MatchString(text) {
			for _, try := range []string{"a", "A", "A1", "1", "12", "123", "1234", "abc", "ABC", "EUR", "PT", "2026-01-15", "09:00", "a-b", "a_b", "AAPL", "#ffffff", "12345678"} {
				if re.MatchString(try) {
					text = try
					break
				}
			}
		}
	}
	if least := n.Get("minLength"); least.Is(tree.Number) {
		if k, err := strconv.Atoi(least.Text); err == nil && k <= maxExample {
			text += strings.Repeat("x", max(0, k-len(text)))
		}
	}
	if most := n.Get("maxLength"); most.Is(tree.Number) {
		if k, err := strconv.Atoi(most.Text); err == nil && k >= 0 && k < len(text) {
			text = text[:k]
		}
	}
	return text
}

func formatted(format string) string {
	switch format {
	case "date":
		return "2026-01-15"
	case "date-time":
		return "2026-01-15T09:00:00Z"
	case "time":
		return "09:00:00Z"
	case "duration":
		return "PT1H"
	case "email", "idn-email":
		return "someone@example.com"
	case "uri", "url", "iri":
		return "https://example.com/"
	case "uri-reference", "iri-reference":
		return "example"
	case "hostname", "idn-hostname":
		return "example.com"
	case "ipv4":
		return "192.0.2.1"
	case "ipv6":
		return "2001:db8::1"
	case "uuid":
		return "7f9c24e5-1b6d-4a55-9c3e-2d0b6a1f8e43"
	case "json-pointer":
		return "/a"
	case "regex":
		return "a+"
	}
	return ""
}

// hint guesses from a name what a tool may want to read.
func hint(name string) string {
	name = strings.ToLower(name)
	for _, h := range [][2]string{
		{"timezone", "Etc/UTC"}, {"time_zone", "Etc/UTC"}, {"url", "https://example.com/"}, {"uri", "https://example.com/"},
		{"email", "someone@example.com"}, {"date", "2026-01-15"}, {"day", "2026-01-15"}, {"time", "09:00"}, {"path", "."}, {"directory", "."},
		{"city", "Lisbon"}, {"country", "PT"}, {"currency", "EUR"}, {"lang", "en"},
	} {
		if strings.Contains(name, h[0]) {
			return h[1]
		}
	}
	return "example"
}

// Nulls returns good arguments with null for each argument that may be left out and does not allow it, and their names. It
// returns nil where there is none.
func Nulls(schema, good []byte) (args json.RawMessage, names []string) {
	root, err := tree.Parse(schema)
	if err != nil {
		return nil, nil
	}
	given, err := tree.Parse(good)
	if err != nil || !root.Get("properties").Is(tree.Object) {
		return nil, nil
	}
	var b bytes.Buffer
	b.WriteByte('{')
	for _, g := range given.Members {
		if root.Has("required", g.Name) || root.Get("properties").Get(g.Name) == nil {
			b.Write(quote(g.Name))
			b.WriteByte(':')
			b.Write(g.Value.Raw)
			b.WriteByte(',')
		}
	}
	for _, m := range root.Get("properties").Members {
		kinds := kindsOf(root, m.Value)
		nullable := kinds["null"] || slices.ContainsFunc(choicesOf(root, m.Value), func(c *tree.Node) bool { return string(c.Raw) == "null" })
		if root.Has("required", m.Name) || nullable || len(kinds) == 0 && len(choicesOf(root, m.Value)) == 0 {
			continue
		}
		names = append(names, m.Name)
		b.Write(quote(m.Name))
		b.WriteString(":null,")
	}
	if len(names) == 0 {
		return nil, nil
	}
	b.Truncate(b.Len() - 1)
	b.WriteByte('}')
	return b.Bytes(), names
}
