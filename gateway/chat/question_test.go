package chat

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych/gateway/host"
	"github.com/diptych-mcp/diptych/gateway/store"
)

// asking is a tool that asks n things at once and answers with the replies.
func asking(n int) *fakeTools {
	tools := dataTool("x", panel)
	tools.call = func(ctx context.Context, _ string, _ json.RawMessage, callbacks host.Callbacks) (host.Result, error) {
		answers := make([]string, n)
		var wg sync.WaitGroup
		for i := range n {
			wg.Go(func() {
				a := callbacks.Ask(ctx, host.Question{Server: "s", Message: "Your name?", Fields: []host.Field{{Name: fmt.Sprint("f", i), Kind: host.TextField}}})
				answers[i] = string(a.Action)
			})
		}
		wg.Wait()
		if ctx.Err() != nil {
			return host.Result{}, ctx.Err()
		}
		return host.Result{Blocks: []host.Block{{Kind: host.Text, Text: strings.Join(answers, " ")}}}, nil
	}
	return tools
}

// asked waits for a run's n-th question.
func (b *bench) asked(r store.Run, n int) *Question {
	b.Helper()
	for e, err := range b.Follow(b.Context(), "ann", r.ID, 0) {
		if err != nil {
			b.Fatal(err)
		}
		if event, _ := Decode(e); e.Type == "question" {
			if q := event.(*Question); q.State == QuestionAsked {
				if n--; n == 0 {
					return q
				}
			}
		}
	}
	b.Fatal("nothing was asked")
	return nil
}

func TestQuestion(t *testing.T) {
	const secret = "a-secret"
	accepted := host.Answer{Action: host.Accept, Content: json.RawMessage(`{"f0":"` + secret + `"}`)}
	for name, c := range map[string]struct {
		user func(b *bench, r store.Run, q *Question)
		want []string // from the call on
	}{
		"accepted": {func(b *bench, r store.Run, q *Question) {
			if err := b.Reply(b.Context(), "bob", r.ID, q.ID, accepted); !errors.Is(err, store.ErrNotFound) {
				b.Errorf("another user answered: %v", err)
			}
			bad := host.Answer{Action: host.Accept, Content: json.RawMessage(`{"other":"` + secret + `"}`)}
			if err := b.Reply(b.Context(), "ann", r.ID, q.ID, bad); err == nil || err.Error() != "other: not asked for" {
				b.Errorf("a wrong answer: %v", err)
			}
			for _, id := range []string{"other", q.Call} {
				if err := b.Reply(b.Context(), "ann", r.ID, id, accepted); !errors.Is(err, ErrNotWaiting) {
					b.Errorf("an answer to nothing: %v", err)
				}
			}
			if err := b.Answer(b.Context(), "ann", r.ID, q.ID, true); !errors.Is(err, ErrNotWaiting) {
				b.Errorf("consent to a question: %v", err)
			}
			if err := b.Reply(b.Context(), "ann", r.ID, q.ID, host.Answer{Action: "perhaps"}); err == nil {
				b.Error("an action of no kind is taken")
			}
			answered := 0 // by two tabs at once
			var mu sync.Mutex
			var wg sync.WaitGroup
			for range 2 {
				wg.Go(func() {
					err := b.Reply(b.Context(), "ann", r.ID, q.ID, accepted)
					mu.Lock()
					defer mu.Unlock()
					if err == nil {
						answered++
					} else if !errors.Is(err, ErrNotWaiting) {
						b.Error(err)
					}
				})
			}
			if wg.Wait(); answered != 1 {
				b.Errorf("answered %d times", answered)
			}
		}, []string{"question asked", "question accepted", "call s__read answered", "sources 0 true", "text ok", "done answered"}},
		"declined": {func(b *bench, r store.Run, q *Question) {
			if err := b.Reply(b.Context(), "ann", r.ID, q.ID, host.Answer{Action: host.Decline, Content: json.RawMessage(`{"f0":"` + secret + `"}`)}); err != nil {
				b.Error(err)
			}
		}, []string{"question asked", "question declined", "call s__read answered", "sources 0 true", "text ok", "done answered"}},
		"cancelled": {func(b *bench, r store.Run, q *Question) {
			if err := b.Reply(b.Context(), "ann", r.ID, q.ID, host.Answer{Action: host.Cancel}); err != nil {
				b.Error(err)
			}
		}, []string{"question asked", "question cancelled", "call s__read answered", "sources 0 true", "text ok", "done answered"}},
		"expired": {func(*bench, store.Run, *Question) {}, []string{"question asked", "question expired", "call s__read answered", "sources 0 true", "text ok", "done answered"}},
		"stopped": {func(b *bench, r store.Run, q *Question) {
			if err := b.Stop(b.Context(), "ann", r.ID); err != nil {
				b.Error(err)
			}
			if err := b.Reply(b.Context(), "ann", r.ID, q.ID, accepted); !errors.Is(err, ErrNotWaiting) {
				b.Errorf("an answer after the stop: %v", err)
			}
		}, []string{"question asked", "question expired", "call s__read stopped", "done stopped"}},
	} {
		t.Run(name, func(t *testing.T) {
			m := script(asks("s__read", `{}`), turnOf("ok"))
			cfg := Config{Model: m, Tools: asking(1)}
			if name == "expired" {
				cfg.Consent = time.Millisecond
			}
			b := open(t, cfg)
			r := b.ask("go")
			q := b.asked(r, 1)
			if diff := cmp.Diff(&Question{ID: q.ID, Call: q.Call, Server: "s", Message: "Your name?", Fields: []host.Field{{Name: "f0", Kind: host.TextField}}, State: QuestionAsked}, q); diff != "" {
				t.Errorf("asked (-want +got):\n%s", diff)
			}
			c.user(b, r, q)
			events := b.want(r, append([]string{"call s__read running"}, c.want...)...)
			for _, e := range events {
				if raw, err := compact(e); err != nil || strings.Contains(string(raw), secret) {
					t.Errorf("stored: %s, %v", raw, err)
				}
			}
			if last := m.requests[len(m.requests)-1]; strings.Contains(fmt.Sprint(last), secret) || strings.Contains(fmt.Sprint(last), "Your name?") {
				t.Errorf("the model read %v", last)
			}
		})
	}
}

// A server may close its question itself: the page was visited.
func TestVisitedPage(t *testing.T) {
	visited := make(chan struct{})
	tools := dataTool("x", panel)
	tools.call = func(ctx context.Context, _ string, _ json.RawMessage, callbacks host.Callbacks) (host.Result, error) {
		a := callbacks.Ask(ctx, host.Question{Server: "s", Message: "Log in, please.", URL: "https://login.example/", Visited: visited})
		return host.Result{Blocks: []host.Block{{Kind: host.Text, Text: string(a.Action)}}}, nil
	}
	m := script(asks("s__read", `{}`), turnOf("ok"))
	b := open(t, Config{Model: m, Tools: tools})
	r := b.ask("go")
	q := b.asked(r, 1)
	close(visited)
	b.want(r, "call s__read running", "question asked", "question accepted", "call s__read answered", "sources 0 true", "text ok", "done answered")
	if err := b.Reply(t.Context(), "ann", r.ID, q.ID, host.Answer{Action: host.Decline}); !errors.Is(err, ErrNotWaiting) {
		t.Errorf("an answer after the visit: %v", err)
	}
	if read := m.requests[1].Messages; read[len(read)-1].Parts[0].Text != "accept" {
		t.Errorf("the model read %+v", read[len(read)-1])
	}
}

func TestQuestionsAtOnce(t *testing.T) {
	b := open(t, Config{Model: script(asks("s__read", `{}`), turnOf("ok")), Tools: asking(3)})
	r := b.ask("go")
	for n, action := range []host.Action{host.Decline, host.Cancel, host.Decline} {
		if err := b.Reply(t.Context(), "ann", r.ID, b.asked(r, n+1).ID, host.Answer{Action: action}); err != nil {
			t.Error(err)
		}
	}
	closed := 0
	for _, e := range b.events(r) {
		if q, ok := e.(*Question); ok && q.State != QuestionAsked {
			closed++
		}
	}
	if closed != 3 {
		t.Errorf("%d of 3 questions are closed", closed)
	}
}

func TestQuestionDiesWithTheGateway(t *testing.T) {
	b := open(t, Config{Model: script(turnOf("fresh")), Tools: asking(1)})
	r, err := b.cfg.Store.StartRun(t.Context(), "ann", b.talk, json.RawMessage(`{"text":"before"}`))
	if err != nil {
		t.Fatal(err)
	}
	begun, err := encodeAll(&ToolCall{ID: "c", Turn: 1, Tool: "s__read", State: Running}, &Question{ID: "q", Call: "c", Server: "s", State: QuestionAsked})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.cfg.Store.AppendEvents(t.Context(), r.ID, begun...); err != nil {
		t.Fatal(err)
	}
	again, err := New(t.Context(), Config{Store: b.cfg.Store, Model: b.cfg.Model, Tools: b.cfg.Tools})
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	b.want(r, "call s__read running", "question asked", "error interrupted", "done interrupted")
	if err := again.Reply(t.Context(), "ann", r.ID, "q", host.Answer{Action: host.Decline}); !errors.Is(err, ErrNotWaiting) {
		t.Errorf("an answer after the end: %v", err)
	}
}

// TestWallOfQuestions has a real server ask with the mark in every place, and the user answer with it.
func TestWallOfQuestions(t *testing.T) {
	s := mcp.NewServer(&mcp.Implementation{Name: "asker", Version: "1"}, nil)
	s.AddTool(&mcp.Tool{Name: "data", InputSchema: json.RawMessage(`{"type":"object"}`), Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true}},
		func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			a, ok := req.Params.InputResponses[mark].(*mcp.ElicitResult)
			if !ok {
				return &mcp.CallToolResult{RequestState: mark, InputRequests: mcp.InputRequestMap{mark: &mcp.ElicitParams{Meta: mcp.Meta{mark: mark}, Message: mark,
					RequestedSchema: json.RawMessage(`{"type":"object","properties":{"` + mark + `":{"type":"string","title":"` + mark + `","description":"` + mark + `","default":"` + mark + `"}}}`)}}}, nil
			}
			if a.Content[mark] != mark {
				return nil, errors.New("the answer is lost")
			}
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: visible}}}, nil
		})
	server := host.Server{ID: "liar", AllowWithoutSources: true, Transport: func() (mcp.Transport, error) {
		here, there := mcp.NewInMemoryTransports()
		_, err := s.Connect(context.Background(), there, nil)
		return here, err
	}}
	for name, c := range clients {
		t.Run(name, func(t *testing.T) {
			turn := 0
			line := &listener{Rand: rand.New(rand.NewPCG(1, 1)), answer: func([]string) string {
				if turn++; turn%2 == 1 {
					return c.answer([]string{"liar__data"})
				}
				return c.answer(nil)
			}}
			m, err := c.client(line)
			if err != nil {
				t.Fatal(err)
			}
			h, err := host.Open([]host.Server{server}, host.Options{Logger: slog.New(slog.DiscardHandler)})
			if err != nil {
				t.Fatal(err)
			}
			defer h.Close()
			if err := h.Ready(t.Context()); err != nil {
				t.Fatal(err)
			}
			b := open(t, Config{Model: m, Tools: h})
			for range 2 { // the second reads what is remembered of the first
				r := b.ask("go")
				if err := b.Reply(t.Context(), "ann", r.ID, b.asked(r, 1).ID, host.Answer{Action: host.Accept, Content: json.RawMessage(`{"` + mark + `":"` + mark + `"}`)}); err != nil {
					t.Fatal(err)
				}
				b.want(r, "text let me see ", "call liar__data running", "question asked", "question accepted", "call liar__data answered", "sources 0 true", "text let me see ", "done answered")
			}
			for _, body := range line.bodies {
				if strings.Contains(string(body), mark) || strings.Contains(decoded(body), mark) {
					t.Errorf("the model's server was sent %s", body)
				}
			}
			if last := line.bodies[len(line.bodies)-1]; len(line.bodies) != 4 || !strings.Contains(string(last), visible) {
				t.Errorf("the test saw too little: %d requests", len(line.bodies))
			}
		})
	}
}
