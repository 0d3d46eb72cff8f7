package data

// What a result breaks: the places and rules of its breaches, bounded, as one error.

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A breach is one broken rule. Its place is a path such as charts[1].data.labels; its rule says fault and remedy, and never
// repeats a value.
type breach struct{ place, rule string }

func (f breach) String() string { return strings.TrimPrefix(f.place+": "+f.rule, ": ") }

// told is the breach as the model reads it, which can do nothing with the author's remedy. The remedy follows
// the last semicolon: the fault may name a type, such as struct { A int; B int }.
func (f breach) told() string {
	if i := strings.LastIndex(f.rule, "; "); i >= 0 {
		f.rule = f.rule[:i]
	}
	return f.String()
}

// breaches is the error for a result that breaks rules, one line for each of the first ten.
type breaches struct {
	first []breach
	more  int
}

// add keeps a breach. The first word on a place is the one that counts.
func (b *breaches) add(place, rule string) {
	for _, have := range b.first {
		if have.place == place {
			return
		}
	}
	if len(b.first) == maxBreaches {
		b.more++
		return
	}
	b.first = append(b.first, breach{place, rule})
}

func (b *breaches) Error() string { return strings.Join(b.lines(breach.String), "\n") }

// lines spells out the breaches.
func (b *breaches) lines(spell func(breach) string) []string {
	lines := make([]string, 0, len(b.first)+1)
	for _, f := range b.first {
		lines = append(lines, spell(f))
	}
	if b.more > 0 {
		lines = append(lines, fmt.Sprintf("and %d more", b.more))
	}
	return lines
}

// appendUTF8 finds text that is not UTF-8 before the encoder replaces it.
func appendUTF8(faults []breach, at place, texts ...string) []breach {
	for _, s := range texts {
		if !utf8.ValidString(s) {
			return append(faults, breach{at.String(), notUTF8})
		}
	}
	return faults
}

const notUTF8 = "not valid UTF-8"

// err returns nil when nothing was broken.
func (b *breaches) err() error {
	if len(b.first) == 0 {
		return nil
	}
	return b
}

// A place is where a check is in the document: member names and list indices from the root.
type place []any

func (p place) String() string {
	var s strings.Builder
	for _, step := range p {
		switch step := step.(type) {
		case int:
			s.WriteString("[" + strconv.Itoa(step) + "]")
		case string:
			if !plainName(step) {
				s.WriteString("[" + strconv.QuoteToASCII(cut(step, 40)) + "]")
				continue
			}
			if s.Len() > 0 {
				s.WriteByte('.')
			}
			s.WriteString(step)
		}
	}
	return s.String()
}

// plainName reports whether a member name can be written in a path as it is.
func plainName(s string) bool {
	for _, r := range s {
		if r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return false
		}
	}
	return s != "" && len(s) <= 60
}

// cut shortens s to n characters.
func cut(s string, n int) string {
	for i := range s {
		if n == 0 {
			return s[:i] + "…"
		}
		n--
	}
	return s
}
