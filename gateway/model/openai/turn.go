package openai

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode"

	"github.com/diptych-mcp/diptych/gateway/model"
	"github.com/diptych-mcp/diptych/gateway/model/internal/wire"
)

// turn gathers an answer.
type turn struct {
	names   *wire.Names
	emit    func(model.Delta) error
	refused error  // what emit returned
	key     string // to be kept out of errors

	text      strings.Builder
	whole     strings.Builder // the text with the reasoning that is marked in it
	think     thinking
	reasoning strings.Builder
	field     string // that reasoning came in
	media     bool   // something came that is no text
	calls     calls
	kept      int
	reason    string // as the server gives it
	no        bool   // the model refused in words
	done      bool   // the server said that nothing follows
	heard     bool   // at least one chunk was one
	usage     model.Usage
}

// chunk is a piece of an answer, or a whole one.
type chunk struct {
	Choices []struct {
		Index        int             `json:"index"`
		Delta        saying          `json:"delta"`
		Message      saying          `json:"message"`
		FinishReason string          `json:"finish_reason"`
		Error        json.RawMessage `json:"error"`
	} `json:"choices"`
	Usage struct {
		Prompt     int `json:"prompt_tokens"`
		Completion int `json:"completion_tokens"`
	} `json:"usage"`
	Error   json.RawMessage `json:"error"`
	Message json.RawMessage `json:"message"` // of an error without a wrapper
}

type saying struct {
	Content words   `json:"content"`
	Refusal words   `json:"refusal"`
	Calls   []piece `json:"tool_calls"`

	ReasoningContent words           `json:"reasoning_content"` // of DeepSeek, Qwen, vLLM, llama.cpp
	Reasoning        words           `json:"reasoning"`         // of OpenRouter, Ollama, newer vLLM
	Images           json.RawMessage `json:"images"`            // of OpenRouter
	Audio            json.RawMessage `json:"audio"`
}

// words are text, or a list of parts with text in them.
type words string

func (w *words) UnmarshalJSON(b []byte) error {
	var parts []struct{ Type, Text string }
	if json.Unmarshal(b, &parts) == nil {
		for _, p := range parts {
			if p.Type == "" || p.Type == "text" || p.Type == "output_text" {
				*w += words(p.Text)
			}
		}
		return nil
	}
	var s string
	_ = json.Unmarshal(b, &s) // what is no text says nothing
	*w = words(s)
	return nil
}

// read takes the body of an answer: a stream, or a whole answer from a server that does not stream.
func (t *turn) read(r io.Reader) error {
	b := bufio.NewReader(r)
	switch first, err := peek(b); {
	case err != nil:
		return wire.Cut(err)
	case first == '{' || first == '[':
		whole, err := io.ReadAll(io.LimitReader(b, wire.MaxKept+1))
		if err != nil {
			return wire.Cut(err)
		}
		if len(whole) > wire.MaxKept {
			return wire.ErrTooLong
		}
		// Lines of JSON are a stream whose every line is an event.
		t.done = json.Valid(whole)
		return t.end(t.take(whole))
	case first == '<':
		return wire.ErrWebPage
	}
	err := events(b, func(data []byte) error {
		data = bytes.TrimSpace(data)
		if rest, ok := bytes.CutSuffix(data, []byte("[DONE]")); ok {
			if err := t.take(rest); err != nil {
				return err
			}
			t.done = true
			return errDone
		}
		return t.take(data)
	})
	return t.end(err)
}

// flush says what was kept back because it could have been the beginning of a mark.
func (t *turn) flush() error {
	text, reasoning := t.think.rest()
	t.reasoning.WriteString(reasoning)
	return t.put(text)
}

func (t *turn) put(text string) error {
	if text == "" {
		return nil
	}
	t.text.WriteString(text)
	t.refused = t.emit(model.Delta{Text: text})
	return t.refused
}

var errDone = errors.New("done")

// end decides whether what was read is a finished turn.
func (t *turn) end(err error) error {
	switch {
	case err != nil && !errors.Is(err, errDone):
		return err
	case brokenOff[strings.ToLower(t.reason)] || strings.HasPrefix(t.reason, "function_call_filter"):
		return fmt.Errorf("%w (%s)", wire.ErrEnded, t.reason)
	case t.reason == "" && !t.done:
		return wire.Cut(nil)
	case !t.heard:
		return errors.New("the server's answer is no chat completion; check the base URL")
	}
	return t.flush()
}

// peek returns the first byte that is no space, unread.
func peek(b *bufio.Reader) (byte, error) {
	for {
		c, err := b.ReadByte()
		if err != nil {
			return 0, err
		}
		if !unicode.IsSpace(rune(c)) {
			return c, b.UnreadByte()
		}
	}
}

// take takes the JSON values of an event: one, or several where a server forgets the empty line between events.
func (t *turn) take(data []byte) error {
	dec := json.NewDecoder(bytes.NewReader(data))
	for {
		var raw json.RawMessage
		if err := dec.Decode(&raw); err == io.EOF {
			return nil
		} else if errors.Is(err, io.ErrUnexpectedEOF) {
			return wire.Cut(nil)
		} else if err != nil {
			return errors.New("the server sent an event that is no JSON; check that the base URL is one for chat completions")
		}
		var c chunk
		var field *json.UnmarshalTypeError
		if err := json.Unmarshal(raw, &c); err != nil && !errors.As(err, &field) { // one odd field spoils no other
			return err
		}
		if err := t.chunk(c, raw); err != nil {
			return err
		}
	}
}

func (t *turn) chunk(c chunk, raw json.RawMessage) error {
	if present(c.Error) || len(c.Choices) == 0 && len(c.Message) > 0 || raw[0] == '[' {
		if said := wire.Said(raw, t.key); said != "" {
			return fmt.Errorf("%w: %s", wire.ErrSaid, said)
		}
		return wire.ErrUnspoken
	}
	if c.Usage.Prompt > 0 || c.Usage.Completion > 0 {
		t.usage = model.Usage{Input: c.Usage.Prompt, Output: c.Usage.Completion}
	}
	for _, choice := range c.Choices {
		t.heard = true
		if choice.Index != 0 {
			continue
		}
		if present(choice.Error) {
			if said := wire.Said(choice.Error, t.key); said != "" {
				return fmt.Errorf("%w: %s", wire.ErrSaid, said)
			}
			return wire.ErrUnspoken
		}
		for _, s := range []saying{choice.Delta, t.unsaid(choice.Message)} {
			if err := t.say(s); err != nil {
				return err
			}
		}
		if choice.FinishReason != "" {
			t.reason = choice.FinishReason
		}
	}
	return nil
}

func present(raw json.RawMessage) bool { return len(raw) > 0 && string(raw) != "null" }

// unsaid is what a whole message adds to the pieces before it: some relays repeat everything in the last chunk.
func (t *turn) unsaid(s saying) saying {
	if so := t.whole.String(); so != "" {
		rest, _ := strings.CutPrefix(string(s.Content), so)
		if len(rest) == len(s.Content) {
			rest = ""
		}
		s.Content = words(rest)
	}
	if t.reasoning.Len() > 0 {
		s.ReasoningContent, s.Reasoning = "", ""
	}
	if len(t.calls.list) > 0 {
		s.Calls = nil
	}
	return s
}

func (t *turn) say(s saying) error {
	t.no = t.no || s.Refusal != ""
	t.media = t.media || present(s.Images) || present(s.Audio)
	t.whole.WriteString(string(s.Content + s.Refusal))
	text, reasoning := t.think.take(string(s.Content + s.Refusal))
	switch {
	case s.ReasoningContent != "":
		t.field, reasoning = "reasoning_content", reasoning+string(s.ReasoningContent)
	case s.Reasoning != "":
		t.field, reasoning = "reasoning", reasoning+string(s.Reasoning)
	}
	t.reasoning.WriteString(reasoning)
	t.kept += len(s.Content) + len(s.Refusal) + len(s.ReasoningContent) + len(s.Reasoning)
	for _, p := range s.Calls {
		t.kept += len(p.Function.Name) + len(p.Function.Arguments) + 64
	}
	if t.kept > wire.MaxKept {
		return wire.ErrTooLong
	}
	if err := t.put(text); err != nil {
		return err
	}
	for _, p := range s.Calls {
		if err := t.calls.add(p); err != nil {
			return err
		}
	}
	return nil
}

// How servers call ends that are no plain end, in lower case. "stop", "tool_calls" and whatever else they say are one.
var (
	outOfTokens = map[string]bool{"length": true, "max_tokens": true, "model_length": true, "max_output_tokens": true}
	refused     = map[string]bool{"content_filter": true, "safety": true, "prohibited_content": true, "blocklist": true, "recitation": true, "sensitive": true}
	// brokenOff are: the server had no resources (DeepSeek), was told to stop (vLLM, SGLang), failed (Mistral, OpenRouter), or could
	// not read the call that the model wrote (Gemini).
	brokenOff = map[string]bool{"insufficient_system_resource": true, "abort": true, "aborted": true, "cancelled": true, "error": true, "network_error": true,
		"malformed_function_call": true, "unexpected_tool_call": true}
)

// finished is the turn after its end. Calls decide over the reason that the server gives, except where the model ran
// out of tokens: then its last call may be incomplete and is left out.
func (t *turn) finished(req model.Request) model.Turn {
	out := model.Turn{Text: t.text.String(), Reasoning: t.reasoning.String(), Calls: t.calls.finished(req), Usage: t.usage, Media: t.media}
	wire.Finish(&out, outOfTokens[strings.ToLower(t.reason)], refused[strings.ToLower(t.reason)] || t.no)
	return out
}
