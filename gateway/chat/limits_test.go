package chat

// Each limit is crossed by one.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/diptych-mcp/diptych/gateway/host"
	"github.com/diptych-mcp/diptych/gateway/model"
	"github.com/diptych-mcp/diptych/gateway/store"
)

func TestQuestionLimit(t *testing.T) {
	b := openInMemory(t, Config{Model: script(turnOf("ok")), Tools: dataTool("x", panel)})
	if _, err := b.Ask(t.Context(), "ann", b.talk, strings.Repeat("x", maxQuestion+1)); err == nil || err.Error() != "the question is longer than 64 KiB; shorten it" {
		t.Errorf("one byte too long: %v", err)
	}
	b.want(b.ask(strings.Repeat("x", maxQuestion)), "text ok", "done answered")
}

func TestTurnLimit(t *testing.T) {
	for name, m := range map[string]*fakeModel{
		"in pieces": script(turnOf(strings.Repeat("xxxxxxxxxxxxxxx ", maxTurn/16) + "x")),
		"at once": {turn: func(context.Context, int, model.Request, func(string) error) (model.Turn, error) {
			return turnOf(strings.Repeat("x", maxTurn+1)), nil
		}},
	} {
		t.Run(name, func(t *testing.T) {
			b := openInMemory(t, Config{Model: m, Tools: dataTool("x", panel)})
			b.want(b.ask("go"), "error model", "done failed")
		})
	}
}

func TestCallLimit(t *testing.T) {
	turn := model.Turn{Calls: slices.Repeat(asks("s__read", `{}`).Calls, maxCalls+2), Reason: model.ToolCalls}
	b := openInMemory(t, Config{Model: script(turn, turnOf("ok")), Tools: dataTool("x", `{}`)})
	states := map[CallState]int{}
	for _, e := range b.events(b.ask("go")) {
		if c, ok := e.(*ToolCall); ok {
			states[c.State]++
			if c.State == Rejected && c.Read != "Too many calls in one turn; at most 16 are made." {
				t.Errorf("the model reads %q", c.Read)
			}
		}
	}
	if states[Answered] != maxCalls || states[Rejected] != 2 {
		t.Errorf("calls by state: %v", states)
	}
}

func TestProgressLimit(t *testing.T) {
	tools := dataTool("x", panel)
	tools.call = func(_ context.Context, _ string, _ json.RawMessage, callbacks host.Callbacks) (host.Result, error) {
		for range maxProgress + 5 {
			callbacks.Progress(host.Progress{Done: 1, Total: 1})
		}
		return host.Result{}, nil
	}
	b := openInMemory(t, Config{Model: script(asks("s__read", `{}`), turnOf("ok")), Tools: tools})
	n := 0
	for _, e := range b.events(b.ask("go")) {
		if _, ok := e.(*Progress); ok {
			n++
		}
	}
	if n != maxProgress {
		t.Errorf("%d progress events, want %d", n, maxProgress)
	}
}

// Arguments that are not sent, and what quotes a model, are cut where they are stored.
func TestQuotedTextLimits(t *testing.T) {
	long := strings.Repeat("x", maxRejected+100)
	for name, turn := range map[string]model.Turn{
		"not JSON":  asks("s__read", `{"a":"`+long),
		"no tool":   asks("s__none"+long, `{"a":"`+long+`"}`),
		"too large": asks("s__none", `{"a":"`+long+`"}`),
	} {
		t.Run(name, func(t *testing.T) {
			b := openInMemory(t, Config{Model: script(turn, turnOf("ok")), Tools: dataTool("x", panel)})
			for _, e := range b.events(b.ask("go")) {
				if c, ok := e.(*ToolCall); ok && (len(c.Arguments) > maxRejected+10 || len(c.Tool) > maxMessage+10 || len(c.Read) > 3*maxMessage) {
					t.Errorf("%d bytes of arguments, %d of a name and %d for the model are stored", len(c.Arguments), len(c.Tool), len(c.Read))
				}
			}
		})
	}
	tools := &fakeTools{}
	for i := range 100 {
		tools.tools = append(tools.tools, host.Tool{Name: fmt.Sprintf("s__with_a_long_name_%d", i)})
	}
	m := &fakeModel{turn: func(context.Context, int, model.Request, func(string) error) (model.Turn, error) {
		return model.Turn{}, errors.New(long)
	}}
	b := openInMemory(t, Config{Model: m, Tools: tools})
	for _, e := range b.events(b.ask("go")) {
		if fault, ok := e.(*Error); ok && len(fault.Message) > maxMessage+100 {
			t.Errorf("an error of %d bytes is stored", len(fault.Message))
		}
	}
	r := newRun(b.Chat, store.Run{}, Input{})
	if names := r.names(); len(names) > maxMessage+10 {
		t.Errorf("the model reads %d bytes of names", len(names))
	}
}

func TestDefaultRounds(t *testing.T) {
	m := script(append(slices.Repeat([]model.Turn{asks("s__no", `{}`)}, defaultRounds+1), turnOf("at last"))...)
	b := openInMemory(t, Config{Model: m, Tools: dataTool("x", panel)})
	events := b.events(b.ask("go"))
	if last, ok := events[len(events)-2].(*Error); !ok || last.Fault != RoundsFault || len(m.requests) != defaultRounds+1 {
		t.Errorf("after %d turns: %v", len(m.requests), outline(events))
	}
}

func TestRunLimit(t *testing.T) {
	m := &fakeModel{turn: func(ctx context.Context, _ int, _ model.Request, _ func(string) error) (model.Turn, error) {
		<-ctx.Done()
		return model.Turn{}, ctx.Err()
	}}
	b := openInMemory(t, Config{Model: m, Tools: dataTool("x", panel), Limit: 10 * time.Millisecond})
	b.want(b.ask("go"), "error time", "done failed")
}

// The number check reads the latest results of earlier runs and no more of them.
func TestCheckedLimit(t *testing.T) {
	var lists int
	turns := []model.Turn{}
	for range maxChecked + 3 {
		turns = append(turns, asks("s__read", `{}`), turnOf("17"))
	}
	b := openInMemory(t, Config{Model: script(append(turns, turnOf("17"))...), Tools: dataTool("x", `{"n":1}`), Numbers: func(_ context.Context, _ string, data ...[]string) any {
		lists = 0
		for _, list := range data {
			if slices.Equal(list, []string{"1"}) {
				lists++
			}
		}
		return nil
	}})
	for range maxChecked + 4 {
		b.events(b.ask("go"))
	}
	if lists != maxChecked {
		t.Errorf("%d results are read, want %d", lists, maxChecked)
	}
}
