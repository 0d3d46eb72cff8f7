package validate

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf8"
)

// This file reads the smallest parts of JSON text (RFC 8259), strictly: white space, strings, and what strings mean.

// maxDepth is how deep arrays and objects may nest.
const maxDepth = 1000

func skipSpace(doc []byte, i int) int {
	for i < len(doc) {
		switch doc[i] {
		case ' ', '\n', '\r', '\t':
			i++
		default:
			return i
		}
	}
	return i
}

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// stops marks the bytes of w that end a plain run inside a string: quote, backslash, control and non-ASCII.
// The lowest mark is exact; those above it may be false.
func stops(w uint64) uint64 {
	quote := w ^ ones*'"'
	slash := w ^ ones*'\\'
	return ((quote-ones)&^quote | (slash-ones)&^slash | (w-ones*0x20)&^w | w) & highs
}

// scanString reads the string whose quote is at i and returns the index behind the closing quote, or -1.
// plain reports that the bytes between the quotes are the string itself, one ASCII character each.
func scanString(doc []byte, i int) (end int, plain bool) {
	plain = true
	i++
	for {
		for i+8 <= len(doc) {
			m := stops(binary.LittleEndian.Uint64(doc[i:]))
			if m != 0 {
				i += bits.TrailingZeros64(m) >> 3
				break
			}
			i += 8
		}
		if i >= len(doc) {
			return -1, false
		}
		switch c := doc[i]; {
		case c == '"':
			return i + 1, plain
		case c == '\\':
			plain = false
			n := escapeLen(doc, i)
			if n == 0 {
				return -1, false
			}
			i += n
		case c < 0x20:
			return -1, false
		case c < utf8.RuneSelf:
			i++
		default:
			plain = false
			r, n := utf8.DecodeRune(doc[i:])
			if r == utf8.RuneError && n == 1 {
				return -1, false
			}
			i += n
		}
	}
}

// escapeLen returns the length of the escape at i, a surrogate pair counting as one, or 0 where it is not one.
func escapeLen(doc []byte, i int) int {
	if i+1 >= len(doc) {
		return 0
	}
	switch doc[i+1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return 2
	case 'u':
		u := hex4(doc, i+2)
		switch {
		case u < 0, u >= 0xdc00 && u < 0xe000:
			return 0
		case u < 0xd800 || u >= 0xe000:
			return 6
		}
		if i+7 < len(doc) && doc[i+6] == '\\' && doc[i+7] == 'u' {
			if low := hex4(doc, i+8); low >= 0xdc00 && low < 0xe000 {
				return 12
			}
		}
	}
	return 0
}

// hex4 reads four hexadecimal digits at i, or returns -1.
func hex4(doc []byte, i int) rune {
	if i+4 > len(doc) {
		return -1
	}
	var u rune
	for _, c := range doc[i : i+4] {
		switch {
		case c-'0' <= 9:
			c -= '0'
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			c = c | 0x20 - 'a' + 10
		default:
			return -1
		}
		u = u<<4 | rune(c)
	}
	return u
}

// appendString appends what the inside of a string means. Half a surrogate pair becomes U+FFFD.
func appendString(dst, inside []byte) []byte {
	for i := 0; i < len(inside); {
		c := inside[i]
		if c != '\\' || i+1 >= len(inside) {
			dst = append(dst, c)
			i++
			continue
		}
		n := 2
		switch e := inside[i+1]; e {
		case 'b':
			dst = append(dst, '\b')
		case 'f':
			dst = append(dst, '\f')
		case 'n':
			dst = append(dst, '\n')
		case 'r':
			dst = append(dst, '\r')
		case 't':
			dst = append(dst, '\t')
		case 'u':
			n = 6
			r := hex4(inside, i+2)
			if escapeLen(inside, i) == 12 {
				n = 12
				r = (r-0xd800)<<10 | (hex4(inside, i+8) - 0xdc00) + 0x10000
			}
			dst = utf8.AppendRune(dst, r)
		default:
			dst = append(dst, e)
		}
		i += n
	}
	return dst
}

// countRunes returns the number of code points that the inside of a valid string means.
func countRunes(inside []byte) int {
	n := 0
	for i := 0; i < len(inside); n++ {
		switch c := inside[i]; {
		case c == '\\':
			i += escapeLen(inside, i)
		case c < utf8.RuneSelf:
			i++
		default:
			_, size := utf8.DecodeRune(inside[i:])
			i += size
		}
	}
	return n
}

// appendQuoted appends s as a JSON string, escaping no more than RFC 8259 demands.
func appendQuoted(dst []byte, s string) []byte {
	const hex = "0123456789abcdef"
	dst = append(dst, '"')
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			dst = append(dst, '\\', c)
		case c < 0x20:
			dst = append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		default:
			dst = append(dst, c)
		}
	}
	return append(dst, '"')
}
