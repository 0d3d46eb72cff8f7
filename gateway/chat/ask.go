package chat

// Starting a run, and what a user can do to one that goes on.

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/diptych-mcp/diptych/gateway/host"
	"github.com/diptych-mcp/diptych/gateway/store"
)

// Ask starts a run in which the model answers text. It returns at once; [Chat.Follow] tells what happens. A conversation
// without a title gets one from the text.
func (c *Chat) Ask(ctx context.Context, owner, conversation, text string) (store.Run, error) {
	text = strings.TrimSpace(strings.ToValidUTF8(text, "\uFFFD"))
	switch {
	case c.cfg.Model == nil:
		return store.Run{}, ErrNoModel
	case text == "":
		return store.Run{}, ErrEmpty
	case len(text) > maxQuestion:
		return store.Run{}, ErrLong
	}
	return c.start(ctx, owner, conversation, Input{Text: text}, title(text), (*run).converse)
}

// RunTool starts a run that is one call by the user's own hand, without a model. Arguments are checked first: see
// [ArgumentsError]. Choosing the tool and its arguments is consent, unless the operator's policy is to ask always.
func (c *Chat) RunTool(ctx context.Context, owner, conversation, tool string, arguments json.RawMessage) (store.Run, error) {
	t, ok := c.tool(tool)
	if !ok {
		return store.Run{}, ErrNoTool
	}
	sent, err := c.cfg.Tools.Arguments(tool, arguments)
	if err != nil {
		return store.Run{}, &ArgumentsError{err.Error()}
	}
	return c.start(ctx, owner, conversation, Input{Tool: tool, Arguments: sent}, title(t.Title), (*run).byHand)
}

func (c *Chat) tool(name string) (host.Tool, bool) {
	for _, t := range c.cfg.Tools.Tools() {
		if t.Name == name && t.Policy != host.Deny {
			return t, true
		}
	}
	return host.Tool{}, false
}

// start opens a run and lets do work on it.
func (c *Chat) start(ctx context.Context, owner, conversation string, in Input, name string, do func(*run) Reason) (store.Run, error) {
	input, err := compact(in)
	if err != nil {
		return store.Run{}, err
	}
	talk, err := c.cfg.Store.Conversation(ctx, owner, conversation)
	if err != nil {
		return store.Run{}, err
	}
	if err := c.claim(conversation); err != nil {
		return store.Run{}, err
	}
	ctx = context.WithoutCancel(ctx) // a run that was opened is worked on, even if its user has left
	opened, err := c.cfg.Store.StartRun(ctx, owner, conversation, input)
	if err != nil {
		c.release(conversation)
		c.ended.Done()
		return store.Run{}, err
	}
	if talk.Title == "" && name != "" {
		if err := c.cfg.Store.RenameConversation(ctx, owner, conversation, name); err != nil {
			c.cfg.Logger.Warn("naming a conversation", "err", err)
		}
	}
	r := newRun(c, opened, in)
	c.mu.Lock()
	c.live[opened.ID] = r
	c.mu.Unlock()
	go func() {
		defer c.ended.Done()
		r.work(do)
		c.mu.Lock()
		delete(c.live, opened.ID)
		c.mu.Unlock()
		r.mu.Lock()
		r.wake() // where no end could be stored
		r.mu.Unlock()
	}()
	return opened, nil
}

// claim makes sure that a conversation has one run at a time: a second would not know what the first is about to say.
func (c *Chat) claim(conversation string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.closed:
		return ErrClosed
	case c.busy[conversation]:
		return ErrBusy
	}
	c.busy[conversation] = true
	c.ended.Add(1)
	return nil
}

func (c *Chat) release(conversation string) {
	c.mu.Lock()
	delete(c.busy, conversation)
	c.mu.Unlock()
}

// Stop ends a run at once and returns when its last event is stored. A run that has ended stays as it is.
func (c *Chat) Stop(ctx context.Context, owner, id string) error {
	r, err := c.own(ctx, owner, id)
	if r == nil {
		return err
	}
	r.cancel(errStopped)
	select {
	case <-r.ended:
		return nil
	case <-time.After(stopTimeout): // it is stopped, and its end cannot be stored
		r.mu.Lock()
		defer r.mu.Unlock()
		return r.broken
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Delete removes a conversation, after it has stopped what goes on in it.
func (c *Chat) Delete(ctx context.Context, owner, conversation string) error {
	for {
		if _, err := c.cfg.Store.Conversation(ctx, owner, conversation); err != nil {
			return err
		}
		err := c.claim(conversation)
		if err == nil {
			break
		}
		if !errors.Is(err, ErrBusy) {
			return err
		}
		over, soon := c.interrupt(conversation), (<-chan time.Time)(nil)
		if over == nil { // it is about to start
			soon = time.After(10 * time.Millisecond)
		}
		select {
		case <-over:
		case <-soon:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	defer c.ended.Done()
	defer c.release(conversation)
	return c.cfg.Store.DeleteConversation(ctx, owner, conversation)
}

// interrupt stops what goes on in a conversation; what it returns is closed when that has ended, and nil where nothing is
// found.
func (c *Chat) interrupt(conversation string) <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, r := range c.live {
		if r.Conversation == conversation {
			r.cancel(errStopped)
			return r.ended
		}
	}
	return nil
}

// Answer allows or refuses the call that waits for consent.
func (c *Chat) Answer(ctx context.Context, owner, id, call string, allow bool) error {
	r, err := c.own(ctx, owner, id)
	if err != nil {
		return err
	}
	if r == nil {
		return ErrNotWaiting
	}
	a := host.Answer{Action: host.Decline}
	if allow {
		a.Action = host.Accept
	}
	return r.decide(call, a)
}

// own returns a run that goes on here, nil for one that does not, and an error where it is not the owner's.
func (c *Chat) own(ctx context.Context, owner, id string) (*run, error) {
	if _, err := c.cfg.Store.Run(ctx, owner, id); err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.live[id], nil
}

// title makes a conversation's title of its first question.
func title(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if utf8.RuneCountInString(text) <= maxTitle {
		return text
	}
	short := string([]rune(text)[:maxTitle-1])
	if at := strings.LastIndex(short, " "); at > maxTitle/2 {
		short = short[:at]
	}
	return short + "…"
}
