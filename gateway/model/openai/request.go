package openai

import (
	"encoding/base64"
	"encoding/json"
	"strings"

	"github.com/diptych-mcp/diptych/gateway/model"
	"github.com/diptych-mcp/diptych/gateway/model/internal/wire"
)

// body is a request as the server reads it.
type body struct {
	Model         string    `json:"model"`
	Messages      []message `json:"messages"`
	Tools         []tool    `json:"tools,omitempty"`
	Stream        bool      `json:"stream"`
	StreamOptions *options  `json:"stream_options,omitempty"`
	MaxTokens     int       `json:"max_tokens,omitempty"`
	MaxCompletion int       `json:"max_completion_tokens,omitempty"`
}

type options struct {
	IncludeUsage bool `json:"include_usage"`
}

type message struct {
	Role    string `json:"role"`
	Content any    `json:"content"` // string, []part, or null beside calls
	Calls   []call `json:"tool_calls,omitempty"`
	CallID  string `json:"tool_call_id,omitempty"`

	ReasoningContent string `json:"reasoning_content,omitempty"`
	Reasoning        string `json:"reasoning,omitempty"`
}

type part struct {
	Type  string   `json:"type"`
	Text  string   `json:"text,omitempty"`
	Image *picture `json:"image_url,omitempty"`
	Audio *sound   `json:"input_audio,omitempty"`
}

type picture struct {
	URL string `json:"url"`
}

type sound struct {
	Data   string `json:"data"`
	Format string `json:"format"`
}

type tool struct {
	Type     string   `json:"type"`
	Function function `json:"function"`
}

type function struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	Parameters  json.RawMessage `json:"parameters,omitempty"`
	Arguments   *string         `json:"arguments,omitempty"` // of a call: JSON in a string
}

type call struct {
	ID       string          `json:"id"`
	Type     string          `json:"type"`
	Function function        `json:"function"`
	Extra    json.RawMessage `json:"extra_content,omitempty"`
}

func (c *Client) body(r model.Request, names *wire.Names) body {
	b := body{Model: c.config.Model, Stream: true}
	if !c.noUsage.Load() {
		b.StreamOptions = &options{IncludeUsage: true}
	}
	if c.provider.maxCompletion {
		b.MaxCompletion = r.MaxTokens
	} else {
		b.MaxTokens = r.MaxTokens
	}
	if r.System != "" {
		b.Messages = append(b.Messages, message{Role: "system", Content: r.System})
	}
	var shown []part // media of tool answers, which only a user's message can carry
	for _, m := range r.Messages {
		if m.Role != model.ToolRole {
			b.Messages, shown = show(b.Messages, shown), nil
		}
		if n := len(b.Messages); c.provider.noUserAfterTool && m.Role == model.User && n > 0 && b.Messages[n-1].Role == "tool" {
			b.Messages = append(b.Messages, message{Role: "assistant", Content: "…"})
		}
		switch m.Role {
		case model.ToolRole:
			text := wire.Text(m.Parts)
			if m.Failed {
				text = "Error: " + text
			}
			b.Messages = append(b.Messages, message{Role: "tool", Content: text, CallID: m.CallID})
			for _, p := range m.Parts {
				if media := c.media(p); media != nil {
					shown = append(shown, part{Type: "text", Text: wire.StandIn(p) + " of call " + m.CallID + ":"}, *media)
				}
			}
		case model.Assistant:
			b.Messages = append(b.Messages, c.said(m, names))
		default:
			b.Messages = append(b.Messages, message{Role: "user", Content: c.content(m.Parts)})
		}
	}
	b.Messages = show(b.Messages, shown)
	for _, t := range r.Tools {
		b.Tools = append(b.Tools, tool{Type: "function", Function: function{
			Name: names.Out(t.Name), Description: t.Description, Parameters: wire.Adapt(t, c.provider.dialect),
		}})
	}
	return b
}

func show(to []message, shown []part) []message {
	if len(shown) == 0 {
		return to
	}
	return append(to, message{Role: "user", Content: shown})
}

func (c *Client) said(m model.Message, names *wire.Names) message {
	out := message{Role: "assistant"}
	if field, _ := c.reasoning.Load().(string); !c.provider.noReasoning && len(m.Calls) > 0 {
		switch field {
		case "reasoning_content":
			out.ReasoningContent = m.Reasoning
		case "reasoning":
			out.Reasoning = m.Reasoning
		}
	}
	if text := wire.Text(m.Parts); text != "" || len(m.Calls) == 0 {
		out.Content = text
	}
	for _, one := range m.Calls {
		arguments := string(wire.Object(one.Arguments))
		out.Calls = append(out.Calls, call{ID: one.ID, Type: "function", Function: function{
			Name: names.Out(one.Name), Arguments: &arguments,
		}, Extra: one.Extra})
	}
	return out
}

// content is a string unless there is something to see or to hear: many servers take nothing else.
func (c *Client) content(parts []model.Part) any {
	var out []part
	rich := false
	for _, p := range parts {
		if media := c.media(p); media != nil {
			out, rich = append(out, *media), true
		} else if text := wire.Text([]model.Part{p}); text != "" {
			out = append(out, part{Type: "text", Text: text})
		}
	}
	if !rich {
		return wire.Text(parts)
	}
	return out
}

// media is a part as the model sees or hears it, nil if it does not.
func (c *Client) media(p model.Part) *part {
	switch {
	case c.config.Images && strings.HasPrefix(p.MIMEType, "image/"):
		return &part{Type: "image_url", Image: &picture{"data:" + p.MIMEType + ";base64," + base64.StdEncoding.EncodeToString(p.Data)}}
	case c.config.Audio && (p.MIMEType == "audio/wav" || p.MIMEType == "audio/mpeg"):
		format := map[string]string{"audio/wav": "wav", "audio/mpeg": "mp3"}[p.MIMEType]
		return &part{Type: "input_audio", Audio: &sound{base64.StdEncoding.EncodeToString(p.Data), format}}
	}
	return nil
}
