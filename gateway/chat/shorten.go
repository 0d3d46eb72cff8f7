package chat

// A run that is too long to be remembered as it was: a model still reads what was asked and answered, each text from its
// beginning, and of calls that are too many or too long that they are left out.

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"unicode/utf8"
)

// leftOut precedes the last that was said in a run whose calls are left out.
const leftOut = "[left out: the calls of this run, which are too many or too long to be read again]\n"

// shorten cuts the texts of an earlier run that has more than most bytes to an equal share of them. What a text leaves of its share
// is for the others. Where too little would be left of each, the calls go first: half of their arguments is no JSON.
func (t *earlierRun) shorten(most int) {
	each := t.share(most)
	if each < minShare {
		t.leaveOutCalls()
		each = t.share(most)
	}
	for _, text := range t.texts() {
		*text = shortened(*text, each)
	}
}

// leaveOutCalls leaves what was asked and the last that was said.
func (t *earlierRun) leaveOutCalls() {
	said := ""
	for _, turn := range t.turns {
		said = cmp.Or(turn.text, said)
	}
	t.turns = []turn{{text: leftOut + said}}
}

// share is the most that each text may have where the run has most.
func (t *earlierRun) share(most int) int {
	texts := t.texts()
	lengths := make([]int, len(texts))
	left := most - t.size()
	for i, text := range texts {
		lengths[i] = len(*text)
		left += len(*text)
	}
	return share(lengths, left)
}

// texts are what can be cut: the question, what the model said, and what it read.
func (t *earlierRun) texts() []*string {
	texts := []*string{&t.asked}
	for i := range t.turns {
		texts = append(texts, &t.turns[i].text)
		for _, c := range t.turns[i].calls {
			texts = append(texts, &c.Read)
		}
	}
	return texts
}

// share is the most that each of some lengths may have where all together have most.
func share(lengths []int, most int) int {
	lengths = slices.Sorted(slices.Values(lengths))
	for i, n := range lengths {
		if each := most / (len(lengths) - i); n > each {
			return each
		}
		most -= n
	}
	return math.MaxInt
}

// shortened is the text in at most that many bytes, and says what it is if it is not the whole of it.
func shortened(text string, most int) string {
	if len(text) <= most {
		return text
	}
	n := max(0, most-len(howMuch(len(text), len(text))))
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n] + howMuch(n, len(text))
}

func howMuch(n, of int) string { return fmt.Sprintf("… [shortened: %d of %d bytes]", n, of) }
