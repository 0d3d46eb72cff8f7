package data

// A JSON value read where it stands: the checks look at the bytes that will be sent, so digits, key order and duplicate
// keys are seen as the reader will see them, and nothing is decoded that need not be.

import (
	"encoding/json"
	"iter"
)

// A value is one JSON value out of a document that json.Valid accepted, without white space around it.
type value []byte

// first returns the value at the head of doc.
func first(doc []byte) value {
	start := space(doc, 0)
	return value(doc[start:end(doc, start)])
}

// kind names the value's kind in the words that errors use.
func (v value) kind() string {
	switch v[0] {
	case '{':
		return "an object"
	case '[':
		return "a list"
	case '"':
		return "text"
	case 't', 'f':
		return "a boolean"
	case 'n':
		return "null"
	default:
		return "a number"
	}
}

func (v value) isText() bool   { return v[0] == '"' }
func (v value) isNull() bool   { return v[0] == 'n' }
func (v value) isNumber() bool { return v[0] == '-' || '0' <= v[0] && v[0] <= '9' }

// text returns the text of a JSON string.
func (v value) text() string {
	for _, c := range v {
		if c == '\\' {
			var s string
			_ = json.Unmarshal(v, &s) // v is valid JSON text
			return s
		}
	}
	return string(v[1 : len(v)-1])
}

// members yields the members of an object in the order in which they stand, duplicates too.
func (v value) members() iter.Seq2[string, value] {
	return func(yield func(string, value) bool) {
		for i := space(v, 1); v[i] != '}'; {
			keyEnd := end(v, i)
			key := v[i:keyEnd].text()
			i = space(v, space(v, keyEnd)+1) // past the colon
			valueEnd := end(v, i)
			if !yield(key, v[i:valueEnd]) {
				return
			}
			i = next(v, valueEnd)
		}
	}
}

// elements yields the elements of a list.
func (v value) elements() iter.Seq2[int, value] {
	return func(yield func(int, value) bool) {
		n := 0
		for i := space(v, 1); v[i] != ']'; n++ {
			valueEnd := end(v, i)
			if !yield(n, v[i:valueEnd]) {
				return
			}
			i = next(v, valueEnd)
		}
	}
}

// next steps over the comma after a value, if there is one.
func next(b []byte, i int) int {
	if i = space(b, i); b[i] == ',' {
		i = space(b, i+1)
	}
	return i
}

func space(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\n' || b[i] == '\t' || b[i] == '\r') {
		i++
	}
	return i
}

// end returns the index just past the value that starts at i.
func end(b []byte, i int) int {
	depth := 0
	for ; i < len(b); i++ {
		switch b[i] {
		case '{', '[':
			depth++
		case '}', ']':
			if depth == 0 {
				return i // a number or a word ended by its container
			}
			if depth--; depth == 0 {
				return i + 1
			}
		case '"':
			for i++; b[i] != '"'; i++ {
				if b[i] == '\\' {
					i++
				}
			}
			if depth == 0 {
				return i + 1
			}
		case ',', ' ', '\n', '\t', '\r', ':':
			if depth == 0 {
				return i
			}
		}
	}
	return i
}
