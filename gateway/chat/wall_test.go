package chat

// The proof of the wall: a real MCP server whose results hold a mark in every place that no model may read, and both model
// clients, whose server keeps every byte that it is sent.

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych/gateway/host"
	"github.com/diptych-mcp/diptych/gateway/internal/watchdog"
	"github.com/diptych-mcp/diptych/gateway/model"
	"github.com/diptych-mcp/diptych/gateway/model/anthropic"
	"github.com/diptych-mcp/diptych/gateway/model/openai"
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

// A listener is a model's server: it keeps what a client sends, and asks for tools or ends at random.
type listener struct {
	*rand.Rand
	answer func(calls []string) string // in the client's format
	bodies [][]byte
}

func (l *listener) RoundTrip(req *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(req.Body)
	if err != nil {
		return nil, err
	}
	l.bodies = append(l.bodies, body)
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {"text/event-stream"}}, Request: req,
		Body: io.NopCloser(strings.NewReader(l.answer(l.calls())))}, nil
}

// calls are the tools that are asked for next; none ends the run.
func (l *listener) calls() []string {
	var calls []string
	for range l.IntN(3) {
		calls = append(calls, "liar__"+[]string{"data", "typed", "plain"}[l.IntN(3)])
	}
	return calls
}

// likeOpenAI is a stream in the format of OpenAI.
func likeOpenAI(calls []string) string {
	var asked []string
	for i, name := range calls {
		asked = append(asked, fmt.Sprintf(`{"index":%d,"id":"c%d","type":"function","function":{"name":%q,"arguments":"{}"}}`, i, i, name))
	}
	reason := "stop"
	if len(calls) > 0 {
		reason = "tool_calls"
	}
	return fmt.Sprintf("data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"let me see \",\"tool_calls\":[%s]}}]}\n\n"+
		"data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":%q}]}\n\ndata: [DONE]\n\n", strings.Join(asked, ","), reason)
}

// likeAnthropic is a stream in the format of Anthropic.
func likeAnthropic(calls []string) string {
	var b strings.Builder
	say := func(kind, rest string) { fmt.Fprintf(&b, "event: %s\ndata: {\"type\":%q%s}\n\n", kind, kind, rest) }
	say("message_start", `,"message":{"id":"m","type":"message","role":"assistant","model":"x","content":[],"stop_reason":null,"usage":{"input_tokens":1,"output_tokens":1}}`)
	say("content_block_start", `,"index":0,"content_block":{"type":"text","text":""}`)
	say("content_block_delta", `,"index":0,"delta":{"type":"text_delta","text":"let me see "}`)
	say("content_block_stop", `,"index":0`)
	reason := "end_turn"
	for i, name := range calls {
		reason = "tool_use"
		say("content_block_start", fmt.Sprintf(`,"index":%d,"content_block":{"type":"tool_use","id":"toolu_%d","name":%q,"input":{}}`, i+1, i, name))
		say("content_block_delta", fmt.Sprintf(`,"index":%d,"delta":{"type":"input_json_delta","partial_json":"{}"}`, i+1))
		say("content_block_stop", fmt.Sprintf(`,"index":%d`, i+1))
	}
	say("message_delta", fmt.Sprintf(`,"delta":{"stop_reason":%q},"usage":{"output_tokens":2}`, reason))
	say("message_stop", "")
	return b.String()
}

// clients are both model clients, and how their server answers.
var clients = map[string]struct {
	answer func([]string) string
	client func(http.RoundTripper) (model.Model, error)
}{
	"openai": {likeOpenAI, func(line http.RoundTripper) (model.Model, error) {
		return openai.New(openai.Config{Model: "x", BaseURL: "http://127.0.0.1:1/v1", Images: true, Transport: line})
	}},
	"anthropic": {likeAnthropic, func(line http.RoundTripper) (model.Model, error) {
		return anthropic.New(anthropic.Config{Model: "x", BaseURL: "http://127.0.0.1:1", Key: "k", Transport: line})
	}},
}

func TestWall(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	for name, c := range clients {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			line := &listener{Rand: rand.New(rand.NewPCG(seed, 2)), answer: c.answer}
			m, err := c.client(line)
			if err != nil {
				t.Fatal(err)
			}
			wall(t, m, line, &liar{Rand: rand.New(rand.NewPCG(seed, 1))})
		})
	}
}

// wall runs a model with lying tools, and looks for the mark in every byte that the model's server was sent.
func wall(t *testing.T, m model.Model, line *listener, l *liar) {
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
	watchdog.Start(t, 4*watchdog.Limit) // a thousand runs
	b := openOn(t, newMemory(), Config{Model: m, Tools: h, Rounds: 3})
	var read, seen, shown int
	for i := range runs {
		if i%3 == 0 { // conversations of three runs: what is remembered is read too
			c, err := b.cfg.Store.CreateConversation(t.Context(), "ann", "")
			if err != nil {
				t.Fatal(err)
			}
			b.talk = c.ID
		}
		r := b.ask("go")
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
			if fault, ok := e.(*Error); ok && fault.Fault != RoundsFault {
				t.Fatalf("run %d: %+v", i, fault)
			}
		}
		for _, body := range line.bodies {
			read++
			seen += strings.Count(string(body), visible)
			if strings.Contains(string(body), mark) || strings.Contains(decoded(body), mark) {
				t.Fatalf("run %d: the model's server was sent %s", i, body)
			}
		}
		line.bodies = nil
	}
	t.Logf("%d requests with %d visible marks, %d results, %d events with the mark for the screen", read, seen, l.made, shown)
	if l.made < runs/2 || seen < runs || shown < runs/2 {
		t.Error("the test saw too little")
	}
}

var base64Text = regexp.MustCompile(`[A-Za-z0-9+/]{12,}={0,2}`)

// decoded is what a body has in base64.
func decoded(body []byte) string {
	var b strings.Builder
	for _, text := range base64Text.FindAll(body, -1) {
		if raw, err := base64.StdEncoding.DecodeString(string(text)); err == nil {
			b.Write(raw)
		}
	}
	return b.String()
}
