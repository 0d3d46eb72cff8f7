package diptych

import (
	"encoding/json"
	"reflect"
	"slices"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych/internal/shape"
	"github.com/diptych-mcp/diptych/internal/validate"
	"github.com/diptych-mcp/diptych/internal/write"
)

// fillWhole passes an author's own result through, made safe to send.
func (o *output) fillWhole(given *mcp.CallToolResult) (*mcp.CallToolResult, error) {
	res := *given
	res.Meta = cloneMeta(res.Meta)
	res.Content = slices.Clone(res.Content)
	if fault, cause := sendable(res.Content, res.Meta); fault != "" {
		return nil, o.broken(fault, "", cause)
	}
	if res.InputRequests != nil {
		return &res, askable(res.InputRequests)
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
	doc, err := boundedBytes(res.StructuredContent, o.style.Most)
	if err == write.ErrTooLarge {
		return nil, errTooLarge
	}
	if err != nil {
		return nil, o.unwritable(err)
	}
	if !res.IsError {
		if !o.check.Check(doc) {
			return nil, o.mismatch(doc)
		}
	} else if anything, err := validate.Compile([]byte("true")); err != nil || !anything.Check(doc) {
		return nil, o.broken("structured content is no JSON in UTF-8", "", err)
	}
	res.StructuredContent = json.RawMessage(doc)
	return &res, nil
}

// structuredBytes encodes structured content that was put into a result by hand.
func structuredBytes(v any) ([]byte, error) { return boundedBytes(v, 0) }

// boundedBytes is structuredBytes for at most so many bytes, 0 for any number.
func boundedBytes(v any, most int) ([]byte, error) {
	if raw, ok := v.(json.RawMessage); ok {
		return slices.Clone(raw), nil
	}
	return anyWriter().AppendWithin(nil, reflect.ValueOf(&v).Elem(), most)
}

// anyWriter writes values of any type.
var anyWriter = sync.OnceValue(func() *write.Writer {
	check, err := validate.Compile([]byte("true"))
	if err != nil {
		panic(err) // the schema true compiles
	}
	return write.Compile(shape.NewReader(forms).Read(reflect.TypeFor[any]()), forms, check, false)
})
