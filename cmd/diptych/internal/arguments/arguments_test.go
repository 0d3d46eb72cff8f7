package arguments

import (
	"strings"
	"testing"

	"github.com/diptych-mcp/diptych/internal/validate"
)

const schema = `{"type":"object","required":["s"],"additionalProperties":false,"$defs":{"Unit":{"enum":["metric","imperial"]}},"properties":{
	"s":{"type":"string"},"i":{"type":"integer"},"n":{"type":"number"},"b":{"type":"boolean"},"maybe":{"anyOf":[{"type":"integer"},{"type":"null"}]},
	"either":{"anyOf":[{"type":"integer"},{"type":"string"}]},"unit":{"$ref":"#/$defs/Unit"},"tags":{"type":"array","items":{"type":"string"}},
	"sizes":{"type":"array","items":{"type":"integer"}},"o":{"type":"object"},"any":{},"long_name":{"type":"string"},"level":{"enum":[1,2,"max"]}}}`

func TestParse(t *testing.T) {
	for words, want := range map[string]string{
		"s=x":                    `{"s":"x"}`,
		"s=5":                    `{"s":"5"}`,
		"s=":                     `{"s":""}`,
		"s=a=b<c":                `{"s":"a=b<c"}`,
		"i=9007199254740993 s=x": `{"i":9007199254740993,"s":"x"}`,
		"n=1.10 s=x":             `{"n":1.10,"s":"x"}`,
		"b=true s=true":          `{"b":true,"s":"true"}`,
		"maybe=null s=null":      `{"maybe":null,"s":"null"}`,
		"either=5 s=x":           `{"either":5,"s":"x"}`,
		"either=five s=x":        `{"either":"five","s":"x"}`,
		"unit=metric s=x":        `{"unit":"metric","s":"x"}`,
		"level=2 s=x":            `{"level":2,"s":"x"}`,
		"level=max s=x":          `{"level":"max","s":"x"}`,
		"tags=a tags=b s=x":      `{"tags":["a","b"],"s":"x"}`,
		"tags=a s=x":             `{"tags":["a"],"s":"x"}`,
		`tags=["a","b"] s=x`:     `{"tags":["a","b"],"s":"x"}`,
		"sizes=1 sizes=2 s=x":    `{"sizes":[1,2],"s":"x"}`,
		`o={"k":1} s=x`:          `{"o":{"k":1},"s":"x"}`,
		`any=[1] s=x`:            `{"any":[1],"s":"x"}`,
		`any=word s=x`:           `{"any":"word","s":"x"}`,
		`s:=7 any:="7"`:          `{"s":7,"any":"7"}`,
	} {
		got, err := Parse([]byte(schema), strings.Fields(words))
		if err != nil || string(got) != want {
			t.Errorf("%s: got %s, %v; want %s", words, got, err, want)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for words, want := range map[string]string{
		"":                    "missing s; add s=…",
		"s":                   `"s" is no argument; write key=value, or --args JSON`,
		"=x":                  `"=x" is no argument; write key=value, or --args JSON`,
		"s:=x":                `s: "x" is no JSON; write s=… for text`,
		"tags:=[] tags=a s=x": "tags: given 2 times, and once as JSON; write the whole list as JSON",
		"i=x s=x":             `i: got "x", want integer`,
		"i=1.5 s=x":           `i: got "1.5", want integer`,
		"b=yes s=x":           `b: got "yes", want true or false`,
		"unit=metrik s=x":     `unit: got "metrik"; did you mean "metric"?`,
		"unit=zzzzzzz s=x":    `unit: got "zzzzzzz", want metric or imperial`,
		"sizes=1 sizes=b s=x": `sizes: item 2: got "b", want integer`,
		"s=a s=b":             "s: given 2 times, but it is no list; give it once",
		"o=x s=x":             `o: got "x", want an object as JSON`,
		"long_nam=x s=x":      `unknown argument "long_nam"; did you mean "long_name"?`,
	} {
		got, err := Parse([]byte(schema), strings.Fields(words))
		if err == nil || err.Error() != want {
			t.Errorf("%s: got %s, %v; want %s", words, got, err, want)
		}
	}
	if _, err := Parse([]byte(`{"type":"object","properties":{}}`), []string{"a=1"}); err == nil || err.Error() != `unknown argument "a"; the tool takes none` {
		t.Errorf("got %v", err)
	}
	if got, err := Parse([]byte(`{"type":"object"}`), []string{"a=1"}); err != nil || string(got) != `{"a":1}` {
		t.Errorf("an open object: got %s, %v", got, err)
	}
}

func TestExample(t *testing.T) {
	for in, want := range map[string]string{
		`{"type":"object"}`: `{}`,
		`{"type":"object","required":["a","b","c","d"],"properties":{"a":{"type":"string"},"b":{"type":"integer","minimum":5},"c":{"type":"boolean"},"d":{"enum":["x","y"]},"e":{"type":"string"}}}`:                    `{"a":"example","b":5,"c":false,"d":"x"}`,
		`{"type":"object","required":["timezone","day","at"],"properties":{"timezone":{"type":"string"},"day":{"type":"string","format":"date"},"at":{"type":"string","format":"date-time"}}}`:                          `{"timezone":"Etc/UTC","day":"2026-01-15","at":"2026-01-15T09:00:00Z"}`,
		`{"type":"object","required":["a"],"properties":{"a":{"type":"string","default":"d","examples":["e"]}}}`:                                                                                                        `{"a":"e"}`,
		`{"type":"object","required":["a"],"properties":{"a":{"type":["null","number"],"exclusiveMaximum":1}}}`:                                                                                                         `{"a":0}`,
		`{"type":"object","required":["a"],"properties":{"a":{"type":"array","minItems":2,"items":{"type":"string","maxLength":3}}}}`:                                                                                   `{"a":["exa","exa"]}`,
		`{"type":"object","required":["a"],"properties":{"a":{"anyOf":[{"type":"null"},{"$ref":"#/$defs/P"}]}},"$defs":{"P":{"type":"object","required":["x"],"properties":{"x":{"type":"number","multipleOf":0.5}}}}}`: `{"a":{"x":0.5}}`,
		`{"type":"object","examples":[{"z":1}]}`:                                                         `{"z":1}`,
		`{"type":"object","required":["a"],"properties":{"a":{"type":"string","pattern":"^[A-Z]{3}$"}}}`: `{"a":"ABC"}`,
	} {
		got, err := Example([]byte(in))
		if err != nil || string(got) != want {
			t.Errorf("%s: got %s, %v; want %s", in, got, err, want)
		}
	}
	for _, in := range []string{`{`, `{"type":"object","required":["a"],"properties":{"a":{"type":"string","pattern":"^Q[0-9]{9}$"}}}`, `{"type":"object","$ref":"#"}`,
		`{"type":"object","required":["a"],"properties":{"a":{"type":"string","minLength":2000000}}}`} {
		if got, err := Example([]byte(in)); err == nil {
			t.Errorf("%s: got %.50s", in, got)
		}
	}
}

func TestWrong(t *testing.T) {
	bad, name := Wrong([]byte(schema), []byte(`{"s":"x","i":1}`))
	if want := `{"i":1,"s":{"wrong":"type"}}`; string(bad) != want || name != "s" {
		t.Errorf("got %s, %q; want %s", bad, name, want)
	}
	if bad, _ := Wrong([]byte(`{"type":"object","properties":{"a":{}}}`), []byte(`{}`)); bad != nil {
		t.Errorf("an argument that takes anything: got %s", bad)
	}
}

// What Example makes, the schema takes; what Wrong makes, it refuses.
func FuzzExample(f *testing.F) {
	f.Add([]byte(schema))
	f.Add([]byte(`{"type":"object","required":["a"],"properties":{"a":{"allOf":[{"type":"string"},{"minLength":3}]}}}`))
	f.Fuzz(func(t *testing.T, schema []byte) {
		got, err := Example(schema)
		if err != nil {
			return
		}
		c, err := validate.Compile(schema)
		if err != nil || !c.Check(got) {
			t.Fatalf("%s does not fit, %v", got, err)
		}
	})
}
