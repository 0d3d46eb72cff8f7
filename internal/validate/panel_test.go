package validate

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/diptych-mcp/diptych/internal/jsontext"
)

// tester is what rapid's T has in common with testing's.
type tester interface {
	Helper()
	Fatal(args ...any)
	Fatalf(format string, args ...any)
}

func compiled(t tester, schema string) *Checker {
	t.Helper()
	c, err := Compile([]byte(schema))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func marshaled(t tester, v any) []byte {
	t.Helper()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		t.Fatal(err)
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// wholeBlocks makes one block of every item of the wrapped list in doc, or one of all of doc.
func wholeBlocks(t tester, doc []byte) []Block {
	t.Helper()
	v, flawed := parse(doc, jsontext.MaxDepth)
	if flawed {
		t.Fatalf("not JSON: %s", doc)
	}
	if list := v.find("result"); list != nil && list.kind == kindArray {
		return itemBlocks(list)
	}
	return []Block{{Start: v.start, End: v.end}}
}

func itemBlocks(list *value) []Block {
	var blocks []Block
	for i, item := range list.items {
		blocks = append(blocks, Block{item.start, item.end, item.kind == kindString && i%2 == 0})
	}
	return blocks
}

// indented is what the blocks of doc must become.
func indented(t tester, doc []byte, blocks []Block) []string {
	t.Helper()
	var texts []string
	for _, b := range blocks {
		part := doc[b.Start:b.End]
		if b.Bare {
			var s string
			if err := json.Unmarshal(part, &s); err != nil {
				t.Fatal(err)
			}
			texts = append(texts, s)
			continue
		}
		var out bytes.Buffer
		if err := json.Indent(&out, part, "", "  "); err != nil {
			t.Fatal(err)
		}
		texts = append(texts, out.String())
	}
	return texts
}

func split(text []byte, ends []int, from int) []string {
	var texts []string
	for _, end := range ends {
		texts = append(texts, string(text[from:end]))
		from = end
	}
	return texts
}

func TestPanel(t *testing.T) {
	for _, test := range []struct{ name, schema, doc string }{
		{"object", `{"type":"object"}`, `{"a":1,"b":[1,2,{"c":null}],"d":{}, "e" : [ ] }`},
		{"declared", `{"properties":{"a":{"type":"integer"},"b":{"items":true},"c":{"properties":{"d":{}}}}}`, "{\"a\":1,\n\"b\" : [ 1 , 2 ], \"c\":{\"d\":{\"e\":[[],{}]}}}"},
		{"deep", `{"properties":{"a":{"properties":{"a":{"properties":{"a":{"properties":{"a":{"properties":{"a":{},"b":{}}}}}}}}}}}`, `{"a":{"a":{"a":{"a":{"a":1,"b":[2]}}}}}`},
		{"list", `{"properties":{"result":{"type":"array"}}}`, `{"result":["one","tw\u006f",3,[4],{"five":5},"s\u00efx\n"]}`},
		{"escaped names", `{"properties":{"a\"b":{},"ä":{}}}`, `{"a\"b":1,"ä":[true,false]}`},
		{"alternatives", `{"anyOf":[{"type":"array","items":{"$ref":"#"}},{"type":["integer","null"]},{"type":"object","additionalProperties":{"$ref":"#"}}]}`,
			`[1,[2,[null,{}]],{"a":{"b":[3]}}]`},
		{"overlapping alternatives", `{"oneOf":[{"required":["a"]},{"required":["b"]}],"allOf":[{"minProperties":2}],"not":{"required":["z"]}}`, `{"a":{"c":[1]},"d":[]}`},
		{"slow keywords", `{"patternProperties":{"^x":{"type":"integer"}},"unevaluatedProperties":false}`, `{"x1":1,"x2":2}`},
		{"scalar", `true`, ` "text" `},
	} {
		c, doc := compiled(t, test.schema), []byte(test.doc)
		blocks := wholeBlocks(t, doc)
		text, ends, ok := c.Panel([]byte("before"), []int{6}, doc, blocks)
		if !ok {
			t.Errorf("%s: refused: %v", test.name, c.Explain(doc))
			continue
		}
		if diff := cmp.Diff(indented(t, doc, blocks), split(text, ends[1:], 6)); diff != "" {
			t.Errorf("%s: text differs (-want +got):\n%s", test.name, diff)
		}
	}
}

func TestPanelRefusesBlocksThatAreNoValues(t *testing.T) {
	c, doc := compiled(t, `true`), []byte(`{"a":[1,2],"b":3}`)
	for _, blocks := range [][]Block{
		{{Start: 1, End: 4}}, {{Start: 5, End: 9}}, {{Start: 5, End: 10, Bare: true}}, {{Start: 100, End: 101}}, {{Start: 6, End: 7}, {Start: 6, End: 7}},
	} {
		if _, _, ok := c.Panel(nil, nil, doc, blocks); ok {
			t.Errorf("%v: accepted", blocks)
		}
	}
}

// TestPassAllocates holds the accepting path to no allocation at all once text and ends have room. It looks at the pass
// itself: the pool that passes come from drops some on purpose under the race detector.
func TestPassAllocates(t *testing.T) {
	for _, test := range []struct {
		name, schema string
		value        any
	}{
		{"rows", rowsTagged, rows(100)},
		{"document", documentSchema, document()},
		{"small", smallSchema, small()},
		{"strings", `{"items":{"type":"string","pattern":"^[a-z\u00e9\"]+$","format":"hostname"},"uniqueItems":true}`, []string{"a", "b", "c"}},
		{"names", `{"additionalProperties":{"enum":[1,2,"x\"y"]},"propertyNames":{"minLength":1},"anyOf":[{"minProperties":9},{"required":["b"]}]}`, map[string]any{"a": 1, "b\"": 2.0, "b": "x\"y"}},
	} {
		c, doc := compiled(t, test.schema), marshaled(t, test.value)
		blocks := wholeBlocks(t, doc)
		p := new(pass)
		text, ends, ok, _ := p.run(c.root, nil, nil, doc, blocks)
		if !ok {
			t.Fatalf("%s: refused: %v", test.name, c.Explain(doc))
		}
		if n := testing.AllocsPerRun(100, func() { text, ends, _, _ = p.run(c.root, text[:0], ends[:0], doc, blocks) }); n != 0 {
			t.Errorf("%s: %v allocations", test.name, n)
		}
	}
}
