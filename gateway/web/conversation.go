package web

// Conversations: listed, searched, renamed, removed.

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/diptych-mcp/diptych/gateway/store"
)

type conversationView struct {
	ID      string    `json:"id"`
	Title   string    `json:"title"`
	Updated time.Time `json:"updated"`
	Share   string    `json:"share,omitempty"` // the path of its shared page
}

func (s *server) viewConversation(c store.Conversation) conversationView {
	v := conversationView{ID: c.ID, Title: c.Title, Updated: c.Updated}
	if c.ShareToken != "" && s.Share {
		v.Share = "/s/" + c.ShareToken
	}
	return v
}

func (s *server) listConversations(w http.ResponseWriter, r *http.Request, owner string) error {
	q := r.URL.Query()
	offset, _ := strconv.Atoi(q.Get("offset")) // what is no number is the start
	query := strings.TrimSpace(q.Get("q"))
	if len(query) > maxSearch {
		return invalid(fmt.Sprintf("the search is longer than %d bytes; shorten it", maxSearch))
	}
	ctx, cancel := context.WithTimeout(r.Context(), searchTimeout)
	defer cancel()
	found, err := s.Store.Conversations(ctx, owner, query, max(offset, 0), listLength+1)
	if err != nil {
		if r.Context().Err() == nil && ctx.Err() != nil {
			return errSearch
		}
		return err
	}
	list := struct {
		Conversations []conversationView `json:"conversations"`
		More          bool               `json:"more,omitempty"`
	}{[]conversationView{}, len(found) > listLength}
	for _, c := range found[:min(len(found), listLength)] {
		list.Conversations = append(list.Conversations, s.viewConversation(c))
	}
	sendJSON(w, http.StatusOK, list)
	return nil
}

func (s *server) showConversation(w http.ResponseWriter, r *http.Request, owner string) error {
	c, err := s.Store.Conversation(r.Context(), owner, r.PathValue("conversation"))
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json")
	p := newJSONWriter(w)
	if err := p.open(s.viewConversation(c), "runs"); err != nil {
		return err
	}
	for run, err := range store.AllRuns(r.Context(), s.Store, owner, c.ID) {
		if err != nil {
			return err
		}
		told, err := json.Marshal(viewRun(run))
		if err == nil {
			err = p.item(told)
		}
		if err != nil {
			return err
		}
	}
	_, _ = p.WriteString("]}\n")
	return p.Flush()
}

// showAnswers tells the ended runs of a conversation after a given one, each with all that is stored of it, and whether
// there are more.
func (s *server) showAnswers(w http.ResponseWriter, r *http.Request, owner string) error {
	c, err := s.Store.Conversation(r.Context(), owner, r.PathValue("conversation"))
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json")
	p := newJSONWriter(w)
	_, _ = p.WriteString(`{"runs":[`)
	n, more := 0, false
	after, passed := r.URL.Query().Get("after"), false
	for run, err := range store.AllRuns(r.Context(), s.Store, owner, c.ID) {
		if err != nil {
			return err
		}
		if after != "" && !passed {
			passed = run.ID == after
			continue
		}
		if run.Ended.IsZero() {
			continue // it is followed
		}
		if n == answersAtOnce {
			more = true
			break
		}
		if n++; n > 1 {
			_ = p.WriteByte(',')
		}
		if _, err := s.writeRun(r.Context(), p, owner, viewRun(run), pageRows); err != nil {
			return err
		}
		_ = p.WriteByte('}')
	}
	_, _ = fmt.Fprintf(p, "],\"more\":%v}\n", more)
	return p.Flush()
}

func (s *server) renameConversation(w http.ResponseWriter, r *http.Request, owner string) error {
	var asked struct {
		Title string `json:"title"`
	}
	if err := readJSON(r, &asked); err != nil {
		return err
	}
	title := strings.Join(strings.Fields(asked.Title), " ")
	switch {
	case title == "":
		return invalid("the title is empty; write one")
	case utf8.RuneCountInString(title) > maxTitle:
		return invalid(fmt.Sprintf("the title is longer than %d characters; shorten it", maxTitle))
	}
	if err := s.Store.RenameConversation(r.Context(), owner, r.PathValue("conversation"), title); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

func (s *server) deleteConversation(w http.ResponseWriter, r *http.Request, owner string) error {
	if err := s.Chat.Delete(r.Context(), owner, r.PathValue("conversation")); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}
