package validate

import (
	"bytes"
	"slices"
)

// A pass goes over a document once. It stops at the first fault without a word; where a keyword holds alternatives, the
// part they apply to is gone over again for each. Passes are reused, for the room in their slices.
type pass struct {
	doc    []byte
	text   []byte
	ends   []int
	blocks []Block // still to come
	next   int     // where the next block starts; -1: none, or inside one

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
	p.next, p.again, p.copying, p.level, p.depth = -1, false, false, 0, 0
	p.steps, p.spent = steps(len(doc)), false
	p.keys, p.items, p.seen = p.keys[:0], p.items[:0], p.seen[:0]
	if len(blocks) > 0 {
		p.next = blocks[0].Start
	}
	i := p.value(n, skipSpace(doc, 0))
	ok = i >= 0 && skipSpace(doc, i) == len(doc) && len(p.blocks) == 0 && !p.spent
	text, ends, spent = p.text, p.ends, p.spent
	p.doc, p.text, p.ends, p.blocks = nil, nil, nil, nil
	if cap(p.scratch) > keptScratch {
		p.scratch = nil
	}
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

// slot finds the place in a fork from the first byte of a value.
func slot(c byte) int {
	switch c {
	case 'n':
		return kindNull.slot()
	case 't', 'f':
		return kindBoolean.slot()
	case '"':
		return kindString.slot()
	case '[':
		return kindArray.slot()
	case '{':
		return kindObject.slot()
	}
	return kindInteger.slot()
}

// block goes over the value of the next block and writes it.
func (p *pass) block(n *node, i int) int {
	b := p.blocks[0]
	p.blocks = p.blocks[1:]
	p.next = -1
	p.copying = !b.Bare
	end := p.value(n, i)
	p.copying = false
	if end < 0 || end != b.End {
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

// fresh is what stands between two elements of an indented text: a comma, a line break and two spaces a level.
const (
	spaces64 = "                                                                "
	spaces2k = spaces64 + spaces64 + spaces64 + spaces64 + spaces64 + spaces64 + spaces64 + spaces64 +
		spaces64 + spaces64 + spaces64 + spaces64 + spaces64 + spaces64 + spaces64 + spaces64 +
		spaces64 + spaces64 + spaces64 + spaces64 + spaces64 + spaces64 + spaces64 + spaces64 +
		spaces64 + spaces64 + spaces64 + spaces64 + spaces64 + spaces64 + spaces64 + spaces64
	fresh = ",\n" + spaces2k
)

func (p *pass) openBracket(c byte) {
	p.level++
	p.text = append(p.text, c)
}

func (p *pass) closeBracket(c byte) {
	p.level--
	p.text = append(p.text, fresh[1:2+2*p.level]...)
	p.text = append(p.text, c)
}

// element writes what stands before an element, the count-th.
func (p *pass) element(count int) {
	if count == 0 {
		p.text = append(p.text, fresh[1:2+2*p.level]...)
	} else {
		p.text = append(p.text, fresh[:2+2*p.level]...)
	}
}

// declared writes what stands before the value of a declared property, the count-th member.
func (p *pass) declared(d *property, count int) {
	if p.level > len(d.leads) {
		p.element(count)
		p.text = append(p.text, d.spaced...)
		return
	}
	lead := d.leads[p.level-1]
	if count == 0 {
		lead = lead[1:]
	}
	p.text = append(p.text, lead...)
}

func (p *pass) array(n *node, i int) int {
	doc := p.doc
	if p.depth++; p.depth > maxDepth {
		return -1
	}
	if i = skipSpace(doc, i+1); i < len(doc) && doc[i] == ']' {
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
		if p.copying {
			p.element(count)
		}
		end := p.value(item, i)
		if end < 0 {
			return -1
		}
		if n.unique {
			p.items = append(p.items, span{i, end})
		}
		count++
		if i = skipSpace(doc, end); i >= len(doc) {
			return -1
		}
		if doc[i] == ',' {
			i = skipSpace(doc, i+1)
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
	if i = skipSpace(doc, i+1); i < len(doc) && doc[i] == '}' {
		p.depth--
		if len(n.required) > 0 || n.minProperties > 0 {
			return -1
		}
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
			if i >= len(doc) || doc[i] != '"' {
				return -1
			}
			end, plain := scanString(doc, i)
			if end < 0 {
				return -1
			}
			p.steps -= (end - i) >> 5
			if n.index != nil {
				at = p.lookup(n, doc[i+1:end-1], plain)
			}
			if at < 0 && !p.again {
				if len(p.keys) > base && ascending {
					last := p.keys[len(p.keys)-1]
					ascending = p.compareKeys(last, span{i + 1, end - 1}) < 0
				}
				p.keys = append(p.keys, span{i + 1, end - 1})
			}
			if n.names != nil && !p.quietly(n.names, i) {
				return -1
			}
			if p.copying {
				p.element(count)
				p.text = append(p.text, doc[i:end]...)
				p.text = append(p.text, ": "...)
			}
			if i = skipSpace(doc, end); i >= len(doc) || doc[i] != ':' {
				return -1
			}
			i++
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
			i = skipSpace(doc, i)
		}
		if i = p.value(child, i); i < 0 {
			return -1
		}
		if i < len(doc) && doc[i] <= ' ' {
			i = skipSpace(doc, i)
		}
		if i >= len(doc) {
			return -1
		}
		if doc[i] == ',' {
			if i++; i < len(doc) && doc[i] <= ' ' {
				i = skipSpace(doc, i)
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

// lookup finds the declared property that a key names, or -1.
func (p *pass) lookup(n *node, key []byte, plain bool) int {
	if !plain && bytes.IndexByte(key, '\\') >= 0 {
		p.scratch = appendString(p.scratch[:0], key)
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
		p.scratch = appendString(p.scratch[:0], x)
		p.other = appendString(p.other[:0], y)
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

// string holds the inside of a string against the keywords of strings.
func (p *pass) string(n *node, inside []byte, plain bool) bool {
	if n.words != nil && !p.word(n.words, inside, plain) {
		return false
	}
	if n.minLength > 0 || n.maxLength < unbounded {
		length := len(inside)
		if !plain {
			length = countRunes(inside)
		}
		if length < n.minLength || length > n.maxLength {
			return false
		}
	}
	if n.pattern == nil && n.format == nil && !n.base64 {
		return true
	}
	if !plain && bytes.IndexByte(inside, '\\') >= 0 {
		p.scratch = appendString(p.scratch[:0], inside)
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
		p.scratch = appendString(p.scratch[:0], inside)
		inside = p.scratch
	}
	for _, w := range words {
		if string(inside) == w {
			return true
		}
	}
	return false
}

// number holds the text of a number against the kinds and the keywords of numbers.
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

// cost is what matching n bytes takes, in steps.
func (p *pattern) cost(n int) int { return n * p.size / 64 }

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

// more holds a value that is known to be JSON against enum, references and alternatives.
func (p *pass) more(n *node, i, end int) bool {
	if n.enum != nil && !p.member(n.enum, p.doc[i:end]) {
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

func (p *pass) member(e *enumeration, raw []byte) bool {
	if raw[0] != '{' && raw[0] != '[' {
		var ok bool
		ok, p.scratch = e.hasScalar(raw, p.scratch)
		return ok
	}
	if e.kinds&(kindArray|kindObject) == 0 || !p.charge(len(raw)) {
		return false
	}
	v, _ := parse(raw, maxDepth)
	p.scratch = appendCanonical(p.scratch[:0], v)
	return e.canonical[string(p.scratch)]
}

// unique reports whether no two of the items from base on are equal, and forgets them. All are written in canonical form
// one behind the other, and put in order there.
func (p *pass) unique(base int) bool {
	items := p.items[base:]
	p.items = p.items[:base]
	room := p.scratch[:0]
	for i := range items {
		raw := p.doc[items[i].start:items[i].end]
		if !p.charge(len(raw)) {
			return false
		}
		start := len(room)
		if raw[0] == '{' || raw[0] == '[' {
			v, _ := parse(raw, maxDepth)
			room = appendCanonical(room, v)
		} else {
			room = appendCanonicalScalar(room, raw)
		}
		items[i] = span{start, len(room)}
	}
	p.scratch = room
	slices.SortFunc(items, func(a, b span) int { return bytes.Compare(room[a.start:a.end], room[b.start:b.end]) })
	for i := 1; i < len(items); i++ {
		if bytes.Equal(room[items[i-1].start:items[i-1].end], room[items[i].start:items[i].end]) {
			return false
		}
	}
	return true
}
