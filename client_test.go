package diptych_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"math"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych"
	"github.com/diptych-mcp/diptych/data"
)

// serveVariable makes the test binary a server on its standard streams.
const serveVariable = "DIPTYCH_TEST_SERVE"

func TestMain(m *testing.M) {
	if os.Getenv(serveVariable) != "" {
		if err := echoServer().Run(context.Background(), &mcp.StdioTransport{}); err != nil {
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// echoServer has one tool, "say", that answers with the result in its argument, and "args", that answers with its
// arguments as they came, as text.
func echoServer() *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "echo"}, nil)
	open := json.RawMessage(`{"type":"object"}`)
	s.AddTool(&mcp.Tool{Name: "say", InputSchema: open}, func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		var args struct{ Result string }
		if err := json.Unmarshal(req.Params.Arguments, &args); err != nil {
			return nil, err
		}
		var answer struct {
			Structured json.RawMessage `json:"structuredContent"`
			IsError    bool            `json:"isError"`
			Meta       mcp.Meta        `json:"_meta"`
		}
		if err := json.Unmarshal([]byte(args.Result), &answer); err != nil {
			return nil, err
		}
		res := &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "text"}}, IsError: answer.IsError, Meta: answer.Meta}
		if answer.Structured != nil {
			res.StructuredContent = answer.Structured
		}
		return res, nil
	})
	s.AddTool(&mcp.Tool{Name: "args", InputSchema: open}, func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: string(req.Params.Arguments)}}}, nil
	})
	return s
}

// routes are the ways to reach a server. A function reaches s, or over stdio an echoServer, and returns the transport.
var routes = []struct {
	name, version string
	reach         func(t *testing.T, s *mcp.Server) mcp.Transport
}{
	{"memory", modern, memoryRoute},
	{"memory, older", legacy, memoryRoute},
	{"stdio", modern, func(t *testing.T, _ *mcp.Server) mcp.Transport {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), serveVariable+"=1")
		return &mcp.CommandTransport{Command: cmd}
	}},
	{"http, stateless", modern, func(t *testing.T, s *mcp.Server) mcp.Transport { return httpRoute(t, s) }},
	{"http, stateless, json", modern, func(t *testing.T, s *mcp.Server) mcp.Transport {
		return httpRoute(t, s, diptych.StreamableHTTP(func(o *mcp.StreamableHTTPOptions) { o.JSONResponse = true }))
	}},
	{"http, stateful", legacy, func(t *testing.T, s *mcp.Server) mcp.Transport {
		return httpRoute(t, s, diptych.Sessions(0), diptych.StreamableHTTP(func(o *mcp.StreamableHTTPOptions) { o.EventStore = mcp.NewMemoryEventStore(nil) }))
	}},
	{"sse", legacy, func(t *testing.T, s *mcp.Server) mcp.Transport {
		h := httptest.NewServer(mcp.NewSSEHandler(func(*http.Request) *mcp.Server { return s }, nil))
		t.Cleanup(h.Close)
		return &mcp.SSEClientTransport{Endpoint: h.URL}
	}},
}

func memoryRoute(t *testing.T, s *mcp.Server) mcp.Transport {
	near, far := mcp.NewInMemoryTransports()
	if _, err := s.Connect(t.Context(), far, nil); err != nil {
		t.Fatal(err)
	}
	return near
}

func httpRoute(t *testing.T, s *mcp.Server, opts ...diptych.HandlerOption) mcp.Transport {
	h := httptest.NewServer(diptych.Handler(s, opts...))
	t.Cleanup(h.Close)
	return &mcp.StreamableClientTransport{Endpoint: h.URL}
}

// connected is a client's session that ends with the test.
func connected(t *testing.T, transport mcp.Transport, version string) *mcp.ClientSession {
	t.Helper()
	s, err := mcp.NewClient(&mcp.Implementation{Name: "host"}, nil).Connect(t.Context(), transport, &mcp.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	if got := s.InitializeResult().ProtocolVersion; got != version {
		t.Fatalf("agreed on revision %s, want %s", got, version)
	}
	return s
}

// say calls the tool that answers with the given result.
func say[Out any](t *testing.T, s *mcp.ClientSession, result string) (diptych.Result[Out], error) {
	return diptych.Call[Out](t.Context(), s, "say", map[string]string{"Result": result})
}

// Nothing is lost between a server's bytes and Call, whatever lies between.
func TestFidelity(t *testing.T) {
	for _, w := range routes {
		t.Run(w.name, func(t *testing.T) {
			s := connected(t, diptych.Exact(w.reach(t, echoServer())), w.version)
			for _, doc := range []string{
				`{"z":1,"a":2,"m":{"y":1,"b":2}}`, `{"n":9007199254740993}`, `{"n":1e400}`, `{"n":1.10}`, `{"n":-0}`, `{"n":123456789012345678901234567890}`,
				`{"s":"\ud800"}`, `{"s":"é\u2028\""}`, `{"a":null}`, `{}`, `null`, `[3,1,2]`, `"text"`, `5`,
			} {
				res, err := say[json.RawMessage](t, s, `{"structuredContent":`+doc+`}`)
				if err != nil || string(res.Value) != doc {
					t.Errorf("sent %s, got %s, %v", doc, res.Value, err)
				}
			}
			if res, err := say[json.RawMessage](t, s, `{}`); err != nil || res.Value != nil {
				t.Errorf("absent: got %q, %v", res.Value, err)
			}
			res, err := say[any](t, s, `{"structuredContent":{"n":1e400,"d":1.10},"_meta":{"k":"v"}}`)
			if err != nil {
				t.Fatal(err)
			}
			want := map[string]any{"n": json.Number("1e400"), "d": json.Number("1.10")}
			if diff := cmp.Diff(want, res.Value); diff != "" {
				t.Errorf("value (-want +got)\n%s", diff)
			}
			if len(res.Content) != 1 || res.Meta["k"] != "v" || slices.ContainsFunc(slices.Collect(keysOf(res.Meta)), func(k string) bool { return strings.Contains(k, "diptych") }) {
				t.Errorf("content %v, _meta %v", res.Content, res.Meta)
			}
			args, err := diptych.Call[any](t.Context(), s, "args", json.RawMessage(`{"z":9007199254740993,"a":1.10,"e":[-0,1e5]}`))
			if err != nil {
				t.Fatal(err)
			}
			if got := args.Content[0].(*mcp.TextContent).Text; err != nil || got != `{"z":9007199254740993,"a":1.10,"e":[-0,1e5]}` || args.Value != nil {
				t.Errorf("arguments arrived as %s, %v", got, err)
			}
		})
	}
}

func keysOf(m mcp.Meta) func(func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

// Kinds is every shape that a return type can have within a struct.
type Kinds struct {
	Bool     bool                               `json:"bool"`
	Int      int64                              `json:"int"`
	Uint     uint64                             `json:"uint"`
	Float    float64                            `json:"float"`
	String   string                             `json:"string"`
	Number   json.Number                        `json:"number"`
	Bytes    []byte                             `json:"bytes"`
	List     []int                              `json:"list"`
	Array    [2]string                          `json:"array"`
	Map      map[string]int                     `json:"map"`
	Keyed    map[int]bool                       `json:"keyed"`
	Pointer  *int                               `json:"pointer"`
	Left     *int                               `json:"left,omitempty"`
	Time     time.Time                          `json:"time"`
	Duration time.Duration                      `json:"duration"`
	Raw      json.RawMessage                    `json:"raw"`
	Some     diptych.Optional[int]              `json:"some"`
	None     diptych.Optional[int]              `json:"none"`
	Zero     diptych.Optional[int]              `json:"zero,omitzero"`
	Choice   diptych.AnyOf[int, string]         `json:"choice"`
	Nested   diptych.AnyOf3[bool, Spot, []Spot] `json:"nested"`
	Pair     diptych.Tuple2[string, int]        `json:"pair"`
	Triple   diptych.Tuple3[int, bool, Spot]    `json:"triple"`
	Promise  diptych.JSON[Spot]                 `json:"promise"`
	Quoted   int64                              `json:"quoted,string"`
	Spot
}

// A Spot is embedded in Kinds.
type Spot struct {
	X int `json:"x"`
	Y int `json:"y,omitempty"`
}

func someKinds() Kinds {
	return Kinds{
		Bool: true, Int: math.MinInt64, Uint: math.MaxUint64, Float: 0.1, String: "é<&>", Number: "1.10", Bytes: []byte{0, 255}, List: []int{},
		Array: [2]string{"a", "b"}, Map: map[string]int{"b": 2, "a": 1}, Keyed: map[int]bool{-7: true}, Time: time.Date(2026, 7, 28, 1, 2, 3, 4, time.UTC),
		Duration: time.Minute, Raw: json.RawMessage(`{"b":9007199254740993,"a":1.10}`), Some: diptych.Some(7),
		Choice: diptych.AnyOf[int, string]{B: new("text")}, Nested: diptych.AnyOf3[bool, Spot, []Spot]{B: &Spot{X: 3}},
		Pair: diptych.Tuple2[string, int]{A: "a", B: 1}, Triple: diptych.Tuple3[int, bool, Spot]{A: 1, B: true, C: Spot{X: 9, Y: 9}},
		Promise: diptych.JSON[Spot](`{"y":2,"x":1}`), Quoted: math.MaxInt64, Spot: Spot{X: 5},
	}
}

// What a typed tool returns is what Call of the same type returns, on every wire.
func TestRoundTrip(t *testing.T) {
	optional := cmp.Comparer(func(a, b diptych.Optional[int]) bool { return a == b })
	for _, w := range routes {
		if w.name == "stdio" { // its server has no typed tools
			continue
		}
		t.Run(w.name, func(t *testing.T) {
			server := mcp.NewServer(&mcp.Implementation{Name: "typed"}, nil)
			reach := func() *mcp.ClientSession { return connected(t, diptych.Exact(w.reach(t, server)), w.version) }
			trips := []func(*testing.T, *mcp.ClientSession){
				trip(t, server, someKinds(), optional),
				trip(t, server, new(someKinds()), optional),
				trip(t, server, []Kinds{someKinds(), someKinds()}, optional),
				trip(t, server, 5), trip(t, server, "text"), trip(t, server, true), trip(t, server, 1.5), trip(t, server, int64(math.MaxInt64)),
				trip(t, server, struct{}{}), trip(t, server, []byte("bytes")), trip(t, server, map[string]any{"a": json.Number("1"), "b": nil}),
				trip(t, server, map[int]string{1: "a"}), trip(t, server, []string{}), trip(t, server, [3]int{1, 2, 3}),
				trip(t, server, time.Date(2026, 7, 28, 1, 2, 3, 4, time.UTC)), trip(t, server, time.Hour),
				trip(t, server, diptych.Some(3), optional), trip(t, server, diptych.Optional[int]{}, optional),
				trip(t, server, diptych.AnyOf[int, string]{A: new(17)}), trip(t, server, diptych.AnyOf[Spot, Kinds]{A: &Spot{X: 1}}),
				trip(t, server, diptych.Tuple2[int, []string]{A: 1, B: []string{"b"}}), trip(t, server, diptych.JSON[[]float64](`[1.10,1e2]`)),
				trip(t, server, diptych.JSON[Spot](`{"extra":1.0,"y":2,"x":1}`)), trip(t, server, json.Number("1.10")),
			}
			s := reach()
			for _, trip := range trips {
				trip(t, s)
			}
		})
	}
}

// trip publishes a tool that returns v and, once there is a session, calls it.
func trip[Out any](t *testing.T, server *mcp.Server, v Out, opts ...cmp.Option) func(*testing.T, *mcp.ClientSession) {
	t.Helper()
	name := fmt.Sprintf("tool_%x", rand.Uint64())
	if err := diptych.Add(server, &mcp.Tool{Name: name}, func(context.Context, struct{}) (Out, error) { return v, nil }); err != nil {
		t.Fatal(err)
	}
	return func(t *testing.T, s *mcp.ClientSession) {
		t.Helper()
		res, err := diptych.Call[Out](t.Context(), s, name, nil)
		if err != nil {
			t.Errorf("%T: %v", v, err)
			return
		}
		if diff := cmp.Diff(v, res.Value, opts...); diff != "" {
			t.Errorf("%T (-sent +received)\n%s", v, diff)
		}
	}
}

// Opened is what the lies are told about.
type Opened struct {
	ID   int       `json:"id"`
	Name string    `json:"name"`
	At   time.Time `json:"at,omitzero"`
	Bits []uint8   `json:"bits,omitempty"`
}

// A bad result is a result and a *Mismatch that names fields and rules.
func TestLies(t *testing.T) {
	s := connected(t, diptych.Exact(memoryRoute(t, echoServer())), modern)
	for _, c := range []struct {
		name, rest string
		call       func(*testing.T, *mcp.ClientSession, string) (mcp.Meta, []mcp.Content, any, error)
		want       string
	}{
		{"missing", ``, calls[Opened], `Opened: structured content is missing`},
		{"null", `,"structuredContent":null`, calls[Opened], `Opened: got null, want object`},
		{"list", `,"structuredContent":[]`, calls[Opened], `Opened: got array, want object`},
		{"fields", `,"structuredContent":{"id":"secret","at":"secret"}`, calls[Opened],
			`Opened: name: required but missing; id: got string, want integer; at: must be a date-time with a zone, such as 2026-01-02T03:04:05Z`},
		{"fraction", `,"structuredContent":{"id":1.5,"name":""}`, calls[Opened], `Opened: id: got number, want integer`},
		{"repeated key", `,"structuredContent":{"id":1,"id":2,"name":""}`, calls[Opened], `Opened: id: duplicate key`},
		{"repeated key, any", `,"structuredContent":{"id":1,"id":2}`, calls[any], `JSON: id: duplicate key`},
		{"lone surrogate", `,"structuredContent":{"id":1,"name":"\ud800"}`, calls[Opened], `Opened: name: not valid UTF-8`},
		{"out of range", `,"structuredContent":{"id":123456789012345678901234567890,"name":""}`, calls[Opened],
			`Opened: id: out of range for int`},
		{"float out of range", `,"structuredContent":{"result":1e400}`, calls[float64], `sayOutput: result: out of range for float64`},
		{"no wrapper", `,"structuredContent":{"value":5}`, calls[int], `sayOutput: result: required but missing`},
		{"wrong inside", `,"structuredContent":{"result":[1,"2"]}`, calls[[]int], `sayOutput: result[1]: got string, want integer`},
		{"leap second", `,"structuredContent":{"result":["2016-12-31T23:59:60Z"]}`, calls[[]time.Time],
			`sayOutput: result[0]: must be a date-time with capital T and Z, and without a leap second`},
		{"two keys in one", `,"structuredContent":{"result":{"1":1,"01":2}}`, calls[map[int]int],
			`sayOutput: result["1"]: key means the same as another one`},
		{"no map", `,"structuredContent":{"a":"b"}`, calls[map[string]int], `sayDictOutput: a: got string, want integer`},
		{"no union", `,"structuredContent":{"result":[]}`, calls[diptych.AnyOf[int, string]],
			`sayOutput: result: got array, want string or integer`},
		{"promise", `,"structuredContent":{"id":1}`, calls[diptych.JSON[Opened]], `Opened: name: required but missing`},
		{"value for nothing", `,"structuredContent":{"result":1}`, calls[struct{}], `sayOutput: result: got number, want null`},
	} {
		t.Run(c.name, func(t *testing.T) {
			meta, content, value, err := c.call(t, s, `{"_meta":{"k":"v"}`+c.rest+`}`)
			m, ok := errors.AsType[*diptych.Mismatch](err)
			if !ok {
				t.Fatalf("got %v, %v", value, err)
			}
			if got := m.Schema + ": " + strings.Join(m.Faults, "; "); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
			if meta["k"] != "v" || len(content) != 1 || m.Result == nil || len(m.Result.Content) != 1 || m.Tool != "say" {
				t.Errorf("the result is lost: _meta %v, content %v, mismatch %+v", meta, content, m)
			}
			if v := reflect.ValueOf(value); v.IsValid() && !v.IsZero() {
				t.Errorf("a value from a refused answer: %v", value)
			}
		})
	}
}

// The names in a fault may be foreign, and then as long as the other side likes.
func TestFaultsAreBounded(t *testing.T) {
	s := connected(t, diptych.Exact(memoryRoute(t, echoServer())), modern)
	_, err := say[map[string]int](t, s, `{"structuredContent":{"`+strings.Repeat("é", 1<<20)+`":"x"}}`)
	if m, ok := errors.AsType[*diptych.Mismatch](err); !ok || len(m.Faults) != 1 || len(m.Faults[0]) > 310 || !strings.HasSuffix(m.Faults[0], ": got string, want integer") {
		t.Errorf("got %.1000v", err)
	}
}

func calls[Out any](t *testing.T, s *mcp.ClientSession, result string) (mcp.Meta, []mcp.Content, any, error) {
	res, err := say[Out](t, s, result)
	return res.Meta, res.Content, res.Value, err
}

// What a newer server adds does not break an legacy host, and never lands in a field of another name.
func TestUnknownKeys(t *testing.T) {
	s := connected(t, diptych.Exact(memoryRoute(t, echoServer())), modern)
	res, err := say[Opened](t, s, `{"structuredContent":{"ID":"other","id":1,"Id":7,"name":"a","NAME":[],"new":{}}}`)
	if diff := cmp.Diff(Opened{ID: 1, Name: "a"}, res.Value); err != nil || diff != "" {
		t.Errorf("%v (-want +got)\n%s", err, diff)
	}
	type deep struct {
		Lists map[string][]Opened                   `json:"lists"`
		Pair  diptych.Tuple2[Opened, *Opened]       `json:"pair"`
		Maybe diptych.Optional[Opened]              `json:"maybe"`
		Kept  diptych.JSON[Opened]                  `json:"kept"`
		One   diptych.AnyOf[Opened, map[string]any] `json:"one"`
	}
	const one = `{"id":1,"name":"a","NAME":7}`
	got, err := say[deep](t, s, `{"structuredContent":{"lists":{"l":[`+one+`]},"pair":[`+one+`,`+one+`],"maybe":`+one+`,"kept":`+one+`,"one":{"id":1,"name":"a"}}}`)
	if err != nil {
		t.Fatal(err)
	}
	o := Opened{ID: 1, Name: "a"}
	if maybe, _ := got.Value.Maybe.Get(); !cmp.Equal(got.Value.Lists["l"][0], o) || !cmp.Equal(got.Value.Pair.A, o) || !cmp.Equal(*got.Value.Pair.B, o) || !cmp.Equal(maybe, o) {
		t.Errorf("got %+v", got.Value)
	}
	if string(got.Value.Kept) != one || got.Value.One.A == nil {
		t.Errorf("kept %s, one %+v", got.Value.Kept, got.Value.One)
	}
	union, err := say[diptych.AnyOf[Opened, map[string]any]](t, s, `{"structuredContent":{"result":{"id":1,"name":"a","new":1}}}`)
	if err != nil || union.Value.B == nil {
		t.Errorf("the arm that knows every key comes first; got %+v, %v", union.Value, err)
	}
	wrapped, err := say[int](t, s, `{"structuredContent":{"Result":6,"result":5,"RESULT":7}}`)
	if err != nil || wrapped.Value != 5 {
		t.Errorf("got %d, %v", wrapped.Value, err)
	}
}

// Without Exact the digits are gone legacy Call looks: it refuses rather than return another number.
func TestWithoutExact(t *testing.T) {
	s := connected(t, memoryRoute(t, echoServer()), modern)
	type figures struct {
		N    int64                       `json:"n,omitempty"`
		F    float64                     `json:"f,omitempty"`
		Deep []map[string]*int           `json:"deep,omitempty"`
		Any  any                         `json:"any,omitempty"`
		One  diptych.AnyOf[int, float64] `json:"-"`
	}
	const lost = "an integer past 2^53 lost digits on the way; connect over diptych.Exact"
	for _, c := range []struct{ doc, fault string }{
		{`{"n":9007199254740993}`, "n: " + lost},
		{`{"n":9007199254740991}`, ""},
		{`{"f":9007199254740993}`, ""},
		{`{"f":1e300}`, ""},
		{`{"deep":[{},{"a":1,"b":-9007199254740993}]}`, "deep[1].b: " + lost},
		{`{"any":{"x":[9007199254740993]}}`, "any.x[0]: " + lost},
		{`{"unknown":9007199254740993}`, ""},
	} {
		_, err := say[figures](t, s, `{"structuredContent":`+c.doc+`}`)
		if m, _ := errors.AsType[*diptych.Mismatch](err); c.fault == "" && err != nil || c.fault != "" && (m == nil || !slices.Equal(m.Faults, []string{c.fault})) {
			t.Errorf("%s: got %v", c.doc, err)
		}
	}
	if _, err := say[[]int](t, s, `{"structuredContent":{"result":[1,9007199254740993]}}`); err == nil || !strings.Contains(err.Error(), "result[1]: "+lost) {
		t.Errorf("got %v", err)
	}
	if res, err := say[diptych.AnyOf[string, float64]](t, s, `{"structuredContent":{"result":1e20}}`); err != nil || *res.Value.B != 1e20 {
		t.Errorf("got %+v, %v", res.Value, err)
	}
	if res, err := say[Kinds](t, s, `{"isError":true}`); err == nil || res.Content == nil {
		t.Errorf("got %v", err)
	}
	if res, err := say[any](t, s, `{"structuredContent":{"a":1.5}}`); err != nil || !cmp.Equal(res.Value, any(map[string]any{"a": json.Number("1.5")})) {
		t.Errorf("got %v, %v", res.Value, err)
	}
	if _, err := say[Opened](t, s, `{}`); !strings.Contains(fmt.Sprint(err), "structured content is missing") {
		t.Errorf("got %v", err)
	}
	if _, err := say[any](t, s, `{"structuredContent":{"a":9007199254740993}}`); !strings.Contains(fmt.Sprint(err), "a: "+lost) {
		t.Errorf("got %v", err)
	}
}

// A tool that says it failed is an *Error, and what else it sent is not looked at.
func TestToolError(t *testing.T) {
	s := connected(t, diptych.Exact(memoryRoute(t, echoServer())), modern)
	res, err := say[Opened](t, s, `{"isError":true,"structuredContent":{"id":"lie"},"_meta":{"k":"v"}}`)
	e, ok := errors.AsType[*diptych.Error](err)
	if !ok || e.Error() != "text" || e.Meta["k"] != "v" || len(e.Content) != 1 || len(res.Content) != 1 || res.Meta["k"] != "v" {
		t.Errorf("got %+v, %+v", res, err)
	}
}

// What Call refuses before it sends anything.
func TestRefusedCalls(t *testing.T) {
	s := connected(t, diptych.Exact(memoryRoute(t, echoServer())), modern)
	for _, c := range []struct {
		call func() error
		want string
	}{
		{func() error { _, err := diptych.Call[chan int](t.Context(), s, "say", nil); return err }, `tool "say": chan int: type chan int has no JSON form; use a type that JSON can carry`},
		{func() error { _, err := diptych.Call[diptych.Result[int]](t.Context(), s, "say", nil); return err }, `tool "say": diptych.Result[int]: Call wraps its answer in a Result already; call it with the type inside`},
		{func() error { _, err := diptych.Call[*mcp.CallToolResult](t.Context(), s, "say", nil); return err },
			`tool "say": *mcp.CallToolResult: promises nothing that could be checked; use any, or the session's own CallTool`},
		{func() error { _, err := diptych.Call[data.Result](t.Context(), s, "say", nil); return err },
			`tool "say": data.Result: it is made to be sent, and cannot be read back; use json.RawMessage`},
		{func() error { _, err := diptych.Call[int](t.Context(), nil, "say", nil); return err }, `tool "say": the session is nil; connect a client first`},
		{func() error { _, err := diptych.Call[int](t.Context(), s, "say", []int{1}); return err }, `tool "say": arguments: []int is no JSON object; give a struct, a map or json.RawMessage`},
		{func() error {
			_, err := diptych.Call[int](t.Context(), s, "say", map[string]any{"a": math.NaN()})
			return err
		},
			`tool "say": arguments: not valid JSON; give finite numbers and UTF-8 text`},
		{func() error { _, err := diptych.Call[int](t.Context(), s, "say", json.RawMessage(`{"a"`)); return err },
			`tool "say": arguments: not valid JSON; give finite numbers and UTF-8 text`},
	} {
		if err := c.call(); err == nil || err.Error() != c.want {
			t.Errorf("got  %v\nwant %s", err, c.want)
		}
	}
	for _, args := range []any{nil, struct{}{}, (*Opened)(nil), map[string]any(nil), json.RawMessage(nil)} {
		if res, err := diptych.Call[any](t.Context(), s, "args", args); err != nil || res.Content[0].(*mcp.TextContent).Text != "{}" {
			t.Errorf("%T: got %v, %v", args, res.Content, err)
		}
	}
	if _, err := diptych.Call[any](t.Context(), s, "unknown", nil); err == nil {
		t.Error("an unknown tool answered")
	} else if e, ok := errors.AsType[*jsonrpc.Error](err); !ok || e.Code != jsonrpc.CodeInvalidParams {
		t.Errorf("got %v", err)
	}
}

func ExampleCall() {
	ctx := context.Background()
	server := mcp.NewServer(&mcp.Implementation{Name: "weather", Version: "1"}, nil)
	type city struct {
		City string `json:"city"`
	}
	err := diptych.Add(server, &mcp.Tool{Name: "get_temperature"}, func(context.Context, city) (int, error) { return 21, nil })
	if err != nil {
		log.Fatal(err)
	}
	here, there := mcp.NewInMemoryTransports()
	if _, err := server.Connect(ctx, there, nil); err != nil {
		log.Fatal(err)
	}
	session, err := mcp.NewClient(&mcp.Implementation{Name: "host", Version: "1"}, nil).Connect(ctx, diptych.Exact(here), nil)
	if err != nil {
		log.Fatal(err)
	}
	defer session.Close()

	res, err := diptych.Call[int](ctx, session, "get_temperature", city{"Oslo"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(res.Value)
	// Output: 21
}

// A whole number is an integer however the other side writes it.
func TestWholeNumbers(t *testing.T) {
	s := connected(t, diptych.Exact(memoryRoute(t, echoServer())), modern)
	one, err := say[int](t, s, `{"structuredContent":{"result":2.0}}`)
	if err != nil || one.Value != 2 {
		t.Errorf("2.0: %v, %v", one.Value, err)
	}
	many, err := say[map[string]*uint8](t, s, `{"structuredContent":{"a":1e2,"b":3}}`)
	if err != nil || *many.Value["a"] != 100 || *many.Value["b"] != 3 {
		t.Errorf("1e2: %v, %v", many.Value, err)
	}
}
