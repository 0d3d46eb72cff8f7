package write_test

import (
	"bytes"
	"encoding/json"
	"math"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzString writes any string as encoding/json does, save that invalid UTF-8 stays as it is.
func FuzzString(f *testing.F) {
	for _, s := range []string{"", "plain text of some length", "a\"b\\c", "\x00\x1f\x7f", "\u2028\u2029", "1234567\u2028", "é\xff", "\xe2\x80", "ééééééé\n", "\U0001F600<>&"} {
		f.Add(s)
	}
	e, quoted := compile(reflect.TypeFor[string]()), compile(reflect.TypeFor[stringField]())
	f.Fuzz(func(t *testing.T, s string) {
		got, err := e.Append(nil, reflect.ValueOf(&s).Elem())
		if err != nil {
			t.Fatal(err)
		}
		if !utf8.ValidString(s) {
			// The bytes that are wrong must still be there, and nothing else may be wrong.
			if utf8.Valid(got) || !json.Valid(got) {
				t.Fatalf("%q: %q", s, got)
			}
			return
		}
		want, err := standard(reflect.ValueOf(s))
		if string(got) != want || err != nil {
			t.Fatalf("%q\n got %s\nwant %s", s, got, want)
		}
		field := stringField{s}
		want, err = standard(reflect.ValueOf(field))
		if got, _ := quoted.Append(nil, reflect.ValueOf(&field).Elem()); string(got) != want || err != nil {
			t.Fatalf("%q in quotes\n got %s\nwant %s", s, got, want)
		}
	})
}

type stringField struct {
	S string `json:"s,string"`
}

// FuzzFloat writes any float as encoding/json does, or as a token that JSON does not have.
func FuzzFloat(f *testing.F) {
	for _, x := range []float64{0, math.Copysign(0, -1), 1, 0.1, 1e21, 1e-6, 1e-7, 1e-10, math.MaxFloat64, math.MaxFloat32, 5e-324, math.Inf(1), math.NaN(), 1 << 53} {
		f.Add(math.Float64bits(x))
	}
	e64, e32 := compile(reflect.TypeFor[float64]()), compile(reflect.TypeFor[float32]())
	f.Fuzz(func(t *testing.T, bits uint64) {
		x := math.Float64frombits(bits)
		y := float32(x)
		got64, _ := e64.Append(nil, reflect.ValueOf(&x).Elem())
		got32, _ := e32.Append(nil, reflect.ValueOf(&y).Elem())
		for v, got := range map[any][]byte{x: got64, y: got32} {
			want, err := json.Marshal(v)
			if err == nil && string(got) != string(want) || err != nil && json.Valid(got) {
				t.Fatalf("%v: got %s, want %s, %v", v, got, want, err)
			}
		}
	})
}

// FuzzRaw lets through what encoding/json takes for one JSON value, compacted, and nothing else; in a list it stays
// one item, and the blocks of any promise cover it.
func FuzzRaw(f *testing.F) {
	for _, s := range append(documents, "", " ", "1 2", "1]", "[1,]", "{\"a\":}", "{,}", `"\u12g4"`, "\"\x01\"", "[[[[", "01", "1.", "-", "tru", "nul", "\"\xff\"", `[["a"],"b",{"c":["]"]}]`, "[1}", `{"a" 1}`) {
		f.Add([]byte(s))
	}
	item, list, lists := compile(reflect.TypeFor[[]raw[int]]()), compile(reflect.TypeFor[raw[[]any]]()), compile(reflect.TypeFor[raw[pair[[][]string, either[int, []string]]]]())
	f.Fuzz(func(t *testing.T, b []byte) {
		var want bytes.Buffer
		valid := json.Compact(&want, b) == nil
		items := []raw[int]{b}
		got, err := item.Append(nil, reflect.ValueOf(&items).Elem())
		if (err == nil) != valid {
			t.Fatalf("%q: %v, valid is %v", b, err, valid)
		}
		if !valid {
			return
		}
		if string(got) != "["+want.String()+"]" {
			t.Fatalf("%q\n got %s\nwant [%s]", b, got, want.String())
		}
		root, other := raw[[]any](b), raw[pair[[][]string, either[int, []string]]](b)
		one, err := list.Walk(reflect.ValueOf(&root).Elem())
		two, err2 := lists.Walk(reflect.ValueOf(&other).Elem())
		if err != nil || err2 != nil || one.Accepted != two.Accepted || one.Accepted && (len(one.Texts) == 0 || len(two.Texts) == 0) {
			t.Fatalf("%q: %v, %v, %q, %q", b, err, err2, one.Texts, two.Texts)
		}
	})
}

// FuzzNumber writes the json.Numbers that encoding/json writes, and NaN for the rest.
func FuzzNumber(f *testing.F) {
	for _, s := range strings.Fields("0 -0 1.5 -1e5 1E+5 01 1. .1 - + 1e 1e- 1e+x 0x1 1]") {
		f.Add(s)
	}
	e := compile(reflect.TypeFor[json.Number]())
	f.Fuzz(func(t *testing.T, s string) {
		n := json.Number(s)
		got, err := e.Append(nil, reflect.ValueOf(&n).Elem())
		if err != nil {
			t.Fatal(err)
		}
		want, err := json.Marshal(n)
		if err != nil {
			want = []byte("NaN")
		}
		if string(got) != string(want) {
			t.Fatalf("%q: got %s, want %s", s, got, want)
		}
	})
}
