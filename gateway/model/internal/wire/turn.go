package wire

import "github.com/diptych-mcp/diptych/gateway/model"

// Finish says why a turn ended. Its calls decide over the reason that a server gives, except where the model ran out of
// tokens: then its last call may be incomplete and is left out. A turn that was refused has no calls.
func Finish(t *model.Turn, outOfTokens, refused bool) {
	switch {
	case outOfTokens:
		t.Reason = model.Length
		if n := len(t.Calls); n > 0 {
			t.Calls = t.Calls[:n-1]
		}
	case refused:
		t.Reason, t.Calls = model.Refusal, nil
	case len(t.Calls) > 0:
		t.Reason = model.ToolCalls
	default:
		t.Reason = model.Stop
	}
}
