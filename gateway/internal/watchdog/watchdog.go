// Package watchdog ends a test that waits for what never comes, with the stacks of all goroutines, long before the ten
// minutes of "go test" are over.
package watchdog

import (
	"fmt"
	"testing"
	"time"
)

// Limit is the longest time of an ordinary test. It is generous: a loaded machine under the race detector is 50 times slower.
const Limit = 2 * time.Minute

// Start gives a test that much time, and no longer.
func Start(t testing.TB, limit time.Duration) {
	name := t.Name()
	timer := time.AfterFunc(limit, func() { panic(fmt.Sprintf("%s: still waiting after %v", name, limit)) })
	t.Cleanup(func() { timer.Stop() })
}
