package diptych

import (
	"encoding/json"
	"errors"
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
	out = carriedType(out)
	s := shape.NewReader(forms).Read(out)
	o := &output{tool: t.Name, title: out.Name(), shape: s, empty: out == reflect.TypeFor[struct{}]()}
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

// compileParts compiles an encoder for everything that stands beside content blocks.
func (o *output) compileParts(s *shape.Shape) {
	if o.parts[s] != nil {
		return
	}
	o.parts[s] = encode.Compile(s, forms)
	if s.Elem != nil {
		o.compileParts(s.Elem)
	}
	for _, p := range s.Parts {
		o.compileParts(p)
	}
}

// fill turns what the function returned into a result.
func (o *output) fill(v reflect.Value) (*mcp.CallToolResult, error) {
	res := &mcp.CallToolResult{}
	for {
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
	return res, o.fillPanels(res, v)
}

// fillPanels encodes v once and reads the bytes once: the same pass checks what leaves and writes the text of it.
func (o *output) fillPanels(res *mcp.CallToolResult, v reflect.Value) error {
	if o.kind == textPanel && res.Content == nil {
		if text, ok := o.plainText(v); ok {
			res.Content = []mcp.Content{&mcp.TextContent{Text: text}}
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
		res.Content = []mcp.Content{&mcp.TextContent{Text: "done"}}
	default:
		res.Content = textBlocks(string(b.text), b.ends)
	}
	if o.kind == bothPanels {
		res.StructuredContent = json.RawMessage(slices.Clone(b.doc))
	}
	return nil
}

// largestKept bounds what a pool holds on to between calls.
const largestKept = 1 << 20

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

// fillBlocks makes content of blocks and of what stands beside them: strings as text, other data as JSON text.
func (o *output) fillBlocks(res *mcp.CallToolResult, v reflect.Value) error {
	if res.Content != nil {
		return nil
	}
	content, err := o.appendBlocks([]mcp.Content{}, o.shape, v)
	if err != nil {
		return err
	}
	if err := sendable(content, nil); err != nil {
		return o.broken(err.Error(), "", nil)
	}
	if len(content) == 0 {
		content = append(content, &mcp.TextContent{Text: "[]"})
	}
	res.Content = content
	return nil
}

func (o *output) appendBlocks(content []mcp.Content, s *shape.Shape, v reflect.Value) ([]mcp.Content, error) {
	if isBlock(s.Type) {
		c, err := asBlock(v)
		if err != nil {
			return nil, o.broken(err.Error(), "", nil)
		}
		return append(content, c), nil
	}
	switch s.Kind {
	case shape.Pointer:
		if !v.IsNil() {
			return o.appendBlocks(content, s.Elem, v.Elem())
		}
	case shape.List, shape.Array:
		var err error
		for i := 0; i < v.Len() && err == nil; i++ {
			content, err = o.appendBlocks(content, s.Elem, v.Index(i))
		}
		return content, err
	case shape.Optional:
		if p := s.Value(v.Addr().Interface()); p != nil {
			return o.appendBlocks(content, s.Elem, reflect.ValueOf(p).Elem())
		}
	case shape.Union:
		for i, p := range s.Parts {
			if arm := v.Field(i); !arm.IsNil() {
				return o.appendBlocks(content, p, arm.Elem())
			}
		}
		return nil, o.broken("exactly one form must be set", "", nil)
	case shape.Tuple:
		var err error
		for i := 0; i < len(s.Parts) && err == nil; i++ {
			content, err = o.appendBlocks(content, s.Parts[i], v.Field(i))
		}
		return content, err
	}
	doc, blocks, err := o.parts[s].AppendBlocks(nil, nil, v)
	if err != nil {
		return nil, o.unwritable(err)
	}
	text, ends, ok := o.check.Panel(nil, nil, doc, blocks)
	if !ok {
		return nil, o.mismatch(doc)
	}
	return append(content, textBlocks(string(text), ends)...), nil
}

// fillWhole passes an author's own result through, made safe to send.
func (o *output) fillWhole(given *mcp.CallToolResult) (*mcp.CallToolResult, error) {
	res := *given
	res.Meta = cloneMeta(res.Meta)
	res.Content = slices.Clone(res.Content)
	if err := sendable(res.Content, res.Meta); err != nil {
		return nil, o.broken(err.Error(), "", nil)
	}
	if res.InputRequests != nil {
		return &res, nil
	}
	if res.Content == nil {
		res.Content = []mcp.Content{}
	}
	if res.StructuredContent == nil {
		if o.schema != nil && !res.IsError {
			return nil, o.broken("structured content is missing", "", nil)
		}
		return &res, nil
	}
	doc, err := structuredBytes(res.StructuredContent)
	if err != nil {
		return nil, o.unwritable(err)
	}
	if !res.IsError {
		if !o.check.Check(doc) {
			return nil, o.mismatch(doc)
		}
	} else if !json.Valid(doc) {
		return nil, o.broken("structured content is no JSON", "", nil)
	}
	res.StructuredContent = json.RawMessage(doc)
	return &res, nil
}

// structuredBytes encodes structured content that was put into a result by hand.
func structuredBytes(v any) ([]byte, error) {
	if raw, ok := v.(json.RawMessage); ok {
		return slices.Clone(raw), nil
	}
	return encode.Compile(shape.NewReader(forms).Read(reflect.TypeFor[any]()), forms).Append(nil, reflect.ValueOf(&v).Elem())
}

func cloneMeta(m mcp.Meta) mcp.Meta {
	if m == nil {
		return nil
	}
	clone := make(mcp.Meta, len(m))
	for k, v := range m {
		clone[k] = v
	}
	return clone
}

// maxFaults is how many broken fields a mismatch names before it counts the rest.
const maxFaults = 10

// mismatch explains why the check refused doc.
func (o *output) mismatch(doc []byte) error {
	faults := o.check.Explain(doc)
	m := &Mismatch{Tool: o.tool, Schema: o.title}
	for i, f := range faults {
		if i == maxFaults {
			m.Faults = append(m.Faults, fmt.Sprintf("and %d more", len(faults)-maxFaults))
			break
		}
		m.Faults = append(m.Faults, line(f.Path, f.Rule, "result"))
	}
	if len(faults) == 0 {
		m.Faults = []string{"refused without a reason; this is a fault of the library"}
	} else if f := faults[0]; f.Start < f.End && f.End <= len(doc) {
		m.part = slices.Clone(doc[f.Start:min(f.End, f.Start+200)])
	}
	return m
}

// unwritable is a value that the encoder could not write.
func (o *output) unwritable(err error) error {
	if f, ok := errors.AsType[*encode.Fault](err); ok {
		path := f.Path
		if o.wrapped {
			path = "result" + dot(path)
		}
		return o.broken(f.Rule, path, f.Err)
	}
	return o.broken("cannot be encoded", "", err)
}

// dot joins a path to a name before it.
func dot(path string) string {
	if path == "" || path[0] == '[' {
		return path
	}
	return "." + path
}

// broken is a mismatch with one fault.
func (o *output) broken(rule, path string, cause error) error {
	m := &Mismatch{Tool: o.tool, Schema: o.title, Faults: []string{rule}, cause: cause}
	if path != "" {
		m.Faults[0] = line(path, rule, "")
	}
	if o.title == "" {
		m.Schema = "its type"
	}
	return m
}
