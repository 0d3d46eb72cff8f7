package write

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/big"
	"net/netip"
	"reflect"
	"slices"
	"strings"
	"time"

	"pgregory.net/rapid"

	"github.com/diptych-mcp/diptych/internal/shape"
)

type (
	opt[T any]       = Optional[T]
	either[A, B any] = Union[A, B]
	duo[A, B any]    = Tuple[A, B]
	raw[T any]       = Promise[T]
)

type (
	word string
	loud string
	// spoken writes JSON of its own, with space in it.
	spoken struct{ N int }
	tree   struct {
		Value int     `json:"a" minimum:"-10" maximum:"1000"`
		Kids  []tree  `json:"b,omitempty"`
		Left  *tree   `json:"c"`
		Any   any     `json:"d,omitempty"`
		Ratio float64 `json:"e,string"`
	}
	inner struct {
		A string `json:"a" maxLength:"3"`
		Z *int   `json:"z,omitempty"`
	}
	outer struct {
		inner
		*tree
		B word `json:"b" enum:"x,y,é"`
	}
)

// Types whose methods are met in some places and not in others, and others that are seldom written.
type (
	byPointer  struct{ N int }  // MarshalJSON has a pointer receiver: not called where there is no address
	byPointer2 string           // MarshalText the same
	unset      struct{ N *int } // zero is what its method says
	never      int              // the same by pointer
	zeros      struct {
		U unset       `json:"u,omitzero"`
		P *unset      `json:"p,omitzero"`
		N never       `json:"n,omitzero,string"`
		Q *never      `json:"q,omitempty,string"`
		M map[int]any `json:"m,omitempty"`
		E [0]int      `json:"e,omitempty"`
		T time.Time   `json:"t,omitzero"`
		J any         `json:"j,omitempty"`
		B byPointer   `json:"b"`
		O opt[int]    `json:"o,omitzero"`
	}
	box[T any] struct {
		V    T          `json:"v"`
		More *box[T]    `json:"more,omitempty"`
		By   map[int8]T `json:"by,omitzero"`
		Pair *duo[T, T] `json:"pair"`
	}
	nest []nest
	ring map[string]ring
	size uint8
)

func (b *byPointer) MarshalJSON() ([]byte, error)  { return fmt.Appendf(nil, `[%d, "p"]`, b.N), nil }
func (b *byPointer2) MarshalText() ([]byte, error) { return []byte("p" + *b), nil }
func (u unset) IsZero() bool                       { return u.N != nil }
func (n *never) IsZero() bool                      { return n != nil && *n == 1 }

func (l loud) MarshalText() ([]byte, error) { return []byte(strings.ToUpper(string(l))), nil }
func (s spoken) MarshalJSON() ([]byte, error) {
	return fmt.Appendf(nil, " { \"n\" : [ %d ] } ", s.N), nil
}
func (spoken) JSONSchema() json.RawMessage     { return json.RawMessage(`{"type":"object"}`) }
func typeOf[T any]() reflect.Type              { return reflect.TypeFor[T]() }
func sampled[T any](t *rapid.T, values ...T) T { return rapid.SampledFrom(values).Draw(t, "sample") }
func chance(t *rapid.T, of int) bool           { return rapid.IntRange(1, of).Draw(t, "chance") == 1 }
func describe(v reflect.Value, schema []byte) string {
	return fmt.Sprintf("%s under %s", v.Type(), schema)
}

var leaves = []reflect.Type{
	typeOf[bool](), typeOf[int](), typeOf[int8](), typeOf[int64](), typeOf[uint16](), typeOf[uint64](), typeOf[float32](), typeOf[float64](),
	typeOf[string](), typeOf[word](), typeOf[json.Number](), typeOf[[]byte](), typeOf[time.Time](), typeOf[time.Duration](), typeOf[netip.Addr](),
	typeOf[loud](), typeOf[spoken](), typeOf[tree](), typeOf[inner](), typeOf[outer](), typeOf[any](), typeOf[json.RawMessage](), typeOf[struct{}](),
	typeOf[opt[string]](), typeOf[opt[opt[int]]](), typeOf[opt[[]tree]](), typeOf[either[int, string]](), typeOf[either[[]string, inner]](), typeOf[either[inner, tree]](),
	typeOf[duo[string, []int]](), typeOf[duo[opt[string], duo[int, any]]](), typeOf[raw[[]inner]](), typeOf[raw[string]](), typeOf[raw[[]word]](),
	typeOf[int16](), typeOf[int32](), typeOf[uint](), typeOf[uint8](), typeOf[size](), typeOf[[3]byte](), typeOf[[]size](), typeOf[byPointer](), typeOf[byPointer2](), typeOf[unset](),
	typeOf[never](), typeOf[zeros](), typeOf[box[float64]](), typeOf[box[opt[byPointer]]](), typeOf[nest](), typeOf[ring](), typeOf[[]any](),
	typeOf[map[string]any](), typeOf[json.Marshaler](), typeOf[fmt.Stringer](), typeOf[big.Int](), typeOf[*big.Int](), typeOf[map[byPointer2]byPointer](), typeOf[map[*folded]int](),
	typeOf[either[opt[[]int], duo[byPointer, string]]](), typeOf[duo[either[opt[string], bool], *spoken]](), typeOf[opt[either[bool, duo[opt[int], nest]]]](),
	typeOf[raw[[][]int]](), typeOf[raw[map[string]int]](), typeOf[raw[opt[[]string]]](), typeOf[raw[duo[string, int]]](), typeOf[raw[tree]](),
}

func anyType(t *rapid.T, depth int) reflect.Type {
	if depth > 0 {
		switch rapid.IntRange(0, 9).Draw(t, "kind") {
		case 0:
			return reflect.PointerTo(anyType(t, depth-1))
		case 1, 2:
			return reflect.SliceOf(anyType(t, depth-1))
		case 3:
			return reflect.ArrayOf(rapid.IntRange(0, 2).Draw(t, "length"), anyType(t, depth-1))
		case 4:
			return reflect.MapOf(sampled(t, typeOf[string](), typeOf[int](), typeOf[word](), typeOf[netip.Addr](), typeOf[folded](), typeOf[int8](), typeOf[uint64](), typeOf[size](), typeOf[loud]()), anyType(t, depth-1))
		case 5, 6, 7, 8:
			return structType(t, depth-1)
		}
	}
	return rapid.SampledFrom(leaves).Draw(t, "leaf")
}

// Embedded structs with exported names, whose members are promoted and may clash with those around.
type (
	Inner struct {
		A string `json:"a" maxLength:"3"`
		Z *int   `json:"z,omitempty"`
	}
	Outer struct {
		*Inner
		A *Outer `json:"b,omitempty"`
		C uint8  `json:"c,omitempty,string"`
	}
)

// folded keys may have the same text.
type folded struct{ s string }

func (f folded) MarshalText() ([]byte, error) { return []byte(strings.ToUpper(f.s)), nil }

func structType(t *rapid.T, depth int) reflect.Type {
	var fields []reflect.StructField
	for i, name := range rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"A", "B", "C", "D"}), 0, 4, rapid.ID).Draw(t, "names") {
		if chance(t, 6) { // reflect makes no struct with an embedded type that has methods
			embedded := sampled(t, typeOf[Inner](), typeOf[*Inner](), typeOf[Outer](), typeOf[*Outer]())
			fields = append(fields, reflect.StructField{Name: strings.TrimPrefix(embedded.String(), "*")[len("write."):], Type: embedded, Anonymous: true})
			if i > 0 && fields[i-1].Type == embedded || slices.ContainsFunc(fields[:i], func(f reflect.StructField) bool { return f.Name == fields[i].Name }) {
				return reflect.StructOf(fields[:i])
			}
			continue
		}
		typ := anyType(t, depth)
		tag := fmt.Sprintf(`json:"%c%s"`, 'a'+i, sampled(t, "", "", "", ",omitzero", ",string", ",omitempty", ",omitempty,string"))
		switch typ.Kind() {
		case reflect.Int, reflect.Int8, reflect.Int64, reflect.Uint64, reflect.Float32, reflect.Float64:
			tag += sampled(t, "", ` minimum:"1"`, ` maximum:"50"`, ` exclusiveMinimum:"0"`, ` multipleOf:"2"`, ` enum:"1,2,3"`, ` minimum:"16777217"`, ` maximum:"9007199254740993"`)
		case reflect.String:
			tag += sampled(t, "", ` minLength:"1"`, ` maxLength:"3"`, ` pattern:"^[a-z]*$"`, ` enum:"a,b,é"`, ` format:"date"`)
		case reflect.Slice:
			tag += sampled(t, "", ` minItems:"1"`, ` maxItems:"1"`, ` uniqueItems:"true"`)
		case reflect.Bool:
			tag += sampled(t, "", ` enum:"true,false"`, ` const:"true"`)
		}
		fields = append(fields, reflect.StructField{Name: name, Type: typ, Tag: reflect.StructTag(tag)})
	}
	return reflect.StructOf(fields)
}

var documents = []string{`null`, ` 1`, `"a\u00e9\n"`, `{ "k" : [ 1 , { } , [ ] , "x y" ] }`, "[true,\tfalse\n]", `-0.5E+3`, `[ {"a":"x"} , {"a" : "abcd"}]`, `["a", "b"]`,
	`{"a":1,"c":null,"e":"1"}`, `[[1], [ ],[2,3]]`, `["a",1]`, `{"a":1,"a":2}`, `[`, ``, "\"\xff\"", `{"x":1 , "y":2}`, `[]`, `{}`, ` [ "é\u2028" ] `, `"abc"`}

// fill draws a value into v, now and then one that JSON cannot say.
func fill(t *rapid.T, v reflect.Value, depth int) {
	switch x := v.Addr().Interface().(type) {
	case *time.Time:
		*x = time.Unix(rapid.Int64Range(-1e9, 1e10).Draw(t, "s"), 0).In(time.FixedZone("", sampled(t, 0, 3600, -9000, 86399, 90000)))
		return
	case *netip.Addr:
		*x = netip.AddrFrom4([4]byte{1, 2, 3, rapid.Byte().Draw(t, "addr")})
		return
	case *folded:
		x.s = sampled(t, "a", "A", "b")
		return
	case *big.Int:
		x.SetInt64(rapid.Int64().Draw(t, "big"))
		return
	case *json.Marshaler:
		*x = sampled[json.Marshaler](t, nil, spoken{1}, &byPointer{2}, time.Unix(0, 0).UTC(), json.RawMessage("[ ]"), (*spoken)(nil))
		return
	case *fmt.Stringer:
		*x = sampled[fmt.Stringer](t, nil, time.Second, netip.MustParseAddr("::1"), big.NewInt(7))
		return
	case *json.Number:
		*x = sampled(t, json.Number(""), "0", "2", "-1.50e+07", "123456789012345678901234567890", "x")
		return
	case *opt[string]:
		x.Set = !chance(t, 3)
		fill(t, reflect.ValueOf(&x.V).Elem(), depth-1)
		return
	case *opt[opt[int]]:
		x.Set, x.V.Set = !chance(t, 3), !chance(t, 3)
		return
	case *opt[[]tree]:
		x.Set = !chance(t, 3)
		fill(t, reflect.ValueOf(&x.V).Elem(), depth-1)
		return
	}
	if f, ok := FormOf(v.Type()); ok {
		switch {
		case f.Kind == shape.Promise:
			v.SetBytes([]byte(sampled(t, documents...)))
		case f.Kind == shape.Union && !chance(t, 10):
			arm := v.Field(rapid.IntRange(0, 1).Draw(t, "arm"))
			arm.Set(reflect.New(arm.Type().Elem()))
			fill(t, arm.Elem(), depth-1)
		case f.Kind == shape.Tuple:
			fill(t, v.Field(0), depth-1)
			fill(t, v.Field(1), depth-1)
		}
		return
	}
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(rapid.Bool().Draw(t, "bool"))
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(rapid.OneOf(rapid.Int64Range(-2, 60), rapid.Int64()).Draw(t, "int"))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint64:
		v.SetUint(rapid.OneOf(rapid.Uint64Range(0, 60), rapid.Uint64()).Draw(t, "uint"))
	case reflect.Float32, reflect.Float64:
		v.SetFloat(rapid.OneOf(rapid.Float64Range(-2, 60), rapid.Float64(), rapid.SampledFrom([]float64{0, math.Copysign(0, -1), 1, 2, 2.25, 16777216, 16777218, 1 << 53, 1e15, 1e21, 5e-324, math.MaxFloat32, math.NaN(), math.Inf(1)})).Draw(t, "float"))
	case reflect.String:
		v.SetString(rapid.OneOf(rapid.SampledFrom([]string{"", "a", "b", "x", "é", "abcd", "2026-01-31", "12345678é", "<&>\u2028\"\\\n", "naïve 🙂", "\xff", "1234567\x00"}), rapid.StringN(0, 20, -1)).Draw(t, "text"))
	case reflect.Pointer:
		if depth > 0 && !chance(t, 4) && v.CanSet() {
			v.Set(reflect.New(v.Type().Elem()))
			fill(t, v.Elem(), depth-1)
		}
	case reflect.Interface:
		if depth > 0 && !chance(t, 4) {
			x := reflect.New(sampled(t, leaves...))
			fill(t, x.Elem(), depth-1)
			if !chance(t, 3) {
				x = x.Elem()
			}
			v.Set(x)
		}
	case reflect.Slice:
		if v.Type() == typeOf[json.RawMessage]() {
			if !chance(t, 5) {
				v.SetBytes([]byte(sampled(t, documents...)))
			}
			return
		}
		if depth > 0 && !chance(t, 4) {
			n := rapid.IntRange(0, 3).Draw(t, "length")
			v.Set(reflect.MakeSlice(v.Type(), n, n))
		}
		fallthrough
	case reflect.Array:
		for i := range v.Len() {
			fill(t, v.Index(i), depth-1)
		}
	case reflect.Map:
		if depth > 0 && !chance(t, 4) {
			v.Set(reflect.MakeMap(v.Type()))
			for range rapid.IntRange(0, 3).Draw(t, "length") {
				key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
				fill(t, key, 0)
				fill(t, value, depth-1)
				v.SetMapIndex(key, value)
			}
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Field(i); f.CanSet() {
				fill(t, f, depth-1)
			}
		}
	}
}

// bend sets a keyword somewhere in a schema, so that it no longer is the one that a type promises.
func bend(t *rapid.T, schema []byte) []byte {
	var root any
	if err := json.Unmarshal(schema, &root); err != nil {
		t.Fatal(err)
	}
	var all []map[string]any
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case []any:
			for _, item := range v {
				walk(item)
			}
		case map[string]any:
			if _, ok := v["type"]; ok || v["anyOf"] != nil || v["$ref"] != nil {
				all = append(all, v)
			}
			for _, key := range slices.Sorted(maps.Keys(v)) {
				walk(v[key])
			}
		}
	}
	walk(root)
	for range rapid.IntRange(0, 2).Draw(t, "bends") {
		keyword := sampled(t, `{"type":["string","null","number"]}`, `{"type":["object","array","boolean"]}`, `{"enum":[1.0,2e0,-0,"x"]}`, `{"const":{"a":1.0,"b":[]}}`, `{"const":""}`, `{"$ref":"#"}`, `{"$defs":{"q":{"$ref":"#/$defs/r"},"r":{"maximum":5}},"allOf":[true]}`,
			`{"anyOf":[{"enum":["a"]},{"minLength":3}]}`, `{"required":["a","a","c"]}`, `{"properties":{"a":false}}`, `{"minimum":5,"maximum":1}`, `{"exclusiveMinimum":-0.0,"maximum":1e2}`, `{"multipleOf":0.1}`, `{"minLength":3,"maxLength":1}`, `{"contains":{"type":"integer"}}`,
			`{"dependentRequired":{"a":["b"]}}`, `{"patternProperties":{"^a":{"type":"integer"}}}`, `{"prefixItems":[{"type":"integer"},{"$ref":"#"}],"items":false}`, `{"$dynamicRef":"#"}`, `{"unevaluatedProperties":false}`,
			`{"type":["integer","string"]}`, `{"type":"number"}`, `{"type":"object"}`, `{"type":["array","null"]}`, `{"minimum":2}`, `{"maximum":2.5}`, `{"exclusiveMaximum":9007199254740993}`,
			`{"minimum":-9223372036854775809}`, `{"maximum":1000000000000000000}`, `{"multipleOf":3}`, `{"minLength":2}`, `{"maxLength":1}`, `{"pattern":"^a"}`, `{"format":"date-time"}`, `{"contentEncoding":"base64"}`,
			`{"enum":[1,"a",null,true,[],{"a":"x"}]}`, `{"enum":["a","b","x"]}`, `{"const":2}`, `{"minItems":1}`, `{"maxItems":1}`, `{"uniqueItems":true}`, `{"prefixItems":[{"type":"string"}]}`, `{"items":{"type":"integer"}}`, `{"items":false}`,
			`{"minProperties":2}`, `{"maxProperties":2}`, `{"required":["a"]}`, `{"required":["b","zz"]}`, `{"additionalProperties":false}`, `{"additionalProperties":{"type":"integer"}}`, `{"propertyNames":{"maxLength":1}}`,
			`{"properties":{"a":{"type":"integer"}}}`, `{"anyOf":[{"type":"string"},{"type":"object"},{"type":"null"}]}`, `{"anyOf":[{"type":"string","maxLength":2},{"type":"string","minLength":4},{"type":"integer"}]}`,
			`{"oneOf":[{"type":"integer"},{"type":"number"}]}`, `{"not":{"type":"null"}}`, `{"allOf":[{"minimum":1}]}`, `{"if":{"type":"string"},"then":{"maxLength":2}}`)
		at := all[rapid.IntRange(0, len(all)-1).Draw(t, "where")]
		if err := json.Unmarshal([]byte(keyword), &at); err != nil {
			t.Fatal(err)
		}
		if chance(t, 3) {
			delete(at, "type")
		}
	}
	bent, err := json.Marshal(root)
	if err != nil {
		t.Fatal(err)
	}
	return bent
}
