package validate

import (
	"math"

	"github.com/diptych-mcp/diptych/internal/jsontext"
)

// A Reader checks parts of a document while the rest is written by someone who needs no reader: what a schema asks beyond a
// Demand's methods, and JSON that others wrote. Its zero value is ready for Start; it keeps its memory for the next document.
type Reader struct{ p pass }

// Start begins a new document, and with it a new account of the work. Its text may have any length and many lines.
func (r *Reader) Start() { r.StartWithin(math.MaxInt, false) }

// StartWithin is Start for a text of at most so many bytes, each block of it on one line where line is set.
func (r *Reader) StartWithin(most int, line bool) {
	r.p.steps, r.p.most, r.p.full, r.p.line = stepsBase, most, false, line
}

// Full reports whether the text would have become longer than it may be. What was read then is not to be used.
func (r *Reader) Full() bool { return r.p.full }

// Meets reports whether the end of doc, one value from start on, meets d.
func (r *Reader) Meets(d Demand, doc []byte, start int) bool {
	r.p.part(0)
	defer r.p.forget()
	return r.p.rest(d, doc, start)
}

// Indent appends doc, one value without space, to text as lines.
func (r *Reader) Indent(anything Demand, doc, text []byte) []byte {
	p := &r.p
	p.part(0)
	p.text, p.copying, p.fromText = text, true, len(text)
	p.rest(anything, doc, 0)
	text = p.text
	p.forget()
	return text
}

// A Raw is where raw JSON goes: after Doc without the space in it, after Text as lines.
type Raw struct {
	Doc, Text []byte
	Ends      []int // of the text blocks
	Cut       *Cut  // which blocks the JSON becomes; nil: it is a part of the open one
	Mute      bool  // it has no text

	Depth               int // arrays and objects around it
	Level               int // its indentation
	BlockDoc, BlockText int // how much of the open block is in Doc and Text already
}

// A Cut says which parts of raw JSON are text blocks: the whole, or each item where it is an array.
type Cut struct {
	Each bool
	Bare bool // a string that is a block is without its quotes
}

// Raw checks src, JSON with or without space around and in it, against d, and appends it. Where ok is false r is as it was. It
// reads a copy: what is sent is what was checked, even if src belongs to someone who goes on writing to it.
func (r *Reader) Raw(d Demand, src []byte, to *Raw) (ok bool) {
	start := len(to.Doc)
	doc := append(to.Doc, src[jsontext.SkipSpace(src, 0):]...)
	p := &r.p
	p.part(to.Depth)
	p.raw, p.doc = true, doc
	p.text, p.ends, p.copying, p.level = to.Text, to.Ends, to.Cut == nil && !to.Mute, to.Level
	p.fromDoc, p.fromText = start-to.BlockDoc, len(to.Text)-to.BlockText
	if cut := to.Cut; cut != nil {
		p.level = 0
		if cut.Each && start < len(doc) && doc[start] == '[' {
			p.bare, p.each = cut.Bare, to.Depth+1
		} else {
			p.bare, p.next = cut.Bare && !cut.Each, start
		}
	}
	p.steps = max(p.steps, 0) + stepsPerByte*len(src)
	end := p.value(d.n, start)
	if ok = end >= 0 && jsontext.SkipSpace(doc, end) == len(doc) && !p.spent; ok {
		to.Doc, to.Text, to.Ends = without(doc[:end], p.gaps), p.text, p.ends
	}
	p.forget()
	return ok
}

// without closes the gaps.
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

// part prepares p for one part of a document.
func (p *pass) part(depth int) {
	p.raw, p.each, p.bare, p.gapped, p.fromDoc = false, 0, false, 0, 0
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
	p.doc, p.text, p.ends = nil, nil, nil
	if cap(p.scratch) > keptScratch {
		p.scratch = nil
	}
	if cap(p.gaps) > keptScratch/16 {
		p.gaps = nil
	}
}
