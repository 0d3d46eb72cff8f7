package host

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func TestScreen(t *testing.T) {
	open := json.RawMessage(`{"type":"object"}`)
	tool := func(name string, output json.RawMessage) *mcp.Tool {
		p := &mcp.Tool{Name: name, InputSchema: open}
		if output != nil {
			p.OutputSchema = output
		}
		return p
	}
	long := strings.Repeat("n", 90)
	s := Server{ID: "s", AllowedTools: []string{"allowed"}, Policy: Ask, Policies: map[string]Policy{"denied": Deny, "free": Allow}}
	loop := tool("loop", json.RawMessage(`{"$ref":"#"}`))
	bomb := tool("allowed", json.RawMessage(`{"$ref":"#"}`))
	strange := tool("free", json.RawMessage(demands))
	strange.InputSchema = json.RawMessage(`{"type":"object","properties":{"a":{"$ref":"http://127.0.0.1/x"}}}`)
	tools, refused := s.screen([]*mcp.Tool{
		tool("data", json.RawMessage(demands)), tool("data", json.RawMessage(demands)), tool("a.b", json.RawMessage(demands)), tool("a/b", json.RawMessage(demands)),
		tool(long, json.RawMessage(demands)), tool("", nil), tool("foreign", nil), tool("denied", json.RawMessage(demands)), loop, bomb, strange,
	})
	var got []string
	for _, t := range tools {
		got = append(got, fmt.Sprintf("%s %s %v %v %s", t.Name, t.Policy, t.Data, t.Input != nil, t.Note))
	}
	for _, r := range refused {
		got = append(got, "refused "+r.Tool+": "+r.Reason)
	}
	want := []string{
		"s__data ask true true ", "s__a_b_X ask true true ", "s__a_b_X ask true true ", "s__" + strings.Repeat("n", 52) + "_X ask true true ",
		"s__allowed ask false true no source given; its output schema cannot be used: …", "s__free allow true false its input schema cannot be used: …",
		"refused data: listed twice", "refused : it has no name", "refused foreign: it promises no sources: …", "refused denied: the operator does not allow it",
		"refused loop: it promises no sources: …",
	}
	const remedy = `; or add "s", or "s__foreign" for this tool alone, to allowWithoutSources in the file of --config`
	if !strings.HasSuffix(got[len(got)-3], remedy) {
		t.Errorf("got %q, want the remedy %q", got[len(got)-3], remedy)
	}
	if len(got) != len(want) {
		t.Fatalf("got %q", got)
	}
	seen := make(map[string]bool)
	for i := range want {
		prefix, _, _ := strings.Cut(want[i], "…")
		prefix, _, hashed := strings.Cut(prefix, "X")
		if !strings.HasPrefix(got[i], prefix) || hashed && (seen[got[i]] || len(strings.Fields(got[i])[0]) > maxName) {
			t.Errorf("got %q, want %q", got[i], want[i])
		}
		seen[got[i]] = true
	}
}

func TestHints(t *testing.T) {
	yes, no := true, false
	for _, c := range []struct {
		given *mcp.ToolAnnotations
		want  Hints
	}{
		{nil, Hints{Destructive: true, OpenWorld: true}},
		{&mcp.ToolAnnotations{}, Hints{Destructive: true, OpenWorld: true}},
		{&mcp.ToolAnnotations{ReadOnlyHint: true, DestructiveHint: &yes}, Hints{ReadOnly: true, OpenWorld: true}},
		{&mcp.ToolAnnotations{DestructiveHint: &no, OpenWorldHint: &no, IdempotentHint: true}, Hints{Idempotent: true}},
	} {
		if got := hints(c.given); got != c.want {
			t.Errorf("%+v: got %+v, want %+v", c.given, got, c.want)
		}
	}
}

func TestArguments(t *testing.T) {
	h := start(t, Options{}, spawn("s", "good"))
	for _, c := range []struct{ tool, given, want string }{
		{"s__data", `{"n":"12345678901234567890"}`, `{"n":12345678901234567890}`},
		{"s__data", ``, `{}`},
		{"s__data", `{"n":"secret"}`, "error arguments: n: got string, want integer"},
		{"s__data", `{`, "error arguments: not valid JSON"},
		{"s__none", `{}`, `error there is no tool "s__none"`},
	} {
		got, err := h.Arguments(c.tool, json.RawMessage(c.given))
		text := string(got)
		if err != nil {
			text = "error " + err.Error()
		}
		if text != c.want {
			t.Errorf("%s: got %s, want %s", c.given, text, c.want)
		}
	}
}
