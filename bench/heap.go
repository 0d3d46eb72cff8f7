package main

import (
	"io"
	"net/http"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"slices"
	"sync/atomic"
	"time"
)

// heap measures how far one call lifts the heap. Garbage that the collector has not freed yet counts: it takes memory.
func (b *bench) heap() error {
	endpoints, err := b.candidates.listen()
	if err != nil {
		return err
	}
	defer closeEndpoints(endpoints)
	t := table{head: []string{"10,000 rows over HTTP", "bytes sent", "peak above baseline", "times the bytes", "of it in use", "times the bytes"}}
	for _, d := range endpoints {
		run := b.candidates.work("rows_10000").call(d.url)
		sent, err := answerSize(run)
		if err != nil {
			return err
		}
		row := []string{d.name, size(sent)}
		for _, percent := range []int{100, eager} {
			before := debug.SetGCPercent(percent)
			peak, err := medianLift(min(b.rounds, 5), run)
			debug.SetGCPercent(before)
			if err != nil {
				return err
			}
			row = append(row, size(peak), figure(float64(peak)/float64(sent)))
		}
		t.add(row...)
	}
	b.title("Memory", "What one call of 10,000 rows over HTTP adds to a heap that was just collected, client included; medians. The first figure counts garbage "+
		"that the collector, at its default setting, has not fetched yet; for the second it is set to fetch all but at once.")
	t.print(b.out)
	return nil
}

// eager is a GOGC at which next to no garbage is waiting.
const eager = 2

func medianLift(rounds int, run func() error) (uint64, error) {
	peaks := make([]uint64, rounds)
	for i := range peaks {
		var err error
		if peaks[i], err = lift(run); err != nil {
			return 0, err
		}
	}
	slices.Sort(peaks)
	return peaks[rounds/2], nil
}

// answerSize runs a request and counts the bytes of its answer.
func answerSize(run func() error) (uint64, error) {
	var counted atomic.Uint64
	before := http.DefaultClient.Transport
	http.DefaultClient.Transport = counter{&counted}
	defer func() { http.DefaultClient.Transport = before }()
	err := run()
	return counted.Load(), err
}

// A counter counts the bytes of bodies.
type counter struct{ n *atomic.Uint64 }

func (c counter) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := http.DefaultTransport.RoundTrip(req)
	if err == nil {
		resp.Body = countedBody{resp.Body, c.n}
	}
	return resp, err
}

type countedBody struct {
	io.ReadCloser
	n *atomic.Uint64
}

func (b countedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.n.Add(uint64(n))
	return n, err
}

// glance is how often the heap is looked at: a call takes a hundred times as long.
const glance = 200 * time.Microsecond

// lift runs once and watches the heap meanwhile.
func lift(run func() error) (uint64, error) {
	runtime.GC()
	runtime.GC() // the second empties the pools
	base := heapSize()
	stop, done := make(chan struct{}), make(chan uint64)
	tick := time.NewTicker(glance)
	defer tick.Stop()
	go func() {
		highest := base
		for {
			highest = max(highest, heapSize())
			select {
			case <-stop:
				done <- highest
				return
			case <-tick.C:
			}
		}
	}()
	err := run()
	last := heapSize()
	close(stop)
	return max(<-done, last) - base, err
}

func heapSize() uint64 {
	s := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(s)
	return s[0].Value.Uint64()
}
