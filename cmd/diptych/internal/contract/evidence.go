package contract

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"github.com/diptych-mcp/diptych/cmd/diptych/internal/peer"
	"github.com/diptych-mcp/diptych/cmd/diptych/internal/tree"
)

// prove looks for values that the narrow schema has and the wide one refuses. A change with such a value is breaking, whatever
// the rules said; a value that no rule foresaw is a change of its own.
func (w *walk) prove(place string) {
	if len(w.changes) == 0 {
		return
	}
	for _, doc := range samples(w.narrow.root) {
		if !w.narrow.checker.Check(doc) || w.wide.checker.Check(doc) {
			continue
		}
		for _, f := range w.wide.checker.Explain(doc) {
			at := place + "/" + strings.NewReplacer(".", "/", "[", "/", "]", "").Replace(f.Path)
			missing := strings.Contains(f.Rule, "missing")
			i := slices.IndexFunc(w.changes, func(c Change) bool {
				return c.Kind != Safe && c.Evidence == "" && near(at, c.Place) && c.absence == missing
			})
			if i >= 0 {
				w.changes[i].Kind, w.changes[i].Evidence, w.changes[i].Fault = Breaking, shown(doc), peer.Fault(f)
			}
		}
	}
}

// near reports whether the place of a fault is that of a change: items have numbers in the one and no numbers in the other.
func near(fault, change string) bool {
	a, b := strings.Split(strings.TrimSuffix(fault, "/"), "/"), strings.Split(change, "/")
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] && b[i] != "items" && b[i] != "*" {
			return false
		}
	}
	return true
}

// samples are values that a schema may take: the fullest, the smallest, and the fullest with one place changed.
func samples(root *tree.Node) [][]byte {
	s := sampler{root: root}
	return s.of(root, 0)
}

type sampler struct {
	root *tree.Node
	made int
}

// of are values for a schema, the plainest first. Not each of them fits: the caller asks a validator.
func (s *sampler) of(n *tree.Node, depth int) [][]byte {
	n, _ = tree.Follow(s.root, n)
	if s.made++; depth > maxSampled || s.made > maxValues*10 || n == nil {
		return [][]byte{[]byte("null")}
	}
	if values := choices(n); len(values) > 0 {
		var out [][]byte
		for _, v := range values[:min(len(values), maxValues)] {
			out = append(out, v.Raw)
		}
		return out
	}
	if arms := arms(n); arms != nil {
		var out [][]byte
		for _, arm := range arms {
			arm, _ = tree.Follow(s.root, arm)
			if arm != nil {
				out = append(out, s.of(merged(n, arm), depth+1)...)
			}
		}
		return out[:min(len(out), maxValues)]
	}
	for _, arm := range n.List("allOf") {
		if arm, _ = tree.Follow(s.root, arm); arm != nil {
			n = merged(n, arm)
		}
	}
	switch kinds := kinds(n); {
	case slices.Contains(kinds, "object") && (len(kinds) == 1 || n.Get("properties") != nil):
		return s.object(n, depth)
	case len(kinds) != 1:
		return list(`"example"`, `1`, `true`, `[]`, `{}`, `null`)
	default:
		return s.plain(n, kinds[0], depth)
	}
}

func list(values ...string) [][]byte {
	out := make([][]byte, len(values))
	for i, v := range values {
		out[i] = []byte(v)
	}
	return out
}

func (s *sampler) plain(n *tree.Node, kind string, depth int) [][]byte {
	switch kind {
	case "boolean":
		return list("true", "false")
	case "integer", "number":
		var out [][]byte
		for _, keyword := range []string{"minimum", "maximum", "multipleOf", "exclusiveMinimum", "exclusiveMaximum"} {
			if b := n.Get(keyword); number(b) != nil {
				out = append(out, b.Raw)
			}
		}
		return append(out, list("1", "0", "-1", "2", "7", "1000000", "-1000000", "0.5")...)
	case "string":
		return s.text(n)
	case "array":
		var first []byte
		items := list("null")
		if item := n.Get("items"); item != nil {
			items = s.of(item, depth+1)
		}
		first = items[0]
		if prefix := n.List("prefixItems"); len(prefix) > 0 {
			parts := make([][]byte, len(prefix))
			for i, p := range prefix {
				parts[i] = s.of(p, depth+1)[0]
			}
			return [][]byte{append(append([]byte{'['}, bytes.Join(parts, []byte(","))...), ']'), []byte("[]")}
		}
		var out [][]byte
		for _, item := range items {
			out = append(out, append(append([]byte{'['}, item...), ']'))
		}
		return append(out, []byte("[]"), []byte("["+string(first)+","+string(first)+"]"))
	}
	return list("null")
}

// text are texts of many forms: those of the format come first.
func (s *sampler) text(n *tree.Node) [][]byte {
	forms := map[string]string{
		"date": `"2026-01-15"`, "date-time": `"2026-01-15T09:00:00Z"`, "time": `"09:00:00Z"`, "duration": `"PT1H"`, "email": `"a@example.org"`,
		"uri": `"https://example.org/"`, "uuid": `"00000000-0000-4000-8000-000000000000"`, "ipv4": `"192.0.2.1"`, "ipv6": `"2001:db8::1"`, "hostname": `"example.org"`,
	}
	var out [][]byte
	if form, ok := forms[n.Str("format")]; ok {
		out = append(out, []byte(form))
	}
	out = append(out, list(`"example"`, `""`, `"a"`, `"A1"`, `"ABC"`, `"1"`, `"12345678"`)...)
	if most := number(n.Get("maxLength")); most != nil && most.IsInt() && most.Num().IsInt64() && most.Num().Int64() <= 1000 {
		out = append(out, []byte(`"`+strings.Repeat("x", max(int(most.Num().Int64()), 0))+`"`))
	}
	if n.Get("maxLength") == nil {
		out = append(out, []byte(`"`+strings.Repeat("x", 300)+`"`))
	}
	if re, err := regexp.Compile(n.Str("pattern")); err == nil && n.Get("pattern") != nil {
		slices.SortStableFunc(out, func(a, b []byte) int {
			x, y := re.Match(bytes.Trim(a, `"`)), re.Match(bytes.Trim(b, `"`))
			switch {
			case x && !y:
				return -1
			case y && !x:
				return 1
			}
			return 0
		})
	}
	return out
}

func (s *sampler) object(n *tree.Node, depth int) [][]byte {
	properties := n.Get("properties")
	if !properties.Is(tree.Object) || len(properties.Members) == 0 {
		return list("{}", `{"example":1}`)
	}
	values := make([][][]byte, len(properties.Members))
	for i, m := range properties.Members {
		values[i] = s.of(m.Value, depth+1)
	}
	// write makes the object; choice is which value of member i, or -1 for none.
	write := func(choice func(i int) int) []byte {
		var b bytes.Buffer
		b.WriteByte('{')
		for i, m := range properties.Members {
			c := choice(i)
			if c < 0 {
				continue
			}
			if b.Len() > 1 {
				b.WriteByte(',')
			}
			name, _ := json.Marshal(m.Name) // a string always encodes
			b.Write(name)
			b.WriteByte(':')
			b.Write(values[i][c])
		}
		b.WriteByte('}')
		return b.Bytes()
	}
	needed := func(i int) int {
		if n.Has("required", properties.Members[i].Name) {
			return 0
		}
		return -1
	}
	out := [][]byte{write(func(int) int { return 0 }), write(needed)}
	for i := range properties.Members {
		// Of the members that may be left out, only the one that is looked at is there.
		for c := range values[i] {
			if len(out) >= maxValues {
				return out
			}
			if doc := write(func(j int) int {
				if j == i {
					return c
				}
				return needed(j)
			}); len(doc) <= maxValue {
				out = append(out, doc)
			}
		}
	}
	return out
}
