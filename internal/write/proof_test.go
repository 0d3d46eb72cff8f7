package write

import (
	"encoding/json"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/diptych-mcp/diptych/internal/schema"
	"github.com/diptych-mcp/diptych/internal/shape"
	"github.com/diptych-mcp/diptych/internal/validate"
)

// A trial has a writer beside the judges of it.
type trial struct {
	writer  *Writer
	check   *validate.Checker
	judge   judge
	asked   bool // the judge has compiled the schema
	wrapped bool
}

func newTrial(s *shape.Shape, raw []byte, wrapped bool) (*trial, error) {
	check, err := validate.Compile(raw)
	if err != nil {
		return nil, err
	}
	r := &trial{writer: Compile(s, FormOf, check, wrapped), check: check, wrapped: wrapped}
	r.judge, err = newJudge(raw)
	r.asked = err == nil
	return r, nil
}

type fataler interface {
	Helper()
	Fatalf(format string, args ...any)
}

// holds checks one value: what is proven on the way is true, what is accepted is valid to the judge and only that, and the text
// is the document. own says that the schema is the type's own: what is accepted was proven on the way then.
func (r *trial) holds(t fataler, v reflect.Value, own bool, raw []byte) Walked {
	t.Helper()
	w, err := r.writer.Walk(v)
	if err != nil {
		return w
	}
	if checked := r.check.Check(w.Doc); checked != w.Accepted {
		t.Fatalf("%s: proven %t, accepted %t, but the finished document %t: %s", describe(v, raw), w.Proven, w.Accepted, checked, w.Doc)
	}
	if own && w.Accepted && !w.Proven {
		t.Fatalf("%s: not proven on the way: %s", describe(v, raw), w.Doc)
	}
	if !w.Accepted {
		if faults := r.check.Explain(w.Doc); len(faults) == 0 {
			t.Fatalf("%s: refused without a reason: %s", describe(v, raw), w.Doc)
		} else if !json.Valid(w.Doc) || !utf8.Valid(w.Doc) || flawed(faults) {
			return w // no matter for the judge
		}
	}
	if r.asked {
		if valid, err := r.judge.accepts(w.Doc); err == nil && valid != w.Accepted {
			t.Fatalf("%s: accepted %t, the judge says %t: %s", describe(v, raw), w.Accepted, valid, w.Doc)
		}
	}
	if w.Accepted {
		value := w.Doc
		if r.wrapped {
			value = value[len(`{"result":`) : len(value)-1]
		}
		if err := covers(value, w.Texts); err != nil {
			t.Fatalf("%s: %v\n%s", describe(v, raw), err, w.Doc)
		}
	}
	return w
}

// flawed reports whether a document is refused for its text, whatever the schema.
func flawed(faults []validate.Fault) bool {
	return slices.ContainsFunc(faults, func(f validate.Fault) bool {
		return f.Rule == "duplicate key" || f.Rule == "not valid UTF-8" || f.Rule == "not a finite number" || strings.HasPrefix(f.Rule, "nested deeper")
	})
}

// TestOwnSchemas has random types and values, under the schema of the type.
func TestOwnSchemas(t *testing.T) { rapid.Check(t, func(t *rapid.T) { try(t, false) }) }

// TestOtherSchemas does the same under schemas that are not quite the type's.
func TestOtherSchemas(t *testing.T) { rapid.Check(t, func(t *rapid.T) { try(t, true) }) }

func try(t *rapid.T, bent bool) {
	typ := anyType(t, 3)
	s := shape.NewReader(FormOf).Read(typ)
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
		r.holds(t, v, !bent, raw)
	}
}

// TestNothingPromised is the same where the schema is true, as for a tool without one.
func TestNothingPromised(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		typ := anyType(t, 3)
		r, err := newTrial(shape.NewReader(FormOf).Read(typ), []byte("true"), false)
		if err != nil {
			t.Fatal(err)
		}
		v := reflect.New(typ).Elem()
		fill(t, v, 5)
		r.holds(t, v, true, []byte("true"))
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
			s := shape.NewReader(FormOf).Read(typ)
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
			r.holds(t, v, true, own.JSON)
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
		r, err := newTrial(shape.NewReader(FormOf).Read(v.Type()), []byte(tt.schema), false)
		if err != nil {
			t.Fatal(err)
		}
		r.holds(t, v, true, []byte(tt.schema))
	}
}
