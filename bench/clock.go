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
	low     float64       // the lowest and the highest of them
	high    float64
	mallocs uint64
	bytes   uint64 // allocated
}

// longEnough is how much CPU time a batch uses at least, so that the clock's own error does not count.
const longEnough = 20 * time.Millisecond

// contest runs the entrants in turn, batch by batch, and sets each beside the first. What disturbs the machine for a
// while disturbs all of them, and their ratios the least.
func contest(rounds int, entrants ...entrant) ([]score, error) {
	type batch struct {
		runs  int
		times []time.Duration // per run
	}
	batches := make([]batch, len(entrants))
	scores := make([]score, len(entrants))
	for i, e := range entrants {
		runs, err := calibrate(e.run)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", e.name, err)
		}
		batches[i].runs = runs
		scores[i].name = e.name
	}
	for range rounds {
		for i, e := range entrants {
			b := &batches[i]
			var before, after runtime.MemStats
			runtime.GC()
			// The others' batches have emptied the pools that an entrant in steady use finds full.
			if err := e.run(); err != nil {
				return nil, fmt.Errorf("%s: %w", e.name, err)
			}
			runtime.ReadMemStats(&before)
			used, err := measure(e.run, b.runs)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", e.name, err)
			}
			runtime.ReadMemStats(&after)
			b.times = append(b.times, used/time.Duration(b.runs))
			scores[i].mallocs = (after.Mallocs - before.Mallocs) / uint64(b.runs)
			scores[i].bytes = (after.TotalAlloc - before.TotalAlloc) / uint64(b.runs)
		}
	}
	for i := range scores {
		ratios := make([]float64, rounds)
		for r := range ratios {
			ratios[r] = float64(batches[i].times[r]) / float64(batches[0].times[r])
		}
		slices.Sort(ratios)
		slices.Sort(batches[i].times)
		s := &scores[i]
		s.cpu, s.ratio, s.low, s.high = batches[i].times[rounds/2], middle(ratios), ratios[0], ratios[rounds-1]
	}
	return scores, nil
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

func middle(sorted []float64) float64 {
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}
