package quota

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/diptych-mcp/diptych/gateway/store"
)

// counted is a store whose usage the test sets.
type counted struct {
	mu   sync.Mutex
	used store.Usage
	day  time.Time
}

func (c *counted) Usage(_ context.Context, _ string, since time.Time) (store.Usage, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.day = since
	return c.used, nil
}

func reached(t *testing.T, err error, want Kind) *Exceeded {
	t.Helper()
	var e *Exceeded
	if errors.As(err, &e) != (want != "") || e != nil && e.Kind != want {
		t.Errorf("got %v, want the kind %q", err, want)
		return &Exceeded{}
	}
	return e
}

func TestRequests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := New(Limits{Requests: 60}, &counted{})
		for range 15 {
			reached(t, q.Request("ann"), "")
		}
		if e := reached(t, q.Request("ann"), Requests); e.Seconds() != 1 || !strings.Contains(e.Error(), "60 requests in a minute; wait") {
			t.Errorf("%+v: %v", e, e)
		}
		reached(t, q.Request("ben"), "") // ann's haste is her own
		time.Sleep(time.Second)          // of the bubble's clock
		reached(t, q.Request("ann"), "")
		reached(t, q.Request("ann"), Requests)
		time.Sleep(time.Hour)
		for range 15 {
			reached(t, q.Request("ann"), "")
		}
		reached(t, q.Request("ann"), Requests)
	})
}

// A million users take no more memory than ten thousand, and who was refused a moment ago still is while there is room.
func TestMemoryIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := New(Limits{Requests: 4}, &counted{})
		for i := range 30_000 {
			if i%9_000 == 0 {
				time.Sleep(2 * time.Minute)
				reached(t, q.Request("ann"), "")
				reached(t, q.Request("ann"), Requests)
			}
			reached(t, q.Request(fmt.Sprint(i)), "")
		}
		if len(q.pace) > maxPaces {
			t.Errorf("%d are kept", len(q.pace))
		}
		for i := range 1000 {
			done, err := q.Stream(fmt.Sprint(i))
			reached(t, err, "")
			done()
			done()
		}
		if len(q.streams) > 0 {
			t.Errorf("%d streams are kept", len(q.streams))
		}
	})
}

func TestStreams(t *testing.T) {
	q := New(Limits{Streams: 2}, &counted{})
	done, err := q.Stream("ann")
	reached(t, err, "")
	_, err = q.Stream("ann")
	reached(t, err, "")
	_, err = q.Stream("ann")
	reached(t, err, Streams)
	_, err = q.Stream("ben")
	reached(t, err, "")
	done()
	_, err = q.Stream("ann")
	reached(t, err, "")
}

func TestStart(t *testing.T) {
	limits := Limits{Live: 2, Daily: 10, Conversations: 5, Bytes: 3 << 20}
	for _, test := range []struct {
		used  store.Usage
		fresh bool
		want  Kind
		after time.Duration
		says  string
	}{
		{used: store.Usage{Live: 1, Runs: 9, Conversations: 4, Bytes: 3<<20 - 1}, fresh: true},
		{used: store.Usage{Live: 2}, want: Live, after: 5 * time.Second, says: "2 questions are being answered already; wait"},
		{used: store.Usage{Runs: 10}, want: Daily, after: 6 * time.Hour, says: "10 questions were asked today; the count begins anew at midnight"},
		{used: store.Usage{Conversations: 5}, fresh: true, want: Conversations, says: "5 conversations are kept already; delete some"},
		{used: store.Usage{Conversations: 5}},
		{used: store.Usage{Bytes: 3 << 20}, want: Bytes, says: "more than 3 MiB; delete some"},
	} {
		synctest.Test(t, func(t *testing.T) {
			time.Sleep(18 * time.Hour) // the bubble's clock begins at midnight
			c := &counted{used: test.used}
			started := false
			err := New(limits, c).Start(t.Context(), "ann", test.fresh, func() error { started = true; return nil })
			e := reached(t, err, test.want)
			if started != (test.want == "") {
				t.Errorf("%+v: started is %v", test.used, started)
			}
			if e != nil && (e.After != test.after || !strings.Contains(e.Error(), test.says)) {
				t.Errorf("%+v: after %v, %q", test.used, e.After, e.Error())
			}
			if want := time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC); !c.day.Equal(want) {
				t.Errorf("asked since %v", c.day)
			}
		})
	}
	if err := New(Limits{}, &counted{used: store.Usage{Live: 1e6, Runs: 1e6, Conversations: 1e6, Bytes: 1 << 60}}).Start(t.Context(), "ann", true, func() error { return nil }); err != nil {
		t.Errorf("without limits: %v", err)
	}
}

// A user who asks twice at the same moment gets no more than one who asks in turn.
func TestStartsAtOnce(t *testing.T) {
	c := &counted{}
	q := New(Limits{Live: 3}, c)
	var wg sync.WaitGroup
	for range 50 {
		wg.Go(func() {
			_ = q.Start(t.Context(), "ann", false, func() error {
				c.mu.Lock()
				defer c.mu.Unlock()
				c.used.Live++
				return nil
			})
		})
	}
	wg.Wait()
	if c.used.Live < 1 || c.used.Live > 3 || len(q.begun) > 0 {
		t.Errorf("%d go on, %d are on their way", c.used.Live, len(q.begun))
	}
	// While three are on their way, nothing of which is stored yet, a fourth has to wait.
	c.used.Live = 0
	allowed := 0
	var start func() error
	start = func() error { allowed++; return q.Start(t.Context(), "ann", false, start) }
	if reached(t, start(), Live); allowed != 4 { // the test's own, and three
		t.Errorf("%d were allowed", allowed-1)
	}
}
