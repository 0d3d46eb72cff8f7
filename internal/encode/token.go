package encode

// skipSpace returns where the space at i ends.
func skipSpace(src []byte, i int) int {
	for i < len(src) && (src[i] == ' ' || src[i] == '\n' || src[i] == '\t' || src[i] == '\r') {
		i++
	}
	return i
}

// endOfString returns where the string that begins with the quote at i ends, or -1 when it is no valid JSON string.
// Its UTF-8 is not looked at.
func endOfString(src []byte, i int) int {
	for i = special(src, i+1); i < len(src); i = special(src, i) {
		switch c := src[i]; {
		case c == '"':
			return i + 1
		case c == '\\':
			if i = endOfEscape(src, i+1); i < 0 {
				return -1
			}
		case c < 0x20:
			return -1
		default:
			i++
		}
	}
	return -1
}

// endOfEscape returns where the escape ends whose backslash stands before i, or -1.
func endOfEscape(src []byte, i int) int {
	if i == len(src) {
		return -1
	}
	switch src[i] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return i + 1
	case 'u':
		if i+5 > len(src) {
			return -1
		}
		for _, c := range src[i+1 : i+5] {
			if !('0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'f') {
				return -1
			}
		}
		return i + 5
	}
	return -1
}

// endOfNumber returns where the number that begins at i ends, or -1 when there is none.
func endOfNumber[T string | []byte](s T, i int) int {
	if i < len(s) && s[i] == '-' {
		i++
	}
	switch {
	case i == len(s):
		return -1
	case s[i] == '0':
		i++
	case '1' <= s[i] && s[i] <= '9':
		i = skipDigits(s, i)
	default:
		return -1
	}
	if i < len(s) && s[i] == '.' {
		start := i + 1
		if i = skipDigits(s, start); i == start {
			return -1
		}
	}
	if i < len(s) && s[i]|0x20 == 'e' {
		start := i + 1
		if start < len(s) && (s[start] == '+' || s[start] == '-') {
			start++
		}
		if i = skipDigits(s, start); i == start {
			return -1
		}
	}
	return i
}

func skipDigits[T string | []byte](s T, i int) int {
	for i < len(s) && '0' <= s[i] && s[i] <= '9' {
		i++
	}
	return i
}

// endOf returns where the value that begins at i ends in compact and valid JSON.
func endOf(doc []byte, i int) int {
	depth := 0
	for {
		switch doc[i] {
		case '{', '[':
			depth++
			i++
		case '}', ']':
			depth--
			i++
		case '"':
			i = endOfString(doc, i)
		case ',', ':':
			i++
		default:
			for i < len(doc) && doc[i] != ',' && doc[i] != ']' && doc[i] != '}' {
				i++
			}
		}
		if depth == 0 {
			return i
		}
	}
}
