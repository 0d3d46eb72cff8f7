package diptych_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych"
	"github.com/diptych-mcp/diptych/data"
)

type (
	ByPointer struct{ N int }
	Wrong     struct{ C chan int }
	Late      struct {
		T time.Time `json:"t,omitempty"`
	}
	PointerSch struct{ N int }
	PanicSch   struct{ N int }
	BadSch     struct{ N int }
	RefSch     struct{ N int }
	EmptyEnum  string
	PanicEnum  string
	TwiceEnum  string
	ByteEnum   uint8
	Storey     int8
	Place      struct{ N int }
	Custom     struct{ N int }
	Itself     *Itself
)

type hidden struct{ Q int }

type Keyed struct{ N int }

func (Keyed) MarshalText() ([]byte, error) { return []byte("k"), nil }

func (*ByPointer) MarshalJSON() ([]byte, error) { return []byte("1"), nil }
func (ByPointer) JSONSchema() json.RawMessage   { return json.RawMessage(`{"type":"integer"}`) }
func (*PointerSch) JSONSchema() json.RawMessage { return json.RawMessage(`{}`) }
func (PanicSch) JSONSchema() json.RawMessage    { panic("oh") }
func (BadSch) JSONSchema() json.RawMessage      { return json.RawMessage(`[]`) }
func (RefSch) JSONSchema() json.RawMessage {
	return json.RawMessage(`{"$ref":"#/$defs/A","$defs":{"A":{"type":"integer"}}}`)
}
func (EmptyEnum) Enum() []EmptyEnum         { return nil }
func (PanicEnum) Enum() []PanicEnum         { panic("oh") }
func (TwiceEnum) Enum() []TwiceEnum         { return []TwiceEnum{"a", "a"} }
func (ByteEnum) Enum() []ByteEnum           { return []ByteEnum{1, 2} }
func (Custom) MarshalJSON() ([]byte, error) { return []byte(`{"k":"v"}`), nil }
func (Custom) JSONSchema() json.RawMessage {
	return json.RawMessage(`{"type": "object", "properties": {"k": {"type": "string", "pattern": "^v"}}, "required": ["k"]}`)
}

// TestRegistrationErrors compares the texts of what Add refuses: the tool, the path, the fault and the remedy.
func TestRegistrationErrors(t *testing.T) {
	var b strings.Builder
	for _, r := range []struct {
		name string
		err  error
	}{
		{"error as a value", adding[struct{}, error](named())},
		{"type that is an error", adding[struct{}, *diptych.Error](named())},
		{"error under Unstructured", adding[struct{}, map[string]error](named(), diptych.Unstructured())},
		{"omitempty on a named struct", adding[struct{}, struct {
			A Inner `json:"a,omitempty"`
		}](named())},
		{"two fields of one name", adding[struct{}, struct {
			Stamp
			Mark
		}](named())},
		{"required of another library", adding[struct {
			A int `json:"a" jsonschema:"required"`
		}, int](named())},
		{"keywords of another library", adding[struct {
			A int `json:"a" jsonschema:"required,minimum=1"`
		}, int](named())},
		{"description of another library", adding[struct {
			A int `json:"a" jsonschema_description:"How many."`
		}, int](named())},
		{"extras of another library", adding[struct {
			A int `json:"a" jsonschema_extras:"a=b"`
		}, int](named())},
		{"no exported fields and no String", adding[struct{}, sealed](named())},
		{"no name", adding[struct{}, int](&mcp.Tool{})},
		{"name with a space", adding[struct{}, int](&mcp.Tool{Name: "get weather"})},
		{"long name", adding[struct{}, int](&mcp.Tool{Name: strings.Repeat("x", 129)})},
		{"nil tool", adding[struct{}, int](nil)},
		{"nil function", func() error {
			_, _, err := diptych.New[struct{}, int](&mcp.Tool{Name: "f"}, nil)
			return err
		}()},
		{"nil server", diptych.Add(nil, &mcp.Tool{Name: "f"}, func(context.Context, struct{}) (int, error) { return 0, nil })},
		{"arguments that are no struct", adding[int, int](named())},
		{"arguments without exported fields", adding[Station, int](named())},
		{"argument of a bad type", adding[struct{ In Wrong }, int](named())},
		{"result with a channel", adding[struct{}, Wrong](named())},
		{"type of someone else without fields", adding[struct{}, []url.URL](named())},
		{"channel in a list", adding[struct{}, []map[string]Wrong](named())},
		{"argument that can only be written", adding[struct{ C Custom }, int](named())},
		{"argument in an unexported embedded pointer", adding[struct {
			*hidden
			Z int
		}, int](named())},
		{"argument of an interface", adding[struct{ S fmt.Stringer }, int](named())},
		{"argument with keys that can only be written", adding[struct{ M map[Keyed]int }, int](named())},
		{"bad map key", adding[struct{}, map[float64]int](named())},
		{"complex", adding[struct{}, complex128](named())},
		{"function", adding[struct{}, func()](named())},
		{"error in a field", adding[struct{}, struct{ Failed []error }](named())},
		{"pointer to itself", adding[struct{}, Itself](named())},
		{"omitempty without effect", adding[struct{}, Late](named())},
		{"pointer marshaler under a map", adding[struct{}, map[string]ByPointer](named())},
		{"schema method with a pointer receiver", adding[struct{}, PointerSch](named())},
		{"schema method that panics", adding[struct{}, PanicSch](named())},
		{"schema method without an object", adding[struct{}, BadSch](named())},
		{"schema method with a reference", adding[struct{}, struct{ R RefSch }](named())},
		{"empty enum", adding[struct{}, EmptyEnum](named())},
		{"enum that panics", adding[struct{}, PanicEnum](named())},
		{"enum that repeats itself", adding[struct{}, TwiceEnum](named())},
		{"constant of another type", adding[struct{ L Storey }, int](named(), storeys(1, "high"))},
		{"constant past the type", adding[struct{}, []Storey](named(), storeys(1, 300))},
		{"constant that is null", adding[struct{}, Storey](named(), storeys(nil))},
		{"constant without a JSON form", adding[struct{}, Storey](named(), storeys(func() {}))},
		{"constant given twice", adding[struct{}, Storey](named(), storeys(1, 1.0))},
		{"constant of a struct", adding[struct{}, Place](named(), diptych.Docs{here + "Place": {Enum: []diptych.Constant{{Value: Place{1}}}}})},
		{"constants of a field", adding[struct{}, Place](named(), diptych.Docs{here + "Place.N": {Enum: []diptych.Constant{{Value: 1}}}})},
		{"default of a type", adding[struct{ L Storey }, int](named(), diptych.Docs{here + "Storey": {Default: json.RawMessage("1")}})},
		{"default outside the constants", adding[struct {
			L Storey `default:"3"`
		}, int](named(), storeys(1, 2))},
		{"default in Docs outside the constants", adding[Lit, int](named(), storeys(1, 2), diptych.Docs{here + "Lit.L": {Default: json.RawMessage("3")}})},
		{"result in a list", adding[struct{}, []diptych.Result[int]](named())},
		{"result in a field", adding[struct{}, struct{ R *diptych.Result[int] }](named())},
		{"result in a choice", adding[struct{}, diptych.AnyOf[int, diptych.Result[int]]](named())},
		{"result under Unstructured", adding[struct{}, map[string]diptych.Result[int]](named(), diptych.Unstructured())},
		{"result that is embedded", adding[struct{}, Embedding](named())},
		{"whole result in an Optional", adding[struct{}, diptych.Optional[*mcp.CallToolResult]](named())},
		{"whole result in a field", adding[struct{}, struct{ W *mcp.CallToolResult }](named(), diptych.RequireSchema())},
		{"whole result in a Result", adding[struct{}, diptych.Result[*mcp.CallToolResult]](named())},
		{"block in a field", adding[struct{}, struct{ Pic *mcp.ImageContent }](named())},
		{"block in a map", adding[struct{}, map[string]mcp.Content](named())},
		{"blocks in a part", adding[struct{}, diptych.Tuple2[mcp.Content, struct{ More []mcp.Content }]](named())},
		{"result of a data tool", adding[struct{}, data.Result](named())},
		{"result of a data tool under Unstructured", adding[struct{}, []*data.Result](named(), diptych.Unstructured())},
		{"block as arguments", adding[mcp.ImageContent, int](named())},
		{"block in an argument", adding[struct{ Pics []*mcp.ImageContent }, int](named())},
		{"any block in an argument", adding[struct{ C mcp.Content }, int](named())},
		{"whole result as arguments", adding[*mcp.CallToolResult, int](named())},
		{"whole result in an argument", adding[struct{ R mcp.CallToolResult }, int](named())},
		{"result in an argument", adding[struct{ R diptych.Result[int] }, int](named())},
		{"result of a data tool as arguments", adding[data.Result, int](named())},
		{"opaque text without String", adding[struct{}, struct{ n int }](named(), diptych.Unstructured())},
		{"given schema under Unstructured", adding[struct{}, int](&mcp.Tool{Name: "f", OutputSchema: json.RawMessage(`{"type":"object"}`)}, diptych.Unstructured())},
		{"given schema that is no object", adding[struct{}, int](&mcp.Tool{Name: "f", OutputSchema: json.RawMessage(`{"type":"array"}`)})},
		{"given schema that is no schema", adding[struct{}, int](&mcp.Tool{Name: "f", OutputSchema: json.RawMessage(`{"type":"object","properties":{"a":{"type":"text"}}}`)})},
		{"given schema with a pattern for another engine", adding[struct{}, int](&mcp.Tool{Name: "f", OutputSchema: json.RawMessage(`{"type":"object","properties":{"a":{"pattern":"(?=x)"}}}`)})},
		{"given schema that cannot be encoded", adding[struct{}, int](&mcp.Tool{Name: "f", OutputSchema: func() {}})},
		{"given input that is no object", adding[struct{}, int](&mcp.Tool{Name: "f", InputSchema: json.RawMessage(`{"type":"string"}`)})},
		{"any under RequireSchema", adding[struct{}, any](named(), diptych.RequireSchema())},
		{"minimum on a string", adding[struct {
			S string `minimum:"1"`
		}, int](named())},
		{"minimum that is no number", adding[struct {
			N int `minimum:"one"`
		}, int](named())},
		{"pattern for another engine", adding[struct {
			S string `pattern:"(?=x)"`
		}, int](named())},
		{"format that is not checked", adding[struct {
			S string `format:"colour"`
		}, int](named())},
		{"default of another type", adding[struct {
			N int `default:"many"`
		}, int](named())},
		{"default outside the enum", adding[struct {
			N int `enum:"1,2" default:"3"`
		}, int](named())},
		{"enum of another type", adding[struct {
			N int `enum:"1,b"`
		}, int](named())},
		{"enum of another type in a list", adding[struct {
			N int `enum:"[1, \"b\"]"`
		}, int](named())},
		{"enum that lists a value twice", adding[struct {
			N float64 `enum:"1,1.0"`
		}, int](named())},
		{"example of another type in a list", adding[struct {
			N int8 `examples:"[1, 300]"`
		}, int](named())},
		{"enum on a struct", adding[struct {
			P Point `enum:"1"`
		}, int](named())},
		{"count that is none", adding[struct {
			L []int `minItems:"-1"`
		}, int](named())},
		{"deprecated that is neither", adding[struct {
			N int `deprecated:"yes"`
		}, int](named())},
		{"description that begins with a word and =", adding[struct {
			N int `jsonschema:"required,description=the n"`
		}, int](named())},
		{"description in another tag", adding[struct {
			N int `description:"the n"`
		}, int](named())},
		{"key in lower case", adding[struct{}, struct {
			S string `json:"s" minlength:"3"`
		}](named())},
		{"json in upper case", adding[struct {
			S string `JSON:"s"`
		}, int](named())},
		{"keyword that is not read", adding[struct{}, struct {
			M map[string]int `minProperties:"1"`
		}](named())},
		{"required of a field that may be absent", adding[struct {
			N int `json:"n,omitempty" required:"true"`
		}, int](named())},
		{"not required", adding[struct{}, struct {
			N int `required:"false"`
		}](named())},
		{"not required in another spelling", adding[struct {
			N int `required:"False"`
		}, int](named())},
		{"another type", adding[struct {
			N *int `type:"string"`
		}, int](named())},
		{"header on an output", adding[struct{}, struct {
			N int `header:"X-N"`
		}](named())},
		{"header on a list", adding[struct {
			L []int `header:"X-L"`
		}, int](named())},
		{"header that the protocol refuses", adding[struct {
			N int `header:"X N"`
		}, int](named())},
	} {
		if r.err == nil {
			t.Errorf("%s: accepted", r.name)
			continue
		}
		fmt.Fprintf(&b, "## %s\n%v\n\n", r.name, r.err)
	}
	golden(t, "testdata/registration.golden", b.String())
}

// TestOtherTags leaves alone what other libraries read, and what the schema says anyway.
func TestOtherTags(t *testing.T) {
	type Row struct {
		ID    int            `json:"id" db:"id" yaml:"id" required:"true" type:"integer" validate:"required,min=1" min:"1"`
		Name  *string        `json:"name,omitempty" bson:"name" type:"string" required:"false" example:"Ada" binding:"-"`
		Path  string         `type:"existingfile" help:"The path." jsonschema:"The path, or - = none." description:"Der Pfad."`
		Inner Point          `json:"inner" type:"object" locationName:"inner"`
		Any   map[string]any `gorm:"minProperties:1"`
		Count int            `json:"count,omitempty" type:"number" required:"0"`
		Level int            `default:"1" required:"true"`
		Maybe *int           `json:"maybe,omitempty" required:"no"`
		Empty int            `json:"empty,omitempty" required:""`
	}
	if err := adding[Row, []Row](named()); err != nil {
		t.Error(err)
	}
}

// Embedding has the methods of a Result, but is none.
type Embedding struct {
	diptych.Result[int]
	More string
}

// here is how Docs call this package.
const here = "github.com/diptych-mcp/diptych_test."

type Lit struct{ L Storey }

func storeys(values ...any) diptych.Docs {
	var all []diptych.Constant
	for _, v := range values {
		all = append(all, diptych.Constant{Value: v})
	}
	return diptych.Docs{here + "Storey": {Enum: all}}
}

func named() *mcp.Tool { return &mcp.Tool{Name: "f"} }

// adding is the error of adding a tool, from this package or from the SDK.
func adding[In, Out any](tool *mcp.Tool, opts ...diptych.Option) error {
	return diptych.Add(newServer(), tool, func(context.Context, In) (Out, error) { panic("not called") }, opts...)
}

func TestAddLeavesTheToolAlone(t *testing.T) {
	tool := &mcp.Tool{Name: "f", Description: "d", Meta: mcp.Meta{"k": "v"}}
	must(t, errors.Join(
		diptych.Add(newServer(), tool, func(context.Context, struct{}) (int, error) { return 0, nil }),
		diptych.Add(newServer(), tool, func(context.Context, struct{}) (string, error) { return "", nil }),
	))
	if tool.InputSchema != nil || tool.OutputSchema != nil {
		t.Errorf("the tool was changed: %+v", tool)
	}
}

func TestGivenSchemas(t *testing.T) {
	schema := map[string]any{"type": "object", "title": "Given", "properties": map[string]any{"result": map[string]any{"type": "integer", "minimum": 1}}}
	tool := &mcp.Tool{Name: "f", OutputSchema: schema, InputSchema: json.RawMessage(`{"type":"object","properties":{"n":{"type":"integer","maximum":5}}}`)}
	_, h, err := diptych.New(tool, func(_ context.Context, in map[string]int) (int, error) { return in["n"], nil }, quiet)
	must(t, err)
	for args, want := range map[string]string{
		`{"n":3}`: "3",
		`{"n":0}`: "Error executing tool f: the tool ran, but its result does not match Given: result: must be at least 1",
		`{"n":6}`: "Error executing tool f: 1 invalid argument\nn: must be at most 5",
	} {
		res, err := h(t.Context(), &mcp.CallToolRequest{Params: &mcp.CallToolParamsRaw{Name: "f", Arguments: json.RawMessage(args)}})
		must(t, err)
		if texts(res) != want {
			t.Errorf("%s: got %q, want %q", args, texts(res), want)
		}
	}
}

func TestGivenSchemaJudgesWholeResults(t *testing.T) {
	tool := &mcp.Tool{Name: "f", OutputSchema: json.RawMessage(`{"type":"object","title":"T","required":["a"]}`)}
	for _, tt := range []struct {
		result *mcp.CallToolResult
		want   string
	}{
		{&mcp.CallToolResult{StructuredContent: map[string]int{"a": 1}}, ""},
		{&mcp.CallToolResult{StructuredContent: map[string]int{"b": 1}}, "Error executing tool f: the tool ran, but its result does not match T: a: required but missing"},
		{&mcp.CallToolResult{}, "Error executing tool f: the tool ran, but its result does not match T: structured content is missing"},
		{&mcp.CallToolResult{StructuredContent: func() {}}, "Error executing tool f: the tool ran, but its result does not match T: type func() has no JSON form"},
		{&mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: "own"}}}, "own"},
		{&mcp.CallToolResult{Content: []mcp.Content{(*mcp.TextContent)(nil)}}, "Error executing tool f: the tool ran, but its result does not match T: content[0]: a content block is nil"},
	} {
		_, h, err := diptych.New(tool, func(context.Context, struct{}) (*mcp.CallToolResult, error) { return tt.result, nil }, quiet)
		must(t, err)
		res, err := h(t.Context(), &mcp.CallToolRequest{Params: &mcp.CallToolParamsRaw{Name: "f"}})
		must(t, err)
		if texts(res) != tt.want {
			t.Errorf("%+v: got %q, want %q", tt.result, texts(res), tt.want)
		}
		if _, err := json.Marshal(res); err != nil {
			t.Error(err)
		}
	}
}

func TestOwnSchema(t *testing.T) {
	for _, tt := range []struct {
		got  json.RawMessage
		want string
	}{
		{schemaOf[Custom]()(t), `{"properties":{"k":{"type":"string","pattern":"^v"}},"required":["k"],"title":"Custom","type":"object"}`},
		{schemaOf[[]Custom]()(t), `{"properties":{"result":{"items":{"properties":{"k":{"type":"string","pattern":"^v"}},"required":["k"],"type":"object"},"title":"Result","type":"array"}},"required":["result"],"title":"fOutput","type":"object"}`},
		{schemaOf[*ByPointer]()(t), `{"properties":{"result":{"title":"Result","type":"integer"}},"required":["result"],"title":"fOutput","type":"object"}`},
	} {
		if string(tt.got) != tt.want {
			t.Errorf("got  %s\nwant %s", tt.got, tt.want)
		}
	}
}

func TestConstants(t *testing.T) {
	for _, tt := range []struct {
		got  json.RawMessage
		want string
	}{
		{schemaOf[ByteEnum]()(t), `"enum":[1,2]`},
		{schemaOf[Storey](storeys(1, int64(2), Storey(3)))(t), `"enum":[1,2,3]`},
		{schemaOf[struct {
			L Storey `json:"l" default:"2"`
		}](storeys(1, 2))(t), `"l":{"$ref":"#/$defs/Storey","default":2}`},
	} {
		if !strings.Contains(string(tt.got), tt.want) {
			t.Errorf("got %s, want %s in it", tt.got, tt.want)
		}
	}
}

func TestDocsDescribe(t *testing.T) {
	docs := diptych.Docs{
		"github.com/diptych-mcp/diptych_test.Point":   {Text: "A place."},
		"github.com/diptych-mcp/diptych_test.Point.X": {Text: "Across."},
		"github.com/diptych-mcp/diptych_test.Base.ID": {Text: "The tag wins."},
	}
	want := `{"description":"A place.","properties":{"x":{"description":"Across.","title":"X","type":"integer"},"y":{"title":"Y","type":"integer"}},"required":["x","y"],"title":"Point","type":"object"}`
	if got := schemaOf[Point](docs)(t); string(got) != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got := schemaOf[Base](docs)(t); !strings.Contains(string(got), `"description":"The key."`) {
		t.Errorf("got %s", got)
	}
}

func TestTypesOfOneName(t *testing.T) {
	type Point struct {
		Z int `json:"z"`
	}
	// The two types differ in nothing that a schema could call them by.
	err := adding[struct{}, struct {
		A Point
		B []outerPoint
	}](named())
	if err == nil || !strings.Contains(err.Error(), "another type has the same name") {
		t.Errorf("got %v", err)
	}
	got := schemaOf[struct {
		A Weather
		B big.Word
		C []mcp.Icon
		D Icon
	}]()(t)
	if !strings.Contains(string(got), `"mcp__Icon"`) || !strings.Contains(string(got), `"diptych_test__Icon"`) {
		t.Errorf("got %s", got)
	}
}

type (
	Mark  struct{ Z int }
	Stamp struct{ Z int }
)

type sealed struct{ _ int }

type outerPoint = Point

type Icon struct {
	Name string `json:"name"`
}

func TestWithText(t *testing.T) {
	say := func(p Point) string { return fmt.Sprintf("at %d, %d", p.X, p.Y) }
	_, h, err := diptych.New(&mcp.Tool{Name: "f"}, diptych.WithText(func(_ context.Context, in struct{ Fail bool }) (Point, error) {
		if in.Fail {
			return Point{}, diptych.Errorf("nowhere")
		}
		return Point{1, 2}, nil
	}, say), quiet)
	must(t, err)
	for args, want := range map[string]string{`{"Fail":false}`: "at 1, 2", `{"Fail":true}`: "Error executing tool f: nowhere"} {
		res, err := h(t.Context(), &mcp.CallToolRequest{Params: &mcp.CallToolParamsRaw{Name: "f", Arguments: json.RawMessage(args)}})
		must(t, err)
		if texts(res) != want {
			t.Errorf("%s: got %q, want %q", args, texts(res), want)
		}
		if !res.IsError && string(res.StructuredContent.(json.RawMessage)) != `{"x":1,"y":2}` {
			t.Errorf("structured %s", res.StructuredContent)
		}
	}
	twice := diptych.WithText(diptych.WithText(func(context.Context, struct{}) (int, error) { return 3, nil }, func(int) string { return "inner" }),
		func(r diptych.Result[int]) string { return fmt.Sprintf("outer, %d", r.Value) })
	if res, err := running(twice)(t, quiet); err != nil || texts(res) != "outer, 3" {
		t.Errorf("the outermost words count: got %q, %v", texts(res), err)
	}
	nilPointer := diptych.WithText(func(context.Context, struct{}) (*Point, error) { return nil, nil }, func(p *Point) string { return fmt.Sprint(p.X) })
	res, err := running(nilPointer)(t, quiet)
	must(t, err)
	if !strings.Contains(texts(res), "neither a value nor an error") {
		t.Errorf("got %q", texts(res))
	}
}
