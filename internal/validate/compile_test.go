package validate

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
)

func TestCompileRefuses(t *testing.T) {
	for schema, want := range map[string]string{
		`5`:                                      `schema: /: got number, want boolean or object`,
		`{`:                                      `schema: not valid JSON at byte 1`,
		`{"type":"int"}`:                         `schema: /type: not a type; use string, integer, number, boolean, array, object or null`,
		`{"type":5}`:                             `schema: /type: not a type; use string, integer, number, boolean, array, object or null`,
		`{"properties":{"a/b":{"minimum":"0"}}}`: `schema: /properties/a~1b/minimum: got string, want number`,
		`{"properties":[]}`:                      `schema: /properties: got array, want object`,
		`{"properties":{"a":1}}`:                 `schema: /properties/a: got number, want boolean or object`,
		`{"required":"a"}`:                       `schema: /required: got string, want array`,
		`{"required":[1]}`:                       `schema: /required/0: got number, want string`,
		`{"enum":1}`:                             `schema: /enum: got number, want array`,
		`{"minItems":-1}`:                        `schema: /minItems: must be at least 0`,
		`{"maxLength":1.5}`:                      `schema: /maxLength: got number, want integer`,
		`{"uniqueItems":1}`:                      `schema: /uniqueItems: got number, want boolean`,
		`{"anyOf":[]}`:                           `schema: /anyOf: must have at least 1 item`,
		`{"anyOf":{}}`:                           `schema: /anyOf: got object, want array`,
		`{"allOf":[true,3]}`:                     `schema: /allOf/1: got number, want boolean or object`,
		`{"format":1}`:                           `schema: /format: got number, want string`,
		`{"contentEncoding":1}`:                  `schema: /contentEncoding: got number, want string`,
		`{"pattern":"(?=a)"}`:                    `schema: /pattern: not a pattern that RE2 can run; avoid look-around and back-references`,
		`{"multipleOf":-1}`:                      `schema: /multipleOf: not a positive number of at most 18 digits`,
		`{"maximum":1e9999999}`:                  `schema: /maximum: exponent past 1000000`,
		`{"$ref":5}`:                             `schema: /$ref: got number, want string`,
		`{"$ref":"#/$defs/x"}`:                   `schema: /$ref: "#/$defs/x" leads nowhere`,
		`{"$ref":"x.json"}`:                      `schema: /$ref: "x.json" leads out of the document; copy its target to $defs`,
		`{"$ref":"#"}`:                           `schema: /: refers to itself without consuming input`,
		`{"$defs":{"a":5}}`:                      `schema: /$defs/a: got number, want boolean or object`,
		`{"$defs":5}`:                            `schema: /$defs: got number, want object`,
		`{"items":{"$anchor":"x"},"not":{"$anchor":"x"}}`: `schema: /not/$anchor: anchor "x" is also at "/items"; give each its own name`,
		`{"dependencies":{}}`:                             `schema: /dependencies: not a keyword of draft 2020-12; use dependentRequired or dependentSchemas`,
		`{"$schema":"x"}`:                                 `schema: /$schema: an unknown dialect; use https://json-schema.org/draft/2020-12/schema`,
		`{"not":{"$id":"x"}}`:                             `schema: /not/$id: a document within the document; move it to $defs and drop its $id`,
		`{"patternProperties":5}`:                         `schema: /patternProperties: got number, want object`,
		`{"patternProperties":{"(":true}}`:                `schema: /patternProperties/(: not a pattern that RE2 can run; avoid look-around and back-references`,
		`{"dependentRequired":{"a":"b"}}`:                 `schema: /dependentRequired/a: got string, want array`,
		`{"dependentSchemas":{"a":"b"}}`:                  `schema: /dependentSchemas/a: got string, want boolean or object`,
		`{"if":1}`:                                        `schema: /if: got number, want boolean or object`,
	} {
		c, err := Compile([]byte(schema))
		if err == nil || err.Error() != want || c != nil {
			t.Errorf("%s: got %v\nwant %s", schema, err, want)
		}
	}
	chain := strings.Repeat(`{"allOf":[`, 200) + `{}` + strings.Repeat(`]}`, 200)
	if _, err := Compile([]byte(chain)); err == nil || !strings.Contains(err.Error(), "more than 128 schemas in a row") {
		t.Errorf("a long chain: got %v", err)
	}
}

func TestReferences(t *testing.T) {
	for _, test := range []struct{ schema, good, bad string }{
		{`{"properties":{"a":{"$ref":"#/definitions/x"}},"definitions":{"x":{"type":"integer"}},"$schema":"http://json-schema.org/draft-07/schema#"}`, `{"a":1}`, `{"a":"x"}`},
		{`{"$id":"https://example.com/s","items":{"$ref":"https://example.com/s#/$defs/a~1b"},"$defs":{"a/b":{"const":1}}}`, `[1]`, `[2]`},
		{`{"items":{"$ref":"#x"},"$defs":{"a":{"$anchor":"x","const":1}}}`, `[1]`, `[2]`},
		{`{"items":{"$ref":"#/prefixItems/0"},"prefixItems":[{"const":1}]}`, `[1,1]`, `[1,2]`},
		{`{"$ref":"#/$defs/a%20b","$defs":{"a b":{"const":1}}}`, `1`, `2`},
		{`{"properties":{"next":{"$ref":"#"},"v":{"type":"integer"}},"required":["v"]}`, `{"next":{"next":{"v":1},"v":2},"v":3}`, `{"next":{"next":{},"v":2},"v":3}`},
	} {
		c := compiled(t, test.schema)
		if !c.Check([]byte(test.good)) || c.Check([]byte(test.bad)) {
			t.Errorf("%s: %s: %t, %s: %t", test.schema, test.good, c.Check([]byte(test.good)), test.bad, c.Check([]byte(test.bad)))
		}
	}
}

func TestTitle(t *testing.T) {
	if got := compiled(t, `{"title":"Weather"}`).Title(); got != "Weather" {
		t.Errorf("got %q", got)
	}
	if got := compiled(t, `true`).Title(); got != "" {
		t.Errorf("got %q", got)
	}
}

// TestWideObjects is about objects that declare more properties than a machine word has bits.
func TestWideObjects(t *testing.T) {
	properties, required, value := map[string]any{}, []string{}, map[string]any{}
	for i := range 200 {
		name := fmt.Sprintf("p%03d", i)
		properties[name] = map[string]any{"type": "integer"}
		if i%3 == 0 {
			required = append(required, name)
		}
		value[name] = i
	}
	schema := marshaled(t, map[string]any{"properties": properties, "required": required, "items": map[string]any{"$ref": "#"}})
	c := compiled(t, string(schema))
	whole := marshaled(t, value)
	if !c.Check(whole) || !c.Check([]byte(fmt.Sprintf("[%s,[%s,%s]]", whole, whole, whole))) {
		t.Errorf("refused: %v", told(c.Explain(whole)))
	}
	for i := range 200 {
		name := fmt.Sprintf("p%03d", i)
		delete(value, name)
		doc := marshaled(t, value)
		value[name] = i
		faults := told(c.Explain(doc))
		switch {
		case i%3 == 0 && (len(faults) != 1 || faults[0] != name+": required but missing"):
			t.Errorf("without %s: %v", name, faults)
		case i%3 != 0 && faults != nil:
			t.Errorf("without %s: %v", name, faults)
		}
		twice := []byte(fmt.Sprintf(`{%q:1,%s`, name, whole[1:]))
		if c.Check(twice) || len(c.Explain(twice)) != 1 {
			t.Errorf("%s twice: accepted", name)
		}
	}
}

func TestCheckerIsSafeForConcurrentUse(t *testing.T) {
	c, doc := compiled(t, rowsTagged), marshaled(t, rows(50))
	bad := []byte(strings.Replace(string(doc), `"id":7`, `"id":"7"`, 1))
	want := indented(t, doc)
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for range 20 {
				if text, ok := read(c, doc); !ok || text != want || !c.Check(doc) {
					t.Error("the text differs")
				}
				if len(c.Explain(bad)) != 1 {
					t.Error("the fault is missed")
				}
			}
		})
	}
	group.Wait()
}

// TestAsStrictAsTheEncoder tests that every string and number that encoding/json writes is accepted, and that what it refuses is
// refused.
func TestAsStrictAsTheEncoder(t *testing.T) {
	c := compiled(t, `true`)
	for _, s := range []string{"", "x", "\x00\x1f\"\\/", "\u2028\u2029", "é😀", strings.Repeat("x", 7) + "é", strings.Repeat("x", 8) + `"`, strings.Repeat("é", 20)} {
		if doc := marshaled(t, s); !c.Check(doc) {
			t.Errorf("%s: refused", doc)
		}
	}
	for _, text := range []string{`"abc`, `"\u12"`, `"\u123g"`, `"\`, `-`, `+1`, `.5`, `1e`, `1e+`, `0x1`, `1.e1`, `{"a"}`, `{"a":}`, `{a:1}`, `{"a":1,}`, `[,]`, `[1`, `{"a":1`, `]`, `tru`, `nulL`, `"a" "b"`, `/**/1`, "\x001", "1\x00", "\v1"} {
		if json.Valid([]byte(text)) {
			t.Fatalf("%s is JSON", text)
		}
		if c.Check([]byte(text)) || len(c.Explain([]byte(text))) == 0 {
			t.Errorf("%q: accepted", text)
		}
	}
}
