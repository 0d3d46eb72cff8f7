package press_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"pgregory.net/rapid"

	"github.com/diptych-mcp/diptych/internal/formtest"
	"github.com/diptych-mcp/diptych/internal/schema"
	"github.com/diptych-mcp/diptych/internal/shape"
)

// TestJudged asks those who share no line with the press: what it says yes to is JSON to encoding/json, which indents it to
// the same text, and valid to another validator.
func TestJudged(t *testing.T) { rapid.Check(t, judge) }

func judge(t *rapid.T) {
	typ := anyType(t, 3)
	s := shape.NewReader(formtest.Of).Read(typ)
	own, err := schema.ForOutput("f", s, schema.Config{})
	if err != nil {
		return // a tag that does not fit
	}
	raw := own.JSON
	if rapid.Bool().Draw(t, "bent") {
		raw = bend(t, raw)
	}
	r, err := newTrial(s, raw, own.Wrapped)
	if err != nil {
		return
	}
	compiler := jsonschema.NewCompiler()
	parsed, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	if err := compiler.AddResource("schema.json", parsed); err != nil {
		t.Fatal(err)
	}
	judge, err := compiler.Compile("schema.json")
	if err != nil {
		return // no schema to the other
	}
	v := reflect.New(typ).Elem()
	fill(t, v, 5)
	if !r.print(v) {
		return
	}
	doc := r.sheet.Doc
	x, err := jsonschema.UnmarshalJSON(bytes.NewReader(doc))
	if err != nil {
		t.Fatalf("%s: %s: %v", describe(v, raw), doc, err)
	}
	if err := judge.Validate(x); err != nil {
		t.Fatalf("%s: %s: %v", describe(v, raw), doc, err)
	}
	var value json.RawMessage = doc
	if own.Wrapped {
		var members map[string]json.RawMessage
		if err := json.Unmarshal(doc, &members); err != nil {
			t.Fatal(err)
		}
		value = members["result"]
	}
	if len(r.sheet.Ends) != 1 || value[0] == '"' || value[0] == '[' {
		return // cut, or without quotes
	}
	var text bytes.Buffer
	if err := json.Indent(&text, value, "", "  "); err != nil || text.String() != string(r.sheet.Text) {
		t.Fatalf("%s\n got %q\nwant %q", describe(v, raw), r.sheet.Text, text.String())
	}
}

// A leaver is a key that takes itself, and all others, out of its map.
type leaver struct{ from *map[*leaver]int }

func (l *leaver) MarshalText() ([]byte, error) {
	clear(*l.from)
	return []byte("gone"), nil
}

// A stunt changes the list beside it when it is asked for its JSON.
type stunt struct{ list *[]int }

func (s stunt) MarshalJSON() ([]byte, error) {
	*s.list = append((*s.list)[:0:0], 7, 8, 9)
	return []byte("0"), nil
}

// TestMoving has values that change while they are written, by the hands of their own methods.
func TestMoving(t *testing.T) {
	m := map[*leaver]int{}
	keys := []*leaver{{&m}, {&m}}
	for _, schema := range []string{`true`, `{"minProperties":2}`} {
		r, err := newTrial(shape.NewReader(formtest.Of).Read(reflect.TypeOf(m)), []byte(schema), false)
		if err != nil {
			t.Fatal(err)
		}
		m[keys[0]], m[keys[1]] = 1, 2
		if r.print(reflect.ValueOf(&m).Elem()) {
			t.Errorf("%s: the press says yes to %s", schema, r.sheet.Doc)
		}
	}
	var v struct {
		A stunt `json:"a"`
		B []int `json:"b"`
	}
	v.A.list = &v.B
	r, err := newTrial(shape.NewReader(formtest.Of).Read(reflect.TypeOf(v)), []byte(`{"properties":{"b":{"maxItems":2}}}`), false)
	if err != nil {
		t.Fatal(err)
	}
	if r.print(reflect.ValueOf(&v).Elem()) {
		t.Errorf("the press says yes to %s", r.sheet.Doc)
	}
}

// TestDeep has values about as deep as anything may be, with something foreign at the bottom that is deep itself.
func TestDeep(t *testing.T) {
	type link struct {
		Next *link `json:"n,omitempty"`
		Any  any   `json:"a,omitempty"`
	}
	for _, outside := range []int{1, 300, 498, 499, 500, 501} {
		for _, inside := range []int{0, 1, 2, 399, 400, 401, 700, 999, 1001} {
			for name, wrap := range map[string]func(any) any{
				"pointers": func(x any) any { return &x },
				"lists":    func(x any) any { return []any{x} },
				"raw":      nil,
			} {
				var bottom any = 1
				if wrap == nil {
					bottom = json.RawMessage(strings.Repeat("[", inside) + strings.Repeat("]", inside))
				} else {
					for range inside {
						bottom = wrap(bottom)
					}
				}
				v := link{Any: bottom}
				for range outside {
					next := v
					v = link{Next: &next}
				}
				r, err := newTrial(shape.NewReader(formtest.Of).Read(reflect.TypeOf(v)), []byte("true"), false)
				if err != nil {
					t.Fatal(err)
				}
				r.same(t, reflect.ValueOf(&v).Elem(), false, fmt.Appendf(nil, "%d levels and %d %s", outside, inside, name))
			}
		}
	}
}
