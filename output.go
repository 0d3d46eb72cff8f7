package diptych

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych/internal/encode"
	"github.com/diptych-mcp/diptych/internal/schema"
	"github.com/diptych-mcp/diptych/internal/shape"
	"github.com/diptych-mcp/diptych/internal/validate"
)

// output fills the panels from what the function returned.
type output struct {
	tool    string
	title   string // what a mismatch calls the contract
	kind    outputKind
	schema  json.RawMessage // as published; nil where there is none
	wrapped bool            // the value stands under "result"
	empty   bool            // struct{}: there is no value
	direct  bool            // what the function returns is the value, with no pointer and no Result around it
	shape   *shape.Shape    // of the value, behind pointers and Result
	encoder *encode.Encoder
	check   *validate.Checker                // of the whole structured content; accepts everything where no schema is published
	parts   map[*shape.Shape]*encode.Encoder // of what stands beside content blocks; nil where there are none
	buffers sync.Pool                        // of *buffers
}

type outputKind uint8

const (
	bothPanels outputKind = iota
	textPanel             // no schema: the value's text alone
	blockPanel            // content blocks
	whole                 // *mcp.CallToolResult
)

// buffers are reused between calls of one tool.
type buffers struct {
	doc, text []byte
	blocks    []encode.Block
	ends      []int
}

func newOutput(t *mcp.Tool, out reflect.Type, cfg *config) (*output, error) {
	returned := out
	out = carriedType(out)
	s := shape.NewReader(forms).Read(out)
	o := &output{tool: t.Name, title: out.Name(), shape: s, direct: out == returned, empty: out == reflect.TypeFor[struct{}]()}
	o.buffers.New = func() any { return new(buffers) }
	var err error
	switch {
	case cfg.unstructured:
		err = o.unstructured(t)
	case out == reflect.TypeFor[mcp.CallToolResult]():
		o.kind = whole
		err = o.given(t)
	case t.OutputSchema != nil:
		err = o.given(t)
	case holdsBlocks(s) && !cfg.requireSchema:
		o.kind = blockPanel
	case s.Kind == shape.Any && !isBlock(out) || s.Kind == shape.Raw:
		o.kind = textPanel
		if cfg.requireSchema {
			err = fmt.Errorf("%s promises nothing, so it has no schema; return a type, or JSON[T] for raw JSON that is a T", strings.Replace(out.String(), "interface {}", "any", 1))
		}
	default:
		var derived schema.Output
		if derived, err = schema.ForOutput(t.Name, s, schemaConfig(cfg)); err == nil {
			o.schema, o.title, o.wrapped = derived.JSON, derived.Title, derived.Wrapped
		}
	}
	if err != nil {
		return nil, err
	}
	published := o.schema
	if published == nil {
		published = json.RawMessage("true")
	}
	if o.check, err = validate.Compile(published); err != nil {
		return nil, err
	}
	o.encoder = encode.Compile(s, forms)
	if holdsBlocks(s) {
		o.parts = map[*shape.Shape]*encode.Encoder{}
		o.compileParts(s)
	}
	return o, nil
}

// carriedType is the type whose values fill the panels: what stands behind pointers and Result.
func carriedType(out reflect.Type) reflect.Type {
	for seen := map[reflect.Type]bool{}; !seen[out]; {
		seen[out] = true
		switch {
		case reflect.PointerTo(out).Implements(carrierType):
			out = reflect.New(out).Interface().(carrier).carriedType()
		case out.Kind() == reflect.Pointer && !isBlock(out):
			out = out.Elem()
		}
	}
	return out
}

var carrierType = reflect.TypeFor[carrier]()

// unstructured sets o up for text alone.
func (o *output) unstructured(t *mcp.Tool) error {
	if t.OutputSchema != nil {
		return fmt.Errorf("schema is given, but Unstructured publishes none; drop one of them")
	}
	o.kind = textPanel
	s := o.shape
	switch {
	case o.empty, s.Kind == shape.Struct && len(s.Fields) > 0:
	case holdsBlocks(s):
		o.kind = blockPanel
	case s.Type == reflect.TypeFor[mcp.CallToolResult]():
		o.kind = whole
	case s.Kind == shape.Struct && !stringer(s.Type):
		return fmt.Errorf("%s has no exported fields and no String method, so it has no text; export fields or add String", s.Type)
	case s.Kind == shape.Invalid:
		return fmt.Errorf("%s: %s", s.Type, s.Problem)
	}
	return nil
}

var stringerType = reflect.TypeFor[fmt.Stringer]()

func stringer(t reflect.Type) bool {
	return t.Implements(stringerType) || reflect.PointerTo(t).Implements(stringerType)
}

// given publishes the author's own schema. It describes the whole structured content.
func (o *output) given(t *mcp.Tool) error {
	if t.OutputSchema == nil {
		return nil
	}
	raw, err := schemaBytes(t.OutputSchema)
	if err != nil {
		return err
	}
	var root struct{ Title string }
	if err := json.Unmarshal(raw, &root); err != nil {
		return err
	}
	o.schema, o.title = raw, root.Title
	if o.title == "" {
		o.title = "its schema"
	}
	switch s := o.shape; s.Kind {
	case shape.Struct, shape.Any, shape.Raw, shape.JSON, shape.Promise:
		o.wrapped = o.empty
	case shape.Map:
		o.wrapped = s.Key.Kind != shape.String
	default:
		o.wrapped = true
	}
	return nil
}

// fill turns what the function returned into a result.
func (o *output) fill(v reflect.Value) (*mcp.CallToolResult, error) {
	a := new(answer)
	a.content[0] = &a.block
	res := &a.result
	for !o.direct {
		if c, ok := v.Addr().Interface().(carrier); ok {
			v, res.Content, res.Meta = c.carried()
			continue
		}
		if v.Kind() != reflect.Pointer || o.kind == blockPanel && isBlock(v.Type()) || v.Type() == o.shape.Type {
			break
		}
		if v.IsNil() {
			return nil, errNoValue
		}
		v = v.Elem()
	}
	if o.kind == whole {
		return o.fillWhole(v.Addr().Interface().(*mcp.CallToolResult))
	}
	if res.Content != nil || res.Meta != nil {
		if err := sendable(res.Content, res.Meta); err != nil {
			return nil, o.broken(err.Error(), "", nil)
		}
		res.Meta = cloneMeta(res.Meta)
		res.Content = slices.Clone(res.Content)
	}
	if o.kind == blockPanel {
		return res, o.fillBlocks(res, v)
	}
	return res, o.fillPanels(a, v)
}

// An answer is a result with room for one text block, in one piece of memory.
type answer struct {
	result  mcp.CallToolResult
	content [1]mcp.Content
	block   mcp.TextContent
}

// say makes text the one block of the result.
func (a *answer) say(text string) {
	a.block.Text = text
	a.result.Content = a.content[:]
}

// fillPanels encodes v once and reads the bytes once: the same pass checks what leaves and writes the text of it.
func (o *output) fillPanels(a *answer, v reflect.Value) error {
	res := &a.result
	if o.kind == textPanel && res.Content == nil {
		if text, ok := o.plainText(v); ok {
			a.say(text)
			return nil
		}
	}
	if o.parts != nil {
		if err := o.fillBlocks(res, v); err != nil {
			return err
		}
	}
	b := o.buffers.Get().(*buffers)
	defer o.release(b)
	b.doc, b.text, b.blocks, b.ends = b.doc[:0], b.text[:0], b.blocks[:0], b.ends[:0]
	if o.wrapped {
		b.doc = append(b.doc, `{"result":`...)
	}
	var err error
	switch {
	case o.empty && o.kind == bothPanels:
		b.doc = append(b.doc, "null"...)
	case res.Content == nil:
		b.doc, b.blocks, err = o.encoder.AppendBlocks(b.doc, b.blocks, v)
	default:
		b.doc, err = o.encoder.Append(b.doc, v)
	}
	if err != nil {
		return o.unwritable(err)
	}
	if o.wrapped {
		b.doc = append(b.doc, '}')
	}
	var ok bool
	if b.text, b.ends, ok = o.check.Panel(b.text, b.ends, b.doc, b.blocks); !ok {
		return o.mismatch(b.doc)
	}
	switch {
	case res.Content != nil:
	case o.empty:
		// An empty content breaks some hosts, and "null" reads like a failure.
		a.say("done")
	case len(b.ends) == 1:
		a.say(string(b.text))
	default:
		res.Content = textBlocks(string(b.text), b.ends)
	}
	if o.kind == bothPanels {
		res.StructuredContent = json.RawMessage(slices.Clone(b.doc))
	}
	return nil
}

// largestKept bounds what a pool holds on to between calls. It is far above the usual answer, because buffers that grow
// anew in every call cost more than all the rest of it; the collector empties pools that are not used.
const largestKept = 16 << 20

func (o *output) release(b *buffers) {
	if cap(b.doc)+cap(b.text) <= largestKept {
		o.buffers.Put(b)
	}
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

// plainText is the text of an unstructured value that has no JSON form worth reading.
func (o *output) plainText(v reflect.Value) (string, bool) {
	if o.empty {
		return "done", true
	}
	if o.shape.Kind == shape.Struct && len(o.shape.Fields) == 0 && v.Kind() == reflect.Struct {
		if s, ok := v.Addr().Interface().(fmt.Stringer); ok {
			return s.String(), true
		}
	}
	return "", false
}
