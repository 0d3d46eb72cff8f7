package write_test

import (
	"encoding/json"
	"math/big"
	"net/netip"
	"reflect"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

var (
	plainTypes = []reflect.Type{
		reflect.TypeFor[bool](), reflect.TypeFor[flag](), reflect.TypeFor[int](), reflect.TypeFor[int8](), reflect.TypeFor[count](), reflect.TypeFor[int64](),
		reflect.TypeFor[uint](), reflect.TypeFor[letter](), reflect.TypeFor[uint64](), reflect.TypeFor[float32](), reflect.TypeFor[ratio](), reflect.TypeFor[float64](),
		reflect.TypeFor[string](), reflect.TypeFor[word](), reflect.TypeFor[json.Number](),
	}
	foreignTypes = []reflect.Type{
		reflect.TypeFor[time.Time](), reflect.TypeFor[time.Duration](), reflect.TypeFor[netip.Addr](), reflect.TypeFor[big.Int](), reflect.TypeFor[json.RawMessage](), reflect.TypeFor[[]byte](),
		reflect.TypeFor[valueJSON](), reflect.TypeFor[pointerJSON](), reflect.TypeFor[valueText](), reflect.TypeFor[pointerText](), reflect.TypeFor[textThenJSON](),
		reflect.TypeFor[loud](), reflect.TypeFor[octet](), reflect.TypeFor[zeroed](), reflect.TypeFor[unset](), reflect.TypeFor[any](), reflect.TypeFor[json.Marshaler](),
		reflect.TypeFor[promoting](), reflect.TypeFor[twice](), reflect.TypeFor[embedsMarshaler](), reflect.TypeFor[struct{}](),
	}
	keyTypes = []reflect.Type{
		reflect.TypeFor[string](), reflect.TypeFor[word](), reflect.TypeFor[loud](), reflect.TypeFor[int](), reflect.TypeFor[int8](), reflect.TypeFor[uint16](),
		reflect.TypeFor[octet](), reflect.TypeFor[valueText](), reflect.TypeFor[netip.Addr](),
	}
	fieldTags = []string{
		``, ``, `json:"a"`, `json:"b"`, `json:"A"`, `json:"x<y"`, `json:"é"`, `json:"-"`, `json:"-,"`, `json:",omitempty"`, `json:",omitzero"`,
		`json:",string"`, `json:"a,omitempty,string"`, `json:"b,omitzero,string"`, `json:"c,omitempty,omitzero"`,
	}
)

// anyType draws a type, at most depth levels deep.
func anyType(t *rapid.T, depth int) reflect.Type {
	kinds := 8
	if depth == 0 {
		kinds = 2
	}
	switch rapid.IntRange(0, kinds).Draw(t, "kind") {
	case 0:
		return rapid.SampledFrom(plainTypes).Draw(t, "plain")
	case 1, 2:
		return rapid.SampledFrom(foreignTypes).Draw(t, "foreign")
	case 3:
		return reflect.PointerTo(anyType(t, depth-1))
	case 4:
		return reflect.SliceOf(anyType(t, depth-1))
	case 5:
		return reflect.ArrayOf(rapid.IntRange(0, 2).Draw(t, "length"), anyType(t, depth-1))
	case 6:
		return reflect.MapOf(rapid.SampledFrom(keyTypes).Draw(t, "key"), anyType(t, depth-1))
	}
	return structType(t, depth-1)
}

// structType draws a struct whose names collide often, some of them promoted from structs and pointers to structs.
func structType(t *rapid.T, depth int) reflect.Type {
	var fields []reflect.StructField
	for _, name := range rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"A", "B", "C", "Name", "É", "X"}), 0, 5, rapid.ID).Draw(t, "names") {
		f := reflect.StructField{Name: name, Tag: reflect.StructTag(rapid.SampledFrom(fieldTags).Draw(t, "tag"))}
		if depth > 0 && rapid.IntRange(0, 2).Draw(t, "embed") == 0 {
			f.Type, f.Anonymous = structType(t, depth-1), true
			if rapid.Bool().Draw(t, "pointer") {
				f.Type = reflect.PointerTo(f.Type)
			}
		} else {
			f.Type = anyType(t, depth)
		}
		fields = append(fields, f)
	}
	return reflect.StructOf(fields)
}

var documents = []string{`null`, ` 1`, `"a\u00e9\n"`, `{ "k" : [ 1 , { } , [ ] , "x y" ] }`, "[true,\tfalse\n]", `-0.5E+3`}

// fill draws a value into v in which nothing is nil but pointers and interfaces.
func fill(t *rapid.T, v reflect.Value, depth int) {
	switch v.Type() {
	case reflect.TypeFor[time.Time]():
		v.Set(reflect.ValueOf(time.Unix(rapid.Int64Range(-1e9, 1e10).Draw(t, "s"), rapid.Int64Range(0, 2).Draw(t, "ns")*1000).In(time.FixedZone("", rapid.IntRange(-50000, 50000).Draw(t, "zone")))))
		return
	case reflect.TypeFor[netip.Addr]():
		v.Set(reflect.ValueOf(netip.AddrFrom4([4]byte(rapid.SliceOfN(rapid.Byte(), 4, 4).Draw(t, "addr")))))
		return
	case reflect.TypeFor[big.Int]():
		v.Addr().Interface().(*big.Int).SetInt64(rapid.Int64().Draw(t, "big"))
		return
	case reflect.TypeFor[json.RawMessage]():
		v.SetBytes([]byte(rapid.SampledFrom(documents).Draw(t, "raw")))
		return
	case reflect.TypeFor[json.Number]():
		v.SetString(rapid.SampledFrom([]string{"", "0", "-1.50e+07", "123456789012345678901234567890"}).Draw(t, "number"))
		return
	case reflect.TypeFor[json.Marshaler]():
		v.Set(reflect.ValueOf(rapid.SampledFrom([]json.Marshaler{valueJSON{1}, &pointerJSON{2}, time.Unix(0, 0).UTC(), json.RawMessage("[ ]")}).Draw(t, "marshaler")))
		return
	}
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(rapid.Bool().Draw(t, "bool"))
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(rapid.Int64().Draw(t, "int"))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(rapid.Uint64().Draw(t, "uint"))
	case reflect.Float32:
		v.SetFloat(float64(rapid.Float32().Draw(t, "float32")))
	case reflect.Float64:
		v.SetFloat(rapid.Float64().Draw(t, "float64"))
	case reflect.String:
		v.SetString(strings.ToValidUTF8(rapid.String().Draw(t, "string"), ""))
	case reflect.Pointer:
		if depth > 0 && rapid.IntRange(0, 3).Draw(t, "nil") > 0 {
			v.Set(reflect.New(v.Type().Elem()))
			fill(t, v.Elem(), depth-1)
		}
	case reflect.Interface:
		if depth > 0 && rapid.IntRange(0, 3).Draw(t, "nil") > 0 {
			x := reflect.New(anyType(t, min(depth, 2)-1)).Elem()
			fill(t, x, depth-1)
			v.Set(x)
		}
	case reflect.Slice:
		n := rapid.IntRange(0, 2).Draw(t, "length")
		v.Set(reflect.MakeSlice(v.Type(), n, n))
		fallthrough
	case reflect.Array:
		for i := range v.Len() {
			fill(t, v.Index(i), depth-1)
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		for range rapid.IntRange(0, 3).Draw(t, "length") {
			key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
			fill(t, key, 0)
			fill(t, value, depth-1)
			v.SetMapIndex(key, value)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Field(i); f.CanSet() {
				fill(t, f, depth-1)
			}
		}
	}
}

// TestRandom compares the document with encoding/json's over random types and values, as they are and inside an interface.
func TestRandom(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		typ := anyType(t, 3)
		e, inside := compile(typ), compile(reflect.TypeFor[[]any]())
		for range 3 {
			v := reflect.New(typ).Elem()
			fill(t, v, 6)
			want, err := standard(v)
			if err != nil {
				t.Fatalf("%s: encoding/json: %v", typ, err)
			}
			got, err := e.Append(nil, v)
			if string(got) != want || err != nil {
				t.Fatalf("%s\n got %s, %v\nwant %s", typ, got, err, want)
			}
			if w, err := e.Walk(v); string(w.Doc) != want || !w.Accepted || err != nil {
				t.Fatalf("%s with text\n got %s, accepted %t, %v\nwant %s", typ, w.Doc, w.Accepted, err, want)
			}
			list := []any{v.Interface()}
			want, err = standard(reflect.ValueOf(list))
			if err != nil {
				t.Fatalf("%s: encoding/json: %v", typ, err)
			}
			if got, err := inside.Append(nil, reflect.ValueOf(&list).Elem()); string(got) != want || err != nil {
				t.Fatalf("[]any{%s}\n got %s, %v\nwant %s", typ, got, err, want)
			}
		}
	})
}
