package validate

import "github.com/diptych-mcp/diptych/internal/jsontext"

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
	i := p.value(n, jsontext.SkipSpace(doc, 0))
	ok = i >= 0 && jsontext.SkipSpace(doc, i) == len(doc) && len(p.blocks) == 0 && !p.spent
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
	case '{':
		if n.kinds&kindObject == 0 {
			return -1
		}
		end = p.object(n, i)
	case '[':
		if n.kinds&kindArray == 0 {
			return -1
		}
		end = p.array(n, i)
	default:
		if end = p.scalar(n, i); end < 0 {
			return -1
		}
		p.steps -= (end - i) >> 5
		if p.copying {
			p.text = append(p.text, doc[i:end]...)
		}
	}
	if end < 0 || n.checksMore && !p.more(n, i, end) {
		return -1
	}
	return end
}

// scalar goes over the string, number or literal at i, as far as n itself asks for more than alternatives do. It does not
// write.
func (p *pass) scalar(n *node, i int) int {
	doc := p.doc
	switch c := doc[i]; c {
	case '"':
		end, plain := jsontext.ScanString(doc, i)
		switch length := end - i - 2; {
		case end < 0 || n.kinds&kindString == 0:
			return -1
		case !n.checksString:
		case plain && !n.readsString:
			if length < n.minLength || length > n.maxLength {
				return -1
			}
		case !p.string(n, doc[i+1:end-1], plain):
			return -1
		}
		return end
	case 't':
		if n.kinds&kindBoolean == 0 || len(doc)-i < 4 || string(doc[i:i+4]) != "true" {
			return -1
		}
		return i + 4
	case 'f':
		if n.kinds&kindBoolean == 0 || len(doc)-i < 5 || string(doc[i:i+5]) != "false" {
			return -1
		}
		return i + 5
	case 'n':
		if n.kinds&kindNull == 0 || len(doc)-i < 4 || string(doc[i:i+4]) != "null" {
			return -1
		}
		return i + 4
	default:
		end, small, form := scanNumber(doc, i)
		if end < 0 {
			return -1
		}
		if n.admits&kindNumber == kindInteger && disguised(c, small, form) {
			p.differs = true
		}
		if (n.kinds&kindNumber != kindNumber || n.checksNumber) && !n.number(doc[i:end], small, form) {
			return -1
		}
		return end
	}
}

// space returns where the space at i ends.
func (p *pass) space(i int) int {
	if i < len(p.doc) && p.doc[i] > ' ' {
		return i
	}
	end := jsontext.SkipSpace(p.doc, i)
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
		p.text = jsontext.AppendUnescaped(p.text, p.doc[i+1:end-1])
	}
	p.ends = append(p.ends, len(p.text))
	if len(p.blocks) > 0 {
		p.next = p.blocks[0].Start
	}
	return end
}

func (p *pass) array(n *node, i int) int {
	doc := p.doc
	if p.depth++; p.depth > jsontext.MaxDepth {
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
