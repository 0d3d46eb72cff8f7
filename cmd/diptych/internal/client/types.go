package client

import (
	"fmt"
	"go/token"
	"iter"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/diptych-mcp/diptych/cmd/diptych/internal/tree"
)

// A writer turns schemas into Go types.
type writer struct {
	names     map[string]bool // identifiers of the package
	methods   map[string]bool
	imports   map[string]bool
	decls     map[string]string // declarations of the package, by name
	constants map[string]bool   // those of enums: a second enum of one name has them too
	output    bool              // the schema at hand is a result's
	calls     []call
	open      map[string]bool       // types that are being declared
	pending   []string              // declarations that the tool at hand needs
	root      *tree.Node            // of the schema at hand
	defs      map[*tree.Node]string // its types that have a name
	reason    string                // why the whole of it is raw JSON
}

func mapKeys(m map[string]bool) iter.Seq[string] { return maps.Keys(m) }

// claim takes an identifier that nothing else has.
func (w *writer) claim(name string) string {
	own := name
	for n := 2; w.names[own]; n++ {
		own = fmt.Sprint(name, n)
	}
	w.names[own] = true
	return own
}

// raw is what cannot be typed, and why.
func (w *writer) raw(why string, depth int) string {
	if depth == 0 {
		w.reason = why
	}
	return "json.RawMessage"
}

// typ is the Go type of a schema. Name is what it is called, where it needs a declaration.
func (w *writer) typ(n *tree.Node, name string, depth int) string {
	if n.Is(tree.Boolean) {
		return "any"
	}
	target, ref := tree.Follow(w.root, n)
	if target == nil {
		return w.raw("a reference leads nowhere", depth)
	}
	if ref != "" {
		n, name = target, exported(ref, name)
	}
	if known := w.defs[n]; known != "" {
		return known
	}
	if depth > maxDepth {
		return w.raw("it is nested too deeply", depth)
	}
	if inner, ok := nullable(n); ok {
		return w.optional(w.typ(inner, name, depth+1))
	}
	if values := n.List("enum"); len(values) > 0 {
		return w.enum(n, values, name, depth)
	}
	if c := n.Get("const"); c != nil {
		return w.enum(n, []*tree.Node{c}, name, depth)
	}
	if list := union(n); list != nil {
		return w.union(n, list, name, depth)
	}
	for _, keyword := range []string{"allOf", "not", "if", "$dynamicRef"} {
		if n.Get(keyword) != nil && n.Get("properties") == nil {
			return w.raw("it uses "+keyword, depth)
		}
	}
	switch n.Str("type") {
	case "string":
		switch {
		case n.Str("format") == "date-time":
			w.imports["time"] = true
			return "time.Time"
		case n.Str("contentEncoding") == "base64":
			return "[]byte"
		}
		return "string"
	case "integer":
		return "int64"
	case "number":
		return "float64"
	case "boolean":
		return "bool"
	case "array":
		return w.array(n, name, depth)
	case "object":
		return w.object(n, name, depth)
	case "null":
		return w.raw("it is null", depth)
	}
	if n.Get("properties") != nil {
		return w.object(n, name, depth)
	}
	return "any"
}

// nullable is what a schema allows beside null.
func nullable(n *tree.Node) (*tree.Node, bool) {
	for _, keyword := range []string{"anyOf", "oneOf"} {
		arms := n.List(keyword)
		if rest := slices.DeleteFunc(slices.Clone(arms), isNull); len(arms) == 2 && len(rest) == 1 {
			return rest[0], true
		}
	}
	kinds := n.List("type")
	rest := slices.DeleteFunc(slices.Clone(kinds), func(k *tree.Node) bool { return k.Text == "null" })
	if len(kinds) == 2 && len(rest) == 1 {
		return typed(n, rest[0]), true
	}
	return nil, false
}

func isNull(n *tree.Node) bool { return n.Str("type") == "null" }

// typed is n with one type of its list.
func typed(n, kind *tree.Node) *tree.Node {
	out := &tree.Node{Kind: tree.Object}
	for _, m := range n.Members {
		if m.Name == "type" {
			m.Value = kind
		}
		out.Members = append(out.Members, m)
	}
	return out
}

// optional is a type that may also be null. One that is being declared cannot hold itself by value.
func (w *writer) optional(typ string) string {
	switch {
	case typ == "any", typ == "json.RawMessage":
		return typ
	case w.open[typ]:
		return "*" + typ
	}
	return "diptych.Optional[" + typ + "]"
}

func pointer(typ string) string {
	if typ == "any" || typ == "json.RawMessage" || strings.HasPrefix(typ, "*") || strings.HasPrefix(typ, "diptych.Optional[") {
		return typ
	}
	return "*" + typ
}

// union are the alternatives of a schema; nil where it has none.
func union(n *tree.Node) []*tree.Node {
	for _, keyword := range []string{"anyOf", "oneOf"} {
		if arms := n.List(keyword); len(arms) > 0 && n.Get("properties") == nil {
			return arms
		}
	}
	var list []*tree.Node
	for _, kind := range n.List("type") {
		list = append(list, typed(n, kind))
	}
	return list
}

func (w *writer) union(n *tree.Node, list []*tree.Node, name string, depth int) string {
	if len(list) == 1 {
		return w.typ(list[0], name, depth+1)
	}
	null := slices.ContainsFunc(list, isNull)
	list = slices.DeleteFunc(slices.Clone(list), isNull)
	if len(list) > 3 {
		return w.raw(fmt.Sprintf("it has %d alternatives", len(list)), depth)
	}
	w.defs[n] = "json.RawMessage" // inside of it: a union that holds itself
	var arms []string
	for i, arm := range list {
		typ := w.typ(arm, fmt.Sprint(name, i+1), depth+1)
		if typ == "any" || typ == "json.RawMessage" || slices.Contains(arms, typ) {
			return w.raw("its alternatives are no types that differ", depth)
		}
		arms = append(arms, typ)
	}
	delete(w.defs, n)
	typ := fmt.Sprintf("diptych.AnyOf%s[%s]", map[int]string{2: "", 3: "3"}[len(arms)], strings.Join(arms, ", "))
	if null {
		return w.optional(typ)
	}
	return typ
}

func (w *writer) enum(n *tree.Node, values []*tree.Node, name string, depth int) string {
	base := map[tree.Kind]string{tree.String: "string", tree.Number: "int64"}[values[0].Kind]
	for _, v := range values {
		_, err := strconv.ParseInt(v.Text, 10, 64)
		switch {
		case v.Kind != values[0].Kind:
			base = ""
		case v.Kind == tree.Number && err != nil:
			base = "float64"
		}
	}
	switch {
	case values[0].Kind == tree.Boolean && base == "" && !slices.ContainsFunc(values, func(v *tree.Node) bool { return v.Kind != tree.Boolean }):
		return "bool"
	case base == "float64":
		return base
	case base == "":
		return w.raw("its values are of several types", depth)
	}
	return w.declare(n, name, func(own string) string {
		var b strings.Builder
		w.doc(&b, own, n)
		fmt.Fprintf(&b, "type %s %s\n\n", own, base)
		var literals []string
		taken := map[string]bool{}
		for _, v := range values {
			literal := v.Text
			if v.Kind == tree.String {
				literal = strconv.Quote(v.Text)
			}
			constant := own + suffix(v.Text)
			for k, base := 2, constant; taken[constant] || w.names[constant] && !w.constants[constant]; k++ {
				constant = fmt.Sprint(base, "_", k)
			}
			taken[constant] = true
			w.names[constant], w.constants[constant] = true, true
			literals = append(literals, literal)
			if len(values) <= maxConstants {
				literals[len(literals)-1] = constant
				if len(literals) == 1 {
					b.WriteString("const (\n")
				}
				fmt.Fprintf(&b, "\t%s %s = %s\n", constant, own, literal)
			}
		}
		if len(values) <= maxConstants {
			b.WriteString(")\n\n")
		}
		fmt.Fprintf(&b, "// Enum lists the values that %[1]s may take.\nfunc (%[1]s) Enum() []%[1]s {\n\treturn []%[1]s{%[2]s}\n}\n\n", own, strings.Join(literals, ", "))
		return b.String()
	})
}

func (w *writer) array(n *tree.Node, name string, depth int) string {
	if prefix := n.List("prefixItems"); len(prefix) > 0 {
		if len(prefix) != 2 && len(prefix) != 3 {
			return w.raw(fmt.Sprintf("it is a tuple of %d", len(prefix)), depth)
		}
		var parts []string
		for i, p := range prefix {
			parts = append(parts, w.typ(p, fmt.Sprint(name, i+1), depth+1))
		}
		return fmt.Sprintf("diptych.Tuple%d[%s]", len(parts), strings.Join(parts, ", "))
	}
	items := n.Get("items")
	if items == nil {
		return "[]any"
	}
	return "[]" + w.typ(items, name+"Item", depth+1)
}

func (w *writer) object(n *tree.Node, name string, depth int) string {
	properties, rest := n.Get("properties").Nodes(), n.Get("additionalProperties")
	if len(properties) == 0 {
		if rest.Is(tree.Object) {
			w.defs[n] = "json.RawMessage" // a map that holds itself
			typ := "map[string]" + w.typ(rest, name+"Value", depth+1)
			delete(w.defs, n)
			return typ
		}
		return "map[string]any"
	}
	for _, m := range properties {
		if !taggable(m.Name) {
			return "map[string]any" // encoding/json reads no such name in a tag
		}
	}
	if title := n.Str("title"); depth == 0 && w.output && token.IsIdentifier(title) && token.IsExported(title) && !strings.HasSuffix(title, "Output") {
		name = title
	}
	return w.declare(n, name, func(own string) string {
		var b strings.Builder
		w.doc(&b, own, n)
		fmt.Fprintf(&b, "type %s struct {\n", own)
		fields := map[string]bool{}
		for _, m := range properties {
			field := exported(m.Name, "Field")
			for k, base := 2, field; fields[field]; k++ {
				field = fmt.Sprint(base, k)
			}
			fields[field] = true
			w.field(&b, n, m, own, field, depth)
		}
		b.WriteString("}\n\n")
		return b.String()
	})
}

// declare writes a declaration under a name, or returns the one that says the same already.
func (w *writer) declare(n *tree.Node, name string, write func(own string) string) string {
	written := func(own string) string {
		w.defs[n], w.open[own] = own, true
		defer delete(w.open, own)
		return write(own)
	}
	text := written(name)
	if w.decls[name] == text {
		return name
	}
	own := w.claim(name)
	if own != name {
		text = written(own)
	}
	w.decls[own] = text
	w.pending = append(w.pending, text)
	return own
}

// field writes one field, with what its schema says as tags: what publishes the type again publishes the same schema.
func (w *writer) field(b *strings.Builder, n *tree.Node, m tree.Member, own, field string, depth int) {
	schema := m.Value
	inline := schema.Get("$ref") == nil
	typ := ""
	if values := schema.List("enum"); inline && len(values) > 0 {
		typ = basic(values)
	}
	if typ == "" {
		typ = w.typ(schema, own+field, depth+1)
	}
	tags := []string{"json:" + strconv.Quote(m.Name)}
	if !n.Has("required", m.Name) {
		tags[0] = "json:" + strconv.Quote(m.Name+",omitzero")
		if !strings.HasPrefix(typ, "[]") && !strings.HasPrefix(typ, "map[") {
			typ = pointer(typ)
		}
	} else if w.open[typ] {
		typ = "*" + typ
	}
	text := comment(schema.Str("description"))
	if text != "" {
		fmt.Fprintf(b, "\t// %s\n", text)
		if text == schema.Str("description") && !strings.Contains(strings.SplitN(text, " ", 2)[0], "=") {
			tags = append(tags, "jsonschema:"+strconv.Quote(text))
		}
	}
	if inline && !strings.Contains(typ, ".") {
		tags = append(tags, keywords(schema, typ)...)
	}
	line := strings.Join(tags, " ")
	if strings.Contains(line, "`") {
		fmt.Fprintf(b, "\t%s %s %s\n", field, typ, strconv.Quote(line))
		return
	}
	fmt.Fprintf(b, "\t%s %s `%s`\n", field, typ, line)
}

// basic is the type of values of one kind, or "".
func basic(values []*tree.Node) string {
	for _, v := range values {
		if v.Kind != values[0].Kind || v.Is(tree.String) && strings.ContainsAny(v.Text, ",[]\"` ") || v.Is(tree.String) && v.Text == "" {
			return ""
		}
		if _, err := strconv.ParseInt(v.Text, 10, 64); v.Is(tree.Number) && err != nil {
			return ""
		}
	}
	return map[tree.Kind]string{tree.String: "string", tree.Number: "int64"}[values[0].Kind]
}

// keywords are what a schema says of one value, as struct tags.
func keywords(n *tree.Node, typ string) []string {
	var tags []string
	add := func(key, value string) { tags = append(tags, key+":"+strconv.Quote(value)) }
	for _, key := range []string{"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength", "maxLength", "minItems", "maxItems"} {
		if v := n.Get(key); v.Is(tree.Number) {
			add(key, v.Text)
		}
	}
	for _, key := range []string{"pattern", "format"} {
		if v := n.Str(key); v != "" && strings.TrimPrefix(typ, "*") == "string" {
			add(key, v)
		}
	}
	var values []string
	for _, v := range n.List("enum") {
		values = append(values, v.Text)
	}
	if base := strings.TrimPrefix(typ, "*"); len(values) > 0 && (base == "string" || base == "int64") {
		add("enum", strings.Join(values, ","))
	}
	if v := n.Get("default"); v != nil && v.Kind != tree.Null && !strings.HasPrefix(typ, "map[") {
		if v.Is(tree.String) {
			add("default", v.Text)
		} else {
			add("default", string(v.Raw))
		}
	}
	return tags
}

func (w *writer) doc(b *strings.Builder, name string, n *tree.Node) {
	if text := comment(n.Str("description")); text != "" {
		fmt.Fprintf(b, "// %s: %s\n", name, text)
	}
}

// taggable reports whether encoding/json reads a name in a tag.
func taggable(name string) bool {
	for _, c := range name {
		if !strings.ContainsRune("!#$%&()*+-./:;<=>?@[]^_{|}~ ", c) && !unicode.IsLetter(c) && !unicode.IsDigit(c) {
			return false
		}
	}
	return name != "" && name != "-"
}

// exported is a name of anything as an exported identifier of Go: find_cities is FindCities.
func exported(name, other string) string {
	var b strings.Builder
	upper := true
	for _, c := range name {
		switch {
		case !unicode.IsLetter(c) && !unicode.IsDigit(c):
			upper = true
			continue
		case b.Len() == 0 && unicode.IsDigit(c):
			b.WriteString("N")
		case b.Len() == 0 && !unicode.IsUpper(unicode.ToUpper(c)):
			b.WriteString("X") // a script without capital letters
		}
		if upper {
			c = unicode.ToUpper(c)
		}
		b.WriteRune(c)
		upper = false
	}
	if b.Len() == 0 || token.IsKeyword(b.String()) {
		return other
	}
	return b.String()
}

// suffix is what a value adds to the name of its type.
func suffix(value string) string {
	if value == "" {
		return "Empty"
	}
	text := strings.TrimPrefix(exported("x "+value, "X"), "X")
	if text == "" {
		return "Other"
	}
	if r := []rune(text); len(r) > 40 {
		text = string(r[:40])
	}
	return text
}
