package wire

import (
	"testing"

	"github.com/diptych-mcp/diptych/gateway/model"
)

func TestFinish(t *testing.T) {
	for name, c := range map[string]struct {
		calls                int
		outOfTokens, refused bool
		reason               model.Reason
		left                 int
	}{
		"text":                        {0, false, false, model.Stop, 0},
		"calls":                       {2, false, false, model.ToolCalls, 2},
		"text that is cut":            {0, true, false, model.Length, 0},
		"calls that are cut":          {2, true, false, model.Length, 1},
		"refused":                     {2, false, true, model.Refusal, 0},
		"cut, and said to be refused": {1, true, true, model.Length, 0},
	} {
		turn := model.Turn{Calls: make([]model.Call, c.calls)}
		if Finish(&turn, c.outOfTokens, c.refused); turn.Reason != c.reason || len(turn.Calls) != c.left {
			t.Errorf("%s: %v with %d calls, want %v with %d", name, turn.Reason, len(turn.Calls), c.reason, c.left)
		}
	}
}
