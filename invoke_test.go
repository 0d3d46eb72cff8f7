package diptych_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych"
)

// A journal is a log that a test reads.
type journal struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (j *journal) Write(p []byte) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.b.Write(p)
}

func (j *journal) option() diptych.Option {
	return diptych.Logger(slog.New(slog.NewJSONHandler(j, nil)))
}

// records returns what was logged, without the time.
func (j *journal) records(t *testing.T) []map[string]any {
	t.Helper()
	j.mu.Lock()
	defer j.mu.Unlock()
	var out []map[string]any
	for d := json.NewDecoder(bytes.NewReader(j.b.Bytes())); ; {
		var r map[string]any
		if err := d.Decode(&r); errors.Is(err, io.EOF) {
			return out
		} else if err != nil {
			t.Fatal(err)
		}
		delete(r, "time")
		out = append(out, r)
	}
}

// texts joins the text blocks of a result.
func texts(res *mcp.CallToolResult) string {
	var out []string
	for _, c := range res.Content {
		if c, ok := c.(*mcp.TextContent); ok {
			out = append(out, c.Text)
		}
	}
	return strings.Join(out, "\n")
}

type secretError struct{}

func (secretError) Error() string { return "password hunter2" }

type brokenError struct{ nothing *int }

func (e brokenError) Error() string { return fmt.Sprint(*e.nothing) }

type Weather struct {
	Temperature float64 `json:"temperature"`
	Humidity    float64 `json:"humidity" minimum:"0" maximum:"1"`
}

type Failing struct{ N int }

func (Failing) MarshalJSON() ([]byte, error) { return nil, secretError{} }
func (Failing) JSONSchema() json.RawMessage  { return json.RawMessage(`{"type":"integer"}`) }

type Panicking struct{ N int }

func (Panicking) MarshalJSON() ([]byte, error) { panic("hunter2") }
func (Panicking) JSONSchema() json.RawMessage  { return json.RawMessage(`{"type":"integer"}`) }

// TestWhatReachesWhom is the contract's table: what the caller gets and what the log gets for each kind of ending.
func TestWhatReachesWhom(t *testing.T) {
	masked := "Error executing tool f"
	for _, tt := range []struct {
		name   string
		result func(*testing.T, ...diptych.Option) (*mcp.CallToolResult, error)
		want   string // the text of the error
		level  string
		log    string
		error  string // what the log has under error
	}{
		{"good value", calling(1, nil), "", "", "", ""},
		{"Errorf", calling(0, diptych.Errorf("no city named %q", "Atlantis")),
			masked + `: no city named "Atlantis"`, "INFO", "tool failed", `no city named "Atlantis"`},
		{"Errorf with a cause", calling(0, diptych.Errorf("cannot reach the station: %w", io.ErrUnexpectedEOF)),
			masked + ": cannot reach the station: unexpected EOF", "INFO", "tool failed", "cannot reach the station: unexpected EOF"},
		{"Errorf inside a private error", calling(0, fmt.Errorf("query on db7: %w", diptych.Errorf("no such city"))),
			masked + ": no such city", "INFO", "tool failed", "query on db7: no such city"},
		{"own content", calling(0, &diptych.Error{Content: []mcp.Content{&mcp.TextContent{Text: "try another"}}}),
			"try another", "INFO", "tool failed", "try another"},
		{"own content that cannot be sent", calling(0, &diptych.Error{Content: []mcp.Content{nil}}),
			masked, "ERROR", "tool raised an unexpected error", "content[0]: a content block is nil; leave it out"},
		{"nil error pointer", calling(0, (*diptych.Error)(nil)), masked, "ERROR", "tool raised an unexpected error", "no error"},
		{"any other error", calling(0, secretError{}), masked, "ERROR", "tool raised an unexpected error", "password hunter2"},
		{"error that panics when read", calling(0, brokenError{}), masked, "ERROR", "tool raised an unexpected error", "%!v(PANIC=Error method: runtime error: invalid memory address or nil pointer dereference)"},
		{"panic", panicking(func() { panic("hunter2") }), masked, "ERROR", "tool panicked", "panic: hunter2"},
		{"panic with nil", panicking(func() { panic(nil) }), masked, "ERROR", "tool panicked", "panic: " + new(runtime.PanicNilError).Error()},
		{"panic with a value that panics", panicking(func() { panic(brokenError{}) }), masked, "ERROR", "tool panicked", "panic: %!v(PANIC=Error method: runtime error: invalid memory address or nil pointer dereference)"},
		{"Goexit", panicking(runtime.Goexit), masked, "ERROR", "tool panicked", "panic: runtime.Goexit"},
		{"nil, nil", calling[*Weather](nil, nil),
			masked + ": the tool returned neither a value nor an error", "ERROR", "tool returned no value",
			"the tool returned neither a value nor an error; to answer with nothing, return Optional[T]"},
		{"input without a question", calling(0, diptych.NeedInput(nil, "state")), masked + ": it needs input, but asks no question",
			"ERROR", "tool asked no question", "NeedInput was given no requests; give it one at least, or return an error"},
		{"NaN", calling(Weather{Humidity: math.NaN()}, nil),
			masked + ": the tool ran, but its result does not match Weather: humidity: not a finite number", "ERROR", "tool result does not match its schema", ""},
		{"infinity", calling([]float64{1, math.Inf(-1)}, nil),
			masked + ": the tool ran, but its result does not match fOutput: result[1]: not a finite number", "ERROR", "tool result does not match its schema", ""},
		{"constraint", calling(Weather{Humidity: 1.5}, nil),
			masked + ": the tool ran, but its result does not match Weather: humidity: must be at most 1", "ERROR", "tool result does not match its schema", ""},
		{"missing key", calling(diptych.JSON[Weather](`{"temperature": 16.2}`), nil),
			masked + ": the tool ran, but its result does not match Weather: humidity: required but missing", "ERROR", "tool result does not match its schema", ""},
		{"semicolon in a key", calling(map[string]Weather{"a; \"b": {Humidity: 2}}, nil),
			masked + `: the tool ran, but its result does not match fDictOutput: ["a; \"b"].humidity: must be at most 1`, "ERROR", "tool result does not match its schema", ""},
		{"semicolon in a pattern", calling(struct {
			S string `pattern:"^(a; b|\"c)$"`
		}{"x"}, nil),
			masked + `: the tool ran, but its result does not match fOutput: S: must match the pattern ^(a; b|"c)$`, "ERROR", "tool result does not match its schema", ""},
		{"semicolon in a type", calling(map[string]any{"f": func(struct{ A, B int }) {}}, nil),
			masked + ": the tool ran, but its result does not match fDictOutput: f: type func(struct { A int; B int }) has no JSON form", "ERROR", "tool result does not match its schema", ""},
		{"invalid UTF-8", calling("a\xffb", nil),
			masked + ": the tool ran, but its result does not match fOutput: result: not valid UTF-8", "ERROR", "tool result does not match its schema", ""},
		{"invalid UTF-8 in a key", calling(map[string]int{"a\xff": 1}, nil), "", "ERROR", "tool result does not match its schema", ""},
		{"marshaler that fails", calling(Failing{}, nil),
			masked + ": the tool ran, but its result does not match fOutput: result: its MarshalJSON failed", "ERROR", "tool result does not match its schema", "password hunter2"},
		{"marshaler that panics", calling(Panicking{}, nil), masked, "ERROR", "tool panicked", "panic: hunter2"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var j journal
			res, err := tt.result(t, j.option())
			if err != nil {
				t.Fatalf("protocol error: %v", err)
			}
			if res.IsError != (tt.log != "") {
				t.Errorf("isError = %v", res.IsError)
			}
			if tt.want != "" && texts(res) != tt.want {
				t.Errorf("the caller gets %q\n            want %q", texts(res), tt.want)
			}
			if res.IsError && res.StructuredContent != nil {
				t.Errorf("a failed call carries structured content %s", res.StructuredContent)
			}
			if strings.Contains(texts(res), "hunter2") {
				t.Errorf("a secret reaches the caller: %q", texts(res))
			}
			records := j.records(t)
			if tt.log == "" {
				if len(records) != 0 {
					t.Errorf("a good call logs %v", records)
				}
				return
			}
			if len(records) != 1 {
				t.Fatalf("%d records, want one: %v", len(records), records)
			}
			r := records[0]
			if r["level"] != tt.level || r["msg"] != tt.log || r["tool"] != "f" {
				t.Errorf("record %v, want %s %q", r, tt.level, tt.log)
			}
			if tt.error != "" && r["error"] != tt.error {
				t.Errorf("the log has error %q, want %q", r["error"], tt.error)
			}
			if tt.log == "tool panicked" && !strings.Contains(r["stack"].(string), "goroutine") {
				t.Errorf("no stack in %v", r)
			}
		})
	}
}

// calling calls a tool that returns v and err.
func calling[Out any](v Out, err error) func(*testing.T, ...diptych.Option) (*mcp.CallToolResult, error) {
	return running(func(context.Context, struct{}) (Out, error) { return v, err })
}

func panicking(f func()) func(*testing.T, ...diptych.Option) (*mcp.CallToolResult, error) {
	return running(func(context.Context, struct{}) (int, error) { f(); return 0, nil })
}

func running[Out any](fn diptych.Func[struct{}, Out]) func(*testing.T, ...diptych.Option) (*mcp.CallToolResult, error) {
	return func(t *testing.T, opts ...diptych.Option) (*mcp.CallToolResult, error) {
		_, h, err := diptych.New(&mcp.Tool{Name: "f"}, fn, opts...)
		if err != nil {
			t.Fatal(err)
		}
		return h(t.Context(), &mcp.CallToolRequest{Params: &mcp.CallToolParamsRaw{Name: "f"}})
	}
}

func TestProtocolErrorHidesTheRest(t *testing.T) {
	want := &jsonrpc.Error{Code: -32001, Message: "no such account"}
	var j journal
	_, err := calling(0, fmt.Errorf("private: %w", want))(t, j.option())
	if got, ok := errors.AsType[*jsonrpc.Error](err); !ok || got != want || err.Error() != want.Error() {
		t.Errorf("got %v, want %v alone", err, want)
	}
	if r := j.records(t); len(r) != 0 {
		t.Errorf("logged %v", r)
	}
}

func TestMiddlewareSeesTheCause(t *testing.T) {
	res, err := calling(0, error(secretError{}))(t, quiet)
	if err != nil {
		t.Fatal(err)
	}
	if !errors.Is(res.GetError(), secretError{}) {
		t.Errorf("GetError = %v", res.GetError())
	}
}

func TestMismatchNamesTenFields(t *testing.T) {
	var j journal
	res, err := calling(diptych.JSON[map[string]int](`{"a":"x","b":"x","c":"x","d":"x","e":"x","f":"x","g":"x","h":"x","i":"x","j":"x","k":"x","l":"x"}`), nil)(t, j.option())
	if err != nil {
		t.Fatal(err)
	}
	if got := texts(res); !strings.HasSuffix(got, "\nj: got string, want integer\nand 2 more") {
		t.Errorf("got %q", got)
	}
}

func TestLogCutsTheOffendingPart(t *testing.T) {
	var j journal
	long := strings.Repeat("x", 1000)
	if _, err := calling(diptych.JSON[int](`"`+long+`"`), nil)(t, j.option()); err != nil {
		t.Fatal(err)
	}
	if part := j.records(t)[0]["part"].(string); len(part) != 200 {
		t.Errorf("the log has %d bytes of the offending part", len(part))
	}
}

func TestTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var j journal
		release := make(chan struct{})
		res, err := running(func(ctx context.Context, _ struct{}) (int, error) {
			<-ctx.Done()
			<-release // it goes on regardless
			return 1, nil
		})(t, j.option(), diptych.Timeout(5*time.Second))
		if err != nil {
			t.Fatal(err)
		}
		if got := texts(res); got != "Error executing tool f: timed out after 5s" {
			t.Errorf("got %q", got)
		}
		if r := j.records(t); len(r) != 1 || r[0]["msg"] != "tool timed out" || r[0]["abandoned"] != 1.0 {
			t.Errorf("logged %v", r)
		}
		close(release)
	})
}

func TestTimeoutOfAToolThatStops(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var j journal
		res, err := running(func(ctx context.Context, _ struct{}) (int, error) {
			<-ctx.Done()
			return 0, ctx.Err()
		})(t, j.option(), diptych.Timeout(time.Second))
		if err != nil {
			t.Fatal(err)
		}
		if got := texts(res); got != "Error executing tool f: timed out after 1s" {
			t.Errorf("got %q", got)
		}
		if r := j.records(t); len(r) != 1 || r[0]["msg"] != "tool timed out" || r[0]["abandoned"] != 0.0 {
			t.Errorf("logged %v", r)
		}
	})
}

func TestCancelled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var j journal
		_, h, err := diptych.New(&mcp.Tool{Name: "f"}, func(ctx context.Context, _ struct{}) (int, error) {
			<-ctx.Done()
			return 0, ctx.Err()
		}, j.option())
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		if _, err := h(ctx, &mcp.CallToolRequest{Params: &mcp.CallToolParamsRaw{Name: "f"}}); err != nil {
			t.Fatal(err)
		}
		if r := j.records(t); len(r) != 1 || r[0]["msg"] != "tool call was cancelled" || r[0]["level"] != "INFO" {
			t.Errorf("logged %v", r)
		}
	})
}

type Booking struct {
	Room    string                  `json:"room"`
	Minutes int                     `json:"minutes" enum:"30,60" default:"60"`
	People  uint8                   `json:"people"`
	Extras  []string                `json:"extras,omitempty"`
	Note    *string                 `json:"note,omitempty"`
	Who     struct{ Name string }   `json:"who,omitzero"`
	When    diptych.Optional[int64] `json:"when,omitzero"`
}

func TestArguments(t *testing.T) {
	var got Booking
	_, h, err := diptych.New(&mcp.Tool{Name: "book"}, func(_ context.Context, in Booking) (bool, error) { got = in; return true, nil }, quiet)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		args, want string // want: the arguments as read, or the error
	}{
		{`{"room":"a","people":2}`, `{"room":"a","minutes":60,"people":2}`},
		{`{"room":"a","people":"2","minutes":"30"}`, `{"room":"a","minutes":30,"people":2}`},
		{`{"room":"a","people":2.0,"minutes":3e1}`, `{"room":"a","minutes":30,"people":2}`},
		{`{"room":"5","people":2,"extras":"[\"x\"]","who":"{\"Name\":\"n\"}"}`, `{"room":"5","minutes":60,"people":2,"extras":["x"],"who":{"Name":"n"}}`},
		{`{"room":"a","people":2,"when":9223372036854775807}`, `{"room":"a","minutes":60,"people":2,"when":9223372036854775807}`},
		{`{"people":true,"minutes":45,"rom":"a"}`, "Error executing tool book: 4 invalid arguments\nroom: required but missing\npeople: got boolean, want integer\nminutes: must be one of 30, 60\nrom: unknown field; did you mean \"room\"?"},
		{`{"room":"a","people":256}`, "Error executing tool book: 1 invalid argument\npeople: must be at most 255"},
		{`{"room":"a","people":2,"when":9223372036854775808}`, "Error executing tool book: 1 invalid argument\nwhen: must be at most 9223372036854775807"},
		{`{"room":"a","people":2,"Room":"b"}`, "Error executing tool book: 1 invalid argument\nRoom: unknown field; did you mean \"room\"?"},
		{`{"room":"a","people":2,"room":"b"}`, "Error executing tool book: 1 invalid argument\nroom: duplicate key"},
		{`{"room":"a","people":2,"who":{"Name":"n","Age":3}}`, "Error executing tool book: 1 invalid argument\nwho.Age: unknown field"},
		{`[1]`, "Error executing tool book: 1 invalid argument\narguments: got array, want object"},
	} {
		got = Booking{}
		res, err := h(t.Context(), &mcp.CallToolRequest{Params: &mcp.CallToolParamsRaw{Name: "book", Arguments: json.RawMessage(tt.args)}})
		if err != nil {
			t.Fatal(err)
		}
		if res.IsError {
			if texts(res) != tt.want {
				t.Errorf("%s:\n got %q\nwant %q", tt.args, texts(res), tt.want)
			}
			continue
		}
		read, err := json.Marshal(got)
		if err != nil {
			t.Fatal(err)
		}
		if string(read) != tt.want {
			t.Errorf("%s:\nread %s\nwant %s", tt.args, read, tt.want)
		}
	}
}

func TestRejectedArgumentsAreLoggedByName(t *testing.T) {
	var j journal
	_, h, err := diptych.New(&mcp.Tool{Name: "book"}, func(context.Context, Booking) (bool, error) { panic("not called") }, j.option())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := h(t.Context(), &mcp.CallToolRequest{Params: &mcp.CallToolParamsRaw{Name: "book", Arguments: json.RawMessage(`{"room":"hunter2","people":"hunter2"}`)}}); err != nil {
		t.Fatal(err)
	}
	r := j.records(t)
	if len(r) != 1 || r[0]["msg"] != "tool rejected arguments" || r[0]["level"] != "INFO" || r[0]["field"] != "people" {
		t.Errorf("logged %v", r)
	}
	if strings.Contains(fmt.Sprint(r), "hunter2") {
		t.Errorf("a value is in the log: %v", r)
	}
}
