package validate

// A Reader holds what others wrote against demands, one part of a document after the other, while the rest is written by
// someone who needs no reader. Its zero value is ready for Start; it keeps its room for the next document.
type Reader struct{ p pass }

// Start begins a new document, and with it a new account of the work.
func (r *Reader) Start() { r.p.steps = stepsBase }

// Meets reports whether the end of doc, one value from start on, meets d.
func (r *Reader) Meets(d Demand, doc []byte, start int) bool {
	r.p.part(0)
	return r.p.rest(d, doc, start)
}

// Part holds the end of doc, one value from start on, against d and appends it to text, indented. Depth is how deep it
// stands in the document, level how deep in the text.
func (r *Reader) Part(d Demand, doc []byte, start int, text []byte, depth, level int) (_ []byte, ok bool) {
	p := &r.p
	p.part(depth)
	p.text, p.copying, p.level = text, true, level
	ok = p.rest(d, doc, start)
	text, p.text = p.text, nil
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
	p.text, p.ends, p.blocks = nil, nil, nil
	return text, ends, ok
}

// part makes p ready for one part of a document.
func (p *pass) part(depth int) {
	p.next, p.again, p.copying, p.level, p.depth, p.spent = -1, false, false, 0, depth, false
	p.keys, p.items, p.seen = p.keys[:0], p.items[:0], p.seen[:0]
}

// rest goes over the end of doc, which holds one value and nothing else.
func (p *pass) rest(d Demand, doc []byte, start int) bool {
	p.doc = doc
	p.steps += stepsPerByte * (len(doc) - start)
	end := p.value(d.n, start)
	p.doc = nil
	if cap(p.scratch) > keptScratch {
		p.scratch = nil
	}
	return end == len(doc) && !p.spent
}
