package encode_test

import (
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/diptych-mcp/diptych/internal/encode"
)

// TestNil says what stands where there is nothing, at every depth.
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
		{all{LL: [][]int{nil}, PL: &list, A: &list, J: (*pointerJSON)(nil), T: (*pointerText)(nil), O: some(list), OP: some((*int)(nil)), PO: &opt[int]{}},
			`{"L":[],"LL":[[]],"M":{},"B":"","P":null,"PL":[],"A":[],"R":null,"J":null,"T":null,"O":[],"OP":null,"PO":null}`},
	} {
		v := addressed(reflect.ValueOf(tt.value))
		got, err := compile(v.Type()).Append(nil, v)
		if string(got) != tt.want || err != nil {
			t.Errorf("%T\n got %s, %v\nwant %s", tt.value, got, err, tt.want)
		}
	}
}

// TestTotal says that what JSON cannot carry is written so that the check behind must find it.
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

// An example of each form, with the text blocks it gives: a bare one is in angle brackets.
func TestBlocks(t *testing.T) {
	type union = either[[]string, string]
	for _, tt := range []struct {
		value  any
		want   string
		blocks string
	}{
		{"a", `"a"`, `<"a">`},
		{word("a"), `"a"`, `<"a">`},
		{loud("a"), `"a!"`, `"a!"`},
		{json.Number("1"), `1`, `1`},
		{[]byte("a"), `"YQ=="`, `"YQ=="`},
		{ptr("a"), `"a"`, `<"a">`},
		{(*string)(nil), `null`, `null`},
		{base{}, `{"id":"","Name":"","x":0}`, `{"id":"","Name":"","x":0}`},
		{map[string]int{"a": 1}, `{"a":1}`, `{"a":1}`},
		{time.Time{}, `"0001-01-01T00:00:00Z"`, `"0001-01-01T00:00:00Z"`},

		{[]string{"a", "b"}, `["a","b"]`, `<"a"> <"b">`},
		{[]word{"a"}, `["a"]`, `<"a">`},
		{[]int{1, 2}, `[1,2]`, `1 2`},
		{[2]bool{}, `[false,false]`, `false false`},
		{&[]string{"a"}, `["a"]`, `<"a">`},
		{[]*string{ptr("a"), nil}, `["a",null]`, `<"a"> null`},
		{[]string(nil), `[]`, `[]`},
		{[0]int{}, `[]`, `[]`},
		{[][]int{{1}, {}, {2, 3}, nil}, `[[1],[],[2,3],[]]`, `1 2 3`},
		{[][]int{{}, nil}, `[[],[]]`, `[[],[]]`},
		{[][2][]string{{{"a"}, {"b"}}}, `[[["a"],["b"]]]`, `<"a"> <"b">`},
		{[]map[string][]int{{"a": {1, 2}}}, `[{"a":[1,2]}]`, `{"a":[1,2]}`},
		{[]pointerJSON{{1}, {2}}, `[[1],[2]]`, `[1] [2]`},
		{[]loud{"a"}, `["a!"]`, `"a!"`},
		{[][]byte{{1}}, `["AQ=="]`, `"AQ=="`},

		{[]any{"a", 1, []int{2, 3}, []any{"b"}, nil, pointerJSON{4}, &pointerJSON{5}, ptr("c"), map[string]any{}}, `["a",1,[2,3],["b"],null,{"N":4},[5],"c",{}]`, `<"a"> 1 2 3 <"b"> null {"N":4} [5] <"c"> {}`},
		{&[]any{}, `[]`, `[]`},
		{struct{ A any }{[]any{1}}, `{"A":[1]}`, `{"A":[1]}`},

		{opt[int]{}, `null`, `null`},
		{some("a"), `"a"`, `<"a">`},
		{some([]string{"a"}), `["a"]`, `<"a">`},
		{some(some([]string{})), `[]`, `[]`},
		{[]opt[string]{some("a"), {}}, `["a",null]`, `<"a"> null`},
		{[]any{some("a"), opt[int]{}, some([]int{1})}, `["a",null,[1]]`, `<"a"> null 1`},
		{map[string]opt[int]{"a": some(1), "b": {}}, `{"a":1,"b":null}`, `{"a":1,"b":null}`},
		{&opt[string]{"a", true}, `"a"`, `<"a">`},

		{union{A: &[]string{"a"}}, `["a"]`, `<"a">`},
		{union{B: ptr("b")}, `"b"`, `<"b">`},
		{[]union{{A: &[]string{"a", "b"}}, {B: ptr("c")}}, `[["a","b"],"c"]`, `<"a"> <"b"> <"c">`},
		{either[int, union]{B: &union{B: ptr("x")}}, `"x"`, `<"x">`},
		{either[pointerJSON, *int]{A: &pointerJSON{1}}, `[1]`, `[1]`},

		{pair[string, int]{"a", 1}, `["a",1]`, `<"a"> 1`},
		{pair[[]string, pair[int, any]]{[]string{"a"}, pair[int, any]{1, "b"}}, `[["a"],[1,"b"]]`, `<"a"> 1 <"b">`},
		{[]pair[int, int]{{1, 2}, {3, 4}}, `[[1,2],[3,4]]`, `1 2 3 4`},

		{json.RawMessage(` "a" `), `"a"`, `<"a">`},
		{json.RawMessage(`[ 1, 2 ]`), `[1,2]`, `[1,2]`},
		{[]json.RawMessage{json.RawMessage(`[1]`), nil}, `[[1],null]`, `[1] null`},
		{raw[int](` 1 `), `1`, `1`},
		{raw[string](`"a\"]"`), `"a\"]"`, `<"a\"]">`},
		{raw[loud](`"a"`), `"a"`, `"a"`},
		{raw[[]string](` [ "a]" , "b,\"" ] `), `["a]","b,\""]`, `<"a]"> <"b,\"">`},
		{raw[[]int](`[]`), `[]`, `[]`},
		{raw[[]int](`{"a":[1]}`), `{"a":[1]}`, `{"a":[1]}`},
		{raw[[]pointerJSON](`[[1],[2,3]]`), `[[1],[2,3]]`, `[1] [2,3]`},
		{raw[[][]string](`[["a"],[],["b"],{"c":"]"}]`), `[["a"],[],["b"],{"c":"]"}]`, `<"a"> <"b"> {"c":"]"}`},
		{raw[[]base](`[{"id":"]","x":[1,{}]},null,true]`), `[{"id":"]","x":[1,{}]},null,true]`, `{"id":"]","x":[1,{}]} null true`},
		{raw[pair[string, []int]](`["a",[1,2],"more",[3]]`), `["a",[1,2],"more",[3]]`, `<"a"> 1 2 "more" [3]`},
		{raw[union](`["a"]`), `["a"]`, `<"a">`},
		{raw[union](`"a"`), `"a"`, `<"a">`},
		{raw[opt[[]string]](`["a"]`), `["a"]`, `<"a">`},
		{raw[opt[[]string]](`null`), `null`, `null`},
		{raw[any](`["a",[1]]`), `["a",[1]]`, `<"a"> 1`},
		{raw[map[string]int](`{ "a" : 1 }`), `{"a":1}`, `{"a":1}`},
		{[]raw[string]{raw[string](`"a"`), raw[string](`"b"`)}, `["a","b"]`, `<"a"> <"b">`},
		{[]any{raw[[]string](`["a","b"]`)}, `[["a","b"]]`, `<"a"> <"b">`},
	} {
		v := addressed(reflect.ValueOf(tt.value))
		e := compile(v.Type())
		dst, blocks, err := e.AppendBlocks([]byte("before"), []encode.Block{{Start: 1, End: 2}}, v)
		if err != nil || string(dst) != "before"+tt.want {
			t.Errorf("%#v\n got %s, %v\nwant %s", tt.value, dst, err, tt.want)
			continue
		}
		var got []string
		for _, b := range blocks[1:] {
			part := string(dst[b.Start:b.End])
			if b.Bare {
				part = "<" + part + ">"
			}
			got = append(got, part)
		}
		if got := strings.Join(got, " "); got != tt.blocks {
			t.Errorf("%#v: blocks\n got %s\nwant %s", tt.value, got, tt.blocks)
		}
		if plain, err := e.Append(nil, v); string(plain) != tt.want || err != nil {
			t.Errorf("%#v: without blocks %s, %v", tt.value, plain, err)
		}
	}
}

// TestDynamicRoot says that an interface's blocks are those of what it holds.
func TestDynamicRoot(t *testing.T) {
	for _, tt := range []struct {
		value any
		want  []encode.Block
	}{
		{nil, []encode.Block{{0, 4, false}}},
		{"ab", []encode.Block{{0, 4, true}}},
		{[]string{"a", "b"}, []encode.Block{{1, 4, true}, {5, 8, true}}},
		{[]any(nil), []encode.Block{{0, 2, false}}},
	} {
		_, blocks, err := compile(reflect.TypeFor[any]()).AppendBlocks(nil, nil, reflect.ValueOf(&tt.value).Elem())
		if diff := cmp.Diff(tt.want, blocks); diff != "" || err != nil {
			t.Errorf("%#v: %v %s", tt.value, err, diff)
		}
	}
}

var errBoom = errors.New("boom")

type (
	failJSON  struct{}
	failText  struct{}
	wroteJSON string
	ring      struct {
		Next *ring
	}
	chain struct {
		Next *chain `json:",omitempty"`
		N    int
	}
	ringList  []ringList
	ringMap   map[string]ringMap
	ringOpt   struct{ Next opt[*ringOpt] }
	ringAny   struct{ Next any }
	otherJSON struct{}
	// shut embeds a marshaler in a field that no reflection may open.
	shut struct {
		valueJSON `json:"shut"`
		otherJSON `json:"other"` // two of them, so that shut itself has no MarshalJSON
	}
)

func (failJSON) MarshalJSON() ([]byte, error)    { return nil, errBoom }
func (failText) MarshalText() ([]byte, error)    { return nil, errBoom }
func (otherJSON) MarshalJSON() ([]byte, error)   { return nil, nil }
func (w wroteJSON) MarshalJSON() ([]byte, error) { return []byte(w), nil }

func TestFaults(t *testing.T) {
	type inner struct {
		When time.Time `json:"when"`
		Odd  any       `json:"odd key"`
	}
	loop, list, dict, opts, anys := &ring{}, ringList{nil}, ringMap{}, &ringOpt{}, &ringAny{}
	loop.Next, list[0], dict["a"], opts.Next, anys.Next = &ring{loop}, list, dict, some(opts), []any{anys}
	var deep *chain
	for range 1001 {
		deep = &chain{Next: deep}
	}
	loops := []any{nil}
	loops[0] = map[string]any{"x": loops}
	year10000 := time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)
	for name, tt := range map[string]struct {
		value      any
		path, rule string
		cause      string
	}{
		"root":            {failJSON{}, "", "its MarshalJSON failed", "boom"},
		"text":            {[]failText{{}}, "[0]", "its MarshalText failed", "boom"},
		"field":           {struct{ A failJSON }{}, "A", "its MarshalJSON failed", "boom"},
		"path":            {map[string]any{"rows": []inner{{}, {When: year10000}}}, "rows[1].when", "its MarshalJSON failed", "Time.MarshalJSON: year outside of range [0,9999]"},
		"odd key":         {map[string]inner{"a.b": {Odd: failText{}}}, `["a.b"]["odd key"]`, "its MarshalText failed", "boom"},
		"empty key":       {map[string]failJSON{"": {}}, `[""]`, "its MarshalJSON failed", "boom"},
		"digits":          {map[int]failJSON{1: {}}, `["1"]`, "its MarshalJSON failed", "boom"},
		"key":             {map[failText]int{{}: 1}, "", "its MarshalText failed", "boom"},
		"year":            {year10000, "", "its MarshalJSON failed", "Time.MarshalJSON: year outside of range [0,9999]"},
		"year below":      {time.Date(-1, 1, 1, 0, 0, 0, 0, time.UTC), "", "its MarshalJSON failed", "Time.MarshalJSON: year outside of range [0,9999]"},
		"zone":            {time.Unix(0, 0).In(time.FixedZone("", 24*3600)), "", "its MarshalJSON failed", "Time.MarshalJSON: timezone hour outside of range [0,23]"},
		"zone of 3":       {time.Unix(0, 0).In(time.FixedZone("", -100*3600)), "", "its MarshalJSON failed", "Time.MarshalJSON: timezone hour outside of range [0,23]"},
		"no value":        {[]wroteJSON{""}, "[0]", "its MarshalJSON wrote no valid JSON", ""},
		"two values":      {[]wroteJSON{"1 2"}, "[0]", "its MarshalJSON wrote no valid JSON", ""},
		"closes":          {[]wroteJSON{`1]`}, "[0]", "its MarshalJSON wrote no valid JSON", ""},
		"smuggles":        {struct{ A wroteJSON }{`1,"b":2`}, "A", "its MarshalJSON wrote no valid JSON", ""},
		"raw nothing":     {json.RawMessage{}, "", "holds no JSON", ""},
		"raw space":       {json.RawMessage(" \n"), "", "holds no JSON", ""},
		"raw two":         {json.RawMessage("1,2"), "", "not valid JSON", ""},
		"promise nil":     {pair[int, raw[int]]{}, "[1]", "holds no JSON", ""},
		"promise closes":  {[]raw[[]int]{raw[[]int]("[1]]")}, "[0]", "not valid JSON", ""},
		"no form":         {[]either[int, int]{{}}, "[0]", "exactly one form must be set", ""},
		"both forms":      {either[int, string]{ptr(1), ptr("")}, "", "exactly one form must be set", ""},
		"inside optional": {struct{ O opt[failJSON] }{some(failJSON{})}, "O", "its MarshalJSON failed", "boom"},
		"channel":         {[]any{make(chan int)}, "[0]", "type chan int has no JSON form; use a type that JSON can carry", ""},
		"key type":        {map[string]any{"k": map[float64]int{1: 1}}, "k", "map key type float64 has no JSON form; use a string, an integer or a type with MarshalText as the key", ""},
		"shut":            {shut{}, "shut", "its methods cannot be called in an unexported embedded field", ""},
		"ring":            {loop, strings.Repeat("Next.", 39) + "Next…", "refers to itself", ""},
		"list ring":       {list, strings.Repeat("[0]", 66) + "…", "refers to itself", ""},
		"map ring":        {dict, strings.Repeat("a.", 99) + "a…", "refers to itself", ""},
		"optional ring":   {opts, strings.Repeat("Next.", 39) + "Next…", "refers to itself", ""},
		"any ring":        {anys, strings.Repeat("Next[0].", 24) + "Next[0]…", "refers to itself", ""},
		"untyped ring":    {loops, strings.Repeat("[0].x", 40) + "…", "refers to itself", ""},
		"deep":            {deep, strings.Repeat("Next.", 39) + "Next…", "nested deeper than 1,000 levels", ""},
	} {
		v := addressed(reflect.ValueOf(tt.value))
		e := compile(v.Type())
		dst, err := e.Append([]byte("before"), v)
		var fault *encode.Fault
		if !errors.As(err, &fault) {
			t.Errorf("%s: %s, %v, want a fault", name, dst, err)
			continue
		}
		cause := ""
		if fault.Err != nil {
			cause = fault.Err.Error()
		}
		if fault.Path != tt.path || fault.Rule != tt.rule || cause != tt.cause || string(dst) != "before" {
			t.Errorf("%s:\n got %q %q %q, dst %s\nwant %q %q %q", name, fault.Path, fault.Rule, cause, dst, tt.path, tt.rule, tt.cause)
		}
		if tt.cause == "boom" && !errors.Is(err, errBoom) {
			t.Errorf("%s: the cause is lost", name)
		}
		dst, blocks, err := e.AppendBlocks([]byte("before"), []encode.Block{{}}, v)
		if again := new(encode.Fault); !errors.As(err, &again) || again.Error() != fault.Error() || string(dst) != "before" || len(blocks) != 1 {
			t.Errorf("%s: with blocks %v, dst %s, %d blocks, want %v", name, err, dst, len(blocks), fault)
		}
	}
}

func TestFaultText(t *testing.T) {
	_, err := encodeValue([]failJSON{{}})
	if got, want := fmt.Sprint(err), "[0]: its MarshalJSON failed"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	_, err = encodeValue(failJSON{})
	if got, want := fmt.Sprint(err), "its MarshalJSON failed"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
