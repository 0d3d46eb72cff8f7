package chat

// One run while it goes on: its record, which is stored before it is published, and the questions that wait in it.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"github.com/diptych-mcp/diptych/gateway/host"
	"github.com/diptych-mcp/diptych/gateway/store"
)

var errStopped = errors.New("stopped by the user")

type run struct {
	*Chat
	store.Run
	in     Input
	ctx    context.Context
	cancel context.CancelCauseFunc
	end    func(Reason)
	ended  chan struct{}

	// What is only touched by the run's own goroutine.
	seen       map[string]Ref    // tables and charts of the conversation, by hash
	given      map[string]bool   // tools that gave no source in this run
	sources    map[Source]bool   // that were shown in this run
	structured []json.RawMessage // what the screen got in this run, for the number check
	found      map[string]bool   // tools that the model searched
	leftOut    string            // the last notice to the user of what the model does not read
	received   int               // bytes of this run's results
	done       Done

	mu      sync.Mutex
	last    int64 // number of the last stored event
	changed chan struct{}
	turn    int
	piece   strings.Builder // said, not yet stored
	flush   *time.Timer     // nil while piece is empty
	broken  error           // the store failed: no more events can be sent
	waiting map[string]wait // for the user, by what they are asked about
}

func newRun(c *Chat, opened store.Run, in Input) *run {
	r := &run{Chat: c, Run: opened, in: in, ended: make(chan struct{}), changed: make(chan struct{}),
		seen: make(map[string]Ref), found: make(map[string]bool), given: make(map[string]bool), sources: make(map[Source]bool), waiting: make(map[string]wait)}
	ctx, end := c.ctx, func(Reason) {}
	if c.cfg.Begin != nil {
		ctx, end = c.cfg.Begin(ctx, opened)
	}
	r.ctx, r.cancel = context.WithCancelCause(ctx)
	r.end = end
	return r
}

// work does what the run is for and ends it, whatever happens.
func (r *run) work(do func(*run) Reason) {
	defer close(r.ended)
	defer func() { r.end(r.done.Reason) }()
	defer r.cancel(nil)
	limit := time.AfterFunc(r.cfg.Limit, func() { r.cancel(context.DeadlineExceeded) })
	defer limit.Stop()
	r.done.Reason = r.guarded(do)
	var last []Event
	if r.ctx.Err() != nil { // however the work ended, this is why
		switch cause := context.Cause(r.ctx); {
		case errors.Is(cause, errStopped):
			r.done.Reason = ByStop
		case errors.As(cause, new(*storeError)):
			r.done.Reason = ByError
			message := "The gateway could not store what happened and stopped; its log has the details."
			if errors.Is(cause, store.ErrFull) {
				message = "The gateway's disk is full, so this was stopped. Delete conversations that you do not need, or ask for room on it."
			}
			last = append(last, &Error{OwnFault, message})
		case errors.Is(cause, context.DeadlineExceeded):
			r.done.Reason = ByError
			last = append(last, &Error{TimeFault, fmt.Sprintf("This took longer than %v and was ended.", r.cfg.Limit)})
		default:
			r.done.Reason = ByCrash
			last = append(last, &Error{CrashFault, interrupted})
		}
	}
	// A user who sees the end may ask the next question at once.
	r.release(r.Conversation)
	r.conclude(append(last, &r.done)...)
}

// A storeError ends a run whose events cannot be stored.
type storeError struct{ error }

func (e *storeError) Unwrap() error { return e.error }

// conclude stores the end. A store that fails, as one on a full disk does, is asked again until it takes it: those who
// watch would wait for ever, and the run would count as one that goes on.
func (r *run) conclude(end ...Event) {
	for wait := 100 * time.Millisecond; ; wait = min(2*wait, time.Minute) {
		r.mu.Lock()
		r.broken = nil
		err := r.append(end...)
		r.mu.Unlock()
		if err == nil || errors.Is(err, store.ErrNotFound) || errors.Is(err, store.ErrFinished) { // its conversation may be gone
			return
		}
		r.cfg.Logger.Error("ending a run; it is tried again, and at the next start", "run", r.ID, "err", err)
		select {
		case <-time.After(wait):
		case <-r.Chat.ctx.Done():
			return
		}
	}
}

// guarded keeps a panic from taking the other runs with it.
func (r *run) guarded(do func(*run) Reason) (reason Reason) {
	defer func() {
		if p := recover(); p != nil {
			r.cfg.Logger.Error("panic in a run", "run", r.ID, "panic", p, "stack", string(debug.Stack()))
			r.fail(OwnFault, "Something went wrong in the gateway itself; its log has the details.")
			reason = ByError
		}
	}()
	return do(r)
}

// fail tells the user what went wrong. A store that fails is logged by work.
func (r *run) fail(fault Fault, message string) Reason {
	_ = r.publish(&Error{fault, message})
	return ByError
}

// publish stores events, after the text that was said before them, and wakes the watchers.
func (r *run) publish(events ...Event) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.append(events...)
}

// publishFrom is publish for events that have to know the number that the first of them gets.
func (r *run) publishFrom(events func(next int64) []Event) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := r.append(); err != nil {
		return err
	}
	return r.append(events(r.last + 1)...)
}

// say notes a piece of the model's text. Pieces that come quickly are stored together.
func (r *run) say(turn int, piece string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.turn = turn
	r.piece.WriteString(piece)
	if r.piece.Len() >= textBatch {
		return r.append()
	}
	if r.flush == nil && r.piece.Len() > 0 {
		r.flush = time.AfterFunc(textDelay, func() { _ = r.publish() })
	}
	return r.broken
}

// append is publish with the lock held.
func (r *run) append(events ...Event) error {
	if r.flush != nil {
		r.flush.Stop()
		r.flush = nil
	}
	if r.piece.Len() > 0 {
		events = append([]Event{&Text{Turn: r.turn, Text: r.piece.String()}}, events...)
		r.piece.Reset()
	}
	if r.broken != nil || len(events) == 0 {
		return r.broken
	}
	// A stopped run still has its end to tell.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.ctx), storeTimeout)
	defer cancel()
	encoded, err := encodeAll(events...)
	if err == nil {
		encoded, err = r.cfg.Store.AppendEvents(ctx, r.ID, encoded...)
	}
	if err != nil {
		r.broken = &storeError{err}
		r.cancel(r.broken)
		return r.broken
	}
	r.last = encoded[len(encoded)-1].Seq
	r.wake()
	return nil
}

// wake has the watchers look again. It is called with the lock held.
func (r *run) wake() {
	close(r.changed)
	r.changed = make(chan struct{})
}

func (r *run) watch() (changed <-chan struct{}, last int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.changed, r.last
}

// A wait is something that goes on once the user has answered.
type wait struct {
	check  func(json.RawMessage) (json.RawMessage, error) // reads the content of an answer; nil where there is none
	answer chan host.Answer
}

var errUnanswered = errors.New("the user did not answer in time")

// ask tells what is asked and waits until the user answers, has visited the page that is asked for, did neither for too long,
// or ctx ends.
func (r *run) ask(ctx context.Context, id string, check func(json.RawMessage) (json.RawMessage, error), visited <-chan struct{}, told ...Event) (host.Answer, error) {
	w := wait{check, make(chan host.Answer, 1)}
	r.mu.Lock()
	r.waiting[id] = w
	r.mu.Unlock()
	defer func() {
		r.mu.Lock()
		delete(r.waiting, id)
		r.mu.Unlock()
	}()
	if err := r.publish(told...); err != nil {
		return host.Answer{}, err
	}
	late := time.NewTimer(r.cfg.Consent)
	defer late.Stop()
	select {
	case a := <-w.answer:
		return a, nil
	case <-visited:
		return host.Answer{Action: host.Accept}, nil
	case <-late.C:
		return host.Answer{}, errUnanswered
	case <-ctx.Done():
		return host.Answer{}, ctx.Err()
	}
}

// decide answers what waits, once.
func (r *run) decide(id string, a host.Answer) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	w, ok := r.waiting[id]
	if !ok || (w.check == nil) != (a.Content == nil) {
		return ErrNotWaiting
	}
	delete(r.waiting, id)
	w.answer <- a
	return nil
}
