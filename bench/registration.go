package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"time"
)

// registration measures publishing many tools on a new server: of the same types again and again, as one process does it,
// and each of types of its own, as a process does it that has just started. What a peer remembers of types counts in the
// first and not in the second.
func (b *bench) registration() error {
	t := table{head: []string{"1,000 tools"}}
	entrants := make([]entrant, len(fills))
	kinds := alike()
	for i, f := range fills {
		entrants[i] = entrant{f.name, func() error { return f.fill(new(candidates), kinds) }}
	}
	warm, err := contest(b.rounds, entrants...)
	if err != nil {
		return err
	}
	cold, err := b.starts()
	if err != nil {
		return err
	}
	t.compare(warm, "the same types")
	t.count(warm, "allocations")
	t.compare(cold, "types of their own, process just started")
	t.count(cold, "allocations")
	b.title("Registering 1,000 tools", "Three arguments, three fields in the answer, schemas derived from the types. The official SDK's `AddTool` without a cache = 1.")
	t.print(b.out)
	return nil
}

// An outlay is what one peer used to publish its tools in a fresh process.
type outlay struct {
	CPU            time.Duration
	Mallocs, Bytes uint64
}

// starts runs each peer in processes of its own.
func (b *bench) starts() ([]score, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	times := make([][]time.Duration, len(fills))
	scores := make([]score, len(fills))
	for range b.rounds {
		for i, f := range fills {
			ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
			out, err := exec.CommandContext(ctx, self, "-fill", f.name).Output()
			cancel()
			var s outlay
			if err == nil {
				err = json.Unmarshal(out, &s)
			}
			if err != nil {
				return nil, fmt.Errorf("%s: %w", f.name, err)
			}
			times[i] = append(times[i], s.CPU)
			scores[i] = score{name: f.name, mallocs: s.Mallocs, bytes: s.Bytes}
		}
	}
	settle(scores, times)
	return scores, nil
}

// fillOne publishes the tools of one peer once, each of types of its own, and writes what that used.
func fillOne(name string) error {
	kinds := distinct()
	for _, f := range fills {
		if f.name != name {
			continue
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		begin := processTime()
		if err := f.fill(new(candidates), kinds); err != nil {
			return err
		}
		used := processTime() - begin
		runtime.ReadMemStats(&after)
		return json.NewEncoder(os.Stdout).Encode(outlay{used, after.Mallocs - before.Mallocs, after.TotalAlloc - before.TotalAlloc})
	}
	return fmt.Errorf("no peer is called %q", name)
}
