package anthropic

// What a model thinks before it calls a tool. The API wants it back with the answer to that call, as it was and in its
// place; it is signed, and no other code reads it.

import (
	"encoding/json"
	"strings"

	sdk "github.com/anthropics/anthropic-sdk-go/v2"
)

type thought struct {
	Kind      string `json:"type"` // thinking, or redacted_thinking
	Thinking  string `json:"thinking,omitempty"`
	Signature string `json:"signature,omitempty"`
	Data      string `json:"data,omitempty"`

	pieces strings.Builder // of Thinking, not yet joined
}

const (
	thinking = "thinking"
	redacted = "redacted_thinking"
)

// extra is what a call carries of the thoughts before it.
func extra(before []*thought) json.RawMessage {
	if len(before) == 0 {
		return nil
	}
	for _, t := range before {
		t.Thinking += t.pieces.String()
		t.pieces.Reset()
	}
	raw, err := json.Marshal(before)
	if err != nil {
		return nil
	}
	return raw
}

// thoughts are the blocks of what a call carries.
func thoughts(extra json.RawMessage) []sdk.ContentBlockParamUnion {
	var before []*thought
	if len(extra) == 0 || json.Unmarshal(extra, &before) != nil {
		return nil
	}
	var out []sdk.ContentBlockParamUnion
	for _, t := range before {
		switch t.Kind {
		case thinking:
			out = append(out, sdk.ContentBlockParamUnion{OfThinking: &sdk.ThinkingBlockParam{Thinking: t.Thinking, Signature: t.Signature}})
		case redacted:
			out = append(out, sdk.ContentBlockParamUnion{OfRedactedThinking: &sdk.RedactedThinkingBlockParam{Data: t.Data}})
		}
	}
	return out
}
