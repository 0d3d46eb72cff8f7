package data_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych"
	"github.com/diptych-mcp/diptych/data"
)

// eras are the protocol revisions that a client is tried with: the newest, which discovers, and one that initializes.
var eras = []string{"2026-07-28", "2025-11-25"}

func newServer() *mcp.Server {
	return mcp.NewServer(&mcp.Implementation{Name: "test", Version: "1"}, &mcp.ServerOptions{PageSize: 2})
}

func connect(t *testing.T, s *mcp.Server, era string) (*mcp.ClientSession, error) {
	t.Helper()
	here, there := mcp.NewInMemoryTransports()
	go func() { _ = s.Run(t.Context(), there) }()
	c := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	session, err := c.Connect(t.Context(), here, &mcp.ClientSessionOptions{ProtocolVersion: era})
	if err == nil {
		t.Cleanup(func() { _ = session.Close() })
	}
	return session, err
}

func connected(t *testing.T, s *mcp.Server, era string) *mcp.ClientSession {
	t.Helper()
	session, err := connect(t, s, era)
	if err != nil {
		t.Fatal(err)
	}
	return session
}

func listed(t *testing.T, session *mcp.ClientSession) []string {
	t.Helper()
	names := []string{}
	for tool, err := range session.Tools(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, tool.Name)
	}
	return names
}

func call(t *testing.T, session *mcp.ClientSession, name string) *mcp.CallToolResult {
	t.Helper()
	res, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: name, Arguments: map[string]any{}})
	if err != nil {
		t.Fatal(err)
	}
	return res
}

func textOf(res *mcp.CallToolResult) string {
	var texts []string
	for _, c := range res.Content {
		if text, ok := c.(*mcp.TextContent); ok {
			texts = append(texts, text.Text)
		}
	}
	return strings.Join(texts, "|")
}

func jsonOf(t *testing.T, v any) string {
	t.Helper()
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

type none = struct{}

func good(context.Context, none) (data.Result, error) {
	return data.NewResult("One thing.", data.Source{URL: "https://example.org/d"}, data.Meta{"k": "v"}), nil
}

// The documentation's own data tool, as its vectors have it.
func TestListCities(t *testing.T) {
	raw, err := os.ReadFile("testdata/list_cities.json")
	if err != nil {
		t.Fatal(err)
	}
	var c struct {
		Tool, Description   string
		Structured, Content json.RawMessage
		SchemaContains      map[string]any `json:"schema_contains"`
	}
	if err := json.Unmarshal(raw, &c); err != nil {
		t.Fatal(err)
	}
	type city struct {
		City       string
		Population int `json:",string"`
	}
	listCities := func(context.Context, none) (data.Result, error) {
		table := data.TableOf([]city{{"Tokyo", 37400068}, {"Delhi", 30290936}, {"Shanghai", 27058479}})
		return data.NewResult(data.Text(table, data.Lead("The 3 most populated cities are")), data.Source{URL: "https://example.org/cities-data"}, table), nil
	}
	for _, era := range eras {
		s := newServer()
		if err := data.Add(data.NewRegistry(s), &mcp.Tool{Name: c.Tool, Description: c.Description}, listCities); err != nil {
			t.Fatal(err)
		}
		session := connected(t, s, era)
		tools, err := session.ListTools(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		schema, _ := tools.Tools[0].OutputSchema.(map[string]any)
		for key, want := range c.SchemaContains {
			if diff := cmp.Diff(want, schema[key]); diff != "" {
				t.Errorf("%s: schema %s (-want +got)\n%s", era, key, diff)
			}
		}
		res := call(t, session, c.Tool)
		if diff := cmp.Diff(compact(t, c.Structured), jsonOf(t, res.StructuredContent)); diff != "" {
			t.Errorf("%s: structured (-want +got)\n%s", era, diff)
		}
		if diff := cmp.Diff(compact(t, c.Content), jsonOf(t, res.Content)); diff != "" {
			t.Errorf("%s: content (-want +got)\n%s", era, diff)
		}
	}
}

func compact(t *testing.T, raw []byte) string {
	t.Helper()
	var b bytes.Buffer
	if err := json.Compact(&b, raw); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestBreachIsAToolError(t *testing.T) {
	s := newServer()
	var log bytes.Buffer
	r := data.NewRegistry(s, data.Logger(slog.New(slog.NewTextHandler(&log, nil))))
	add := func(name string, fn diptych.Func[none, data.Result]) {
		if err := data.Add(r, &mcp.Tool{Name: name}, fn); err != nil {
			t.Fatal(err)
		}
	}
	add("breach", func(context.Context, none) (data.Result, error) {
		return data.NewResult("secret words", data.Source{URL: "javascript:secret"}, data.NewTable([]string{"A", "A"}), data.Force("secret")), nil
	})
	add("shapeless", func(context.Context, none) (data.Result, error) {
		return data.NewResult("secret words", data.Source{URL: "https://example.org/"}, data.TableOf([]struct{ a, b int }{{1, 2}})), nil
	})
	add("zero", func(context.Context, none) (data.Result, error) { return data.Result{}, nil })
	add("panics", func(context.Context, none) (data.Result, error) { panic("secret") })
	add("fails", func(context.Context, none) (data.Result, error) {
		return data.Result{}, diptych.Errorf("no such year; ask for 2020 to 2025")
	})
	session := connected(t, s, eras[0])
	for name, want := range map[string]string{
		"breach": "Error executing tool breach: the tool ran, but its result does not match DataToolOutput:\n" +
			"sources[0]: scheme javascript is refused\ntable[0][1]: a header given twice",
		"zero": "Error executing tool zero: the tool ran, but its result does not match DataToolOutput:\n" +
			"content: no text\nsources: empty",
		"shapeless": "Error executing tool shapeless: the tool ran, but its result does not match DataToolOutput:" +
			" table: rows of struct { a int; b int } have no columns",
		"panics": "Error executing tool panics",
		"fails":  "Error executing tool fails: no such year; ask for 2020 to 2025",
	} {
		log.Reset()
		res := call(t, session, name)
		if got := textOf(res); got != want || !res.IsError || res.StructuredContent != nil {
			t.Errorf("%s: got %q, isError %v, structured %v", name, got, res.IsError, res.StructuredContent)
		}
		if n := strings.Count(log.String(), "\n"); n != 1 {
			t.Errorf("%s: %d records, want 1:\n%s", name, n, &log)
		}
		if remedy := "content: no text; say in words what the data says; sources: empty; name at least one source"; name == "zero" && !strings.Contains(log.String(), remedy) {
			t.Errorf("the author's log has no remedy: %s", &log)
		}
	}
}

const demanding = `{"type":"object","required":["sources"],"properties":{"sources":{"type":"array","minItems":1}}}`

// marker is the text of foreign results, which must not be shown when they are refused.
const marker = "forty-two things"

func foreign(structured string) mcp.ToolHandler {
	return func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		res := &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: marker}}}
		if structured != "" {
			res.StructuredContent = json.RawMessage(structured)
		}
		return res, nil
	}
}

func tool(name, output string) *mcp.Tool {
	t := &mcp.Tool{Name: name, InputSchema: json.RawMessage(`{"type":"object"}`)}
	if output != "" {
		t.OutputSchema = json.RawMessage(output)
	}
	return t
}

const sourced = `{"sources":["https://example.org/d"]}`

// What does not demand sources is in no list, cannot be called, is named once in the log and listed by Refused.
func TestForeignTools(t *testing.T) {
	refused := map[string]string{
		"no_schema":         ``,
		"open":              `{"type":"object"}`,
		"optional":          `{"type":"object","properties":{"sources":{"type":"array","minItems":1}}}`,
		"may_be_empty":      `{"type":"object","required":["sources"],"properties":{"sources":{"type":"array"}}}`,
		"may_be_null":       `{"type":"object","required":["sources"],"properties":{"sources":{"type":["array","null"],"minItems":1}}}`,
		"either":            `{"type":"object","anyOf":[` + demanding + `,{"required":["error"]},{"maxProperties":0}]}`,
		"of_another_kind":   `{"type":"object","required":["result"],"properties":{"result":{"type":"string"}}}`,
		"unless_a_table":    `{"type":"object","anyOf":[` + demanding + `,{"required":["table"]}]}`,
		"refers_to_nothing": `{"type":"object","$ref":"#/$defs/absent"}`,
		"refers_to_itself":  `{"$ref":"#"}`,
	}
	admitted := map[string]string{
		"plain":      demanding,
		"by_ref":     `{"type":"object","$ref":"#/$defs/d","$defs":{"d":` + demanding + `}}`,
		"by_all_of":  `{"type":"object","allOf":[` + demanding + `]}`,
		"all_parts":  `{"type":"object","required":["sources","table","charts","force"],"properties":{"sources":{"minItems":1,"items":{"type":"object"},"type":"array"}}}`,
		"is_foreign": `{"type":"object","required":["sources"],"properties":{"sources":{"type":"array","contains":{"type":"string"}}}}`,
	}
	for _, era := range eras {
		s := newServer()
		var log bytes.Buffer
		r := data.NewRegistry(s, data.Logger(slog.New(slog.NewTextHandler(&log, nil))))
		for name, schema := range refused {
			for range 2 { // a second try is not a second warning
				err := r.AddTool(tool(name, schema), foreign(sourced))
				var e *data.RefusedError
				if !errors.As(err, &e) || e.Tool != name || !strings.Contains(e.Error(), "; ") {
					t.Errorf("%s: got %v", name, err)
				}
			}
		}
		for name, schema := range admitted {
			if err := r.AddTool(tool(name, schema), foreign(sourced)); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		session := connected(t, s, era)
		names := listed(t, session)
		if len(names) != len(admitted) {
			t.Errorf("%s: listed %v", era, names)
		}
		for _, name := range names {
			if name == "all_parts" {
				continue // whose results are others
			}
			if res := call(t, session, name); res.IsError || jsonOf(t, res.StructuredContent) != sourced {
				t.Errorf("%s %s: %s", era, name, textOf(res))
			}
		}
		for name := range refused {
			if _, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: name}); err == nil || !strings.Contains(err.Error(), "unknown tool") {
				t.Errorf("%s %s: called, got %v", era, name, err)
			}
			if n := strings.Count(log.String(), "level=WARN msg=\"data tool refused\" tool="+name+" "); n != 1 {
				t.Errorf("%s %s: warned of %d times", era, name, n)
			}
		}
		if got := len(r.Refused()); got != len(refused) {
			t.Errorf("%s: %d refused, want %d", era, got, len(refused))
		}
	}
}

// Results of foreign tools are checked each time.
func TestForeignResults(t *testing.T) {
	handlers := map[string]struct {
		handler mcp.ToolHandler
		want    string // in the text; empty: the result passes
	}{
		"good":        {foreign(sourced), ""},
		"digits_stay": {foreign(`{"sources":["https://example.org/d"],"table":[["A"],[1.10]]}`), ""},
		"bad_source":  {foreign(`{"sources":["/relative"]}`), "sources[0]: not an http or https URL"},
		"more":        {foreign(`{"sources":["https://example.org/d"],"secret":1}`), "secret: no part of a data tool's result"},
		"nothing":     {foreign(""), "no structured content"},
		"wordless": {func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return &mcp.CallToolResult{StructuredContent: json.RawMessage(sourced)}, nil
		}, "content: no text"},
		"a_map": {func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: marker}},
				StructuredContent: map[string]any{"sources": []string{"https://example.org/?a=1&b=2"}}}, nil
		}, ""},
		"nil":    {func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) { return nil, nil }, "neither a value nor an error"},
		"panics": {func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) { panic("secret") }, "Error executing tool panics"},
		"masked": {func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return nil, errors.New("secret")
		}, "Error executing tool masked"},
		"error_with_data": {func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: "no such city"}},
				StructuredContent: json.RawMessage(`{"secret":1}`)}, nil
		}, "no such city"},
	}
	s := newServer()
	r := data.NewRegistry(s, data.Logger(slog.New(slog.DiscardHandler)))
	for name, h := range handlers {
		if err := r.AddTool(tool(name, demanding), h.handler); err != nil {
			t.Fatal(err)
		}
	}
	session := connected(t, s, eras[0])
	for name, h := range handlers {
		res := call(t, session, name)
		text := textOf(res)
		if h.want == "" {
			if res.IsError || text != marker || res.StructuredContent == nil {
				t.Errorf("%s: refused: %s", name, text)
			}
			continue
		}
		if !res.IsError || res.StructuredContent != nil || !strings.Contains(text, h.want) {
			t.Errorf("%s: got isError %v, structured %v, text %s", name, res.IsError, res.StructuredContent, text)
		}
		if strings.Contains(text, marker) {
			t.Errorf("%s: the refused result is shown: %s", name, text)
		}
	}
}

func TestAddRefusesMistakes(t *testing.T) {
	s := newServer()
	r := data.NewRegistry(s)
	given := &mcp.Tool{Name: "good", OutputSchema: json.RawMessage(`{"type":"object"}`)}
	if err := data.Add(r, given, good); err != nil {
		t.Fatal(err)
	}
	if string(given.OutputSchema.(json.RawMessage)) != `{"type":"object"}` {
		t.Error("the author's tool was modified")
	}
	for name, err := range map[string]error{
		"added twice":              data.Add(r, &mcp.Tool{Name: "good"}, good),
		"added twice; give each":   r.AddTool(tool("good", demanding), foreign(sourced)),
		"the tool or its function": data.Add[none](r, &mcp.Tool{Name: "n"}, nil),
		"is nil; give both":        data.Add(r, nil, good),
		"name":                     data.Add(r, &mcp.Tool{Name: "has spaces"}, good),
		"function is nil":          r.AddTool(nil, nil),
		"the server is nil":        data.Add(data.NewRegistry(nil), &mcp.Tool{Name: "n"}, good),
		`input`:                    data.Add(r, &mcp.Tool{Name: "m"}, func(context.Context, int) (data.Result, error) { return data.Result{}, nil }),
	} {
		if err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: got %v", name, err)
		}
	}
	// A tool that failed to be added may be added again.
	if err := data.Add(r, &mcp.Tool{Name: "m"}, good); err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff([]string{"good", "m"}, listed(t, connected(t, s, eras[0]))); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestOptionsPassThrough(t *testing.T) {
	s := newServer()
	r := data.NewRegistry(s, data.Logger(slog.New(slog.DiscardHandler)), data.Timeout(time.Hour))
	slow := func(ctx context.Context, _ none) (data.Result, error) {
		<-ctx.Done()
		return data.Result{}, ctx.Err()
	}
	if err := data.Add(r, &mcp.Tool{Name: "slow"}, slow, data.Timeout(time.Millisecond)); err != nil {
		t.Fatal(err)
	}
	if err := data.Add(r, &mcp.Tool{Name: "good"}, good); err != nil {
		t.Fatal(err)
	}
	session := connected(t, s, eras[0])
	if got := textOf(call(t, session, "slow")); !strings.Contains(got, "timed out") {
		t.Errorf("got %q", got)
	}
	if got := call(t, session, "good"); got.Meta["k"] != "v" {
		t.Errorf("meta %v", got.Meta)
	}
}
