package sqlite

// The one writer. SQLite takes one change at a time, and the end of a transaction costs more than most of what is in it: so
// all changes that wait are made in one transaction, each of them whole or not at all.

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/diptych-mcp/diptych/gateway/store"
)

// A job is a change that waits.
type job struct {
	ctx    context.Context
	do     func(*sql.Tx) error
	taken  atomic.Bool // by the writer, or back by who gave it up
	urgent bool        // it may use the reserve of a full disk
	done   chan error
}

var errClosed = errors.New("the store is closed")

// change has the writer run do in a transaction: all of it or nothing. Once the writer has begun, change waits for it,
// whatever becomes of ctx: what is stored is never reported as failed.
func (s *Store) change(ctx context.Context, do func(*sql.Tx) error) error {
	return s.wait(ctx, &job{ctx: ctx, do: do, done: make(chan error, 1)})
}

// urgent is change for what makes room, or what is waited for: on a full disk it gets the room that is kept for it.
func (s *Store) urgent(ctx context.Context, do func(*sql.Tx) error) error {
	return s.wait(ctx, &job{ctx: ctx, do: do, urgent: true, done: make(chan error, 1)})
}

func (s *Store) wait(ctx context.Context, j *job) error {
	select {
	case s.jobs <- j:
	case <-ctx.Done():
		return ctx.Err()
	case <-s.ended:
		return errClosed
	}
	select {
	case err := <-j.done:
		return err
	case <-ctx.Done():
		if j.taken.CompareAndSwap(false, true) {
			return ctx.Err()
		}
	case <-s.ended:
		if j.taken.CompareAndSwap(false, true) {
			return errClosed
		}
	}
	return <-j.done
}

// serve makes changes until the store is closed.
func (s *Store) serve() {
	defer close(s.ended)
	for {
		select {
		case j := <-s.jobs:
			s.make(s.waiting(j))
		case <-s.stop:
			for len(s.jobs) > 0 {
				s.make(s.waiting(<-s.jobs))
			}
			return
		}
	}
}

// waiting takes what waits, the first of it being j.
func (s *Store) waiting(j *job) []*job {
	batch := make([]*job, 0, 1+min(len(s.jobs), maxBatch))
	for {
		if j.ctx.Err() != nil {
			j.done <- j.ctx.Err()
		} else if j.taken.CompareAndSwap(false, true) {
			batch = append(batch, j)
		}
		if len(batch) == maxBatch {
			return batch
		}
		select {
		case j = <-s.jobs:
		default:
			return batch
		}
	}
}

// make makes the changes of a batch.
func (s *Store) make(batch []*job) {
	if len(batch) == 0 {
		return
	}
	if s.full.Load() && !s.roomAgain() { // what little there is, is for what is urgent
		batch = slices.DeleteFunc(batch, func(j *job) bool {
			if !j.urgent {
				j.done <- store.ErrFull
			}
			return !j.urgent
		})
	}
	if len(batch) == 0 {
		return
	}
	errs := s.attempts(batch)
	if hasFull(errs) {
		s.full.Store(true)
		// What is urgent is made once more, by itself, with the room that was kept for it.
		room := sync.OnceValue(s.giveWay)
		for i, j := range batch {
			if j.urgent && errors.Is(errs[i], store.ErrFull) && room() {
				errs[i] = s.attempts([]*job{j})[0]
			}
		}
	}
	for i, j := range batch {
		j.done <- errs[i]
		if s.full.Load() && errs[i] == nil { // something was deleted, or ended
			s.looked = time.Time{}
		}
	}
	s.trim()
	if s.full.Load() && s.looked.IsZero() {
		s.roomAgain()
	}
}

func hasFull(errs []error) bool {
	return slices.ContainsFunc(errs, func(err error) bool { return errors.Is(err, store.ErrFull) })
}

// attempts makes the changes of a batch together and says what became of each.
func (s *Store) attempts(batch []*job) []error {
	errs := make([]error, len(batch))
	err := s.together(batch, errs)
	for i := range batch {
		if errs[i] == nil {
			errs[i] = err
		}
		errs[i] = noRoom(errs[i])
	}
	return errs
}

// together runs a batch in one transaction. What fails is taken back alone; an error of the whole takes everything back.
// No context reaches the database: SQLite takes the whole transaction back where one statement is interrupted.
func (s *Store) together(batch []*job, errs []error) error {
	tx, err := s.write.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback()
	for i, j := range batch {
		if _, err := tx.Stmt(s.save).Exec(); err != nil {
			return err
		}
		if errs[i] = attempt(j.do, tx); errs[i] != nil {
			if _, err := tx.Stmt(s.back).Exec(); err != nil {
				return err
			}
		}
		if _, err := tx.Stmt(s.release).Exec(); err != nil {
			return err
		}
	}
	return tx.Commit()
}

// attempt turns a panic into an error: the writer goes on for the others.
func attempt(do func(*sql.Tx) error, tx *sql.Tx) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic in a change: a %T", p)
		}
	}()
	return do(tx)
}
