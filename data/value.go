package data

// A JSON value that is not decoded: the checks look at the bytes that will be sent, so digits, key order and duplicate
// keys are seen as the reader will see them.

import (
	"iter"

	"github.com/diptych-mcp/diptych/internal/jsontext"
)

// A value is one JSON value out of a document that is valid JSON, without white space around it.
type value []byte

// parse returns the one value in doc, and whether there is one.
func parse(doc []byte) (value, bool) {
	at, ok := jsontext.Only(doc, jsontext.MaxDepth)
	if !ok {
		return nil, false
	}
	return at.Of(doc), true
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
func (v value) text() string { return jsontext.Unquote(v) }

// members yields the members of an object in their order, duplicates too.
func (v value) members() iter.Seq2[string, value] {
	return func(yield func(string, value) bool) {
		wanted := true
		jsontext.Members(v, 0, len(v), func(name []byte, member jsontext.Span) {
			wanted = wanted && yield(string(name), member.Of(v))
		})
	}
}

// elements yields the elements of a list.
func (v value) elements() iter.Seq2[int, value] {
	return func(yield func(int, value) bool) {
		n, wanted := 0, true
		jsontext.Items(v, 0, len(v), func(element jsontext.Span) {
			wanted = wanted && yield(n, element.Of(v))
			n++
		})
	}
}
