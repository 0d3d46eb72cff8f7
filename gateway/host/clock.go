package host

// The time of a call, which is the tool's and not the user's.

import (
	"sync"
	"time"
)

// A clock calls ring when a time has passed, not counting the time for which it is paused.
type clock struct {
	limit   time.Duration
	mu      sync.Mutex
	timer   *time.Timer
	left    time.Duration
	since   time.Time
	holders int // that want it paused
}

func newClock(d time.Duration, ring func()) *clock {
	return &clock{limit: d, timer: time.AfterFunc(d, ring), left: d, since: time.Now()}
}

func (c *clock) pause() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.holders++; c.holders == 1 && c.timer.Stop() {
		c.left = max(0, c.left-time.Since(c.since))
	}
}

func (c *clock) resume() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.holders--; c.holders == 0 {
		c.since = time.Now()
		c.timer.Reset(c.left)
	}
}

func (c *clock) stop() { c.timer.Stop() }
