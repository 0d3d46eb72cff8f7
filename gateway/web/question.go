package web

// What a server asks the user in the middle of a call.

import (
	"encoding/json"
	"net/http"

	"github.com/diptych-mcp/diptych/gateway/chat"
	"github.com/diptych-mcp/diptych/gateway/host"
)

// viewQuestion is a question as the page reads it. Only where it can still be answered does it say what to fill in: a
// record of a conversation has no use for that.
func viewQuestion(q *chat.Question, answerable bool) *chat.Question {
	if answerable {
		return q
	}
	closed := *q
	closed.Fields, closed.URL = nil, ""
	return &closed
}

func (s *server) answerQuestion(w http.ResponseWriter, r *http.Request, owner string) error {
	var answer struct {
		Action  host.Action     `json:"action"`
		Content json.RawMessage `json:"content"`
	}
	if err := readJSON(r, &answer); err != nil {
		return err
	}
	err := s.Chat.Reply(r.Context(), owner, r.PathValue("run"), r.PathValue("question"), host.Answer{Action: answer.Action, Content: answer.Content})
	if err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}
