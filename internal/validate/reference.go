package validate

import (
	"net/url"
	"strconv"
	"strings"
)

// This file follows references, refuses those that lead in circles, and measures how far they multiply.

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
