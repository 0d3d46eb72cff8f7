package diptych

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych/internal/schema"
	"github.com/diptych-mcp/diptych/internal/shape"
	"github.com/diptych-mcp/diptych/internal/validate"
	"github.com/diptych-mcp/diptych/internal/write"
)

// output fills the panels from what the function returned.
type output struct {
	tool    string
	title   string // what a mismatch calls the contract
	kind    outputKind
	schema  json.RawMessage   // as published; nil where there is none
	wrapped bool              // the value is the member "result"
	empty   bool              // struct{}: there is no value
	direct  bool              // what the function returns is the value, with no pointer and no Result around it
	shape   *shape.Shape      // of the value, after pointers and Result
	check   *validate.Checker // of the whole structured content; accepts everything where no schema is published
	writer  *write.Writer
	style   write.Style
}

type outputKind uint8

const (
	bothPanels outputKind = iota
	textPanel             // no schema: the value's text alone
	blockPanel            // content blocks
	whole                 // *mcp.CallToolResult
)

func newOutput(t *mcp.Tool, out reflect.Type, cfg *config) (*output, error) {
	if t.OutputSchema != nil || cfg.unstructured {
		o, err := makeOutput(t, out, cfg, schema.Config{})
		if err == nil {
			o.style = cfg.style
		}
		return o, err
	}
	o, err := outputs.get(outputKey{out, cfg.requireSchema}, cfg, func(sc schema.Config) (output, bool, error) {
		o, err := makeOutput(t, out, cfg, sc)
		if err != nil {
			return output{}, false, err
		}
		// Without a name of its own, or wrapped, a type is published under the tool's.
		return *o, o.kind == bothPanels && !o.wrapped && o.shape.Kind == shape.Struct && o.shape.Type.Name() != "", nil
	})
	if err != nil {
		return nil, err
	}
	o.tool, o.style = t.Name, cfg.style
	return &o, nil
}

type outputKey struct {
	t             reflect.Type
	requireSchema bool
}

func makeOutput(t *mcp.Tool, out reflect.Type, cfg *config, sc schema.Config) (*output, error) {
	returned := out
	out = carriedType(out)
	s := shape.NewReader(forms).Read(out)
	o := &output{tool: t.Name, title: out.Name(), shape: s, direct: out == returned, empty: out == reflect.TypeFor[struct{}]()}
	err := misplaced(s, cfg.unstructured || cfg.requireSchema || t.OutputSchema != nil)
	switch {
	case err != nil:
	case out == reflect.TypeFor[mcp.CallToolResult]() && carries(returned):
		err = fmt.Errorf("%s: a CallToolResult has content and _meta of its own; return it without the Result around it", nameOf(returned))
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
		if derived, err = schema.ForOutput(t.Name, s, sc); err == nil {
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
	value := s
	if o.empty && o.kind == bothPanels {
		value = nil // there is none to write
	}
	o.writer = write.Compile(value, forms, o.check, o.wrapped)
	return o, nil
}

// carriedType is the type whose values fill the panels: what is after pointers and Result.
func carriedType(out reflect.Type) reflect.Type {
	for seen := map[reflect.Type]bool{}; !seen[out]; {
		seen[out] = true
		switch {
		case isCarrier(out):
			out = reflect.New(out).Interface().(carrier).carriedType()
		case out.Kind() == reflect.Pointer && !isBlock(out):
			out = out.Elem()
		}
	}
	return out
}

var carrierType = reflect.TypeFor[carrier]()

// isCarrier says whether t is a Result. A struct that embeds one has its methods too, but is another type.
func isCarrier(t reflect.Type) bool {
	return t.PkgPath() == reflect.TypeFor[config]().PkgPath() && reflect.PointerTo(t).Implements(carrierType)
}

// carries says whether there is a Result around what out carries.
func carries(out reflect.Type) bool {
	for out.Kind() == reflect.Pointer {
		out = out.Elem()
	}
	return isCarrier(out)
}

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
	a := new(write.Answer)
	res := &a.Result
	for !o.direct {
		if c, ok := v.Addr().Interface().(carrier); ok && isCarrier(v.Type()) {
			inner, content, meta := c.carried()
			if v = inner; res.Content == nil { // the outermost words count
				res.Content = content
			}
			if res.Meta == nil {
				res.Meta = meta
			}
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
		if fault, cause := sendable(res.Content, res.Meta); fault != "" {
			return nil, o.broken(fault, "", cause)
		}
		res.Meta = cloneMeta(res.Meta)
		res.Content = slices.Clone(res.Content)
	}
	if o.kind == blockPanel && res.Content != nil {
		return res, nil
	}
	return res, o.fillPanels(a, v)
}

// fillPanels fills both panels, or the text alone where there is no schema.
func (o *output) fillPanels(a *write.Answer, v reflect.Value) error {
	if o.kind == textPanel && a.Result.Content == nil {
		if text, ok := o.plainText(v); ok {
			a.Say(text)
			return nil
		}
	}
	refused, err := o.writer.Fill(a, v, o.style)
	if err == write.ErrTooLarge {
		return errTooLarge
	}
	if err != nil {
		return o.unwritable(err)
	}
	if refused != nil {
		return o.mismatch(refused)
	}
	if o.kind != bothPanels {
		a.Result.StructuredContent = nil
	}
	return nil
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
