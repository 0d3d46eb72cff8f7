package terminal

import (
	"strings"

	"github.com/rivo/uniseg"
)

// Width is the number of cells that s takes on a terminal: two for a wide rune, none for a combining one.
func Width(s string) int { return uniseg.StringWidth(s) }

// Pad appends spaces until s is width cells wide.
func Pad(s string, width int) string {
	if n := width - Width(s); n > 0 {
		return s + strings.Repeat(" ", n)
	}
	return s
}

// Wrap breaks clean text into lines of at most width cells: between words where it can, between grapheme clusters where
// it must. What continues a line is indented like it.
func Wrap(text string, width int) []string {
	width = max(width, 2)
	var lines []string
	for line := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n") {
		lines = wrapLine(lines, strings.TrimRight(line, " "), width)
	}
	return lines
}

func wrapLine(lines []string, line string, width int) []string {
	body := strings.TrimLeft(line, " ")
	indent := line[:len(line)-len(body)]
	// Two cells stay free, because one cluster may need both.
	if most := min(width/2, width-2); len(indent) > most {
		indent = indent[:most]
	}
	for room := width - len(indent); ; {
		head, tail := split(body, room)
		if tail == "" {
			return append(lines, indent+body)
		}
		if cut := strings.LastIndexByte(head, ' '); cut > 0 && !strings.HasPrefix(tail, " ") {
			head, tail = body[:cut], body[cut:]
		}
		lines = append(lines, indent+strings.TrimRight(head, " "))
		body = strings.TrimLeft(tail, " ")
	}
}

// split cuts s after the last grapheme cluster that ends within width cells. The head is never empty where s is not.
func split(s string, width int) (head, tail string) {
	rest, state, used := s, -1, 0
	for rest != "" {
		_, next, w, nextState := uniseg.FirstGraphemeClusterInString(rest, state)
		if used+w > width && len(rest) < len(s) {
			break
		}
		rest, state, used = next, nextState, used+w
	}
	return s[:len(s)-len(rest)], rest
}
