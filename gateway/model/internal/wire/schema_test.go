package wire

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/diptych-mcp/diptych/gateway/model"
)

func TestAdapt(t *testing.T) {
	for _, c := range []struct {
		name    string
		dialect Dialect
		in, out string // the same where out is empty
	}{
		{"none", Careful, ``, `{"type":"object","properties":{}}`},
		{"no object", Careful, `[]`, `{"type":"object","properties":{}}`},
		{"nothing to do", Careful, `{"type":"object", "properties":{"b":{"type":"string"},"a":{"type":"integer"}}}`, ``},
		{"no properties", NeedProperties, `{"type":"object"}`, `{"properties":{},"type":"object"}`},
		{"no properties, not asked for", 0, `{"type":"object"}`, ``},
		{"no type", 0, `{"properties":{}}`, `{"properties":{},"type":"object"}`},
		{"oneOf at the root", NoRootUnion, `{"type":"object","properties":{"x":{"type":"string"}},"required":["x"],"oneOf":[{"properties":{"a":{"type":"string"},"c":{"type":"integer"}},"required":["a","c"]},{"properties":{"b":{"type":"string"},"c":{"type":"string"}},"required":["b","c"]}]}`,
			`{"properties":{"a":{"type":"string"},"b":{"type":"string"},"c":{"anyOf":[{"type":"integer"},{"type":"string"}]},"x":{"type":"string"}},"required":["c","x"],"type":"object"}`},
		{"a union of references", NoRootUnion, `{"anyOf":[{"$ref":"#/$defs/A"},{"$ref":"#/$defs/B"}],"$defs":{"A":{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]},"B":{"properties":{"b":true}}}}`,
			`{"$defs":{"A":{"properties":{"a":{"type":"string"}},"required":["a"],"type":"object"},"B":{"properties":{"b":true}}},"properties":{"a":{"type":"string"},"b":true},"type":"object"}`},
		{"allOf needs everything", NoRootUnion, `{"type":"object","allOf":[{"properties":{"a":{"type":"string"}},"required":["a"]},{"required":["b"]}]}`,
			`{"properties":{"a":{"type":"string"}},"required":["a","b"],"type":"object"}`},
		{"a number with an enum", StringEnums, `{"type":"object","properties":{"n":{"type":"integer","description":"How many.","enum":[1,2]}}}`,
			`{"properties":{"n":{"description":"How many. One of 1, 2.","type":"integer"}},"type":"object"}`},
		{"an empty text in an enum", StringEnums, `{"type":"object","properties":{"s":{"type":"string","enum":["","a"]}}}`,
			`{"properties":{"s":{"description":"One of \"\", \"a\".","type":"string"}},"type":"object"}`},
		{"properties without a type", NeedTypes, `{"type":"object","properties":{"a":{"description":"x"},"b":{"anyOf":[{"type":"string"}]},"c":{"items":{"type":"string"}}}}`,
			`{"properties":{"a":{"description":"x","type":"string"},"b":{"anyOf":[{"type":"string"}]},"c":{"items":{"type":"string"},"type":"array"}},"type":"object"}`},
		{"digits", Careful | NeedTypes, `{"type":"object","properties":{"n":{"maximum":12345678901234567890,"type":"integer"},"m":{}}}`,
			`{"properties":{"m":{"type":"string"},"n":{"maximum":12345678901234567890,"type":"integer"}},"type":"object"}`},
	} {
		want := c.out
		if want == "" {
			want = c.in
		}
		if got := string(Adapt(model.Tool{Parameters: json.RawMessage(c.in)}, c.dialect)); got != want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, want)
		}
	}
	deep := strings.Repeat(`{"type":"object","properties":{"a":`, 2*maxSchemaDepth) + `{}` + strings.Repeat(`}}`, 2*maxSchemaDepth)
	if got := Adapt(model.Tool{Parameters: json.RawMessage(deep)}, Careful); string(got) != deep {
		t.Error("a schema is adapted deeper than the limit")
	}
	if got := Adapt(model.Tool{Parameters: json.RawMessage(`{"type":"object","properties":{"n":{"enum":[` + strings.TrimSuffix(strings.Repeat("1,", maxToldEnum+1), ",") + `]}}}`)}, Careful); strings.Contains(string(got), "One of") {
		t.Errorf("a long enum is told: %s", got)
	}
}
