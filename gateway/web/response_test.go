package web

// Time, by the clock of a bubble: clients that send or read slowly, against the server that the gateway is.

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"iter"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/diptych-mcp/diptych/gateway/chat"
	"github.com/diptych-mcp/diptych/gateway/store"
)

// A wire is a listener whose connections hold nothing: what one end writes waits until the other has read it.
type wire struct {
	conns chan net.Conn
	ended chan struct{}
}

func (w *wire) Accept() (net.Conn, error) {
	select {
	case c := <-w.conns:
		return c, nil
	case <-w.ended:
		return nil, net.ErrClosed
	}
}

func (w *wire) Close() error   { close(w.ended); return nil }
func (w *wire) Addr() net.Addr { return &net.UnixAddr{} }

// dial serves h with deadlines of the server, as the gateway does, and returns a connection to it, on which request was sent. Reading from it
// fails when an hour has gone by.
func dial(t *testing.T, h http.Handler, request string) net.Conn {
	w := &wire{make(chan net.Conn), make(chan struct{})}
	server := &http.Server{Handler: h, ReadTimeout: writeTimeout, WriteTimeout: writeTimeout}
	go func() { _ = server.Serve(w) }() // until it is closed
	client, conn := net.Pipe()
	w.conns <- conn
	t.Cleanup(func() { client.Close(); server.Close() })
	if err := client.SetReadDeadline(time.Now().Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(client, strings.ReplaceAll(request, "\n", "\r\n")); err != nil {
		t.Fatal(err)
	}
	return client
}

func readResponse(t *testing.T, r io.Reader) *http.Response {
	t.Helper()
	resp, err := http.ReadResponse(bufio.NewReaderSize(r, 16), nil)
	if err != nil {
		t.Fatal(err)
	}
	return resp
}

func TestSlowBodyIsLeft(t *testing.T) {
	for name, c := range map[string]struct{ head, status string }{
		"a body that is read": {"POST /runs HTTP/1.1\nHost: localhost\nContent-Type: application/json\n", "HTTP/1.1 408 "},
		"a body that is not":  {"GET /tools HTTP/1.1\nHost: localhost\n", ""},
		"a host that is not":  {"POST /runs HTTP/1.1\nHost: evil.example\n", ""},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				began := time.Now()
				conn := dial(t, newHandler(t, newFake()), c.head+"Content-Length: 1000\n\n"+`{"text":"`)
				var sender sync.WaitGroup
				sender.Go(func() {
					for err := error(nil); err == nil; _, err = io.WriteString(conn, "x") {
						time.Sleep(5 * time.Second)
					}
				})
				text, err := io.ReadAll(conn)
				if took := time.Since(began); err != nil || took > writeTimeout+time.Second || !strings.HasPrefix(string(text), c.status) {
					t.Errorf("after %v (%v): %s", took, err, text)
				}
				sender.Wait()
			})
		})
	}
}

// A stream lasts as long as its run, though nothing else may: with a body that was not asked for too.
func TestStreamOutlivesEveryDeadline(t *testing.T) {
	for _, body := range []string{"\n", "Content-Length: 2\n\n{}"} {
		synctest.Test(t, func(t *testing.T) {
			f := newFake()
			f.scripts["q"] = func(r *fakeRun) {
				time.Sleep(10 * time.Minute)
				r.tell(&chat.Text{Turn: 1, Text: "late", Final: true})
			}
			h := newHandler(t, f)
			run := startRun(t, h, `{"text":"q"}`)
			resp := readResponse(t, dial(t, h, "GET /runs/"+run.ID+"/events HTTP/1.1\nHost: localhost\n"+body))
			text, err := io.ReadAll(resp.Body)
			if err != nil || !strings.Contains(string(text), `"late"`) || !strings.Contains(string(text), `"done"`) {
				t.Errorf("%v: %s", err, text)
			}
		})
	}
}

// talk is a conversation of n runs, each of which has an event of so many bytes.
func (f *fake) talk(t *testing.T, n, size int) store.Conversation {
	t.Helper()
	c, _ := f.CreateConversation(t.Context(), "local", "Long")
	for i := range n {
		name := fmt.Sprint("run ", i)
		f.scripts[name] = func(r *fakeRun) { r.tell(&chat.Force{Text: strings.Repeat("x", size)}) }
		run, err := f.Ask(t.Context(), "local", c.ID, name)
		if err != nil {
			t.Fatal(err)
		}
		f.waitEnded(run.ID)
	}
	return c
}

// A reader who takes a bit now and then gets everything; one who takes nothing is disconnected, with an answer that shows it.
func TestSlowReader(t *testing.T) {
	for name, pause := range map[string]time.Duration{"steady": 8 * time.Second, "stopped": 2 * writeTimeout} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := newFake()
				s := recorder(t, f)
				c := f.talk(t, 4, 4*maxPiece)
				resp := readResponse(t, dial(t, s.guard(s.routes()), "GET /conversations/"+c.ID+"/export HTTP/1.1\nHost: localhost\n\n"))
				var text strings.Builder
				var err error
				for err == nil {
					time.Sleep(pause)
					_, err = io.CopyN(&text, resp.Body, maxPiece/2)
				}
				if whole := err == io.EOF && strings.HasSuffix(text.String(), "</html>\n") && text.Len() > 16*maxPiece; whole != (pause < writeTimeout) {
					t.Errorf("%d bytes: %v", text.Len(), err)
				}
			})
		})
	}
}

// counted counts the events that a run's follower got.
type counted struct {
	*fake
	told *int
}

func (c counted) Follow(ctx context.Context, owner, id string, after int64) iter.Seq2[store.Event, error] {
	return func(yield func(store.Event, error) bool) {
		for e, err := range c.fake.Follow(ctx, owner, id, after) {
			*c.told++
			if !yield(e, err) {
				return
			}
		}
	}
}

// A stream whose reader stops takes no more events into memory.
func TestStreamReadsNotAhead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		f.scripts["q"] = func(r *fakeRun) {
			for range 100 {
				r.tell(&chat.Force{Text: strings.Repeat("x", 2*maxPiece)})
			}
		}
		told := 0
		h, err := New(Config{Chat: counted{f, &told}, Tools: f, Store: f})
		if err != nil {
			t.Fatal(err)
		}
		run := startRun(t, h, `{"text":"q"}`)
		f.waitEnded(run.ID)
		conn := dial(t, h, "GET /runs/"+run.ID+"/events HTTP/1.1\nHost: localhost\n\n")
		readResponse(t, conn)
		synctest.Wait()
		if told > 3 {
			t.Errorf("%d events were taken for a reader who takes none", told)
		}
	})
}

// endless is a store that never comes to an end with a search.
type endless struct{ *fake }

func (endless) Conversations(ctx context.Context, _, _ string, _, _ int) ([]store.Conversation, error) {
	<-ctx.Done()
	return nil, ctx.Err()
}

func TestLongSearchIsEnded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		h, err := New(Config{Chat: f, Tools: f, Store: endless{f}})
		if err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		if status, body, _ := do(t, h, "GET", "/conversations?q=x", ""); status != http.StatusServiceUnavailable || !strings.Contains(body, `"search"`) || time.Since(began) > searchTimeout {
			t.Errorf("%d %s after %v", status, body, time.Since(began))
		}
	})
}
