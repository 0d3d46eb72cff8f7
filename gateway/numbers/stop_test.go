package numbers

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// A brief context ends after it was looked at a number of times.
type brief struct {
	context.Context
	looks, most int
}

func (b *brief) Err() error {
	if b.looks++; b.looks > b.most {
		return context.Canceled
	}
	return nil
}

// A check that is stopped says nothing, wherever it is, and does little more; it looks often enough to be stopped there.
func TestStoppedCheck(t *testing.T) {
	figures := strings.Repeat("12.5 and ", 1000)
	for _, test := range []struct {
		name  string
		prose string
		data  []string
		looks int // at least
	}{
		{"values", "It is 42.", slices.Repeat([]string{"12345"}, 2000), 2000},
		{"sums", "It is 12344.", slices.Repeat([]string{"12345"}, 2000), 2000},
		{"texts", "It is 42.", []string{figures}, 1000},
		{"prose", figures, nil, 1000},
		{"combinations", "It is 31.4159%.", slices.Collect(func(yield func(string) bool) {
			for i := range 100 {
				yield(strings.Repeat("7", i+1))
			}
		}), 300},
	} {
		free := &brief{Context: t.Context(), most: 1 << 30}
		if got := Check(free, test.prose, test.data); len(got) == 0 || free.looks < test.looks {
			t.Errorf("%s: %d figures, %d looks; want %d at least", test.name, len(got), free.looks, test.looks)
		}
		for _, most := range []int{0, 1, free.looks / 4, free.looks / 2, free.looks - 2, free.looks - 1} {
			stopped := &brief{Context: t.Context(), most: most}
			if got := Check(stopped, test.prose, test.data); got != nil || stopped.looks > most+20 {
				t.Errorf("%s, stopped at look %d of %d: %d figures, %d looks", test.name, most, free.looks, len(got), stopped.looks)
			}
		}
	}
}

// A text that is read in pieces has the figures that it has as a whole.
func TestPieces(t *testing.T) {
	words := []string{"12", "1.5", "345", "-", "−", "1.", " ", " ", "\n", "\n", `"`, `"`, "# ", "> ", "https://a.example/", "2024-05-01", "May 3", "3 de", " maio",
		"%", " million", "e7", "º", "st", "COVID", "A", "[", "]", ",", ", ", ", ", "/", ":", "\u202f", "é", "times", "*"}
	outline := func(text string, tokens []token) (out []string) {
		for _, k := range tokens {
			out = append(out, text[k.start:k.end])
			for _, p := range k.apart {
				out = append(out, "apart "+text[p.start:p.end])
			}
			for _, r := range k.readings {
				out = append(out, r.value.RatString())
			}
		}
		return out
	}
	for _, text := range []string{"12\"1. a", "12\n1. a", "12 345\"12 345", "12, 345, 678", "5, 1. x, -3, mil", "https://a.example/7, 8", "x\"-5\n-5"} {
		if diff := cmp.Diff(outline(text, scanBy(t.Context(), text, len(text))), outline(text, scanBy(t.Context(), text, 1))); diff != "" {
			t.Errorf("%q (-whole +pieces):\n%s", text, diff)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(words), 0, 40).Draw(t, "words"), "")
		size := rapid.IntRange(1, 20).Draw(t, "size")
		if diff := cmp.Diff(outline(text, scanBy(t.Context(), text, len(text)+1)), outline(text, scanBy(t.Context(), text, size))); diff != "" {
			t.Fatalf("%q in pieces of %d (-whole +pieces):\n%s", text, size, diff)
		}
	})
}

// An address ends where its string does, as in JSON without spaces.
func TestAddressEnds(t *testing.T) {
	const text = `{"page":"https://a.example/7?x=8","n":123}`
	if diff := cmp.Diff([]string{"123: present 123", "8: nowhere"}, told("It is 123, not 8.", Check(t.Context(), "It is 123, not 8.", []string{text}))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
