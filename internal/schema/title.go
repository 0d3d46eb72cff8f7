package schema

import (
	"strings"
	"unicode"
)

// titleOf turns a JSON name into a title as the reference does: underscores become spaces, each run of letters starts
// with a capital and goes on in lower case.
func titleOf(name string) string {
	var b strings.Builder
	inWord := false
	for _, r := range strings.ReplaceAll(name, "_", " ") {
		switch {
		case !unicode.IsLetter(r):
			inWord = false
		case inWord:
			r = unicode.ToLower(r)
		default:
			r, inWord = unicode.ToTitle(r), true
		}
		b.WriteRune(r)
	}
	return b.String()
}
