package tree

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

func TestLimits(t *testing.T) {
	nested := func(n int) []byte { return []byte(strings.Repeat("[", n) + strings.Repeat("]", n)) }
	for _, tt := range []struct {
		name string
		doc  []byte
		want string
	}{
		{"the deepest", nested(maxDepth + 1), ""},
		{"one deeper", nested(maxDepth + 2), "nested deeper than 128 levels"},
	} {
		_, err := Parse(tt.doc)
		if got := fmt.Sprint(err); tt.want == "" && err != nil || tt.want != "" && got != tt.want {
			t.Errorf("%s: got %v, want %q", tt.name, err, tt.want)
		}
	}
}

// A document of a million values takes seconds under the race detector, so the count starts shortly before its end.
func TestValuesEnd(t *testing.T) {
	doc := []byte(`[1,2,3]`)
	for spare, want := range map[int]string{4: "<nil>", 3: "more than 1048576 values"} {
		p := parser{doc: doc, dec: json.NewDecoder(bytes.NewReader(doc)), nodes: maxNodes - spare}
		if _, err := p.value(0); fmt.Sprint(err) != want {
			t.Errorf("room for %d values: got %v, want %s", spare, err, want)
		}
	}
}

func TestFollowEnds(t *testing.T) {
	chain := func(n int) *Node {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, `"%d":{"$ref":"#/%d"},`, i, i+1)
		}
		root, err := Parse(fmt.Appendf(nil, `{%s"%d":{"type":"null"}}`, b.String(), n))
		if err != nil {
			t.Fatal(err)
		}
		return root
	}
	for n, want := range map[int]bool{maxSteps - 1: true, maxSteps: false} {
		root := chain(n)
		if got, _ := Follow(root, root.Get("0")); (got.Str("type") == "null") != want {
			t.Errorf("%d references in a row: got %v", n, got)
		}
	}
}
