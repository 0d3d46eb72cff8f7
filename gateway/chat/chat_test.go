package chat

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/diptych-mcp/diptych/gateway/host"
	"github.com/diptych-mcp/diptych/gateway/model"
	"github.com/diptych-mcp/diptych/gateway/store"
)

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
	b := open(t, Config{Model: m, Tools: dataTool("the text", panel), Numbers: func(_ context.Context, p string, data ...[]string) any {
		prose, from = p, data
		return []int{7}
	}})
	events := b.want(b.ask("How many   lions are there in all of the zoos of the whole wide world today?"),
		"call s__read running", "call s__read answered", "force as it stands", "table false", "chart false", "sources 1 false",
		"text It is 12 345.", "numbers [7]", "done answered")
	want := append([][]string{{"How many   lions are there in all of the zoos of the whole wide world today?"}}, lists(json.RawMessage(panel))...)
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
				res, err := b.cfg.Store.Result(t.Context(), "ann", e.ID)
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
	c, err := b.cfg.Store.Conversation(t.Context(), "ann", b.talk)
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

func TestCrashIsEndedHonestly(t *testing.T) {
	b := open(t, Config{Model: script(turnOf("fresh")), Tools: dataTool("x", panel)})
	r, err := b.cfg.Store.StartRun(t.Context(), "ann", b.talk, json.RawMessage(`{"text":"before"}`))
	if err != nil {
		t.Fatal(err)
	}
	begun, err := encodeAll(&Text{Turn: 1, Text: "half"}, &ToolCall{ID: "c", Turn: 1, Tool: "s__read", State: Running, Arguments: json.RawMessage(`{}`)})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.cfg.Store.AppendEvents(t.Context(), r.ID, begun...); err != nil {
		t.Fatal(err)
	}
	m := script(turnOf("fresh"))
	again, err := New(t.Context(), Config{Store: b.cfg.Store, Model: m, Tools: b.cfg.Tools})
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
	if diff := cmp.Diff([]string{"user before", "tool [the call was stopped before it answered]", "assistant " + noAnswer, "user after"}, read); diff != "" {
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
		t.Errorf("asked without a model: %v", err)
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
	b.cfg.Model = m
	b.want(b.ask("and?"), "text I see.", "done answered")
	want := "[I called the tool s__write myself, with {\"x\":1.0}. It answered:]\nthe text"
	if got := m.requests[0].Messages; len(got) != 1 || got[0].Parts[0].Text != want || got[0].Parts[1].Text != "and?" {
		t.Errorf("the model reads %+v", got)
	}
}

// TestExtraGoesBack checks that what a model's server wants back with a call stays with that call for as long as the run goes on.
func TestExtraGoesBack(t *testing.T) {
	signed := asks("s__read", `{}`)
	signed.Calls[0].Extra = json.RawMessage(`{"signature":"x"}`)
	m := script(signed, asks("s__read", `{}`), turnOf("ok"), turnOf("ok"))
	b := open(t, Config{Model: m, Tools: dataTool("x", panel)})
	b.events(b.ask("go"))
	b.events(b.ask("again"))
	var got []string
	for _, req := range m.requests {
		line := ""
		for _, msg := range req.Messages {
			for _, call := range msg.Calls {
				line += string(call.Extra) + ";"
			}
		}
		got = append(got, line)
	}
	if diff := cmp.Diff([]string{"", `{"signature":"x"};`, `{"signature":"x"};;`, ";;"}, got); diff != "" {
		t.Errorf("extras by request (-want +got):\n%s", diff)
	}
}

// Two series at one address are two sources; the same source is shown once.
func TestSourcesOfOneAddress(t *testing.T) {
	answers := []string{
		`{"sources":[{"url":"https://a.example/","title":"Series A","period":"2023"}]}`,
		`{"sources":[{"url":"https://a.example/","title":"Series B","period":"2024"},"https://b.example/"]}`,
		`{"sources":[{"url":"https://a.example/","title":"Series A","period":"2023","retrieved_at":"2026-01-01"},"https://b.example/"]}`,
	}
	tools := dataTool("", "")
	n := 0
	tools.call = func(context.Context, string, json.RawMessage, host.Callbacks) (host.Result, error) {
		n++
		return host.Result{Blocks: []host.Block{{Kind: host.Text, Text: "x"}}, Structured: json.RawMessage(answers[n-1]), Drawable: true}, nil
	}
	b := openInMemory(t, Config{Model: script(asks("s__read", `{}`), asks("s__read", `{}`), asks("s__read", `{}`), turnOf("ok")), Tools: tools})
	b.want(b.ask("go"), "call s__read running", "call s__read answered", "sources 1 false", "call s__read running", "call s__read answered", "sources 2 false",
		"call s__read running", "call s__read answered", "text ok", "done answered")
}
