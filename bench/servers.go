package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"sync"
	"time"
)

// callers is how many calls are under way at once.
const callers = 16

// fixed is a handler of net/http that reads the body and writes bytes that were finished before: less is not possible.
const fixed = "net/http, fixed bytes"

// servers measures servers in processes of their own under calls at once, by the CPU time that each uses for a call. It is what
// users of a server pay. The client's work is not in it.
func (b *bench) servers() error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Hour)
	defer cancel()
	self, err := os.Executable()
	if err != nil {
		return err
	}
	http.DefaultTransport.(*http.Transport).MaxIdleConnsPerHost = callers
	var peers []*stranger
	defer func() {
		for _, s := range peers {
			s.stop()
		}
	}()
	for _, name := range []string{ours, fixed, raw, typed, mark, checked, tencent} {
		s, err := start(ctx, name, []string{self, "-serve", name})
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		peers = append(peers, s)
	}
	costs, rates := table{head: []string{"answer"}}, table{head: []string{"answer"}}
	for _, w := range b.works() {
		if !slices.Contains([]string{"number", "reading", "rows_100", "rows_10000"}, w.tool) {
			continue
		}
		times, speeds := make([][]time.Duration, len(peers)), make([][]float64, len(peers))
		for round := range b.rounds + 1 { // the first warms up
			for i, s := range peers {
				used, perSecond, err := s.load(w)
				if err != nil {
					return fmt.Errorf("%s of %s: %w", w.name, s.name, err)
				}
				if round > 0 {
					times[i], speeds[i] = append(times[i], used), append(speeds[i], perSecond)
				}
			}
		}
		cost, rate := []string{w.name}, []string{w.name}
		for i, s := range peers {
			if len(costs.rows) == 0 {
				costs.head, rates.head = append(costs.head, s.name), append(rates.head, s.name)
			}
			cost, rate = append(cost, duration(median(times[i]))), append(rate, figure(median(speeds[i])))
		}
		costs.add(cost...)
		rates.add(rate...)
	}
	b.title("Servers under load", fmt.Sprintf("CPU time of the server's process for one call over HTTP, stateless, revision %s, %d calls at once; median of the rounds.", revision, callers))
	costs.print(b.out)
	b.title("Calls per second", "The same runs; client and server share the machine.")
	rates.print(b.out)
	return nil
}

// load calls a tool from many callers at once until the server has used enough CPU time, and returns what it used for a call
// and how many calls it answered in a second.
func (s *stranger) load(w work) (time.Duration, float64, error) {
	var all sync.WaitGroup
	counts, faults := make([]int, callers), make([]error, callers)
	begin := time.Now()
	before, err := s.cpu()
	if err != nil {
		return 0, 0, err
	}
	for i := range callers {
		all.Go(func() {
			run := w.call(s.url)
			for {
				for range 8 {
					if faults[i] = run(); faults[i] != nil {
						return
					}
				}
				counts[i] += 8
				var now time.Duration
				if now, faults[i] = s.cpu(); faults[i] != nil || now-before >= longEnoughLoaded {
					return
				}
			}
		})
	}
	all.Wait()
	after, err := s.cpu()
	calls := 0
	for i := range callers {
		calls += counts[i]
		if faults[i] != nil {
			err = faults[i]
		}
	}
	if err != nil {
		return 0, 0, err
	}
	return (after - before) / time.Duration(calls), float64(calls) / time.Since(begin).Seconds(), nil
}

// longEnoughLoaded is how much CPU time the server uses at least in one round.
const longEnoughLoaded = 500 * time.Millisecond

// fixedHTTP answers a call of each tool with the same bytes each time.
func (h *candidates) fixedHTTP() http.Handler {
	answers := map[string][]byte{"": []byte(`{"jsonrpc":"2.0","id":1,"result":{"tools":[]}}`)}
	for _, w := range h.works {
		answers[w.tool] = fmt.Appendf(nil, `{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":[{"type":"text","text":""}],"structuredContent":%s}}`, w.doc)
	}
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if _, err := io.Copy(io.Discard, req.Body); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(answers[req.Header.Get("Mcp-Name")])
	})
}
