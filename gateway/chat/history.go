package chat

// What a run knows of the runs before it, from their stored events.

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/diptych-mcp/diptych/gateway/model"
	"github.com/diptych-mcp/diptych/gateway/store"
)

// remember reads the earlier runs of the conversation: what the model read and said, which tables and charts were shown,
// and which calls have a result.
func (r *run) remember() (messages []model.Message, calls []string, err error) {
	var told []*earlierRun // the latest, as far as a model reads them
	left := maxHistory
	for earlier, err := range store.AllRuns(r.ctx, r.cfg.Store, r.Owner, r.Conversation) {
		if err != nil {
			return nil, nil, err
		}
		if earlier.ID == r.ID {
			break
		}
		var in Input
		if err := json.Unmarshal(earlier.Input, &in); err != nil {
			return nil, nil, fmt.Errorf("input of run %s: %w", earlier.ID, err)
		}
		t := newEarlierRun(in)
		if err := r.replay(earlier, t.note); err != nil {
			return nil, nil, err
		}
		for hash, seq := range t.shown {
			r.seen[hash] = Ref{earlier.ID, seq}
		}
		calls = append(calls, t.results...)
		t.shorten(maxEarlierRun)
		told = append(told, t)
		for left -= t.size(); left < 0; told = told[1:] {
			left += told[0].size()
		}
	}
	for _, t := range told {
		messages = join(messages, t.messages()...)
	}
	return messages, calls, nil
}

// replay hands every stored event of a run to note.
func (r *run) replay(earlier store.Run, note func(int64, Event)) error {
	for e, err := range store.AllEvents(r.ctx, r.cfg.Store, r.Owner, earlier.ID) {
		if err != nil {
			return err
		}
		event, err := Decode(e)
		if err != nil {
			return err
		}
		note(e.Seq, event)
	}
	return nil
}

// An earlierRun is what a model reads of one run.
type earlierRun struct {
	asked   string // by the user, or what the user did
	byHand  bool   // without a model
	turns   []turn
	shown   map[string]int64 // tables and charts, by hash
	results []string         // calls that have one
}

func newEarlierRun(in Input) *earlierRun {
	if in.Tool == "" {
		return &earlierRun{asked: in.Text}
	}
	return &earlierRun{asked: fmt.Sprintf("[I called the tool %s myself, with %s.", in.Tool, in.Arguments), byHand: true}
}

type turn struct {
	number int
	text   string
	calls  []*ToolCall
}

func (t *earlierRun) at(number int) *turn {
	if n := len(t.turns); n == 0 || t.turns[n-1].number != number {
		t.turns = append(t.turns, turn{number: number})
	}
	return &t.turns[len(t.turns)-1]
}

func (t *earlierRun) note(seq int64, event Event) {
	switch e := event.(type) {
	case *Text:
		if e.Final { // what was only begun was never said
			t.at(e.Turn).text = e.Text
		}
	case *ToolCall:
		at := t.at(e.Turn)
		known := false
		for i, c := range at.calls {
			if c.ID == e.ID {
				at.calls[i], known = e, true
			}
		}
		if !known {
			at.calls = append(at.calls, e)
		}
		if e.Screen {
			t.results = append(t.results, e.ID)
		}
	case *Table:
		t.show(e.Hash, seq, e.Same)
	case *Chart:
		t.show(e.Hash, seq, e.Same)
	}
}

func (t *earlierRun) show(hash string, seq int64, same *Ref) {
	if same != nil {
		return
	}
	if t.shown == nil {
		t.shown = make(map[string]int64)
	}
	t.shown[hash] = seq
}

// noAnswer is what a model reads where a run ended before it answered.
const noAnswer = "[This ended before there was an answer.]"

// messages is the run as a model reads it.
func (t *earlierRun) messages() []model.Message {
	if t.byHand {
		return []model.Message{says(model.User, t.done())}
	}
	messages := []model.Message{says(model.User, t.asked)}
	for _, turn := range t.turns {
		spoken := says(model.Assistant, turn.text)
		for _, c := range turn.calls {
			spoken.Calls = append(spoken.Calls, model.Call{ID: c.ID, Name: c.Tool, Arguments: object(c.Arguments)})
		}
		messages = append(messages, spoken)
		for _, c := range turn.calls {
			messages = append(messages, answer(c.ID, c.State, []model.Part{{Text: c.read()}}))
		}
	}
	if messages[len(messages)-1].Role == model.ToolRole { // many servers refuse a user's message right after a tool's
		messages = append(messages, says(model.Assistant, noAnswer))
	}
	return messages
}

// done tells a model what the user did without it.
func (t *earlierRun) done() string {
	text := t.asked
	for _, turn := range t.turns {
		for _, c := range turn.calls {
			text += " It answered:]\n" + c.read()
		}
	}
	return text
}

func (c *ToolCall) read() string {
	if c.Read == "" {
		return "[the call was stopped before it answered]"
	}
	return c.Read
}

func (t *earlierRun) size() int {
	n := len(t.asked)
	for _, turn := range t.turns {
		n += len(turn.text)
		for _, c := range turn.calls {
			if n += len(c.read()); !t.byHand {
				n += len(c.Arguments)
			}
		}
	}
	return n
}

func says(role model.Role, text string) model.Message {
	m := model.Message{Role: role}
	if text != "" {
		m.Parts = []model.Part{{Text: text}}
	}
	return m
}

func answer(call string, state CallState, parts []model.Part) model.Message {
	return model.Message{Role: model.ToolRole, CallID: call, Parts: parts, Failed: state != Answered}
}

// join appends messages; one speaker who speaks twice in a row speaks once, because many models insist on turns.
func join(messages []model.Message, more ...model.Message) []model.Message {
	for _, m := range more {
		if n := len(messages); n > 0 && m.Role == model.User && messages[n-1].Role == model.User {
			messages[n-1].Parts = append(messages[n-1].Parts, m.Parts...)
		} else {
			messages = append(messages, m)
		}
	}
	return messages
}

// object is what a model's server takes as arguments, whatever the model wrote.
func object(arguments json.RawMessage) json.RawMessage {
	var o map[string]json.RawMessage
	if json.Unmarshal(arguments, &o) != nil || o == nil {
		return json.RawMessage(`{}`)
	}
	return arguments
}

// panels are the structured contents of earlier calls, the latest first.
func (r *run) panels(calls []string) []json.RawMessage {
	var panels []json.RawMessage
	for i := len(calls) - 1; i >= 0 && len(panels) < maxChecked; i-- {
		res, err := r.cfg.Store.Result(r.ctx, r.Owner, calls[i])
		if err != nil {
			if !errors.Is(err, store.ErrNotFound) && r.ctx.Err() == nil {
				r.cfg.Logger.Warn("reading an earlier result", "err", err)
			}
			continue
		}
		if res.Structured != nil && !res.IsError {
			panels = append(panels, res.Structured)
		}
	}
	return panels
}
