package validate

// A Block marks the part of a document that becomes one text block of the answer: a whole JSON value.
type Block = struct {
	Start, End int
	Bare       bool // a JSON string that stands without its quotes, decoded
}

// Check reports whether doc is JSON that the schema accepts.
func (c *Checker) Check(doc []byte) bool {
	_, _, ok := c.Panel(nil, nil, doc, nil)
	return ok
}

// Panel checks doc and, in the same pass, appends to text the parts that blocks mark, each indented by two spaces as
// json.Indent does with an empty prefix. ends gets the length of text after each block. Blocks are in document order and
// do not overlap; what lies outside them is checked but not copied. Where ok is false doc was refused, text and ends are
// of no use, and Explain says why.
func (c *Checker) Panel(text []byte, ends []int, doc []byte, blocks []Block) (_ []byte, _ []int, ok bool) {
	p := c.passes.Get().(*pass)
	defer c.passes.Put(p)
	if !c.slow {
		wrote, ended, ok, spent := p.run(c.root, text, ends, doc, blocks)
		if !spent {
			return wrote, ended, ok
		}
	}
	// The walker has the word on the verdict, but not on the text.
	text, ends, ok, _ = p.run(c.open, text, ends, doc, blocks)
	return text, ends, ok && c.accepts(doc)
}

// stepsPerByte and stepsBase bound the work on one document, in values visited. A document that its schema visits more
// often is refused as too costly: only schemas made to cost come near.
const (
	stepsPerByte = 16
	stepsBase    = 1 << 16
)

func steps(size int) int { return stepsBase + stepsPerByte*size }
