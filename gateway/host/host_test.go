package host

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func ways(t *testing.T) map[string]Server {
	s := server()
	web := func(stateless bool) Server {
		handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, &mcp.StreamableHTTPOptions{Stateless: stateless})
		there := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("X-Key") != "k" {
				http.Error(w, "no", http.StatusUnauthorized)
				return
			}
			handler.ServeHTTP(w, r)
		}))
		t.Cleanup(there.Close)
		t.Cleanup(there.CloseClientConnections)
		return Server{ID: "s", URL: there.URL, Headers: map[string]string{"X-Key": "k"}, AllowWithoutSources: true}
	}
	return map[string]Server{"stdio": spawn("s", "good"), "stdio, old": spawn("s", "old"), "http": web(true), "http, old": web(false)}
}

func TestCallOverEveryTransport(t *testing.T) {
	for name, s := range ways(t) {
		t.Run(name, func(t *testing.T) {
			h := start(t, Options{Timeout: 20 * time.Second}, s)
			health := h.Health()[0]
			if health.State != Up || health.Name != "test 1.2" || health.Tools != len(h.Tools()) || health.Tools < 10 {
				t.Fatalf("health %+v", health)
			}
			if old := strings.Contains(name, "old"); old != (health.Protocol < "2026") {
				t.Errorf("speaks %s", health.Protocol)
			}
			var progress []Progress
			for tool, want := range map[string]Result{
				"data":       {Verified: true, Drawable: true, Structured: json.RawMessage(exactPanel)},
				"counts":     {Verified: true, Drawable: true, Structured: json.RawMessage(exactPanel)},
				"plain":      {Note: "no source given"},
				"unschooled": {Note: "no source given; not verified: it publishes no output schema that can be used", Structured: json.RawMessage(`{"n":12345678901234567890}`)},
				"typed":      {Note: "no source given", Verified: true, Structured: json.RawMessage(`{"n":12345678901234567890}`)},
			} {
				got, err := h.Call(t.Context(), "s__"+tool, json.RawMessage(`{}`), Callbacks{Progress: func(p Progress) {
					if progress = append(progress, p); p.Done == 3 {
						go h.Call(t.Context(), "s__seen", json.RawMessage(`{}`), Callbacks{})
					}
				}})
				if err != nil {
					t.Fatal(err)
				}
				want.Blocks = []Block{{Kind: Text, Text: "t"}}
				want.Content = json.RawMessage(`[{"type":"text","text":"t"}]`)
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("%s (-want +got):\n%s", tool, diff)
				}
			}
			if diff := cmp.Diff([]Progress{{1, 3, "step"}, {2, 3, "step"}, {3, 3, "step"}}, progress); diff != "" {
				t.Errorf("progress (-want +got):\n%s", diff)
			}
			for tool, want := range map[string]string{
				"lies": "broke the tool's own rules", "empty": "broke the tool's own rules", "mistyped": "broke the tool's own rules",
				"huge": "broke the tool's own rules", "fails": "no such station",
			} {
				got, err := h.Call(t.Context(), "s__"+tool, json.RawMessage(`{}`), Callbacks{})
				if err != nil || !got.IsError || got.Verified || got.Drawable || got.Structured != nil {
					t.Errorf("%s: %+v, %v", tool, got, err)
					continue
				}
				if text := got.Blocks[0].Text; !strings.Contains(text, want) || strings.Contains(text+string(got.Content), "secret") {
					t.Errorf("%s: the model reads %q", tool, text)
				}
			}
		})
	}
}

func TestOneServerCostsOnlyItself(t *testing.T) {
	bad := spawn("bad", "good")
	bad.Timeouts = map[string]time.Duration{"hangs": 300 * time.Millisecond}
	// Servers that never answer the first question are waited for to the end: they get less time than the others.
	stuck := start(t, Options{Retry: 10 * time.Millisecond, Dial: 2 * time.Second}, spawn("silent", "silent"), spawn("garbage", "garbage"), spawn("endless", "endless"))
	h := start(t, Options{Retry: 10 * time.Millisecond, Timeout: time.Minute}, spawn("good", "good"), bad,
		spawn("dies", "dies"), Server{ID: "nowhere", URL: "http://127.0.0.1:1/mcp"}, Server{ID: "nothing", Command: []string{filepath.Join(t.TempDir(), "none")}})
	h.links = append(h.links, stuck.links...)
	states := make(map[string]State)
	for _, health := range h.Health() {
		states[health.Server] = health.State
		if health.Server == "dies" && (!strings.Contains(health.Words, "no database") || !strings.Contains(health.Fault, "it ended")) {
			t.Errorf("what is known of a dead server: %+v", health)
		}
	}
	for _, id := range []string{"dies", "silent", "garbage", "endless", "nowhere", "nothing"} {
		if states[id] == Up {
			t.Errorf("%s is up", id)
		}
	}
	works := func() {
		t.Helper()
		res, err := h.Call(t.Context(), "good__data", json.RawMessage(`{}`), Callbacks{})
		if err != nil || res.IsError {
			t.Errorf("the good server: %+v, %v", res, err)
		}
	}
	works()
	for tool, want := range map[string]string{"hangs": "did not answer within", "mountain": "larger than", "exits": "broke"} {
		t.Run(tool, func(t *testing.T) {
			recovers(t, h, "bad__data")
			res, err := h.Call(t.Context(), "bad__"+tool, json.RawMessage(`{}`), Callbacks{})
			if err != nil || !res.IsError || !strings.Contains(res.Blocks[0].Text, want) {
				t.Errorf("%+v, %v", res.Blocks, err)
			}
			works()
			recovers(t, h, "bad__data")
		})
	}
}

func recovers(t *testing.T, h *Host, tool string) {
	t.Helper()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		if res, err := h.Call(t.Context(), tool, json.RawMessage(`{}`), Callbacks{}); err != nil {
			t.Fatal(err)
		} else if !res.IsError {
			return
		}
		<-tick.C
	}
}

func TestMountainOverHTTP(t *testing.T) {
	s := server()
	handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, &mcp.StreamableHTTPOptions{Stateless: true})
	var sent atomic.Int64
	there := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		document, stream := bytes.Contains(body, []byte(`"name":"mountain"`)), bytes.Contains(body, []byte(`"name":"plain"`))
		if document || stream {
			w.Header().Set("Content-Type", "application/json")
			if stream {
				w.Header().Set("Content-Type", "text/event-stream")
				io.WriteString(w, "data: ")
			}
			io.WriteString(w, `{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"`)
			chunk := bytes.Repeat([]byte("x"), 1<<20)
			for range 100 {
				n, err := w.Write(chunk)
				if sent.Add(int64(n)); err != nil {
					return
				}
			}
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		handler.ServeHTTP(w, r)
	}))
	t.Cleanup(there.Close)
	h := start(t, Options{Retry: 5 * time.Millisecond}, Server{ID: "s", URL: there.URL, AllowWithoutSources: true})
	for _, tool := range []string{"s__mountain", "s__plain"} {
		recovers(t, h, "s__data")
		if res, err := h.Call(t.Context(), tool, json.RawMessage(`{}`), Callbacks{}); err != nil || !res.IsError {
			t.Errorf("%s: %d blocks, %v", tool, len(res.Blocks), err)
		}
	}
	recovers(t, h, "s__data")
	if sent.Load() < maxMessage {
		t.Errorf("only %d bytes were sent", sent.Load())
	}
}

func TestWebServerComesBack(t *testing.T) {
	var down atomic.Bool
	s := server()
	handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, &mcp.StreamableHTTPOptions{Stateless: true})
	there := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if down.Load() {
			panic(http.ErrAbortHandler)
		}
		handler.ServeHTTP(w, r)
	}))
	t.Cleanup(there.Close)
	h := start(t, Options{Retry: 5 * time.Millisecond}, Server{ID: "s", URL: there.URL, AllowWithoutSources: true})
	recovers(t, h, "s__data")
	down.Store(true)
	if res, err := h.Call(t.Context(), "s__data", nil, Callbacks{}); err != nil || !res.IsError {
		t.Errorf("a server that is gone answers: %+v, %v", res, err)
	}
	down.Store(false)
	recovers(t, h, "s__data")
}

func TestStopIsAtOnce(t *testing.T) {
	h := start(t, Options{}, spawn("s", "good"))
	ctx, cancel := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	for range maxCalls + 4 { // the last wait for their turn
		wg.Go(func() {
			if _, err := h.Call(ctx, "s__hangs", json.RawMessage(`{}`), Callbacks{}); err == nil {
				t.Error("a stopped call is no error")
			}
		})
	}
	cancel()
	wg.Wait()
	recovers(t, h, "s__data")
}
