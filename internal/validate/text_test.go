package validate

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
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

// indented is what doc must become as a text, as far as it is not too deep.
func indented(t tester, doc []byte) string {
	t.Helper()
	var compact, text bytes.Buffer
	if err := json.Compact(&compact, doc); err != nil {
		t.Fatal(err)
	}
	if err := json.Indent(&text, compact.Bytes(), "", "  "); err != nil {
		t.Fatal(err)
	}
	return text.String()
}

// read reads doc as raw JSON that is one block.
func read(c *Checker, doc []byte) (text string, ok bool) {
	d, known := c.Demand()
	if !known {
		d = c.Anything()
	}
	var r Reader
	r.Start()
	to := Raw{Cut: &Cut{}}
	ok = r.Raw(d, doc, &to)
	return string(to.Text), ok
}

// TestText has documents whose text goes over the same ground in different ways.
func TestText(t *testing.T) {
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
		text, ok := read(c, doc)
		if !ok {
			t.Errorf("%s: refused: %v", test.name, c.Explain(doc))
			continue
		}
		if diff := cmp.Diff(indented(t, doc), text); diff != "" {
			t.Errorf("%s: text differs (-want +got):\n%s", test.name, diff)
		}
	}
}

// TestPassAllocates holds the accepting path to no allocation at all once its buffers have grown. It looks at a reader
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
		var r Reader
		var to Raw
		cut := new(Cut)
		read := func() {
			r.Start()
			to = Raw{Doc: to.Doc[:0], Text: to.Text[:0], Ends: to.Ends[:0], Cut: cut}
			if d, _ := c.Demand(); !r.Raw(d, doc, &to) {
				t.Fatalf("%s: refused: %v", test.name, c.Explain(doc))
			}
		}
		read()
		if n := testing.AllocsPerRun(100, read); n != 0 {
			t.Errorf("%s: %v allocations", test.name, n)
		}
	}
}
