package sqlite

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/diptych-mcp/diptych/gateway/store"
)

// What is in the index is found as what is not, and goes with its conversation.
func TestIndexedSearch(t *testing.T) {
	s := openTest(t)
	var ids []string
	for i := range 3 {
		c, err := s.CreateConversation(t.Context(), "ann", fmt.Sprint("title ", i))
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, c.ID)
		r, err := s.StartRun(t.Context(), "ann", c.ID, json.RawMessage(fmt.Sprintf(`{"text":"about herons %d"}`, i)))
		if err != nil {
			t.Fatal(err)
		}
		_, err = s.AppendEvents(t.Context(), r.ID,
			store.Event{Type: "text", Data: json.RawMessage(`{"turn":1,"text":"Ot"}`)}, store.Event{Type: "text", Data: json.RawMessage(`{"turn":1,"text":"ters"}`)},
			store.Event{Type: "text", Data: json.RawMessage(`{"turn":2,"text":"Be"}`)}, store.Event{Type: "text", Data: json.RawMessage(`{"turn":2,"text":"Beavers \"swim\" 100%","final":true}`)},
			store.Event{Type: "table", Data: json.RawMessage(`{"rows":[["Stra\u00dfe",1]]}`)}, store.Event{Type: store.EventDone, Data: json.RawMessage(`{"reason":"answered"}`)})
		if err != nil {
			t.Fatal(err)
		}
	}
	for left := 1; left > 0; {
		if err := s.read.QueryRow(`SELECT count(*) FROM runs WHERE indexed = 0`).Scan(&left); err != nil {
			t.Fatal(err)
		}
		time.Sleep(5 * time.Millisecond)
	}
	count := func(query string, want int) {
		t.Helper()
		if got, err := s.Conversations(t.Context(), "ann", query, 0, 10); err != nil || len(got) != want {
			t.Errorf("%q: %d conversations, want %d; %v", query, len(got), want, err)
		}
	}
	for query, want := range map[string]int{"HERONS 1": 1, "herons": 3, "otters": 3, "beavers \"swim\" 100%": 3, "BeBeavers": 0, "Straße": 3, "rows": 0, "answered": 3,
		"title 2": 1, "er": 3, "' OR 1=1 --": 0, "NEAR(herons)": 0, "herons*": 0, "text:herons": 0, "\"": 3, "\"\"\"": 0} {
		count(query, want)
	}
	if got, err := s.Conversations(t.Context(), "ben", "herons", 0, 10); err != nil || len(got) != 0 {
		t.Errorf("another's: %d, %v", len(got), err)
	}
	if err := s.DeleteConversation(t.Context(), "ann", ids[1]); err != nil {
		t.Fatal(err)
	}
	count("herons", 2)
	var n int
	if err := s.read.QueryRow(`SELECT count(*) FROM texts WHERE texts MATCH '"herons"'`).Scan(&n); err != nil || n != 2 {
		t.Errorf("%d texts are in the index, %v", n, err)
	}
}
