package validate

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
)

// A hostile case is a schema made to cost, or one that leads where it should not.
type hostile struct {
	name   string
	schema string
	want   string // in the error of Screen; "" where the schema passes and only its documents are costly
}

// ladder is n definitions, each holding the next twice under keyword.
func ladder(n int, keyword string) string {
	var b strings.Builder
	b.WriteString(`{"$ref":"#/$defs/d0","$defs":{`)
	for i := range n {
		fmt.Fprintf(&b, `"d%d":{%q:[{"$ref":"#/$defs/d%d"},{"$ref":"#/$defs/d%d"}]},`, i, keyword, i+1, i+1)
	}
	fmt.Fprintf(&b, `"d%d":{"type":"integer"}}}`, n)
	return b.String()
}

func hostileCases() []hostile {
	list := func(n int, format string) string {
		parts := make([]string, n)
		for i := range parts {
			parts[i] = strings.ReplaceAll(format, "%d", fmt.Sprint(i))
		}
		return strings.Join(parts, ",")
	}
	chain := func(n int, link string) string {
		return strings.Repeat(link, n) + `{}` + strings.Repeat("}", n)
	}
	return []hostile{
		{"self reference", `{"$ref":"#"}`, "without consuming input"},
		{"reference cycle", `{"$ref":"#/$defs/a","$defs":{"a":{"$ref":"#/$defs/b"},"b":{"$ref":"#/$defs/a"}}}`, "without consuming input"},
		{"cycle through allOf", `{"allOf":[{"anyOf":[{"not":{"$ref":"#"}}]}]}`, "without consuming input"},
		{"cycle through if", `{"if":true,"then":{"$ref":"#"}}`, "without consuming input"},
		{"cycle through dependentSchemas", `{"dependentSchemas":{"a":{"$ref":"#"}}}`, "without consuming input"},
		{"dynamic cycle", `{"$dynamicAnchor":"a","$dynamicRef":"#a"}`, "without consuming input"},
		{"ladder of anyOf", ladder(30, "anyOf"), "ways to check one value"},
		{"ladder of allOf", ladder(30, "allOf"), "ways to check one value"},
		{"ladder of oneOf", ladder(30, "oneOf"), "ways to check one value"},
		{"low ladder", ladder(11, "oneOf"), ""},
		{"deep text", strings.Repeat("[", 4000) + strings.Repeat("]", 4000), "nested deeper than 64 levels"},
		{"deep schema", chain(4000, `{"items":`), "nested deeper than 64 levels"},
		{"unclosed", strings.Repeat(`{"not":`, 5000), "nested deeper than 64 levels"},
		{"ten megabytes", `{"description":"` + strings.Repeat("x", 10<<20) + `"}`, "larger than 64 KiB"},
		{"remote reference", `{"$ref":"https://example.com/schema.json"}`, "leads out of the document"},
		{"file reference", `{"$ref":"file:///etc/passwd"}`, "leads out of the document"},
		{"relative reference", `{"$ref":"other.json#/a"}`, "leads out of the document"},
		{"dangling reference", `{"$ref":"#/$defs/none"}`, "leads nowhere"},
		{"dangling anchor", `{"$ref":"#none"}`, "leads nowhere"},
		{"bad escape", `{"$ref":"#/%zz"}`, "is not a reference"},
		{"nested id", `{"$defs":{"a":{"$id":"https://example.com/"}}}`, "a document within the document"},
		{"many subschemas", `{"anyOf":[` + list(3000, `{}`) + `]}`, "more than 2000 subschemas"},
		{"long chain", `{"$ref":"#/$defs/d0","$defs":{` + list(500, `"d%d":{"allOf":[{"$ref":"#/$defs/next"}]}`) + `,"next":{}}}`, ""},
		{"look-behind", `{"pattern":"(?<=a)b"}`, "not a pattern that RE2 can run"},
		{"back-reference", `{"pattern":"(a)\\1"}`, "not a pattern that RE2 can run"},
		{"repeats", `{"pattern":"((((a{30}){30}){30}){30}){30}"}`, "RE2 can run"},
		{"large repeat", `{"pattern":"` + strings.Repeat("x{999}", 100) + `"}`, "pattern too large"},
		{"large classes", `{"pattern":"` + strings.Repeat(`\\pL`, 600) + `"}`, "pattern too large"},
		{"long pattern", `{"pattern":"` + strings.Repeat("x", 5000) + `"}`, "pattern longer than"},
		{"many patterns", `{"patternProperties":{` + list(400, `"^[a-z]{20}%d$":{}`) + `}}`, ""},
		{"huge enum", `{"enum":[` + list(9000, `"e%d"`) + `]}`, "larger than 64 KiB"},
		{"large enum", `{"enum":[` + list(6000, `%d`) + `]}`, ""},
		{"large required", `{"items":{"required":[` + list(6000, `"r%d"`) + `]}}`, ""},
		{"alternating arrays", `{"type":"array","anyOf":[{"items":{"$ref":"#"}},{"items":{"$ref":"#"}},{"maxItems":0}]}`, ""},
		{"doubling objects", `{"oneOf":[{"additionalProperties":{"$ref":"#"}},{"additionalProperties":{"$ref":"#"},"minProperties":1}]}`, ""},
		{"doubling and unique", `{"uniqueItems":true,"anyOf":[{"items":{"$ref":"#"},"minItems":2},{"items":{"$ref":"#"}}]}`, ""},
		{"many forms", `{"items":{"oneOf":[` + list(1900, `{"minLength":%d}`) + `]},"additionalProperties":{"$ref":"#"}}`, ""},
		{"unevaluated twice", `{"allOf":[{"items":{"$ref":"#"}},{"items":{"$ref":"#"}}],"unevaluatedItems":false,"unevaluatedProperties":{"$ref":"#"}}`, ""},
		{"costly pattern", `{"items":{"pattern":"(x+x+)+y{1,900}z"},"anyOf":[{"items":{"pattern":"(x?){500}q"}},{}]}`, ""},
		{"exponent", `{"maximum":1e400000004}`, "exponent past"},
		{"long divisor", `{"multipleOf":0.12345678901234567890123}`, "at most 18 digits"},
		{"zero divisor", `{"multipleOf":0}`, "not a positive number"},
		{"duplicate keyword", `{"type":"string","type":"integer"}`, "duplicate key"},
		{"no schema", `"text"`, "got string, want boolean or object"},
		{"empty", ``, "not valid JSON"},
		{"other dialect", `{"$schema":"http://json-schema.org/draft-04/schema#"}`, "an unknown dialect"},
		{"array items", `{"items":[{}]}`, "got array, want boolean or object"},
	}
}

// hostileDocuments are what a schema that passed may be made to look at.
func hostileDocuments() map[string][]byte {
	const n = 8_000
	return map[string][]byte{
		"deep arrays":    []byte(strings.Repeat("[", 999) + strings.Repeat("]", 999)),
		"deep objects":   []byte(strings.Repeat(`{"a":`, 999) + `1` + strings.Repeat("}", 999)),
		"wide array":     []byte("[" + strings.Repeat("{},", n) + "{}]"),
		"strings":        []byte("[" + strings.Repeat(`"xxxxxxxx",`, n/4) + `"x"]`),
		"one string":     []byte(`["` + strings.Repeat("x", 4*n) + `"]`),
		"one integer":    []byte("[" + strings.Repeat("9", 4*n) + "]"),
		"wide object":    []byte(`{"a":0` + wideMembers(n/4) + `}`),
		"nested strings": []byte(strings.Repeat(`[["x"],`, 400) + `["x"]` + strings.Repeat("]", 400)),
	}
}

func wideMembers(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `,"k%d":[]`, n-i)
	}
	return b.String()
}

// allocated runs f and returns how many bytes it allocated.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

func TestScreen(t *testing.T) {
	const most = 50 << 20
	for _, h := range hostileCases() {
		var err error
		if n := allocated(func() { err = Screen([]byte(h.schema)) }); n > most {
			t.Errorf("%s: Screen allocates %d bytes", h.name, n)
		}
		switch {
		case h.want == "" && err != nil:
			t.Errorf("%s: %v", h.name, err)
		case h.want != "" && (err == nil || !strings.Contains(err.Error(), h.want)):
			t.Errorf("%s: got %v, want %q", h.name, err, h.want)
		case err != nil && len(err.Error()) > 500:
			t.Errorf("%s: an error of %d bytes", h.name, len(err.Error()))
		}
	}
}

// TestScreenedSchemasStayBounded holds every hostile schema that passes against every hostile document. That each comes
// to an end within its steps is the point; that both engines agree is checked along the way.
func TestScreenedSchemasStayBounded(t *testing.T) {
	for _, h := range hostileCases() {
		if h.want != "" {
			continue
		}
		c := compiled(t, h.schema)
		for name, doc := range hostileDocuments() {
			ok := c.Check(doc)
			faults := c.Explain(doc)
			if ok != (faults == nil) {
				t.Errorf("%s, %s: Check says %t, Explain %v", h.name, name, ok, told(faults))
			}
			c.Arguments(doc)
		}
	}
}

func TestTooCostly(t *testing.T) {
	c := compiled(t, `{"type":"array","anyOf":[{"items":{"$ref":"#"}},{"items":{"$ref":"#"}}],"not":{"items":{"$ref":"#"}},"maxItems":1}`)
	doc := []byte(strings.Repeat("[", 500) + strings.Repeat("]", 500))
	faults := c.Explain(doc)
	if len(faults) != 1 || faults[0].Rule != ruleCost || c.Check(doc) {
		t.Errorf("got %v", told(faults))
	}
}

// BenchmarkScreen and BenchmarkHostile show what the corpus costs; no test asserts it.
func BenchmarkScreen(b *testing.B) {
	for _, h := range hostileCases() {
		b.Run(h.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				_ = Screen([]byte(h.schema))
			}
		})
	}
}

func BenchmarkHostile(b *testing.B) {
	for _, h := range hostileCases() {
		if h.want != "" {
			continue
		}
		c := compiled(b, h.schema)
		for name, doc := range hostileDocuments() {
			b.Run(h.name+"/"+name, func(b *testing.B) {
				b.SetBytes(int64(len(doc)))
				for b.Loop() {
					c.Explain(doc)
				}
			})
		}
	}
}
