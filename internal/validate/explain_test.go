package validate

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// told is what Explain says, one "path: rule" a fault.
func told(faults []Fault) []string {
	var lines []string
	for _, f := range faults {
		lines = append(lines, f.Path+": "+f.Rule)
	}
	return lines
}

func TestRules(t *testing.T) {
	for _, test := range []struct {
		schema, doc string
		want        []string
	}{
		// Kinds.
		{`{"type":"integer"}`, `"x"`, []string{`: got string, want integer`}},
		{`{"type":"string"}`, `null`, []string{`: got null, want string`}},
		{`{"type":"integer"}`, `5.5`, []string{`: got number, want integer`}},
		{`{"type":"integer"}`, `5.0`, nil},
		{`{"type":"integer"}`, `5e0`, nil},
		{`{"type":"integer"}`, `50e-1`, nil},
		{`{"type":"integer"}`, `1e400000004`, nil},
		{`{"type":"integer"}`, `1e-400000004`, []string{`: got number, want integer`}},
		{`{"type":["integer","null"]}`, `true`, []string{`: got boolean, want integer or null`}},
		{`{"type":["string","number","array"]}`, `{}`, []string{`: got object, want string, number or array`}},
		{`{"type":"object"}`, `[]`, []string{`: got array, want object`}},
		{`{"type":[]}`, `[]`, []string{`: got array, want nothing`}},
		{`false`, `1`, []string{`: not allowed`}},
		{`true`, `1`, nil},

		// Numbers.
		{`{"minimum":0}`, `-1`, []string{`: must be at least 0`}},
		{`{"maximum":5}`, `5.01`, []string{`: must be at most 5`}},
		{`{"maximum":5}`, `"text"`, nil},
		{`{"exclusiveMinimum":0}`, `0`, []string{`: must be greater than 0`}},
		{`{"exclusiveMinimum":0}`, `-0.0`, []string{`: must be greater than 0`}},
		{`{"exclusiveMaximum":1}`, `1.0`, []string{`: must be less than 1`}},
		{`{"exclusiveMaximum":1}`, `0.99999999999999999999999999`, nil},
		{`{"multipleOf":5}`, `7`, []string{`: must be a multiple of 5`}},
		{`{"multipleOf":0.01}`, `4.02`, nil},
		{`{"multipleOf":0.01}`, `4.025`, []string{`: must be a multiple of 0.01`}},
		{`{"multipleOf":7}`, `1e400000004`, []string{`: must be a multiple of 7`}},
		{`{"multipleOf":7}`, `7e400000004`, nil},
		{`{"minimum":9007199254740993}`, `9007199254740992`, []string{`: must be at least 9007199254740993`}},
		{`{"minimum":9007199254740993}`, `9007199254740993.0`, nil},
		{`{"maximum":18446744073709551615}`, `18446744073709551616`, []string{`: must be at most 18446744073709551615`}},
		{`{"maximum":1e3}`, `1e400000004`, []string{`: must be at most 1e3`}},
		{`{"maximum":1.5}`, `2`, []string{`: must be at most 1.5`}},
		{`{"minimum":-1.5}`, `-2`, []string{`: must be at least -1.5`}},
		{`{"minimum":-1.5,"maximum":1.5}`, `-1`, nil},
		{`{"minimum":1,"exclusiveMinimum":1}`, `1`, []string{`: must be greater than 1`}},

		{`{"minimum":1e20}`, `5`, []string{`: must be at least 1e20`}},
		{`{"minimum":-1e20,"maximum":1e20}`, `5`, nil},
		{`{"maximum":-1e20}`, `-5`, []string{`: must be at most -1e20`}},
		{`{"maximum":10}`, `1234567890123456789012.5`, []string{`: must be at most 10`}},
		{`{"maximum":10}`, `1e99999999999999999999`, []string{`: must be at most 10`}},
		{`{"minimum":0,"maximum":10}`, `-0.5`, []string{`: must be at least 0`}},
		{`{"minimum":-1,"maximum":0}`, `-0.5`, nil},
		{`{"exclusiveMaximum":10}`, `9.5`, nil},
		{`{"exclusiveMaximum":10}`, `10.0`, []string{`: must be less than 10`}},

		// Strings.
		{`{"minLength":2}`, `"é"`, []string{`: must have at least 2 characters`}},
		{`{"minLength":1}`, `""`, []string{`: must have at least 1 character`}},
		{`{"maxLength":10}`, `"12345678901"`, []string{`: must have at most 10 characters`}},
		{`{"maxLength":1}`, `"\ud83d\ude00"`, nil},
		{`{"pattern":"^[A-Z]"}`, `"x"`, []string{`: must match the pattern ^[A-Z]`}},
		{`{"pattern":"^\\u00e9$"}`, `"\u00E9"`, nil},
		{`{"format":"date-time"}`, `"2026-13-01T00:00:00Z"`, []string{`: must be a date-time with a zone, such as 2026-01-02T03:04:05Z`}},
		{`{"format":"date"}`, `"2026-02-29"`, []string{`: must be a date, YYYY-MM-DD`}},
		{`{"format":"time"}`, `"25:00:00Z"`, []string{`: must be a time with a zone, such as 03:04:05Z`}},
		{`{"format":"duration"}`, `"P1D1Y"`, []string{`: must be a duration, such as PT1H30M`}},
		{`{"format":"email"}`, `"nobody"`, []string{`: must be an email address, such as name@example.com`}},
		{`{"format":"hostname"}`, `"-a"`, []string{`: must be a hostname, such as www.example.com`}},
		{`{"format":"ipv4"}`, `"1.2.3"`, []string{`: must be an IPv4 address, such as 192.0.2.1`}},
		{`{"format":"ipv6"}`, `"::g"`, []string{`: must be an IPv6 address, such as 2001:db8::1`}},
		{`{"format":"uri"}`, `"/a"`, []string{`: must be a URI with its scheme, such as https://example.com/a`}},
		{`{"format":"uri-reference"}`, `"a b"`, []string{`: must be a URI or a part of one, such as /a/b`}},
		{`{"format":"uuid"}`, `"1"`, []string{`: must be a UUID, such as 123e4567-e89b-12d3-a456-426614174000`}},
		{`{"format":"colour"}`, `"1"`, nil},
		{`{"contentEncoding":"base64"}`, `"a"`, []string{`: must be base64`}},
		{`{"contentEncoding":"base64"}`, `"aGk="`, nil},

		// Values.
		{`{"enum":[30,60,120]}`, `45`, []string{`: must be one of 30, 60, 120`}},
		{`{"enum":["a","b"]}`, `"c"`, []string{`: must be one of "a", "b"`}},
		{`{"enum":["a",1]}`, `"\u0061"`, nil},
		{`{"enum":[1]}`, `1.0`, nil},
		{`{"const":"a"}`, `"b"`, []string{`: must be "a"`}},
		{`{"const":{"a":[1,{"b":2}],"c":null}}`, `{"c":null,"a":[1.0,{"b":2}]}`, nil},
		{`{"const":{"a":1}}`, `{"a":2}`, []string{`: must be {"a":1}`}},
		{`{"const":1,"enum":[2]}`, `1`, []string{`: must be 1`}},

		{`{"const":1,"enum":[1,2]}`, `1`, nil},
		{`{"enum":["b\"c","\b\f\r"],"minLength":3}`, `"b\u0022c"`, nil},
		{`{"enum":["b\"c","\b\f\r"],"minLength":3}`, `"\b\f\r"`, nil},
		{`{"enum":[]}`, `1`, []string{`: not allowed`}},
		{`{"type":["string","null"],"enum":["a",null]}`, `null`, nil},
		{`{"maxLength":99999999999999999999}`, `"a"`, nil},

		// Arrays.
		{`{"minItems":1}`, `[]`, []string{`: must have at least 1 item`}},
		{`{"maxItems":3}`, `[1,2,3,4]`, []string{`: must have at most 3 items`}},
		{`{"uniqueItems":true}`, `[1,"1",[1],{"a":1,"b":2},{"b":2,"a":1.0}]`, []string{`: must not repeat an item`}},
		{`{"uniqueItems":true}`, `[1,"1",[1],[[1]],{"a":1},{"a":2},true,null,"true"]`, nil},
		{`{"items":{"type":"integer"}}`, `[1,"a",2,"b"]`, []string{`[1]: got string, want integer`, `[3]: got string, want integer`}},
		{`{"prefixItems":[{"type":"integer"}],"items":{"type":"string"}}`, `["a",1]`, []string{`[0]: got string, want integer`, `[1]: got number, want string`}},
		{`{"contains":{"type":"integer"},"maxContains":1}`, `[1,2]`, []string{`: must have at most 1 fitting item`}},

		// Objects.
		{`{"required":["a","b"]}`, `{"b":1}`, []string{`a: required but missing`}},
		{`{"properties":{"minutes":{}},"additionalProperties":false}`, `{"minuts":1}`, []string{`minuts: unknown field; did you mean "minutes"?`}},
		{`{"properties":{"minutes":{}},"additionalProperties":false}`, `{"hours":1}`, []string{`hours: unknown field`}},
		{`{"properties":{"minutes":{}},"unevaluatedProperties":false}`, `{"hours":1}`, []string{`hours: unknown field`}},
		{`{"additionalProperties":{"type":"integer"}}`, `{"odd key":"x","ok":1}`, []string{`["odd key"]: got string, want integer`}},
		{`{"minProperties":2}`, `{"a":1}`, []string{`: must have at least 2 properties`}},
		{`{"maxProperties":1}`, `{"a":1,"b":2}`, []string{`: must have at most 1 property`}},
		{`{"propertyNames":{"maxLength":1}}`, `{"abc":1}`, []string{`abc: the key must have at most 1 character`}},
		{`{"properties":{"a":{},"abc":{}},"propertyNames":{"maxLength":1}}`, `{"a":1,"abc":1}`, []string{`abc: the key must have at most 1 character`}},
		{`{"dependentRequired":{"a":["b"]}}`, `{"a":1}`, []string{`b: required but missing`}},
		{`{"properties":{"charts":{"items":{"properties":{"data":{"properties":{"datasets":{"items":{"properties":{"data":{"items":{"type":"number"}}}}}}}}}}}}`,
			`{"charts":[{},{"data":{"datasets":[{"data":[0,1,2,3,4,5,6,"x"]}]}}]}`, []string{`charts[1].data.datasets[0].data[7]: got string, want number`}},

		// Forms.
		{`{"anyOf":[{"type":"integer"},{"type":"null"}]}`, `"x"`, []string{`: got string, want integer or null`}},
		{`{"anyOf":[{"type":"object","properties":{"a":{"type":"integer"}}},{"type":"null"}]}`, `{"a":"x"}`, []string{`a: got string, want integer`}},
		{`{"anyOf":[{"minimum":5},{"maximum":1}]}`, `3`, []string{`: matches none of the allowed forms`}},
		{`{"oneOf":[{"minimum":1},{"maximum":5}]}`, `3`, []string{`: matches more than one of the allowed forms`}},
		{`{"oneOf":[{"properties":{"kind":{"const":"a"},"x":{"type":"integer"}},"required":["kind"]},{"properties":{"kind":{"const":"b"}},"required":["kind"]}]}`,
			`{"kind":"a","x":"no"}`, []string{`x: got string, want integer`}},
		{`{"not":{"type":"integer"}}`, `3`, []string{`: matches a form that is not allowed`}},
		{`{"allOf":[{"required":["a"]},{"properties":{"b":{"type":"integer"}}}]}`, `{"b":"x"}`, []string{`a: required but missing`, `b: got string, want integer`}},
		{`{"if":{"required":["a"]},"then":{"required":["b"]},"else":{"required":["c"]}}`, `{"a":1}`, []string{`b: required but missing`}},
		{`{"$ref":"#/$defs/d","minimum":3,"$defs":{"d":{"type":"integer"}}}`, `2`, []string{`: must be at least 3`}},

		{`{"$ref":"#/$defs/a","$dynamicRef":"#/$defs/b","$defs":{"a":{"minimum":1},"b":{"maximum":1}}}`, `2`, []string{`: must be at most 1`}},

		// Text.
		{`true`, `{"a":[1,NaN,-Infinity],"b":Infinity}`, []string{`a[1]: not a finite number`, `a[2]: not a finite number`, `b: not a finite number`}},
		{`{"properties":{"a":{"type":"integer"},"b":{"type":"string"}}}`, `{"a":NaN,"b":1}`, []string{`a: not a finite number`, `b: got number, want string`}},
		{`true`, "{\"a\":\"\xff\"}", []string{`a: not valid UTF-8`}},
		{`true`, "{\"\xff\":1}", []string{`: not valid UTF-8`}},
		{`true`, `{"a":"\ud800"}`, []string{`a: not valid UTF-8`}},
		{`true`, `{"a":"\udc00x"}`, []string{`a: not valid UTF-8`}},
		{`true`, `{"a":1,"\u0061":2}`, []string{`a: duplicate key`}},
		{`{"properties":{"a":{}}}`, `{"a":1,"a":2}`, []string{`a: duplicate key`}},
		{`true`, `{"c":1,"b":2,"a":[{"x":1,"c":2,"x":3}]}`, []string{`a[0].x: duplicate key`}},
		{`true`, `{"k0":0,"k1":0,"k2":0,"k3":0,"k4":0,"k5":0,"k6":0,"k7":0,"k8":0,"k9":0,"ka":0,"kb":0,"kc":0,"kd":0,"ke":0,"kf":0,"kg":0,"kh":0,"k3":0}`, []string{`k3: duplicate key`}},
		{`true`, `{"a":[1,}`, []string{`a[1]: not valid JSON`}},
		{`true`, `{"a":1} x`, []string{`: not valid JSON`}},
		{`true`, ``, []string{`: not valid JSON`}},
		{`true`, "\ufeff{}", []string{`: not valid JSON`}},
		{`true`, `01`, []string{`: not valid JSON`}},
		{`true`, `1.`, []string{`: not valid JSON`}},
		{`true`, `"` + "\t" + `"`, []string{`: not valid JSON`}},
		{`true`, `"\x"`, []string{`: not valid JSON`}},
		{`true`, `[1 2]`, []string{`: not valid JSON`}},
		{`true`, `nul`, []string{`: not valid JSON`}},
		{`true`, strings.Repeat("[", 1000) + strings.Repeat("]", 1000), nil},
	} {
		c, err := Compile([]byte(test.schema))
		if err != nil {
			t.Errorf("%s: %v", test.schema, err)
			continue
		}
		faults := c.Explain([]byte(test.doc))
		if diff := cmp.Diff(test.want, told(faults)); diff != "" {
			t.Errorf("%s under %s (-want +got):\n%s", test.doc, test.schema, diff)
		}
		if got := c.Check([]byte(test.doc)); got != (test.want == nil) {
			t.Errorf("%s under %s: Check says %t", test.doc, test.schema, got)
		}
		if got := c.accepts([]byte(test.doc)); got != (test.want == nil) {
			t.Errorf("%s under %s: the walker says %t", test.doc, test.schema, got)
		}
	}
}

func TestDepth(t *testing.T) {
	doc := []byte(strings.Repeat("[", 1001) + strings.Repeat("]", 1001))
	faults := compiled(t, `true`).Explain(doc)
	if len(faults) != 1 || faults[0].Rule != "nested deeper than 1000 levels" {
		t.Errorf("got %v", faults)
	}
}

func TestFaultsAreBounded(t *testing.T) {
	c := compiled(t, `{"items":{"type":"integer"}}`)
	doc := []byte("[" + strings.Repeat(`"x",`, 5000) + `"x"]`)
	if n := len(c.Explain(doc)); n != maxFaults {
		t.Errorf("got %d faults, want %d", n, maxFaults)
	}
	long := fmt.Sprintf(`{%q:{"a":["x"]}}`, strings.Repeat("k", 100_000))
	deep := compiled(t, `{"additionalProperties":{"additionalProperties":{"items":{"type":"integer"}}}}`).Explain([]byte(long))
	if len(deep) != 1 || len(deep[0].Path) > 2*maxPath {
		t.Errorf("got %d faults, the path of the first %d bytes long", len(deep), len(deep[0].Path))
	}
}

// TestFaultBytes compares Start and End with the offending bytes.
func TestFaultBytes(t *testing.T) {
	c := compiled(t, `{"properties":{"a":{"type":"integer"},"b":{"items":{"maximum":1}}},"additionalProperties":false,"required":["z"]}`)
	doc := `{ "a": "secret", "b": [0, 7], "c": {} }`
	var got []string
	for _, f := range c.Explain([]byte(doc)) {
		got = append(got, f.Path+" "+doc[f.Start:f.End])
		if strings.Contains(f.Rule, "secret") {
			t.Errorf("%s: the rule contains the value: %s", f.Path, f.Rule)
		}
	}
	want := []string{"z " + doc, `a "secret"`, `b[1] 7`, `c "c"`}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestLongEnumIsCut(t *testing.T) {
	var values []string
	for i := range 200 {
		values = append(values, fmt.Sprintf("%q", fmt.Sprintf("value %d", i)))
	}
	c := compiled(t, `{"enum":[`+strings.Join(values, ",")+`]}`)
	rule := c.Explain([]byte(`1`))[0].Rule
	if !strings.HasPrefix(rule, `must be one of "value 0", "value 1", `) || !strings.HasSuffix(rule, ", …") || len(rule) > 400 {
		t.Errorf("got %s", rule)
	}
	if !c.Check([]byte(`"value 199"`)) || !c.Check([]byte(`"value\u0020199"`)) || c.Check([]byte(`"value 200"`)) {
		t.Error("a long enumeration is looked up wrongly")
	}
}
