package write

import (
	"math"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych/internal/jsontext"
	"github.com/diptych-mcp/diptych/internal/validate"
)

// A buffer is what one value is written to. Its memory is used again.
type buffer struct {
	doc  []byte
	text []byte // the text blocks, one after the other
	ends []int  // where each of them ends in text

	given []given // content blocks that are values themselves

	proven  bool // so far, everything that the schema asks
	refused bool // there is raw JSON that no schema accepts; the text of it is missing
	mute    bool // inside an array or object that is one line of the text, which is copied from the document

	style   Style
	tooLong bool // there is a part that was not written to its end, since the answer is larger than the style allows

	nesting  int // of arrays and objects
	outside  int // nesting around the open block
	depth    int // of pointers, slices and maps
	fromDoc  int // where the open block starts in doc
	fromText int // and in text

	reader validate.Reader
}

// A given is a content block after so many text blocks.
type given struct {
	after int
	block mcp.Content
}

// begin empties b.
func (b *buffer) begin(proven bool, style Style) {
	if style.Most <= 0 {
		style.Most = math.MaxInt
	}
	b.style, b.tooLong = style, false
	b.proven, b.refused, b.mute = proven, false, false
	b.nesting, b.outside, b.depth = 0, 0, 0
	b.reader.StartWithin(style.Most, style.Compact)
}

// full reports whether the answer has become larger than it may be. Whoever writes something again and again asks in between.
func (b *buffer) full() bool { return b.tooLong || len(b.doc)+len(b.text) > b.style.Most }

// open begins a text block, and end ends it.
func (b *buffer) open() {
	b.outside, b.fromDoc, b.fromText = b.nesting, len(b.doc), len(b.text)
}

func (b *buffer) end() { b.ends = append(b.ends, len(b.text)) }

// both writes a token to the document and to the text.
func (b *buffer) both(token string) {
	b.doc = append(b.doc, token...)
	if !b.mute {
		b.text = append(b.text, token...)
	}
}

// copied writes to the text what is in the document from start on.
func (b *buffer) copied(start int) {
	if !b.mute {
		b.text = append(b.text, b.doc[start:]...)
	}
}

// level is the indentation of what is inside the innermost array or object.
func (b *buffer) level() int { return b.nesting - b.outside }

// enter begins an array or an object. line reports that it is the outermost one on its line of the text.
func (b *buffer) enter() (line bool) {
	b.deeper()
	if b.mute || !b.style.Compact && !validate.OneLine(b.level(), len(b.doc)-b.fromDoc, len(b.text)-b.fromText) {
		return false
	}
	b.mute = true
	return true
}

// deeper counts an array or an object.
func (b *buffer) deeper() {
	b.nesting++
	b.say(b.nesting <= jsontext.MaxDepth)
}

// first writes the bracket of an array or an object and what comes before its first element to both panels, next what comes
// before the others.
func (b *buffer) first(bracket byte) {
	b.doc = append(b.doc, bracket)
	if !b.mute {
		b.text = append(append(b.text, bracket), validate.Fresh(b.level())[1:]...)
	}
}

func (b *buffer) next() {
	b.doc = append(b.doc, ',')
	if !b.mute {
		b.text = append(b.text, validate.Fresh(b.level())...)
	}
}

// leave ends the array or the object that began at start in the document.
func (b *buffer) leave(line bool, start int, bracket byte) {
	b.nesting--
	b.doc = append(b.doc, bracket)
	switch {
	case line:
		b.mute = false
		b.text = append(b.text, b.doc[start:]...)
	case !b.mute:
		b.text = append(append(b.text, validate.Fresh(b.level())[1:]...), bracket)
	}
}

// meets reads what is in the document from start on, one value, and notes whether it meets d.
func (b *buffer) meets(d validate.Demand, start int) {
	b.proven = b.proven && b.reader.Meets(d, b.doc, start)
}

// say notes whether something that the schema asks is so.
func (b *buffer) say(so bool) { b.proven = b.proven && so }

// empty ends an array or an object that has nothing in it.
func (b *buffer) empty(line bool, brackets string) {
	b.nesting--
	b.mute = b.mute && !line
	b.both(brackets)
}
