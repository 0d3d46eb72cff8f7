package diptych_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math/big"
	"net/url"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych"
)

var level = diptych.Schema[slog.Level](json.RawMessage(`{"type": "string", "enum": ["DEBUG", "INFO", "WARN", "ERROR"]}`))

type Levels struct {
	Level slog.Level            `json:"level"`
	Maybe *slog.Level           `json:"maybe"`
	List  []slog.Level          `json:"list,omitempty"`
	Named map[string]slog.Level `json:"named,omitempty"`
}

// TestSchema publishes types of other modules as an option says, in results and arguments, and checks what they write.
func TestSchema(t *testing.T) {
	tool := func(_ context.Context, in Levels) (Levels, error) { return in, nil }
	_, _, err := diptych.New(&mcp.Tool{Name: "f"}, tool)
	if want := `tool "f": input Levels.Level: its MarshalJSON hides what it writes; say what it looks like with the option diptych.Schema[slog.Level]`; fmt.Sprint(err) != want {
		t.Errorf("without the option: %v", err)
	}
	published, h, err := diptych.New(&mcp.Tool{Name: "f"}, tool, quiet, level)
	must(t, err)
	const one = `{"enum":["DEBUG","INFO","WARN","ERROR"],"title":"Level","type":"string"}`
	for _, schema := range []any{published.InputSchema, published.OutputSchema} {
		if got := string(schema.(json.RawMessage)); !strings.Contains(got, `"level":`+one) || strings.Contains(got, "$defs") {
			t.Errorf("published as %s", got)
		}
	}
	call := func(h mcp.ToolHandler, args string) *mcp.CallToolResult {
		t.Helper()
		res, err := h(t.Context(), &mcp.CallToolRequest{Params: &mcp.CallToolParamsRaw{Arguments: json.RawMessage(args)}})
		must(t, err)
		return res
	}
	full := `{"level":"WARN","maybe":"INFO","list":["DEBUG"],"named":{"a":"ERROR"}}`
	if got := fmt.Sprintf("%s", call(h, full).StructuredContent); got != full {
		t.Errorf("answered %s", got)
	}
	if got, want := texts(call(h, `{"level":"LOUD","maybe":null}`)), `level: must be one of "DEBUG", "INFO", "WARN", "ERROR"`; !strings.Contains(got, want) {
		t.Errorf("answered %s, want %s", got, want)
	}

	// What the type really writes is held against what was said.
	if got := texts(answer(t, []slog.Level{2}, level)); !strings.Contains(got, `does not match fOutput: result[0]: must be one of`) {
		t.Errorf("answered %s", got)
	}
	// The option leaves nothing behind for tools without it, and may be given for pointers and structs.
	if _, _, err := diptych.New(&mcp.Tool{Name: "f"}, tool); err == nil {
		t.Error("a tool without the option is published")
	}
	address := diptych.Schema[*url.URL](json.RawMessage(`{"type":"object","properties":{"Host":{"type":"string"}},"required":["Host"]}`))
	site := &url.URL{Host: "a.example"}
	res := answer(t, []*url.URL{site}, address)
	if got := fmt.Sprintf("%s", res.StructuredContent); res.IsError || !strings.Contains(got, `"Host":"a.example"`) {
		t.Errorf("answered %s %s", got, texts(res))
	}
	root, _, err := diptych.New(&mcp.Tool{Name: "f"}, func(context.Context, struct{}) (*url.URL, error) { return site, nil }, address)
	must(t, err)
	if got := fmt.Sprintf("%s", root.OutputSchema); strings.Contains(got, `"result"`) || !strings.Contains(got, `"Host"`) {
		t.Errorf("published as %s", got)
	}
	for schema, want := range map[string]string{
		`{`:                        "Schema[slog.Level]",
		`[]`:                       "Schema[slog.Level]",
		`{"$ref":"#/$defs/Level"}`: "Schema[slog.Level]",
		`{"$ref":"https://a.example/level.json"}`:               "Schema[slog.Level]",
		strings.Repeat(`{"not":`, 70) + strings.Repeat(`}`, 70): "Schema[slog.Level]",
		`{"type":"string","pattern":"("}`:                       "pattern",
	} {
		if _, _, err := diptych.New(&mcp.Tool{Name: "f"}, tool, diptych.Schema[slog.Level](json.RawMessage(schema))); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40s: %v", schema, err)
		}
	}
	// A client reads such a type without the option.
	s := newServer()
	must(t, diptych.Add(s, &mcp.Tool{Name: "f"}, tool, quiet, level))
	got, err := diptych.Call[Levels](t.Context(), exactSession(t, s), "f", json.RawMessage(full))
	if err != nil || got.Value.Level != slog.LevelWarn || got.Value.Named["a"] != slog.LevelError {
		t.Errorf("read %+v, %v", got.Value, err)
	}
}

// TestReveal shows the unexpected errors that a server chooses, and logs all of them.
func TestReveal(t *testing.T) {
	errGone := errors.New("the disk is gone")
	for name, tt := range map[string]struct {
		err    error
		reveal func(error) (string, bool)
		want   string
	}{
		"masked":     {errGone, nil, ""},
		"all":        {errGone, func(err error) (string, bool) { return err.Error(), true }, ": the disk is gone"},
		"refused":    {errGone, func(err error) (string, bool) { return err.Error(), false }, ""},
		"chosen":     {fmt.Errorf("at 10.0.0.1: %w", errGone), func(err error) (string, bool) { return "no disk", errors.Is(err, errGone) }, ": no disk"},
		"deliberate": {diptych.Errorf("no room"), func(error) (string, bool) { return "other", true }, ": no room"},
		"panics":     {errGone, func(error) (string, bool) { panic("no") }, ""},
	} {
		var log bytes.Buffer
		opts := []diptych.Option{diptych.Logger(slog.New(slog.NewTextHandler(&log, nil)))}
		if tt.reveal != nil {
			opts = append(opts, diptych.Reveal(tt.reveal))
		}
		_, h, err := diptych.New(&mcp.Tool{Name: "f"}, func(context.Context, struct{}) (int, error) { return 0, tt.err }, opts...)
		must(t, err)
		res, err := h(t.Context(), &mcp.CallToolRequest{Params: &mcp.CallToolParamsRaw{}})
		must(t, err)
		if got := texts(res); got != "Error executing tool f"+tt.want || !res.IsError {
			t.Errorf("%s: %s", name, got)
		}
		if strings.Count(log.String(), "\n") != 1 {
			t.Errorf("%s: log %s", name, log.String())
		}
	}
	_, h, err := diptych.New(&mcp.Tool{Name: "f"}, func(context.Context, struct{}) (int, error) { panic("secret") }, quiet,
		diptych.Reveal(func(err error) (string, bool) { return err.Error(), true }))
	must(t, err)
	res, err := h(t.Context(), &mcp.CallToolRequest{Params: &mcp.CallToolParamsRaw{}})
	must(t, err)
	if got := texts(res); got != "Error executing tool f" {
		t.Errorf("a panic is told as %s", got)
	}
}

// exactSession is a session with s that keeps digits.
func exactSession(t *testing.T, s *mcp.Server) *mcp.ClientSession {
	t.Helper()
	here, there := mcp.NewInMemoryTransports()
	_, err := s.Connect(t.Context(), there, nil)
	must(t, err)
	session, err := newClient(nil).Connect(t.Context(), diptych.Exact(here), nil)
	must(t, err)
	t.Cleanup(func() { _ = session.Close() })
	return session
}

type bareRow struct {
	Name string            `json:"name"`
	Tags []string          `json:"tags"`
	Map  map[string]int    `json:"map"`
	Data []byte            `json:"data"`
	Next *bareRow          `json:"next,omitempty"`
	Odd  map[string][]bool `json:"odd key"`
}

// TestBareRoots calls typed tools of the SDK, which answer without the wrapper and write nil slices and maps as null.
func TestBareRoots(t *testing.T) {
	s := newServer()
	typed := func(name string, add func(*mcp.Tool)) { add(&mcp.Tool{Name: name}) }
	typed("list", func(tool *mcp.Tool) {
		mcp.AddTool(s, tool, func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, []string, error) {
			return nil, []string{"a", "b"}, nil
		})
	})
	typed("nil", func(tool *mcp.Tool) {
		mcp.AddTool(s, tool, func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, []string, error) {
			return nil, nil, nil
		})
	})
	typed("number", func(tool *mcp.Tool) {
		mcp.AddTool(s, tool, func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, int, error) {
			return nil, 17, nil
		})
	})
	typed("map", func(tool *mcp.Tool) {
		mcp.AddTool(s, tool, func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, map[string]int, error) {
			return nil, nil, nil
		})
	})
	row := map[string]any{"name": "x", "tags": nil, "map": nil, "data": nil, "odd key": map[string]any{"k": nil}}
	raw := func(name string, doc any) {
		s.AddTool(&mcp.Tool{Name: name, InputSchema: json.RawMessage(`{"type":"object"}`)}, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return &mcp.CallToolResult{StructuredContent: doc, Content: []mcp.Content{}}, nil
		})
	}
	rows := make([]any, 300)
	for i := range rows {
		rows[i] = row
	}
	raw("rows", rows)
	raw("row", map[string]any{"name": "x", "tags": nil, "map": nil, "data": nil, "odd key": nil, "next": row})
	raw("wrapped", map[string]any{"result": nil})
	raw("lie", []any{1, nil})
	raw("nobody", map[string]any{"name": nil, "tags": nil, "map": nil, "data": nil, "odd key": nil})
	session := exactSession(t, s)

	for name, want := range map[string]string{"list": "[a b]", "nil": "[]", "wrapped": "[]"} {
		if res, err := diptych.Call[[]string](t.Context(), session, name, nil); err != nil || fmt.Sprint(res.Value) != want || res.Value == nil {
			t.Errorf("%s: %#v, %v", name, res.Value, err)
		}
	}
	if res, err := diptych.Call[int](t.Context(), session, "number", nil); err != nil || res.Value != 17 {
		t.Errorf("number: %v, %v", res.Value, err)
	}
	if res, err := diptych.Call[map[string]int](t.Context(), session, "map", nil); err != nil || res.Value == nil {
		t.Errorf("map: %v, %v", res.Value, err)
	}
	if res, err := diptych.Call[bareRow](t.Context(), session, "row", nil); err != nil || res.Value.Next.Tags == nil {
		t.Errorf("row: %+v, %v", res.Value, err)
	}
	if res, err := diptych.Call[[]bareRow](t.Context(), session, "rows", nil); err != nil || len(res.Value) != len(rows) || res.Value[299].Odd["k"] == nil {
		t.Errorf("rows: %d, %v", len(res.Value), err)
	}
	for name, want := range map[string]string{"lie": "[0]: got number, want string\n[1]: got null, want string", "nobody": "got object, want array"} {
		_, err := diptych.Call[[]string](t.Context(), session, name, nil)
		if m, ok := errors.AsType[*diptych.Mismatch](err); !ok || !strings.Contains(m.Error(), want) && name == "lie" {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := diptych.Call[bareRow](t.Context(), session, "nobody", nil); err == nil || !strings.Contains(err.Error(), "name: got null, want string") {
		t.Errorf("nobody: %v", err)
	}
	if res, err := diptych.Call[*big.Int](t.Context(), session, "number", nil); err != nil || res.Value.Int64() != 17 {
		t.Errorf("big: %v, %v", res.Value, err)
	}
}

type Observation struct {
	Station  string   `json:"station"`
	Humidity float64  `json:"humidity" minimum:"0" maximum:"100"`
	Tags     []string `json:"tags,omitempty"`
}

// TestValue reads raw JSON with a check of what json.Unmarshal lets pass.
func TestValue(t *testing.T) {
	good := diptych.JSON[Observation](`{"station":"a","humidity":62.0,"more":1}`)
	if v, err := good.Value(); err != nil || v.Humidity != 62 {
		t.Errorf("%+v, %v", v, err)
	}
	if v, err := diptych.JSON[[]int](`[1, 2]`).Value(); err != nil || len(v) != 2 {
		t.Errorf("%v, %v", v, err)
	}
	for doc, want := range map[string]string{
		`{"station":"a"}`:                            "result of JSON does not match Observation: humidity: required but missing",
		`{"station":"a","humidity":620}`:             "humidity: must be at most 100",
		`{"station":"a","humidity":62,"humidity":1}`: "humidity: duplicate key",
		`{"station":"a","humidity":62`:               "does not match Observation",
		``:                                           "holds no JSON",
		`{"station":"a","humidity":62,"tags":null}`: "tags: got null, want array",
	} {
		v, err := diptych.JSON[Observation](doc).Value()
		if err == nil || !strings.Contains(err.Error(), want) || v.Station != "" {
			t.Errorf("%s: %+v, %v", doc, v, err)
		}
	}
	if _, err := diptych.JSON[[]int](`{"result":[1]}`).Value(); err == nil {
		t.Error("a wrapper is taken for the value")
	}
	_, h, err := diptych.New(&mcp.Tool{Name: "f"}, func(context.Context, struct{}) (Observation, error) {
		return diptych.JSON[Observation](`{"station":"a"}`).Value()
	}, quiet)
	must(t, err)
	res, err := h(t.Context(), &mcp.CallToolRequest{Params: &mcp.CallToolParamsRaw{}})
	must(t, err)
	if got, want := texts(res), "Error executing tool f: the tool ran, but its result does not match Observation: humidity: required but missing"; got != want {
		t.Errorf("answered %s, want %s", got, want)
	}
}
