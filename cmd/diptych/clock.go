package main

import (
	"context"
	"sync"
	"time"
)

// A clock is the deadline of a call that stands still while a person is asked something.
type clock struct {
	mu     sync.Mutex
	left   time.Duration
	since  time.Time
	timer  *time.Timer
	paused int
	cancel context.CancelCauseFunc
}

func newClock(limit time.Duration) *clock { return &clock{left: limit} }

// start runs the clock and returns the context that it ends.
func (c *clock) start(ctx context.Context) context.Context {
	ctx, cancel := context.WithCancelCause(ctx)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.cancel = cancel
	c.run()
	return ctx
}

func (c *clock) run() {
	c.since = time.Now()
	c.timer = time.AfterFunc(c.left, func() { c.cancel(errTimeout) })
}

// pause stops the clock until the function it returns is called.
func (c *clock) pause() (resume func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.paused++; c.paused == 1 && c.timer != nil {
		c.timer.Stop()
		c.left -= time.Since(c.since)
	}
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.paused--; c.paused == 0 && c.timer != nil {
			c.run()
		}
	}
}

func (c *clock) stop() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.timer != nil {
		c.timer.Stop()
		c.cancel(nil)
	}
}
