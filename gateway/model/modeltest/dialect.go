// Package modeltest has what every client of a model's server is held to, whatever the server speaks, and servers to try
// clients on.
package modeltest

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/diptych-mcp/diptych/gateway/model"
)

// Key is what a client sends and never tells.
const Key = "sk-very-secret-0123456789"

// A Dialect is a client, and what its server says to it.
type Dialect struct {
	// Serve starts a server that plays h, and returns a client that has Key, waits between tries as wait does, and gives
	// up when it has received nothing for idle. Zero is the client's own.
	Serve func(t *testing.T, h http.HandlerFunc, idle time.Duration, wait func(context.Context, time.Duration) error) model.Model
	Asked model.Request
	Hello string // an answer
	Said  model.Turn
	Begun string // an answer's beginning, with text in it
	Call  string // an answer with text and a call, whole only
	End   int    // from here on
}

// Test checks the client against the rules that do not depend on the dialect.
func (d Dialect) Test(t *testing.T) {
	t.Run("every cut is an error", d.cuts)
	t.Run("retries", d.retries)
	t.Run("no retry after the first delta", d.begun)
	t.Run("silence", d.silence)
	t.Run("stop", d.stop)
}

// Answer has a server send body, in pieces of several sizes. A fault is part of the error that is due instead of want.
func (d Dialect) Answer(t *testing.T, body string, want model.Turn, fault string) {
	for _, size := range []int{1, 7, 11, len(body)} {
		if size < len(body) && len(body) > 4<<10 {
			continue
		}
		c := d.Serve(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			for rest := body; rest != ""; {
				n := min(size, len(rest))
				send(w, rest[:n])
				rest = rest[n:]
			}
		}, 0, atOnce)
		got, err := Stream(t, c, d.Asked)
		if fault != "" {
			if err == nil || !strings.Contains(err.Error(), fault) {
				t.Fatalf("in writes of %d: got %+v, %v; want an error with %q", size, got, err, fault)
			}
			continue
		}
		if err != nil {
			t.Fatalf("in writes of %d: %v", size, err)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Fatalf("in writes of %d (-want +got):\n%s", size, d)
		}
	}
}

// Stream runs a request and checks that the deltas are the text of the turn.
func Stream(t *testing.T, c model.Model, req model.Request) (model.Turn, error) {
	t.Helper()
	var text strings.Builder
	turn, err := c.Stream(t.Context(), req, func(d model.Delta) error {
		text.WriteString(d.Text)
		return nil
	})
	if err == nil && text.String() != turn.Text {
		t.Errorf("deltas %q, turn %q", text.String(), turn.Text)
	}
	if err != nil {
		if turn.Text != "" || turn.Calls != nil || turn.Reason != "" {
			t.Errorf("an error came with a turn: %+v", turn)
		}
		if strings.Contains(err.Error(), Key) || strings.ContainsAny(err.Error(), "\r\n\x1b") || len(err.Error()) > 700 {
			t.Errorf("error leaks the key or is no short line: %q", err)
		}
	}
	return turn, err
}

// A connection that breaks anywhere before the end is an error, whatever came before.
func (d Dialect) cuts(t *testing.T) {
	var at atomic.Int64
	c := d.Serve(t, func(w http.ResponseWriter, _ *http.Request) {
		send(w, d.Call[:at.Load()])
		panic(http.ErrAbortHandler)
	}, 0, atOnce)
	for i := 1; i < d.End; i += 3 {
		at.Store(int64(i))
		if turn, err := Stream(t, c, d.Asked); err == nil {
			t.Fatalf("cut at %d of %d: %+v", i, len(d.Call), turn)
		}
	}
}

func (d Dialect) retries(t *testing.T) {
	for _, test := range []struct {
		name   string
		status []int
		after  string
		want   int // requests
		waits  []time.Duration
		fault  string
	}{
		{name: "busy once", status: []int{429}, after: "3", want: 2, waits: []time.Duration{3 * time.Second}},
		{name: "broken twice", status: []int{500, 503}, after: "0.5", want: 3, waits: []time.Duration{time.Second / 2, time.Second / 2}},
		{name: "broken for good", status: []int{500, 502, 503, 500}, after: "1", want: 3, waits: []time.Duration{time.Second, time.Second}, fault: "503 Service Unavailable: busy [key]; try again in 1s"},
		{name: "overloaded twice", status: []int{529, 500}, after: "0.5", want: 3, waits: []time.Duration{time.Second / 2, time.Second / 2}},
		{name: "overloaded for good", status: []int{529, 529, 529, 529}, after: "1", want: 3, waits: []time.Duration{time.Second, time.Second}, fault: "the server answered 529: busy [key]; try again in 1s"},
		{name: "busy for an hour", status: []int{429}, after: "3600", want: 1, fault: "429 Too Many Requests: busy [key]; try again in 1h0m0s"},
		{name: "a bad key", status: []int{401}, want: 1, fault: "401 Unauthorized: busy [key]; check the key in the environment"},
		{name: "a bad request", status: []int{400}, want: 1, fault: "400 Bad Request: busy [key]"},
		{name: "a redirect", status: []int{307}, want: 1, fault: "307 Temporary Redirect: busy [key]; give the address"},
	} {
		t.Run(test.name, func(t *testing.T) {
			var requests atomic.Int64
			var waits []time.Duration
			c := d.Serve(t, func(w http.ResponseWriter, r *http.Request) {
				body, _ := io.ReadAll(r.Body)
				if r.Header.Get("Authorization") != "Bearer "+Key || !json.Valid(body) {
					t.Errorf("request without key or body: %q", body)
				}
				n := int(requests.Add(1))
				if n > len(test.status) {
					send(w, d.Hello)
					return
				}
				w.Header().Set("Location", "/elsewhere")
				w.Header().Set("Retry-After", test.after)
				w.WriteHeader(test.status[n-1])
				send(w, `{"type":"error","error":{"type":"x","message":"busy `+Key+`."}}`)
			}, 0, func(_ context.Context, d time.Duration) error {
				waits = append(waits, d)
				return nil
			})
			got, err := Stream(t, c, d.Asked)
			if int(requests.Load()) != test.want {
				t.Errorf("%d requests, want %d", requests.Load(), test.want)
			}
			if d := cmp.Diff(test.waits, waits); d != "" {
				t.Errorf("waits (-want +got):\n%s", d)
			}
			if test.fault != "" {
				if err == nil || !strings.Contains(err.Error(), test.fault) {
					t.Errorf("got %v, want %q", err, test.fault)
				}
			} else if d := cmp.Diff(d.Said, got); d != "" || err != nil {
				t.Errorf("%v (-want +got):\n%s", err, d)
			}
		})
	}
}

func (d Dialect) begun(t *testing.T) {
	var requests atomic.Int64
	c := d.Serve(t, func(w http.ResponseWriter, _ *http.Request) {
		requests.Add(1)
		send(w, d.Begun)
		panic(http.ErrAbortHandler)
	}, 0, atOnce)
	if _, err := Stream(t, c, d.Asked); err == nil || requests.Load() != 1 {
		t.Errorf("%d requests, error %v", requests.Load(), err)
	}
}

func (d Dialect) silence(t *testing.T) {
	for name, first := range map[string]string{"before the headers": "", "in the stream": d.Begun} {
		t.Run(name, func(t *testing.T) {
			c := d.Serve(t, falls(first), 50*time.Millisecond, atOnce)
			if _, err := Stream(t, c, d.Asked); err == nil || !strings.Contains(err.Error(), "sent nothing for 50ms") {
				t.Error(err)
			}
		})
	}
}

func (d Dialect) stop(t *testing.T) {
	c := d.Serve(t, falls(d.Begun), 0, atOnce)
	ctx, cancel := context.WithCancel(t.Context())
	_, err := c.Stream(ctx, d.Asked, func(model.Delta) error { cancel(); return nil })
	if !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	full := errors.New("disk full")
	if _, err := c.Stream(t.Context(), d.Asked, func(model.Delta) error { return full }); err != full {
		t.Error(err)
	}
}

// falls sends something, or nothing, and falls silent.
func falls(first string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		if first != "" {
			send(w, first)
		}
		<-r.Context().Done()
	}
}

func send(w http.ResponseWriter, s string) {
	_, _ = io.WriteString(w, s) // a client may have gone
	_ = http.NewResponseController(w).Flush()
}

// atOnce does not wait.
func atOnce(ctx context.Context, _ time.Duration) error { return ctx.Err() }
