package chat

// A store in memory, for tests that make thousands of runs: under the race detector SQLite, which is C turned into Go, takes
// most of their time.

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"slices"
	"sync"
	"time"

	"github.com/diptych-mcp/diptych/gateway/store"
)

type memory struct {
	store.Store // nil: the other methods are not called here

	mu            sync.Mutex
	conversations map[string]store.Conversation
	runs          []store.Run
	events        map[string][]store.Event
	results       map[string]store.Result
}

func newMemory() *memory {
	return &memory{conversations: map[string]store.Conversation{}, events: map[string][]store.Event{}, results: map[string]store.Result{}}
}

func (m *memory) Close() error { return nil }

func (m *memory) CreateConversation(_ context.Context, owner, title string) (store.Conversation, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	c := store.Conversation{ID: rand.Text(), Owner: owner, Title: title}
	m.conversations[c.ID] = c
	return c, nil
}

func (m *memory) Conversation(_ context.Context, owner, id string) (store.Conversation, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if c, ok := m.conversations[id]; ok && c.Owner == owner {
		return c, nil
	}
	return store.Conversation{}, store.ErrNotFound
}

func (m *memory) RenameConversation(_ context.Context, _, id, title string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	c := m.conversations[id]
	c.Title = title
	m.conversations[id] = c
	return nil
}

func (m *memory) StartRun(_ context.Context, owner, conversation string, input json.RawMessage) (store.Run, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	r := store.Run{ID: rand.Text(), Conversation: conversation, Owner: owner, Input: input, Started: time.Now()}
	m.runs = append(m.runs, r)
	return r, nil
}

func (m *memory) find(id string) *store.Run {
	for i := len(m.runs) - 1; i >= 0; i-- {
		if m.runs[i].ID == id {
			return &m.runs[i]
		}
	}
	return nil
}

func (m *memory) Run(_ context.Context, owner, id string) (store.Run, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if r := m.find(id); r != nil && r.Owner == owner {
		return *r, nil
	}
	return store.Run{}, store.ErrNotFound
}

func (m *memory) Runs(_ context.Context, _, conversation, after string, _ int) ([]store.Run, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var found []store.Run
	for _, r := range m.runs {
		if r.Conversation == conversation {
			found = append(found, r)
		}
	}
	if i := slices.IndexFunc(found, func(r store.Run) bool { return r.ID == after }); i >= 0 {
		found = found[i+1:]
	}
	return found, nil
}

func (m *memory) OpenRuns(context.Context) ([]store.Run, error) { return nil, nil }

func (m *memory) AppendEvents(_ context.Context, run string, events ...store.Event) ([]store.Event, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	r := m.find(run)
	if r == nil {
		return nil, store.ErrNotFound
	}
	var appended []store.Event
	for _, e := range events {
		e.Seq, e.Time = int64(len(m.events[run])+1), time.Now()
		m.events[run] = append(m.events[run], e)
		appended = append(appended, e)
		if e.Type == store.EventDone {
			r.Ended = e.Time
		}
	}
	return appended, nil
}

func (m *memory) Events(_ context.Context, run string, after int64, limit int) ([]store.Event, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	all := m.events[run]
	return all[min(after, int64(len(all))):min(int(after)+limit, len(all))], nil
}

func (m *memory) SaveResult(_ context.Context, _, call string, r store.Result) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.results[call] = r
	return nil
}

func (m *memory) Result(_ context.Context, _, call string) (store.Result, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if r, ok := m.results[call]; ok {
		return r, nil
	}
	return store.Result{}, store.ErrNotFound
}
