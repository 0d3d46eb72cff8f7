// Package panels turns one value into the two panels of a result. A press writes both in one walk and checks them; where it
// does not say yes, the value is encoded, and a pass over the bytes checks them and writes the text.
package panels

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych/internal/encode"
	"github.com/diptych-mcp/diptych/internal/press"
	"github.com/diptych-mcp/diptych/internal/shape"
	"github.com/diptych-mcp/diptych/internal/validate"
)

// A Filler fills the panels of one tool. It is safe for concurrent use.
type Filler struct {
	press   *press.Press    // nil where only the walker can judge
	encoder *encode.Encoder // nil for a tool without a value, which writes null
	check   *validate.Checker
	wrapped bool
	buffers sync.Pool // of *buffers
	last    sizes     // of the last large result
}

// New returns the Filler of a tool whose values have the shape s, nil where there is no value: check is the compiled schema
// of the whole structured content, where the value stands under "result" if it is wrapped.
func New(s *shape.Shape, forms shape.Forms, check *validate.Checker, wrapped bool) *Filler {
	f := &Filler{check: check, wrapped: wrapped}
	if s != nil {
		f.press, f.encoder = press.Compile(s, forms, check, wrapped), encode.Compile(s, forms)
	}
	return f
}

// An Answer is a result with room for one text block, in one piece of memory.
type Answer struct {
	Result  mcp.CallToolResult
	content [1]mcp.Content
	block   mcp.TextContent
}

// Say makes text the one block of the result.
func (a *Answer) Say(text string) {
	a.block.Text = text
	a.content[0] = &a.block
	a.Result.Content = a.content[:]
}

// Fill sets the structured content of a, and its content where a has none. What the check refuses is returned for
// an explanation; an error, an *encode.Fault, says what could not be written.
func (f *Filler) Fill(a *Answer, v reflect.Value) (refused []byte, err error) {
	b := f.take()
	if f.press == nil || !f.press.Print(&b.Sheet, v) {
		b.clear()
		if ok, err := f.plainly(b, v); err != nil {
			f.buffers.Put(b)
			return nil, err
		} else if !ok {
			return b.Doc, nil
		}
	}
	given := a.Result.Content != nil // the author's own words
	doc, text := f.give(b, !given)
	switch {
	case given:
	case f.encoder == nil:
		// An empty content breaks some hosts, and "null" reads like a failure.
		a.Say("done")
	case len(b.Ends) == 1:
		a.Say(text)
	default:
		a.Result.Content = Blocks(text, b.Ends)
	}
	a.Result.StructuredContent = doc
	f.buffers.Put(b)
	return nil, nil
}

// plainly encodes v, then checks the bytes and writes the text of them: the reference that a press is held to. It has the
// last word where the press has none, and its document can be explained.
func (f *Filler) plainly(b *buffers, v reflect.Value) (ok bool, err error) {
	if f.wrapped {
		b.Doc = append(b.Doc, `{"result":`...)
	}
	if f.encoder == nil {
		b.Doc = append(b.Doc, "null"...)
	} else if b.Doc, b.blocks, err = f.encoder.AppendBlocks(b.Doc, b.blocks, v); err != nil {
		return false, err
	}
	if f.wrapped {
		b.Doc = append(b.Doc, '}')
	}
	b.Text, b.Ends, ok = f.check.Panel(b.Text, b.Ends, b.Doc, b.blocks)
	return ok, nil
}

// Blocks cuts text at ends. The blocks share one array.
func Blocks(text string, ends []int) []mcp.Content {
	blocks := make([]mcp.TextContent, len(ends))
	content := make([]mcp.Content, len(ends))
	start := 0
	for i, end := range ends {
		blocks[i].Text = text[start:end]
		content[i] = &blocks[i]
		start = end
	}
	return content
}

// buffers are reused between calls of one tool.
type buffers struct {
	press.Sheet
	blocks []encode.Block
}

func (b *buffers) clear() {
	b.Doc, b.Text, b.Ends, b.blocks = b.Doc[:0], b.Text[:0], b.Ends[:0], b.blocks[:0]
}

// sizes remember how long the last large result became.
type sizes struct{ doc, text, blocks atomic.Int64 }

// large is the size from which a result gets memory of its own, as long as the last one needed: small results are copied
// out of buffers that stay, large ones are given away as they were written, because growing and copying them in every
// call would cost more than all the rest.
const large = 4 << 10

func (f *Filler) take() *buffers {
	b, ok := f.buffers.Get().(*buffers)
	if !ok {
		b = new(buffers)
	}
	b.clear()
	if n := int(f.last.doc.Load()); n > 0 {
		b.Doc = room(b.Doc, n)
		b.Text = room(b.Text, int(f.last.text.Load()))
		n = int(f.last.blocks.Load())
		b.Ends = slices.Grow(b.Ends, n+n/16)
	}
	return b
}

// room is b, or memory for somewhat more than n bytes. It is not cleared first, which raw JSON pays a twentieth for: what is in it
// shows only as far as it was written over, since a result is cut off at its end.
func room(b []byte, n int) []byte {
	if cap(b) >= n {
		return b
	}
	var s strings.Builder
	s.Grow(n + n/16)
	s.WriteByte(0) // an empty string has no address
	return unsafe.Slice(unsafe.StringData(s.String()), s.Cap())[:0]
}

// give takes the document out of b, and its text where that is asked for. Nobody may write to a text's bytes again.
func (f *Filler) give(b *buffers, shown bool) (doc json.RawMessage, text string) {
	n := len(b.Doc)
	if n < large {
		if f.last.doc.Load() != 0 {
			f.last.doc.Store(0)
		}
		if !shown {
			return slices.Clone(b.Doc), ""
		}
		b.Doc = append(b.Doc, b.Text...) // both in one piece, copied to memory that need not be cleared first
		both := make([]byte, len(b.Doc))
		copy(both, b.Doc)
		return both[:n:n], unsafe.String(unsafe.SliceData(both[n:]), len(b.Text))
	}
	f.last.doc.Store(int64(n))
	f.last.text.Store(int64(len(b.Text)))
	f.last.blocks.Store(int64(len(b.Ends)))
	doc, b.Doc = fitting(b.Doc), nil
	if shown {
		own := fitting(b.Text)
		b.Text = nil
		text = unsafe.String(unsafe.SliceData(own), len(own))
	}
	return doc, text
}

// fitting is b, or a copy where b would keep more than its size in memory: results of one tool may differ widely.
func fitting(b []byte) []byte {
	if cap(b) > 2*len(b) {
		return slices.Clone(b)
	}
	return slices.Clip(b)
}
