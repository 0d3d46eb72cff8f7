// Package panels turns one value into the two panels of a result. The value is encoded once, and the bytes are read
// once: the same pass checks what leaves and writes the text of it.
package panels

import (
	"encoding/json"
	"reflect"
	"slices"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych/internal/encode"
	"github.com/diptych-mcp/diptych/internal/validate"
)

// A Filler fills the panels of one tool. It is safe for concurrent use.
type Filler struct {
	encoder *encode.Encoder // nil for a tool without a value, which writes null
	check   *validate.Checker
	wrapped bool
	buffers sync.Pool // of *buffers
	last    sizes     // of the last large result
}

// New returns the Filler of a tool: its values' encoder, nil where there is no value, the compiled schema of the whole
// structured content, and whether the value stands under "result".
func New(encoder *encode.Encoder, check *validate.Checker, wrapped bool) *Filler {
	return &Filler{encoder: encoder, check: check, wrapped: wrapped}
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
	if f.wrapped {
		b.doc = append(b.doc, `{"result":`...)
	}
	switch {
	case f.encoder == nil:
		b.doc = append(b.doc, "null"...)
	case a.Result.Content == nil:
		b.doc, b.blocks, err = f.encoder.AppendBlocks(b.doc, b.blocks, v)
	default:
		b.doc, err = f.encoder.Append(b.doc, v)
	}
	if err != nil {
		f.buffers.Put(b)
		return nil, err
	}
	if f.wrapped {
		b.doc = append(b.doc, '}')
	}
	var ok bool
	if b.text, b.ends, ok = f.check.Panel(b.text, b.ends, b.doc, b.blocks); !ok {
		return b.doc, nil
	}
	doc, text := f.give(b)
	switch {
	case a.Result.Content != nil:
	case f.encoder == nil:
		// An empty content breaks some hosts, and "null" reads like a failure.
		a.Say("done")
	case len(b.ends) == 1:
		a.Say(text)
	default:
		a.Result.Content = Blocks(text, b.ends)
	}
	a.Result.StructuredContent = doc
	f.buffers.Put(b)
	return nil, nil
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
	doc, text []byte
	blocks    []encode.Block
	ends      []int
}

// sizes remember how long the last large result became.
type sizes struct{ doc, text, blocks atomic.Int64 }

// large is the size from which a result gets memory of its own, as long as the last one needed: small results are copied
// out of buffers that stay, large ones are given away as they were written, because growing and copying them in every
// call would cost more than all the rest.
const large = 32 << 10

func (f *Filler) take() *buffers {
	b, ok := f.buffers.Get().(*buffers)
	if !ok {
		b = new(buffers)
	}
	b.doc, b.text, b.blocks, b.ends = b.doc[:0], b.text[:0], b.blocks[:0], b.ends[:0]
	if n := int(f.last.doc.Load()); n > 0 {
		b.doc = make([]byte, 0, n+n/16)
		n = int(f.last.text.Load())
		b.text = make([]byte, 0, n+n/16)
		n = int(f.last.blocks.Load())
		b.blocks, b.ends = slices.Grow(b.blocks, n+n/16), slices.Grow(b.ends, n+n/16)
	}
	return b
}

// give takes the document and its text out of b.
func (f *Filler) give(b *buffers) (doc json.RawMessage, text string) {
	if len(b.doc) < large {
		if f.last.doc.Load() != 0 {
			f.last.doc.Store(0)
		}
		return slices.Clone(b.doc), string(b.text)
	}
	f.last.doc.Store(int64(len(b.doc)))
	f.last.text.Store(int64(len(b.text)))
	f.last.blocks.Store(int64(len(b.blocks)))
	doc, text = slices.Clip(b.doc), unsafe.String(unsafe.SliceData(b.text), len(b.text))
	b.doc, b.text = nil, nil // the text is a string now: nobody may write to it again
	return doc, text
}
