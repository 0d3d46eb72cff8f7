package validate

import "github.com/diptych-mcp/diptych/internal/jsontext"

// A Reader holds what others wrote against demands, one part of a document after the other, while the rest is written by
// someone who needs no reader. Its zero value is ready for Start; it keeps its room for the next document.
type Reader struct{ p pass }

// Start begins a new document, and with it a new account of the work.
func (r *Reader) Start() { r.p.steps = stepsBase }

// Meets reports whether the end of doc, one value from start on, meets d.
func (r *Reader) Meets(d Demand, doc []byte, start int) bool {
	r.p.part(0)
	defer r.p.forget()
	return r.p.rest(d, doc, start)
}

// Part holds the end of doc, one value from start on, against d and appends it to text, indented. Depth is how deep it
// stands in the document, level how deep in the text.
func (r *Reader) Part(d Demand, doc []byte, start int, text []byte, depth, level int) (_ []byte, ok bool) {
	p := &r.p
	p.part(depth)
	p.text, p.copying, p.level = text, true, level
	ok = p.rest(d, doc, start)
	text = p.text
	p.forget()
	return text, ok
}

// Blocks holds the end of doc, one value from start on, against d and appends its blocks to text, as Checker.Panel does.
func (r *Reader) Blocks(d Demand, doc []byte, start int, text []byte, ends []int, depth int, blocks []Block) (_ []byte, _ []int, ok bool) {
	p := &r.p
	p.part(depth)
	p.text, p.ends, p.blocks = text, ends, blocks
	if len(blocks) > 0 {
		p.next = blocks[0].Start
	}
	ok = p.rest(d, doc, start) && len(p.blocks) == 0
	text, ends = p.text, p.ends
	p.forget()
	return text, ends, ok
}

// A Cut says which parts of raw JSON are text blocks: the whole, or each item where it is an array.
type Cut struct {
	Each bool
	Bare bool // a string that is a block stands without its quotes
}

// Raw holds raw JSON, which may have space around and in it, against d. It appends it to doc without the space, and to text
// indented: as a part of the open block at this level where cut is nil, else as blocks. It reads a copy: what is sent is
// what was checked, even if raw belongs to someone who goes on writing to it.
func (r *Reader) Raw(d Demand, raw, doc, text []byte, ends []int, depth, level int, cut *Cut) (_, _ []byte, _ []int, ok bool) {
	start := len(doc)
	doc = append(doc, raw[jsontext.SkipSpace(raw, 0):]...)
	p := &r.p
	p.part(depth)
	p.raw, p.doc = true, doc
	p.text, p.ends, p.copying, p.level = text, ends, cut == nil, level
	if cut != nil {
		p.bare = cut.Bare
		if cut.Each && start < len(doc) && doc[start] == '[' {
			p.each = depth + 1
		} else {
			p.next = start
			p.bare = cut.Bare && !cut.Each
		}
	}
	p.steps += stepsPerByte * len(raw)
	end := p.value(d.n, start)
	if ok = end >= 0 && jsontext.SkipSpace(doc, end) == len(doc) && !p.spent; ok {
		doc = without(doc[:end], p.gaps)
	}
	text, ends = p.text, p.ends
	p.forget()
	return doc, text, ends, ok
}

// without moves together what stands between the gaps.
func without(doc []byte, gaps []span) []byte {
	if len(gaps) == 0 {
		return doc
	}
	kept := gaps[0].start
	for i, gap := range gaps {
		next := len(doc)
		if i+1 < len(gaps) {
			next = gaps[i+1].start
		}
		kept += copy(doc[kept:], doc[gap.end:next])
	}
	return doc[:kept]
}

// part makes p ready for one part of a document.
func (p *pass) part(depth int) {
	p.raw, p.each, p.bare = false, 0, false
	p.next, p.again, p.differs, p.copying, p.level, p.depth, p.spent = -1, false, false, false, 0, depth, false
	p.gaps, p.keys, p.items, p.seen = p.gaps[:0], p.keys[:0], p.items[:0], p.seen[:0]
}

// rest goes over the end of doc, which holds one value and nothing else.
func (p *pass) rest(d Demand, doc []byte, start int) bool {
	p.doc = doc
	p.steps += stepsPerByte * (len(doc) - start)
	end := p.value(d.n, start)
	return end == len(doc) && !p.spent
}

// forget lets go of what belongs to others.
func (p *pass) forget() {
	p.doc, p.text, p.ends, p.blocks = nil, nil, nil, nil
	if cap(p.scratch) > keptScratch {
		p.scratch = nil
	}
	if cap(p.gaps) > keptScratch/16 {
		p.gaps = nil
	}
}
