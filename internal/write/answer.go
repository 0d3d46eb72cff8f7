package write

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// An Answer is a result with memory for one text block, in one piece.
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

// Fill sets the structured content of a, and its content where a has none. What the schema refuses is returned for an
// explanation; an error, a *Fault or ErrTooLarge, says what could not be written.
func (w *Writer) Fill(a *Answer, v reflect.Value, style Style) (refused []byte, err error) {
	b := w.memory.take()
	if err := w.walk(b, v, style); err != nil {
		if err != ErrTooLarge { // its memory is not worth keeping
			w.memory.put(b)
		}
		return nil, err
	}
	if b.refused || !b.proven && !w.check.Check(b.doc) {
		return b.doc, nil
	}
	words := a.Result.Content != nil // the author's own
	doc, text := w.memory.give(b, !words)
	switch {
	case words:
	case w.root == nil:
		// An empty content breaks some hosts, and "null" reads like a failure.
		a.Say("done")
	case len(b.ends) == 1 && len(b.given) == 0:
		a.Say(text)
	default:
		a.Result.Content = b.content(text)
	}
	a.Result.StructuredContent = doc
	w.memory.put(b)
	return nil, nil
}

// content cuts text into blocks, which share one array, and adds those that are given.
func (b *buffer) content(text string) []mcp.Content {
	blocks := make([]mcp.TextContent, len(b.ends))
	content := make([]mcp.Content, 0, len(b.ends)+len(b.given))
	start, given := 0, b.given
	for i, end := range b.ends {
		for len(given) > 0 && given[0].after == i {
			content, given = append(content, given[0].block), given[1:]
		}
		blocks[i].Text = text[start:end]
		content = append(content, &blocks[i])
		start = end
	}
	for _, g := range given {
		content = append(content, g.block)
	}
	return content
}

// A memory keeps buffers between the calls of one tool.
type memory struct {
	buffers sync.Pool // of *buffer
	last    sizes     // of the last large answer
}

// sizes remember how long the last large answer became.
type sizes struct{ doc, text, blocks atomic.Int64 }

// large is the size from which an answer gets memory of its own, as long as the last one needed: small answers are copied
// out of buffers that stay, large ones are given away as they were written, because growing and copying them in every
// call would cost more than all the rest.
const large = 4 << 10

// take returns an empty buffer.
func (m *memory) take() *buffer {
	b, ok := m.buffers.Get().(*buffer)
	if !ok {
		b = new(buffer)
	}
	b.doc, b.text, b.ends = b.doc[:0], b.text[:0], b.ends[:0]
	if n := int(m.last.doc.Load()); n > 0 {
		b.doc = grown(b.doc, n)
		b.text = grown(b.text, int(m.last.text.Load()))
		n = int(m.last.blocks.Load())
		b.ends = slices.Grow(b.ends, n+n/16)
	}
	return b
}

func (m *memory) put(b *buffer) {
	clear(b.given)
	b.given = b.given[:0]
	m.buffers.Put(b)
}

// grown is b, or memory for somewhat more than n bytes. It is not cleared first, which would cost raw JSON a twentieth: what is
// in it shows only as far as it was written over, since an answer is cut off at its end.
func grown(b []byte, n int) []byte {
	if cap(b) >= n {
		return b
	}
	var s strings.Builder
	s.Grow(n + n/16)
	s.WriteByte(0) // an empty string has no address
	return unsafe.Slice(unsafe.StringData(s.String()), s.Cap())[:0]
}

// give takes the document out of b, and its text where that is asked for. No one may write to a text's bytes again.
func (m *memory) give(b *buffer, shown bool) (doc json.RawMessage, text string) {
	n := len(b.doc)
	if n < large {
		if m.last.doc.Load() != 0 {
			m.last.doc.Store(0)
		}
		if !shown {
			return slices.Clone(b.doc), ""
		}
		b.doc = append(b.doc, b.text...) // both in one piece, copied to memory that need not be cleared first
		both := make([]byte, len(b.doc))
		copy(both, b.doc)
		return both[:n:n], unsafe.String(unsafe.SliceData(both[n:]), len(b.text))
	}
	m.last.doc.Store(int64(n))
	m.last.text.Store(int64(len(b.text)))
	m.last.blocks.Store(int64(len(b.ends)))
	doc, b.doc = fitting(b.doc), nil
	if shown {
		own := fitting(b.text)
		b.text = nil
		text = unsafe.String(unsafe.SliceData(own), len(own))
	}
	return doc, text
}

// fitting is b, or a copy where b would keep more than its size in memory: answers of one tool may differ widely.
func fitting(b []byte) []byte {
	if cap(b) > 2*len(b) {
		return slices.Clone(b)
	}
	return slices.Clip(b)
}
