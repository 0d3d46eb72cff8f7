// Package jsontext is the one place of this project that skips, escapes and finds members in JSON text (RFC 8259). It
// decodes nothing: digits, the order of members and repeated members stay as they were written.
//
// A place in a text is an index. Functions that move over something return the index after it, or -1 where the text is
// not JSON there. Every function accepts every input: no text makes one panic, and nesting is bounded by the caller.
//
// Of text outside of strings everything is checked. Of strings, the Skip functions check the escapes and that control
// characters are escaped, which is what encoding/json checks; [ScanString] also checks UTF-8 and surrogate pairs.
package jsontext

// MaxDepth is how many arrays and objects may be nested in a text of a peer. It is the bound of the decoder of the
// official SDK; the decoder of the standard library accepts 10,000.
const MaxDepth = 1000

// SkipSpace returns the index of the first byte at or after i that is not white space.
func SkipSpace(s []byte, i int) int {
	for i < len(s) && s[i] <= ' ' && (s[i] == ' ' || s[i] == '\n' || s[i] == '\r' || s[i] == '\t') {
		i++
	}
	return i
}

// SkipNumber returns the index after the number at i, or -1.
func SkipNumber[T string | []byte](s T, i int) int {
	if i < len(s) && s[i] == '-' {
		i++
	}
	if i < len(s) && s[i] == '0' {
		i++
	} else if i = skipDigits(s, i); i < 0 {
		return -1
	}
	if i < len(s) && s[i] == '.' {
		if i = skipDigits(s, i+1); i < 0 {
			return -1
		}
	}
	if i < len(s) && s[i]|0x20 == 'e' {
		if i++; i < len(s) && (s[i] == '+' || s[i] == '-') {
			i++
		}
		return skipDigits(s, i)
	}
	return i
}

// skipDigits returns the index after one or more digits, or -1.
func skipDigits[T string | []byte](s T, i int) int {
	start := i
	for i < len(s) && s[i]-'0' <= 9 {
		i++
	}
	if i == start {
		return -1
	}
	return i
}

// Skip returns the index after the value at i, before which there is no white space, or -1 where there is no value or it
// nests deeper than depth.
func Skip(b []byte, i, depth int) int {
	if i >= len(b) {
		return -1
	}
	switch b[i] {
	case '{':
		return Members(b, i, depth, nil)
	case '[':
		return Items(b, i, depth, nil)
	case '"':
		return SkipString(b, i)
	case 't':
		return skipWord(b, i, "true")
	case 'f':
		return skipWord(b, i, "false")
	case 'n':
		return skipWord(b, i, "null")
	}
	return SkipNumber(b, i)
}

func skipWord(b []byte, i int, word string) int {
	if end := i + len(word); end <= len(b) && string(b[i:end]) == word {
		return end
	}
	return -1
}

// Valid reports whether b is one value, with or without white space around it, that nests no deeper than depth.
func Valid(b []byte, depth int) bool {
	_, ok := Only(b, depth)
	return ok
}

// Only returns the place of the one value that b consists of beside white space.
func Only(b []byte, depth int) (Span, bool) {
	start := SkipSpace(b, 0)
	end := Skip(b, start, depth)
	return Span{start, end}, end >= 0 && SkipSpace(b, end) == len(b)
}

// AppendCompact appends src without white space between its tokens, if it is one value that nests no deeper than depth.
// Nothing that is less or more is appended, so that raw JSON cannot reach out of its place in a document.
func AppendCompact(dst, src []byte, depth int) ([]byte, bool) {
	at, ok := Only(src, depth)
	if !ok {
		return dst, false
	}
	start := at.Start
	for i := start; i < at.End; {
		c := src[i]
		switch {
		case c > '"', c == '!':
			i++
		case c == '"':
			i = SkipString(src, i)
		default:
			dst = append(dst, src[start:i]...)
			i = SkipSpace(src, i)
			start = i
		}
	}
	return append(dst, src[start:at.End]...), true
}
