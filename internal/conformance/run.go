package conformance

import (
	"bytes"
	"encoding/json"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych"
	"github.com/diptych-mcp/diptych/internal/wiretest"
)

// Run checks a server against the documentation's cases for its tools, byte by byte, over stdio and HTTP, to clients of both
// protocol eras. The server must publish these tools and no other.
func Run(t *testing.T, add func(*mcp.Server) error, tools ...string) {
	cases, err := Cases(tools...)
	if err != nil {
		t.Fatal(err)
	}
	server := mcp.NewServer(&mcp.Implementation{Name: "conformance", Version: "1.0.0"}, nil)
	if err := add(server); err != nil {
		t.Fatal(err)
	}
	web := httptest.NewServer(diptych.Handler(server))
	t.Cleanup(web.Close)
	for _, revision := range []string{wiretest.Modern, wiretest.Legacy} {
		t.Run("http "+revision, func(t *testing.T) {
			check(t, wiretest.HTTP(web.URL, revision), cases)
		})
		t.Run("stdio "+revision, func(t *testing.T) {
			peer, err := wiretest.Pipe(t.Context(), server, revision)
			if err != nil {
				t.Fatal(err)
			}
			check(t, peer, cases)
		})
	}
}

func check(t *testing.T, peer *wiretest.Peer, cases []Case) {
	published, err := peer.Tools(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range published {
		if !slices.ContainsFunc(cases, func(c Case) bool { return c.Tool == tool.Name }) {
			t.Errorf("tool %s is published, but no case of the documentation is about it", tool.Name)
		}
		for _, hint := range []string{"readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"} {
			if _, ok := tool.Annotations[hint]; !ok {
				t.Errorf("tool %s does not say %s", tool.Name, hint)
			}
		}
	}
	for _, c := range cases {
		t.Run(c.Tool, func(t *testing.T) {
			i := slices.IndexFunc(published, func(tool wiretest.Tool) bool { return tool.Name == c.Tool })
			if i < 0 {
				t.Fatal("the tool is not published")
			}
			c.CheckTool(t, published[i])
			res, err := peer.Call(t.Context(), c.Tool, c.Arguments)
			if err != nil {
				t.Fatal(err)
			}
			c.CheckResult(t, res)
		})
	}
}

// CheckTool compares what is published with what the case expects.
func (c Case) CheckTool(t *testing.T, tool wiretest.Tool) {
	t.Helper()
	if c.Description != "" && tool.Description != c.Description {
		t.Errorf("description is %q, want %q", tool.Description, c.Description)
	}
	same(t, "input schema", tool.InputSchema, c.InputSchema)
	same(t, "output schema", tool.OutputSchema, c.Schema)
	if c.SchemaContains != nil {
		contains(t, tool.OutputSchema, c.SchemaContains)
	}
}

// CheckResult compares both panels with what the case expects.
func (c Case) CheckResult(t *testing.T, res wiretest.Result) {
	t.Helper()
	if res.IsError != c.IsError {
		t.Errorf("isError is %v, want %v", res.IsError, c.IsError)
	}
	same(t, "structured content", res.StructuredContent, c.Structured)
	var got []Block
	var text strings.Builder
	for _, b := range res.Content {
		got = append(got, Block(b))
		text.WriteString(b.Text)
	}
	if len(got) == 0 {
		t.Error("content is empty")
	}
	if diff := cmp.Diff(c.Content, got); c.Content != nil && diff != "" {
		t.Errorf("content (-want +got):\n%s", diff)
	}
	for _, part := range c.ContentContains {
		if !strings.Contains(text.String(), part) {
			t.Errorf("content %q lacks %q", text.String(), part)
		}
	}
	for _, part := range c.ContentLacks {
		if strings.Contains(text.String(), part) {
			t.Errorf("content %q gives away %q", text.String(), part)
		}
	}
}

// same compares bytes, save for white space between tokens.
func same(t *testing.T, what string, got, want json.RawMessage) {
	t.Helper()
	if want == nil {
		return
	}
	if string(want) == "null" {
		if got != nil {
			t.Errorf("%s is %s, want none", what, got)
		}
		return
	}
	if diff := cmp.Diff(compact(t, want), compact(t, got)); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

func compact(t *testing.T, raw json.RawMessage) string {
	t.Helper()
	if raw == nil {
		return "none"
	}
	var b bytes.Buffer
	if err := json.Compact(&b, raw); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// contains compares the members that want has.
func contains(t *testing.T, got, want json.RawMessage) {
	t.Helper()
	var g, w map[string]any
	for raw, dst := range map[*json.RawMessage]*map[string]any{&got: &g, &want: &w} {
		if err := json.Unmarshal(*raw, dst); err != nil {
			t.Fatal(err)
		}
	}
	for name, value := range w {
		if diff := cmp.Diff(value, g[name]); diff != "" {
			t.Errorf("output schema, %s (-want +got):\n%s", name, diff)
		}
	}
}
