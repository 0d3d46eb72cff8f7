package validate

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"pgregory.net/rapid"

	"github.com/diptych-mcp/diptych/internal/jsontext"
)

// A judge is an independent validator. It is only asked about documents whose text is sound.
func judge(schema, doc string) (valid bool, err error) {
	defer func() {
		if r := recover(); r != nil { // it panics on huge exponents under bounds
			err = fmt.Errorf("the judge panicked: %v", r)
		}
	}()
	parsed, err := jsonschema.UnmarshalJSON(strings.NewReader(schema))
	if err != nil {
		return false, err
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	c.AssertContent()
	if err := c.AddResource("mem:///schema.json", parsed); err != nil {
		return false, err
	}
	s, err := c.Compile("mem:///schema.json")
	if err != nil {
		return false, err
	}
	v, err := jsonschema.UnmarshalJSON(strings.NewReader(doc))
	if err != nil {
		return false, err
	}
	return s.Validate(v) == nil, nil
}

var (
	names   = rapid.SampledFrom([]string{`"a"`, `"b"`, `"c"`, `"odd key"`, `"\u0061"`, `"é"`, `"kind"`})
	numbers = rapid.SampledFrom([]string{"0", "-0", "1", "2", "3", "5", "-1", "1.0", "5e0", "50e-1", "0.5", "1.5", "2.25", "-0.0",
		"9007199254740993", "9007199254740992", "1e3", "1000", "123456789012345678901", "-1.5", "0.1", "30", "60"})
	plainNumbers = rapid.SampledFrom([]string{"0", "1", "2", "3", "5", "-1", "0.5", "1.5", "9007199254740993", "1e3", "0.1", "30"})
	words        = rapid.SampledFrom([]string{`""`, `"a"`, `"b"`, `"ab"`, `"abc"`, `"\u0061"`, `"é"`, `"\ud83d\ude00"`, `"x\ny"`, `"aGk="`, `"2026-11-29"`,
		`"2026-11-29T23:59:60Z"`, `"2026-11-29T10:00:00+01:00"`, `"1.2.3.4"`, `"123e4567-e89b-12d3-a456-426614174000"`, `"A"`, `"AAA"`})
	space = rapid.SampledFrom([]string{"", "", "", " ", "\n\t"})
)

func anyDocument(t *rapid.T, depth int) string {
	most := 6
	if depth == 0 {
		most = 4
	}
	switch rapid.IntRange(0, most).Draw(t, "kind") {
	case 0:
		return rapid.SampledFrom([]string{"null", "true", "false"}).Draw(t, "token")
	case 1, 2:
		return numbers.Draw(t, "number")
	case 3, 4:
		return words.Draw(t, "word")
	case 5:
		var items []string
		for range rapid.IntRange(0, 4).Draw(t, "items") {
			items = append(items, space.Draw(t, "space")+anyDocument(t, depth-1))
		}
		return "[" + strings.Join(items, ",") + space.Draw(t, "space") + "]"
	}
	var members []string
	for range rapid.IntRange(0, 4).Draw(t, "members") {
		members = append(members, names.Draw(t, "name")+space.Draw(t, "space")+":"+space.Draw(t, "space")+anyDocument(t, depth-1))
	}
	return "{" + strings.Join(members, ","+space.Draw(t, "space")) + "}"
}

func anySchema(t *rapid.T, depth int) string {
	if depth == 0 {
		return rapid.SampledFrom([]string{`{}`, `true`, `false`, `{"type":"integer"}`, `{"type":"string"}`, `{"type":["number","null"]}`,
			`{"type":"object"}`, `{"type":"array"}`, `{"$ref":"#/$defs/x"}`, `{"$ref":"#/$defs/y"}`, `{"minimum":1}`, `{"const":"a"}`}).Draw(t, "leaf")
	}
	sub := func() string { return anySchema(t, depth-1) }
	list := func() string {
		var subs []string
		for range rapid.IntRange(1, 3).Draw(t, "subschemas") {
			subs = append(subs, sub())
		}
		return "[" + strings.Join(subs, ",") + "]"
	}
	object := func() string {
		members := map[string]string{}
		var order []string
		for range rapid.IntRange(0, 3).Draw(t, "properties") {
			name := rapid.SampledFrom([]string{`"a"`, `"b"`, `"c"`, `"kind"`, `"é"`}).Draw(t, "property")
			if _, twice := members[name]; !twice {
				members[name] = sub()
				order = append(order, name+":"+members[name])
			}
		}
		return "{" + strings.Join(order, ",") + "}"
	}
	count := func() string { return fmt.Sprint(rapid.IntRange(0, 3).Draw(t, "count")) }
	keywords := map[string]func() string{
		"type": func() string {
			return rapid.SampledFrom([]string{`"integer"`, `"number"`, `"string"`, `"array"`, `"object"`, `["object","array"]`, `["string","null","boolean"]`}).Draw(t, "type")
		},
		"properties": object, "additionalProperties": sub, "propertyNames": sub, "items": sub, "prefixItems": list,
		"required": func() string {
			return rapid.SampledFrom([]string{`[]`, `["a"]`, `["b","c"]`, `["kind","a"]`}).Draw(t, "required")
		},
		"minItems": count, "maxItems": count, "minProperties": count, "maxProperties": count, "minLength": count, "maxLength": count,
		"uniqueItems": func() string { return "true" },
		"enum": func() string {
			return "[" + anyDocument(t, 1) + "," + anyDocument(t, 1) + "]"
		},
		"const":   func() string { return anyDocument(t, 2) },
		"minimum": func() string { return plainNumbers.Draw(t, "bound") }, "maximum": func() string { return plainNumbers.Draw(t, "bound") },
		"exclusiveMinimum": func() string { return plainNumbers.Draw(t, "bound") }, "exclusiveMaximum": func() string { return plainNumbers.Draw(t, "bound") },
		"multipleOf": func() string {
			return rapid.SampledFrom([]string{"1", "2", "0.5", "0.1", "3", "1e2"}).Draw(t, "divisor")
		},
		"pattern": func() string {
			return rapid.SampledFrom([]string{`"^a"`, `"b$"`, `"^[A-Z]+$"`, `"."`}).Draw(t, "pattern")
		},
		"format": func() string {
			return rapid.SampledFrom([]string{`"date"`, `"date-time"`, `"uuid"`, `"ipv4"`}).Draw(t, "format")
		},
		"contentEncoding": func() string { return `"base64"` },
		"allOf":           list, "anyOf": list, "oneOf": list, "not": sub,
		"$ref": func() string { return rapid.SampledFrom([]string{`"#/$defs/x"`, `"#/$defs/y"`}).Draw(t, "ref") },
		"if":   sub, "then": sub, "else": sub, "contains": sub, "minContains": count, "maxContains": count,
		"patternProperties":     func() string { return `{"^[ab]":` + sub() + `}` },
		"dependentRequired":     func() string { return `{"a":["b"]}` },
		"dependentSchemas":      func() string { return `{"a":` + sub() + `}` },
		"unevaluatedProperties": sub, "unevaluatedItems": sub,
	}
	common := []string{"type", "properties", "additionalProperties", "items", "required", "anyOf", "oneOf", "allOf", "enum", "minimum", "maxLength", "uniqueItems", "$ref", "prefixItems", "not"}
	var all []string
	for name := range keywords {
		all = append(all, name)
	}
	slices.Sort(all)
	taken := map[string]bool{}
	var members []string
	for range rapid.IntRange(1, 4).Draw(t, "keywords") {
		from := common
		if rapid.IntRange(0, 3).Draw(t, "rare") == 0 {
			from = all
		}
		name := rapid.SampledFrom(from).Draw(t, "keyword")
		if !taken[name] {
			taken[name] = true
			members = append(members, fmt.Sprintf("%q:%s", name, keywords[name]()))
		}
	}
	return "{" + strings.Join(members, ",") + "}"
}

// rooted puts definitions under a schema that may refer to them.
func rooted(t *rapid.T, schema string) string {
	return fmt.Sprintf(`{"allOf":[%s],"$defs":{"x":%s,"y":%s}}`, schema, anySchema(t, 1), anySchema(t, 1))
}

// agree compares the two engines, the explanation, the text and the judge.
func agree(t tester, schema, text string) {
	t.Helper()
	c, err := Compile([]byte(schema))
	if err != nil {
		if !strings.Contains(err.Error(), "without consuming input") && !strings.Contains(err.Error(), "duplicate key") {
			t.Fatalf("%s: %v", schema, err)
		}
		return
	}
	doc := []byte(text)
	fast, slow, faults := c.Check(doc), c.accepts(doc), c.Explain(doc)
	if fast != slow || fast != (faults == nil) {
		t.Fatalf("%s under %s: Check says %t, the walker %t, Explain %v", text, schema, fast, slow, told(faults))
	}
	seen := map[string]bool{}
	for _, f := range faults {
		if f.Start < 0 || f.End < f.Start || f.End > len(doc) || f.Rule == "" || seen[f.Path] {
			t.Fatalf("%s under %s: fault %+v", text, schema, f)
		}
		seen[f.Path] = true
	}
	_, flawed := parse(doc, jsontext.MaxDepth)
	if flawed {
		if fast {
			t.Fatalf("%s: accepted with a flaw", text)
		}
		return
	}
	if valid, err := judge(schema, text); err != nil {
		t.Fatalf("%s under %s: %v", text, schema, err)
	} else if valid != fast {
		t.Fatalf("%s under %s: Check says %t, the judge %t; %v", text, schema, fast, valid, told(faults))
	}
	if !fast {
		return
	}
	out, ok := read(c, doc)
	if diff := cmp.Diff(indented(t, doc), out); !ok || diff != "" {
		t.Fatalf("%s under %s: read %t (-want +got):\n%s", text, schema, ok, diff)
	}
}

func TestAgreement(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		schema := rooted(t, anySchema(t, 3))
		for range 8 {
			agree(t, schema, anyDocument(t, 3))
		}
	})
}

// TestArgumentsAgree tests two promises of Arguments: what comes out is accepted, and what was compact, whole and
// accepted comes out meaning the same.
func TestArgumentsAgree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		schema := rooted(t, anySchema(t, 3))
		c, err := Compile([]byte(schema))
		if err != nil {
			return
		}
		for range 8 {
			doc := []byte(anyDocument(t, 3))
			accepted := c.Check(doc)
			out, faults := c.Arguments(doc)
			if (out == nil) != (len(faults) > 0) {
				t.Fatalf("%s under %s: %s and %v", doc, schema, out, told(faults))
			}
			if faults != nil {
				v, flawed := parse(doc, jsontext.MaxDepth)
				if accepted && !flawed && v.kind == kindObject {
					t.Fatalf("%s under %s: accepted as it is, but refused as arguments: %v", doc, schema, told(faults))
				}
				continue
			}
			if !c.Check(out) {
				t.Fatalf("%s under %s became %s, which is refused: %v", doc, schema, out, told(c.Explain(out)))
			}
			again, faults := c.Arguments(out)
			if faults != nil || !bytes.Equal(again, out) {
				t.Fatalf("%s under %s became %s, and that %s %v", doc, schema, out, again, told(faults))
			}
			if accepted && doc[0] == '{' {
				v, _ := parse(doc, jsontext.MaxDepth)
				w, _ := parse(out, jsontext.MaxDepth)
				if !bytes.Equal(appendCanonical(nil, v), appendCanonical(nil, w)) {
					t.Fatalf("%s under %s became %s", doc, schema, out)
				}
			}
		}
	})
}

// FuzzDocument changes the bytes of documents: whatever encoding/json refuses is refused, and the engines agree.
func FuzzDocument(f *testing.F) {
	schemas := []string{
		rowsTagged,
		`{"anyOf":[{"type":"array","items":{"$ref":"#"},"uniqueItems":true},{"type":["integer","null"]},{"type":"object","additionalProperties":{"$ref":"#"},"propertyNames":{"maxLength":3}}]}`,
		`{"properties":{"a":{"enum":["x",1,{"b":[]}]},"b":{"multipleOf":0.01},"c":{"format":"date-time"},"d":{"pattern":"^\\w+$","minLength":2}},"required":["a"],"unevaluatedProperties":{"type":"integer"}}`,
	}
	f.Add([]byte(`{"result":[{"id":1,"name":"n","country":"PT","kind":"river","price":1.5,"count":3,"active":true}]}`))
	f.Add([]byte(`[1,[],{"a":null},[[2]]]`))
	f.Add([]byte(`{"a":{"b":[]},"b":1e2,"c":"2026-11-29T23:59:60Z","d":"xy","e":5e0}`))
	f.Add([]byte("{\"a\":NaN,\"\xff\":\"\\ud800\"}"))
	f.Fuzz(func(t *testing.T, doc []byte) {
		if !json.Valid(doc) {
			if c := compiled(t, `true`); c.Check(doc) || c.Explain(doc) == nil {
				t.Fatalf("%q is not JSON, but accepted", doc)
			}
		}
		for _, schema := range schemas {
			c := compiled(t, schema)
			fast, slow, faults := c.Check(doc), c.accepts(doc), c.Explain(doc)
			if fast != slow || fast != (faults == nil) {
				t.Fatalf("%q under %s: Check says %t, the walker %t, Explain %v", doc, schema, fast, slow, told(faults))
			}
			if out, faults := c.Arguments(doc); faults == nil && !c.Check(out) {
				t.Fatalf("%q under %s became %q, which is refused", doc, schema, out)
			}
			if !fast {
				continue
			}
			text, ok := read(c, doc)
			if diff := cmp.Diff(indented(t, doc), text); !ok || diff != "" && !strings.Contains(text, strings.Repeat("  ", safeLevel)) {
				t.Fatalf("%q: read %t (-want +got):\n%s", doc, ok, diff)
			}
		}
	})
}

// FuzzSchema changes the bytes of schemas: Screen never crashes, and what it lets pass compiles and comes to an end.
func FuzzSchema(f *testing.F) {
	f.Add([]byte(rowsTagged), []byte(`{"result":[]}`))
	f.Add([]byte(`{"$ref":"#/$defs/a","$defs":{"a":{"items":{"$ref":"#"}}}}`), []byte(`[[]]`))
	f.Add([]byte(`{"if":{"contains":{"type":"integer"}},"then":{"maxContains":2},"patternProperties":{"^a":false}}`), []byte(`{"a":1}`))
	f.Add([]byte(`{"type":["integer","null"],"multipleOf":0.5,"default":"x","enum":[1,2.0]}`), []byte(`2`))
	f.Fuzz(func(t *testing.T, schema, doc []byte) {
		if err := Screen(schema); err != nil {
			return
		}
		c, err := Compile(schema)
		if err != nil {
			t.Fatalf("%q passes Screen, but does not compile: %v", schema, err)
		}
		if fast, faults := c.Check(doc), c.Explain(doc); fast != (faults == nil) {
			t.Fatalf("%q under %q: Check says %t, Explain %v", doc, schema, fast, told(faults))
		}
		c.Arguments(doc)
	})
}
