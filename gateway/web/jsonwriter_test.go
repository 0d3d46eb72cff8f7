package web

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/diptych-mcp/diptych/gateway/chat"
	"github.com/diptych-mcp/diptych/gateway/host"
	"github.com/diptych-mcp/diptych/gateway/store"
)

// A ledger is a store and a writer that know how much was read from the one and not yet written to the other.
type ledger struct {
	*fake
	held, most int
	fails      func(run string) error
}

func (l *ledger) Events(ctx context.Context, run string, after int64, limit int) ([]store.Event, error) {
	l.most = max(l.most, l.held)
	if l.fails != nil {
		if err := l.fails(run); err != nil {
			return nil, err
		}
	}
	events, err := l.fake.Events(ctx, run, after, 1)
	for _, e := range events {
		l.held += len(e.Data)
	}
	return events, err
}

func (l *ledger) Write(p []byte) (int, error) {
	l.held -= len(p)
	return len(p), nil
}

// However long a conversation or a run is, a record and a run are written as they are read.
func TestLittleIsHeld(t *testing.T) {
	const size = 4 * maxPiece
	f := newFake()
	c := f.talk(t, 12, size)
	l := &ledger{fake: f}
	s := recorder(t, f)
	s.Store = l
	if err := s.writeRecord(t.Context(), l, "en", c); err != nil {
		t.Fatal(err)
	}
	if l.most > 2*size {
		t.Errorf("a record holds %d bytes; an event has %d", l.most, size)
	}
	f.scripts["many"] = func(r *fakeRun) {
		for range 12 {
			r.tell(&chat.Force{Text: strings.Repeat("x", size)})
		}
	}
	run, err := f.Ask(t.Context(), "local", c.ID, "many")
	if err != nil {
		t.Fatal(err)
	}
	f.waitEnded(run.ID)
	*l = ledger{fake: f}
	if _, err := s.writeRun(t.Context(), newJSONWriter(l), "local", viewRun(run), pageRows); err != nil {
		t.Fatal(err)
	}
	if l.most > 2*size {
		t.Errorf("a run holds %d bytes; an event has %d", l.most, size)
	}
}

// A widest keeps the most that is written at once.
type widest struct {
	http.ResponseWriter
	most int
}

func (w *widest) Write(p []byte) (int, error) {
	w.most = max(w.most, len(p))
	return w.ResponseWriter.Write(p)
}

// A server's tools may come with megabytes of schemas: they are sent one by one.
func TestToolsAreSentOneByOne(t *testing.T) {
	f := newFake()
	f.tools = nil
	for i := range 50 {
		f.tools = append(f.tools, host.Tool{Name: fmt.Sprint("t__", i), Input: json.RawMessage(`{"title":"` + strings.Repeat("x", maxPiece/2) + `"}`)})
	}
	recorded := httptest.NewRecorder()
	w := &widest{recorded, 0}
	if err := recorder(t, f).listTools(w, nil, ""); err != nil {
		t.Fatal(err)
	}
	var told []toolView
	if err := json.Unmarshal(recorded.Body.Bytes(), &told); err != nil || len(told) != len(f.tools) || w.most > maxPiece {
		t.Errorf("%d tools, %d bytes at once: %v", len(told), w.most, err)
	}
}

// What fails half way is no whole page, and what fails at once is an answer that says so.
func TestBrokenOff(t *testing.T) {
	broken := errors.New("the disk is gone")
	for name, fails := range map[string]func() error{"error": func() error { return broken }, "panic": func() error { panic(broken) }} {
		t.Run(name, func(t *testing.T) {
			f := newFake()
			c := f.talk(t, 3, 2*maxPiece)
			l := &ledger{fake: f}
			s := recorder(t, f)
			s.Store = l
			server := httptest.NewServer(s.guard(s.routes()))
			defer server.Close()
			at := 0
			l.fails = func(run string) error {
				if run == f.runs[at].ID {
					return fails()
				}
				return nil
			}
			if status, body, header := do(t, s.guard(s.routes()), "GET", "/conversations/"+c.ID+"/export", ""); status != http.StatusInternalServerError ||
				!strings.Contains(body, `"internal"`) || header.Get("Content-Disposition") != "" || header.Get("Content-Security-Policy") != contentPolicy {
				t.Errorf("at once: %d %s %v", status, body, header)
			}
			at = 2
			for _, path := range []string{"/conversations/" + c.ID + "/export", "/s/token"} {
				f.conversations[0].ShareToken = "token"
				resp, err := http.Get(server.URL + path)
				if err != nil {
					t.Fatal(err)
				}
				text, err := io.ReadAll(resp.Body)
				resp.Body.Close()
				if resp.StatusCode != http.StatusOK || err == nil || len(text) < 4*maxPiece || strings.Contains(string(text), "</html>") || strings.Contains(string(text), "internal") {
					t.Errorf("%s: status %d, %d bytes, error %v, end %.80q", path, resp.StatusCode, len(text), err, text[max(0, len(text)-80):])
				}
			}
		})
	}
}

// A run that is deleted while it is read never looks whole.
func TestDeletedWhileRead(t *testing.T) {
	for size, status := range map[int]int{1: http.StatusNotFound, 2 * maxPiece: http.StatusOK} {
		f := newFake()
		f.scripts["q"] = func(r *fakeRun) {
			for range 4 {
				r.tell(&chat.Force{Text: strings.Repeat("x", size)})
			}
		}
		l := &ledger{fake: f}
		s := recorder(t, f)
		s.Store = l
		server := httptest.NewServer(s.guard(s.routes()))
		defer server.Close()
		run := startRun(t, s.guard(s.routes()), `{"text":"q"}`)
		f.waitEnded(run.ID)
		reads := 0
		l.fails = func(string) error {
			if reads++; reads == 3 {
				return f.DeleteConversation(t.Context(), "local", run.Conversation)
			}
			return nil
		}
		resp, err := http.Get(server.URL + "/runs/" + run.ID)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if resp.StatusCode != status || (err == nil) != (status == http.StatusNotFound) || json.Valid(text) != (err == nil) {
			t.Errorf("events of %d bytes: status %d, %d bytes, error %v, end %.80q", size, resp.StatusCode, len(text), err, text[max(0, len(text)-80):])
		}
	}
}

// Brackets in brackets, each on a line of its own, would be a hundred megabytes.
func TestNestingIsNotSpread(t *testing.T) {
	deep := strings.Repeat("[", 9000) + "0" + strings.Repeat(",0", 9000) + strings.Repeat("]", 9000)
	for raw, want := range map[string]string{
		deep: deep, `[1,{"a":"],\"["}]`: "[\n  1,\n  {\n    \"a\": \"],\\\"[\"\n  }\n]", `"` + strings.Repeat("[,", 9000) + `"`: `"` + strings.Repeat("[,", 9000) + `"`,
	} {
		if got, cut := indented(json.RawMessage(raw)); got != want || cut {
			t.Errorf("%.40s became %d bytes: %.80s", raw, len(got), got)
		}
	}
	shallow := "[" + strings.Repeat(`["a","[[[["],`, 9000) + "0]"
	if got, _ := indented(json.RawMessage(shallow)); !strings.Contains(got, "\n    \"a\",\n") {
		t.Errorf("a list is not indented: %.80s", got)
	}
}

// No more is drawn at once than there are drawing.
func TestDesks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		f.scripts["q"] = func(r *fakeRun) { r.answer("c", 1, "T", exact, "", "") }
		s := recorder(t, f)
		run := startRun(t, s.guard(s.routes()), `{"text":"q"}`)
		f.waitEnded(run.ID)
		for range cap(s.drawing) {
			s.drawing <- struct{}{}
		}
		for _, path := range []string{"", "/events", "/tables/3", "/tables/3/csv"} {
			answered := make(chan int, 1)
			go func() {
				status, _, _ := do(t, s.guard(s.routes()), "GET", "/runs/"+run.ID+path, "")
				answered <- status
			}()
			synctest.Wait()
			select {
			case <-answered:
				t.Errorf("%q was answered without a desk", path)
			default:
				<-s.drawing
				if status := <-answered; status != http.StatusOK {
					t.Errorf("%q: status %d", path, status)
				}
				s.drawing <- struct{}{}
			}
		}
	})
}
