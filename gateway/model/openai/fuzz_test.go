package openai

import (
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/diptych-mcp/diptych/gateway/model"
	"github.com/diptych-mcp/diptych/gateway/model/internal/wire"
)

// Whatever a server sends, it is a turn or an error, and it does not matter in which pieces it arrives.
func FuzzAnswer(f *testing.F) {
	for _, d := range deviations {
		if len(d.body) < 4<<10 {
			f.Add(d.body)
		}
	}
	f.Fuzz(func(t *testing.T, body string) {
		var turns [2]model.Turn
		var faults [2]bool
		for i := range turns {
			var text strings.Builder
			names := wire.NewNames(asked.Tools)
			r := &turn{names: names, calls: calls{names: names}, emit: func(d model.Delta) error {
				text.WriteString(d.Text)
				return nil
			}}
			var err error
			if i == 0 {
				err = r.read(strings.NewReader(body))
			} else {
				err = r.read(iotest.OneByteReader(strings.NewReader(body)))
			}
			if faults[i] = err != nil; !faults[i] {
				turns[i] = r.finished(asked)
				if turns[i].Text != text.String() {
					t.Errorf("deltas %q, turn %q", text.String(), turns[i].Text)
				}
			}
		}
		if d := cmp.Diff(turns[0], turns[1]); d != "" || faults[0] != faults[1] {
			t.Errorf("whole and in bytes differ, errors %v:\n%s", faults, d)
		}
		ids := map[string]bool{}
		for _, c := range turns[0].Calls {
			if c.ID == "" || ids[c.ID] || len(c.Arguments) == 0 {
				t.Errorf("call without an id of its own or arguments: %+v", c)
			}
			ids[c.ID] = true
		}
	})
}
