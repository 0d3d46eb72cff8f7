//go:build !linux

package web

import "time"

var began = time.Now()

// processorTime is the time of the clock, where the system does not tell that of a thread.
func processorTime() time.Duration { return time.Since(began) }
