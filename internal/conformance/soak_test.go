//go:build soak

package conformance

import (
	"context"
	"flag"
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/diptych-mcp/diptych/internal/exampleserver"
	"github.com/diptych-mcp/diptych/internal/wiretest"
)

var soak = flag.Duration("soak", time.Minute, "how long to load each example")

// Many callers ask an example at once, for long; every single answer must be the documentation's.
func TestSoak(t *testing.T) {
	const callers = 32
	for name, tools := range map[string][]string{"weather": Weather, "rooms": Rooms} {
		t.Run(name, func(t *testing.T) {
			cases, err := Cases(tools...)
			if err != nil {
				t.Fatal(err)
			}
			program, err := exampleserver.Build(t.Context(), "github.com/diptych-mcp/diptych/examples/"+name, t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			server, err := exampleserver.Start(t.Context(), io.Discard, program)
			if err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithTimeout(t.Context(), *soak)
			defer cancel()
			var calls atomic.Int64
			var all sync.WaitGroup
			for range callers {
				all.Go(func() {
					peer := wiretest.HTTP(server.URL, wiretest.Modern)
					for i := 0; ctx.Err() == nil && !t.Failed(); i++ {
						c := cases[i%len(cases)]
						res, err := peer.Call(t.Context(), c.Tool, c.Arguments)
						if err != nil {
							t.Error(err)
							return
						}
						c.CheckResult(t, res)
						calls.Add(1)
					}
				})
			}
			all.Wait()
			if err := server.Stop(); err != nil {
				t.Errorf("the server ended with %v", err)
			}
			fmt.Fprintf(t.Output(), "%d calls\n", calls.Load())
		})
	}
}
