package validate

import (
	"net/url"
	"strconv"
	"strings"
)

// This file follows references, refuses those that lead in circles, and draws from the finished graph what the single
// pass wants to know.

type reference struct {
	from *node
	to   string
	at   string
}

// resolve connects every reference. Targets that no keyword led to are compiled on the way and may bring new ones.
func (c *compiler) resolve() error {
	for i := 0; i < len(c.refs); i++ {
		r := c.refs[i]
		to, err := c.target(r)
		if err != nil {
			return err
		}
		if r.from.ref != nil && r.from.ref != to { // $ref and $dynamicRef side by side
			r.from.allOf = append(r.from.allOf, to)
			continue
		}
		r.from.ref = to
	}
	return nil
}

func (c *compiler) target(r reference) (*node, error) {
	to := r.to
	if c.id != "" {
		to = strings.TrimPrefix(to, c.id)
	}
	if to != "" && to[0] != '#' {
		return nil, errorf(r.at, "%q leads out of the document; copy its target to $defs", cut(r.to))
	}
	fragment, err := url.PathUnescape(strings.TrimPrefix(to, "#"))
	if err != nil {
		return nil, errorf(r.at, "%q is not a reference", cut(r.to))
	}
	if fragment != "" && fragment[0] != '/' {
		if n := c.anchors[fragment]; n != nil {
			return n, nil
		}
		return nil, errorf(r.at, "%q leads nowhere", cut(r.to))
	}
	v, at := c.root, ""
	if fragment != "" {
		for token := range strings.SplitSeq(fragment[1:], "/") {
			token = strings.NewReplacer("~1", "/", "~0", "~").Replace(token)
			at = step(at, token)
			next := v.find(token)
			if i, err := strconv.Atoi(token); v.kind == kindArray && err == nil && i >= 0 && i < len(v.items) {
				next = v.items[i]
			}
			if next == nil {
				return nil, errorf(r.at, "%q leads nowhere", cut(r.to))
			}
			v = next
		}
	}
	return c.schema(v, at)
}

// Bounds on the steps between schemas that apply to the same value: how many in a row, and how many ways in all.
const (
	maxChain = 128
	maxWays  = 1 << 40
)

// inPlace calls f for every schema that applies to the same value as n.
func (n *node) inPlace(f func(*node)) {
	one := func(sub *node) {
		if sub != nil {
			f(sub)
		}
	}
	one(n.ref)
	for _, list := range [][]*node{n.allOf, n.anyOf, n.oneOf} {
		for _, sub := range list {
			f(sub)
		}
	}
	one(n.not)
	if r := n.rest; r != nil {
		one(r.test)
		one(r.then)
		one(r.otherwise)
		for _, d := range r.dependents {
			one(d.node)
		}
	}
}

// A survey visits the graph of steps in place, which must have no circles, from the leaves up.
type survey struct {
	chain map[*node]int // longest row of steps; 0: not seen, -1: being visited
	ways  map[*node]int
	most  int // ways
}

func (s *survey) visit(n *node) error {
	switch {
	case s.chain[n] > 0:
		return nil
	case s.chain[n] < 0:
		return errorf(n.at, "refers to itself without consuming input")
	}
	s.chain[n] = -1
	var err error
	chain, ways := 1, 1
	n.inPlace(func(sub *node) {
		if err != nil {
			return
		}
		if err = s.visit(sub); err != nil {
			return
		}
		chain = max(chain, s.chain[sub]+1)
		ways = min(ways+s.ways[sub], maxWays)
	})
	if err != nil {
		return err
	}
	if chain > maxChain {
		return errorf(n.at, "more than %d schemas in a row for one value", maxChain)
	}
	s.chain[n], s.ways[n] = chain, ways
	s.most = max(s.most, ways)
	n.admits = n.admitted()
	return nil
}

// admitted works out which kinds can pass n at all. It may say too many, never too few.
func (n *node) admitted() kind {
	k := n.kinds
	if n.enum != nil {
		k &= n.enum.kinds
	}
	if n.ref != nil {
		k &= n.ref.admits
	}
	for _, sub := range n.allOf {
		k &= sub.admits
	}
	for _, list := range [][]*node{n.anyOf, n.oneOf} {
		if list != nil {
			k &= union(list)
		}
	}
	return k
}

func union(arms []*node) kind {
	var k kind
	for _, arm := range arms {
		k |= arm.admits
	}
	return k
}

// slot is the place of a kind in a fork. Both kinds of number share one: the first byte cannot tell them apart.
func (k kind) slot() int {
	switch k {
	case kindNull:
		return 0
	case kindBoolean:
		return 1
	case kindInteger, kindFraction:
		return 2
	case kindString:
		return 4
	case kindArray:
		return 5
	}
	return 6
}

// shorten finds the shortcuts of the single pass and notes which checks a value still needs once its kind was right.
func (n *node) shorten() {
	n.lowInt, n.highInt = n.low.floor(), n.high.ceiling()
	n.checksString = n.minLength > 0 || n.maxLength < unbounded || n.pattern != nil || n.format != nil || n.base64
	if n.enum != nil && n.enum.strings != nil && n.enum.kinds == kindString && n.kinds&kindString != 0 {
		n.kinds, n.words, n.checksString = kindString, n.enum.strings, true
	}
	n.checksNumber = n.low != nil || n.high != nil || n.multiple != nil
	n.checksMore = n.enum != nil && n.words == nil || n.ref != nil || n.allOf != nil || n.anyOf != nil || n.oneOf != nil || n.not != nil
	arms := n.anyOf
	if arms == nil {
		arms = n.oneOf
	}
	if !n.plain() || n.enum != nil || n.not != nil || n.kinds != anyKind {
		return
	}
	switch {
	case n.ref != nil && n.allOf == nil && n.anyOf == nil && n.oneOf == nil:
		n.jump, n.short = n.ref, true
	case n.ref == nil && n.allOf == nil && (n.anyOf == nil) != (n.oneOf == nil):
		var fork [7]*node
		for _, arm := range arms {
			for k := kindNull; k <= kindObject; k <<= 1 {
				if arm.admits&k == 0 {
					continue
				}
				if at := &fork[k.slot()]; *at != nil && *at != arm {
					return
				} else {
					*at = arm
				}
			}
		}
		n.fork, n.short = &fork, true
	}
}

// plain reports whether n asks nothing of strings, numbers, arrays or objects itself.
func (n *node) plain() bool {
	return !n.checksString && !n.checksNumber && n.rest == nil &&
		n.prefix == nil && n.items.open() && n.minItems == 0 && n.maxItems == unbounded && !n.unique &&
		len(n.properties) == 0 && n.additional.open() && n.names == nil && n.minProperties == 0 && n.maxProperties == unbounded
}

// open reports whether n only fills a gap: no keyword stands there.
func (n *node) open() bool { return n.gap }

// floor is the least integer that b lets pass as a lower bound.
func (b *bound) floor() int64 {
	if b == nil {
		return -unbounded
	}
	return b.nearest(1)
}

// ceiling is the greatest integer that b lets pass as an upper bound.
func (b *bound) ceiling() int64 {
	if b == nil {
		return unbounded
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
			return -unbounded
		}
		return unbounded
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
