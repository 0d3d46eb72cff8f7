package store

// Reading all that there is, of which a part is held at once.

import (
	"context"
	"iter"
)

// PageBytes is what one read of runs or events brings: the one that reaches it is the last.
const PageBytes = 1 << 20

const pageLength = 256

// AllRuns yields the runs of a conversation in the order in which they were started.
func AllRuns(ctx context.Context, s Store, owner, conversation string) iter.Seq2[Run, error] {
	return func(yield func(Run, error) bool) {
		for after := ""; ; {
			runs, err := s.Runs(ctx, owner, conversation, after, pageLength)
			if err != nil {
				yield(Run{}, err)
				return
			}
			for _, r := range runs {
				if !yield(r, nil) {
					return
				}
				after = r.ID
			}
			if len(runs) == 0 {
				return
			}
		}
	}
}

// AllEvents yields the events of a run: to its end, or as many as there are now. One that is deleted meanwhile is ErrNotFound.
func AllEvents(ctx context.Context, s Store, owner, run string) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		for after := int64(0); ; {
			events, err := s.Events(ctx, run, after, pageLength)
			if err != nil {
				yield(Event{}, err)
				return
			}
			for _, e := range events {
				if !yield(e, nil) || e.Type == EventDone {
					return
				}
				after = e.Seq
			}
			if len(events) == 0 {
				if _, err := s.Run(ctx, owner, run); err != nil {
					yield(Event{}, err)
				}
				return
			}
		}
	}
}
