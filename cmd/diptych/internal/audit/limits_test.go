package audit

import (
	"fmt"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych/cmd/diptych/internal/peer"
	"github.com/diptych-mcp/diptych/cmd/diptych/internal/tree"
)

// faults is how many findings of a rule a schema has when its walk is over.
func faults(t *testing.T, rule, schema string) int {
	t.Helper()
	root, err := tree.Parse([]byte(schema))
	if err != nil {
		t.Fatal(err)
	}
	a := &auditor{now: &Tool{}}
	s := schemaWalk{side: "inputSchema", a: a, root: root}
	s.visit(root, "", 0)
	n := 0
	for _, f := range a.now.Findings {
		if f.Rule == rule {
			n++
		}
	}
	return n
}

func TestWalkEnds(t *testing.T) {
	var wide strings.Builder
	for i := range 2 * maxSubschemas {
		fmt.Fprintf(&wide, `"p%d":{"type":"array"},`, i)
	}
	if n := faults(t, "host-items", `{"properties":{`+strings.TrimSuffix(wide.String(), ",")+`}}`); n != maxSubschemas-1 {
		t.Errorf("%d of %d subschemas were visited", n, 2*maxSubschemas)
	}
	deep := `{"type":"array"}`
	for range maxDepth + 1 {
		deep = `{"not":` + deep + `}`
	}
	if n := faults(t, "host-items", deep); n != 0 {
		t.Error("a subschema below the deepest level was visited")
	}
	if n := faults(t, "host-items", `{"not":{"type":"array"}}`); n != 1 {
		t.Error("a subschema above it was not")
	}
}

func TestLongPatterns(t *testing.T) {
	a := &auditor{now: &Tool{}}
	s := schemaWalk{side: "inputSchema", a: a}
	s.pattern(strings.Repeat("a", maxPattern), "place")
	if len(a.now.Findings) != 0 {
		t.Errorf("%+v", a.now.Findings)
	}
	s.pattern(strings.Repeat("a", maxPattern+1), "place")
	if len(a.now.Findings) != 1 {
		t.Error("a longer pattern is compiled")
	}
}

func TestLongErrors(t *testing.T) {
	leak := "password=correct-horse"
	for _, tt := range []struct {
		text string
		want int
	}{
		{strings.Repeat(" ", maxErrorText-len(leak)) + leak, 1},
		{strings.Repeat(" ", maxErrorText) + leak, 0},
	} {
		a := &auditor{now: &Tool{}}
		a.leaks(tt.text, nil, "place")
		if len(a.now.Findings) != tt.want {
			t.Errorf("a leak at %d: %d findings", strings.Index(tt.text, leak), len(a.now.Findings))
		}
	}
	if aboutArguments("t", strings.Repeat(" ", maxErrorText)+"invalid", []byte(`{}`)) {
		t.Error("words past the end of what is read count")
	}
	own := strings.Repeat("/home/ann/x ", maxPaths)
	for text, want := range map[string]int{own: 0, own[12:] + "/home/bob/y": 1, own + "/home/bob/y": 0} {
		a := &auditor{now: &Tool{}}
		a.leaks(text, []byte(`{"path":"/home/ann/x"}`), "place")
		if len(a.now.Findings) != want {
			t.Errorf("%q: %+v", text, a.now.Findings)
		}
	}
}

func TestLongNames(t *testing.T) {
	if got := cut(strings.Repeat("é", maxShown)); got != strings.Repeat("é", maxShown) {
		t.Errorf("got %q", got)
	}
	if got := cut(strings.Repeat("é", maxShown+1)); got != strings.Repeat("é", maxShown-1)+"…" {
		t.Errorf("got %q", got)
	}
	if got := several(strings.Split("abcdefghij", "")); got != "a, b, c, d, e, f, g, h and 2 more" {
		t.Errorf("got %q", got)
	}
	for n, want := range map[int]string{
		maxNarrow - prefix: "", maxNarrow - prefix + 1: "name-prefix", maxNarrow - 1: "name-prefix", maxNarrow: "name-long", maxName: "name-long", maxName + 1: "name-invalid",
	} {
		a := &auditor{now: &Tool{}}
		a.names(peer.Tool{Tool: &mcp.Tool{Name: strings.Repeat("n", n), Description: "d"}, Input: []byte(`{}`)}, false)
		got := ""
		for _, f := range a.now.Findings {
			got += f.Rule
		}
		if got != want {
			t.Errorf("%d characters: got %q, want %q", n, got, want)
		}
	}
}

func TestLargeSchemas(t *testing.T) {
	schema := func(n int) []byte {
		const frame = `{"type":"object","properties":{},"x":""}`
		return []byte(`{"type":"object","properties":{},"x":"` + strings.Repeat("y", n-len(frame)) + `"}`)
	}
	for n, want := range map[int]string{maxSchema: "", maxSchema + 1: "larger than 64 KiB"} {
		a := &auditor{now: &Tool{}}
		a.usable("input", schema(n))
		got := ""
		for _, f := range a.now.Findings {
			got += f.Fault
		}
		if got != want || (read(schema(n)) == nil) != (want != "") {
			t.Errorf("%d bytes: got %q, want %q", n, got, want)
		}
	}
}

func TestToldIsCut(t *testing.T) {
	a := &auditor{now: &Tool{}}
	a.told([]byte(strings.Repeat("s", maxTold+1)), strings.Repeat("w", maxTold), func() { a.found("text-empty", "p", "f") })
	if f := a.now.Findings[0]; f.Sent != strings.Repeat("s", maxTold)+"…" || f.Said != strings.Repeat("w", maxTold) {
		t.Errorf("%+v", f)
	}
}

func TestManyFigures(t *testing.T) {
	text := strings.Repeat("11 ", maxFigures) + "4711"
	root, err := tree.Parse([]byte(`{"a":11}`))
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]int{text: 0, text[3:]: 1} {
		a := &auditor{now: &Tool{}}
		a.figures(root, []mcp.Content{&mcp.TextContent{Text: text}})
		if len(a.now.Findings) != want {
			t.Errorf("%d figures: %d findings", len(strings.Fields(text)), len(a.now.Findings))
		}
	}
}

func TestLargeEvents(t *testing.T) {
	for n, want := range map[int]bool{maxEvent: false, maxEvent + 1: true} {
		if got := tooLarge(n, true); got != want || tooLarge(n, false) {
			t.Errorf("%d bytes: got %v", n, got)
		}
	}
}
