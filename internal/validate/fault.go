package validate

import (
	"strconv"
	"strings"

	"github.com/diptych-mcp/diptych/internal/nearest"
)

// A Fault is one broken rule: where, and which. It never contains a value from the document.
type Fault struct {
	Path       string // charts[1].data.datasets[0].data[7]; "" is the root
	Rule       string
	Start, End int // the offending bytes, for the log of the document's owner
}

const (
	ruleJSON      = "not valid JSON"
	ruleUTF8      = "not valid UTF-8"
	ruleFinite    = "not a finite number"
	ruleDuplicate = "duplicate key"
	ruleMissing   = "required but missing"
	ruleUnknown   = "unknown field"
	ruleNever     = "not allowed"
	ruleUnique    = "must not repeat an item"
	ruleNone      = "matches none of the allowed forms"
	ruleSeveral   = "matches more than one of the allowed forms"
	ruleNot       = "matches a form that is not allowed"
	ruleCost      = "too costly to check"
)

func ruleDepth(limit int) string { return "nested deeper than " + strconv.Itoa(limit) + " levels" }

// ruleKind says what came and what was wanted.
func ruleKind(got, want kind) string {
	return "got " + kindName(got) + ", want " + kindNames(want)
}

func kindName(k kind) string {
	switch {
	case k&kindNumber != 0:
		return "number"
	case k == kindNull:
		return "null"
	case k == kindBoolean:
		return "boolean"
	case k == kindString:
		return "string"
	case k == kindArray:
		return "array"
	}
	return "object"
}

func kindNames(set kind) string {
	var names []string
	for _, k := range []kind{kindString, kindInteger, kindBoolean, kindArray, kindObject, kindNull} {
		switch {
		case k == kindInteger && set&kindNumber == kindInteger:
			names = append(names, "integer")
		case k == kindInteger && set&kindNumber != 0, k != kindInteger && set&k != 0:
			names = append(names, kindName(k))
		}
	}
	if len(names) == 0 {
		return "nothing"
	}
	return oneOf(names)
}

// oneOf is "a, b or c".
func oneOf(names []string) string {
	last := len(names) - 1
	if last == 0 {
		return names[0]
	}
	return strings.Join(names[:last], ", ") + " or " + names[last]
}

// ruleCount is "must have at least 1 item" and its like.
func ruleCount(bound string, n int, noun string) string {
	text := "must have " + bound + " " + strconv.Itoa(n) + " " + noun
	switch {
	case n == 1:
		return text
	case strings.HasSuffix(noun, "y"):
		return strings.TrimSuffix(text, "y") + "ies"
	}
	return text + "s"
}

// ruleUnknownField suggests the declared name that the sender may have meant.
func ruleUnknownField(name string, declared []property) string {
	best, least := "", 3
	for i := range declared[:min(len(declared), maxCompared)] {
		d := declared[i].name
		if n := nearest.Distance(strings.ToLower(name), strings.ToLower(d), least); n < least && n*3 <= len(d) {
			best, least = d, n
		}
	}
	if best == "" {
		return ruleUnknown
	}
	return ruleUnknown + "; did you mean " + strconv.Quote(best) + "?"
}

// A place is where a walker is: a chain of steps from the root, written out only when a fault needs them.
type place struct {
	parent *place
	name   string
	index  int // -1: a member called name
}

func (p *place) String() string {
	var steps []*place
	for ; p != nil && p.parent != nil; p = p.parent {
		steps = append(steps, p)
	}
	var b []byte
	for i := len(steps) - 1; i >= 0; i-- {
		s := steps[i]
		if len(b) > maxPath {
			b = append(b, "…"...)
			break
		}
		switch {
		case s.index >= 0:
			b = append(b, '[')
			b = strconv.AppendInt(b, int64(s.index), 10)
			b = append(b, ']')
		case !identifier(s.name):
			b = append(b, '[')
			b = strconv.AppendQuote(b, cut(s.name))
			b = append(b, ']')
		case len(b) > 0:
			b = append(b, '.')
			b = append(b, cut(s.name)...)
		default:
			b = append(b, cut(s.name)...)
		}
	}
	return string(b)
}

// identifier reports whether name needs no quotes in a path.
func identifier(name string) bool {
	for i := range len(name) {
		switch c := name[i]; {
		case c|0x20 >= 'a' && c|0x20 <= 'z', c == '_', c == '$':
		case i > 0 && c >= '0' && c <= '9':
		default:
			return false
		}
	}
	return name != ""
}
