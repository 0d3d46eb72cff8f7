package web

// Conversations: listed, searched, renamed, removed.

import (
	"context"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/diptych-mcp/diptych/gateway/store"
)

const searching = 20 * time.Second // at most; a search reads all that its owner has

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
	const most = 50
	q := r.URL.Query()
	offset, _ := strconv.Atoi(q.Get("offset")) // what is no number is the start
	query := strings.TrimSpace(q.Get("q"))
	if len(query) > 1000 {
		return invalid("the search is longer than 1000 bytes")
	}
	ctx, cancel := context.WithTimeout(r.Context(), searching)
	defer cancel()
	found, err := s.Store.Conversations(ctx, owner, query, max(offset, 0), most+1)
	if err != nil {
		if r.Context().Err() == nil && ctx.Err() != nil {
			return errSearch
		}
		return err
	}
	list := struct {
		Conversations []conversationView `json:"conversations"`
		More          bool               `json:"more,omitempty"`
	}{[]conversationView{}, len(found) > most}
	for _, c := range found[:min(len(found), most)] {
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
	p := newPieces(w)
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
	case utf8.RuneCountInString(title) > 200:
		return invalid("the title is longer than 200 characters; shorten it")
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
