package meter_test

import (
	"context"
	"encoding/json"

	"github.com/diptych-mcp/diptych/gateway/chat"
	"github.com/diptych-mcp/diptych/gateway/host"
)

// stillTools are never called.
type stillTools struct{ offered }

func (stillTools) Call(context.Context, string, json.RawMessage, host.Callbacks) (host.Result, error) {
	panic("not called")
}

type answeringTools struct{ offered }

func newTools() chat.Tools {
	reads := host.Hints{ReadOnly: true}
	return answeringTools{offered{{Name: "s__bad", Server: "s", Hints: reads}, {Name: "s__good", Server: "s", Hints: reads}}}
}

func (answeringTools) Call(_ context.Context, tool string, _ json.RawMessage, _ host.Callbacks) (host.Result, error) {
	res := host.Result{Blocks: []host.Block{{Kind: host.Text, Text: secret}}, Content: json.RawMessage(`[]`), IsError: tool == "s__bad"}
	if !res.IsError {
		res.Structured = json.RawMessage(`{"said":"` + secret + `"}`)
	}
	return res, nil
}
