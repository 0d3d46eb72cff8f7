// Package countdown limits the time of a call that is the tool's: while the user is asked something, the time does not run.
package countdown

import (
	"sync"
	"time"
)

// A Timer calls a function once when a time has passed, not counting the time for which it is paused.
type Timer struct {
	ring   func()
	mu     sync.Mutex
	timer  *time.Timer
	left   time.Duration
	since  time.Time
	pauses int  // that were not resumed
	ended  bool // rang, or was stopped
}

// New returns a timer that is paused: [Timer.Resume] starts it.
func New(d time.Duration, ring func()) *Timer { return &Timer{ring: ring, left: d, pauses: 1} }

// Pause stops the time until Resume was called as often as Pause.
func (t *Timer) Pause() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.pauses++; t.pauses > 1 || t.ended {
		return
	}
	t.ended = !t.timer.Stop()
	t.left -= time.Since(t.since)
}

// Resume lets the time go on where no other pause is left.
func (t *Timer) Resume() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.pauses--; t.pauses > 0 || t.ended {
		return
	}
	t.since = time.Now()
	t.timer = time.AfterFunc(t.left, t.ring)
}

// Stop ends the timer, which then does not ring.
func (t *Timer) Stop() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.ended = true; t.timer != nil {
		t.timer.Stop()
	}
}
