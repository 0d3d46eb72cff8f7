package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych/internal/encode"
	"github.com/diptych-mcp/diptych/internal/shape"
	"github.com/diptych-mcp/diptych/internal/validate"
)

// panels does what a handler of this library does with the value that the function returned, and nothing else: no
// arguments, no goroutine, no function. It follows output.fillPanels step by step, because the library has no door to it.
type panels struct {
	value   reflect.Value
	encoder *encode.Encoder
	check   *validate.Checker
	wrapped bool
	buffers sync.Pool           // of *buffers
	result  *mcp.CallToolResult // the last
}

type buffers struct {
	doc, text []byte
	blocks    []encode.Block
	ends      []int
}

// An answer is a result with room for one text block, in one piece of memory.
type answer struct {
	result  mcp.CallToolResult
	content [1]mcp.Content
	block   mcp.TextContent
}

// largestKept is the library's bound on buffers that outlive a call.
const largestKept = 16 << 20

func newPanels(schema json.RawMessage, value any) (*panels, error) {
	none := func(reflect.Type) (shape.Form, bool) { return shape.Form{}, false }
	v := reflect.ValueOf(value).Elem()
	check, err := validate.Compile(schema)
	if err != nil {
		return nil, err
	}
	return &panels{
		value: v, check: check, wrapped: v.Kind() != reflect.Struct,
		encoder: encode.Compile(shape.NewReader(none).Read(v.Type()), none),
		buffers: sync.Pool{New: func() any { return new(buffers) }},
	}, nil
}

func (p *panels) run() error {
	b := p.buffers.Get().(*buffers)
	defer func() {
		if cap(b.doc)+cap(b.text) <= largestKept {
			p.buffers.Put(b)
		}
	}()
	b.doc, b.text, b.blocks, b.ends = b.doc[:0], b.text[:0], b.blocks[:0], b.ends[:0]
	if p.wrapped {
		b.doc = append(b.doc, `{"result":`...)
	}
	var err error
	if b.doc, b.blocks, err = p.encoder.AppendBlocks(b.doc, b.blocks, p.value); err != nil {
		return err
	}
	if p.wrapped {
		b.doc = append(b.doc, '}')
	}
	var ok bool
	if b.text, b.ends, ok = p.check.Panel(b.text, b.ends, b.doc, b.blocks); !ok {
		return fmt.Errorf("the value was refused")
	}
	a := new(answer)
	if text := string(b.text); len(b.ends) == 1 {
		a.block.Text = text
		a.content[0] = &a.block
		a.result.Content = a.content[:]
	} else {
		a.result.Content = textBlocks(text, b.ends)
	}
	a.result.StructuredContent = json.RawMessage(slices.Clone(b.doc))
	p.result = &a.result
	return nil
}

// textBlocks cuts text at ends. The blocks share one array.
func textBlocks(text string, ends []int) []mcp.Content {
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

// same says whether the last result is, byte for byte, the handler's.
func (p *panels) same(h mcp.ToolHandler) error {
	res, err := h(context.Background(), &mcp.CallToolRequest{Params: &mcp.CallToolParamsRaw{Arguments: json.RawMessage("{}")}})
	if err != nil {
		return err
	}
	want, err := json.Marshal(res)
	if err != nil {
		return err
	}
	if got, err := json.Marshal(p.result); err != nil || !bytes.Equal(got, want) {
		return fmt.Errorf("the panels alone are not those of the handler")
	}
	return nil
}
