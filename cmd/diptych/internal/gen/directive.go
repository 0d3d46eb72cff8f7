package gen

import (
	"go/ast"
	"go/token"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// A directive is a comment line that speaks to this package:
//
//	//diptych:tool      on a function or method: publish it as a tool
//	//diptych:option    on a function or variable: more options for the tools that it names
//	//diptych:open      on a type: its constants are examples, and other values are fine too
type directive struct {
	pos   token.Pos
	verb  string
	words []word
}

// A word is one argument of a directive. The parts of minimum days=1 are two words.
type word struct {
	pos   token.Pos
	key   string
	value string
	given bool // there is an =, with or without a value
}

const marker = "//diptych:"

// directives are those of a comment that have this verb.
func (r *reader) directives(verb string, groups ...*ast.CommentGroup) []directive {
	var out []directive
	for _, g := range groups {
		if g == nil {
			continue
		}
		for _, c := range g.List {
			if v, rest, ok := splitDirective(c.Text); ok && v == verb {
				out = append(out, directive{c.Pos(), verb, r.words(c.Pos()+token.Pos(len(c.Text)-len(rest)), rest)})
				r.obeyed[c.Pos()] = true
			}
		}
	}
	return out
}

func splitDirective(line string) (verb, rest string, ok bool) {
	rest, ok = strings.CutPrefix(line, marker)
	if !ok {
		return "", "", false
	}
	end := strings.IndexFunc(rest, unicode.IsSpace)
	if end < 0 {
		end = len(rest)
	}
	return rest[:end], rest[end:], true
}

// words splits the arguments of a directive. Values with spaces are Go strings, in either kind of quotes.
func (r *reader) words(pos token.Pos, s string) []word {
	var out []word
	for {
		trimmed := strings.TrimLeftFunc(s, unicode.IsSpace)
		pos += token.Pos(len(s) - len(trimmed))
		if s = trimmed; s == "" {
			return out
		}
		w := word{pos: pos}
		end := strings.IndexFunc(s, func(c rune) bool { return c == '=' || unicode.IsSpace(c) })
		if end < 0 {
			end = len(s)
		}
		w.key = s[:end]
		if end < len(s) && s[end] == '=' {
			w.given = true
			end++
			n := strings.IndexFunc(s[end:], unicode.IsSpace)
			if n < 0 {
				n = len(s) - end
			}
			w.value = s[end : end+n]
			if strings.HasPrefix(w.value, `"`) || strings.HasPrefix(w.value, "`") {
				quoted, err := strconv.QuotedPrefix(s[end:])
				if err != nil {
					r.faults.add(pos, "the value of %s has no closing quote; write %s=\"…\"", w.key, w.key)
					return out
				}
				n = len(quoted)
				w.value, _ = strconv.Unquote(quoted) // QuotedPrefix has vouched for it
			}
			end += n
		}
		out = append(out, w)
		pos += token.Pos(end)
		s = s[end:]
	}
}

// keywords bind one argument, and become the struct tags of the same name: default minutes=60.
var keywords = []string{
	"default", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength", "maxLength",
	"pattern", "format", "minItems", "maxItems", "uniqueItems", "enum", "const", "examples", "deprecated", "header",
}

// flags are what a tool is or is not.
var flags = []string{"readonly", "destructive", "idempotent", "openworld", "unstructured"}

// orders are the words of all //diptych:tool lines of one function, sorted out.
type orders struct {
	name, title *word
	prefix      *word
	flags       map[string]bool
	tags        []tag
}

// A tag is a keyword for one parameter.
type tag struct {
	pos              token.Pos
	keyword          string
	parameter, value string
}

// orders reads the words of a tool's directives.
func (r *reader) orders(lines []directive) orders {
	o := orders{flags: map[string]bool{}}
	for _, d := range lines {
		words := d.words
		for len(words) > 0 {
			w := words[0]
			words = words[1:]
			switch {
			case slices.Contains(keywords, w.key) && !w.given:
				if len(words) == 0 || !words[0].given || words[0].key == "" {
					r.faults.add(w.pos, "%s says neither which argument it is for nor its value; write %s argument=value", w.key, w.key)
					continue
				}
				o.tags = append(o.tags, tag{pos: w.pos, keyword: w.key, parameter: words[0].key, value: words[0].value})
				words = words[1:]
			case w.key == "name" || w.key == "title":
				r.setText(&o, w)
			case w.key == "prefix":
				if o.prefix != nil {
					r.faults.add(w.pos, "prefix is given twice; keep one")
					continue
				}
				o.prefix = &w
			case slices.Contains(flags, w.key):
				r.setFlag(&o, w)
			default:
				r.faults.add(w.pos, "unknown word %q in %stool; %s", w.key, marker, meant(w, d.words))
				// A value that follows belongs to the unknown word.
				if !w.given && len(words) > 0 && words[0].given {
					words = words[1:]
				}
			}
		}
	}
	if o.flags["readonly"] && o.flags["destructive"] {
		r.faults.add(lines[0].pos, "the tool is readonly and destructive; keep one of them")
	}
	return o
}

// meant is the remedy for an unknown word: what its author probably wanted to write, else all that there is.
func meant(w word, line []word) string {
	flat := strings.TrimSuffix(strings.Map(func(c rune) rune {
		if !unicode.IsLetter(c) {
			return -1
		}
		return unicode.ToLower(c)
	}, w.key), "hint")
	if slices.Contains(flags, flat) {
		return "write " + flat
	}
	if i := slices.Index(line, w); i > 0 && line[i-1].given && !w.given {
		return "write values with spaces in quotes, as in " + line[i-1].key + "=" + strconv.Quote(line[i-1].value+" "+w.key)
	}
	return "use name=, title=, prefix, " + strings.Join(flags, ", ") + ", or a keyword with an argument, as in default minutes=60"
}

func (r *reader) setText(o *orders, w word) {
	dst := &o.name
	if w.key == "title" {
		dst = &o.title
	}
	switch {
	case w.value == "":
		r.faults.add(w.pos, "%s has no value; write %s=…", w.key, w.key)
	case *dst != nil:
		r.faults.add(w.pos, "%s is given twice; keep one", w.key)
	default:
		*dst = &w
	}
}

func (r *reader) setFlag(o *orders, w word) {
	on := true
	if w.given {
		switch w.value {
		case "true":
		case "false":
			on = false
		default:
			r.faults.add(w.pos, "%s is neither true nor false; write %s or %s=false", w.key, w.key, w.key)
			return
		}
	}
	if _, twice := o.flags[w.key]; twice {
		r.faults.add(w.pos, "%s is given twice; keep one", w.key)
		return
	}
	o.flags[w.key] = on
}

// strayDirectives adds a fault for each directive in a place where it has no effect.
func (r *reader) strayDirectives(files []*ast.File) {
	for _, f := range files {
		for _, g := range f.Comments {
			for _, c := range g.List {
				verb, _, ok := splitDirective(c.Text)
				switch {
				case !ok || r.obeyed[c.Pos()]:
				case verb == "tool":
					r.faults.add(c.Pos(), "%stool stands on no function; put it into the comment right above an exported function or method", marker)
				case verb == "option":
					r.faults.add(c.Pos(), "%soption stands on no function or variable; put it into the comment right above one", marker)
				case verb == "open":
					r.faults.add(c.Pos(), "%sopen stands on no type; put it into the comment right above a type with constants", marker)
				default:
					r.faults.add(c.Pos(), "unknown directive %s%s; use %stool, %soption or %sopen", marker, verb, marker, marker, marker)
				}
			}
		}
	}
}

// hasDirective reports whether a file speaks to this package at all, or means to.
func hasDirective(f *ast.File) bool {
	for _, g := range f.Comments {
		if _, ok := spaced(g); ok || slices.ContainsFunc(g.List, func(c *ast.Comment) bool { return strings.HasPrefix(c.Text, marker) }) {
			return true
		}
	}
	return false
}

// spaced finds a directive that was written as prose, with a space after the slashes.
func spaced(g *ast.CommentGroup) (token.Pos, bool) {
	if g == nil {
		return 0, false
	}
	for _, c := range g.List {
		rest, ok := strings.CutPrefix(c.Text, "// ")
		if ok && strings.HasPrefix(strings.TrimSpace(rest), "diptych:tool") {
			return c.Pos(), true
		}
	}
	return 0, false
}
