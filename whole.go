package diptych

import (
	"encoding/json"
	"reflect"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych/internal/encode"
	"github.com/diptych-mcp/diptych/internal/shape"
)

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
