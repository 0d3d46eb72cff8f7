package diptych_test

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math/big"
	"net/netip"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych"
)

var update = flag.Bool("update", false, "rewrite golden files")

type (
	Celsius  float64
	Level    int
	Color    string
	Duration struct {
		D time.Duration `json:"d"`
		W time.Duration `json:"w" jsonschema:"How long to wait."`
	}
	Point struct {
		X int `json:"x"`
		Y int `json:"y"`
	}
	Page[T any] struct {
		Items []T    `json:"items"`
		Next  string `json:"next,omitempty"`
	}
	Node struct {
		Name string           `json:"name"`
		Left *Node            `json:"left,omitempty"`
		More map[string]*Node `json:"more"`
	}
	Nest   []Nest
	Forest map[string]Forest
	Base   struct {
		ID string `json:"id" jsonschema:"The key."`
	}
	Extra struct {
		Note string `json:"note"`
	}
	Promoted struct {
		Base
		*Extra
		Name string `json:"name"`
	}
	Stamped struct {
		time.Time
	}
	Everything struct {
		B       bool                      `json:"b"`
		I8      int8                      `json:"i8"`
		U16     uint16                    `json:"u16"`
		U       uint                      `json:"u"`
		F       float32                   `json:"f"`
		S       string                    `json:"s"`
		N       json.Number               `json:"n"`
		Raw     json.RawMessage           `json:"raw"`
		Any     any                       `json:"any"`
		Bytes   []byte                    `json:"bytes"`
		Hash    [4]byte                   `json:"hash"`
		List    []int                     `json:"list"`
		Nested  [][]Point                 `json:"nested"`
		Map     map[string]any            `json:"map"`
		Set     map[string]struct{}       `json:"set"`
		ByTime  map[netip.Addr]int        `json:"by_addr"`
		Null    *Point                    `json:"null"`
		Absent  *Point                    `json:"absent,omitempty"`
		Opt     diptych.Optional[int]     `json:"opt"`
		OptZero diptych.Optional[int]     `json:"opt_zero,omitzero"`
		Either  diptych.AnyOf[int, Point] `json:"either"`
		Pair    diptych.Tuple2[int, bool] `json:"pair"`
		When    time.Time                 `json:"when"`
		Until   *time.Time                `json:"until"`
		Addr    netip.Addr                `json:"addr"`
		Big     *big.Int                  `json:"big"`
		Quoted  int64                     `json:"quoted,string"`
		Color   Color                     `json:"color"`
		Choice  *Color                    `json:"choice"`
		Where   struct {
			City string `json:"city"`
		} `json:"where"`
		UserID string `json:"userID"`
		X2Y    string `json:"x2y"`
		hidden int
	}
	Tagged struct {
		N int      `json:"n" minimum:"1" maximum:"10" multipleOf:"2" title:"Number" examples:"2,4" deprecated:"true"`
		F float64  `json:"f" exclusiveMinimum:"0" exclusiveMaximum:"1"`
		S string   `json:"s" minLength:"1" maxLength:"8" pattern:"^[a-z]+$" default:"abc"`
		M string   `json:"m" format:"email"`
		L []string `json:"l" minItems:"1" maxItems:"3" uniqueItems:"true"`
		E string   `json:"e" enum:"red,green" jsonschema:"<b> & co"`
		C int      `json:"c" const:"7"`
		P *int     `json:"p" minimum:"0" jsonschema:"Or nothing."`
	}
	Opaque  struct{ N int }
	Station struct{ name string }
)

func (Color) Enum() []Color { return []Color{"red", "green"} }

func (Opaque) MarshalJSON() ([]byte, error) { return []byte("1"), nil }

func (s Station) String() string { return "station " + s.name }

// TestSemantics publishes and calls a tool for every row of the contract. The golden file is the contract as it is.
func TestSemantics(t *testing.T) {
	at := time.Date(2026, 9, 17, 9, 0, 0, 0, time.UTC)
	leaf := &Node{Name: "leaf"}
	text := &mcp.TextContent{Text: "words"}
	image := &mcp.ImageContent{Data: []byte{1, 2, 3}, MIMEType: "image/png"}
	full := Everything{
		Bytes: []byte("hi"), List: []int{1}, Nested: [][]Point{{{1, 2}}, nil}, Map: map[string]any{"k": []int(nil)}, Set: map[string]struct{}{"a": {}},
		ByTime: map[netip.Addr]int{netip.MustParseAddr("10.0.0.1"): 1}, Either: diptych.AnyOf[int, Point]{B: &Point{}},
		When: at, Addr: netip.MustParseAddr("::1"), Big: new(big.Int).Lsh(big.NewInt(1), 80), Quoted: 5, Color: "red", Any: "<&>", N: "1.10",
		Raw: json.RawMessage(`{"b": 1, "a": 12345678901234567890}`),
	}
	_ = full.hidden
	zero := full
	zero.Bytes, zero.List, zero.Nested, zero.Map, zero.Set, zero.ByTime, zero.Raw, zero.Any, zero.N = nil, nil, nil, nil, nil, nil, nil, nil, ""

	var b strings.Builder
	for _, row := range []struct {
		name string
		run  func(t *testing.T, b *strings.Builder)
	}{
		{"bool", row(true)},
		{"string", row("hello \u2028 <b>")},
		{"int", row(17)},
		{"int8", row(int8(-8))},
		{"uint64", row(uint64(18446744073709551615))},
		{"float64", row(16.2)},
		{"named float", row(Celsius(16.2))},
		{"enum", row(Color("red"))},
		{"not in enum", row(Color("blue"))},
		{"enum from docs", row(Level(2), diptych.Docs{"github.com/diptych-mcp/diptych_test.Level": {Text: "How loud.", Enum: []diptych.Constant{{Value: Level(1), Text: "quiet"}, {Value: Level(2), Text: "loud"}}}})},
		{"bytes", row([]byte("hi"))},
		{"nil bytes", row([]byte(nil))},
		{"nothing", row(struct{}{})},
		{"struct", row(Point{1, 2})},
		{"pointer", row(&Point{1, 2})},
		{"nil pointer", row((*Point)(nil))},
		{"anonymous struct", row(struct {
			A int `json:"a"`
		}{1})},
		{"everything", row(full)},
		{"everything nil", row(zero)},
		{"tags", row(Tagged{N: 2, F: .5, S: "abc", M: "a@b.co", L: []string{"a"}, E: "red", C: 7})},
		{"tags broken", row(Tagged{N: 11, F: 1, S: "ABCDEFGHIJ", M: "nobody", L: nil, E: "blue", C: 8, P: new(-1)})},
		{"embedded", row(Promoted{Base: Base{"k"}, Name: "n"})},
		{"embedded pointer set", row(Promoted{Base: Base{"k"}, Extra: &Extra{"x"}, Name: "n"})},
		{"map", row(map[string]int{"b": 2, "a": 1})},
		{"nil map", row(map[string]int(nil))},
		{"map of any", row(map[string]any{"x": nil, "y": []string(nil)})},
		{"map with named keys", row(map[Color]int{"red": 1})},
		{"map with a key out of the enum", row(map[Color]int{"blue": 1})},
		{"map with integer keys", row(map[int]Point{2: {}, 10: {}})},
		{"map with time keys", row(map[time.Time]int{at: 1})},
		{"list", row([]Point{{1, 2}, {3, 4}})},
		{"empty list", row([]Point{})},
		{"nested list", row([][]string{{"a", "b"}, {}, {"c"}})},
		{"array", row([2]int{1, 2})},
		{"list of pointers", row([]*Point{{1, 2}})},
		{"list with a nil pointer", row([]*Point{{1, 2}, nil})},
		{"list of times", row([]time.Time{at})},
		{"tuple", row(diptych.Tuple3[int, string, []Point]{1, "a", []Point{{}}})},
		{"optional", row(diptych.Some(Point{1, 2}))},
		{"optional string", row(diptych.Some("bare"))},
		{"optional null", row(diptych.Optional[Point]{})},
		{"optional list", row(diptych.Some([]int{1, 2}))},
		{"any of", row(diptych.AnyOf[int, string]{B: new("bare")})},
		{"any of flat", row(diptych.AnyOf[int, diptych.AnyOf[string, diptych.Optional[Point]]]{B: &diptych.AnyOf[string, diptych.Optional[Point]]{A: new("x")}})},
		{"any of three", row(diptych.AnyOf3[int, string, []int]{C: &[]int{1, 2}})},
		{"any of none", row(diptych.AnyOf[int, string]{})},
		{"any of two", row(diptych.AnyOf[int, string]{A: new(1), B: new("x")})},
		{"time", row(at)},
		{"duration", row(3 * time.Second)},
		{"durations", row(Duration{1, 2})},
		{"big integer", row(new(big.Int).Lsh(big.NewInt(1), 70))},
		{"address", row(netip.MustParseAddr("127.0.0.1"))},
		{"embedded time", refused[Stamped]()},
		{"raw JSON that promises a struct", row(diptych.JSON[Point](`{"y": 2.0, "x": 1, "extra": 1.10}`))},
		{"raw JSON that promises a list", row(diptych.JSON[[]string](`["a", "b"]`))},
		{"raw JSON broken", row(diptych.JSON[Point](`{"x": "1"}`))},
		{"raw JSON twice", row(diptych.JSON[Point](`{"x": 1, "y": 1, "x": 2}`))},
		{"raw JSON that is none", row(diptych.JSON[Point](`{"x": 1, "y": 1}}`))},
		{"result", row(diptych.Result[Point]{Value: Point{1, 2}, Content: []mcp.Content{text}, Meta: mcp.Meta{"k": "v"}})},
		{"result with no content", row(diptych.Result[Point]{Content: []mcp.Content{}})},
		{"result with derived content", row(diptych.Result[*Point]{Value: &Point{}})},
		{"whole result", row(&mcp.CallToolResult{StructuredContent: map[string]any{"b": 1, "a": []int(nil)}})},
		{"nil whole result", row((*mcp.CallToolResult)(nil))},
		{"text block", row(text)},
		{"blocks", row([]mcp.Content{text, image})},
		{"no blocks", row([]mcp.Content{})},
		{"nil block", row([]mcp.Content{nil})},
		{"blocks and strings", row([]diptych.AnyOf[string, mcp.ImageContent]{{A: new("see")}, {B: image}})},
		{"block and data", row(diptych.Tuple2[*mcp.ImageContent, Point]{image, Point{1, 2}})},
		{"optional block", row(diptych.Optional[*mcp.ImageContent]{})},
		{"block with a schema", row(image, diptych.RequireSchema())},
		{"blocks with a schema", row([]*mcp.TextContent{text}, diptych.RequireSchema())},
		{"any", row[any](map[string]any{"b": 1, "a": nil})},
		{"any string", row[any]("bare")},
		{"any nil", row[any](nil)},
		{"any with a schema", refused[any](diptych.RequireSchema())},
		{"raw message", row(json.RawMessage(`{"a": 1.10}`))},
		{"unstructured string", row("words", diptych.Unstructured())},
		{"unstructured struct", row(Point{1, 2}, diptych.Unstructured())},
		{"unstructured with String", row(Station{"x"}, diptych.Unstructured())},
		{"unstructured list", row([]string{"a", "b"}, diptych.Unstructured())},
		{"unstructured block", row(image, diptych.Unstructured())},
		{"unstructured nothing", row(struct{}{}, diptych.Unstructured())},
		{"recursive struct", row(Node{Name: "root", Left: leaf, More: map[string]*Node{"l": leaf}})},
		{"recursive list", row(Nest{{}, {{}}})},
		{"recursive map", row(Forest{"a": {"b": nil}})},
		{"generic", row(Page[Point]{Items: []Point{{}}})},
		{"list of generics", row([]Page[Point]{{}})},
		{"no exported fields", refused[Station]()},
		{"channel", refused[chan int]()},
		{"function in a struct", refused[struct{ F func() }]()},
		{"marshaler without a schema", refused[Opaque]()},
	} {
		fmt.Fprintf(&b, "## %s\n", row.name)
		row.run(t, &b)
		b.WriteString("\n")
	}
	golden(t, "testdata/semantics.golden", b.String())
}

// row publishes a tool that returns v and writes down its schema and both panels.
func row[Out any](v Out, opts ...diptych.Option) func(*testing.T, *strings.Builder) {
	return func(t *testing.T, b *strings.Builder) {
		t.Helper()
		if s := schemaOf[Out](opts...)(t); s != nil {
			fmt.Fprintf(b, "schema     %s\n", s)
		} else {
			fmt.Fprintln(b, "schema     none")
		}
		res := answerOf(v, opts...)(t)
		if res.IsError {
			fmt.Fprintln(b, "error      true")
		}
		if res.StructuredContent != nil {
			fmt.Fprintf(b, "structured %s\n", res.StructuredContent)
		}
		for _, c := range contentJSON(t, res) {
			fmt.Fprintf(b, "content    %s\n", c)
		}
		if res.Meta != nil {
			fmt.Fprintf(b, "meta       %v\n", res.Meta)
		}
	}
}

// refused writes down the error from New.
func refused[Out any](opts ...diptych.Option) func(*testing.T, *strings.Builder) {
	return func(t *testing.T, b *strings.Builder) {
		t.Helper()
		_, _, err := diptych.New(&mcp.Tool{Name: "f"}, func(context.Context, struct{}) (Out, error) { panic("not called") }, opts...)
		if err == nil {
			t.Errorf("%T is published", *new(Out))
		}
		fmt.Fprintf(b, "refused    %v\n", err)
	}
}

// golden compares got with a file, or rewrites the file under -update.
func golden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); diff != "" {
		t.Errorf("%s (-want +got), rewrite with -update:\n%s", file, diff)
	}
}
