package web

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/diptych-mcp/diptych/gateway/chat"
	"github.com/diptych-mcp/diptych/gateway/host"
)

func orderQuestion(id string) *chat.Question {
	return &chat.Question{ID: id, Call: "c", Server: "rooms", Message: "What <b>shall</b> it be?\nChoose.", State: chat.QuestionAsked, Fields: []host.Field{
		{Name: "zip", Title: "Zip code", Kind: host.TextField, Required: true, Min: "5", Max: "5", Default: []string{"prefilled"}},
		{Name: "amount", Kind: host.Integer, Required: true, Min: "1", Max: "12345678901234567890"},
		{Name: "price", Kind: host.Number, Default: []string{"1.10"}},
		{Name: "gift", Kind: host.YesNo, Default: []string{"false"}},
		{Name: "colour", Kind: host.OneOf, Choices: []host.Choice{{Value: "r", Title: "Red"}, {Value: "", Title: "None"}}},
		{Name: "extras", Kind: host.SeveralOf, Min: "1", Choices: []host.Choice{{Value: "x", Title: "Ribbon"}, {Value: "y"}}, Default: []string{"y"}},
		{Name: "mail", Kind: host.TextField, Format: "email", Description: "Where to write."},
		{Name: "day", Kind: host.TextField, Format: "date"},
	}}
}

func closed(q *chat.Question, state chat.QuestionState) *chat.Question {
	return &chat.Question{ID: q.ID, Call: q.Call, Server: q.Server, Message: q.Message, State: state}
}

func visitQuestion(id string) *chat.Question {
	return &chat.Question{ID: id, Call: "c", Server: "rooms", Message: "Log in.", URL: "https://login.example/start?token=prefilled", State: chat.QuestionAsked}
}

func TestQuestion(t *testing.T) {
	f := newFake()
	f.scripts["book"] = func(r *fakeRun) {
		r.tell(orderQuestion("q1"), visitQuestion("q2"))
		r.wait(func() bool { return r.stops[r.Run.ID] })
		r.tell(closed(orderQuestion("q1"), chat.QuestionAccepted), closed(visitQuestion("q2"), chat.QuestionExpired))
	}
	h := newHandler(t, f)
	run := startRun(t, h, `{"text":"book"}`)
	f.wait(func() bool { return len(f.events[run.ID]) == 2 })
	at := "/runs/" + run.ID + "/questions/q1"
	for _, c := range []struct {
		path, body string
		want       int
	}{
		{at, `{"action":"accept","content":{"zip":"refuse me"}}`, http.StatusUnprocessableEntity},
		{at, `{"action":1}`, http.StatusBadRequest},
		{at, `{"allow":true}`, http.StatusBadRequest},
		{"/runs/none/questions/q1", `{"action":"decline"}`, http.StatusNotFound},
		{at, `{"action":"accept","content":{"zip":"00000","amount":12345678901234567890}}`, http.StatusNoContent},
		{at, `{"action":"decline"}`, http.StatusConflict}, // from another tab
	} {
		if status, body, _ := do(t, h, "POST", c.path, c.body); status != c.want {
			t.Errorf("%s %s: %d %s, want %d", c.path, c.body, status, body, c.want)
		}
	}
	want := host.Answer{Action: host.Accept, Content: json.RawMessage(`{"zip":"00000","amount":12345678901234567890}`)}
	if diff := cmp.Diff(want, f.replies["q1"]); diff != "" {
		t.Errorf("answered (-want +got):\n%s", diff)
	}
	// What goes on can be drawn again with all that it asks; what is kept of it cannot.
	if _, kept, _ := do(t, h, "GET", "/runs/"+run.ID, ""); strings.Contains(kept, "prefilled") || !strings.Contains(kept, "Log in.") {
		t.Errorf("kept: %s", kept)
	}
	if err := f.Stop(t.Context(), "local", run.ID); err != nil {
		t.Fatal(err)
	}
	if _, told, _ := do(t, h, "GET", "/runs/"+run.ID+"/events", ""); strings.Count(told, "prefilled") != 2 || !strings.Contains(told, `"max":"12345678901234567890"`) {
		t.Errorf("told: %s", told)
	}
}
