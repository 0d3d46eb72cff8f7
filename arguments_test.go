package diptych_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych"
)

// Meant has an optional argument of every kind, most of them twice: inside a struct too.
type Meant struct {
	Needed string                     `json:"needed"`
	Int    *int                       `json:"int,omitempty"`
	Plain  int                        `json:"plain,omitempty"`
	Flag   bool                       `json:"flag,omitzero"`
	Limit  int                        `json:"limit" default:"10"`
	Maybe  diptych.Optional[int]      `json:"maybe,omitzero"`
	Map    map[string]int             `json:"map,omitempty"`
	List   []string                   `json:"list,omitempty"`
	Enum   string                     `json:"enum,omitempty" enum:"a,b"`
	Since  *time.Time                 `json:"since,omitempty"`
	At     time.Time                  `json:"at,omitzero"`
	Bytes  []byte                     `json:"bytes,omitempty"`
	Either *diptych.AnyOf[int, Inner] `json:"either,omitempty"`
	Inner  *Inner                     `json:"inner,omitempty"`
	Inners []Inner                    `json:"inners,omitempty"`
	Keyed  map[string]Inner           `json:"keyed,omitempty"`
	Null   *int                       `json:"null"`
	Any    any                        `json:"any,omitempty"`
}

type Inner struct {
	X int        `json:"x"`
	Y *int       `json:"y,omitempty"`
	Z int        `json:"z" default:"3"`
	W *time.Time `json:"w,omitempty"`
}

// echoing is a tool that returns its argument as it read it.
func echoing[In any](t *testing.T) func(args string) string {
	t.Helper()
	var got In
	_, h, err := diptych.New(&mcp.Tool{Name: "f"}, func(_ context.Context, in In) (bool, error) { got = in; return true, nil }, quiet)
	must(t, err)
	return func(args string) string {
		got = *new(In)
		res, err := h(t.Context(), &mcp.CallToolRequest{Params: &mcp.CallToolParamsRaw{Arguments: json.RawMessage(args)}})
		must(t, err)
		if res.IsError {
			_, faults, _ := strings.Cut(texts(res), "\n")
			return faults
		}
		out, err := json.Marshal(got)
		must(t, err)
		return string(out)
	}
}

// TestNullIsAbsence sends null for everything that is optional and not nullable, at every depth.
func TestNullIsAbsence(t *testing.T) {
	read := echoing[Meant](t)
	without := read(`{"needed":"n","null":null}`)
	if want := `{"needed":"n","limit":10,"null":null}`; without != want {
		t.Fatalf("without optional arguments: %s, want %s", without, want)
	}
	var all strings.Builder
	for _, name := range strings.Fields("int plain flag limit maybe map list enum since at bytes either inner inners keyed any") {
		if got := read(`{"needed":"n","null":null,"` + name + `":null}`); got != without {
			t.Errorf("null for %s: %s, want %s", name, got, without)
		}
		fmt.Fprintf(&all, `"%s":null,`, name)
	}
	if got := read("{" + all.String() + `"needed":"n","null":null}`); got != without {
		t.Errorf("null for all: %s, want %s", got, without)
	}
	deep := `{"x":1,"y":null,"z":null,"w":null}`
	want := `{"needed":"n","limit":10,"either":{"x":1,"z":3},"inner":{"x":1,"z":3},"inners":[{"x":1,"z":3}],"keyed":{"k":{"x":1,"z":3}},"null":null}`
	if got := read(`{"needed":"n","null":null,"inner":` + deep + `,"inners":[` + deep + `],"keyed":{"k":` + deep + `},"either":` + deep + `}`); got != want {
		t.Errorf("null inside: %s\nwant %s", got, want)
	}
	for args, want := range map[string]string{
		`{"needed":null,"null":null}`:                           "needed: got null, want string",
		`{"needed":"n","null":null,"inner":{"x":null}}`:         "inner.x: got null, want integer",
		`{"needed":"n","null":null,"list":[null]}`:              "list[0]: got null, want string",
		`{"needed":"n","null":null,"map":{"a":null}}`:           "map.a: got null, want integer",
		`{"needed":"n","null":null,"int":1,"int":null}`:         "int: duplicate key",
		`{"needed":"n","null":null,"zzzz":null}`:                "zzzz: unknown field",
		`{"needed":"n","null":null,"enum":"","at":"","int":""}`: "enum: must be one of \"a\", \"b\"; leave it out\nat: must be a date-time with a zone, such as 2026-01-02T03:04:05Z; leave it out\nint: got string, want integer; leave it out",
	} {
		if got := read(args); got != want {
			t.Errorf("%s: %s, want %s", args, got, want)
		}
	}
}

// TestDigitsInInterfaces sends integers that a float64 would round to where the Go type does not say what they are.
func TestDigitsInInterfaces(t *testing.T) {
	const digits = "9007199254740993"
	for _, tt := range []struct {
		read  func(string) string
		value string
	}{
		{echoing[struct {
			V any `json:"v"`
		}](t), digits},
		{echoing[struct {
			V map[string]any `json:"v"`
		}](t), `{"order":` + digits + `,"deep":[{"a":` + digits + `}]}`},
		{echoing[struct {
			V []any `json:"v"`
		}](t), `[` + digits + `,0.12345678901234567890,1e400]`},
		{echoing[struct {
			V diptych.Optional[any] `json:"v"`
		}](t), digits},
		{echoing[struct {
			V diptych.AnyOf[string, map[string]any] `json:"v"`
		}](t), `{"a":` + digits + `}`},
		{echoing[struct {
			V diptych.Tuple2[any, []any] `json:"v"`
		}](t), `[` + digits + `,[` + digits + `]]`},
		{echoing[struct {
			V map[string]struct{ X any } `json:"v"`
		}](t), `{"a":{"X":` + digits + `}}`},
	} {
		got := tt.read(`{"v":` + tt.value + `}`)
		var want, have any
		if decode(t, `{"v":`+tt.value+`}`, &want); !strings.HasPrefix(got, "{") {
			t.Errorf("%s: %s", tt.value, got)
			continue
		}
		if decode(t, got, &have); fmt.Sprint(have) != fmt.Sprint(want) {
			t.Errorf("%s became %s", tt.value, got)
		}
	}
	promised := diptych.JSON[map[string]any](`{"a":` + digits + `}`)
	if v, err := promised.Decode(); err != nil || fmt.Sprint(v["a"]) != digits {
		t.Errorf("Decode: %v, %v", v, err)
	}
}

func decode(t *testing.T, doc string, dst any) {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(doc))
	d.UseNumber()
	must(t, d.Decode(dst))
}

type (
	Circle struct {
		Kind   string  `json:"kind"`
		Radius float64 `json:"radius"`
	}
	Rectangle struct {
		Kind   string  `json:"kind"`
		Width  float64 `json:"width"`
		Height float64 `json:"height"`
	}
)

// TestMessagesSayWhatIsRight compares what a model reads of arguments that do not fit.
func TestMessagesSayWhatIsRight(t *testing.T) {
	read := echoing[struct {
		Since  time.Time                         `json:"since,omitzero"`
		Day    string                            `json:"day,omitempty" format:"date"`
		Labels []string                          `json:"labels,omitempty"`
		Counts []int                             `json:"counts,omitempty"`
		Levels map[int]string                    `json:"levels,omitempty"`
		Sizes  map[uint8]string                  `json:"sizes,omitempty"`
		Shape  *diptych.AnyOf[Circle, Rectangle] `json:"shape,omitempty"`
		Sure   bool                              `json:"sure,omitempty"`
		N      int                               `json:"n,omitempty"`
	}](t)
	for args, want := range map[string]string{
		`{"since":"2026-01-02T03:04:05"}`:              "since: must be a date-time with a zone, such as 2026-01-02T03:04:05Z",
		`{"day":"2.1.2026"}`:                           "day: must be a date, YYYY-MM-DD",
		`{"labels":"bug"}`:                             `labels: got string, want array; write ["bug"]`,
		`{"labels":"` + strings.Repeat("x", 90) + `"}`: "labels: got string, want array; write it in brackets, as a list of one item",
		`{"labels":5}`:                                 "labels: got number, want array",
		`{"counts":5}`:                                 "counts: got number, want array; write [5]",
		`{"levels":{"one":"a"}}`:                       "levels.one: the key must be an integer in plain digits, such as 7 or -7",
		`{"sizes":{"-1":"a"}}`:                         `sizes["-1"]: the key must be an integer from 0 on in plain digits, such as 7`,
		`{"shape":{"kind":"circle"}}`:                  "shape: matches none of the allowed forms; nearest is Circle: radius: required but missing",
		`{"shape":{"kind":"r","width":1}}`:             "shape: matches none of the allowed forms; nearest is Rectangle: height: required but missing",
		`{"shape":5}`:                                  "shape: got number, want object",
		`{"sure":"True","n":" 3 "}`:                    `{"since":"0001-01-01T00:00:00Z"`,
	} {
		if got := read(args); got != want && !(strings.HasPrefix(want, "{") && strings.HasSuffix(got, `"sure":true,"n":3}`)) {
			t.Errorf("%s:\n got %s\nwant %s", args, got, want)
		}
	}
}
