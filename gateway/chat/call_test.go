package chat

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/diptych-mcp/diptych/gateway/host"
	"github.com/diptych-mcp/diptych/gateway/model"
	"github.com/diptych-mcp/diptych/gateway/numbers"
	"github.com/diptych-mcp/diptych/gateway/store"
)

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

// What a model said before it ran out of tokens is on the page, so its figures are looked at as well.
func TestFiguresOfACutAnswer(t *testing.T) {
	var prose string
	b := open(t, Config{Model: script(model.Turn{Text: "17 and", Reason: model.Length}), Tools: dataTool("x", panel), Numbers: func(_ context.Context, p string, _ ...[]string) any {
		prose = p
		return []string{}
	}})
	b.events(b.ask("go"))
	if prose != "17 and" {
		t.Errorf("the number check read %q", prose)
	}
}

// An error says where something is wrong with figures; who repeats them makes nothing up.
func TestFiguresOfAnError(t *testing.T) {
	tools := dataTool("", "")
	tools.call = func(context.Context, string, json.RawMessage, host.Callbacks) (host.Result, error) {
		return host.Result{IsError: true, Blocks: []host.Block{{Kind: host.Text, Text: "sources[0]: empty"}}}, nil
	}
	b := open(t, Config{Model: script(asks("s__read", `{}`), turnOf("Source 0 is empty.")), Tools: tools, Numbers: func(ctx context.Context, p string, data ...[]string) any {
		return numbers.Check(ctx, p, data...)
	}})
	checked := false
	for _, e := range b.events(b.ask("go")) {
		if c, ok := e.(*NumberCheck); ok {
			checked = strings.Contains(string(c.Findings), `"`+string(numbers.Present)+`"`)
		}
	}
	if !checked {
		t.Error("a figure of the error was found nowhere")
	}
}

// A run that is stopped while its figures are looked at ends without waiting for that, and says nothing of them.
func TestStopDuringTheNumberCheck(t *testing.T) {
	begun := make(chan struct{})
	b := open(t, Config{Model: script(turnOf("17 degrees")), Tools: dataTool("x", panel), Numbers: func(ctx context.Context, _ string, _ ...[]string) any {
		close(begun)
		<-ctx.Done()
		return []string{"17"}
	}})
	r := b.ask("go")
	<-begun
	if err := b.Stop(t.Context(), "ann", r.ID); err != nil {
		t.Fatal(err)
	}
	b.want(r, "text 17 degrees", "done stopped")
}

func TestForeignToolGivesNoSource(t *testing.T) {
	tools := dataTool("x", panel)
	tools.call = func(_ context.Context, _ string, _ json.RawMessage, callbacks host.Callbacks) (host.Result, error) {
		callbacks.Progress(host.Progress{Done: 1, Total: 2, Message: "half"})
		callbacks.Progress(host.Progress{Done: 1.1, Total: 2}) // too soon to be worth telling
		callbacks.Progress(host.Progress{Done: 2, Total: 2})
		return host.Result{Blocks: []host.Block{{Kind: host.Text, Text: "x"}}, Structured: json.RawMessage(`{"n":1}`), Note: "no source given"}, nil
	}
	b := open(t, Config{Model: script(asks("s__trusted", `{}`), turnOf("ok")), Tools: tools})
	b.want(b.ask("go"), "call s__trusted running", "progress", "progress", "call s__trusted answered", "sources 0 true", "text ok", "done answered")
}

// A run keeps its results in memory: what is over its share is refused, and the model gets that as an error.
func TestRunBringsTooMuch(t *testing.T) {
	large := `{"n":"` + strings.Repeat("x", maxResults/2) + `"}`
	m := script(asks("s__read", `{}`), asks("s__read", `{}`), turnOf("ok"))
	b := open(t, Config{Model: m, Tools: dataTool("x", large)})
	b.want(b.ask("go"), "call s__read running", "call s__read answered", "call s__read running", "call s__read failed", "text ok", "done answered")
	last := m.requests[2].Messages
	if read := last[len(last)-1].Parts; len(read) != 1 || !strings.Contains(read[0].Text, "more than 32 MiB") {
		t.Errorf("the model read %.200v", read)
	}
}
