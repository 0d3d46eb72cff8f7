package jsontext

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"unicode/utf8"
)

const (
	ones = 0x0101010101010101
	tops = 0x8080808080808080
)

// stops sets the top bit of the bytes of w, eight of a string, that are a quote, a backslash or a control character. The
// lowest bit set is right; one above it may be wrong, where a borrow came from below.
func stops(w uint64) uint64 {
	quote, slash := w^ones*'"', w^ones*'\\'
	return ((quote-ones)&^quote | (slash-ones)&^slash | (w-ones*' ')&^w) & tops
}

// stopsStrict is stops for bytes that are not ASCII too.
func stopsStrict(w uint64) uint64 {
	quote, slash := w^ones*'"', w^ones*'\\'
	return ((quote-ones)&^quote | (slash-ones)&^slash | (w-ones*' ')&^w | w) & tops
}

// SkipString returns the index after the string whose opening quote is b[i], or -1. It does not look at UTF-8.
func SkipString(b []byte, i int) int {
	if i >= len(b) || b[i] != '"' {
		return -1
	}
	i++
	for {
		for i+8 <= len(b) {
			m := stops(binary.LittleEndian.Uint64(b[i:]))
			if m != 0 {
				i += bits.TrailingZeros64(m) >> 3
				break
			}
			i += 8
		}
		if i >= len(b) {
			return -1
		}
		switch c := b[i]; {
		case c == '"':
			return i + 1
		case c == '\\':
			if i = skipEscape(b, i); i < 0 {
				return -1
			}
		case c < ' ':
			return -1
		default:
			i++
		}
	}
}

// skipEscape returns the index after the escape at i, half a surrogate pair being one too, or -1.
func skipEscape(b []byte, i int) int {
	if i+1 >= len(b) {
		return -1
	}
	switch b[i+1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return i + 2
	case 'u':
		if Hex(b, i+2) >= 0 {
			return i + 6
		}
	}
	return -1
}

// ScanString is [SkipString] that is strict: bytes that are not UTF-8 and half a surrogate pair are faults. plain reports
// that the bytes between the quotes are what the string means, one ASCII character each. The caller has seen the quote.
func ScanString(b []byte, i int) (end int, plain bool) {
	plain = true
	i++
	for {
		for i+8 <= len(b) {
			m := stopsStrict(binary.LittleEndian.Uint64(b[i:]))
			if m != 0 {
				i += bits.TrailingZeros64(m) >> 3
				break
			}
			i += 8
		}
		if i >= len(b) {
			return -1, false
		}
		switch c := b[i]; {
		case c == '"':
			return i + 1, plain
		case c == '\\':
			plain = false
			n := EscapeLen(b, i)
			if n == 0 {
				return -1, false
			}
			i += n
		case c < ' ':
			return -1, false
		case c < utf8.RuneSelf:
			i++
		default:
			plain = false
			r, n := utf8.DecodeRune(b[i:])
			if r == utf8.RuneError && n == 1 {
				return -1, false
			}
			i += n
		}
	}
}

// EscapeLen returns the length of the escape at i, a surrogate pair being one, or 0 where it is none or half a pair.
func EscapeLen(b []byte, i int) int {
	if i+1 >= len(b) {
		return 0
	}
	switch b[i+1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return 2
	case 'u':
		u := Hex(b, i+2)
		switch {
		case u < 0, u >= 0xdc00 && u < 0xe000:
			return 0
		case u < 0xd800 || u >= 0xe000:
			return 6
		}
		if i+7 < len(b) && b[i+6] == '\\' && b[i+7] == 'u' {
			if low := Hex(b, i+8); low >= 0xdc00 && low < 0xe000 {
				return 12
			}
		}
	}
	return 0
}

// Hex returns the number that the four hexadecimal digits at i are, or -1.
func Hex[T string | []byte](s T, i int) rune {
	if i+4 > len(s) {
		return -1
	}
	var u rune
	for end := i + 4; i < end; i++ {
		c := s[i]
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

// Unquote returns what a valid string means, given with its quotes. Bytes that are not UTF-8 stay as they are.
func Unquote(quoted []byte) string { return string(unquote(quoted)) }

// unquote may return a part of quoted.
func unquote(quoted []byte) []byte {
	if len(quoted) < 2 {
		return nil
	}
	inside := quoted[1 : len(quoted)-1]
	if bytes.IndexByte(inside, '\\') < 0 {
		return inside
	}
	return AppendUnescaped(make([]byte, 0, len(inside)), inside)
}

// AppendUnescaped appends what the inside of a valid string means. Half a surrogate pair becomes U+FFFD.
func AppendUnescaped(dst, inside []byte) []byte {
	for i := 0; i < len(inside); {
		if c := inside[i]; c != '\\' || i+1 >= len(inside) {
			dst = append(dst, c)
			i++
			continue
		}
		n := 2
		switch c := inside[i+1]; c {
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
			n = min(6, len(inside)-i)
			r := Hex(inside, i+2)
			if EscapeLen(inside, i) == 12 {
				n = 12
				r = (r-0xd800)<<10 | (Hex(inside, i+8) - 0xdc00) + 0x10000
			}
			dst = utf8.AppendRune(dst, r)
		default:
			dst = append(dst, c)
		}
		i += n
	}
	return dst
}

// CountRunes returns the number of code points that the inside of a valid string means.
func CountRunes(inside []byte) int {
	n := 0
	for i := 0; i < len(inside); n++ {
		switch c := inside[i]; {
		case c == '\\':
			i += max(1, EscapeLen(inside, i))
		case c < utf8.RuneSelf:
			i++
		default:
			_, size := utf8.DecodeRune(inside[i:])
			i += size
		}
	}
	return n
}
