package host

import (
	"encoding/json"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych/data"
)

func TestWithoutNulls(t *testing.T) {
	for in, want := range map[string]string{
		`{"sources":["https://a.example/"],"table":null,"charts":null,"force":null}`:                      `{"sources":["https://a.example/"]}`,
		`{"force":null,"sources":[{"url":"https://a.example/","publisher":null}],"table":[["n"],[1.10]]}`: `{"sources":[{"url":"https://a.example/"}],"table":[["n"],[1.10]]}`,
		`{"sources":["https://a.example/x|y?z={1}"],"table":[["n"],[12345678901234567890],[null]]}`:       `{"sources":["https://a.example/x%7Cy?z=%7B1%7D"],"table":[["n"],[12345678901234567890],[null]]}`,
		`{"sources":[{"url":"https://a.example/x y"}]}`:                                                   `{"sources":[{"url":"https://a.example/x%20y"}]}`,
		`{"sources":"x"}`: `{"sources":"x"}`, `[1]`: `[1]`, `{`: `{`,
	} {
		if got := string(withoutNulls(json.RawMessage(in))); got != want {
			t.Errorf("%s:\n got %s\nwant %s", in, got, want)
		}
	}
	for _, hostile := range []string{`{"sources":["https://a|b.example/"]}`, `{"sources":["javascript:alert(1)"]}`, `{"sources":["https://user:p|w@a.example/"]}`, `{"sources":null}`} {
		if plain := withoutNulls(json.RawMessage(hostile)); data.Check(plain) == nil {
			t.Errorf("%s became %s", hostile, plain)
		}
	}
}

// An answer as a server in Python writes it is drawn, and is kept as it came.
func TestNullsAreAbsent(t *testing.T) {
	const answer = `{"sources":[{"url":"https://a.example/x|y","publisher":null}],"table":null}`
	got := (Tool{Data: true}).read(&mcp.CallToolResult{Content: texts(1), StructuredContent: json.RawMessage(answer)}, defaultMaxResult)
	if got.IsError || !got.Drawable || string(got.Structured) != answer || string(got.Panel) != `{"sources":[{"url":"https://a.example/x%7Cy"}]}` {
		t.Errorf("%+v", got)
	}
	got = (Tool{Data: true}).read(&mcp.CallToolResult{Content: texts(1), StructuredContent: json.RawMessage(`{"sources":null}`)}, defaultMaxResult)
	if !got.IsError {
		t.Errorf("an answer without sources: %+v", got)
	}
}

// A model reads structured content of a server alone that the operator named, and where there is nothing else.
func TestTextFromStructured(t *testing.T) {
	answer := func(content []mcp.Content) *mcp.CallToolResult {
		return &mcp.CallToolResult{Content: content, StructuredContent: json.RawMessage(`{"n":12345678901234567890}`)}
	}
	if got := (Tool{}).read(answer(nil), defaultMaxResult); len(got.Blocks) != 0 {
		t.Errorf("unnamed: %+v", got.Blocks)
	}
	named := Tool{TextFromStructured: true}
	if got := named.read(answer(nil), defaultMaxResult); len(got.Blocks) != 1 || got.Blocks[0].Text != `{"n":12345678901234567890}` || got.Note == "" {
		t.Errorf("named: %+v", got)
	}
	if got := named.read(answer(texts(1)), defaultMaxResult); len(got.Blocks) != 1 || got.Blocks[0].Text != "t" {
		t.Errorf("with content: %+v", got.Blocks)
	}
	servers, err := parseServers([]byte(`{"mcpServers":{"a":{"command":"x"},"b":{"command":"y"}},"textFromStructured":["b"]}`))
	if err != nil || servers[0].TextFromStructured || !servers[1].TextFromStructured {
		t.Errorf("%+v, %v", servers, err)
	}
	tools, _ := Server{ID: "b", AllowWithoutSources: true, TextFromStructured: true}.screen([]*mcp.Tool{{Name: "t", InputSchema: json.RawMessage(`{"type":"object"}`)}})
	if !tools[0].TextFromStructured || tools[0].Note == "" {
		t.Errorf("%+v", tools[0])
	}
	for _, wrong := range []string{`["c"]`, `["b__t"]`} {
		if _, err := parseServers([]byte(`{"mcpServers":{"b":{"command":"y"}},"textFromStructured":` + wrong + `}`)); err == nil {
			t.Errorf("%s is read", wrong)
		}
	}
}
