package web

import (
	"net/http/httptest"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/diptych-mcp/diptych/gateway/host"
)

// TestHealth tells how servers are, and nothing that they wrote to their standard error.
func TestHealth(t *testing.T) {
	f := newFake()
	at := time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC)
	h, err := New(Config{Chat: f, Tools: f, Store: f, Health: func() []host.Health {
		return []host.Health{
			{Server: "cities", State: host.Up, Since: at, Name: "Cities 1.0", Protocol: "2026-07-28", Reached: 1, Tools: 1, Words: "secret", Refused: []host.Refusal{{Tool: "old", Reason: "it promises no sources"}}},
			{Server: "gone", State: host.Down, Since: at, Fault: "it ended (exit status 3)", Tries: 4, Next: at.Add(time.Minute), Words: "secret"},
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	w := httptest.NewRecorder()
	r := httptest.NewRequest("GET", "http://localhost/servers/health", nil)
	h.ServeHTTP(w, r)
	want := `[{"id":"cities","state":"up","since":"2026-11-30T09:00:00Z","name":"Cities 1.0","protocol":"2026-07-28","tools":[{"name":"largest","title":"Largest cities"}],"refused":[{"name":"old","reason":"it promises no sources"}]},` +
		`{"id":"gone","state":"down","since":"2026-11-30T09:00:00Z","fault":"it ended (exit status 3)","tries":4,"next":"2026-11-30T09:01:00Z"}]` + "\n"
	if diff := cmp.Diff(want, w.Body.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
