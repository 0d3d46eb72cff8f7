package openai

import "strings"

// thinking parts text into reasoning and answer, where a server leaves the marks of the model in the text: <think> at its
// start, and </think>.
type thinking struct {
	state   int
	pending string // that may be the beginning of a mark
}

const (
	beforeText = iota
	inReasoning
	inAnswer
)

const (
	openMark  = "<think>"
	closeMark = "</think>"
)

// take takes the next piece.
func (t *thinking) take(piece string) (answer, reasoning string) {
	text := t.pending + piece
	t.pending = ""
	if t.state == beforeText {
		switch trimmed := strings.TrimLeft(text, " \t\r\n"); {
		case strings.HasPrefix(trimmed, openMark):
			t.state, text = inReasoning, trimmed[len(openMark):]
		case strings.HasPrefix(openMark, trimmed): // too short to tell
			t.pending = text
			return "", ""
		default:
			t.state = inAnswer
		}
	}
	if t.state == inReasoning {
		before, after, found := strings.Cut(text, closeMark)
		if !found {
			n := len(text) - partOf(text, closeMark)
			t.pending = text[n:]
			return "", text[:n]
		}
		t.state = inAnswer
		return strings.TrimLeft(after, "\r\n"), before
	}
	return text, ""
}

// rest is what was kept back when the text ended.
func (t *thinking) rest() (answer, reasoning string) {
	text := t.pending
	t.pending = ""
	if t.state == inReasoning {
		return "", text
	}
	return text, ""
}

// partOf is how long the end of text is that begins mark.
func partOf(text, mark string) int {
	for n := min(len(text), len(mark)-1); n > 0; n-- {
		if strings.HasSuffix(text, mark[:n]) {
			return n
		}
	}
	return 0
}
