package jsontext

import "math/bits"

const hex = "0123456789abcdef"

// AppendString appends s as a JSON string, as encoding/json does without its escapes for HTML. Bytes that are not UTF-8
// stay as they are; [ScanString] refuses them.
func AppendString[T string | []byte](dst []byte, s T) []byte {
	return append(AppendEscaped(append(dst, '"'), s), '"')
}

// AppendEscaped appends s as the inside of a JSON string. A text may be given in pieces.
func AppendEscaped[T string | []byte](dst []byte, s T) []byte {
	start := 0
	for i := special(s, 0); i < len(s); i = special(s, i) {
		// Where one byte needs an escape, as a quote in JSON text, the next ones often do: they are written one by one.
		dst = append(dst, s[start:i]...)
		var block [6 * 8]byte
		n := 0
		for end := min(i+8, len(s)); i < end; i++ {
			c := s[i]
			switch e := escapes[c]; {
			case e == 0:
				block[n] = c
				n++
			case e == lineEnd && !endsLine(s, i):
				block[n] = c
				n++
			case e == lineEnd:
				n += copy(block[n:], `\u202`)
				block[n] = hex[s[i+2]&0xF]
				n++
				i += 2
			case e == long:
				block[n+1], block[n+2], block[n+3] = 'u', '0', '0'
				block[n], block[n+4], block[n+5] = '\\', hex[c>>4], hex[c&0xF]
				n += 6
			default:
				block[n], block[n+1] = '\\', e
				n += 2
			}
		}
		dst = append(dst, block[:n]...)
		start = i
	}
	return append(dst, s[start:]...)
}

const (
	long    = 'u' // \u and four digits
	lineEnd = 'x' // the first byte of U+2028 and of many others
)

// escapes has the byte after the backslash for each byte that needs an escape, and 0 for the others.
var escapes = func() (t [256]byte) {
	for c := range 0x20 {
		t[c] = long
	}
	t['"'], t['\\'], t['\b'], t['\f'], t['\n'], t['\r'], t['\t'], t[0xE2] = '"', '\\', 'b', 'f', 'n', 'r', 't', lineEnd
	return t
}()

// StringLen is how many bytes AppendString appends for s.
func StringLen[T string | []byte](s T) int {
	n := len(s) + 2
	for i := special(s, 0); i < len(s); i = special(s, i+1) {
		switch escapes[s[i]] {
		case lineEnd:
			if endsLine(s, i) {
				n += 3
			}
		case long:
			n += 5
		default:
			n++
		}
	}
	return n
}

// endsLine reports whether U+2028 or U+2029, which end a line in JavaScript, is at i, where the byte is 0xE2.
func endsLine[T string | []byte](s T, i int) bool {
	return i+2 < len(s) && s[i+1] == 0x80 && s[i+2]&^1 == 0xA8
}

// IsPlain reports whether s is its own JSON string, one byte for each character, once it is in quotes.
func IsPlain[T string | []byte](s T) bool {
	if len(s) < 8 {
		for i := range len(s) {
			if c := s[i]; c < ' ' || c == '"' || c == '\\' || c >= 0x80 {
				return false
			}
		}
		return true
	}
	for i := 0; i < len(s); i += 8 { // the last eight bytes perhaps once more
		if w := load(s, min(i, len(s)-8)); stops(w)|w&tops != 0 {
			return false
		}
	}
	return true
}

// special returns the index of the first byte at or after i that AppendEscaped may have to escape: a control character,
// a quote, a backslash or the first byte of U+2028; len(s) where there is none.
func special[T string | []byte](s T, i int) int {
	for ; i+8 <= len(s); i += 8 {
		w := load(s, i)
		line := w ^ ones*0xE2
		if m := stops(w) | (line-ones)&^line&tops; m != 0 {
			return i + bits.TrailingZeros64(m)>>3
		}
	}
	for ; i < len(s); i++ {
		if c := s[i]; c < ' ' || c == '"' || c == '\\' || c == 0xE2 {
			break
		}
	}
	return i
}

// load reads the eight bytes at i, the first of them lowest.
func load[T string | []byte](s T, i int) uint64 {
	b := s[i : i+8]
	return uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 |
		uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
}
