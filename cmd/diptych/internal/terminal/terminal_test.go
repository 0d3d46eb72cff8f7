package terminal

import (
	"bytes"
	"math"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestClean(t *testing.T) {
	for in, want := range map[string]string{
		"plain é 日本 👩‍👩‍👧":   "plain é 日本 👩‍👩‍👧",
		"a\tb\r\nc\rd":       "a    b\nc␍d",
		"\x1b[2J\x07\x00":    "␛[2J␇␀",
		"\u009b31m\x7f":      `\u009b31m␡`,
		"abc\u202edef\u2066": `abc\u202edef\u2066`,
		"a\u200bb\ufeff":     `a\u200bb\ufeff`,
		"x\U000e0041y":       `x\U000e0041y`,
		"bad \xff utf":       "bad \ufffd utf",
		"two\u2028lines":     `two\u2028lines`,
	} {
		if got := Clean(in); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}

// Whatever comes in, nothing that acts on a terminal goes out.
func TestCleanIsSafe(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		out := Clean(string(rapid.SliceOf(rapid.Byte()).Draw(t, "bytes")) + rapid.String().Draw(t, "text"))
		if !utf8.ValidString(out) {
			t.Fatalf("%q is not UTF-8", out)
		}
		for _, r := range out {
			if unicode.IsControl(r) && r != '\n' || unicode.Is(unicode.Bidi_Control, r) {
				t.Fatalf("%q holds %U", out, r)
			}
		}
	})
}

func TestWrap(t *testing.T) {
	for _, c := range []struct {
		text  string
		width int
		want  []string
	}{
		{"", 10, []string{""}},
		{"one two three", 8, []string{"one two", "three"}},
		{"  indented words here", 12, []string{"  indented", "  words here"}},
		{"日本語の文章", 5, []string{"日本", "語の", "文章"}},
		{"a日本", 4, []string{"a日", "本"}},
		{"unbreakable", 4, []string{"unbr", "eaka", "ble"}},
		{"👩‍👩‍👧👩‍👩‍👧", 3, []string{"👩‍👩‍👧", "👩‍👩‍👧"}},
		{" 日", 2, []string{"日"}},
		{"a\n\nb\n", 10, []string{"a", "", "b"}},
		{"e\u0301e\u0301e\u0301", 2, []string{"e\u0301e\u0301", "e\u0301"}},
	} {
		if diff := cmp.Diff(c.want, Wrap(c.text, c.width)); diff != "" {
			t.Errorf("%q in %d (-want +got):\n%s", c.text, c.width, diff)
		}
	}
}

// No line is wider than asked, and nothing but spaces is lost.
func TestWrapKeepsAll(t *testing.T) {
	bare := func(s string) string { return strings.Join(strings.Fields(s), "") }
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOf(rapid.RuneFrom([]rune("ab  \n日本é̂👩‍👧。"))).Draw(t, "text")
		width := rapid.IntRange(2, 30).Draw(t, "width")
		lines := Wrap(text, width)
		for _, line := range lines {
			if Width(line) > width {
				t.Fatalf("%q is %d wide, not %d", line, Width(line), width)
			}
		}
		if got := bare(strings.Join(lines, "\n")); got != bare(text) {
			t.Fatalf("got %q of %q", got, text)
		}
	})
}

func TestShort(t *testing.T) {
	for _, c := range []struct {
		in    string
		width int
		want  string
	}{{"short", 10, "short"}, {"rather long text", 8, "rather…"}, {"日本語", 4, "日…"}, {"a\nb", 9, "a b"}} {
		if got := Short(c.in, c.width); got != c.want {
			t.Errorf("%q: got %q, want %q", c.in, got, c.want)
		}
	}
}

// A server may send any number as its progress.
func TestBar(t *testing.T) {
	for _, live := range []bool{false, true} {
		var out bytes.Buffer
		b := &Bar{out: &out, live: live, width: 60}
		for _, n := range []float64{0, 1, -5, 1e300, math.NaN(), math.Inf(1)} {
			b.Set(n, 3, "step\x1b[2J")
			b.Set(1, n, "")
		}
		b.Clear()
		if text := out.String(); strings.Contains(text, "NaN") || strings.Contains(text, "Inf") || strings.Contains(text, "\x1b[2J") || !strings.Contains(text, "1/3 step") {
			t.Errorf("live %v: %q", live, text)
		}
	}
}

func TestStyle(t *testing.T) {
	t.Setenv("NO_COLOR", "1")
	for when, want := range map[string]string{"always": "\x1b[31mx\x1b[0m", "never": "x", "auto": "x"} {
		if got := NewStyle(when, &bytes.Buffer{}).Red("x"); got != want {
			t.Errorf("%s: got %q, want %q", when, got, want)
		}
	}
}
