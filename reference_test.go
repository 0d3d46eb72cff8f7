package diptych_test

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"math/big"
	"os"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych"
)

// The reference implementation's own cases, each with the Go declaration that means the same. What Go says differently
// on purpose, or cannot say, is written beside the case: a case or a call that is not mentioned fails the test.

// A saying is how Go says one value of a case.
type saying struct {
	result func(t *testing.T) *mcp.CallToolResult // nil: not expressible
	// differs is why the answer is not the reference's, on purpose; or why there is none.
	differs string
	failed  bool // the author's own error, which the reference passes through unmarked
	// want replaces the reference's structured content where it differs.
	want string
}

// value says a value of the declared type.
func value[Out any](v Out) saying { return saying{result: answerOf(v)} }

// raw says JSON that promises the declared type.
func raw[Out any](doc string) saying { return saying{result: answerOf(diptych.JSON[Out](doc))} }

// differs marks a difference on purpose.
func (s saying) because(why string) saying { s.differs = why; return s }

func (s saying) wants(structured string) saying { s.want = structured; return s }

func inexpressible(why string) saying { return saying{differs: why} }

// quiet keeps the failures that a test provokes out of its output.
var quiet = diptych.Logger(slog.New(slog.DiscardHandler))

func answerOf[Out any](v Out, opts ...diptych.Option) func(*testing.T) *mcp.CallToolResult {
	return func(t *testing.T) *mcp.CallToolResult {
		t.Helper()
		_, h, err := diptych.New(&mcp.Tool{Name: "f"}, func(context.Context, struct{}) (Out, error) { return v, nil }, append(opts, quiet)...)
		if err != nil {
			t.Fatal(err)
		}
		res, err := h(t.Context(), &mcp.CallToolRequest{Params: &mcp.CallToolParamsRaw{Name: "f"}})
		if err != nil {
			t.Fatal(err)
		}
		return res
	}
}

// schemaOf is the published schema of a tool named f that returns Out.
func schemaOf[Out any](opts ...diptych.Option) func(*testing.T) json.RawMessage {
	return func(t *testing.T) json.RawMessage {
		t.Helper()
		tool, _, err := diptych.New(&mcp.Tool{Name: "f"}, func(context.Context, struct{}) (Out, error) { panic("not called") }, opts...)
		if err != nil {
			t.Fatal(err)
		}
		if tool.OutputSchema == nil {
			return nil
		}
		return tool.OutputSchema.(json.RawMessage)
	}
}

type Addr struct {
	Street string  `json:"street"`
	Zip    *string `json:"zip" default:"null"`
}

type Person struct {
	Name  string          `json:"name" jsonschema:"Full name" minLength:"1" maxLength:"10" pattern:"^[A-Z]"`
	Age   int             `json:"age" minimum:"0" maximum:"150"`
	Addr  Addr            `json:"addr"`
	Tags  []string        `json:"tags" default:"[]"`
	Other []Addr          `json:"other,omitzero"`
	M     map[string]Addr `json:"m" default:"{}"`
}

type TD struct {
	A int    `json:"a" jsonschema:"the a" minimum:"1"`
	B string `json:"b,omitempty"`
}

type TDp struct {
	A int    `json:"a,omitempty"`
	B string `json:"b"`
}

type DC struct {
	X int     `json:"x"`
	Y float64 `json:"y" default:"1.5"`
	Z *string `json:"z" default:"null"`
}

type Plain struct {
	Name string `json:"name"`
	N    int    `json:"n" default:"3"`
}

type Tree struct {
	V    int    `json:"v"`
	Kids []Tree `json:"kids" default:"[]"`
}

var addrDocs = diptych.Docs{
	"github.com/diptych-mcp/diptych_test.Addr": {Text: "An address."},
	"github.com/diptych-mcp/diptych_test.TD":   {Text: "Doc of TD."},
}

const (
	neverCoerced  = "SEMANTICS: a value is never coerced"
	neverTrimmed  = "SEMANTICS: raw JSON is never trimmed; unknown keys stay"
	neverFilledIn = "SEMANTICS: raw JSON is never filled in, and absent fields with a default are optional"
	otherType     = "a value of another type does not compile"
)

func TestReference(t *testing.T) {
	al := Person{Name: "Al", Age: 3, Addr: Addr{Street: "s"}, Other: []Addr{}}
	type declaration struct {
		schema  func(*testing.T) json.RawMessage // nil: not expressible
		differs string
		calls   map[string]saying
	}
	declared := map[string]declaration{
		"str": {schemaOf[string](), "", map[string]saying{
			"'hi'": value("hi"),
			"5":    raw[string]("5"),
			"None": raw[string]("null"),
			"b'x'": inexpressible("[]byte is another type and travels as base64"),
		}},
		"int": {schemaOf[int](), "", map[string]saying{
			"17":                     value(17),
			"'17'":                   raw[int](`"17"`).because(neverCoerced),
			"1.0":                    raw[int]("1.0"),
			"1.5":                    raw[int]("1.5"),
			"True":                   raw[int]("true").because(neverCoerced),
			"1180591620717411303424": value(*new(big.Int).Lsh(big.NewInt(1), 70)),
		}},
		"float": {schemaOf[float64](), "", map[string]saying{
			"1.5": value(1.5),
			"2":   value(2.0),
			"'x'": raw[float64](`"x"`),
		}},
		"bool": {schemaOf[bool](), "", map[string]saying{
			"True":  value(true),
			"1":     raw[bool]("1").because(neverCoerced),
			"'yes'": raw[bool](`"yes"`).because(neverCoerced),
		}},
		"None": {schemaOf[struct{}](), "", map[string]saying{
			"None": value(struct{}{}).because("SEMANTICS: one block, done, instead of an empty content").wants(`{"result":null}`),
			"5":    inexpressible(otherType),
		}},
		"BaseModel nested": {schemaOf[Person](addrDocs), "", map[string]saying{
			"Person(name='Al', age=3, addr=Addr(street='s', zip=None), tags=[], other=[], m={})":       value(al),
			"{'name': 'Al', 'age': 3, 'addr': {'street': 's'}}":                                        raw[Person](`{"name":"Al","age":3,"addr":{"street":"s"}}`).because(neverFilledIn).wants(`{"name":"Al","age":3,"addr":{"street":"s"}}`),
			"{'name': 'al', 'age': 3, 'addr': {'street': 's'}}":                                        raw[Person](`{"name":"al","age":3,"addr":{"street":"s"}}`),
			"Sub(name='Al', age=3, addr=Addr(street='s', zip=None), tags=[], other=[], m={}, extra=9)": raw[Person](`{"name":"Al","age":3,"addr":{"street":"s","zip":null},"tags":[],"other":[],"m":{},"extra":9}`),
			"None": raw[Person]("null"),
			"{'name': 'Al', 'age': 3, 'addr': {'street': 's'}, 'zzz': 1}": raw[Person](`{"name":"Al","age":3,"addr":{"street":"s"},"zzz":1}`).because(neverTrimmed).wants(`{"name":"Al","age":3,"addr":{"street":"s"},"zzz":1}`),
		}},
		"Addr doc": {schemaOf[Addr](addrDocs), "", map[string]saying{
			"Addr(street='s', zip=None)": value(Addr{Street: "s"}),
		}},
		"TypedDict": {schemaOf[TD](addrDocs), "", map[string]saying{
			"{'a': 1}":           value(TD{A: 1}),
			"{'a': 1, 'b': 'x'}": value(TD{A: 1, B: "x"}),
			"{'a': 0}":           value(TD{A: 0}),
			"{'a': 1, 'zz': 2}":  raw[TD](`{"a":1,"zz":2}`).because(neverTrimmed).wants(`{"a":1,"zz":2}`),
		}},
		"TypedDict total=False": {schemaOf[TDp](), "", map[string]saying{
			"{'b': 'x'}": value(TDp{B: "x"}),
			"{}":         raw[TDp](`{}`),
		}},
		"dataclass": {schemaOf[DC](), "", map[string]saying{
			"DC(x=1, y=1.5, z=None)": value(DC{X: 1, Y: 1.5}),
			"{'x': 1}":               raw[DC](`{"x":1}`).because(neverFilledIn).wants(`{"x":1}`),
			"{'x': '1'}":             raw[DC](`{"x":"1"}`).because(neverCoerced),
		}},
		"plain class": {schemaOf[Plain](), "", map[string]saying{
			"{'name': 'q'}": raw[Plain](`{"name":"q"}`).because(neverFilledIn).wants(`{"name":"q"}`),
		}},
		"list[int]": {schemaOf[[]int](), "", map[string]saying{
			"[1, 2, 3]": value([]int{1, 2, 3}),
			"[]":        value([]int(nil)).because("SEMANTICS: an empty list gives one block []").wants(`{"result":[]}`),
			"(1, 2)":    value([]int{1, 2}),
			"[1, 'x']":  raw[[]int](`[1,"x"]`),
		}},
		"list[list[int]]": {schemaOf[[][]int](), "", map[string]saying{
			"[[1, 2], [3]]": value([][]int{{1, 2}, {3}}),
		}},
		"list[str]": {schemaOf[[]string](), "", map[string]saying{
			"['a', 'b']": value([]string{"a", "b"}),
		}},
		"list[Model]": {schemaOf[[]Addr](addrDocs), "", map[string]saying{
			"[Addr(street='a', zip=None), Addr(street='b', zip=None)]": value([]Addr{{Street: "a"}, {Street: "b"}}),
		}},
		"tuple fixed": {schemaOf[diptych.Tuple2[int, string]](), "", map[string]saying{
			"(1, 'a')": value(diptych.Tuple2[int, string]{A: 1, B: "a"}),
			"[1, 'a']": raw[diptych.Tuple2[int, string]](`[1,"a"]`),
			"(1,)":     raw[diptych.Tuple2[int, string]](`[1]`),
		}},
		"dict[str,float]": {schemaOf[map[string]float64](), "", map[string]saying{
			"{'a': 1.5}": value(map[string]float64{"a": 1.5}),
			"{1: 2.0}":   inexpressible("a key of another type does not compile"),
			"{'a': 'x'}": raw[map[string]float64](`{"a":"x"}`),
		}},
		"dict[str,Any]": {schemaOf[map[string]any](), "", map[string]saying{
			"{'a': 1, 'b': [1, None], 'c': datetime.datetime(2024, 1, 2, 3, 4, 5)}": value(map[string]any{"a": 1, "b": []any{1, nil}, "c": time.Date(2024, 1, 2, 3, 4, 5, 0, time.UTC)}).
				because("a Go time has a zone").wants(`{"a":1,"b":[1,null],"c":"2024-01-02T03:04:05Z"}`),
		}},
		"dict[int,float]": {schemaOf[map[int]float64](), "", map[string]saying{
			"{1: 2.5}": value(map[int]float64{1: 2.5}),
		}},
		"Optional[str]": {schemaOf[diptych.Optional[string]](), "", map[string]saying{
			"None": value(diptych.Optional[string]{}).because("SEMANTICS: the absence is the answer, one block null").wants(`{"result":null}`),
			"'x'":  value(diptych.Some("x")),
		}},
		"Optional[Model]": {schemaOf[diptych.Optional[Addr]](addrDocs), "", map[string]saying{
			"None":                       value(diptych.Optional[Addr]{}).because("SEMANTICS: the absence is the answer, one block null").wants(`{"result":null}`),
			"Addr(street='s', zip=None)": value(diptych.Some(Addr{Street: "s"})),
		}},
		"Union int|str": {schemaOf[diptych.AnyOf[int, string]](), "", map[string]saying{
			"1":   value(diptych.AnyOf[int, string]{A: new(1)}),
			"'a'": value(diptych.AnyOf[int, string]{B: new("a")}),
		}},
		"Literal": {nil, "Go has no literal types: a named type with Enum has a name, so its values are in $defs", map[string]saying{
			"'a'": value(letter("a")),
			"'c'": value(letter("c")),
		}},
		"Literal single": {nil, "Go has no literal types", map[string]saying{
			"'a'": value("a"),
		}},
		"list[datetime]": {schemaOf[[]time.Time](), "", map[string]saying{
			"[datetime.datetime(2024, 1, 2, 3, 4, 5, tzinfo=datetime.timezone.utc)]": value([]time.Time{time.Date(2024, 1, 2, 3, 4, 5, 0, time.UTC)}),
		}},
		"CallToolResult": {schemaOf[*mcp.CallToolResult](), "", map[string]saying{
			"CallToolResult(meta=None, content=[TextContent(type='text', text='x', annotations=None, meta=None)], structured_content={'a': 1}, is_error=False, resu": value(&mcp.CallToolResult{
				Content: []mcp.Content{&mcp.TextContent{Text: "x"}}, StructuredContent: map[string]any{"a": 1}}),
			"'plain str'": inexpressible(otherType),
		}},
		"Annotated CTR": {schemaOf[diptych.Result[Addr]](addrDocs), "", map[string]saying{
			"CallToolResult(meta=None, content=[], structured_content={'street': 's'}, is_error=False, result_type='complete')": value(diptych.Result[diptych.JSON[Addr]]{
				Value: diptych.JSON[Addr](`{"street":"s"}`), Content: []mcp.Content{}}),
			"CallToolResult(meta=None, content=[], structured_content={'x': 1}, is_error=False, result_type='complete')": value(diptych.Result[diptych.JSON[Addr]]{
				Value: diptych.JSON[Addr](`{"x":1}`), Content: []mcp.Content{}}),
			"CallToolResult(meta=None, content=[], structured_content=None, is_error=False, result_type='complete')": value(diptych.Result[diptych.JSON[Addr]]{Content: []mcp.Content{}}),
			"CallToolResult(meta=None, content=[TextContent(type='text', text='bad', annotations=None, meta=None)], structured_content=None, is_error=True, result_": {failed: true, result: func(t *testing.T) *mcp.CallToolResult {
				_, h, err := diptych.New(&mcp.Tool{Name: "f"}, func(context.Context, struct{}) (diptych.Result[Addr], error) {
					return diptych.Result[Addr]{}, &diptych.Error{Content: []mcp.Content{&mcp.TextContent{Text: "bad"}}}
				}, quiet)
				if err != nil {
					t.Fatal(err)
				}
				res, err := h(t.Context(), &mcp.CallToolRequest{Params: &mcp.CallToolParamsRaw{Name: "f"}})
				if err != nil {
					t.Fatal(err)
				}
				return res
			}},
			"Addr(street='s', zip=None)": value(diptych.Result[Addr]{Value: Addr{Street: "s"}}),
		}},
		"TextContent": {schemaOf[*mcp.TextContent](), "", map[string]saying{
			"TextContent(type='text', text='x', annotations=None, meta=None)": value(&mcp.TextContent{Text: "x"}),
		}},
		"list[ContentBlock]": {schemaOf[[]mcp.Content](), "", map[string]saying{
			"[TextContent(type='text', text='x', annotations=None, meta=None), ResourceLink(name='n', title=None, uri='x://y', description=None, mime_type=None, si": value([]mcp.Content{
				&mcp.TextContent{Text: "x"}, &mcp.ResourceLink{Name: "n", URI: "x://y"}}),
		}},
		"list[str|Image]": {schemaOf[[]diptych.AnyOf[string, mcp.ImageContent]](), "", nil},
		"Annotated int ge": {nil, "a Go return type has no place for constraints; a struct field has, or a hand-given schema", map[string]saying{
			"3": {result: func(t *testing.T) *mcp.CallToolResult { return boundedInt(t, 3) }},
			"9": {result: func(t *testing.T) *mcp.CallToolResult { return boundedInt(t, 9) }},
		}},
		"Tree": {schemaOf[Tree](), "SEMANTICS: the root of a recursive type is written in place, so that it is an object for every host", map[string]saying{
			"Tree(v=1, kids=[Tree(v=2, kids=[])])": value(Tree{V: 1, Kids: []Tree{{V: 2}}}),
		}},
	}

	file, err := os.ReadFile("testdata/reference.json")
	if err != nil {
		t.Fatal(err)
	}
	var reference struct {
		Cases []struct {
			Case   string
			Schema json.RawMessage
			Calls  []struct {
				PythonValue string `json:"python_value"`
				Structured  json.RawMessage
				Content     []json.RawMessage
				IsError     bool `json:"is_error"`
			}
		}
	}
	if err := json.Unmarshal(file, &reference); err != nil {
		t.Fatal(err)
	}
	if len(reference.Cases) != len(declared) {
		t.Errorf("%d cases in the reference, %d declared", len(reference.Cases), len(declared))
	}
	for _, c := range reference.Cases {
		t.Run(c.Case, func(t *testing.T) {
			d, ok := declared[c.Case]
			if !ok {
				t.Fatal("no Go declaration")
			}
			if d.schema != nil {
				var want bytes.Buffer
				if err := json.Compact(&want, c.Schema); err != nil {
					t.Fatal(err)
				}
				got := d.schema(t)
				if got == nil {
					got = json.RawMessage("null")
				}
				if same := string(got) == want.String(); same == (d.differs != "") {
					t.Errorf("schema, differs on purpose = %q:\n got %s\nwant %s", d.differs, got, &want)
				}
			} else if d.differs == "" {
				t.Error("neither a declaration nor a reason")
			}
			for _, call := range c.Calls {
				s, ok := d.calls[call.PythonValue]
				switch {
				case !ok:
					t.Errorf("%s: no Go value", call.PythonValue)
				case s.result == nil && s.differs == "":
					t.Errorf("%s: neither a value nor a reason", call.PythonValue)
				case s.result == nil:
				case s.differs != "" && s.want == "":
					if res := s.result(t); !res.IsError {
						t.Errorf("%s: accepted, want an error because %s", call.PythonValue, s.differs)
					}
				default:
					res := s.result(t)
					if res.IsError != (call.IsError || s.failed) {
						t.Fatalf("%s: isError = %v: %s", call.PythonValue, res.IsError, contentJSON(t, res))
					}
					want := string(call.Structured)
					if s.want != "" {
						want = s.want
					}
					structured, _ := res.StructuredContent.(json.RawMessage)
					if !call.IsError {
						if diff := cmp.Diff(plain(t, want), plain(t, string(structured))); diff != "" {
							t.Errorf("%s: structured content (-reference +Go):\n%s", call.PythonValue, diff)
						}
					}
					if !call.IsError && s.want == "" {
						if diff := cmp.Diff(blocks(t, call.Content), blocks(t, contentJSON(t, res))); diff != "" {
							t.Errorf("%s: content (-reference +Go):\n%s", call.PythonValue, diff)
						}
					}
				}
			}
		})
	}
}

type letter string

func (letter) Enum() []letter { return []letter{"a", "b"} }

func boundedInt(t *testing.T, n int) *mcp.CallToolResult {
	t.Helper()
	tool := &mcp.Tool{Name: "f", OutputSchema: json.RawMessage(`{"type":"object","properties":{"result":{"type":"integer","minimum":1,"maximum":5}},"required":["result"]}`)}
	_, h, err := diptych.New(tool, func(context.Context, struct{}) (int, error) { return n, nil }, quiet)
	if err != nil {
		t.Fatal(err)
	}
	res, err := h(t.Context(), &mcp.CallToolRequest{Params: &mcp.CallToolParamsRaw{Name: "f"}})
	if err != nil {
		t.Fatal(err)
	}
	return res
}

func contentJSON(t *testing.T, res *mcp.CallToolResult) []json.RawMessage {
	t.Helper()
	var out []json.RawMessage
	for _, c := range res.Content {
		b, err := json.Marshal(c)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, b)
	}
	return out
}

// blocks decodes content, and the text of a block that is JSON, so that numbers compare by value.
func blocks(t *testing.T, content []json.RawMessage) []any {
	t.Helper()
	out := []any{}
	for _, c := range content {
		b := plain(t, string(c)).(map[string]any)
		if text, ok := b["text"].(string); ok && json.Valid([]byte(text)) {
			b["text"] = plain(t, text)
		}
		out = append(out, b)
	}
	return out
}

// plain decodes JSON with numbers as exact rationals.
func plain(t *testing.T, doc string) any {
	t.Helper()
	if doc == "" {
		return nil
	}
	d := json.NewDecoder(bytes.NewReader([]byte(doc)))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%v in %q", err, doc)
	}
	return exactly(v)
}

func exactly(v any) any {
	switch v := v.(type) {
	case json.Number:
		r, _ := new(big.Rat).SetString(v.String())
		return r.RatString()
	case []any:
		for i := range v {
			v[i] = exactly(v[i])
		}
	case map[string]any:
		for k := range v {
			v[k] = exactly(v[k])
		}
	}
	return v
}
