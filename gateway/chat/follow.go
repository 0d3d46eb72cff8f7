package chat

// Watching a run. A watcher reads from the store and is only woken by the run: what it sees is what is stored, without a
// gap and without a double, and a slow one delays no other.

import (
	"context"
	"iter"
	"time"

	"github.com/diptych-mcp/diptych/gateway/store"
)

// Follow yields the events of a run numbered above after, first those that are stored, then each as it is stored, and ends
// after the done event. An error ends it too: store.ErrNotFound where the run is not the owner's, the context's error when
// ctx ends.
func (c *Chat) Follow(ctx context.Context, owner, id string, after int64) iter.Seq2[store.Event, error] {
	return func(yield func(store.Event, error) bool) {
		started, err := c.cfg.Store.Run(ctx, owner, id)
		if err != nil {
			yield(store.Event{}, err)
			return
		}
		for {
			// Taken before reading, so that what is stored meanwhile wakes us.
			changed, last, live := c.changed(id)
			for more := !live || after < last; more; {
				events, err := c.cfg.Store.Events(ctx, id, after, eventsPerRead)
				if err != nil {
					yield(store.Event{}, err)
					return
				}
				for _, e := range events {
					if !yield(e, nil) || e.Type == store.EventDone {
						return
					}
					after = e.Seq
				}
				more = len(events) > 0 && (!live || after < last)
			}
			if !live && !started.Ended.IsZero() {
				return // asked from after the end
			}
			var late <-chan time.Time
			if !live {
				late = time.After(pollInterval)
				if started, err = c.cfg.Store.Run(ctx, owner, id); err != nil {
					yield(store.Event{}, err)
					return
				}
				if !started.Ended.IsZero() {
					continue // ended between the two reads: one more read has the rest
				}
			}
			select {
			case <-changed:
			case <-late:
			case <-ctx.Done():
				yield(store.Event{}, ctx.Err())
				return
			}
		}
	}
}

// changed is closed when the run has stored something more than its event last.
func (c *Chat) changed(id string) (changed <-chan struct{}, last int64, live bool) {
	c.mu.Lock()
	r := c.live[id]
	c.mu.Unlock()
	if r == nil {
		return nil, 0, false
	}
	changed, last = r.watch()
	return changed, last, true
}
