package validate

import "github.com/diptych-mcp/diptych/internal/jsontext"

// A pass goes over a document once, and over the parts that a keyword has alternatives for again for each. It stops at the
// first fault and does not explain it. Passes are reused, for the memory of their slices.
type pass struct {
	doc []byte

	raw    bool   // JSON from elsewhere: what is space in it is noted
	gaps   []span // the space
	gapped int    // how much of it

	text     []byte
	ends     []int // of the blocks in text
	next     int   // where the next block starts; -1: none, or inside one
	each     int   // at this depth, every item of the array is a block; 0: none is
	bare     bool  // strings are blocks without their quotes
	fromDoc  int   // where the open block starts in doc, without the space before it
	fromText int   // and in text

	most int  // bytes of text, after which the pass gives up
	full bool // it has
	line bool // the text of every block is one line

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

type span struct{ start, end int }

// check goes over doc, a whole document. spent reports that the pass gave up and has no verdict.
func (p *pass) check(n *node, doc []byte) (ok, spent bool) {
	p.part(0)
	p.doc, p.steps = doc, steps(len(doc))
	i := p.value(n, jsontext.SkipSpace(doc, 0))
	ok, spent = i >= 0 && jsontext.SkipSpace(doc, i) == len(doc) && !p.spent, p.spent
	p.forget()
	return ok, spent
}

// value goes over the value at i and returns the index after it, or -1.
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
		p.gapped += end - i
	}
	return end
}

// block goes over the value at i and writes it as a block.
func (p *pass) block(n *node, i int) int {
	bare := p.bare && p.doc[i] == '"'
	p.next, p.copying = -1, !bare
	p.fromDoc, p.fromText = i-p.gapped, len(p.text)
	end := p.value(n, i)
	p.copying = false
	switch {
	case end < 0:
		return -1
	case bare && end-i > len(`""`):
		p.text = jsontext.AppendUnescaped(p.text, p.doc[i+1:end-1])
	case bare: // servers of models refuse empty text
		p.text = append(p.text, `""`...)
	}
	p.ends = append(p.ends, len(p.text))
	return end
}

func (p *pass) array(n *node, i int) int {
	doc, start, at := p.doc, i, i-p.gapped
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
	line := p.openText('[', start, at)
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
	p.closeText(line, ']', i)
	p.depth--
	return i + 1
}
