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
	"github.com/diptych-mcp/diptych/internal/jsontext"
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
	w.Header().Set("Content-Type", "application/json")
	p := newJSONWriter(w)
	_ = p.list("[")
	for _, t := range s.Tools.Tools() {
		if t.Policy == host.Deny {
			continue
		}
		told, err := json.Marshal(toolView{t.Name, t.Server, t.Original, t.Title, t.Description, string(t.Input), t.Hints, t.Data, t.Note})
		if err == nil {
			err = p.item(told)
		}
		if err != nil {
			return err
		}
	}
	_, _ = p.WriteString("]\n")
	return p.Flush()
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
	w.Header().Set("Content-Type", "application/json")
	p := newJSONWriter(w)
	if _, err := s.writeRun(r.Context(), p, owner, viewRun(run), pageRows); err != nil {
		return err
	}
	_, _ = p.WriteString("}\n")
	return p.Flush()
}

// writeRun writes a run with what is stored of it, but for the last brace, and returns the calls of which the screen got
// a result.
func (s *server) writeRun(ctx context.Context, p *jsonWriter, owner string, run runView, rows int) (calls []string, err error) {
	if err := p.open(run, "events"); err != nil {
		return nil, err
	}
	v := viewer{render: s.render, rows: rows}
	put := func(told []message) (err error) {
		for _, d := range told {
			if d.call != "" {
				calls = append(calls, d.call)
			}
			err = p.item(d.json)
		}
		return err
	}
	for e, err := range store.AllEvents(ctx, s.Store, owner, run.ID) {
		if err == nil {
			err = put(s.draw(&v, run.ID, e))
		}
		if err != nil {
			return nil, err
		}
	}
	_ = put(s.encode(run.ID, v.flush()))
	_, err = p.WriteString("]")
	return calls, err
}

// A message is a viewEvent as JSON.
type message struct {
	seq  int64
	call string // of which the screen got a result
	json []byte
}

// draw takes the next event and leaves one out that cannot be read: perhaps a newer gateway wrote it, and the others are
// still worth seeing.
func (s *server) draw(v *viewer, run string, e store.Event) []message {
	s.drawing <- struct{}{}
	defer func() { <-s.drawing }()
	told, err := v.take(e)
	if err != nil {
		s.Logger.Error("reading a stored event", "run", run, "err", err)
	}
	return s.encode(run, told)
}

func (s *server) encode(run string, told []viewEvent) []message {
	var all []message
	for _, e := range told {
		text, err := json.Marshal(e) // with <, > and & escaped, so that none can end the element of an export that it is in
		if err != nil {
			s.Logger.Error("telling a stored event", "run", run, "err", err)
			continue
		}
		d := message{seq: e.Seq, json: text}
		if call, ok := e.Data.(callView); ok && call.Screen {
			d.call = call.ID
		}
		all = append(all, d)
	}
	return all
}

// streamRun sends a run as server-sent events, starting after Last-Event-ID, until it ends. It reads from the start either
// way: a text is sent whole, and needs the pieces before it.
func (s *server) streamRun(w http.ResponseWriter, r *http.Request, owner string) error {
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
	events := make(chan store.Event) // one that waits may be large
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
	v := viewer{render: s.render, rows: pageRows, live: true}
	beat := time.NewTicker(heartbeat)
	defer beat.Stop()
	var due <-chan time.Time
	interval := renderInterval
	for out.err == nil {
		select {
		case e, open := <-events:
			if !open {
				out.tell(s.encode(id, v.flush()))
				return nil
			}
			out.tell(s.draw(&v, id, e))
			if v.seq != 0 && due == nil {
				due = time.After(interval)
			}
		case <-due:
			due = nil
			start := time.Now()
			out.tell(s.encode(id, v.flush()))
			// A long text is rendered less often, so that one answer never keeps a processor busy.
			interval = max(renderInterval, 10*time.Since(start))
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

func (s *stream) tell(told []message) {
	for _, d := range told {
		if d.seq > s.after {
			s.write(fmt.Sprintf("id: %d\ndata: %s\n\n", d.seq, d.json))
		}
	}
}

func (s *stream) write(text string) {
	if s.err != nil {
		return
	}
	if _, s.err = s.w.Write([]byte(text)); s.err == nil {
		s.err = s.flusher.Flush()
	}
}

type panelView struct {
	Call       string   `json:"call,omitempty"`
	Structured string   `json:"structured"`
	Cut        bool     `json:"cut,omitempty"`
	Images     []string `json:"images,omitempty"` // data: URLs
}

func viewPanel(call string, r store.Result) panelView {
	structured, cut := indented(r.Structured)
	return panelView{call, structured, cut, images(r.Content)}
}

// showCall tells the stored result of a call: as the text that it is, indented, digit for digit, and its images.
func (s *server) showCall(w http.ResponseWriter, r *http.Request, owner string) error {
	result, err := s.Store.Result(r.Context(), owner, r.PathValue("call"))
	if err != nil {
		return err
	}
	sendJSON(w, http.StatusOK, viewPanel("", result))
	return nil
}

// indented puts each item on a line of its own, unless what is nested deeply would grow beyond all measure with that.
func indented(raw json.RawMessage) (text string, cut bool) {
	if len(raw) > maxPanel {
		return strings.ToValidUTF8(string(raw[:maxPanel]), ""), true
	}
	var b bytes.Buffer
	if spread(raw) > maxIndented || json.Indent(&b, raw, "", "  ") != nil {
		return strings.ToValidUTF8(string(raw), "\uFFFD"), false
	}
	return b.String(), false
}

// spread is how long a document is when it is indented.
func spread(raw json.RawMessage) int {
	size := len(raw)
	var at jsontext.Tracker
	for _, c := range raw {
		if !at.Next(c) {
			continue
		}
		switch c {
		case '[', ']', '{', '}', ',':
			size += 1 + 2*max(at.Depth, 0)
		}
	}
	return size
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
