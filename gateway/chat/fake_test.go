package chat

// What the tests of a chat are made of: a model, tools and a conversation.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/diptych-mcp/diptych/gateway/host"
	"github.com/diptych-mcp/diptych/gateway/internal/watchdog"
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
	call  func(ctx context.Context, tool string, arguments json.RawMessage, callbacks host.Callbacks) (host.Result, error)
}

func (f *fakeTools) Tools() []host.Tool { return f.tools }

func (f *fakeTools) Arguments(_ string, arguments json.RawMessage) (json.RawMessage, error) {
	if !json.Valid(arguments) {
		return nil, errors.New("arguments: not valid JSON")
	}
	return arguments, nil
}

func (f *fakeTools) Call(ctx context.Context, tool string, arguments json.RawMessage, callbacks host.Callbacks) (host.Result, error) {
	return f.call(ctx, tool, arguments, callbacks)
}

const panel = `{"sources":["https://a.example/"],"table":[["n"],[12345678901234567890],[1.10]],"charts":[{"type":"bar","data":{"labels":["a"],"datasets":[{"data":[1]}]}}],"force":"as it stands"}`

// dataTool answers text and panel.
func dataTool(text, panel string) *fakeTools {
	return &fakeTools{
		tools: []host.Tool{{Name: "s__read", Title: "Read", Hints: host.Hints{ReadOnly: true}, Data: true},
			{Name: "s__write", Title: "Write", Hints: host.Hints{Destructive: true}},
			{Name: "s__trusted", Title: "Trusted", Policy: host.Allow}, {Name: "s__watched", Title: "Watched", Policy: host.Ask, Hints: host.Hints{ReadOnly: true}},
			{Name: "s__denied", Policy: host.Deny}},
		call: func(context.Context, string, json.RawMessage, host.Callbacks) (host.Result, error) {
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
	watchdog.Start(t, watchdog.Limit)
	return openOn(t, s, cfg)
}

// openInMemory is open on a store without a disk.
func openInMemory(t *testing.T, cfg Config) *bench {
	t.Helper()
	watchdog.Start(t, watchdog.Limit)
	return openOn(t, newMemory(), cfg)
}

// openOn is open on a given store.
func openOn(t *testing.T, s store.Store, cfg Config) *bench {
	t.Helper()
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
		case *Question:
			out = append(out, "question "+string(e.State))
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
