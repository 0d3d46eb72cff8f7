package write

import (
	"reflect"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych/internal/shape"
)

var contentType = reflect.TypeFor[mcp.Content]()

// isBlock reports whether t is one of the SDK's content blocks.
func isBlock(t reflect.Type) bool {
	switch t {
	case reflect.TypeFor[mcp.TextContent](), reflect.TypeFor[mcp.ImageContent](), reflect.TypeFor[mcp.AudioContent](),
		reflect.TypeFor[mcp.ResourceLink](), reflect.TypeFor[mcp.EmbeddedResource]():
		return true
	}
	return false
}

// pointsAtBlock reports whether values of s have to be content blocks, but may be nil.
func pointsAtBlock(s *shape.Shape) bool {
	return s.Type == contentType || s.Kind == shape.Pointer && isBlock(s.Elem.Type)
}

// A block writes a content block: to the document as JSON, to the content as it is.
type block struct{ marshaler }

func (c *block) write(b *buffer, v reflect.Value) *fault {
	v = addressed(v) // the methods of blocks have pointer receivers
	if t, ok := v.Addr().Interface().(*mcp.TextContent); ok && !utf8.ValidString(t.Text) {
		return broken(ruleUTF8, nil) // its MarshalJSON would replace it
	}
	return c.marshaler.write(b, v)
}

func (c *block) split(b *buffer, v reflect.Value) *fault {
	v = addressed(v)
	b.given = append(b.given, given{len(b.ends), v.Addr().Interface().(mcp.Content)})
	b.mute = true
	f := c.write(b, v)
	b.mute = false
	return f
}
