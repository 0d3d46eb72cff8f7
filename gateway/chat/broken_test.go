package chat

import (
	"context"
	"encoding/json"
	"errors"
	"sync/atomic"
	"testing"

	"github.com/diptych-mcp/diptych/gateway/host"
	"github.com/diptych-mcp/diptych/gateway/model"
	"github.com/diptych-mcp/diptych/gateway/store"
)

// fullStore takes no event as long as the disk is full.
type fullStore struct {
	store.Store
	full atomic.Int32 // how many more are refused
}

func (s *fullStore) AppendEvents(ctx context.Context, run string, events ...store.Event) ([]store.Event, error) {
	if s.full.Add(-1) >= 0 {
		return nil, errors.New("disk full")
	}
	return s.Store.AppendEvents(ctx, run, events...)
}

// Once the disk has space again, a run that could not be stored ends: its followers get the end, and it is no longer counted.
func TestRunEndsAfterTheDiskWasFull(t *testing.T) {
	full := &fullStore{}
	b := open(t, Config{Tools: dataTool("", panel), Model: &fakeModel{turn: func(context.Context, int, model.Request, func(string) error) (model.Turn, error) {
		full.full.Store(3)
		return turnOf("hello"), nil
	}}})
	full.Store, b.cfg.Store = b.cfg.Store, full
	r := b.ask("go")
	b.want(r, "error internal", "done failed")
	if open, err := full.OpenRuns(t.Context()); err != nil || len(open) != 0 {
		t.Errorf("%d runs are open, %v", len(open), err)
	}
}

// A conversation that is deleted takes with it what goes on in it: no user can start as much as they like that way.
func TestDeleteStops(t *testing.T) {
	began, ended := make(chan struct{}), make(chan struct{})
	tools := dataTool("", panel)
	tools.call = func(ctx context.Context, _ string, _ json.RawMessage, _ host.Callbacks) (host.Result, error) {
		close(began)
		<-ctx.Done()
		close(ended)
		return host.Result{}, ctx.Err()
	}
	b := open(t, Config{Tools: tools})
	r, err := b.RunTool(t.Context(), "ann", b.talk, "s__read", json.RawMessage(`{}`))
	if err != nil {
		t.Fatal(err)
	}
	<-began
	if err := b.Delete(t.Context(), "bob", b.talk); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("another user deleted it: %v", err)
	}
	if err := b.Delete(t.Context(), "ann", b.talk); err != nil {
		t.Fatal(err)
	}
	<-ended
	if _, err := b.cfg.Store.Run(t.Context(), "ann", r.ID); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("the run is still there: %v", err)
	}
}

// Whoever watches a run that another process deletes is not left waiting.
func TestWatchersOfADeletedRun(t *testing.T) {
	goOn, began := make(chan struct{}), make(chan struct{})
	b := open(t, Config{Tools: dataTool("", panel), Model: &fakeModel{turn: func(context.Context, int, model.Request, func(string) error) (model.Turn, error) {
		close(began)
		<-goOn
		return turnOf("hello"), nil
	}}})
	r := b.ask("go")
	<-began
	watched := make(chan error, 1)
	go func() {
		var last error
		for _, err := range b.Follow(t.Context(), "ann", r.ID, 0) {
			last = err
		}
		watched <- last
	}()
	if err := b.cfg.Store.DeleteConversation(t.Context(), "ann", b.talk); err != nil {
		t.Fatal(err)
	}
	close(goOn)
	if err := <-watched; !errors.Is(err, store.ErrNotFound) {
		t.Errorf("%v", err)
	}
}
