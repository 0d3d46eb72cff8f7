package gen

import (
	"strings"
	"unicode"
)

// snake is the snake_case of a Go name. A run of capitals is one word, and so is its plural: HTTPServer becomes
// http_server, UserIDs user_ids, and ParseHTTP2 parse_http2.
func snake(name string) string {
	runes := []rune(strings.Trim(name, "_"))
	upper := func(i int) bool { return i >= 0 && i < len(runes) && unicode.IsUpper(runes[i]) }
	lower := func(i int) bool { return i >= 0 && i < len(runes) && unicode.IsLower(runes[i]) }
	// plural is the s of IDs: after two capitals and before a new word.
	plural := func(i int) bool {
		return i < len(runes) && runes[i] == 's' && upper(i-1) && upper(i-2) && !lower(i+1)
	}
	var b strings.Builder
	for i, r := range runes {
		if upper(i) && i > 0 && runes[i-1] != '_' {
			ends := lower(i+1) && !plural(i+1) // the last capital of a run starts the next word
			if !upper(i-1) || ends {
				b.WriteByte('_')
			}
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}
