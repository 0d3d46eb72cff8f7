package exact

import "encoding/json"

// This file finds the members of JSON objects without decoding them.

// maxDepth is the nesting that the SDK's decoder accepts; deeper messages are left for it to refuse.
const maxDepth = 1000

// A span is a part of a message, from the first byte of a JSON value up to the byte after its last.
type span struct{ start, end int }

// members calls f for each member of the object that starts at b[at] and returns the byte after it, or -1 where the
// object is not valid JSON.
func members(b []byte, at, depth int, f func(name string, value span)) int {
	if at = space(b, at); at >= len(b) || b[at] != '{' || depth == maxDepth {
		return -1
	}
	if at = space(b, at+1); at < len(b) && b[at] == '}' {
		return at + 1
	}
	for {
		key := at
		if at = text(b, at); at < 0 {
			return -1
		}
		name := b[key:at]
		if at = space(b, at); at >= len(b) || b[at] != ':' {
			return -1
		}
		start := space(b, at+1)
		if at = value(b, start, depth+1); at < 0 {
			return -1
		}
		if f != nil {
			f(unquote(name), span{start, at})
		}
		if at = space(b, at); at >= len(b) {
			return -1
		}
		switch b[at] {
		case ',':
			at = space(b, at+1)
		case '}':
			return at + 1
		default:
			return -1
		}
	}
}

// items is members for an array.
func items(b []byte, at, depth int, f func(item span)) int {
	if at = space(b, at); at >= len(b) || b[at] != '[' || depth == maxDepth {
		return -1
	}
	if at = space(b, at+1); at < len(b) && b[at] == ']' {
		return at + 1
	}
	for {
		start := at
		if at = value(b, at, depth+1); at < 0 {
			return -1
		}
		if f != nil {
			f(span{start, at})
		}
		if at = space(b, at); at >= len(b) {
			return -1
		}
		switch b[at] {
		case ',':
			at = space(b, at+1)
		case ']':
			return at + 1
		default:
			return -1
		}
	}
}

// value returns the byte after the value that starts at b[at], or -1.
func value(b []byte, at, depth int) int {
	if at >= len(b) {
		return -1
	}
	switch b[at] {
	case '{':
		return members(b, at, depth, nil)
	case '[':
		return items(b, at, depth, nil)
	case '"':
		return text(b, at)
	case 't':
		return literal(b, at, "true")
	case 'f':
		return literal(b, at, "false")
	case 'n':
		return literal(b, at, "null")
	}
	return number(b, at)
}

// text returns the byte after the string that starts at b[at].
func text(b []byte, at int) int {
	if at >= len(b) || b[at] != '"' {
		return -1
	}
	for at++; at < len(b); at++ {
		switch c := b[at]; {
		case c == '"':
			return at + 1
		case c < ' ':
			return -1
		case c == '\\':
			if at++; at >= len(b) {
				return -1
			}
			switch b[at] {
			case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
			case 'u':
				for range 4 {
					if at++; at >= len(b) || !hex(b[at]) {
						return -1
					}
				}
			default:
				return -1
			}
		}
	}
	return -1
}

func hex(c byte) bool {
	return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'f'
}

func literal(b []byte, at int, word string) int {
	if end := at + len(word); end <= len(b) && string(b[at:end]) == word {
		return end
	}
	return -1
}

// number returns the byte after the number that starts at b[at].
func number(b []byte, at int) int {
	if at < len(b) && b[at] == '-' {
		at++
	}
	if at < len(b) && b[at] == '0' {
		at++
	} else if at = digits(b, at); at < 0 {
		return -1
	}
	if at < len(b) && b[at] == '.' {
		if at = digits(b, at+1); at < 0 {
			return -1
		}
	}
	if at < len(b) && b[at]|0x20 == 'e' {
		if at++; at < len(b) && (b[at] == '+' || b[at] == '-') {
			at++
		}
		at = digits(b, at)
	}
	return at
}

func digits(b []byte, at int) int {
	start := at
	for at < len(b) && b[at] >= '0' && b[at] <= '9' {
		at++
	}
	if at == start {
		return -1
	}
	return at
}

func space(b []byte, at int) int {
	for at < len(b) && (b[at] == ' ' || b[at] == '\n' || b[at] == '\r' || b[at] == '\t') {
		at++
	}
	return at
}

// unquote returns what a valid JSON string says.
func unquote(quoted []byte) string {
	for _, c := range quoted {
		if c == '\\' {
			var s string
			_ = json.Unmarshal(quoted, &s)
			return s
		}
	}
	return string(quoted[1 : len(quoted)-1])
}
