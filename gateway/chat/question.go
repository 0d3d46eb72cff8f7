package chat

// What a server asks the user in the middle of a call. The question is an event, so that a refresh and a second tab see it;
// the answer goes to the server alone and is kept nowhere.

import (
	"context"
	"crypto/rand"
	"encoding/json"

	"github.com/diptych-mcp/diptych/gateway/host"
)

// Question is a server asking the user: a form, or a page to visit. It is sent again, without either, when it is closed: by
// an answer, or by the server itself once the page was visited.
type Question struct {
	ID      string        `json:"id"`
	Call    string        `json:"call"`   // during which it is asked
	Server  string        `json:"server"` // who asks
	Message string        `json:"message"`
	Fields  []host.Field  `json:"fields,omitempty"`
	URL     string        `json:"url,omitempty"`
	State   QuestionState `json:"state"`
}

// A QuestionState says what became of a question.
type QuestionState string

// The states of a question. But for the first they are its end.
const (
	QuestionAsked     QuestionState = "asked"
	QuestionAccepted  QuestionState = "accepted"
	QuestionDeclined  QuestionState = "declined"
	QuestionCancelled QuestionState = "cancelled" // put away without a decision
	QuestionExpired   QuestionState = "expired"   // it was not answered before its time, or the call, was over
)

// Type is the type under which the event is stored.
func (*Question) Type() string { return "question" }

// question puts the questions of a call.
func (r *run) question(call string) func(context.Context, host.Question) host.Answer {
	return func(ctx context.Context, q host.Question) host.Answer {
		asked := Question{rand.Text(), call, q.Server, q.Message, q.Fields, q.URL, QuestionAsked}
		a, err := r.ask(ctx, asked.ID, q.Check, q.Visited, &asked)
		over := Question{ID: asked.ID, Call: call, Server: q.Server, Message: q.Message, State: QuestionExpired}
		switch {
		case err != nil:
			a = host.Answer{Action: host.Cancel}
		case a.Action == host.Accept:
			over.State = QuestionAccepted
		case a.Action == host.Decline:
			over.State = QuestionDeclined
		default:
			over.State = QuestionCancelled
		}
		_ = r.publish(&over)
		return a
	}
}

// Reply answers the question that waits under an id, once. Content that breaks the question's schema is an
// [ArgumentsError], and the question waits on.
func (c *Chat) Reply(ctx context.Context, owner, id, question string, a host.Answer) error {
	r, err := c.own(ctx, owner, id)
	if err != nil {
		return err
	}
	if r == nil {
		return ErrNotWaiting
	}
	r.mu.Lock()
	w := r.waiting[question]
	r.mu.Unlock()
	if w.check == nil {
		return ErrNotWaiting
	}
	switch a.Action {
	case host.Accept:
		if a.Content, err = w.check(a.Content); err != nil {
			return &ArgumentsError{err.Error()}
		}
	case host.Decline, host.Cancel:
		a.Content = json.RawMessage(`{}`)
	default:
		return &ArgumentsError{"action: none of accept, decline and cancel"}
	}
	return r.decide(question, a)
}
