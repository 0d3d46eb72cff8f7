package validate

import (
	"bytes"
	"encoding/binary"
	"slices"

	"github.com/diptych-mcp/diptych/internal/jsontext"
)

// This file writes values so that equal ones have equal bytes.

// appendCanonical writes v so that two values are equal, as JSON Schema means it, just where their bytes are: numbers by
// value, objects without order.
func appendCanonical(dst []byte, v *value) []byte {
	switch v.kind {
	case kindString:
		return append(append(dst, '"'), v.str...)
	case kindArray:
		dst = append(dst, '[')
		for _, item := range v.items {
			dst = appendSized(dst, item)
		}
		return dst
	case kindObject:
		dst = append(dst, '{')
		members := slices.Clone(v.members)
		slices.SortFunc(members, func(a, b member) int { return bytes.Compare([]byte(a.name), []byte(b.name)) })
		for _, m := range members {
			dst = binary.AppendUvarint(dst, uint64(len(m.name)))
			dst = append(dst, m.name...)
			dst = appendSized(dst, m.value)
		}
		return dst
	}
	return appendCanonicalScalar(dst, v.raw)
}

// appendSized puts the length before the value, so that neighbours cannot be taken for each other.
func appendSized(dst []byte, v *value) []byte {
	at := len(dst)
	dst = appendCanonical(append(dst, 0, 0, 0, 0), v)
	binary.BigEndian.PutUint32(dst[at:], uint32(len(dst)-at-4))
	return dst
}

// appendCanonicalScalar is appendCanonical for the text of a string, a number, a boolean or null.
func appendCanonicalScalar(dst, raw []byte) []byte {
	switch c := raw[0]; {
	case c == '"':
		return jsontext.AppendUnescaped(append(dst, '"'), raw[1:len(raw)-1])
	case c == '-' && len(raw) > 1 && raw[1]-'0' <= 9, c-'0' <= 9:
		d := parseDecimal(raw)
		return appendDecimal(append(dst, '#'), &d)
	}
	return append(dst, raw...)
}
