package audit

import (
	"fmt"
	"regexp"
	"strings"
)

// notJavaScript says why a pattern does not compile in JavaScript with the u flag, as the validators of JavaScript hosts
// compile it; "" where it does. It knows the mistakes that authors in other languages make, not the whole grammar.
func notJavaScript(pattern string) string {
	group := regexp.MustCompile(`^\(\?(?::|=|!|<=|<!|<[A-Za-z_$][\w$]*>)`)
	counted, braced := regexp.MustCompile(`^\{\d+(?:,\d*)?\}`), regexp.MustCompile(`^\{[^}]*\}`)
	inClass, repeatable := false, false // repeatable: a quantifier may follow
	for i := 0; i < len(pattern); i++ {
		rest := pattern[i:]
		switch c := pattern[i]; {
		case c == '\\':
			if len(rest) == 1 {
				return `ends in a lone \`
			}
			if !escapes(rest[1], inClass) {
				return fmt.Sprintf(`uses \%s, which JavaScript's u mode refuses`, initial(rest[1:]))
			}
			if inClass && strings.ContainsRune("dDsSwW", rune(rest[1])) && len(rest) > 3 && rest[2] == '-' && rest[3] != ']' {
				return fmt.Sprintf(`has \%c- in a class, which JavaScript's u mode refuses; put the - last`, rest[1])
			}
			i++
			if strings.IndexByte("pPu", rest[1]) >= 0 {
				i += len(braced.FindString(rest[2:]))
			}
			repeatable = true
		case inClass:
			inClass = c != ']'
			repeatable = true
		case c == '[':
			inClass = true
		case c == ']', c == '}':
			return fmt.Sprintf("has a lone %c, which JavaScript's u mode refuses", c)
		case c == '(':
			if strings.HasPrefix(rest, "(?") && !group.MatchString(rest) {
				return "uses " + initial(rest) + initial(rest[1:]) + initial(rest[min(2, len(rest)):]) + ", which JavaScript does not know"
			}
			if strings.HasPrefix(rest, "(?") {
				i++ // the question mark is no quantifier
			}
			repeatable = false
		case c == '{':
			q := counted.FindString(rest)
			if q == "" || !repeatable {
				return "has a lone {, which JavaScript's u mode refuses"
			}
			i += len(q) - 1
			repeatable = false
			if strings.HasPrefix(pattern[i+1:], "?") {
				i++
			}
		case c == '*', c == '+', c == '?':
			if !repeatable {
				return fmt.Sprintf("has a %c with nothing to repeat", c)
			}
			repeatable = false
			if strings.HasPrefix(rest[1:], "?") {
				i++
			}
		default:
			repeatable = c != '|' && c != '^' && c != '$'
		}
	}
	if inClass {
		return "has a class that does not end"
	}
	return ""
}

// escapes reports whether \c means something with the u flag.
func escapes(c byte, inClass bool) bool {
	return strings.IndexByte(`^$\.*+?()[]{}|/dDsSwWnrtvf0123456789xucpPk`, c) >= 0 || c == 'b' || c == 'B' && !inClass || c == '-' && inClass
}

// initial is the first character of s.
func initial(s string) string {
	for _, r := range s {
		return string(r)
	}
	return ""
}
