package anthropic

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	sdk "github.com/anthropics/anthropic-sdk-go/v2"

	"github.com/diptych-mcp/diptych/gateway/model"
	"github.com/diptych-mcp/diptych/gateway/model/internal/wire"
)

// turn gathers an answer. It does so itself because the SDK's own gathering makes {} of arguments that were cut off.
type turn struct {
	emit    func(model.Delta) error
	refused error  // what emit returned
	key     string // to be kept out of errors

	text    strings.Builder
	calls   []*call
	before  []*thought         // since the last call
	mind    map[int64]*thought // the thoughts being written, by the index of their block
	open    map[int64]*call    // the calls being written, by the index of their block
	kept    int
	heard   bool
	stopped bool // nothing follows
	reason  sdk.StopReason
	usage   model.Usage
}

type call struct {
	id, name string
	whole    json.RawMessage // the arguments, where they came at once
	pieces   bytes.Buffer    // the arguments, where they came in pieces
	before   []*thought
}

func (c *call) arguments() json.RawMessage {
	if b := bytes.TrimSpace(c.pieces.Bytes()); len(b) > 0 {
		return b
	}
	if len(c.whole) > 0 && string(c.whole) != "null" {
		return c.whole
	}
	return json.RawMessage(`{}`)
}

func (t *turn) take(e sdk.MessageStreamEventUnion) error {
	t.heard = true
	switch e.Type {
	case "message_start":
		t.spend(e.Message.Usage.InputTokens, e.Message.Usage.OutputTokens)
	case "content_block_start":
		delete(t.open, e.Index)
		switch e.ContentBlock.Type {
		case "text":
			return t.say(e.ContentBlock.Text)
		case "tool_use":
			c, err := t.call(e.ContentBlock.ID, e.ContentBlock.Name, json.RawMessage(e.ContentBlock.JSON.Input.Raw()))
			if err != nil {
				return err
			}
			if t.open == nil {
				t.open = map[int64]*call{}
			}
			t.open[e.Index] = c
		case thinking, redacted:
			b := e.ContentBlock
			if t.mind == nil {
				t.mind = map[int64]*thought{}
			}
			t.mind[e.Index] = &thought{Kind: b.Type, Thinking: b.Thinking, Signature: b.Signature, Data: b.Data}
			return t.think(t.mind[e.Index])
		}
	case "content_block_delta":
		switch e.Delta.Type {
		case "text_delta":
			return t.say(e.Delta.Text)
		case "input_json_delta":
			c := t.open[e.Index]
			if c == nil {
				if e.Delta.PartialJSON == "" {
					return nil
				}
				return wire.ErrNoCall
			}
			c.pieces.WriteString(e.Delta.PartialJSON)
			return t.keep(len(e.Delta.PartialJSON))
		case "thinking_delta", "signature_delta":
			if th := t.mind[e.Index]; th != nil {
				th.pieces.WriteString(e.Delta.Thinking)
				th.Signature += e.Delta.Signature
				return t.keep(len(e.Delta.Thinking) + len(e.Delta.Signature))
			}
		}
	case "message_delta":
		if e.Delta.StopReason != "" {
			t.reason = e.Delta.StopReason
		}
		t.spend(e.Usage.InputTokens, e.Usage.OutputTokens)
	case "message_stop":
		t.stopped = true
	case "error": // from a server that does not name the event so
		return t.fault(errors.New(e.RawJSON()))
	}
	return nil
}

// whole takes an answer that came at once.
func (t *turn) whole(body []byte) error {
	if !json.Valid(body) {
		return wire.Cut(nil)
	}
	var m sdk.Message
	if err := json.Unmarshal(body, &m); err != nil || m.Type != "message" && m.Role != "assistant" {
		if said := wire.Said(body, t.key); said != "" {
			return fmt.Errorf("%w: %s", wire.ErrSaid, said)
		}
		return errors.New("the server's answer is no message; check the base URL")
	}
	t.heard, t.stopped, t.reason = true, true, m.StopReason
	t.spend(m.Usage.InputTokens, m.Usage.OutputTokens)
	for _, b := range m.Content {
		var err error
		switch b.Type {
		case "text":
			err = t.say(b.Text)
		case "tool_use":
			_, err = t.call(b.ID, b.Name, b.Input)
		case thinking, redacted:
			err = t.think(&thought{Kind: b.Type, Thinking: b.Thinking, Signature: b.Signature, Data: b.Data})
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (t *turn) say(text string) error {
	if text == "" {
		return nil
	}
	if err := t.keep(len(text)); err != nil {
		return err
	}
	t.text.WriteString(text)
	t.refused = t.emit(model.Delta{Text: text})
	return t.refused
}

func (t *turn) call(id, name string, whole json.RawMessage) (*call, error) {
	if len(t.calls) == wire.MaxCalls {
		return nil, wire.ErrTooMany
	}
	c := &call{id: id, name: name, whole: whole, before: t.before}
	t.before = nil
	t.calls = append(t.calls, c)
	return c, t.keep(len(whole) + len(name))
}

func (t *turn) think(th *thought) error {
	t.before = append(t.before, th)
	return t.keep(len(th.Thinking) + len(th.Signature) + len(th.Data))
}

func (t *turn) keep(n int) error {
	if t.kept += n; t.kept > wire.MaxKept {
		return wire.ErrTooLong
	}
	return nil
}

// spend takes counts of tokens, each of which may be missing in an event and is the whole so far in another.
func (t *turn) spend(in, out int64) {
	if in > 0 {
		t.usage.Input = int(in)
	}
	if out > 0 {
		t.usage.Output = int(out)
	}
}

// end decides whether a stream that ended was a finished turn.
func (t *turn) end() error {
	if t.stopped || t.reason != "" {
		return nil
	}
	return wire.Cut(nil)
}

// fault is what an error of the SDK says, without the request in it.
func (t *turn) fault(err error) error {
	var api *sdk.Error
	var syntax *json.SyntaxError
	switch {
	case errors.As(err, &api):
		if api.StatusCode == 200 {
			return t.fault(errors.New(api.RawJSON()))
		}
		return wire.FaultOf(api.StatusCode, api.Response.Header, []byte(api.RawJSON()), t.key)
	case errors.As(err, &syntax):
		return errors.New("the server sent an event that is no JSON; check the base URL")
	case strings.HasPrefix(err.Error(), "{"):
		if said := wire.Said([]byte(err.Error()), t.key); said != "" {
			return fmt.Errorf("%w: %s", wire.ErrSaid, said)
		}
		return wire.ErrUnspoken
	case strings.Contains(err.Error(), "token too long"):
		return wire.ErrTooLong
	}
	return wire.Cut(err)
}

// finished is the turn after its end.
func (t *turn) finished(req model.Request, names *wire.Names) model.Turn {
	out := model.Turn{Text: t.text.String(), Usage: t.usage}
	for _, c := range t.calls {
		out.Calls = append(out.Calls, model.Call{ID: c.id, Name: names.Back(c.name), Arguments: c.arguments(), Extra: extra(c.before)})
	}
	wire.Identify(req, out.Calls)
	wire.Finish(&out, t.reason == sdk.StopReasonMaxTokens || t.reason == sdk.StopReasonModelContextWindowExceeded, t.reason == sdk.StopReasonRefusal)
	return out
}
