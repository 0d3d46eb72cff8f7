package main

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych/internal/encode"
	"github.com/diptych-mcp/diptych/internal/shape"
	"github.com/diptych-mcp/diptych/internal/validate"
)

// panels does what a handler of this library does with the value that the function returned, and nothing else: no
// arguments, no goroutine, no function. It stands here because the library has no door to it.
type panels struct {
	value     reflect.Value
	encoder   *encode.Encoder
	check     *validate.Checker
	wrapped   bool
	doc, text []byte
	blocks    []encode.Block
	ends      []int
	result    *mcp.CallToolResult // the last
}

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
	}, nil
}

// largestKept is the library's bound on buffers that outlive a call.
const largestKept = 1 << 20

func (p *panels) run() error {
	if cap(p.doc)+cap(p.text) > largestKept {
		p.doc, p.text = nil, nil
	}
	p.doc, p.text, p.blocks, p.ends = p.doc[:0], p.text[:0], p.blocks[:0], p.ends[:0]
	if p.wrapped {
		p.doc = append(p.doc, `{"result":`...)
	}
	var err error
	if p.doc, p.blocks, err = p.encoder.AppendBlocks(p.doc, p.blocks, p.value); err != nil {
		return err
	}
	if p.wrapped {
		p.doc = append(p.doc, '}')
	}
	var ok bool
	if p.text, p.ends, ok = p.check.Panel(p.text, p.ends, p.doc, p.blocks); !ok {
		return fmt.Errorf("the value was refused")
	}
	text := string(p.text)
	blocks := make([]mcp.TextContent, len(p.ends))
	content := make([]mcp.Content, len(p.ends))
	start := 0
	for i, end := range p.ends {
		blocks[i].Text = text[start:end]
		content[i] = &blocks[i]
		start = end
	}
	p.result = &mcp.CallToolResult{Content: content, StructuredContent: json.RawMessage(slices.Clone(p.doc))}
	return nil
}
