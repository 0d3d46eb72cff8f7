package validate

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/diptych-mcp/diptych/internal/jsontext"
)

func TestArguments(t *testing.T) {
	const nested = `{"type":"object","properties":{
		"n":{"type":"integer"},"f":{"type":"number"},"b":{"type":"boolean"},"s":{"type":"string"},"either":{"type":["integer","string"]},
		"list":{"type":"array","items":{"type":"integer"}},"size":{"type":"integer","default":10},
		"o":{"type":"object","properties":{"x":{"type":"integer"},"y":{"type":"string","default":"why"}},"additionalProperties":false},
		"u":{"anyOf":[{"type":"integer"},{"type":"null"},{"type":"array","items":{"type":"boolean"}}]},
		"k":{"oneOf":[{"properties":{"kind":{"const":"a"},"v":{"type":"integer"}},"required":["kind"]},{"properties":{"kind":{"const":"b"},"w":{"default":1}},"required":["kind"]}]},
		"r":{"$ref":"#/$defs/r"}},
		"$defs":{"r":{"enum":[30,60]}},"additionalProperties":false}`
	for _, test := range []struct {
		args, want string
		faults     []string
	}{
		{``, `{"size":10}`, nil},
		{` null `, `{"size":10}`, nil},
		{`{}`, `{"size":10}`, nil},
		{`{ "size" : 3 }`, `{"size":3}`, nil},
		{`{"size":3,"n":"5"}`, `{"size":3,"n":5}`, nil},
		{`{"size":3,"n":5.0}`, `{"size":3,"n":5}`, nil},
		{`{"size":3,"n":5e0}`, `{"size":3,"n":5}`, nil},
		{`{"size":3,"n":-0}`, `{"size":3,"n":0}`, nil},
		{`{"size":3,"n":-0.0e5}`, `{"size":3,"n":0}`, nil},
		{`{"size":3,"n":"-12e1"}`, `{"size":3,"n":-120}`, nil},
		{`{"size":3,"n":123456789012345678901234567890}`, `{"size":3,"n":123456789012345678901234567890}`, nil},
		{`{"size":3,"n":5e400000004}`, `{"size":3,"n":5e400000004}`, nil},
		{`{"size":3,"f":"1.50","b":"true"}`, `{"size":3,"f":1.50,"b":true}`, nil},
		{`{"size":3,"f":5.0}`, `{"size":3,"f":5.0}`, nil},
		{`{"size":3,"s":"5","either":"5"}`, `{"size":3,"s":"5","either":"5"}`, nil},
		{`{"size":3,"list":"[1, \"2\", 3.0]"}`, `{"size":3,"list":[1,2,3]}`, nil},
		{`{"size":3,"o":{}}`, `{"size":3,"o":{"y":"why"}}`, nil},
		{`{"size":3,"o":"{\"x\":\"7\"}"}`, `{"size":3,"o":{"x":7,"y":"why"}}`, nil},
		{`{"size":3,"u":"5"}`, `{"size":3,"u":5}`, nil},
		{`{"size":3,"u":"[\"true\",false]"}`, `{"size":3,"u":[true,false]}`, nil},
		{`{"size":3,"u":null}`, `{"size":3,"u":null}`, nil},
		{`{"size":3,"k":{"kind":"b"}}`, `{"size":3,"k":{"kind":"b","w":1}}`, nil},
		{`{"size":3,"k":{"kind":"a","v":"1"}}`, `{"size":3,"k":{"kind":"a","v":1}}`, nil},
		{`{"size":3,"r":"30"}`, `{"size":3,"r":30}`, nil},
		{`"{\"size\":3}"`, `{"size":3}`, nil},
		{`{"size":3,"s":"é\u00e9\n"}`, `{"size":3,"s":"é\u00e9\n"}`, nil},

		{`[]`, ``, []string{`: got array, want object`}},
		{`5`, ``, []string{`: got number, want object`}},
		{`{`, ``, []string{`: not valid JSON`}},
		{`{"n":5.5}`, ``, []string{`n: got number, want integer`}},
		{`{"n":"5.5"}`, ``, []string{`n: got string, want integer`}},
		{`{"size":3,"n":" 5 ","b":"True"}`, `{"size":3,"n":5,"b":true}`, nil},
		{`{"size":3,"b":" FALSE\n"}`, `{"size":3,"b":false}`, nil},
		{`{"size":null,"n":null,"f":null,"b":null,"s":null,"list":null,"r":null,"o":{"x":null,"y":null}}`, `{"o":{"y":"why"},"size":10}`, nil},
		{`{"size":3,"k":{"kind":"a","v":null}}`, `{"size":3,"k":{"kind":"a"}}`, nil},
		{`{"n":5,"n":null}`, ``, []string{`n: duplicate key`}},
		{`{"k":{"kind":null}}`, ``, []string{`k: matches none of the allowed forms; nearest is form 1: kind: got null, want string`}},
		{`{"n":"5 5"}`, ``, []string{`n: got string, want integer`}},
		{`{"n":""}`, ``, []string{`n: got string, want integer; leave it out`}},
		{`{"r":""}`, ``, []string{`r: must be one of 30, 60; leave it out`}},
		{`{"list":5}`, ``, []string{`list: got number, want array; write [5]`}},
		{`{"list":true}`, ``, []string{`list: got boolean, want array`}},
		{`{"b":1}`, ``, []string{`b: got number, want boolean`}},
		{`{"list":"[1,"}`, ``, []string{`list: got string, want array`}},
		{`{"N":1}`, ``, []string{`N: unknown field; did you mean "n"?`}},
		{`{"Size":1}`, ``, []string{`Size: unknown field; did you mean "size"?`}},
		{`{"n":1,"n":2}`, ``, []string{`n: duplicate key`}},
		{`{"n":"x","b":"y","o":{"x":"z","q":1},"list":"[\"a\"]"}`, ``, []string{
			`n: got string, want integer`, `b: got string, want boolean`, `o.x: got string, want integer`, `o.q: unknown field`, `list[0]: got string, want integer`}},
		{`{"r":"45"}`, ``, []string{`r: must be one of 30, 60`}},
		{`{"k":{"kind":"a","v":"x"}}`, ``, []string{`k.v: got string, want integer`}},
	} {
		c := compiled(t, nested)
		if got, ok := c.literal([]byte(test.args)); ok && string(got) != test.want {
			t.Errorf("%s: taken literally as %s, want %s", test.args, got, test.want)
		}
		got, faults := c.Arguments([]byte(test.args))
		if string(got) != test.want {
			t.Errorf("%s: got %s, want %s", test.args, got, test.want)
		}
		if diff := cmp.Diff(test.faults, told(faults)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.args, diff)
		}
		for _, f := range faults {
			if f.Start < 0 || f.Start > f.End || f.End > len(test.args) {
				t.Errorf("%s: %s: bytes %d to %d", test.args, f.Path, f.Start, f.End)
			}
		}
		if faults == nil && !c.Check(got) {
			t.Errorf("%s: what comes out is refused: %v", test.args, c.Explain(got))
		}
	}
}

// TestLiteral compares arguments that need no tree with what the tree makes of them.
func TestLiteral(t *testing.T) {
	taken := 0
	rapid.Check(t, func(t *rapid.T) {
		schema := anySchema(t, 3)
		for _, word := range []string{"string", "integer"} {
			if rapid.Bool().Draw(t, "default") {
				schema = strings.ReplaceAll(schema, `{"type":"`+word+`"}`, `{"type":"`+word+`","default":1}`)
			}
		}
		c, err := Compile([]byte(schema))
		if err != nil {
			return
		}
		for range 4 {
			args := []byte(space.Draw(t, "space") + anyDocument(t, 3) + space.Draw(t, "space"))
			got, ok := c.literal(args)
			if !ok {
				continue
			}
			taken++
			if want, faults := c.meant(args); faults != nil || string(got) != string(want) {
				t.Fatalf("%s under %s: got %s, want %s, %v", args, schema, got, want, faults)
			}
		}
	})
	if taken == 0 {
		t.Error("nothing was taken literally")
	}
}

func TestNoArgumentsWhereSomeAreDue(t *testing.T) {
	c := compiled(t, `{"type":"object","properties":{"a":{}},"required":["a"]}`)
	for _, args := range []string{"", "null", "{}"} {
		want := []Fault{{"a", ruleMissing, 0, len(args)}}
		if _, faults := c.Arguments([]byte(args)); !cmp.Equal(want, faults) {
			t.Errorf("%q: %s", args, cmp.Diff(want, faults))
		}
	}
}

func TestDefaultsThatMultiplyAreBounded(t *testing.T) {
	c := compiled(t, `{"type":"object","properties":{"list":{"items":{"properties":{"d":{"default":"`+strings.Repeat("x", 60_000)+`"}}}}}}`)
	args := `{"list":[` + strings.Repeat("{},", 20_000) + `{}]}`
	if _, faults := c.Arguments([]byte(args)); len(faults) != 1 || faults[0].Rule != ruleCost {
		t.Errorf("got %d faults", len(faults))
	}
}

func TestArgumentsAreBounded(t *testing.T) {
	c := compiled(t, `{"type":"object","additionalProperties":{"$ref":"#"}}`)
	packed := `{}`
	for range 12 {
		packed = `{"a":` + string(jsontext.AppendString(nil, packed)) + `}`
	}
	if got, faults := c.Arguments([]byte(packed)); faults != nil || strings.Count(string(got), "a") != 12 {
		t.Errorf("got %s, %v", got, faults)
	}
	deep := strings.Repeat(`{"a":`, 900)
	inner := strings.Repeat(`{"a":`, 200) + `{}` + strings.Repeat(`}`, 200)
	args := deep + string(jsontext.AppendString(nil, inner)) + strings.Repeat(`}`, 900)
	if _, faults := c.Arguments([]byte(args)); len(faults) != 1 {
		t.Errorf("unpacked past the depth limit: %v", faults)
	}
	if _, faults := c.Arguments(make([]byte, maxArguments+1)); len(faults) != 1 || faults[0].Rule != "must have at most 16 MiB" {
		t.Errorf("got %v", faults)
	}
}
