package diptych

import (
	"context"
	"reflect"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A Result is a value with the author's own content and metadata beside it. As the Out of a tool it publishes T's
// schema. As the answer of [Call] it is what the host received.
type Result[T any] struct {
	// Value fills structuredContent. On the host's side it is the decoded value.
	Value T
	// Content is what the model reads. Nil derives it from Value; an empty list stays empty.
	Content []mcp.Content
	// Meta is the result's _meta. The model does not read it.
	Meta mcp.Meta
}

// WithText replaces the JSON mirror in the text panel with the author's words about the same value. A panic in text is
// caught like one in fn.
func WithText[In, Out any](fn Func[In, Out], text func(Out) string) Func[In, Result[Out]] {
	return func(ctx context.Context, in In) (Result[Out], error) {
		out, err := fn(ctx, in)
		if err != nil || absent(reflect.ValueOf(&out).Elem()) {
			return Result[Out]{Value: out}, err
		}
		return Result[Out]{Value: out, Content: []mcp.Content{&mcp.TextContent{Text: text(out)}}}, nil
	}
}

// absent reports whether v is a nil pointer, which is no value to write about.
func absent(v reflect.Value) bool { return v.Kind() == reflect.Pointer && v.IsNil() }

// carrier is a Result[T] of any T: a value with content and metadata beside it.
type carrier interface {
	carried() (value reflect.Value, content []mcp.Content, meta mcp.Meta)
	carriedType() reflect.Type
}

func (r *Result[T]) carried() (reflect.Value, []mcp.Content, mcp.Meta) {
	return reflect.ValueOf(&r.Value).Elem(), r.Content, r.Meta
}

func (*Result[T]) carriedType() reflect.Type { return reflect.TypeFor[T]() }
