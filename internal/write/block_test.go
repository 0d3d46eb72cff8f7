package write_test

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/diptych-mcp/diptych/internal/write"
)

// TestBlocks has the text blocks of each form; a bare one is in angle brackets.
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
		{write.Some("a"), `"a"`, `<"a">`},
		{write.Some([]string{"a"}), `["a"]`, `<"a">`},
		{write.Some(write.Some([]string{})), `[]`, `[]`},
		{[]opt[string]{write.Some("a"), {}}, `["a",null]`, `<"a"> null`},
		{[]any{write.Some("a"), opt[int]{}, write.Some([]int{1})}, `["a",null,[1]]`, `<"a"> null 1`},
		{map[string]opt[int]{"a": write.Some(1), "b": {}}, `{"a":1,"b":null}`, `{"a":1,"b":null}`},
		{&opt[string]{V: "a", Set: true}, `"a"`, `<"a">`},

		{union{A: &[]string{"a"}}, `["a"]`, `<"a">`},
		{union{B: ptr("b")}, `"b"`, `<"b">`},
		{[]union{{A: &[]string{"a", "b"}}, {B: ptr("c")}}, `[["a","b"],"c"]`, `<"a"> <"b"> <"c">`},
		{either[int, union]{B: &union{B: ptr("x")}}, `"x"`, `<"x">`},
		{either[pointerJSON, *int]{A: &pointerJSON{1}}, `[1]`, `[1]`},

		{pair[string, int]{A: "a", B: 1}, `["a",1]`, `<"a"> 1`},
		{pair[[]string, pair[int, any]]{A: []string{"a"}, B: pair[int, any]{A: 1, B: "b"}}, `[["a"],[1,"b"]]`, `<"a"> 1 <"b">`},
		{[]pair[int, int]{{A: 1, B: 2}, {A: 3, B: 4}}, `[[1,2],[3,4]]`, `1 2 3 4`},

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
		w, err := compile(v.Type()).Walk(v)
		if err != nil || string(w.Doc) != tt.want {
			t.Errorf("%#v\n got %s, %v\nwant %s", tt.value, w.Doc, err, tt.want)
			continue
		}
		if diff := cmp.Diff(blockTexts(t, tt.blocks), w.Texts); diff != "" || !w.Proven {
			t.Errorf("%#v: proven %t; %s", tt.value, w.Proven, diff)
		}
		if doc, err := compile(v.Type()).Append([]byte("before"), v); string(doc) != "before"+tt.want || err != nil {
			t.Errorf("%#v: the document alone is %s, %v", tt.value, doc, err)
		}
	}
}

// blockTexts is the text of each block: JSON is indented, what is in angle brackets is without its quotes.
func blockTexts(t *testing.T, blocks string) []string {
	t.Helper()
	var texts []string
	for b := range strings.SplitSeq(blocks, " ") {
		bare, ok := strings.CutPrefix(b, "<")
		if !ok {
			var text bytes.Buffer
			if err := json.Indent(&text, []byte(b), "", "  "); err != nil {
				t.Fatal(err)
			}
			texts = append(texts, text.String())
			continue
		}
		var text string
		if err := json.Unmarshal([]byte(strings.TrimSuffix(bare, ">")), &text); err != nil {
			t.Fatal(err)
		}
		texts = append(texts, text)
	}
	return texts
}

// TestDynamicRoot says that an interface's blocks are those of what it holds.
func TestDynamicRoot(t *testing.T) {
	for _, tt := range []struct {
		value any
		want  []string
	}{
		{nil, []string{"null"}},
		{"ab", []string{"ab"}},
		{"", []string{`""`}},
		{[]string{"a", ""}, []string{"a", `""`}},
		{[]any(nil), []string{"[]"}},
	} {
		w, err := compile(reflect.TypeFor[any]()).Walk(reflect.ValueOf(&tt.value).Elem())
		if diff := cmp.Diff(tt.want, w.Texts); diff != "" || err != nil {
			t.Errorf("%#v: %v %s", tt.value, err, diff)
		}
	}
}
