package write_test

import (
	"encoding"
	"encoding/json"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/diptych-mcp/diptych/internal/write"
)

// TestNil has what is written where there is nothing, at every depth.
func TestNil(t *testing.T) {
	type all struct {
		L  []int
		LL [][]int
		M  map[string]int
		B  []byte
		P  *int
		PL *[]int
		A  any
		R  json.RawMessage
		J  json.Marshaler
		T  encoding.TextMarshaler
		O  opt[[]int]
		OP opt[*int]
		PO *opt[int]
		E  []int `json:",omitempty"`
	}
	var (
		list  []int
		bytes []byte
		dict  map[string]int
	)
	for _, tt := range []struct {
		value any
		want  string
	}{
		{list, `[]`},
		{dict, `{}`},
		{bytes, `""`},
		{(*int)(nil), `null`},
		{ptr(list), `[]`},
		{[]any{list, dict, bytes, nil, (*int)(nil), []any(nil), map[string]any(nil), (*valueJSON)(nil), (*pointerText)(nil)}, `[[],{},"",null,null,[],{},null,null]`},
		{map[string][]byte{"a": nil}, `{"a":""}`},
		{map[string]map[string][]int{"a": nil, "b": {"c": nil}}, `{"a":{},"b":{"c":[]}}`},
		{[2][]int{}, `[[],[]]`},
		{[]map[string]int{nil}, `[{}]`},
		{all{}, `{"L":[],"LL":[],"M":{},"B":"","P":null,"PL":null,"A":null,"R":null,"J":null,"T":null,"O":null,"OP":null,"PO":null}`},
		{all{LL: [][]int{nil}, PL: &list, A: &list, J: (*pointerJSON)(nil), T: (*pointerText)(nil), O: write.Some(list), OP: write.Some((*int)(nil)), PO: &opt[int]{}},
			`{"L":[],"LL":[[]],"M":{},"B":"","P":null,"PL":[],"A":[],"R":null,"J":null,"T":null,"O":[],"OP":null,"PO":null}`},
	} {
		v := addressed(reflect.ValueOf(tt.value))
		got, err := compile(v.Type()).Append(nil, v)
		if string(got) != tt.want || err != nil {
			t.Errorf("%T\n got %s, %v\nwant %s", tt.value, got, err, tt.want)
		}
	}
}

// TestTotal says that what JSON cannot carry is written so that the check must find it.
func TestTotal(t *testing.T) {
	type quoted struct {
		F float64     `json:"f,string"`
		G float32     `json:"g,string"`
		N json.Number `json:"n,string"`
	}
	inf := math.Inf(1)
	for _, tt := range []struct {
		value any
		want  string
	}{
		{[]float64{math.NaN(), inf, -inf}, `[NaN,Infinity,-Infinity]`},
		{[]float32{float32(math.NaN()), float32(inf), float32(-inf)}, `[NaN,Infinity,-Infinity]`},
		{[]any{math.NaN(), float32(inf), json.Number("x")}, `[NaN,Infinity,NaN]`},
		{quoted{inf, float32(-inf), "1]"}, `{"f":Infinity,"g":-Infinity,"n":NaN}`},
		{[]json.Number{"01", "+1", "1.", ".5", "-", "1e", "1e+", "0x1", "1 ", " 1", "NaN", "1,2", "1e400", "-0"}, `[NaN,NaN,NaN,NaN,NaN,NaN,NaN,NaN,NaN,NaN,NaN,NaN,1e400,-0]`},
		{"a\xff\xe2\x80", "\"a\xff\xe2\x80\""},
		{"\xe2\x80", "\"\xe2\x80\""},
		{"\xe2", "\"\xe2\""},
		{map[string]int{"\xff": 1}, "{\"\xff\":1}"},
		{json.RawMessage("\"\xff\""), "\"\xff\""},
	} {
		v := addressed(reflect.ValueOf(tt.value))
		got, err := compile(v.Type()).Append(nil, v)
		if string(got) != tt.want || err != nil {
			t.Errorf("%v\n got %s, %v\nwant %s", tt.value, got, err, tt.want)
		}
		if strings.Contains(tt.want, "NaN") && json.Valid(got) {
			t.Errorf("%s is valid JSON", got)
		}
	}
}
