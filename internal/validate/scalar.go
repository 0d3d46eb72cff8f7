package validate

import (
	"bytes"

	"github.com/diptych-mcp/diptych/internal/jsontext"
)

// This file is the pass at a string or a number.

// string checks the inside of a string against the keywords of strings.
func (p *pass) string(n *node, inside []byte, plain bool) bool {
	if n.words != nil && !p.word(n.words, inside, plain) {
		return false
	}
	if n.minLength > 0 || n.maxLength < unbounded {
		length := len(inside)
		if !plain {
			length = jsontext.CountRunes(inside)
		}
		if length < n.minLength || length > n.maxLength {
			return false
		}
	}
	if n.pattern == nil && n.format == nil && !n.base64 {
		return true
	}
	if !plain && bytes.IndexByte(inside, '\\') >= 0 {
		p.scratch = jsontext.AppendUnescaped(p.scratch[:0], inside)
		inside = p.scratch
	}
	if n.pattern != nil {
		if p.steps -= n.pattern.cost(len(inside)); p.steps < 0 {
			p.spent = true
			return false
		}
		if !n.pattern.re.Match(inside) {
			return false
		}
	}
	return (n.format == nil || n.format.ok(inside)) && (!n.base64 || isBase64(inside))
}

func (p *pass) word(words []string, inside []byte, plain bool) bool {
	if !plain && bytes.IndexByte(inside, '\\') >= 0 {
		p.scratch = jsontext.AppendUnescaped(p.scratch[:0], inside)
		inside = p.scratch
	}
	for _, w := range words {
		if string(inside) == w {
			return true
		}
	}
	return false
}

// number checks the text of a number against the kinds and the keywords of numbers.
func (n *node) number(raw []byte, small int64, form numberForm) bool {
	if form == smallInteger {
		if n.kinds&kindInteger == 0 || small < n.lowInt || small > n.highInt {
			return false
		}
		if n.multiple == nil {
			return true
		}
	}
	if form == pointed && n.kinds&kindNumber == kindNumber && n.multiple == nil {
		// Between two integers that are both within the bounds there is no need to look closer.
		below, above := small, small+1
		if raw[0] == '-' {
			below, above = small-1, small
		}
		if below >= n.lowInt && above <= n.highInt {
			return true
		}
	}
	d := parseDecimal(raw)
	k := kindInteger
	if form >= fractional && !d.integer() {
		k = kindFraction
	}
	return n.kinds&k != 0 && n.low.below(&d) && n.high.above(&d) && (n.multiple == nil || n.multiple.divides(&d))
}
