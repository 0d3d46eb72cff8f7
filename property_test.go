package diptych

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"pgregory.net/rapid"
)

// The properties of every tool, over random types and values: what leaves is what an independent judge accepts under
// the published schema, what is refused is what the judge refuses, both panels say the same, and what was encoded
// decodes to what it was.

type (
	shade   string
	grade   int
	reading struct {
		Value float64    `json:"value" minimum:"-100" maximum:"100"`
		Note  *string    `json:"note" minLength:"1"`
		Tags  []string   `json:"tags,omitempty" maxItems:"2" uniqueItems:"true"`
		Next  []*reading `json:"next" maxItems:"1"`
	}
)

func (shade) Enum() []shade { return []shade{"dark", "light"} }
func (grade) Enum() []grade { return []grade{1, 2, 3} }

var leaves = []reflect.Type{
	reflect.TypeFor[bool](), reflect.TypeFor[string](), reflect.TypeFor[int](), reflect.TypeFor[int8](), reflect.TypeFor[uint16](),
	reflect.TypeFor[int64](), reflect.TypeFor[uint64](), reflect.TypeFor[float32](), reflect.TypeFor[float64](), reflect.TypeFor[[]byte](),
	reflect.TypeFor[shade](), reflect.TypeFor[grade](), reflect.TypeFor[time.Time](), reflect.TypeFor[time.Duration](), reflect.TypeFor[reading](),
	reflect.TypeFor[Optional[string]](), reflect.TypeFor[Optional[reading]](), reflect.TypeFor[AnyOf[int, string]](),
	reflect.TypeFor[AnyOf3[bool, []int, reading]](), reflect.TypeFor[Tuple2[string, float64]](), reflect.TypeFor[Tuple3[shade, int, []string]](),
}

// drawType draws a type of bounded depth.
func drawType(t *rapid.T, depth int) reflect.Type {
	kind := rapid.IntRange(0, 9).Draw(t, "kind")
	if depth == 0 {
		kind = 0
	}
	switch kind {
	case 1, 2:
		return reflect.SliceOf(drawType(t, depth-1))
	case 3:
		return reflect.MapOf(reflect.TypeFor[string](), drawType(t, depth-1))
	case 4:
		return reflect.MapOf(rapid.SampledFrom([]reflect.Type{reflect.TypeFor[int](), reflect.TypeFor[shade]()}).Draw(t, "key"), drawType(t, depth-1))
	case 5:
		return reflect.ArrayOf(rapid.IntRange(0, 3).Draw(t, "length"), drawType(t, depth-1))
	case 6:
		return reflect.PointerTo(drawType(t, depth-1))
	case 7, 8, 9:
		var fields []reflect.StructField
		for i := range rapid.IntRange(1, 5).Draw(t, "fields") {
			ft := drawType(t, depth-1)
			fields = append(fields, reflect.StructField{Name: fmt.Sprintf("F%d", i), Type: ft, Tag: drawTag(t, i, ft)})
		}
		return reflect.StructOf(fields)
	}
	return rapid.SampledFrom(leaves).Draw(t, "leaf")
}

func drawTag(t *rapid.T, i int, ft reflect.Type) reflect.StructTag {
	option := ""
	if rapid.IntRange(0, 3).Draw(t, "omit") == 0 {
		option = ",omitzero"
	}
	tag := fmt.Sprintf(`json:"f_%d%s"`, i, option)
	if rapid.Bool().Draw(t, "bare") {
		return reflect.StructTag(tag)
	}
	switch ft {
	case reflect.TypeFor[int](), reflect.TypeFor[float64](), reflect.TypeFor[uint64]():
		tag += rapid.SampledFrom([]string{` minimum:"1"`, ` maximum:"50"`, ` exclusiveMinimum:"0"`, ` multipleOf:"0.5"`, ` enum:"1,2,3"`, ` const:"2"`}).Draw(t, "number tag")
	case reflect.TypeFor[string]():
		tag += rapid.SampledFrom([]string{` minLength:"1"`, ` maxLength:"3"`, ` pattern:"^[a-z]*$"`, ` enum:"a,b"`, ` format:"date"`, ` format:"email"`}).Draw(t, "text tag")
	}
	return reflect.StructTag(tag)
}

// fillValue draws a value into v. Now and then it draws one that no schema allows.
func fillValue(t *rapid.T, v reflect.Value, depth int) {
	switch v.Type() {
	case reflect.TypeFor[time.Time]():
		v.Set(reflect.ValueOf(time.Unix(rapid.Int64Range(0, 4e9).Draw(t, "time"), 0).UTC()))
		return
	case reflect.TypeFor[Optional[string]]():
		if rapid.Bool().Draw(t, "some") {
			v.Set(reflect.ValueOf(Some(drawText(t))))
		}
		return
	case reflect.TypeFor[Optional[reading]]():
		if rapid.Bool().Draw(t, "some") {
			var r reading
			fillValue(t, reflect.ValueOf(&r).Elem(), depth-1)
			v.Set(reflect.ValueOf(Some(r)))
		}
		return
	case reflect.TypeFor[shade]():
		v.SetString(rapid.SampledFrom([]string{"dark", "light", "light", "blue"}).Draw(t, "shade"))
		return
	case reflect.TypeFor[grade]():
		v.SetInt(int64(rapid.SampledFrom([]int{1, 2, 3, 3, 4}).Draw(t, "grade")))
		return
	}
	if f, ok := forms(v.Type()); ok && len(f.Parts) > 1 && v.Field(0).Kind() == reflect.Pointer && v.Field(0).Type() == reflect.PointerTo(f.Parts[0]) {
		arm := v.Field(rapid.IntRange(0, len(f.Parts)-1).Draw(t, "arm"))
		arm.Set(reflect.New(arm.Type().Elem()))
		fillValue(t, arm.Elem(), depth-1)
		return
	}
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(rapid.Bool().Draw(t, "bool"))
	case reflect.Int, reflect.Int8, reflect.Int64:
		n := rapid.OneOf(rapid.Int64Range(-2, 60), rapid.Int64()).Draw(t, "int")
		if v.OverflowInt(n) {
			n = 1
		}
		v.SetInt(n)
	case reflect.Uint16, reflect.Uint64, reflect.Uint8:
		n := rapid.OneOf(rapid.Uint64Range(0, 60), rapid.Uint64()).Draw(t, "uint")
		if v.OverflowUint(n) {
			n = 1
		}
		v.SetUint(n)
	case reflect.Float32, reflect.Float64:
		v.SetFloat(rapid.OneOf(rapid.Float64Range(-2, 60), rapid.SampledFrom([]float64{0, 1, 2.5, 1e21, 5e-324, math.MaxFloat32, math.NaN(), math.Inf(1)})).Draw(t, "float"))
	case reflect.String:
		v.SetString(drawText(t))
	case reflect.Pointer:
		if depth > 0 && rapid.IntRange(0, 4).Draw(t, "nil") > 0 {
			v.Set(reflect.New(v.Type().Elem()))
			fillValue(t, v.Elem(), depth-1)
		}
	case reflect.Slice:
		if depth > 0 && rapid.IntRange(0, 4).Draw(t, "nil") > 0 {
			v.Set(reflect.MakeSlice(v.Type(), rapid.IntRange(0, 3).Draw(t, "length"), 3))
			for i := range v.Len() {
				fillValue(t, v.Index(i), depth-1)
			}
		}
	case reflect.Array:
		for i := range v.Len() {
			fillValue(t, v.Index(i), depth-1)
		}
	case reflect.Map:
		if depth > 0 && rapid.IntRange(0, 4).Draw(t, "nil") > 0 {
			v.Set(reflect.MakeMap(v.Type()))
			for range rapid.IntRange(0, 3).Draw(t, "length") {
				key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
				fillValue(t, key, depth-1)
				fillValue(t, value, depth-1)
				v.SetMapIndex(key, value)
			}
		}
	case reflect.Struct:
		for i := range v.NumField() {
			fillValue(t, v.Field(i), depth-1)
		}
	}
}

func drawText(t *rapid.T) string {
	return rapid.OneOf(rapid.SampledFrom([]string{"", "a", "b", "2026-01-31", "a@b.co", "<&>\u2028\"\\\n", "naïve 🙂", "\xff"}), rapid.StringN(0, 6, -1)).Draw(t, "text")
}

// judged compiles a published schema with the independent judge.
func judged(t *rapid.T, schema []byte) *jsonschema.Schema {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(schema))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	c.AssertFormat()
	if err := c.AddResource("mem:tool", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("mem:tool")
	if err != nil {
		t.Fatalf("the judge cannot compile %s: %v", schema, err)
	}
	return s
}

func TestEveryTypeKeepsItsPromise(t *testing.T) {
	cfg := newConfig([]Option{Logger(slog.New(slog.DiscardHandler))})
	rapid.Check(t, func(t *rapid.T) {
		typ := drawType(t, 3)
		o, err := newOutput(&mcp.Tool{Name: "f"}, typ, &cfg)
		if err != nil {
			t.Fatalf("%s: %v", typ, err)
		}
		judge := judged(t, o.schema)
		for range 4 {
			v := reflect.New(typ).Elem()
			fillValue(t, v, 5)
			checkPromise(t, o, judge, v)
		}
	})
}

func checkPromise(t *rapid.T, o *output, judge *jsonschema.Schema, v reflect.Value) {
	res, err := o.fill(v)
	if errors.Is(err, errNoValue) {
		return
	}
	if err != nil {
		m, ok := errors.AsType[*Mismatch](err)
		if !ok {
			t.Fatalf("%s: %v", v.Type(), err)
		}
		if strings.Contains(m.Error(), "fault of the library") {
			t.Fatalf("%s: refused without a reason", v.Type())
		}
		checkRefusal(t, o, judge, v, m)
		return
	}
	structured := res.StructuredContent.(json.RawMessage)
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(structured))
	if err != nil {
		t.Fatalf("%s: %v in %s", v.Type(), err, structured)
	}
	if err := judge.Validate(doc); err != nil {
		t.Fatalf("sent, but the judge refuses it: %v\n%s\n%s", err, o.schema, structured)
	}
	value := structured
	if o.wrapped {
		var w struct{ Result json.RawMessage }
		if err := json.Unmarshal(structured, &w); err != nil {
			t.Fatal(err)
		}
		value = w.Result
	}
	samePanels(t, o, value, res.Content)
	back := reflect.New(v.Type())
	if err := json.Unmarshal(value, back.Interface()); err != nil {
		t.Fatalf("%s does not decode %s: %v", v.Type(), value, err)
	}
	if bytes.Contains(value, []byte("null")) || strings.Contains(v.Type().String(), "omitzero") {
		return // null decodes to a nil pointer, whatever it points at, and what omitzero left out may not have been zero
	}
	again, err := o.writer.Append(nil, dereferenced(back.Elem()))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(again, structured) {
		t.Fatalf("%s: encoded %s, decoded and encoded again %s", v.Type(), structured, again)
	}
}

// dereferenced follows pointers, as an output does before it encodes.
func dereferenced(v reflect.Value) reflect.Value {
	for v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	return v
}

// checkRefusal asks the judge about a refused value, unless the document is no JSON.
func checkRefusal(t *rapid.T, o *output, judge *jsonschema.Schema, v reflect.Value, m *Mismatch) {
	doc, err := o.writer.Append(nil, dereferenced(v))
	if err != nil {
		return
	}
	decoded, err := jsonschema.UnmarshalJSON(bytes.NewReader(doc))
	if err != nil || strings.Contains(m.Error(), "UTF-8") {
		return
	}
	if judge.Validate(decoded) == nil {
		t.Fatalf("refused with %v, but the judge accepts it:\n%s\n%s", m, o.schema, doc)
	}
}

// samePanels says that the text blocks, put together again, are the value.
func samePanels(t *rapid.T, o *output, value []byte, content []mcp.Content) {
	var texts []string
	for _, c := range content {
		texts = append(texts, c.(*mcp.TextContent).Text)
	}
	if len(texts) == 0 {
		t.Fatal("no content")
	}
	if o.shape.Listed() {
		return // the blocks of lists are compared in package write
	}
	if o.shape.Bare() {
		var s string
		if json.Unmarshal(value, &s) == nil && s == texts[0] {
			return
		}
	}
	var want bytes.Buffer
	if err := json.Indent(&want, value, "", "  "); err != nil {
		t.Fatal(err)
	}
	var s string
	if text := texts[0]; text != want.String() && (json.Unmarshal(value, &s) != nil || s != text) {
		t.Fatalf("text %q, want %q", text, want.String())
	}
}

// FuzzRawJSON compares JSON[T] with the judge: what leaves is JSON that the published schema accepts, byte for byte.
func FuzzRawJSON(f *testing.F) {
	cfg := newConfig([]Option{Logger(slog.New(slog.DiscardHandler))})
	o, err := newOutput(&mcp.Tool{Name: "f"}, reflect.TypeFor[JSON[reading]](), &cfg)
	if err != nil {
		f.Fatal(err)
	}
	for _, seed := range []string{`{"value":1,"note":null,"next":[]}`, `{"value":1e2,"note":"x","next":[{"value":0,"note":null,"next":[]}],"z":1}`, `{`, `null`, `{"value":1,"value":2}`, "{\"value\":\xff}", `{"note":"\ud800"}`, `{"value":1e400000004}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, doc []byte) {
		v := JSON[reading](doc)
		res, err := o.fill(reflect.ValueOf(&v).Elem())
		if err != nil {
			if _, ok := errors.AsType[*Mismatch](err); !ok {
				t.Fatalf("%v", err)
			}
			return
		}
		var compact bytes.Buffer
		if err := json.Compact(&compact, doc); err != nil {
			t.Fatalf("sent %q, which is no JSON: %v", doc, err)
		}
		if got := res.StructuredContent.(json.RawMessage); !bytes.Equal(got, compact.Bytes()) {
			t.Fatalf("sent %s for %s", got, compact.Bytes())
		}
		var back reading
		if err := json.Unmarshal(doc, &back); err != nil {
			t.Fatalf("accepted %s, which does not decode: %v", doc, err)
		}
	})
}

// FuzzArguments says that arguments are read or refused, never half of it, and that what is read is what was sent.
func FuzzArguments(f *testing.F) {
	cfg := newConfig(nil)
	in, err := newInput(&mcp.Tool{Name: "f"}, reflect.TypeFor[reading](), &cfg)
	if err != nil {
		f.Fatal(err)
	}
	for _, seed := range []string{``, `null`, `{"value":"1","note":null,"next":"[]"}`, `{"value":5.0,"note":"x","next":[{}]}`, `[[[`, `{"value":true}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, args []byte) {
		var r reading
		err := in.read(args, &r)
		if bad, ok := errors.AsType[*badArguments](err); err != nil && (!ok || len(bad.faults) == 0) {
			t.Fatalf("%v", err)
		}
	})
}

// FuzzTags says that no struct tag makes registration panic or publish what cannot be compiled.
func FuzzTags(f *testing.F) {
	cfg := newConfig(nil)
	for _, seed := range []string{`json:"a" minimum:"1"`, `json:",string" default:"1"`, `enum:"[1,2" pattern:"("`, `json:"a,omitempty" const:"x" examples:"[]"`, `minLength:"99999999999999999999"`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, tag string) {
		for _, ft := range []reflect.Type{reflect.TypeFor[int](), reflect.TypeFor[*string](), reflect.TypeFor[[]float64](), reflect.TypeFor[Optional[bool]]()} {
			typ := reflect.StructOf([]reflect.StructField{{Name: "F", Type: ft, Tag: reflect.StructTag(tag)}})
			if _, err := newOutput(&mcp.Tool{Name: "f"}, typ, &cfg); err != nil && strings.Contains(err.Error(), "schema: /") {
				t.Fatalf("%q published what does not compile: %v", tag, err)
			}
			if _, err := newInput(&mcp.Tool{Name: "f"}, typ, &cfg); err != nil && strings.Contains(err.Error(), "schema: /") {
				t.Fatalf("%q published what does not compile: %v", tag, err)
			}
		}
	})
}
