package validate

import (
	"bytes"
	"slices"

	"github.com/diptych-mcp/diptych/internal/jsontext"
)

// This file is the pass at what has been passed already: keys that may repeat, items that may be equal, and values that
// further schemas apply to.

// lookup finds the declared property that a key names, or -1.
func (p *pass) lookup(n *node, key []byte, plain bool) int {
	if !plain && bytes.IndexByte(key, '\\') >= 0 {
		p.scratch = jsontext.AppendUnescaped(p.scratch[:0], key)
		key = p.scratch
	}
	if at, ok := n.index[string(key)]; ok {
		return at
	}
	return -1
}

func (p *pass) compareKeys(a, b span) int {
	x, y := p.doc[a.start:a.end], p.doc[b.start:b.end]
	if bytes.IndexByte(x, '\\') >= 0 || bytes.IndexByte(y, '\\') >= 0 {
		p.scratch = jsontext.AppendUnescaped(p.scratch[:0], x)
		p.other = jsontext.AppendUnescaped(p.other[:0], y)
		x, y = p.scratch, p.other
	}
	return bytes.Compare(x, y)
}

// repeats reports whether two of the keys mean the same. It puts them in order.
func (p *pass) repeats(keys []span) bool {
	slices.SortFunc(keys, p.compareKeys)
	for i := 1; i < len(keys); i++ {
		if p.compareKeys(keys[i-1], keys[i]) == 0 {
			return true
		}
	}
	return false
}

// charge takes steps for work on n bytes and reports whether they were left.
func (p *pass) charge(n int) bool {
	if p.steps -= n / 2; p.steps < 0 {
		p.spent = true
	}
	return !p.spent
}

// quietly goes over the value at i again, under n, without writing.
func (p *pass) quietly(n *node, i int) bool {
	again, copying, next := p.again, p.copying, p.next
	depth, keys, items, seen := p.depth, len(p.keys), len(p.items), len(p.seen)
	p.again, p.copying, p.next = true, false, -1
	end := p.value(n, i)
	p.again, p.copying, p.next, p.depth = again, copying, next, depth
	p.keys, p.items, p.seen = p.keys[:keys], p.items[:items], p.seen[:seen]
	return end >= 0
}

// more checks a value that is known to be JSON against enum, references and alternatives.
func (p *pass) more(n *node, i, end int) bool {
	if n.enum != nil && !p.listed(n.enum, p.doc[i:end]) {
		return false
	}
	if n.ref != nil && !p.quietly(n.ref, i) {
		return false
	}
	for _, sub := range n.allOf {
		if !p.quietly(sub, i) {
			return false
		}
	}
	if n.anyOf != nil && p.matches(n.anyOf, i, 1) < 1 {
		return false
	}
	if n.oneOf != nil && p.matches(n.oneOf, i, 2) != 1 {
		return false
	}
	return n.not == nil || !p.quietly(n.not, i)
}

// matches counts the schemas that accept the value at i, up to limit.
func (p *pass) matches(list []*node, i, limit int) int {
	count := 0
	for _, sub := range list {
		if p.quietly(sub, i) {
			if count++; count == limit {
				break
			}
		}
	}
	return count
}

func (p *pass) listed(e *enumeration, raw []byte) bool {
	if raw[0] != '{' && raw[0] != '[' {
		var ok bool
		ok, p.scratch = e.hasScalar(raw, p.scratch)
		return ok
	}
	if e.kinds&(kindArray|kindObject) == 0 || !p.charge(len(raw)) {
		return false
	}
	v, _ := parse(raw, jsontext.MaxDepth)
	p.scratch = appendCanonical(p.scratch[:0], v)
	return e.canonical[string(p.scratch)]
}

// unique reports whether no two of the items from base on are equal, and forgets them. All are written in canonical form
// one after the other, and sorted there.
func (p *pass) unique(base int) bool {
	items := p.items[base:]
	p.items = p.items[:base]
	written := p.scratch[:0]
	for i := range items {
		raw := p.doc[items[i].start:items[i].end]
		if !p.charge(len(raw)) {
			return false
		}
		start := len(written)
		if raw[0] == '{' || raw[0] == '[' {
			v, _ := parse(raw, jsontext.MaxDepth)
			written = appendCanonical(written, v)
		} else {
			written = appendCanonicalScalar(written, raw)
		}
		items[i] = span{start, len(written)}
	}
	p.scratch = written
	slices.SortFunc(items, func(a, b span) int { return bytes.Compare(written[a.start:a.end], written[b.start:b.end]) })
	for i := 1; i < len(items); i++ {
		if bytes.Equal(written[items[i-1].start:items[i-1].end], written[items[i].start:items[i].end]) {
			return false
		}
	}
	return true
}
