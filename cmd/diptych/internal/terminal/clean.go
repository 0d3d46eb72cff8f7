// Package terminal prepares foreign text for a person's terminal: control sequences made harmless, wide
// runes measured, colours and bars only where a terminal is.
package terminal

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Clean makes text from elsewhere safe to print: controls, bidirectional overrides and invisible tags show as what they
// are instead of acting. Line feeds stay; a tab becomes spaces.
func Clean(s string) string {
	if !strings.ContainsFunc(s, unsafe) && utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	s = strings.ReplaceAll(s, "\r\n", "\n")
	for _, r := range s {
		switch {
		case r == '\t':
			b.WriteString("    ")
		case r < 0x20 && r != '\n':
			b.WriteRune(0x2400 + r) // the control pictures: ␛ for escape
		case r == 0x7f:
			b.WriteRune(0x2421)
		case unsafe(r) && r > 0xffff:
			fmt.Fprintf(&b, `\U%08x`, r)
		case unsafe(r):
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// Line is Clean on one line: what breaks a line is a space.
func Line(s string) string { return strings.Join(strings.Fields(Clean(s)), " ") }

func unsafe(r rune) bool {
	switch {
	case r == '\n':
		return false
	case unicode.IsControl(r), unicode.Is(unicode.Bidi_Control, r):
		return true
	case r == 0x2028, r == 0x2029, r == 0x200b, r == 0xfeff, r == 0x00ad, r >= 0xfff9 && r <= 0xfffb:
		return true
	}
	return r >= 0xe0000 && r <= 0xe007f
}

// Short is the first line of text, cut to at most width cells.
func Short(s string, width int) string {
	line := Line(s)
	if Width(line) <= width {
		return line
	}
	head, _ := split(line, width-1)
	return strings.TrimRight(head, " ") + "…"
}
