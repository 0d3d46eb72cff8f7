package main

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode/utf8"
)

// none stands where there is no data.
const none = "none"

// fold lays JSON out in lines of at most width columns where it can: what fits on a line stays on it, keys keep their
// order.
func fold(raw json.RawMessage, width int) []string {
	if raw == nil {
		return []string{none}
	}
	short := onLine(raw)
	members, opening, closing := parts(raw)
	if utf8.RuneCountInString(short) <= width || len(members) == 0 {
		return []string{short}
	}
	lines := []string{opening}
	for i, m := range members {
		inner := fold(m.value, width-2-utf8.RuneCountInString(m.key)-1)
		if len(inner) > 1 {
			inner = fold(m.value, width-2) // the key stands beside the opening bracket alone
		}
		inner[0] = m.key + inner[0]
		if i < len(members)-1 {
			inner[len(inner)-1] += ","
		}
		for _, l := range inner {
			lines = append(lines, "  "+l)
		}
	}
	return append(lines, closing)
}

// A member is a part of an object or a list; in a list it has no key.
type member struct {
	key   string
	value json.RawMessage
}

// parts takes an object or a list apart. A scalar has no parts.
func parts(raw json.RawMessage) (members []member, opening, closing string) {
	d := json.NewDecoder(bytes.NewReader(raw))
	switch first, _ := d.Token(); first {
	case json.Delim('{'):
		opening, closing = "{", "}"
	case json.Delim('['):
		opening, closing = "[", "]"
	default:
		return nil, "", ""
	}
	for d.More() {
		var m member
		if opening == "{" {
			name, _ := d.Token()
			key, err := json.Marshal(name)
			if err != nil {
				return nil, "", ""
			}
			m.key = string(key) + ": "
		}
		if d.Decode(&m.value) != nil {
			return nil, "", ""
		}
		members = append(members, m)
	}
	return members, opening, closing
}

// onLine is JSON on one line, with a space after each colon and comma.
func onLine(raw json.RawMessage) string {
	var b bytes.Buffer
	if json.Indent(&b, raw, "", "") != nil {
		return string(raw)
	}
	return strings.ReplaceAll(strings.ReplaceAll(b.String(), ",\n", ", "), "\n", "")
}

// wrap breaks text into lines of at most width columns, at spaces where there are any. Lines that fit stay as they are.
func wrap(text string, width int) []string {
	var lines []string
	for _, l := range strings.Split(text, "\n") {
		for utf8.RuneCountInString(l) > width {
			runes := []rune(l)
			cut := strings.LastIndex(string(runes[:width+1]), " ")
			if cut <= 0 {
				cut = len(string(runes[:width]))
			}
			lines = append(lines, l[:cut])
			l = strings.TrimPrefix(l[cut:], " ")
		}
		lines = append(lines, l)
	}
	return lines
}
