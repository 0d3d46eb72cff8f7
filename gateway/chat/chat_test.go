package chat

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/diptych-mcp/diptych/gateway/host"
	"github.com/diptych-mcp/diptych/gateway/model"
	"github.com/diptych-mcp/diptych/gateway/store"
	"github.com/diptych-mcp/diptych/gateway/store/sqlite"
)

// A fakeModel answers by a function and keeps what it was asked.
type fakeModel struct {
	mu       sync.Mutex
	requests []model.Request
	turn     func(ctx context.Context, n int, req model.Request, emit func(string) error) (model.Turn, error)
}

func (*fakeModel) Name() string { return "fake" }

func (m *fakeModel) Stream(ctx context.Context, req model.Request, emit func(model.Delta) error) (model.Turn, error) {
	m.mu.Lock()
	m.requests = append(m.requests, req)
	n := len(m.requests)
	m.mu.Unlock()
	return m.turn(ctx, n, req, func(s string) error { return emit(model.Delta{Text: s}) })
}

// script is a model that says one turn after the other, the last one for ever.
func script(turns ...model.Turn) *fakeModel {
	return &fakeModel{turn: func(_ context.Context, n int, _ model.Request, emit func(string) error) (model.Turn, error) {
		t := turns[min(n, len(turns))-1]
		for _, piece := range strings.SplitAfter(t.Text, " ") {
			if err := emit(piece); err != nil {
				return model.Turn{}, err
			}
		}
		return t, nil
	}}
}

func asks(name, arguments string) model.Turn {
	return model.Turn{Calls: []model.Call{{ID: "1", Name: name, Arguments: json.RawMessage(arguments)}}, Reason: model.ToolCalls}
}

func turnOf(text string) model.Turn { return model.Turn{Text: text, Reason: model.Stop} }

// fakeTools are tools without servers.
type fakeTools struct {
	tools []host.Tool
	call  func(ctx context.Context, tool string, arguments json.RawMessage, progress func(host.Progress)) (host.Result, error)
}

func (f *fakeTools) Tools() []host.Tool { return f.tools }

func (f *fakeTools) Arguments(_ string, arguments json.RawMessage) (json.RawMessage, error) {
	if !json.Valid(arguments) {
		return nil, errors.New("arguments: not valid JSON")
	}
	return arguments, nil
}

func (f *fakeTools) Call(ctx context.Context, tool string, arguments json.RawMessage, progress func(host.Progress)) (host.Result, error) {
	return f.call(ctx, tool, arguments, progress)
}

const panel = `{"sources":["https://a.example/"],"table":[["n"],[12345678901234567890],[1.10]],"charts":[{"type":"bar","data":{"labels":["a"],"datasets":[{"data":[1]}]}}],"force":"as it stands"}`

// dataTool answers text and panel.
func dataTool(text, panel string) *fakeTools {
	return &fakeTools{
		tools: []host.Tool{{Name: "s__read", Title: "Read", Hints: host.Hints{ReadOnly: true}, Data: true},
			{Name: "s__write", Title: "Write", Hints: host.Hints{Destructive: true}},
			{Name: "s__trusted", Title: "Trusted", Policy: host.Allow}, {Name: "s__watched", Title: "Watched", Policy: host.Ask, Hints: host.Hints{ReadOnly: true}},
			{Name: "s__denied", Policy: host.Deny}},
		call: func(context.Context, string, json.RawMessage, func(host.Progress)) (host.Result, error) {
			return host.Result{Blocks: []host.Block{{Kind: host.Text, Text: text}}, Content: json.RawMessage(`[{"type":"text"}]`),
				Structured: json.RawMessage(panel), Verified: true, Drawable: true}, nil
		},
	}
}

type bench struct {
	*testing.T
	*Chat
	talk string
}

func open(t *testing.T, cfg Config) *bench {
	t.Helper()
	s, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "chat.db"))
	if err != nil {
		t.Fatal(err)
	}
	cfg.Store, cfg.Logger = s, slog.New(slog.DiscardHandler)
	c, err := New(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		c.Close()
		s.Close()
	})
	talk, err := s.CreateConversation(t.Context(), "ann", "")
	if err != nil {
		t.Fatal(err)
	}
	return &bench{t, c, talk.ID}
}

func (b *bench) ask(text string) store.Run {
	b.Helper()
	r, err := b.Ask(b.Context(), "ann", b.talk, text)
	if err != nil {
		b.Fatal(err)
	}
	return r
}

// events follows a run to its end.
func (b *bench) events(r store.Run) []Event {
	b.Helper()
	var events []Event
	for e, err := range b.Follow(b.Context(), "ann", r.ID, 0) {
		if err != nil {
			b.Fatal(err)
		}
		event, err := Decode(e)
		if err != nil {
			b.Fatal(err)
		}
		events = append(events, event)
	}
	return events
}

// outline names events in short.
func outline(events []Event) (out []string) {
	for _, e := range events {
		switch e := e.(type) {
		case *Text:
			if e.Final {
				out = append(out, "text "+e.Text)
			}
		case *ToolCall:
			out = append(out, "call "+e.Tool+" "+string(e.State))
		case *Consent:
			out = append(out, "consent "+string(e.State))
		case *Table:
			out = append(out, fmt.Sprintf("table %v", e.Same != nil))
		case *Chart:
			out = append(out, fmt.Sprintf("chart %v", e.Same != nil))
		case *Sources:
			out = append(out, fmt.Sprintf("sources %d %v", len(e.Sources), e.None))
		case *Force:
			out = append(out, "force "+e.Text)
		case *NumberCheck:
			out = append(out, "numbers "+string(e.Findings))
		case *Error:
			out = append(out, "error "+string(e.Fault))
		case *Done:
			out = append(out, "done "+string(e.Reason))
		default:
			out = append(out, e.Type())
		}
	}
	return out
}

func (b *bench) want(r store.Run, want ...string) []Event {
	b.Helper()
	events := b.events(r)
	if diff := cmp.Diff(want, outline(events)); diff != "" {
		b.Errorf("events (-want +got):\n%s", diff)
	}
	return events
}

func TestRunTellsEverything(t *testing.T) {
	m := script(asks("s__read", `{"a":1.10}`), turnOf("It is 12 345."))
	m2 := m.turn
	m.turn = func(ctx context.Context, n int, req model.Request, emit func(string) error) (model.Turn, error) {
		turn, err := m2(ctx, n, req, emit)
		turn.Usage = model.Usage{Input: 3, Output: 4}
		return turn, err
	}
	var prose string
	var from [][]string
	b := open(t, Config{Model: m, Tools: dataTool("the text", panel), Numbers: func(p string, data ...[]string) any {
		prose, from = p, data
		return []int{7}
	}})
	events := b.want(b.ask("How many   lions are there in all of the zoos of the whole wide world today?"),
		"call s__read running", "call s__read answered", "force as it stands", "table false", "chart false", "sources 1 false",
		"text It is 12 345.", "numbers [7]", "done answered")
	want := append([][]string{{"How many   lions are there in all of the zoos of the whole wide world today?"}, {"the text"}}, lists(json.RawMessage(panel))...)
	if diff := cmp.Diff(want, from); diff != "" || prose != "It is 12 345." {
		t.Errorf("number check of %q (-want +got):\n%s", prose, diff)
	}
	for _, e := range events {
		switch e := e.(type) {
		case *Table:
			if string(e.Rows) != `[["n"],[12345678901234567890],[1.10]]` {
				t.Errorf("rows %s", e.Rows)
			}
		case *ToolCall:
			if e.State == Answered {
				if e.Read != "the text" || string(e.Arguments) != `{"a":1.10}` || !e.Screen {
					t.Errorf("call %+v", e)
				}
				res, err := b.Store.Result(t.Context(), "ann", e.ID)
				if err != nil || string(res.Structured) != panel {
					t.Errorf("kept %s, %v", res.Structured, err)
				}
			}
		case *Done:
			if e.Input != 6 || e.Output != 8 {
				t.Errorf("usage %+v", e)
			}
		}
	}
	c, err := b.Store.Conversation(t.Context(), "ann", b.talk)
	if err != nil || c.Title != "How many lions are there in all of the zoos of the whole…" {
		t.Errorf("title %q, %v", c.Title, err)
	}
}

func TestSameTableIsShownOnce(t *testing.T) {
	tools := dataTool("x", panel)
	b := open(t, Config{Model: script(asks("s__read", `{}`), asks("s__read", `{}`), turnOf("a"), asks("s__read", `{}`), turnOf("b")), Tools: tools})
	first := b.want(b.ask("one"),
		"call s__read running", "call s__read answered", "force as it stands", "table false", "chart false", "sources 1 false",
		"call s__read running", "call s__read answered", "force as it stands", "table true", "chart true", "text a", "done answered")
	r := b.ask("two")
	events := b.want(r, "call s__read running", "call s__read answered", "force as it stands", "table true", "chart true", "sources 1 false", "text b", "done answered")
	for _, e := range events {
		if table, ok := e.(*Table); ok {
			if at, ok := first[table.Same.Seq-1].(*Table); !ok || at.Rows == nil || table.Rows != nil {
				t.Errorf("refers to %+v", at)
			}
		}
	}
	same := func(x, y string) bool { return hash("table", json.RawMessage(x)) == hash("table", json.RawMessage(y)) }
	for _, c := range []struct {
		x, y string
		same bool
	}{
		{`[["a"],[1]]`, "[ [\"\\u0061\"],\n[1] ]", true},
		{`{"a":1,"b":2}`, `{"b":2,"a":1}`, true},
		{`[1.10]`, `[1.1]`, false},
		{`[12345678901234567890]`, `[12345678901234567891]`, false},
		{`["1"]`, `[1]`, false},
	} {
		if same(c.x, c.y) != c.same {
			t.Errorf("%s and %s: same is %v", c.x, c.y, !c.same)
		}
	}
}

func TestConsent(t *testing.T) {
	for name, c := range map[string]struct {
		tool   string
		answer func(b *bench, r store.Run, call string)
		want   []string
		read   string
	}{
		"read only":       {"s__read", nil, []string{"call s__read running", "call s__read answered", "force as it stands", "table false", "chart false", "sources 1 false", "text ok", "done answered"}, "x"},
		"operator trusts": {"s__trusted", nil, []string{"call s__trusted running", "call s__trusted answered", "force as it stands", "table false", "chart false", "sources 1 false", "text ok", "done answered"}, "x"},
		"given": {"s__write", func(b *bench, r store.Run, call string) {
			if err := b.Answer(b.Context(), "bob", r.ID, call, true); !errors.Is(err, store.ErrNotFound) {
				b.Errorf("another user answered: %v", err)
			}
			if err := b.Answer(b.Context(), "ann", r.ID, "other", true); !errors.Is(err, ErrNotWaiting) {
				b.Errorf("an answer to nothing: %v", err)
			}
			if err := b.Answer(b.Context(), "ann", r.ID, call, true); err != nil {
				b.Error(err)
			}
			if err := b.Answer(b.Context(), "ann", r.ID, call, true); !errors.Is(err, ErrNotWaiting) {
				b.Errorf("a second answer: %v", err)
			}
		}, []string{"call s__write waiting", "consent asked", "consent given", "call s__write running", "call s__write answered", "force as it stands", "table false", "chart false", "sources 1 false", "text ok", "done answered"}, "x"},
		"refused": {"s__watched", func(b *bench, r store.Run, call string) {
			if err := b.Answer(b.Context(), "ann", r.ID, call, false); err != nil {
				b.Error(err)
			}
		}, []string{"call s__watched waiting", "consent asked", "consent refused", "call s__watched declined", "text ok", "done answered"}, "The user did not allow this call."},
		"expired": {"s__write", func(*bench, store.Run, string) {}, []string{"call s__write waiting", "consent asked", "consent expired", "call s__write declined", "text ok", "done answered"},
			"The user did not answer whether this call is allowed, so it was not made."},
		"stopped": {"s__write", func(b *bench, r store.Run, _ string) {
			if err := b.Stop(b.Context(), "ann", r.ID); err != nil {
				b.Error(err)
			}
		}, []string{"call s__write waiting", "consent asked", "consent expired", "call s__write stopped", "done stopped"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			m := script(asks(c.tool, `{}`), turnOf("ok"))
			cfg := Config{Model: m, Tools: dataTool("x", panel)}
			if name == "expired" {
				cfg.Consent = time.Millisecond
			}
			b := open(t, cfg)
			r := b.ask("go")
			if c.answer != nil {
				for e, err := range b.Follow(t.Context(), "ann", r.ID, 0) {
					if err != nil {
						t.Fatal(err)
					}
					if event, _ := Decode(e); e.Type == "consent" {
						c.answer(b, r, event.(*Consent).Call)
						break
					}
				}
			}
			b.want(r, c.want...)
			if c.read != "" {
				last := m.requests[1].Messages[len(m.requests[1].Messages)-1]
				if last.Parts[0].Text != c.read || last.Failed != (c.read != "x") {
					t.Errorf("the model read %+v", last)
				}
			}
		})
	}
}

func TestModelThatErrs(t *testing.T) {
	cut := func(after string, err error) *fakeModel {
		return &fakeModel{turn: func(_ context.Context, _ int, _ model.Request, emit func(string) error) (model.Turn, error) {
			if err := emit(after); err != nil {
				return model.Turn{}, err
			}
			return model.Turn{}, err
		}}
	}
	for name, c := range map[string]struct {
		model *fakeModel
		want  []string
	}{
		"invented tool":     {script(asks("s__no", `{}`), turnOf("sorry")), []string{"call s__no rejected", "text sorry", "done answered"}},
		"denied tool":       {script(asks("s__denied", `{}`), turnOf("sorry")), []string{"call s__denied rejected", "text sorry", "done answered"}},
		"invalid arguments": {script(asks("s__read", `{"a`), turnOf("sorry")), []string{"call s__read rejected", "text sorry", "done answered"}},
		"endless loop":      {script(asks("s__no", `{}`)), []string{"call s__no rejected", "call s__no rejected", "call s__no rejected", "error rounds", "done failed"}},
		"cut stream":        {cut("half ", errors.New("cut")), []string{"error model", "done failed"}},
		"endless text": {&fakeModel{turn: func(_ context.Context, _ int, _ model.Request, emit func(string) error) (model.Turn, error) {
			for {
				if err := emit(strings.Repeat("x", 10_000)); err != nil {
					return model.Turn{}, err
				}
			}
		}}, []string{"error model", "done failed"}},
		"out of tokens": {script(model.Turn{Text: "so", Reason: model.Length, Calls: asks("s__read", `{`).Calls}), []string{"text so", "error length", "done failed"}},
		"refusal":       {script(model.Turn{Reason: model.Refusal}), []string{"error model", "done failed"}},
		"panic": {&fakeModel{turn: func(context.Context, int, model.Request, func(string) error) (model.Turn, error) { panic("no") }},
			[]string{"error model", "done failed"}},
		"many calls": {script(model.Turn{Calls: slices.Repeat(asks("s__no", `{}`).Calls, 3), Reason: model.ToolCalls}, turnOf("x")),
			[]string{"call s__no rejected", "call s__no rejected", "call s__no rejected", "text x", "done answered"}},
	} {
		t.Run(name, func(t *testing.T) {
			b := open(t, Config{Model: c.model, Tools: dataTool("x", panel), Rounds: 3})
			b.want(b.ask("go"), c.want...)
			seen := make(map[string]bool)
			for _, m := range c.model.requests[len(c.model.requests)-1].Messages {
				for _, call := range m.Calls {
					if seen[call.ID] || !json.Valid(call.Arguments) {
						t.Errorf("call %+v is sent back", call)
					}
					seen[call.ID] = true
				}
				if m.Role == model.ToolRole && (!m.Failed || !seen[m.CallID]) {
					t.Errorf("answer %+v", m)
				}
			}
		})
	}
}

func TestStopIsAtOnce(t *testing.T) {
	deaf := make(chan struct{}) // somebody who does not listen to the context
	t.Cleanup(func() { close(deaf) })
	began := make(chan struct{}, 1)
	stuckModel := &fakeModel{turn: func(_ context.Context, _ int, _ model.Request, emit func(string) error) (model.Turn, error) {
		err := emit("so far ")
		began <- struct{}{}
		<-deaf
		return model.Turn{}, err
	}}
	stuckTool := dataTool("", panel)
	stuckTool.call = func(ctx context.Context, _ string, _ json.RawMessage, _ func(host.Progress)) (host.Result, error) {
		began <- struct{}{}
		<-ctx.Done()
		return host.Result{}, ctx.Err()
	}
	for name, c := range map[string]struct {
		model *fakeModel
		tools *fakeTools
		want  []string
	}{
		"model": {stuckModel, dataTool("", panel), []string{"done stopped"}},
		"tool":  {script(asks("s__read", `{}`)), stuckTool, []string{"call s__read running", "call s__read stopped", "done stopped"}},
	} {
		t.Run(name, func(t *testing.T) {
			b := open(t, Config{Model: c.model, Tools: c.tools})
			r := b.ask("go")
			<-began
			if _, err := b.Ask(t.Context(), "ann", b.talk, "again"); !errors.Is(err, ErrBusy) {
				t.Errorf("a second run: %v", err)
			}
			if err := b.Stop(t.Context(), "bob", r.ID); !errors.Is(err, store.ErrNotFound) {
				t.Errorf("another user stopped it: %v", err)
			}
			if err := b.Stop(t.Context(), "ann", r.ID); err != nil {
				t.Fatal(err)
			}
			if got, err := b.Store.Run(t.Context(), "ann", r.ID); err != nil || got.Ended.IsZero() {
				t.Errorf("not ended when Stop returned: %v", err)
			}
			events := b.want(r, c.want...)
			if text, ok := events[0].(*Text); name == "model" && (!ok || text.Text != "so far ") {
				t.Errorf("what was said is lost: %v", events[0])
			}
			if err := b.Stop(t.Context(), "ann", r.ID); err != nil {
				t.Errorf("stopping what has ended: %v", err)
			}
		})
	}
}

func TestWatchersMissAndRepeatNothing(t *testing.T) {
	const pieces = 300
	step := make(chan struct{})
	m := &fakeModel{turn: func(_ context.Context, _ int, _ model.Request, emit func(string) error) (model.Turn, error) {
		for i := range pieces {
			if err := emit(fmt.Sprintf("%d%s ", i, strings.Repeat(".", 100))); err != nil {
				return model.Turn{}, err
			}
			if i%50 == 0 {
				<-step
			}
		}
		return turnOf("all"), nil
	}}
	b := open(t, Config{Model: m, Tools: dataTool("x", panel)})
	r := b.ask("go")
	stuck := make(chan struct{}) // a watcher that takes one event and no more
	go func() {
		for range b.Follow(context.Background(), "ann", r.ID, 0) {
			<-stuck
			return
		}
	}()
	var wg sync.WaitGroup
	got := make([][]store.Event, 6)
	for w := range got {
		wg.Go(func() {
			after := int64(w)
			for { // one connection after the other, each broken off after some events
				n := 0
				for e, err := range b.Follow(t.Context(), "ann", r.ID, after) {
					if err != nil {
						t.Error(err)
						return
					}
					got[w] = append(got[w], e)
					after = e.Seq
					if n++; n > 3+w {
						break
					}
				}
				if n := len(got[w]); n > 0 && got[w][n-1].Type == store.EventDone {
					return
				}
			}
		})
	}
	for range pieces / 50 {
		step <- struct{}{}
	}
	wg.Wait()
	close(stuck)
	stored, err := b.Store.Events(t.Context(), r.ID, 0, 100_000)
	if err != nil {
		t.Fatal(err)
	}
	for w := range got {
		if diff := cmp.Diff(stored[w:], got[w]); diff != "" {
			t.Errorf("watcher %d (-stored +got):\n%s", w, diff)
		}
	}
	for e, err := range b.Follow(t.Context(), "ann", r.ID, int64(len(stored))) {
		t.Errorf("behind the end: %v, %v", e, err)
	}
	for _, err := range b.Follow(t.Context(), "bob", r.ID, 0) {
		if !errors.Is(err, store.ErrNotFound) {
			t.Errorf("another user watches: %v", err)
		}
	}
}

func TestCrashIsEndedHonestly(t *testing.T) {
	b := open(t, Config{Model: script(turnOf("fresh")), Tools: dataTool("x", panel)})
	r, err := b.Store.StartRun(t.Context(), "ann", b.talk, json.RawMessage(`{"text":"before"}`))
	if err != nil {
		t.Fatal(err)
	}
	begun, err := encodeAll(&Text{Turn: 1, Text: "half"}, &ToolCall{ID: "c", Turn: 1, Tool: "s__read", State: Running, Arguments: json.RawMessage(`{}`)})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.Store.AppendEvents(t.Context(), r.ID, begun...); err != nil {
		t.Fatal(err)
	}
	m := script(turnOf("fresh"))
	again, err := New(t.Context(), Config{Store: b.Store, Model: m, Tools: b.Tools})
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	b.want(r, "call s__read running", "error interrupted", "done interrupted")
	next := &bench{t, again, b.talk}
	next.want(next.ask("after"), "text fresh", "done answered")
	var read []string
	for _, msg := range m.requests[0].Messages {
		for _, p := range msg.Parts {
			read = append(read, string(msg.Role)+" "+p.Text)
		}
	}
	if diff := cmp.Diff([]string{"user before", "tool [the call was stopped before it answered]", "user after"}, read); diff != "" {
		t.Errorf("the model reads (-want +got):\n%s", diff)
	}
}

func TestCloseEndsRuns(t *testing.T) {
	began := make(chan struct{})
	m := &fakeModel{turn: func(ctx context.Context, _ int, _ model.Request, _ func(string) error) (model.Turn, error) {
		close(began)
		<-ctx.Done()
		return model.Turn{}, ctx.Err()
	}}
	b := open(t, Config{Model: m, Tools: dataTool("x", panel)})
	r := b.ask("go")
	<-began
	b.Close()
	b.want(r, "error interrupted", "done interrupted")
	if _, err := b.Ask(t.Context(), "ann", b.talk, "go"); !errors.Is(err, ErrClosed) {
		t.Errorf("a run after the end: %v", err)
	}
}

func TestHandWithoutModel(t *testing.T) {
	tools := dataTool("the text", panel)
	b := open(t, Config{Tools: tools})
	if _, err := b.Ask(t.Context(), "ann", b.talk, "hello"); !errors.Is(err, ErrNoModel) {
		t.Errorf("asked nobody: %v", err)
	}
	hand := func(tool, arguments string) (store.Run, error) {
		return b.RunTool(t.Context(), "ann", b.talk, tool, json.RawMessage(arguments))
	}
	for tool, want := range map[string]error{"s__no": ErrNoTool, "s__denied": ErrNoTool} {
		if _, err := hand(tool, `{}`); !errors.Is(err, want) {
			t.Errorf("%s: %v", tool, err)
		}
	}
	if _, err := hand("s__read", `{`); err == nil || !strings.Contains(err.Error(), "not valid JSON") {
		t.Errorf("arguments: %v", err)
	} else if _, ok := errors.AsType[*ArgumentsError](err); !ok {
		t.Errorf("arguments: %T", err)
	}
	r, err := hand("s__write", `{"x":1.0}`) // the user's own hand is consent
	if err != nil {
		t.Fatal(err)
	}
	b.want(r, "call s__write running", "call s__write answered", "force as it stands", "table false", "chart false", "sources 1 false", "done answered")
	// A model that comes later reads what the user did.
	m := script(turnOf("I see."))
	b.Chat.Model = m
	b.want(b.ask("and?"), "text I see.", "done answered")
	want := "[I called the tool s__write myself, with {\"x\":1.0}. It answered:]\nthe text"
	if got := m.requests[0].Messages; len(got) != 1 || got[0].Parts[0].Text != want || got[0].Parts[1].Text != "and?" {
		t.Errorf("the model reads %+v", got)
	}
}

func TestForeignToolGivesNoSource(t *testing.T) {
	tools := dataTool("x", panel)
	tools.call = func(_ context.Context, _ string, _ json.RawMessage, progress func(host.Progress)) (host.Result, error) {
		progress(host.Progress{Done: 1, Total: 2, Message: "half"})
		progress(host.Progress{Done: 1.1, Total: 2}) // too soon to be worth telling
		progress(host.Progress{Done: 2, Total: 2})
		return host.Result{Blocks: []host.Block{{Kind: host.Text, Text: "x"}}, Structured: json.RawMessage(`{"n":1}`), Note: "no source given"}, nil
	}
	b := open(t, Config{Model: script(asks("s__trusted", `{}`), turnOf("ok")), Tools: tools})
	b.want(b.ask("go"), "call s__trusted running", "progress", "progress", "call s__trusted answered", "sources 0 true", "text ok", "done answered")
}

func TestForModel(t *testing.T) {
	long := strings.Repeat("é", maxRead)
	for name, c := range map[string]struct {
		content []host.Block
		want    string
	}{
		"in order": {[]host.Block{{Kind: host.Text, Text: "a"}, {Kind: host.Image, MIMEType: "image/png", Data: make([]byte, 40_000)}, {Kind: host.Text, Text: "b"},
			{Kind: host.Audio, MIMEType: "audio/wav", Data: make([]byte, 12)}, {Kind: host.Link, Name: "n", URI: "file:///x"},
			{Kind: host.Resource, URI: "r:1", Text: "inside"}, {Kind: host.Resource, URI: "r:2", MIMEType: "a/b", Data: make([]byte, 3)}},
			"a\n[image: image/png, 40 KB]\nb\n[audio: audio/wav, 12 bytes]\n[resource: n, file:///x]\ninside\n[resource: r:2, a/b, 3 bytes]"},
		"nothing": {nil, "[the tool answered without content]"},
		"unknown": {[]host.Block{{Kind: "new", Text: "x"}}, "[the tool answered without content]"},
		"too long": {[]host.Block{{Kind: host.Text, Text: "a"}, {Kind: host.Text, Text: long}, {Kind: host.Text, Text: "b"}},
			"a\n" + strings.Repeat("é", maxRead/2-1) + fmt.Sprintf("\n[cut here: %d bytes more]", 2*maxRead-(maxRead-1))},
	} {
		if diff := cmp.Diff(c.want, reading(forModel(c.content))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestLists(t *testing.T) {
	for doc, want := range map[string][][]string{
		`{"table":[["city","n"],["a",12345678901234567890],["b",1.10]]}`: {{"city", "a", "b"}, {"n", "12345678901234567890", "1.10"}, {"3", "2"}},
		`{"d":[{"v":[1,2]},{"v":[3]}]}`:                                  {{"1", "2"}, {"3"}, {"2", "2", "1"}},
		`{"rows":[{"a":1,"b":"x"},{"a":2,"b":null}],"t":true}`:           {{"1", "2"}, {"x"}, {"2"}},
		`{"d":[{"x":1,"y":2},{"x":3,"y":4}]}`:                            {{"1", "3"}, {"2", "4"}, {"2"}},
		`7`:                                                              {{"7"}, nil},
		`{`:                                                              nil,
	} {
		if diff := cmp.Diff(want, lists(json.RawMessage(doc))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", doc, diff)
		}
	}
}
