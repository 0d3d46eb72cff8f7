package meter

// The store: how long it takes, and what its events tell of runs and calls.

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/diptych-mcp/diptych/gateway/chat"
	"github.com/diptych-mcp/diptych/gateway/store"
)

type kept struct {
	store.Store
	m *Meter
}

// Store watches next. What costs nothing worth measuring is passed on as it is.
func (m *Meter) Store(next store.Store) store.Store { return kept{next, m} }

// timed measures one operation. That something is not there, or that a caller has left, is no failure of the store.
func timed[T any](m *Meter, ctx context.Context, operation string, do func() (T, error)) (T, error) {
	began := time.Now()
	v, err := do()
	m.storeSeconds.WithLabelValues(operation).Observe(time.Since(began).Seconds())
	if err != nil && ctx.Err() == nil && !errors.Is(err, store.ErrNotFound) && !errors.Is(err, store.ErrFinished) {
		m.storeErrors.WithLabelValues(operation).Inc()
	}
	return v, err
}

func (k kept) StartRun(ctx context.Context, owner, conversation string, input json.RawMessage) (store.Run, error) {
	r, err := timed(k.m, ctx, "start_run", func() (store.Run, error) { return k.Store.StartRun(ctx, owner, conversation, input) })
	if err == nil {
		k.m.started.Inc()
	}
	return r, err
}

func (k kept) AppendEvents(ctx context.Context, run string, events ...store.Event) ([]store.Event, error) {
	stored, err := timed(k.m, ctx, "append_events", func() ([]store.Event, error) { return k.Store.AppendEvents(ctx, run, events...) })
	for _, e := range stored {
		k.m.happened(e)
	}
	return stored, err
}

func (k kept) Events(ctx context.Context, run string, after int64, limit int) ([]store.Event, error) {
	return timed(k.m, ctx, "events", func() ([]store.Event, error) { return k.Store.Events(ctx, run, after, limit) })
}

func (k kept) SaveResult(ctx context.Context, run, call string, r store.Result) error {
	_, err := timed(k.m, ctx, "save_result", func() (struct{}, error) { return struct{}{}, k.Store.SaveResult(ctx, run, call, r) })
	return err
}

func (k kept) Result(ctx context.Context, owner, call string) (store.Result, error) {
	return timed(k.m, ctx, "result", func() (store.Result, error) { return k.Store.Result(ctx, owner, call) })
}

func (k kept) Conversations(ctx context.Context, owner, query string, offset, limit int) ([]store.Conversation, error) {
	operation := "list_conversations"
	if query != "" {
		operation = "search_conversations"
	}
	return timed(k.m, ctx, operation, func() ([]store.Conversation, error) {
		return k.Store.Conversations(ctx, owner, query, offset, limit)
	})
}

// happened counts ends: of runs, and of calls.
func (m *Meter) happened(e store.Event) {
	switch e.Type {
	case store.EventDone:
		var done struct{ Reason chat.Reason }
		if json.Unmarshal(e.Data, &done) == nil {
			m.ended.WithLabelValues(string(done.Reason)).Inc()
		}
	case (*chat.ToolCall)(nil).Type():
		var call struct {
			Tool  string
			State chat.CallState
		}
		if json.Unmarshal(e.Data, &call) != nil || call.State == chat.Waiting || call.State == chat.Running {
			return
		}
		server, name := m.names.of(call.Tool)
		m.calls.WithLabelValues(server, name, string(call.State)).Inc()
	}
}
