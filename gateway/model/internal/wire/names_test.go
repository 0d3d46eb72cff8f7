package wire

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/diptych-mcp/diptych/gateway/model"
)

// Every tool gets a name of its own that providers take, and is found again by it.
func TestNames(t *testing.T) {
	taken := regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)
	rapid.Check(t, func(t *rapid.T) {
		names := rapid.SliceOfNDistinct(rapid.StringMatching(`[ab._/é-]{1,4}|a{60,70}[.b]?`), 1, 12, rapid.ID).Draw(t, "names")
		var tools []model.Tool
		for _, name := range names {
			tools = append(tools, model.Tool{Name: name})
		}
		n := NewNames(tools)
		out := map[string]bool{}
		for _, name := range names {
			o := n.Out(name)
			if !taken.MatchString(o) || out[o] || n.Back(o) != name || !n.Known(o) || !n.Begins(o[:1]) {
				t.Fatalf("%q is %q of %q", name, o, names)
			}
			if taken.MatchString(name) && o != name {
				t.Fatalf("%q fits and became %q", name, o)
			}
			out[o] = true
		}
	})
}

func TestIdentify(t *testing.T) {
	req := model.Request{Messages: []model.Message{{Role: model.Assistant, Calls: []model.Call{{ID: "a"}, {ID: "call_1_1"}}}}}
	calls := []model.Call{{ID: ""}, {ID: "a"}, {ID: "b"}, {ID: "b"}, {ID: "c"}}
	Identify(req, calls)
	var got []string
	for _, c := range calls {
		got = append(got, c.ID)
	}
	if d := cmp.Diff([]string{"call_1_2", "call_1_3", "b", "call_1_4", "c"}, got); d != "" {
		t.Error(d)
	}
}

func TestObject(t *testing.T) {
	for in, want := range map[string]string{`{"a":1}`: `{"a":1}`, `[1]`: `{}`, `null`: `{}`, ``: `{}`, `{"a"`: `{}`, `"x"`: `{}`} {
		if got := Object(json.RawMessage(in)); string(got) != want {
			t.Errorf("%s: %s", in, got)
		}
	}
}

// The key is gone before a text is shortened, whatever else is in it.
func TestNoKeyInErrors(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		key := "sk-0123456789abcdef"
		text := rapid.StringN(0, 300, -1).Draw(t, "before") + key + rapid.StringN(0, 300, -1).Draw(t, "after")
		body, _ := json.Marshal(map[string]any{"error": map[string]string{"message": text}})
		got := FaultOf(500, nil, body, key).Error()
		if strings.Contains(got, key[:8]) || len([]rune(got)) > maxSaid+120 || strings.ContainsAny(got, "\n\r\x00") {
			t.Fatalf("%q", got)
		}
	})
}
