// Package quota bounds what one user may ask of the gateway, so that one user cannot take what the others need. What has to outlive
// a restart is counted by the store; the rest takes a bounded amount of memory, however many users there are.
package quota

import (
	"context"
	"fmt"
	"hash/maphash"
	"math"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"github.com/diptych-mcp/diptych/gateway/store"
)

// Limits are for one user each; 0 is no limit.
type Limits struct {
	Requests      int   // in a minute
	Streams       int   // of events, read at once
	Live          int   // runs that go on at once
	Daily         int   // runs that are started between two midnights, UTC
	Conversations int   // that are kept
	Bytes         int64 // that they take up
}

// A Kind says which limit was reached.
type Kind string

// The kinds.
const (
	Requests      Kind = "requests"
	Streams       Kind = "streams"
	Live          Kind = "live"
	Daily         Kind = "daily"
	Conversations Kind = "conversations"
	Bytes         Kind = "bytes"
)

// Exceeded says which limit a user has reached.
type Exceeded struct {
	Kind  Kind
	Limit int64
	After time.Duration // when to try again; 0 where waiting alone does not help
}

func (e *Exceeded) Error() string {
	switch e.Kind {
	case Requests:
		return fmt.Sprintf("more than %d requests in a minute; wait a moment", e.Limit)
	case Streams:
		return fmt.Sprintf("more than %d answers are watched at once; close some tabs", e.Limit)
	case Live:
		return fmt.Sprintf("%d questions are being answered already; wait for one of them or stop it", e.Limit)
	case Daily:
		return fmt.Sprintf("%d questions were asked today; the count begins anew at midnight, UTC", e.Limit)
	case Conversations:
		return fmt.Sprintf("%d conversations are kept already; delete some", e.Limit)
	}
	return fmt.Sprintf("the conversations take up more than %d MiB; delete some", e.Limit>>20)
}

// Usage counts what the store has of an owner. A [store.Store] is one.
type Usage interface {
	Usage(ctx context.Context, owner string, since time.Time) (store.Usage, error)
}

// A Quota enforces the limits of users. It is safe for concurrent use.
type Quota struct {
	limits Limits
	usage  Usage

	seed    maphash.Seed
	looks   [64]sync.Mutex // by owner: who looks sees who has looked
	mu      sync.Mutex
	pace    map[string]*rate.Limiter
	streams map[string]int
	begun   map[string]int // starts that were allowed and that the store may not know yet
}

// New returns a Quota that asks usage what is stored.
func New(limits Limits, usage Usage) *Quota {
	return &Quota{limits: limits, usage: usage, seed: maphash.MakeSeed(), pace: make(map[string]*rate.Limiter), streams: make(map[string]int), begun: make(map[string]int)}
}

// Request counts one request.
func (q *Quota) Request(owner string) error {
	if q.limits.Requests <= 0 {
		return nil
	}
	now := time.Now()
	r := q.limiter(owner, now).ReserveN(now, 1)
	if wait := r.DelayFrom(now); wait > 0 {
		r.CancelAt(now)
		return &Exceeded{Requests, int64(q.limits.Requests), wait}
	}
	return nil
}

// limiter is the owner's own: a quarter of a minute's requests may come at once, as when a long conversation is opened.
func (q *Quota) limiter(owner string, now time.Time) *rate.Limiter {
	q.mu.Lock()
	defer q.mu.Unlock()
	l := q.pace[owner]
	if l != nil {
		return l
	}
	if len(q.pace) >= maxPaces {
		for other, l := range q.pace { // a full one says nothing that a new one would not
			if l.TokensAt(now) >= float64(l.Burst()) {
				delete(q.pace, other)
			}
		}
		for other := range q.pace { // too many in one minute: some start anew
			if len(q.pace) < maxPaces {
				break
			}
			delete(q.pace, other)
		}
	}
	l = rate.NewLimiter(rate.Limit(float64(q.limits.Requests)/60), max(1, q.limits.Requests/4))
	q.pace[owner] = l
	return l
}

// Stream counts a stream of events until done is called.
func (q *Quota) Stream(owner string) (done func(), err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.limits.Streams > 0 && q.streams[owner] >= q.limits.Streams {
		return nil, &Exceeded{Streams, int64(q.limits.Streams), 5 * time.Second}
	}
	q.streams[owner]++
	return sync.OnceFunc(func() { q.less(q.streams, owner) }), nil
}

// less takes one away, and forgets who has none.
func (q *Quota) less(count map[string]int, owner string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if count[owner]--; count[owner] <= 0 {
		delete(count, owner)
	}
}

// Start lets start begin a run, in a new conversation where fresh, if the owner may have one more.
func (q *Quota) Start(ctx context.Context, owner string, fresh bool, start func() error) error {
	if err := q.admit(ctx, owner, fresh); err != nil {
		return err
	}
	defer q.less(q.begun, owner)
	return start()
}

// admit counts one start more as begun, if the owner may have it.
func (q *Quota) admit(ctx context.Context, owner string, fresh bool) error {
	look := &q.looks[maphash.String(q.seed, owner)%uint64(len(q.looks))]
	look.Lock()
	defer look.Unlock()
	now := time.Now().UTC()
	today := time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, time.UTC)
	q.mu.Lock()
	begun := q.begun[owner] // before the store is asked: what is stored meanwhile counts twice and never not at all
	q.mu.Unlock()
	u, err := q.usage.Usage(ctx, owner, today)
	if err != nil {
		return err
	}
	reached := func(limit, used int64) bool { return limit > 0 && used >= limit }
	l := q.limits
	switch {
	case reached(int64(l.Live), int64(u.Live+begun)):
		return &Exceeded{Live, int64(l.Live), 5 * time.Second}
	case reached(int64(l.Daily), int64(u.Runs+begun)):
		return &Exceeded{Daily, int64(l.Daily), today.AddDate(0, 0, 1).Sub(now)}
	case fresh && reached(int64(l.Conversations), int64(u.Conversations)):
		return &Exceeded{Conversations, int64(l.Conversations), 0}
	case reached(l.Bytes, u.Bytes):
		return &Exceeded{Bytes, l.Bytes, 0}
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	q.begun[owner]++
	return nil
}

// Seconds is when to try again, as Retry-After has it; 0 where waiting does not help.
func (e *Exceeded) Seconds() int { return int(math.Ceil(e.After.Seconds())) }
