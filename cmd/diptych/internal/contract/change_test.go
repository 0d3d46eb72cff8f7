package contract

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych/cmd/diptych/internal/peer"
	"github.com/diptych-mcp/diptych/cmd/diptych/internal/tree"
)

// A row is a property before and after, and what the change means where it is an argument and where it is a result.
func TestProperties(t *testing.T) {
	for _, tt := range []struct{ name, old, now, argument, result string }{
		{"the same", `{"type":"string"}`, `{"type":"string"}`, "", ""},
		{"another order", `{"type":"string","minLength":1}`, `{"minLength":1.0,"type":"string"}`, "", ""},
		{"integer to number", `{"type":"integer"}`, `{"type":"number"}`, "", "breaking"},
		{"number to integer", `{"type":"number"}`, `{"type":"integer"}`, "breaking", ""},
		{"text to number", `{"type":"string"}`, `{"type":"integer"}`, "breaking", "breaking"},
		{"null allowed", `{"type":"string"}`, `{"anyOf":[{"type":"string"},{"type":"null"}]}`, "", "breaking"},
		{"null refused", `{"type":["string","null"]}`, `{"type":"string"}`, "breaking", ""},
		{"a value more", `{"enum":["a","b"]}`, `{"enum":["a","b","c"]}`, "", "breaking"},
		{"a value less", `{"enum":["a","b"]}`, `{"enum":["a"]}`, "breaking", ""},
		{"values instead of text", `{"type":"string"}`, `{"type":"string","enum":["a"]}`, "breaking", ""},
		{"a lower minimum", `{"type":"integer","minimum":2}`, `{"type":"integer","minimum":1}`, "", "breaking"},
		{"a higher minimum", `{"type":"integer","minimum":1}`, `{"type":"integer","minimum":2}`, "breaking", ""},
		{"an exclusive minimum", `{"type":"integer","minimum":1}`, `{"type":"integer","exclusiveMinimum":1}`, "breaking", ""},
		{"a maximum", `{"type":"integer"}`, `{"type":"integer","maximum":9}`, "breaking", ""},
		{"a longer text", `{"type":"string","maxLength":5}`, `{"type":"string","maxLength":9}`, "", "breaking"},
		{"a shorter list", `{"type":"array","items":{},"maxItems":5}`, `{"type":"array","items":{},"maxItems":3}`, "breaking", ""},
		{"other items", `{"type":"array","items":{"type":"string"}}`, `{"type":"array","items":{"type":"integer"}}`, "breaking", "breaking"},
		{"a step", `{"type":"number"}`, `{"type":"number","multipleOf":0.5}`, "breaking", ""},
		{"a step of whole numbers", `{"type":"integer"}`, `{"type":"integer","multipleOf":0.5}`, "", ""},
		{"a smaller step", `{"type":"integer","multipleOf":4}`, `{"type":"integer","multipleOf":2}`, "", "breaking"},
		{"a pattern", `{"type":"string"}`, `{"type":"string","pattern":"^[A-Z]+$"}`, "breaking", ""},
		{"another pattern", `{"type":"string","pattern":"^[A-Z]{1}$"}`, `{"type":"string","pattern":"^[A-Z]$"}`, "unsure", "unsure"},
		{"a format", `{"type":"string"}`, `{"type":"string","format":"date"}`, "breaking", ""},
		{"any to text", `{}`, `{"type":"string"}`, "breaking", ""},
		{"text to any", `{"type":"string"}`, `{}`, "", "breaking"},
		{"a member required", `{"type":"object","properties":{"a":{"type":"string"}}}`, `{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]}`, "breaking", ""},
		{"a member no longer required", `{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]}`, `{"type":"object","properties":{"a":{"type":"string"}}}`, "safe", "breaking"},
		{"a member more", `{"type":"object","properties":{"a":{"type":"string"}}}`, `{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}}}`, "safe", "safe"},
		{"a member less", `{"type":"object","properties":{"a":{"type":"string"}}}`, `{"type":"object","properties":{}}`, "unsure", "unsure"},
		{"a member less, closed", `{"type":"object","additionalProperties":false,"properties":{"a":{"type":"string"}}}`, `{"type":"object","additionalProperties":false,"properties":{}}`, "breaking", "unsure"},
		{"closed", `{"type":"object","properties":{}}`, `{"type":"object","properties":{},"additionalProperties":false}`, "breaking", ""},
		{"opened", `{"type":"object","properties":{},"additionalProperties":false}`, `{"type":"object","properties":{}}`, "", "unsure"},
		{"a default", `{"type":"integer","default":1}`, `{"type":"integer","default":2}`, "unsure", ""},
		{"an arm more", `{"anyOf":[{"type":"string"},{"type":"integer"}]}`, `{"anyOf":[{"type":"string"},{"type":"integer"},{"type":"null"}]}`, "", "breaking"},
		{"not", `{"type":"string"}`, `{"type":"string","not":{"const":"example"}}`, "breaking", ""},
		{"a tuple", `{"type":"array","prefixItems":[{"type":"string"},{"type":"integer"}],"items":false}`, `{"type":"array","prefixItems":[{"type":"string"},{"type":"string"}],"items":false}`, "breaking", "breaking"},
	} {
		for input, want := range map[bool]string{true: tt.argument, false: tt.result} {
			wrap := func(s string) []byte {
				return fmt.Appendf(nil, `{"type":"object","properties":{"p":%s},"required":["p"]}`, s)
			}
			changes := side(wrap(tt.old), wrap(tt.now), input)
			if got := worst(changes); got != want {
				t.Errorf("%s, input %v: got %q, want %q: %+v", tt.name, input, got, want, changes)
			}
			for _, c := range changes {
				if !strings.HasPrefix(c.Place, "arguments/p") && !strings.HasPrefix(c.Place, "result/p") {
					t.Errorf("%s: the place is %s", tt.name, c.Place)
				}
			}
		}
	}
}

func worst(changes []Change) string {
	for _, k := range []Kind{Breaking, Unsure, Safe} {
		if slices.ContainsFunc(changes, func(c Change) bool { return c.Kind == k }) {
			return string(k)
		}
	}
	return ""
}

// A value is shown as evidence, and the one version takes it and the other does not.
func TestEvidence(t *testing.T) {
	old := `{"type":"object","properties":{"minutes":{"type":"integer"},"room":{"type":"string"}},"required":["room"]}`
	now := `{"type":"object","properties":{"minutes":{"type":"integer","maximum":120},"room":{"type":"string"}},"required":["room","minutes"]}`
	changes := side([]byte(old), []byte(now), true)
	for _, c := range changes {
		if c.Kind == Breaking && (c.Evidence == "" || c.Fault == "") {
			t.Errorf("without evidence: %+v", c)
		}
	}
	if len(changes) < 2 {
		t.Errorf("%+v", changes)
	}
}

// Recursive types are compared to their end, and so are types whose pairs multiply.
func TestRecursiveTypes(t *testing.T) {
	schema := func(leaf string) []byte {
		return []byte(`{"type":"object","$defs":{"N":{"type":"object","properties":{"v":` + leaf + `,"kids":{"type":"array","items":{"$ref":"#/$defs/N"}}}}},"properties":{"root":{"$ref":"#/$defs/N"}}}`)
	}
	if got := side(schema(`{"type":"string"}`), schema(`{"type":"string"}`), true); got != nil {
		t.Errorf("the same: %+v", got)
	}
	if got := worst(side(schema(`{"type":"string"}`), schema(`{"type":"integer"}`), true)); got != "breaking" {
		t.Errorf("another leaf: %q", got)
	}
	nullable := func(leaf string) []byte {
		return []byte(`{"type":"object","$defs":{"N":{"type":"object","properties":{"v":` + leaf + `,"next":{"anyOf":[{"$ref":"#/$defs/N"},{"type":"null"}]}}}},"properties":{"root":{"$ref":"#/$defs/N"}}}`)
	}
	if got := side(nullable(`{"type":"integer"}`), nullable(`{"type":"integer","maximum":9}`), true); len(got) != 1 || got[0].Place != "arguments/root/v" || got[0].Evidence == "" {
		t.Errorf("a nullable one: %+v", got)
	}
}

func TestCompare(t *testing.T) {
	tool := func(name string, readOnly bool, output string) peer.Tool {
		out := peer.Tool{Tool: &mcp.Tool{Name: name, Description: "d", Annotations: &mcp.ToolAnnotations{ReadOnlyHint: readOnly}}, Input: []byte(`{"type":"object","properties":{}}`)}
		if output != "" {
			out.Output = []byte(output)
		}
		return out
	}
	got := Compare([]peer.Tool{tool("gone", true, ""), tool("asks", true, ""), tool("loses", true, `{"type":"object"}`), tool("same", true, "")},
		[]peer.Tool{tool("new", true, ""), tool("asks", false, ""), tool("loses", true, ""), tool("same", true, "")})
	var lines []string
	for _, c := range got {
		lines = append(lines, fmt.Sprintf("%s %s %s %s", c.Kind, c.Tool, c.Place, c.What))
	}
	want := []string{
		"unsure asks annotations/readOnlyHint is now false: hosts may ask before they call the tool",
		"breaking gone tool was removed",
		"breaking loses result has no output schema any more",
		"safe new tool was added",
	}
	if !slices.Equal(lines, want) {
		t.Errorf("got %q", lines)
	}
}

func TestRead(t *testing.T) {
	for text, want := range map[string]string{
		`[{"name":"a","inputSchema":{"b":1,"a":9007199254740993}}]`: "",
		`{"tools":[{"name":"a"}]}`:                                  "",
		`[]`:                                                        "",
		`{}`:                                                        "no list of tools; save one with diptych ls --json",
		`[{}]`:                                                      "tool 1 has no name; save the contract again with diptych ls --json",
		`x`:                                                         "invalid character",
	} {
		tools, err := Read([]byte(text))
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v", text, err)
		}
		if strings.Contains(text, "9007") && string(tools[0].Input) != `{"b":1,"a":9007199254740993}` {
			t.Errorf("the schema is %s", tools[0].Input)
		}
	}
}

// What the rules call no change takes the same values: each sample of the narrow schema is one of the wide.
func FuzzWithin(f *testing.F) {
	f.Add([]byte(`{"type":"integer","minimum":1}`), []byte(`{"type":"number"}`))
	f.Add([]byte(`{"anyOf":[{"type":"string"},{"enum":[1,2]}]}`), []byte(`{"type":["string","integer"]}`))
	f.Add([]byte(`{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]}`), []byte(`{"type":"object","additionalProperties":{"type":"string"}}`))
	f.Fuzz(func(t *testing.T, a, b []byte) {
		narrow, err := usable(a)
		if err != nil {
			return
		}
		wide, err := usable(b)
		if err != nil {
			return
		}
		w := walk{input: true, narrow: narrow, wide: wide}
		w.within(narrow.root, wide.root, "p", 0)
		if len(w.changes) > 0 {
			return
		}
		for _, doc := range samples(narrow.root) {
			if _, err := tree.Parse(doc); err == nil && narrow.checker.Check(doc) && !wide.checker.Check(doc) {
				t.Fatalf("%s is taken by %s and not by %s", doc, a, b)
			}
		}
	})
}
