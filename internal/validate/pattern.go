package validate

import (
	"regexp"
	"regexp/syntax"

	"github.com/diptych-mcp/diptych/internal/jsontext"
)

type pattern struct {
	text string
	re   *regexp.Regexp
	size int // instructions, at most
}

// pattern compiles a regular expression. Patterns of JSON Schema are ECMA-262; what RE2 shares with it is accepted.
func (c *compiler) pattern(v *value, at string) (*pattern, error) {
	if err := wants(at, v, kindString); err != nil {
		return nil, err
	}
	if len(v.str) > maxPatternText {
		return nil, errorf(at, "pattern longer than %d bytes", maxPatternText)
	}
	expr := ecma(v.str)
	if other, ok := withoutLookaround[v.str]; ok {
		expr = other
	}
	tree, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		return nil, errorf(at, "not a pattern that RE2 can run; avoid look-around and back-references")
	}
	size := programSize(tree, maxPatternProgram+1)
	if c.program += size; size > maxPatternProgram || c.program > maxPatterns {
		return nil, errorf(at, "pattern too large; lower its repeat counts")
	}
	re, err := regexp.Compile(expr)
	if err != nil {
		return nil, errorf(at, "not a pattern that RE2 can run; lower its repeat counts")
	}
	return &pattern{v.str, re, size}, nil
}

// rule is what a string has to be, in words for the patterns that package schema writes for integer keys.
func (p *pattern) rule() string {
	switch p.text {
	case `^(0|-?[1-9][0-9]*)$`:
		return "must be an integer in plain digits, such as 7 or -7"
	case `^(0|[1-9][0-9]*)$`:
		return "must be an integer from 0 on in plain digits, such as 7"
	}
	return "must match the pattern " + cut(p.text)
}

// zodEmail is the pattern of z.email() in older releases of Zod.
const zodEmail = `^(?!\.)(?!.*\.\.)([A-Za-z0-9_'+\-\.]*)[A-Za-z0-9_+-]@([A-Za-z0-9][A-Za-z0-9\-]*\.)+[A-Za-z]{2,}$`

// withoutLookaround says widespread patterns as RE2 can run them; the one of Zod as its later releases say it.
var withoutLookaround = map[string]string{
	zodEmail: `^(?:[A-Za-z0-9_'+\-]+\.)*[A-Za-z0-9_'+\-]*[A-Za-z0-9_+-]@(?:[A-Za-z0-9][A-Za-z0-9\-]*\.)+[A-Za-z]{2,}$`,
}

// ecma rewrites \uXXXX, which RE2 spells \x{XXXX}.
func ecma(expr string) string {
	var b []byte
	for i := 0; i < len(expr); i++ {
		if expr[i] != '\\' || i+1 == len(expr) {
			b = append(b, expr[i])
			continue
		}
		if expr[i+1] == 'u' && jsontext.Hex(expr, i+2) >= 0 {
			b = append(append(append(b, `\x{`...), expr[i+2:i+6]...), '}')
			i += 5
			continue
		}
		b = append(b, expr[i], expr[i+1])
		i++
	}
	return string(b)
}

// programSize estimates how many instructions a pattern compiles to, from above and without compiling it.
func programSize(re *syntax.Regexp, limit int) int {
	size := 1 + len(re.Rune)/16
	if re.Op == syntax.OpLiteral {
		size = len(re.Rune)
	}
	for _, sub := range re.Sub {
		if size += 1 + programSize(sub, limit); size > limit {
			return limit
		}
	}
	if re.Op == syntax.OpRepeat {
		times := max(re.Max, re.Min+1)
		if size > limit/times {
			return limit
		}
		size *= times
	}
	return size
}

// cost is what matching n bytes takes, in steps.
func (p *pattern) cost(n int) int { return n * p.size / 64 }
