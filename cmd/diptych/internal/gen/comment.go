package gen

import (
	"go/ast"
	"go/doc/comment"
	"strings"
	"unicode"
	"unicode/utf8"
)

// text is a comment without its marks and directives, its paragraphs unwrapped.
func text(groups ...*ast.CommentGroup) string {
	var all []string
	for _, g := range groups {
		if t := plain(g); t != "" {
			all = append(all, t)
		}
	}
	return strings.Join(all, "\n\n")
}

func plain(g *ast.CommentGroup) string {
	if g == nil {
		return ""
	}
	kept := &ast.CommentGroup{}
	for _, c := range g.List {
		if c.Text != "//nolint" && !strings.HasPrefix(c.Text, "//nolint ") && !strings.HasPrefix(c.Text, "// +build ") {
			kept.List = append(kept.List, &ast.Comment{Slash: c.Slash, Text: flush(c.Text)})
		}
	}
	p := comment.Parser{
		LookupPackage: func(name string) (string, bool) { return name, true },
		LookupSym:     func(string, string) bool { return true },
	}
	printer := comment.Printer{TextWidth: -1}
	return strings.TrimSpace(string(printer.Text(p.Parse(kept.Text()))))
}

// flush moves the lines of a /* */ comment to the left, whose indentation is that of the code around it.
func flush(comment string) string {
	if !strings.HasPrefix(comment, "/*") {
		return comment
	}
	lines := strings.Split(comment, "\n")
	lines[0] = "/*" + strings.TrimLeft(lines[0][2:], " \t")
	indent := ""
	for i, l := range lines[1:] {
		own := l[:len(l)-len(strings.TrimLeft(l, " \t"))]
		switch {
		case i == 0:
			indent = own
		case strings.TrimSpace(strings.TrimSuffix(l, "*/")) == "":
		default:
			for !strings.HasPrefix(own, indent) {
				indent = indent[:len(indent)-1]
			}
		}
	}
	for i := range lines[1:] {
		lines[i+1] = strings.TrimPrefix(lines[i+1], indent)
	}
	return strings.Join(lines, "\n")
}

// withoutName drops the name with which Go's comments begin, so that the text reads well without the declaration:
// "Forecast returns the weather" becomes "Returns the weather", "A Slot is a free hour" becomes "A free hour".
func withoutName(text, name string, function bool) string {
	rest := text
	for _, article := range []string{"A ", "An ", "The "} {
		if after, ok := strings.CutPrefix(text, article); ok && strings.HasPrefix(after, name) {
			rest = after
		}
	}
	rest, ok := strings.CutPrefix(rest, name)
	if !ok {
		return text
	}
	if after, ok := strings.CutPrefix(rest, ":"); ok {
		return capital(strings.TrimSpace(after), text)
	}
	if rest, ok = strings.CutPrefix(rest, " "); !ok {
		return text
	}
	verb, after, _ := strings.Cut(rest, " ")
	switch {
	case verb == "is" || verb == "are":
		return capital(after, text)
	case function && strings.HasSuffix(verb, "s") && isWord(verb), says[verb]:
		return capital(rest, text)
	}
	return text
}

// says are the verbs that follow the name of a type, a field or a constant. Other words may be the middle of a phrase:
// the comment "Name of the city" on a field Name.
var says = map[string]bool{
	"contains": true, "controls": true, "counts": true, "defines": true, "describes": true, "gives": true, "holds": true,
	"identifies": true, "indicates": true, "lists": true, "means": true, "reports": true, "represents": true, "says": true,
	"sets": true, "specifies": true, "stores": true, "tells": true,
}

func isWord(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return !unicode.IsLower(r) }) < 0
}

// capital starts text with a capital letter; where nothing is left, the whole comment stays.
func capital(text, whole string) string {
	if text == "" {
		return whole
	}
	r, n := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(r)) + text[n:]
}
