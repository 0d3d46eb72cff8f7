package chat

// The proof of the wall: real MCP servers whose results hold a mark in every place that no model may read, and a model
// that keeps every byte it is given.

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych/gateway/host"
	"github.com/diptych-mcp/diptych/gateway/model"
)

const (
	mark    = "SENTINEL"     // in every place that no model reads
	visible = "FOR-THE-EYES" // in every place that a model reads
)

// A liar makes results at random.
type liar struct {
	*rand.Rand
	made int // results with a mark in them
}

func (l *liar) chance(percent int) bool { return l.IntN(100) < percent }

// word is the mark in one of the forms that text takes.
func (l *liar) word() string { return fmt.Sprintf("%s-%d", mark, l.IntN(1000)) }

// panel is structured content with the mark in every text of it.
func (l *liar) panel() map[string]any {
	cell := func() any {
		if l.chance(30) {
			return l.IntN(1000)
		}
		return l.word()
	}
	p := map[string]any{"sources": []any{"https://example.org/" + l.word(), map[string]any{
		"url": "https://example.org/" + l.word(), "title": l.word(), "publisher": l.word(), "license": l.word()}}}
	if l.chance(80) {
		rows := []any{[]any{l.word() + "a", l.word() + "b"}}
		for range l.IntN(4) {
			rows = append(rows, []any{cell(), cell()})
		}
		p["table"] = rows
	}
	if l.chance(60) {
		p["charts"] = []any{map[string]any{"type": "bar", "alt": l.word(), "data": map[string]any{
			"labels": []any{l.word()}, "datasets": []any{map[string]any{"label": l.word(), "data": []any{l.IntN(100)}}}}}}
	}
	if l.chance(70) {
		p["force"] = l.word()
	}
	switch l.IntN(12) { // what breaks the rules, with the mark where an error might quote it
	case 0:
		p[l.word()] = l.word()
	case 1:
		p["sources"] = []any{"javascript:" + l.word()}
	case 2:
		p["table"] = []any{[]any{l.word()}, []any{map[string]any{l.word(): l.word()}}}
	case 3:
		p["charts"] = []any{map[string]any{"type": l.word(), l.word(): l.word()}}
	case 4:
		delete(p, "sources")
	}
	return p
}

func (l *liar) meta() mcp.Meta { return mcp.Meta{l.word(): map[string]any{l.word(): []any{l.word()}}} }

func (l *liar) result() *mcp.CallToolResult {
	l.made++
	res := &mcp.CallToolResult{Meta: l.meta(), IsError: l.chance(10)}
	for range 1 + l.IntN(4) {
		note := &mcp.Annotations{Audience: []mcp.Role{mcp.Role(l.word())}}
		switch l.IntN(5) {
		case 0, 1:
			res.Content = append(res.Content, &mcp.TextContent{Text: visible, Meta: l.meta(), Annotations: note})
		case 2:
			res.Content = append(res.Content, &mcp.ImageContent{MIMEType: "image/png", Data: []byte(visible), Meta: l.meta(), Annotations: note})
		case 3:
			res.Content = append(res.Content, &mcp.ResourceLink{Name: visible, URI: "x:" + visible, Title: l.word(), Description: l.word(), Meta: l.meta(), Annotations: note})
		case 4:
			res.Content = append(res.Content, &mcp.EmbeddedResource{Meta: l.meta(), Annotations: note,
				Resource: &mcp.ResourceContents{URI: "x:" + visible, Text: visible, Meta: l.meta()}})
		}
	}
	if l.chance(95) {
		raw, err := json.Marshal(l.panel())
		if err != nil {
			panic(err)
		}
		res.StructuredContent = json.RawMessage(raw)
	}
	return res
}

// server publishes one tool that demands sources, one with a schema of its own and one with none.
func (l *liar) server() host.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "liar", Version: "1"}, nil)
	for name, output := range map[string]json.RawMessage{
		"data":  json.RawMessage(`{"type":"object","properties":{"sources":{"type":"array","minItems":1}},"required":["sources"]}`),
		"typed": json.RawMessage(`{"type":"object","properties":{"table":{"type":"array","items":{"type":"array","items":{"type":["string","integer"]}}}},"additionalProperties":{"type":["array","string"]}}`),
		"plain": nil,
	} {
		t := &mcp.Tool{Name: name, InputSchema: json.RawMessage(`{"type":"object"}`), Meta: mcp.Meta{mark: mark}, Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true}}
		if output != nil {
			t.OutputSchema = output
		}
		s.AddTool(t, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) { return l.result(), nil })
	}
	return host.Server{ID: "liar", AllowWithoutSources: true, Transport: func() (mcp.Transport, error) {
		here, there := mcp.NewInMemoryTransports()
		_, err := s.Connect(context.Background(), there, nil)
		return here, err
	}}
}

func TestWall(t *testing.T) {
	const runs = 1200
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	l := &liar{Rand: rand.New(rand.NewPCG(seed, 1))}
	h, err := host.Open([]host.Server{l.server()}, host.Options{Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	if err := h.Ready(t.Context()); err != nil {
		t.Fatal(err)
	}
	if len(h.Tools()) != 3 {
		t.Fatalf("tools: %+v", h.Health())
	}
	turns := rand.New(rand.NewPCG(seed, 2))
	var seen, shown int
	m := &fakeModel{turn: func(_ context.Context, _ int, req model.Request, emit func(string) error) (model.Turn, error) {
		if n := len(req.Messages); req.Messages[n-1].Role == model.User || turns.IntN(3) == 0 && n < 40 {
			var turn model.Turn
			for range 1 + turns.IntN(2) {
				turn.Calls = append(turn.Calls, asks("liar__"+[]string{"data", "typed", "plain"}[turns.IntN(3)], `{}`).Calls...)
			}
			return turn, emit("let me see ")
		}
		return turnOf("done"), nil
	}}
	var b *bench
	for i := range runs {
		if i%4 == 0 { // conversations of four runs: what is remembered is read too
			if b == nil {
				b = open(t, Config{Model: m, Tools: h})
			}
			c, err := b.Store.CreateConversation(t.Context(), "ann", "")
			if err != nil {
				t.Fatal(err)
			}
			b.talk = c.ID
		}
		var r = b.ask("go")
		if i%7 == 6 {
			b.events(r)
			if r, err = b.RunTool(t.Context(), "ann", b.talk, "liar__data", nil); err != nil {
				t.Fatal(err)
			}
		}
		for _, e := range b.events(r) {
			if raw, err := compact(e); err == nil && strings.Contains(string(raw), mark) {
				shown++
			}
			if call, ok := e.(*ToolCall); ok && strings.Contains(call.Read, mark) {
				t.Fatalf("run %d: the panel of the model shows the mark: %s", i, call.Read)
			}
		}
		for _, req := range m.requests {
			if found := leak(req); found != "" {
				t.Fatalf("run %d: the model read %s", i, found)
			}
			for _, msg := range req.Messages {
				for _, p := range msg.Parts {
					seen += strings.Count(p.Text, visible)
				}
			}
		}
		m.requests = nil
	}
	if l.made < runs || seen < runs || shown < runs {
		t.Errorf("%d results, %d visible marks read by the model, %d events with the mark on the screen: the test saw too little", l.made, seen, shown)
	}
}

// leak returns the first thing in a request that holds the mark.
func leak(req model.Request) string {
	raw, err := json.Marshal(req)
	if err != nil {
		return err.Error()
	}
	if strings.Contains(string(raw), mark) {
		return string(raw)
	}
	for _, m := range req.Messages {
		for _, p := range m.Parts { // bytes are base64 in JSON
			if strings.Contains(string(p.Data), mark) {
				return string(p.Data)
			}
		}
	}
	return ""
}
