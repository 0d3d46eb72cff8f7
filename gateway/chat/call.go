package chat

// One tool call in a run: admitted, consented to, made, stored and shown.

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/diptych-mcp/diptych/gateway/host"
	"github.com/diptych-mcp/diptych/gateway/model"
	"github.com/diptych-mcp/diptych/gateway/store"
)

// call does what a model asked for, and returns what the model reads of it. index counts the calls of the turn.
func (r *run) call(number, index int, c model.Call) (id string, state CallState, parts []model.Part) {
	e := ToolCall{ID: rand.Text(), Turn: number, Tool: short(c.Name), Title: short(c.Name)}
	t, ok := r.tool(c.Name)
	if !ok && c.Name == findTools {
		e.Title, e.Arguments = "Find tools", asWritten(c.Arguments)
		return r.refuse(e, Answered, r.search(c.Arguments))
	}
	if !ok {
		e.Arguments = asWritten(c.Arguments)
		return r.refuse(e, Rejected, fmt.Sprintf("There is no tool %q. %s", short(c.Name), r.names()))
	}
	e.Title, e.Hints = t.Title, t.Hints
	if index >= maxCalls {
		e.Arguments = asWritten(c.Arguments)
		return r.refuse(e, Rejected, fmt.Sprintf("Too many calls in one turn; at most %d are made.", maxCalls))
	}
	sent, err := r.cfg.Tools.Arguments(t.Name, c.Arguments)
	if err != nil {
		e.Arguments = asWritten(c.Arguments)
		return r.refuse(e, Rejected, err.Error())
	}
	e.Arguments = sent
	if t.Policy == host.Ask || t.Policy == host.ByHints && !t.Hints.ReadOnly {
		if state, text := r.consent(e); state != Running {
			return r.refuse(e, state, text)
		}
	}
	return r.make(t, e)
}

// byHand makes the one call that the user chose.
func (r *run) byHand() Reason {
	if _, _, err := r.remember(); err != nil {
		r.cfg.Logger.Error("reading a conversation", "conversation", r.Conversation, "err", err)
		return r.fail(OwnFault, "The conversation could not be read; the gateway's log has the details.")
	}
	e := ToolCall{ID: rand.Text(), Tool: r.in.Tool, Title: r.in.Tool, Arguments: r.in.Arguments}
	t, ok := r.tool(r.in.Tool)
	if !ok { // gone between the form and here
		r.refuse(e, Rejected, "There is no such tool any more.")
		return ByError
	}
	e.Title, e.Hints = t.Title, t.Hints
	if t.Policy == host.Ask {
		if state, text := r.consent(e); state != Running {
			r.refuse(e, state, text)
			return ByAnswer
		}
	}
	if _, state, _ := r.make(t, e); state != Answered {
		return ByError
	}
	return ByAnswer
}

// consent asks the user. Running means yes; else text is for the model.
func (r *run) consent(e ToolCall) (state CallState, text string) {
	e.State = Waiting
	question := Consent{Call: e.ID, Tool: e.Tool, Title: e.Title, Arguments: e.Arguments, Hints: e.Hints, State: Asked}
	asked := question
	answer, err := r.ask(r.ctx, e.ID, nil, nil, &e, &asked)
	switch {
	case err != nil:
		question.State = Expired
	case answer.Action == host.Accept:
		question.State = Given
	default:
		question.State = Refused
	}
	_ = r.publish(&question)
	switch {
	case r.ctx.Err() != nil:
		return Stopped, ""
	case question.State == Given:
		return Running, ""
	case question.State == Refused:
		return Declined, "The user did not allow this call."
	}
	return Declined, "The user did not answer whether this call is allowed, so it was not made."
}

// refuse ends a call that is not made.
func (r *run) refuse(e ToolCall, state CallState, text string) (string, CallState, []model.Part) {
	e.State, e.Read = state, text
	_ = r.publish(&e)
	return e.ID, state, []model.Part{{Text: text}}
}

// make calls the tool, stores what it answers, and shows it.
func (r *run) make(t host.Tool, e ToolCall) (string, CallState, []model.Part) {
	running := e
	running.State = Running
	if r.publish(&running) != nil {
		return e.ID, Stopped, nil
	}
	began := time.Now()
	res, err := r.cfg.Tools.Call(r.ctx, t.Name, e.Arguments, host.Callbacks{Progress: r.progress(e.ID), Ask: r.question(e.ID)})
	e.Millis = time.Since(began).Milliseconds()
	if err != nil || r.ctx.Err() != nil {
		return r.refuse(e, Stopped, "")
	}
	if r.received += len(res.Content) + len(res.Structured); r.received > maxResults {
		return r.refuse(e, Failed, fmt.Sprintf("The results of this question are more than %d MiB together, so this one was put aside. Ask for less, or in another question.", maxResults>>20))
	}
	parts := forModel(res.Blocks)
	e.State, e.Read, e.Verified, e.Note, e.Screen = Answered, reading(parts), res.Verified, res.Note, true
	if res.IsError {
		e.State = Failed
	} else if res.Structured != nil {
		r.structured = append(r.structured, res.Structured)
	}
	// Kept even if the run is stopped now: the event that says so would have nothing to show.
	err = r.cfg.Store.SaveResult(context.WithoutCancel(r.ctx), r.ID, e.ID, store.Result{
		Tool: t.Name, Arguments: e.Arguments, Content: res.Content, Structured: res.Structured,
		IsError: res.IsError, Verified: res.Verified, Note: res.Note,
	})
	if err == nil {
		err = r.publishFrom(func(next int64) []Event { return append([]Event{&e}, r.screen(t, e.ID, res, next+1)...) })
	}
	if err != nil {
		r.cfg.Logger.Error("storing a result", "run", r.ID, "err", err)
		r.cancel(&storeError{err})
	}
	return e.ID, e.State, parts
}

// progress passes on what a tool says about its progress, not too often.
func (r *run) progress(call string) func(host.Progress) {
	var last time.Time
	told := 0
	return func(p host.Progress) {
		complete := p.Total > 0 && p.Done >= p.Total
		if told >= maxProgress || !complete && time.Since(last) < progressInterval {
			return
		}
		last = time.Now()
		told++
		_ = r.publish(&Progress{call, p.Done, p.Total, p.Message})
	}
}

// names lists the tools for a model that invented one.
func (r *run) names() string {
	var names []string
	for _, t := range r.cfg.Tools.Tools() {
		if t.Policy != host.Deny {
			names = append(names, t.Name)
		}
	}
	if len(names) == 0 {
		return "There are no tools at the moment."
	}
	return short("The tools are " + strings.Join(names, ", ") + ".")
}

// asWritten keeps what a model wrote as arguments, which may be anything.
func asWritten(arguments json.RawMessage) json.RawMessage {
	if len(arguments) <= maxRejected && json.Valid(arguments) {
		return arguments
	}
	quoted, err := compact(strings.ToValidUTF8(string(arguments[:min(len(arguments), maxRejected)]), "\uFFFD"))
	if err != nil {
		return nil
	}
	return quoted
}
