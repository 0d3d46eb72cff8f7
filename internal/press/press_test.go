package press_test

import (
	"bytes"
	"math"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/diptych-mcp/diptych/internal/encode"
	"github.com/diptych-mcp/diptych/internal/formtest"
	"github.com/diptych-mcp/diptych/internal/press"
	"github.com/diptych-mcp/diptych/internal/schema"
	"github.com/diptych-mcp/diptych/internal/shape"
	"github.com/diptych-mcp/diptych/internal/validate"
)

// A trial sets a press beside the plain way that it stands for.
type trial struct {
	press   *press.Press
	encoder *encode.Encoder
	check   *validate.Checker
	wrapped bool
	sheet   press.Sheet
}

func newTrial(s *shape.Shape, raw []byte, wrapped bool) (*trial, error) {
	check, err := validate.Compile(raw)
	if err != nil {
		return nil, err
	}
	return &trial{press: press.Compile(s, formtest.Of, check, wrapped), encoder: encode.Compile(s, formtest.Of), check: check, wrapped: wrapped}, nil
}

type fataler interface {
	Helper()
	Fatalf(format string, args ...any)
}

// plainly encodes v, then checks the bytes and writes the text of them.
func (r *trial) plainly(v reflect.Value) (doc, text []byte, ends []int, ok bool) {
	if r.wrapped {
		doc = append(doc, `{"result":`...)
	}
	doc, blocks, err := r.encoder.AppendBlocks(doc, nil, v)
	if err != nil {
		return nil, nil, nil, false
	}
	if r.wrapped {
		doc = append(doc, '}')
	}
	text, ends, ok = r.check.Panel(nil, nil, doc, blocks)
	return doc, text, ends, ok
}

func (r *trial) print(v reflect.Value) bool {
	r.sheet.Doc, r.sheet.Text, r.sheet.Ends = r.sheet.Doc[:0], r.sheet.Text[:0], r.sheet.Ends[:0]
	return r.press != nil && r.press.Print(&r.sheet, v)
}

// same is the law: a yes of the press is a yes of the plain way, with the same bytes in both panels. Where the schema is
// the type's own, the press says yes as often.
func (r *trial) same(t fataler, v reflect.Value, own bool, raw []byte) {
	t.Helper()
	doc, text, ends, ok := r.plainly(v)
	printed := r.print(v)
	if printed && !ok {
		t.Fatalf("%s: the press says yes to what is refused: %s", describe(v, raw), doc)
	}
	if own && ok && !printed {
		t.Fatalf("%s: the press does not say yes: %s", describe(v, raw), doc)
	}
	if printed && !(bytes.Equal(r.sheet.Doc, doc) && bytes.Equal(r.sheet.Text, text) && slices.Equal(r.sheet.Ends, ends)) {
		t.Fatalf("%s\n got %s %q %v\nwant %s %q %v", describe(v, raw), r.sheet.Doc, r.sheet.Text, r.sheet.Ends, doc, text, ends)
	}
}

// TestRandom holds the press to the encoder and the check over random types and values, under the schema of the type.
func TestRandom(t *testing.T) { rapid.Check(t, func(t *rapid.T) { try(t, false) }) }

// TestRandomSchemas does the same under schemas that are not quite the type's.
func TestRandomSchemas(t *testing.T) { rapid.Check(t, func(t *rapid.T) { try(t, true) }) }

func try(t *rapid.T, bent bool) {
	typ := anyType(t, 3)
	s := shape.NewReader(formtest.Of).Read(typ)
	own, err := schema.ForOutput("f", s, schema.Config{})
	if err != nil {
		return // a tag that does not fit
	}
	raw := own.JSON
	if bent {
		raw = bend(t, raw)
	}
	r, err := newTrial(s, raw, own.Wrapped)
	if err != nil {
		if !bent {
			t.Fatal(err)
		}
		return
	}
	for range 4 {
		v := reflect.New(typ).Elem()
		fill(t, v, 5)
		r.same(t, v, !bent, raw)
	}
}

// TestNothingPromised holds the press to the plain way where the schema is true, as for a tool without one.
func TestNothingPromised(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		typ := anyType(t, 3)
		r, err := newTrial(shape.NewReader(formtest.Of).Read(typ), []byte("true"), false)
		if err != nil {
			t.Fatal(err)
		}
		v := reflect.New(typ).Elem()
		fill(t, v, 5)
		r.same(t, v, true, []byte("true"))
	})
}

// TestEdges has values beside the bounds, where random ones seldom fall.
func TestEdges(t *testing.T) {
	for _, tt := range []struct {
		tag    string
		values []any
	}{
		{`minimum:"1073741824"`, []any{float32(1073741824), float32(1073741952), float64(1073741824), 1073741824, 1073741823}},
		{`maximum:"16777216"`, []any{float32(16777216), float32(16777218), 16777216.5, float64(16777216), int64(16777217)}},
		{`minimum:"1"`, []any{0.75, 0.999999, 1.0, 1.25, float32(0.9999999), uint8(0), uint64(math.MaxUint64), math.NaN(), math.Inf(1)}},
		{`maximum:"2.5"`, []any{2.5, 2.4999, 2.50001, 2.75, 3.0, float32(2.5), 2, 3}},
		{`maximum:"0.1"`, []any{0.1, 0.10000000000000002, float32(0.1)}},
		{`minimum:"1000000000000000000"`, []any{int64(999999999999999999), int64(1000000000000000000), uint64(1000000000000000001), 1e18, 1e19}},
		{`maximum:"9223372036854775806"`, []any{int64(math.MaxInt64), int64(math.MaxInt64 - 1), uint64(math.MaxInt64), 9.2e18}},
		{`exclusiveMaximum:"9007199254740993"`, []any{int64(9007199254740992), int64(9007199254740993), 9007199254740992.0}},
		{`multipleOf:"0.25"`, []any{0.25, 0.3, 1, 1e15}},
		{`minLength:"2"`, []any{"é", "éa", "ab", "a", "", "\n\n", "🙂"}},
		{`maxLength:"2"`, []any{"éé", "ééé", "🙂🙂", "abc", "ab", "\"\\"}},
		{`enum:"é,a\"b"`, []any{"é", `a"b`, "e", ""}},
	} {
		for _, value := range tt.values {
			typ := reflect.StructOf([]reflect.StructField{{Name: "F", Type: reflect.TypeOf(value), Tag: reflect.StructTag(`json:"f" ` + tt.tag)}})
			s := shape.NewReader(formtest.Of).Read(typ)
			own, err := schema.ForOutput("f", s, schema.Config{})
			if err != nil {
				t.Fatal(err)
			}
			r, err := newTrial(s, own.JSON, own.Wrapped)
			if err != nil {
				t.Fatal(err)
			}
			v := reflect.New(typ).Elem()
			v.Field(0).Set(reflect.ValueOf(value))
			r.same(t, v, true, own.JSON)
		}
	}
}

// TestCuts has raw JSON whose blocks lie deeper than one level, and a member that is required and may be left out.
func TestCuts(t *testing.T) {
	type omitted struct {
		F int `json:"f,omitzero"`
	}
	for _, tt := range []struct {
		value  any
		schema string
	}{
		{raw[[][]int](`[[1],[ ],[2,3]]`), `{"items":{"items":{"type":"integer"}}}`},
		{raw[[]duo[string, int]](`[["a",1], ["b",2]]`), `true`},
		{raw[duo[string, []string]](`["a",["b"]]`), `true`},
		{raw[either[[]string, string]](`["a","b"]`), `true`},
		{raw[[]either[[]string, string]](`[["a"],"b"]`), `true`},
		{raw[[]any](`["a",[1,["b"]]]`), `true`},
		{raw[any](`["a",[1]]`), `true`},
		{raw[[]opt[string]](`["a",null]`), `true`},
		{raw[opt[[]inner]](` null `), `true`},
		{raw[[]int](`[1, 2]`), `{"type":"array","allOf":[{"items":{"type":"integer"}}]}`},
		{omitted{}, `{"required":["f"]}`},
		{omitted{1}, `{"required":["f"]}`},
		{omitted{}, `{"minProperties":1}`},
	} {
		v := reflect.New(reflect.TypeOf(tt.value)).Elem()
		v.Set(reflect.ValueOf(tt.value))
		r, err := newTrial(shape.NewReader(formtest.Of).Read(v.Type()), []byte(tt.schema), false)
		if err != nil {
			t.Fatal(err)
		}
		r.same(t, v, true, []byte(tt.schema))
	}
}
