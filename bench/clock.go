package main

import (
	"fmt"
	"math"
	"runtime"
	"slices"
	"syscall"
	"time"
)

// An entrant is one way of doing a piece of work.
type entrant struct {
	name string
	run  func() error
}

// A score is what an entrant used, per run.
type score struct {
	name    string
	cpu     time.Duration // median
	ratio   float64       // to the first entrant: median of the rounds' ratios
	mallocs uint64
	bytes   uint64 // allocated
}

// longEnough is how much CPU time a batch uses at least, so that the clock's own error does not count.
const longEnough = 20 * time.Millisecond

// contest runs the entrants in turn, batch by batch, and sets each beside the first. What disturbs the machine for a
// while disturbs all of them, and their ratios the least.
func contest(rounds int, entrants ...entrant) ([]score, error) {
	sizes := make([]int, len(entrants)) // of batches, in runs
	times := make([][]time.Duration, len(entrants))
	scores := make([]score, len(entrants))
	for i, e := range entrants {
		runs, err := calibrate(e.run)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", e.name, err)
		}
		sizes[i], scores[i].name = runs, e.name
	}
	for range rounds {
		for i, e := range entrants {
			runs := sizes[i]
			var before, after runtime.MemStats
			runtime.GC()
			// The others' batches have emptied the pools that an entrant in steady use finds full.
			if err := e.run(); err != nil {
				return nil, fmt.Errorf("%s: %w", e.name, err)
			}
			runtime.ReadMemStats(&before)
			used, err := measure(e.run, runs)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", e.name, err)
			}
			runtime.ReadMemStats(&after)
			times[i] = append(times[i], used/time.Duration(runs))
			scores[i].mallocs = (after.Mallocs - before.Mallocs) / uint64(runs)
			scores[i].bytes = (after.TotalAlloc - before.TotalAlloc) / uint64(runs)
		}
	}
	settle(scores, times)
	return scores, nil
}

// settle fills in what follows from each entrant's times, one for each round.
func settle(scores []score, times [][]time.Duration) {
	for i := range scores {
		ratios := make([]float64, len(times[i]))
		for round, used := range times[i] {
			ratios[round] = float64(used) / float64(times[0][round])
		}
		scores[i].ratio = median(ratios)
		scores[i].cpu = median(times[i])
	}
}

// calibrate warms run up and says how many runs make a batch.
func calibrate(run func() error) (int, error) {
	for runs := 1; ; {
		used, err := measure(run, runs)
		if err != nil {
			return 0, err
		}
		if used >= longEnough {
			return runs, nil
		}
		// A first run pays for what later ones find prepared, so the step is bounded.
		runs = min(10*runs, 1+int(1.3*float64(runs)*float64(longEnough)/math.Max(float64(used), 1000)))
	}
}

func measure(run func() error, runs int) (time.Duration, error) {
	start := processTime()
	for range runs {
		if err := run(); err != nil {
			return 0, err
		}
	}
	return processTime() - start, nil
}

// processTime is the CPU time that this process has used on all its threads.
func processTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err) // it fails for no argument of ours
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func median[N time.Duration | float64](of []N) N {
	sorted := slices.Sorted(slices.Values(of))
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}
