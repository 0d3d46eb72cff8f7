package chat

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/diptych-mcp/diptych/gateway/host"
	"github.com/diptych-mcp/diptych/gateway/model"
	"github.com/diptych-mcp/diptych/gateway/store"
	"github.com/diptych-mcp/diptych/gateway/store/storetest"
)

func TestStopIsAtOnce(t *testing.T) {
	deaf := make(chan struct{}) // a follower that ignores its context
	t.Cleanup(func() { close(deaf) })
	began := make(chan struct{}, 1)
	stuckModel := &fakeModel{turn: func(_ context.Context, _ int, _ model.Request, emit func(string) error) (model.Turn, error) {
		err := emit("so far ")
		began <- struct{}{}
		<-deaf
		return model.Turn{}, err
	}}
	stuckTool := dataTool("", panel)
	stuckTool.call = func(ctx context.Context, _ string, _ json.RawMessage, _ host.Callbacks) (host.Result, error) {
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
			if got, err := b.cfg.Store.Run(t.Context(), "ann", r.ID); err != nil || got.Ended.IsZero() {
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

// slowStore does not come to an end with reading a conversation.
type slowStore struct {
	store.Store
	began chan struct{}
}

func (s slowStore) Runs(ctx context.Context, _, _, _ string, _ int) ([]store.Run, error) {
	s.began <- struct{}{}
	<-ctx.Done()
	return nil, ctx.Err()
}

// Whoever stops a run before it has read the conversation has stopped it, and nothing went wrong.
func TestStopBeforeTheFirstWord(t *testing.T) {
	b := open(t, Config{Model: script(), Tools: dataTool("", panel)})
	slow := slowStore{b.cfg.Store, make(chan struct{}, 1)}
	b.cfg.Store = slow
	r := b.ask("go")
	<-slow.began
	if err := b.Stop(t.Context(), "ann", r.ID); err != nil {
		t.Fatal(err)
	}
	b.want(r, "done stopped")
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
	stored := storetest.All(t, store.AllEvents(t.Context(), b.cfg.Store, "ann", r.ID))
	for w := range got {
		if diff := cmp.Diff(stored[w:], got[w]); diff != "" {
			t.Errorf("watcher %d (-stored +got):\n%s", w, diff)
		}
	}
	for e, err := range b.Follow(t.Context(), "ann", r.ID, int64(len(stored))) {
		t.Errorf("after the end: %v, %v", e, err)
	}
	for _, err := range b.Follow(t.Context(), "bob", r.ID, 0) {
		if !errors.Is(err, store.ErrNotFound) {
			t.Errorf("another user watches: %v", err)
		}
	}
}

// shortStore brings one event at a time, as a store may where they are large, and counts what it is asked.
type shortStore struct {
	store.Store
	asked atomic.Int64
}

func (s *shortStore) Events(ctx context.Context, run string, after int64, _ int) ([]store.Event, error) {
	s.asked.Add(1)
	return s.Store.Events(ctx, run, after, 1)
}

// An answer of the store that has less than was asked for is not the end of a run: neither for who watches it while it goes
// on, nor afterwards, nor for the next run. And who has read all does not read again to learn that.
func TestShortReadsAreNotTheEnd(t *testing.T) {
	m := script(asks("s__read", `{}`), turnOf("first"), turnOf("second"))
	b := open(t, Config{Model: m, Tools: dataTool("x", panel)})
	short := &shortStore{Store: b.cfg.Store}
	b.cfg.Store = short
	r := b.ask("go")
	want := []string{"call s__read running", "call s__read answered", "force as it stands", "table false", "chart false", "sources 1 false", "text first", "done answered"}
	b.want(r, want...)
	short.asked.Store(0)
	if events, asked := b.want(r, want...), short.asked.Load(); asked != int64(len(events)) {
		t.Errorf("%d reads for %d events", asked, len(events))
	}
	b.want(b.ask("and?"), "text second", "done answered")
	if got := m.requests[2].Messages; len(got) != 5 || got[3].Parts[0].Text != "first" {
		t.Errorf("the model reads %+v", got)
	}
}
