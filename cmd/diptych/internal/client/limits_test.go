package client

import (
	"fmt"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych/cmd/diptych/internal/peer"
)

func generated(t *testing.T, schema string) string {
	t.Helper()
	text, err := Generate("p", "s", []peer.Tool{{Tool: &mcp.Tool{Name: "t"}, Input: []byte(`{"type":"object","properties":{"a":` + schema + `}}`)}})
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestDepthEnds(t *testing.T) {
	lists := func(n int) string {
		return strings.Repeat(`{"type":"array","items":`, n) + `{"type":"string"}` + strings.Repeat("}", n)
	}
	for n, want := range map[int]string{maxDepth - 1: strings.Repeat("[]", maxDepth-1) + "string", maxDepth: strings.Repeat("[]", maxDepth) + "json.RawMessage"} {
		if got := generated(t, lists(n)); !strings.Contains(got, " "+want+" ") {
			t.Errorf("%d lists: %s", n, got[strings.Index(got, "type TArguments"):])
		}
	}
}

func TestConstantsEnd(t *testing.T) {
	enum := func(n int) string {
		var values []string
		for i := range n {
			values = append(values, fmt.Sprintf(`"v %d"`, i))
		}
		return `{"enum":[` + strings.Join(values, ",") + `]}`
	}
	for n, want := range map[int]int{maxConstants: maxConstants, maxConstants + 1: 0} {
		got := generated(t, enum(n))
		if c := strings.Count(got, ` TArgumentsA = "v `); c != want || !strings.Contains(got, "Enum() []TArgumentsA") {
			t.Errorf("%d values: %d constants", n, c)
		}
	}
}
