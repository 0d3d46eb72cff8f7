package validate

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestMembersInOrder compares the walker and the judge on objects that are nearly as an encoder writes them: in order and
// without space, but for a member left out, written twice, moved, or a byte changed.
func TestMembersInOrder(t *testing.T) {
	kinds := []struct{ schema, good, bad string }{
		{`{"type":"integer"}`, `12`, `1.5`},
		{`{"type":"integer","minimum":3,"maximum":30}`, `12`, `31`},
		{`{"type":"number","maximum":2}`, `1.25`, `2.5`},
		{`{"type":"string"}`, `"twelve"`, `12`},
		{`{"type":"string","minLength":2,"maxLength":4}`, `"é–"`, `"longer"`},
		{`{"enum":["a","b"]}`, `"b"`, `"c"`},
		{`{"type":"boolean"}`, `true`, `null`},
		{`{"type":"boolean","enum":[true,false]}`, `false`, `"false"`},
		{`{"type":"boolean","enum":[true]}`, `true`, `false`},
		{`{"type":["null","boolean"],"enum":[null,true,false]}`, `null`, `0`},
		{`{"type":["string","null"]}`, `null`, `1`},
		{`{"const":1}`, `1`, `2`},
		{`{"$ref":"#/$defs/x"}`, `7`, `"x"`},
		{`{"anyOf":[{"type":"string"},{"type":"null"}]}`, `null`, `false`},
		{`{"type":"array","items":{"type":"integer"}}`, `[1,2]`, `[1,"2"]`},
		{`{"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"string"}}}`, `{"a":1,"b":"x"}`, `{"a":1,"b":2}`},
	}
	rapid.Check(t, func(t *rapid.T) {
		var properties, required, doc []string
		for i := range rapid.SampledFrom([]int{1, 2, 5, 9, 63, 64, 65, 130}).Draw(t, "properties") {
			k := rapid.SampledFrom(kinds).Draw(t, "kind")
			name := fmt.Sprintf(`"%s%d"`, strings.Repeat("n", rapid.IntRange(0, 9).Draw(t, "length")), i)
			properties = append(properties, name+":"+k.schema)
			if rapid.Bool().Draw(t, "required") {
				required = append(required, name)
			}
			value := k.good
			if rapid.IntRange(0, 99).Draw(t, "bad") == 0 {
				value = k.bad
			}
			doc = append(doc, name+":"+value)
		}
		at := func() int { return rapid.IntRange(0, len(doc)-1).Draw(t, "member") }
		switch rapid.IntRange(0, 5).Draw(t, "change") {
		case 0:
			i := at()
			doc = slices.Delete(doc, i, i+1)
		case 1:
			doc = slices.Insert(doc, at(), doc[at()])
		case 2:
			i, j := at(), at()
			doc[i], doc[j] = doc[j], doc[i]
		case 3:
			doc = slices.Insert(doc, at(), rapid.SampledFrom([]string{`"other":1`, `"n":[]`, `"other": {} `}).Draw(t, "extra"))
		}
		text := "{" + strings.Join(doc, ",") + "}"
		if rapid.Bool().Draw(t, "byte") {
			i := rapid.IntRange(0, len(text)-1).Draw(t, "at")
			text = text[:i] + rapid.SampledFrom([]string{"", " ", ",", "\"", ":", "{", "}", "0", "\\", "\x01", "\xff"}).Draw(t, "into") + text[i+rapid.IntRange(0, 1).Draw(t, "over"):]
		}
		schema := fmt.Sprintf(`{"type":"object","properties":{%s},"required":[%s],"additionalProperties":%t,"minProperties":%d,"maxProperties":%d,"$defs":{"x":{"type":"integer"}}}`,
			strings.Join(properties, ","), strings.Join(required, ","), rapid.Bool().Draw(t, "others"),
			len(properties)-rapid.IntRange(0, 1).Draw(t, "fewer"), len(properties)+rapid.IntRange(0, 1).Draw(t, "more"))
		agree(t, schema, rapid.SampledFrom([]string{text, "[" + text + "]", text[:len(text)-1]}).Draw(t, "document"))
		if c, err := Compile([]byte(`{"items":` + schema + `,"$defs":{"x":{"type":"integer"}}}`)); err == nil {
			rows := "[" + text + "," + text + "]"
			if fast, slow := c.Check([]byte(rows)), c.accepts([]byte(rows)); fast != slow {
				t.Fatalf("%s under %s: Check says %t, the walker %t", rows, schema, fast, slow)
			}
		}
	})
}
