package arguments

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/diptych-mcp/diptych/cmd/diptych/internal/tree"
)

// within fails a test whose work does not end.
func within(t *testing.T, name string, work func()) {
	t.Helper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		work()
	}()
	select {
	case <-done:
	case <-time.After(20 * time.Second):
		t.Fatalf("%s: no end", name)
	}
}

func TestExampleEnds(t *testing.T) {
	lists := `{"type":"string"}`
	for range 5 {
		lists = `{"type":"array","minItems":64,"items":` + lists + `}`
	}
	for name, tt := range map[string]struct{ schema, want string }{
		"64 lists in 64 lists": {`{"type":"object","required":["a"],"properties":{"a":` + lists + `}}`, "too large"},
		"a member of its own type": {`{"$defs":{"A":{"type":"object","required":["a"],"properties":{"a":{"$ref":"#/$defs/A"}}}},"type":"object","required":["a"],"properties":{"a":{"$ref":"#/$defs/A"}}}`,
			"no arguments could be made"},
		"a list of 65": {`{"type":"object","required":["a"],"properties":{"a":{"type":"array","minItems":65,"items":{"type":"null"}}}}`, "no arguments could be made"},
	} {
		within(t, name, func() {
			made, err := Example([]byte(tt.schema))
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%s: got %.60s, %v; want %s", name, made, err, tt.want)
			}
		})
	}
	if made, err := Example([]byte(`{"type":"object","required":["a"],"properties":{"a":{"type":"array","minItems":64,"items":{"type":"null"}}}}`)); err != nil || strings.Count(string(made), "null") != maxItems {
		t.Errorf("a list of %d: %v", maxItems, err)
	}
}

func TestAlternativesEnd(t *testing.T) {
	defs := `"40":{"type":"integer"}`
	for i := range 40 {
		defs = fmt.Sprintf(`"%d":{"anyOf":[{"$ref":"#/$defs/%d"},{"$ref":"#/$defs/%[2]d"}]},`, i, i+1) + defs
	}
	choices := strings.ReplaceAll(defs, `{"type":"integer"}`, `{"enum":[1]}`)
	for _, defs := range []string{defs, choices} {
		root, err := tree.Parse([]byte(`{"$defs":{` + defs + `},"properties":{"a":{"$ref":"#/$defs/0"}}}`))
		if err != nil {
			t.Fatal(err)
		}
		within(t, "alternatives of alternatives", func() {
			_ = kindsOf(root, root.Get("properties").Get("a"))
			_ = choicesOf(root, root.Get("properties").Get("a"))
		})
	}
}

func TestFewChoicesAreTold(t *testing.T) {
	values, err := json.Marshal(strings.Split("abcdefghijklmnop", ""))
	if err != nil {
		t.Fatal(err)
	}
	_, err = Parse(fmt.Appendf(nil, `{"type":"object","properties":{"k":{"enum":%s}}}`, values), []string{"k=zzzz"})
	if err == nil || err.Error() != `k: got "zzzz", want a, b, c, d, e, f, g, h, i, j, k, l or …` {
		t.Errorf("got %v", err)
	}
}
