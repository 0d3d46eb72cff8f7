package data

// Colours: hex or rgb. A free-form one can be anything that a browser resolves.

import (
	"slices"
	"strings"
)

// colours checks one colour, or one for each point.
func (d drawing) colours(v value) {
	if v[0] == '[' {
		d.list(v, maxPoints, "", d.colour)
		return
	}
	d.colour(v)
}

func (d drawing) colour(v value) {
	const want = "a colour as #rgb, #rrggbb, #rrggbbaa or rgb(r, g, b)"
	if d.is(v, "text", want) && !isColour(v.text()) {
		d.fault("unknown, want " + want)
	}
}

func isColour(s string) bool {
	if hex, ok := strings.CutPrefix(s, "#"); ok {
		return strings.Trim(hex, "0123456789abcdefABCDEF") == "" && slices.Contains([]int{3, 4, 6, 8}, len(hex))
	}
	s, ok := strings.CutPrefix(s, "rgb")
	if !ok {
		return false
	}
	s = strings.TrimPrefix(s, "a")
	if len(s) < 7 || len(s) > 42 || s[0] != '(' || s[len(s)-1] != ')' {
		return false
	}
	parts := strings.Split(s[1:len(s)-1], ",")
	for _, p := range parts {
		p = strings.TrimSuffix(strings.Trim(p, " "), "%")
		if p == "" || strings.Trim(p, "0123456789.") != "" || strings.Count(p, ".") > 1 || p == "." {
			return false
		}
	}
	return len(parts) == 3 || len(parts) == 4
}
