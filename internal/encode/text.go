package encode

import "math/bits"

const hex = "0123456789abcdef"

// AppendString appends s in quotes. Invalid UTF-8 is written as it is; the check behind refuses it.
func AppendString[T string | []byte](dst []byte, s T) []byte {
	dst = append(dst, '"')
	start := 0
	for i := special(s, 0); i < len(s); i = special(s, i) {
		c := s[i]
		if c == 0xE2 {
			// U+2028 and U+2029 end a line in JavaScript.
			if i+2 >= len(s) || s[i+1] != 0x80 || s[i+2]&^1 != 0xA8 {
				i++
				continue
			}
			dst = append(dst, s[start:i]...)
			dst = append(dst, '\\', 'u', '2', '0', '2', hex[s[i+2]&0xF])
			i += 3
			start = i
			continue
		}
		dst = append(dst, s[start:i]...)
		switch c {
		case '\\', '"':
			dst = append(dst, '\\', c)
		case '\b':
			dst = append(dst, '\\', 'b')
		case '\f':
			dst = append(dst, '\\', 'f')
		case '\n':
			dst = append(dst, '\\', 'n')
		case '\r':
			dst = append(dst, '\\', 'r')
		case '\t':
			dst = append(dst, '\\', 't')
		default:
			dst = append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&0xF])
		}
		i++
		start = i
	}
	dst = append(dst, s[start:]...)
	return append(dst, '"')
}

// special returns where at or after i the next byte stands that AppendString may have to escape: a control character,
// a quote, a backslash or the first byte of U+2028; len(s) when there is none. It looks at eight bytes at a time.
func special[T string | []byte](s T, i int) int {
	const ones, tops = 0x0101010101010101, 0x8080808080808080
	for ; i+8 <= len(s); i += 8 {
		b := s[i : i+8]
		x := uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 |
			uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
		quote, slash, line := x^'"'*ones, x^'\\'*ones, x^0xE2*ones
		// A byte's top bit stays set where that byte is below 0x20, or equal to one of the three. A borrow can set
		// it by mistake only above a byte that is truly there.
		if hits := ((x-0x20*ones)&^x | (quote-ones)&^quote | (slash-ones)&^slash | (line-ones)&^line) & tops; hits != 0 {
			return i + bits.TrailingZeros64(hits)/8
		}
	}
	for ; i < len(s); i++ {
		if c := s[i]; c < 0x20 || c == '"' || c == '\\' || c == 0xE2 {
			break
		}
	}
	return i
}
