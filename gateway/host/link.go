package host

// One server over time: connected, listed, lost and connected anew.

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"
)

type link struct {
	Server
	Options
	tried chan struct{} // closed after the first attempt
	once  sync.Once
	slots chan struct{} // one for each call that goes on
	// wanted ends a wait before the next attempt: a call waits for the session.
	wanted chan struct{}

	mu      sync.Mutex
	state   State
	since   time.Time
	fault   string
	words   string
	tries   int // in a row that failed
	next    time.Time
	reached int
	session *session // nil while the server is down
	tools   []Tool   // as last listed
	refused []Refusal
}

func newLink(s Server, o Options) *link {
	return &link{Server: s, Options: o, tried: make(chan struct{}), slots: make(chan struct{}, maxCalls), wanted: make(chan struct{}, 1), state: Connecting, since: time.Now()}
}

// keep connects, holds the connection and connects anew, until ctx ends.
func (l *link) keep(ctx context.Context) {
	defer l.attempted()
	factor := 1.0
	var rested time.Time // when a connection that is lost is next renewed at once
	for {
		began := time.Now()
		up, err := l.hold(ctx)
		if ctx.Err() != nil {
			return
		}
		if time.Since(began) > maxBackoff*l.Retry {
			factor = 1
		}
		// Somewhere around the backoff, so that servers that went together are not asked together.
		wait := time.Duration(factor * (0.75 + rand.Float64()/2) * float64(l.Retry))
		if up && (errors.Is(err, errForgotten) || time.Now().After(rested)) {
			wait, rested = 0, time.Now().Add(maxBackoff*l.Retry)
		} else {
			factor = min(2*factor, maxBackoff)
		}
		l.down(err, wait)
		l.attempted()
		select {
		case <-time.After(wait):
		case <-l.wanted:
		case <-ctx.Done():
			return
		}
		l.mu.Lock()
		l.next = time.Time{}
		l.mu.Unlock()
	}
}

// errForgotten is why a session is given up whose server was restarted.
var errForgotten = errors.New("the server does not know the session any more")

// current is the session, and why there is none.
func (l *link) current() (*session, string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.session, l.fault
}

// renew gives up a session that its server has forgotten, and waits for the next; nil where none comes in time.
func (l *link) renew(ctx context.Context, old *session) *session {
	old.giveUp(errForgotten)
	ended := old.ended
	tick := time.NewTicker(renewInterval)
	defer tick.Stop()
	late := time.NewTimer(l.Dial)
	defer late.Stop()
	for {
		if s, _ := l.current(); s != nil && s != old {
			return s
		}
		select {
		case <-tick.C:
		case <-ended: // perhaps by itself, and then another is due later
			signal(l.wanted)
			ended = nil
		case <-late.C:
			return nil
		case <-ctx.Done():
			return nil
		}
	}
}

func (l *link) attempted() { l.once.Do(func() { close(l.tried) }) }

// hold connects and returns when the connection is lost; up reports whether there was one.
func (l *link) hold(ctx context.Context) (up bool, _ error) {
	dialing, cancel := context.WithTimeout(ctx, l.Dial)
	defer cancel()
	s, err := dial(dialing, l.Server, l.Options)
	if err != nil {
		return false, err
	}
	defer func() {
		l.lose(s)
		s.close()
	}()
	if err := l.list(dialing, s); err != nil {
		return false, err
	}
	l.attempted()
	again := time.NewTicker(l.Refresh)
	defer again.Stop()
	changed, rested := s.changed, (<-chan time.Time)(nil)
	for {
		select {
		case <-s.ended:
			return true, errors.New("the connection ended")
		case err := <-s.lost:
			return true, err
		case <-changed: // however often it says so
			changed, rested = nil, time.After(listInterval)
		case <-rested:
			changed, rested = s.changed, nil
			continue
		case <-s.doubted:
		case <-again.C:
		case <-ctx.Done():
			return true, ctx.Err()
		}
		listing, cancel := context.WithTimeout(ctx, l.Dial)
		err := l.list(listing, s)
		cancel()
		if err != nil {
			return true, err
		}
	}
}

// list asks for the server's tools and offers what passes.
func (l *link) list(ctx context.Context, s *session) error {
	published, err := s.list(ctx)
	if err != nil {
		return fmt.Errorf("listing its tools: %w", err)
	}
	tools, refused := l.screen(published)
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.state != Up {
		l.state, l.since, l.fault, l.words = Up, time.Now(), "", ""
		l.tries = 0
		l.reached++
		l.Logger.Info("server is up", "server", l.ID, "tools", len(tools), "refused", len(refused))
		for _, r := range refused {
			l.Logger.Warn("tool refused", "server", l.ID, "tool", r.Tool, "reason", r.Reason)
		}
	}
	l.session, l.tools, l.refused = s, tools, refused
	return nil
}

// lose forgets the session, so that calls fail at once.
func (l *link) lose(s *session) {
	words := s.words()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.session, l.words = nil, words
}

// down notes why the server is down, and that the next try is after wait.
func (l *link) down(err error, wait time.Duration) {
	u, _ := errors.AsType[*unreachable](err)
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.state != Down {
		l.state, l.since = Down, time.Now()
		l.Logger.Warn("server is down", "server", l.ID, "err", err)
	}
	l.fault = cut(err.Error(), maxFault)
	l.tries++
	l.next = time.Now().Add(wait)
	if u != nil {
		l.words = u.words
	}
}

func (l *link) offered() []Tool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.session == nil {
		return nil
	}
	return append([]Tool(nil), l.tools...)
}

// tool finds a tool by the gateway's name, of a server that is down too: its call says so.
func (l *link) tool(name string) *Tool {
	l.mu.Lock()
	defer l.mu.Unlock()
	for i := range l.tools {
		if l.tools[i].Name == name {
			t := l.tools[i]
			return &t
		}
	}
	return nil
}

func (l *link) health() Health {
	l.mu.Lock()
	defer l.mu.Unlock()
	h := Health{Server: l.ID, State: l.state, Since: l.since, Fault: l.fault, Words: l.words, Tries: l.tries, Next: l.next, Reached: l.reached, Refused: append([]Refusal(nil), l.refused...)}
	if l.session != nil {
		h.Tools, h.Words = len(l.tools), l.session.words()
		h.Name, h.Protocol = l.session.name()
	}
	return h
}
