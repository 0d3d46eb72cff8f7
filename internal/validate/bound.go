package validate

import (
	"math"
	"strings"
)

// A bound is one end of a range of numbers.
type bound struct {
	limit  decimal
	text   string
	strict bool // the limit itself is out
}

func (c *compiler) bound(n *node, name string, v *value, at string) error {
	d, err := schemaNumber(v, at)
	if err != nil {
		return err
	}
	b := &bound{limit: d, text: string(v.raw), strict: strings.HasPrefix(name, "exclusive")}
	if strings.HasSuffix(name, "inimum") {
		if n.low == nil || b.limit.compare(&n.low.limit) > 0 || b.strict && b.limit.compare(&n.low.limit) == 0 {
			n.low = b
		}
	} else if n.high == nil || b.limit.compare(&n.high.limit) < 0 || b.strict && b.limit.compare(&n.high.limit) == 0 {
		n.high = b
	}
	return nil
}

// below reports whether d is within the lower bound b.
func (b *bound) below(d *decimal) bool {
	if b == nil {
		return true
	}
	c := b.limit.compare(d)
	return c < 0 || c == 0 && !b.strict
}

// above reports whether d is within the upper bound b.
func (b *bound) above(d *decimal) bool {
	if b == nil {
		return true
	}
	c := b.limit.compare(d)
	return c > 0 || c == 0 && !b.strict
}

// floor is the least integer that b lets pass as a lower bound.
func (b *bound) floor() int64 {
	if b == nil {
		return math.MinInt64
	}
	return b.nearest(1)
}

// ceiling is the greatest integer that b lets pass as an upper bound.
func (b *bound) ceiling() int64 {
	if b == nil {
		return math.MaxInt64
	}
	return b.nearest(-1)
}

// nearest returns the integer next to the limit in the given direction that is within it.
func (b *bound) nearest(direction int64) int64 {
	if v, ok := b.limit.small(); ok {
		if b.strict {
			v += direction
		}
		return v
	}
	if b.limit.exp > 18 { // beyond every integer that is compared this way
		if b.limit.neg {
			return math.MinInt64
		}
		return math.MaxInt64
	}
	// A fraction: cut it, then step where cutting went the wrong way.
	var v int64
	for i := range max(b.limit.exp, 0) {
		v = v*10 + int64(b.limit.digit(int(i))-'0')
	}
	if b.limit.neg {
		v = -v
	}
	if b.limit.neg != (direction > 0) {
		v += direction
	}
	return v
}
