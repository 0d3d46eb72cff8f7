package sidebyside

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/diptych-mcp/diptych/cmd/diptych/internal/terminal"
)

var update = flag.Bool("update", false, "write the golden file anew")

func TestDraw(t *testing.T) {
	left := Panel{Title: "content", Note: "for the model", Body: "Prague is 21 °C.\n\nPraha 日本語の長い文章はここで折り返されるはずです、そうでしょう？そうでなければ困ります。\nA line that is rather longer than half of a wide terminal, so that it has to go on below."}
	right := Panel{Title: "structured", Note: "as published", Body: "{\n  \"city\": \"Praha\",\n  \"note\": \"a value that is longer than the panel is wide, whatever is done about it, because it goes on and on\"\n}"}
	var out strings.Builder
	for _, width := range []int{40, 80, 100, 140, 400} {
		fmt.Fprintf(&out, "%d columns\n%s\n", width, Draw(left, right, width, terminal.Style{}))
	}
	out.WriteString("no terminal\n" + Plain(left, right))
	golden := filepath.Join("testdata", "sidebyside.golden")
	if *update {
		if err := os.WriteFile(golden, []byte(out.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(out.String(), "\n")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// The line between the panels is straight, whatever is left of it.
func TestStraight(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOf(rapid.RuneFrom([]rune("ab \n日本é̂👩‍👧"))).Draw(t, "text")
		width := rapid.IntRange(Wide, 180).Draw(t, "width")
		drawn := Draw(Panel{Title: "a", Body: terminal.Clean(text)}, Panel{Title: "b", Body: "x"}, width, terminal.Style{})
		for line := range strings.Lines(drawn) {
			line = strings.TrimRight(line, "\n")
			at := strings.IndexAny(line, "│┼")
			if got := terminal.Width(line[:at]); got != (width-3)/2+1 || terminal.Width(line) > width {
				t.Fatalf("%q: the line stands at %d of %d", line, got, width)
			}
		}
	})
}
