package web

// How the tool servers are, for a page of its own.

import (
	"net/http"
	"time"

	"github.com/diptych-mcp/diptych/gateway/host"
)

type healthView struct {
	ID       string        `json:"id"`
	State    host.State    `json:"state"`
	Since    time.Time     `json:"since"`
	Name     string        `json:"name,omitempty"`
	Protocol string        `json:"protocol,omitempty"`
	Fault    string        `json:"fault,omitempty"`
	Tries    int           `json:"tries,omitempty"`
	Next     *time.Time    `json:"next,omitempty"`
	Tools    []offeredView `json:"tools,omitempty"`
	Refused  []refusedView `json:"refused,omitempty"`
}

type offeredView struct {
	Name  string `json:"name"`
	Title string `json:"title"`
	Note  string `json:"note,omitempty"`
}

type refusedView struct {
	Name   string `json:"name"`
	Reason string `json:"reason"`
}

// showHealth leaves out what a server wrote to its standard error: it may hold anybody's words.
func (s *server) showHealth(w http.ResponseWriter, _ *http.Request, _ string) error {
	list := []healthView{}
	if s.Health != nil {
		offered := map[string][]offeredView{}
		for _, t := range s.Tools.Tools() {
			offered[t.Server] = append(offered[t.Server], offeredView{t.Original, t.Title, t.Note})
		}
		for _, h := range s.Health() {
			v := healthView{ID: h.Server, State: h.State, Since: h.Since, Name: h.Name, Protocol: h.Protocol, Fault: h.Fault, Tries: h.Tries, Tools: offered[h.Server]}
			if !h.Next.IsZero() {
				v.Next = &h.Next
			}
			for _, r := range h.Refused {
				v.Refused = append(v.Refused, refusedView{r.Tool, r.Reason})
			}
			list = append(list, v)
		}
	}
	sendJSON(w, http.StatusOK, list)
	return nil
}
