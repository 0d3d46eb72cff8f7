package web

// The limits that no other test crosses: see also image_test.go, markdown_test.go, pieces_test.go and web_test.go.

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/diptych-mcp/diptych/gateway/chat"
	"github.com/diptych-mcp/diptych/gateway/store"
)

func TestRequestLimits(t *testing.T) {
	f := newFake()
	h := newHandler(t, f)
	talk, err := f.CreateConversation(t.Context(), "local", "")
	if err != nil {
		t.Fatal(err)
	}
	f.scripts["go"] = func(r *fakeRun) { r.tell(&chat.Table{Rows: json.RawMessage(`[["n"],[1]]`)}, &chat.Done{}) }
	run := startRun(t, h, `{"conversation":"","text":"go"}`)
	f.waitEnded(run.ID)
	table := "/runs/" + run.ID + "/tables/1"
	for _, c := range []struct {
		method, path, body string
		status             int
	}{
		{"GET", "/conversations?q=" + strings.Repeat("x", maxSearch), "", http.StatusOK},
		{"GET", "/conversations?q=" + strings.Repeat("x", maxSearch+1), "", http.StatusBadRequest},
		{"GET", table + "?filter=" + strings.Repeat("x", maxSearch), "", http.StatusOK},
		{"GET", table + "?filter=" + strings.Repeat("x", maxSearch+1), "", http.StatusBadRequest},
		{"GET", table + "?digits=" + strings.Repeat("1", maxSearch+1), "", http.StatusBadRequest},
		{"POST", "/conversations/" + talk.ID + "/title", `{"title":"` + strings.Repeat("é", maxTitle) + `"}`, http.StatusNoContent},
		{"POST", "/conversations/" + talk.ID + "/title", `{"title":"` + strings.Repeat("é", maxTitle+1) + `"}`, http.StatusBadRequest},
	} {
		if status, body, _ := do(t, h, c.method, c.path, c.body); status != c.status {
			t.Errorf("%s %.60s: %d %.100s, want %d", c.method, c.path, status, body, c.status)
		}
	}
}

func TestListLength(t *testing.T) {
	f := newFake()
	for i := range listLength + 1 {
		if _, err := f.CreateConversation(t.Context(), "local", fmt.Sprint(i)); err != nil {
			t.Fatal(err)
		}
	}
	_, body, _ := do(t, newHandler(t, f), "GET", "/conversations", "")
	var list struct {
		Conversations []struct{}
		More          bool
	}
	if err := json.Unmarshal([]byte(body), &list); err != nil || len(list.Conversations) != listLength || !list.More {
		t.Errorf("%d conversations, more: %v, %v", len(list.Conversations), list.More, err)
	}
}

func TestViewLimits(t *testing.T) {
	long := strings.Repeat("x", maxPanel+1)
	if got := viewArguments(json.RawMessage(`{"a":"` + long + `"}`)); len(got[0].Value) != maxArgument+len("…") {
		t.Errorf("an argument of %d bytes", len(got[0].Value))
	}
	if got, cut := indented(json.RawMessage(`"` + long + `"`)); !cut || len(got) != maxPanel {
		t.Errorf("a panel of %d bytes, cut: %v", len(got), cut)
	}
	data, err := json.Marshal(&chat.ToolCall{Read: long})
	if err != nil {
		t.Fatal(err)
	}
	told, err := (&viewer{}).take(store.Event{Seq: 1, Type: "tool_call", Data: data})
	if err != nil {
		t.Fatal(err)
	}
	if view := told[0].Data.(callView); len(view.Read) != maxRead || !view.Cut {
		t.Errorf("%d bytes for the model are shown, cut: %v", len(view.Read), view.Cut)
	}
}

// The answers of a long conversation come in a few parts, each run once, and only those that ended.
func TestAnswersAtOnce(t *testing.T) {
	f := newFake()
	c := f.talk(t, answersAtOnce+1, 10)
	if _, err := f.StartRun(t.Context(), "local", c.ID, json.RawMessage(`{"text":"live"}`)); err != nil {
		t.Fatal(err)
	}
	h, after := newHandler(t, f), ""
	for _, want := range []int{answersAtOnce, 1} {
		_, body, _ := do(t, h, "GET", "/conversations/"+c.ID+"/answers?after="+after, "")
		var got struct {
			Runs []struct {
				ID     string
				Events []json.RawMessage
			}
			More bool
		}
		if err := json.Unmarshal([]byte(body), &got); err != nil {
			t.Fatalf("%v: %.200s", err, body)
		}
		if len(got.Runs) != want || got.More != (want > 1) || len(got.Runs[0].Events) != 2 || got.Runs[0].ID == after {
			t.Fatalf("after %q: %d runs, more is %v, want %d", after, len(got.Runs), got.More, want)
		}
		after = got.Runs[len(got.Runs)-1].ID
	}
}
