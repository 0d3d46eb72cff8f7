package chat

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/diptych-mcp/diptych/gateway/model"
)

func drawTale(t *rapid.T) *tale {
	text := rapid.Custom(func(t *rapid.T) string {
		piece := rapid.SampledFrom([]string{"x", "é", "日本", "🌍", "a\u0301 "}).Draw(t, "piece")
		return strings.Repeat(piece, rapid.IntRange(0, 3000).Draw(t, "times"))
	})
	told := &tale{asked: text.Draw(t, "asked"), byHand: rapid.Bool().Draw(t, "by hand")}
	for n := range rapid.IntRange(0, 4).Draw(t, "turns") {
		at := turn{number: n + 1, text: text.Draw(t, "said")}
		for range rapid.IntRange(0, 4).Draw(t, "calls") {
			at.calls = append(at.calls, &ToolCall{ID: "c", Tool: "s__t", Arguments: json.RawMessage(`{"n":1}`), Read: text.Draw(t, "read"), State: Answered})
		}
		told.turns = append(told.turns, at)
	}
	return told
}

// A tale keeps its bound. Each of its texts, in its place, is whole or as much of its beginning as a share holds and a mark
// that says how much that is; what is cut is cut alike, and nothing is cut that would have fitted.
func TestShortenedTale(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		told := drawTale(t)
		most := rapid.IntRange(0, 60_000).Draw(t, "most")
		var before []string
		for _, text := range told.texts() {
			before = append(before, *text)
		}
		size := told.size()
		told.shorten(most)
		longest, cutTo := 0, []int{}
		for i, text := range told.texts() {
			if *text == before[i] {
				longest = max(longest, len(*text))
				continue
			}
			start, rest, found := strings.Cut(*text, "… [shortened: ")
			if !found || rest != fmt.Sprintf("%d of %d bytes]", len(start), len(before[i])) || !strings.HasPrefix(before[i], start) || !utf8.ValidString(start) {
				t.Fatalf("text %d of %d bytes is neither whole nor shortened: %.80q … %q", i, len(before[i]), *text, rest)
			}
			cutTo = append(cutTo, len(*text))
		}
		const rune = utf8.UTFMax + 3 // and digits fewer than there is room for
		switch {
		case len(cutTo) == 0:
			if size > most && most/len(before) >= 2*minShare {
				t.Fatalf("%d bytes in %d texts are not shortened to %d", size, len(before), most)
			}
		case size <= most:
			t.Fatalf("%d bytes are shortened to %d", size, most)
		case told.size() > most:
			t.Fatalf("shortened to %d bytes of at most %d", told.size(), most)
		case told.size() < most-len(before)*(1+rune):
			t.Fatalf("shortened to %d bytes of %d: there is room left", told.size(), most)
		}
		for _, n := range cutTo {
			if n > cutTo[0]+rune || n < cutTo[0]-rune || n < longest-rune {
				t.Fatalf("shares of %v bytes beside a whole text of %d", cutTo, longest)
			}
		}
	})
}

// A run that brought more than a model reads of it is not forgotten: the next one knows what was asked and answered.
func TestLongRunIsRemembered(t *testing.T) {
	const secret = "only-for-the-screen"
	long := strings.Repeat("céu 17.5 °C\n", maxRead/14)
	var turns []model.Turn
	for range 7 {
		turns = append(turns, asks("s__read", `{}`))
	}
	m := script(append(turns, turnOf("first answer"), turnOf("second answer"))...)
	b := open(t, Config{Model: m, Tools: dataTool(long, `{"sources":["https://a.example/`+secret+`"],"force":"`+secret+`","table":[["n"],[1]]}`)})
	b.events(b.ask("first question"))
	b.events(b.ask("second question"))
	read := m.requests[len(m.requests)-1].Messages
	var texts, marked []string
	size := 0
	for _, message := range read {
		for _, p := range message.Parts {
			size += len(p.Text)
			if start, _, found := strings.Cut(p.Text, "… [shortened: "); found && strings.HasPrefix(long, start) {
				marked = append(marked, p.Text)
			} else {
				texts = append(texts, p.Text)
			}
		}
	}
	if diff := cmp.Diff([]string{"first question", "first answer", "second question"}, texts); diff != "" {
		t.Errorf("besides what is shortened (-want +got):\n%s", diff)
	}
	if len(marked) != 7 || size > maxHistory || size < maxTale*9/10 {
		t.Errorf("%d shortened texts, %d bytes", len(marked), size)
	}
	if strings.Contains(fmt.Sprint(read), secret) {
		t.Error("the model reads what is for the screen")
	}
}
