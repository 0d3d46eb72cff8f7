package web

// Runs: started, watched, stopped, and asked about.

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/diptych-mcp/diptych/gateway/host"
	"github.com/diptych-mcp/diptych/gateway/store"
)

type toolView struct {
	Name        string     `json:"name"`
	Server      string     `json:"server"`
	Original    string     `json:"original"`
	Title       string     `json:"title"`
	Description string     `json:"description,omitempty"`
	Input       string     `json:"input,omitempty"` // JSON as text, so that the page can read its digits
	Hints       host.Hints `json:"hints"`
	Data        bool       `json:"data,omitempty"`
	Note        string     `json:"note,omitempty"`
}

func (s *server) listTools(w http.ResponseWriter, _ *http.Request, _ string) error {
	list := []toolView{}
	for _, t := range s.Tools.Tools() {
		if t.Policy != host.Deny {
			list = append(list, toolView{t.Name, t.Server, t.Original, t.Title, t.Description, string(t.Input), t.Hints, t.Data, t.Note})
		}
	}
	sendJSON(w, http.StatusOK, list)
	return nil
}

type runView struct {
	ID           string          `json:"id"`
	Conversation string          `json:"conversation"`
	Input        json.RawMessage `json:"input"`
	Started      time.Time       `json:"started"`
	Ended        bool            `json:"ended"`
}

func viewRun(r store.Run) runView {
	return runView{r.ID, r.Conversation, r.Input, r.Started, !r.Ended.IsZero()}
}

// startRun asks the model or calls a tool, in a new conversation where none is named.
func (s *server) startRun(w http.ResponseWriter, r *http.Request, owner string) error {
	var asked struct {
		Conversation string          `json:"conversation"`
		Text         string          `json:"text"`
		Tool         string          `json:"tool"`
		Arguments    json.RawMessage `json:"arguments"`
	}
	if err := readJSON(r, &asked); err != nil {
		return err
	}
	var run store.Run
	err := s.Quota.Start(r.Context(), owner, asked.Conversation == "", func() (err error) {
		if asked.Conversation == "" {
			var c store.Conversation
			if c, err = s.Store.CreateConversation(r.Context(), owner, ""); err != nil {
				return err
			}
			asked.Conversation = c.ID
			defer func() { s.removeUnused(r.Context(), owner, c.ID, err) }()
		}
		if asked.Tool != "" {
			run, err = s.Chat.RunTool(r.Context(), owner, asked.Conversation, asked.Tool, asked.Arguments)
		} else {
			run, err = s.Chat.Ask(r.Context(), owner, asked.Conversation, asked.Text)
		}
		return err
	})
	if err != nil {
		return err
	}
	sendJSON(w, http.StatusCreated, viewRun(run))
	return nil
}

func (s *server) stopRun(w http.ResponseWriter, r *http.Request, owner string) error {
	if err := s.Chat.Stop(r.Context(), owner, r.PathValue("run")); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

func (s *server) answerCall(w http.ResponseWriter, r *http.Request, owner string) error {
	var answer struct {
		Allow bool `json:"allow"`
	}
	if err := readJSON(r, &answer); err != nil {
		return err
	}
	if err := s.Chat.Answer(r.Context(), owner, r.PathValue("run"), r.PathValue("call"), answer.Allow); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// showRun tells all that is stored of a run, without waiting for more.
func (s *server) showRun(w http.ResponseWriter, r *http.Request, owner string) error {
	run, err := s.Store.Run(r.Context(), owner, r.PathValue("run"))
	if err != nil {
		return err
	}
	events, err := s.stored(r.Context(), run.ID, pageRows)
	if err != nil {
		return err
	}
	sendJSON(w, http.StatusOK, struct {
		runView
		Events []viewEvent `json:"events"`
	}{viewRun(run), events})
	return nil
}

func (s *server) stored(ctx context.Context, run string, rows int) ([]viewEvent, error) {
	const batch = 500
	v := viewer{rows: rows}
	told := []viewEvent{}
	for after := int64(0); ; {
		events, err := s.Store.Events(ctx, run, after, batch)
		if err != nil {
			return nil, err
		}
		for _, e := range events {
			told = append(told, s.take(&v, run, e)...)
			after = e.Seq
		}
		if len(events) < batch {
			return append(told, v.flush()...), nil
		}
	}
}

// take leaves out an event that cannot be read: perhaps a newer gateway wrote it, and the others are still worth seeing.
func (s *server) take(v *viewer, run string, e store.Event) []viewEvent {
	told, err := v.take(e)
	if err != nil {
		s.Logger.Error("reading a stored event", "run", run, "err", err)
	}
	return told
}

const (
	heartbeat = 15 * time.Second
	soonest   = 60 * time.Millisecond // between two renderings of a text that grows
)

// streamRun tells a run as server-sent events, from behind Last-Event-ID on, until it ends. It reads from the start either
// way: a text is told whole, and needs what was said before.
func (s *server) streamRun(w http.ResponseWriter, r *http.Request, owner string) error {
	done, err := s.Quota.Stream(owner)
	if err != nil {
		return err
	}
	defer done()
	id := r.PathValue("run")
	run, err := s.Store.Run(r.Context(), owner, id)
	if err != nil {
		return err
	}
	after, _ := strconv.ParseInt(r.Header.Get("Last-Event-ID"), 10, 64) // what is no number is from the start
	if !run.Ended.IsZero() && after > 0 {
		if more, err := s.Store.Events(r.Context(), id, after, 1); err != nil {
			return err
		} else if len(more) == 0 {
			w.WriteHeader(http.StatusNoContent) // tells a browser not to come again
			return nil
		}
	}
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	events := make(chan store.Event, 64)
	go func() {
		defer close(events)
		for e, err := range s.Chat.Follow(ctx, owner, id, 0) {
			if err != nil {
				if ctx.Err() == nil && !errors.Is(err, store.ErrNotFound) { // deleted meanwhile
					s.Logger.Error("following a run", "run", id, "err", err)
				}
				return
			}
			select {
			case events <- e:
			case <-ctx.Done():
				return
			}
		}
	}()

	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("X-Accel-Buffering", "no")
	out := stream{w: w, flusher: http.NewResponseController(w), after: after}
	out.write("retry: 1000\n\n")
	v := viewer{rows: pageRows, live: true}
	beat := time.NewTicker(heartbeat)
	defer beat.Stop()
	var due <-chan time.Time
	interval := soonest
	for out.err == nil {
		select {
		case e, open := <-events:
			if !open {
				out.tell(v.flush())
				return nil
			}
			out.tell(s.take(&v, id, e))
			if v.seq != 0 && due == nil {
				due = time.After(interval)
			}
		case <-due:
			due = nil
			start := time.Now()
			out.tell(v.flush())
			// A long text is rendered less often, so that one answer never keeps a processor busy.
			interval = max(soonest, 10*time.Since(start))
		case <-beat.C:
			out.write(": still here\n\n")
		case <-ctx.Done():
			return nil
		}
	}
	return nil
}

type stream struct {
	w       http.ResponseWriter
	flusher *http.ResponseController
	after   int64
	err     error
}

func (s *stream) tell(events []viewEvent) {
	var b bytes.Buffer
	for _, e := range events {
		if e.Seq <= s.after {
			continue
		}
		fmt.Fprintf(&b, "id: %d\ndata: ", e.Seq)
		if err := json.NewEncoder(&b).Encode(e); err != nil {
			s.err = err
			return
		}
		b.WriteString("\n")
	}
	if b.Len() > 0 {
		s.write(b.String())
	}
}

func (s *stream) write(text string) {
	if s.err != nil {
		return
	}
	_ = s.flusher.SetWriteDeadline(time.Now().Add(30 * time.Second)) // a recorder in a test has none
	if _, s.err = s.w.Write([]byte(text)); s.err == nil {
		s.err = s.flusher.Flush()
	}
}

// showCall tells the stored result of a call as the text that it is, indented, digit for digit.
func (s *server) showCall(w http.ResponseWriter, r *http.Request, owner string) error {
	result, err := s.Store.Result(r.Context(), owner, r.PathValue("call"))
	if err != nil {
		return err
	}
	structured, cut := indented(result.Structured)
	sendJSON(w, http.StatusOK, struct {
		Structured string `json:"structured"`
		Cut        bool   `json:"cut,omitempty"`
	}{structured, cut})
	return nil
}

func indented(raw json.RawMessage) (text string, cut bool) {
	const most = 256 << 10
	if len(raw) > most {
		return strings.ToValidUTF8(string(raw[:most]), ""), true
	}
	var b bytes.Buffer
	if json.Indent(&b, raw, "", "  ") != nil {
		return strings.ToValidUTF8(string(raw), "\uFFFD"), false
	}
	return b.String(), false
}

// removeUnused takes a conversation away again in which nothing was said, because of err.
func (s *server) removeUnused(ctx context.Context, owner, conversation string, err error) {
	if err == nil {
		return
	}
	if gone := s.Store.DeleteConversation(context.WithoutCancel(ctx), owner, conversation); gone != nil {
		s.Logger.Warn("removing an empty conversation", "err", gone)
	}
}
