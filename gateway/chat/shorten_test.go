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

func drawEarlierRun(t *rapid.T) *earlierRun {
	text := rapid.Custom(func(t *rapid.T) string {
		piece := rapid.SampledFrom([]string{"x", "é", "日本", "🌍", "a\u0301 "}).Draw(t, "piece")
		return strings.Repeat(piece, rapid.IntRange(0, 3000).Draw(t, "times"))
	})
	told := &earlierRun{asked: text.Draw(t, "asked"), byHand: rapid.Bool().Draw(t, "by hand")}
	for n := range rapid.IntRange(0, 4).Draw(t, "turns") {
		at := turn{number: n + 1, text: text.Draw(t, "said")}
		for i := range rapid.IntRange(0, 4).Draw(t, "calls") {
			arguments := fmt.Sprintf(rapid.SampledFrom([]string{`{"n":"%s"}`, `"%s"`, `["%s"]`, `%s`}).Draw(t, "arguments"), text.Draw(t, "argument"))
			at.calls = append(at.calls, &ToolCall{ID: fmt.Sprint(n, ".", i), Tool: "s__t", Arguments: json.RawMessage(arguments), Read: text.Draw(t, "read"), State: Answered})
		}
		if at.text != "" || at.calls != nil {
			told.turns = append(told.turns, at)
		}
	}
	if told.byHand { // one call, and no word
		told.turns = []turn{{number: 1, calls: []*ToolCall{{ID: "c", Read: text.Draw(t, "read")}}}}
	}
	return told
}

// allowed says what no server of a model takes: a call that is not answered right after it, in its place, an answer to none,
// arguments that are no object, and a message without anything.
func allowed(messages []model.Message) error {
	var open []model.Call
	for i, m := range messages {
		switch {
		case m.Role != model.ToolRole && (len(open) > 0 || len(m.Parts)+len(m.Calls) == 0 && i > 0):
			return fmt.Errorf("message %d is empty or comes before %d answers", i, len(open))
		case m.Role == model.ToolRole && (len(open) == 0 || open[0].ID != m.CallID):
			return fmt.Errorf("message %d answers %q, and %v are open", i, m.CallID, open)
		case m.Role == model.ToolRole:
			open = open[1:]
		}
		for _, c := range m.Calls {
			var o map[string]any
			if json.Unmarshal(c.Arguments, &o) != nil || o == nil {
				return fmt.Errorf("message %d calls with %.80s", i, c.Arguments)
			}
			open = append(open, c)
		}
	}
	if len(open) > 0 {
		return fmt.Errorf("%d calls have no answer", len(open))
	}
	return nil
}

// A earlierRun keeps its bound and stays one that a model's server takes. Its calls are left out, with a mark, only where what they
// have besides their texts takes the room. Each of its texts, in its place, is whole or as much of its beginning as a share holds and a mark
// that says how much that is; what is cut is cut alike, and nothing is cut that would have fitted.
func TestShortenedTale(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		told := drawEarlierRun(t)
		most := rapid.IntRange(2*minShare, 60_000).Draw(t, "most")
		var before []string
		said, size := "", told.size()
		room := most - size // for texts
		for _, text := range told.texts() {
			before = append(before, *text)
			room += len(*text)
		}
		for _, turn := range told.turns {
			if turn.text != "" {
				said = turn.text
			}
		}
		told.shorten(most)
		if err := allowed(told.messages()); err != nil || told.size() > most {
			t.Fatalf("shortened to %d bytes of at most %d: %v", told.size(), most, err)
		}
		if after := told.turns; len(after) == 1 && strings.HasPrefix(after[0].text, leftOut) {
			if size <= most || room/len(before) >= minShare || after[0].calls != nil {
				t.Fatalf("calls are left out of %d bytes with room for %d: %d bytes for %d texts", size, most, room, len(before))
			}
			before, size = []string{before[0], leftOut + said}, len(before[0])+len(leftOut)+len(said)
		}
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
		case size <= most:
			t.Fatalf("%d bytes are shortened to %d", size, most)
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
	if len(marked) != 7 || size > maxHistory || size < maxEarlierRun*9/10 {
		t.Errorf("%d shortened texts, %d bytes", len(marked), size)
	}
	if strings.Contains(fmt.Sprint(read), secret) {
		t.Error("the model reads what is for the screen")
	}
}

// A run with arguments beyond all that a model reads leaves everything before it, and what was asked and answered in it.
func TestLongArgumentsLeaveTheRest(t *testing.T) {
	turns := []model.Turn{turnOf("first answer")}
	for range 5 {
		turns = append(turns, asks("s__read", `{"q":"`+strings.Repeat("x", maxHistory/4)+`"}`))
	}
	m := script(append(turns, turnOf("second answer"), turnOf("third answer"))...)
	b := open(t, Config{Model: m, Tools: dataTool("read", panel)})
	for _, question := range []string{"first question", "second question", "third question"} {
		b.events(b.ask(question))
	}
	var texts []string
	for _, message := range m.requests[len(m.requests)-1].Messages {
		texts = append(texts, reading(message.Parts))
	}
	if diff := cmp.Diff([]string{"first question", "first answer", "second question", leftOut + "second answer", "third question"}, texts); diff != "" {
		t.Errorf("what the model reads (-want +got):\n%s", diff)
	}
}
