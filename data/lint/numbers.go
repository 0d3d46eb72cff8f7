package lint

// Numbers as people write them: every way in which a run of digits and marks can be read.

import (
	"math/big"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A number is a figure found in a text, as it is written, and what it can mean: 1.234 is one and a bit or one thousand.
type number struct {
	text     string
	readings []string // canonical; signs are dropped
}

// numbers finds the figures of a text. Digits that are part of a word, as in CO2, are none.
func numbers(text string) []number {
	var found []number
	for i := 0; i < len(text); {
		if !digit(text[i]) {
			r, size := utf8.DecodeRuneInString(text[i:])
			i += size
			if unicode.IsLetter(r) || r == '_' { // a word, with its digits
				for i < len(text) {
					r, size := utf8.DecodeRuneInString(text[i:])
					if !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' {
						break
					}
					i += size
				}
			}
			continue
		}
		end := run(text, i)
		found = append(found, read(text[i:end])...)
		i = end
	}
	return found
}

func digit(c byte) bool { return '0' <= c && c <= '9' }

// run returns the end of the digits at i, with the marks between them and an exponent.
func run(text string, i int) int {
	for i < len(text) {
		if digit(text[i]) {
			i++
			continue
		}
		if size := mark(text[i:]); size > 0 && i+size < len(text) && digit(text[i+size]) {
			i += size
			continue
		}
		if rest := text[i:]; rest[0] == 'e' || rest[0] == 'E' {
			n := 1
			if n < len(rest) && (rest[n] == '+' || rest[n] == '-') {
				n++
			}
			from := n
			for n < len(rest) && digit(rest[n]) {
				n++
			}
			if n > from {
				return i + n
			}
		}
		break
	}
	return i
}

// mark returns the size of a grouping or decimal mark at the head of s.
func mark(s string) int {
	switch r, size := utf8.DecodeRuneInString(s); r {
	case '.', ',', '\'', '’', '\u00a0', '\u2009', '\u202f':
		return size
	}
	return 0
}

// read splits a run into the figures that it can be.
func read(s string) []number {
	var groups []string
	var marks []rune
	start := 0
	for i, r := range s {
		if mark(string(r)) > 0 {
			groups = append(groups, s[start:i])
			marks = append(marks, r)
			start = i + utf8.RuneLen(r)
		}
	}
	groups = append(groups, s[start:])
	last := len(marks) - 1
	if last < 0 {
		return []number{{s, []string{canonical(s)}}}
	}
	n := number{text: s}
	if alike(marks) && grouped(groups) {
		n.readings = append(n.readings, canonical(strings.Join(groups, "")))
	}
	if decimal := marks[last] == '.' || marks[last] == ','; decimal &&
		(last == 0 || marks[last-1] != marks[last] && alike(marks[:last]) && grouped(groups[:last+1])) {
		n.readings = append(n.readings, canonical(strings.Join(groups[:last+1], "")+"."+groups[last+1]))
	}
	if n.readings != nil {
		return []number{n}
	}
	// A date, a version, a list without spaces: figures of their own.
	var each []number
	for _, g := range groups {
		each = append(each, number{g, []string{canonical(g)}})
	}
	return each
}

func alike(marks []rune) bool {
	for _, m := range marks {
		if m != marks[0] {
			return false
		}
	}
	return true
}

// grouped reports whether whole digits are grouped as people do: by threes, or as in India by twos before the last three.
func grouped(groups []string) bool {
	for i, g := range groups {
		switch {
		case i == 0 && (len(g) < 1 || len(g) > 3):
			return false
		case i == len(groups)-1 && i > 0 && len(g) != 3:
			return false
		case i > 0 && len(g) != 3 && len(g) != 2:
			return false
		}
	}
	return true
}

// canonical writes a figure so that equal ones are equal text. One that is too long to compute with stays as it is.
func canonical(s string) string {
	if len(s) > maxDigits {
		return s
	}
	if i := strings.IndexAny(s, "eE"); i >= 0 && len(strings.TrimLeft(s[i+1:], "+-0")) > maxExponentDigits {
		return s
	}
	r, ok := new(big.Rat).SetString(s)
	if !ok {
		return s
	}
	return r.Abs(r).RatString()
}
