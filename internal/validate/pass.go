package validate

import "bytes"

// A pass goes over a document once. It stops at the first fault without a word; where a keyword holds alternatives, the
// part they apply to is gone over again for each. Passes are reused, for the room in their slices.
type pass struct {
	doc    []byte
	text   []byte
	ends   []int
	blocks []Block // still to come
	next   int     // where the next block starts; -1: none, or inside one

	raw  bool   // JSON from elsewhere: what is space in it is noted, and nobody has marked its blocks
	gaps []span // the space
	each int    // at this depth of raw JSON, every item of the array is a block; 0: none is
	bare bool   // strings among the blocks of raw JSON are bare

	differs bool // what is meant is not what is said: see Arguments
	again   bool // over a part that is known to be good JSON
	copying bool
	level   int // of indentation
	depth   int // of nesting

	steps int // left
	spent bool

	keys    []span   // undeclared keys of the objects that are open
	items   []span   // items of the arrays that are open and must not repeat one
	seen    []uint64 // declared properties met, for objects that declare more than 64
	scratch []byte
	other   []byte
}

// keptScratch is the most room that a pass keeps for its next document.
const keptScratch = 1 << 20

type span struct{ start, end int }

// run goes over doc. spent reports that the pass gave up and has no verdict.
func (p *pass) run(n *node, text []byte, ends []int, doc []byte, blocks []Block) (_ []byte, _ []int, ok, spent bool) {
	p.doc, p.text, p.ends, p.blocks = doc, text, ends, blocks
	p.part(0)
	p.steps = steps(len(doc))
	if len(blocks) > 0 {
		p.next = blocks[0].Start
	}
	i := p.value(n, skipSpace(doc, 0))
	ok = i >= 0 && skipSpace(doc, i) == len(doc) && len(p.blocks) == 0 && !p.spent
	text, ends, spent = p.text, p.ends, p.spent
	p.forget()
	return text, ends, ok, spent
}

// value goes over the value at i and returns the index behind it, or -1.
func (p *pass) value(n *node, i int) int {
	doc := p.doc
	if i >= len(doc) {
		return -1
	}
	if i == p.next {
		return p.block(n, i)
	}
	if p.steps--; p.steps < 0 {
		p.spent = true
		return -1
	}
	c := doc[i]
	for n.short {
		if n.jump != nil {
			n = n.jump
		} else if n = n.fork[slot(c)]; n == nil {
			return -1
		}
	}
	end := -1
	switch c {
	case '"':
		var plain bool
		end, plain = scanString(doc, i)
		if end < 0 || n.kinds&kindString == 0 || n.checksString && !p.string(n, doc[i+1:end-1], plain) {
			return -1
		}
	case '{':
		if n.kinds&kindObject == 0 {
			return -1
		}
		end = p.object(n, i)
		if end < 0 || n.checksMore && !p.more(n, i, end) {
			return -1
		}
		return end
	case '[':
		if n.kinds&kindArray == 0 {
			return -1
		}
		end = p.array(n, i)
		if end < 0 || n.checksMore && !p.more(n, i, end) {
			return -1
		}
		return end
	case 't':
		if n.kinds&kindBoolean == 0 || len(doc)-i < 4 || string(doc[i:i+4]) != "true" {
			return -1
		}
		end = i + 4
	case 'f':
		if n.kinds&kindBoolean == 0 || len(doc)-i < 5 || string(doc[i:i+5]) != "false" {
			return -1
		}
		end = i + 5
	case 'n':
		if n.kinds&kindNull == 0 || len(doc)-i < 4 || string(doc[i:i+4]) != "null" {
			return -1
		}
		end = i + 4
	default:
		var small int64
		var form numberForm
		end, small, form = scanNumber(doc, i)
		if end < 0 {
			return -1
		}
		if n.admits&kindNumber == kindInteger && disguised(c, small, form) {
			p.differs = true
		}
		if n.kinds&kindNumber != kindNumber || n.checksNumber {
			if !n.number(doc[i:end], small, form) {
				return -1
			}
		}
	}
	p.steps -= (end - i) >> 5
	if p.copying {
		p.text = append(p.text, doc[i:end]...)
	}
	if n.checksMore && !p.more(n, i, end) {
		return -1
	}
	return end
}

// space returns where the space at i ends.
func (p *pass) space(i int) int {
	if i < len(p.doc) && p.doc[i] > ' ' {
		return i
	}
	end := skipSpace(p.doc, i)
	if p.raw && end > i && !p.again {
		p.gaps = append(p.gaps, span{i, end})
	}
	return end
}

// block goes over the value of the next block and writes it.
func (p *pass) block(n *node, i int) int {
	b := Block{i, -1, p.bare && p.doc[i] == '"'}
	if !p.raw {
		b = p.blocks[0]
		p.blocks = p.blocks[1:]
	}
	p.next = -1
	p.copying = !b.Bare
	end := p.value(n, i)
	p.copying = false
	if end < 0 || !p.raw && end != b.End {
		return -1
	}
	if b.Bare {
		if p.doc[i] != '"' {
			return -1
		}
		p.text = appendString(p.text, p.doc[i+1:end-1])
	}
	p.ends = append(p.ends, len(p.text))
	if len(p.blocks) > 0 {
		p.next = p.blocks[0].Start
	}
	return end
}

func (p *pass) array(n *node, i int) int {
	doc := p.doc
	if p.depth++; p.depth > maxDepth {
		return -1
	}
	if i = p.space(i + 1); i < len(doc) && doc[i] == ']' {
		p.depth--
		if n.minItems > 0 {
			return -1
		}
		if p.copying {
			p.text = append(p.text, "[]"...)
		}
		return i + 1
	}
	if p.copying {
		p.openBracket('[')
	}
	base, count := len(p.items), 0
	for {
		item := n.items
		if count < len(n.prefix) {
			item = n.prefix[count]
		}
		switch {
		case p.copying:
			p.element(count)
		case p.depth == p.each && !p.again:
			p.next = i
		}
		end := p.value(item, i)
		if end < 0 {
			return -1
		}
		if n.unique {
			p.items = append(p.items, span{i, end})
		}
		count++
		if i = p.space(end); i >= len(doc) {
			return -1
		}
		if doc[i] == ',' {
			i = p.space(i + 1)
			continue
		}
		if doc[i] != ']' || count < n.minItems || count > n.maxItems {
			return -1
		}
		break
	}
	if n.unique && !p.unique(base) {
		return -1
	}
	if p.copying {
		p.closeBracket(']')
	}
	p.depth--
	return i + 1
}

func (p *pass) object(n *node, i int) int {
	doc := p.doc
	if p.depth++; p.depth > maxDepth {
		return -1
	}
	if i = p.space(i + 1); i < len(doc) && doc[i] == '}' {
		p.depth--
		if len(n.required) > 0 || n.minProperties > 0 {
			return -1
		}
		p.differs = p.differs || n.presets != 0
		if p.copying {
			p.text = append(p.text, "{}"...)
		}
		return i + 1
	}
	if p.copying {
		p.openBracket('{')
	}
	var (
		met       uint64        // declared properties, the first 64
		expected  int           // the declared property that should come next
		count     int           // of members
		base      = len(p.keys) // of undeclared keys
		wide      = len(p.seen) // where met goes on
		ascending = true        // undeclared keys came in order
		props     = n.properties
	)
	for range (len(props) - 1) >> 6 {
		p.seen = append(p.seen, 0)
	}
	for {
		at := -1
		if expected < len(props) && i+len(props[expected].token) <= len(doc) && string(doc[i:i+len(props[expected].token)]) == props[expected].token {
			at = expected
			i += len(props[at].token)
			if p.copying {
				p.declared(&props[at], count)
			}
			if n.names != nil && !p.quietly(n.names, i-len(props[at].token)) {
				return -1
			}
		} else {
			if at, i = p.key(n, i, count, base, &ascending); i < 0 {
				return -1
			}
		}
		child := n.additional
		if at >= 0 {
			child = props[at].node
			expected = at + 1
			if at < 64 {
				if met&(1<<at) != 0 {
					return -1
				}
				met |= 1 << at
			} else {
				word := &p.seen[wide+at>>6-1]
				if *word&(1<<(at&63)) != 0 {
					return -1
				}
				*word |= 1 << (at & 63)
			}
		}
		count++
		if i < len(doc) && doc[i] <= ' ' {
			i = p.space(i)
		}
		if i = p.value(child, i); i < 0 {
			return -1
		}
		if i < len(doc) && doc[i] <= ' ' {
			i = p.space(i)
		}
		if i >= len(doc) {
			return -1
		}
		if doc[i] == ',' {
			if i++; i < len(doc) && doc[i] <= ' ' {
				i = p.space(i)
			}
			continue
		}
		if doc[i] != '}' {
			return -1
		}
		break
	}
	if met&n.requiredMask != n.requiredMask || count < n.minProperties || count > n.maxProperties {
		return -1
	}
	p.differs = p.differs || n.presets&^met != 0
	if len(props) > 64 {
		p.steps -= len(props) / 16
		for _, r := range n.required {
			if r >= 64 && p.seen[wide+r>>6-1]&(1<<(r&63)) == 0 {
				return -1
			}
		}
		p.seen = p.seen[:wide]
	}
	if !ascending && p.repeats(p.keys[base:]) {
		return -1
	}
	p.keys = p.keys[:base]
	if p.copying {
		p.closeBracket('}')
	}
	p.depth--
	return i + 1
}

// key goes over a key that is not the expected one, and its colon. It returns the declared property that the key names,
// or -1, and the index behind the colon, or -1.
func (p *pass) key(n *node, i, count, base int, ascending *bool) (at, behind int) {
	doc := p.doc
	if i >= len(doc) || doc[i] != '"' {
		return -1, -1
	}
	end, plain := scanString(doc, i)
	if end < 0 {
		return -1, -1
	}
	p.steps -= (end - i) >> 5
	if !plain && bytes.IndexByte(doc[i:end], '\\') >= 0 {
		p.differs = true
	}
	at = -1
	if n.index != nil {
		at = p.lookup(n, doc[i+1:end-1], plain)
	}
	if at < 0 && !p.again {
		here := span{i + 1, end - 1}
		if len(p.keys) > base && *ascending {
			*ascending = p.compareKeys(p.keys[len(p.keys)-1], here) < 0
		}
		p.keys = append(p.keys, here)
	}
	if n.names != nil && !p.quietly(n.names, i) {
		return -1, -1
	}
	if p.copying {
		p.element(count)
		p.text = append(p.text, doc[i:end]...)
		p.text = append(p.text, ": "...)
	}
	if i = p.space(end); i >= len(doc) || doc[i] != ':' {
		return -1, -1
	}
	return at, i + 1
}
