package diptych

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych/internal/shape"
)

var contentType = reflect.TypeFor[mcp.Content]()

// isBlock says whether t is a content block: one of the SDK's types, by pointer or value, or the interface over them.
func isBlock(t reflect.Type) bool {
	_, _, known := knownBlock(t)
	return known
}

// holdsBlocks says whether a value of s is presentation, for the model alone: content blocks, or a list or choice
// with a block among its parts.
func holdsBlocks(s *shape.Shape) bool {
	seen := map[*shape.Shape]bool{} // a list may be a list of itself
	var holds func(s *shape.Shape) bool
	holds = func(s *shape.Shape) bool {
		if seen[s] {
			return false
		}
		seen[s] = true
		if isBlock(s.Type) {
			return true
		}
		switch s.Kind {
		case shape.Pointer, shape.List, shape.Array, shape.Optional:
			return holds(s.Elem)
		case shape.Union, shape.Tuple:
			return slices.ContainsFunc(s.Parts, holds)
		}
		return false
	}
	return holds(s)
}

// sendable makes sure that what the author put beside the value can be encoded: the SDK never answers a call whose
// result cannot. The fault is for the caller, the cause, which may hold values, for the log.
func sendable(content []mcp.Content, meta mcp.Meta) (fault string, cause error) {
	for i, c := range content {
		if c == nil || reflect.ValueOf(c).Kind() == reflect.Pointer && reflect.ValueOf(c).IsNil() {
			return fmt.Sprintf("content[%d]: a content block is nil; leave it out", i), nil
		}
		if t, ok := c.(*mcp.TextContent); ok && t.Meta == nil && t.Annotations == nil {
			continue
		}
		if _, err := json.Marshal(c); err != nil {
			return fmt.Sprintf("content[%d]: has no JSON form", i), err
		}
	}
	if meta != nil {
		if _, err := json.Marshal(meta); err != nil {
			return "_meta: has no JSON form", err
		}
	}
	return "", nil
}

// askable makes sure of the same for questions to the user.
func askable(requests mcp.InputRequestMap) error {
	for id, r := range requests {
		if r == nil || reflect.ValueOf(r).Kind() == reflect.Pointer && reflect.ValueOf(r).IsNil() {
			return fmt.Errorf("input request %q is nil; leave it out", id)
		}
	}
	if _, err := json.Marshal(requests); err != nil {
		return fmt.Errorf("the input requests have no JSON form: %w", err)
	}
	return nil
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

// knownBlock is the wire shape of the SDK's content blocks, published where RequireSchema asks for it.
func knownBlock(t reflect.Type) (schema json.RawMessage, name string, ok bool) {
	if t == contentType {
		return json.RawMessage(`{"properties":{"type":{"enum":["text","image","audio","resource_link","resource"],"title":"Type","type":"string"}},` +
			`"required":["type"],"title":"Content","type":"object"}`), "Content", true
	}
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch t {
	case reflect.TypeFor[mcp.TextContent]():
		return blockSchema("TextContent", "text", `"text":{"title":"Text","type":"string"}`, `"text"`), "TextContent", true
	case reflect.TypeFor[mcp.ImageContent]():
		return blockSchema("ImageContent", "image", mediaProperties, `"data","mimeType"`), "ImageContent", true
	case reflect.TypeFor[mcp.AudioContent]():
		return blockSchema("AudioContent", "audio", mediaProperties, `"data","mimeType"`), "AudioContent", true
	case reflect.TypeFor[mcp.ResourceLink]():
		return blockSchema("ResourceLink", "resource_link", `"uri":{"title":"Uri","type":"string"},"name":{"title":"Name","type":"string"}`, `"uri","name"`), "ResourceLink", true
	case reflect.TypeFor[mcp.EmbeddedResource]():
		return blockSchema("EmbeddedResource", "resource", `"resource":{"title":"Resource","type":"object"}`, `"resource"`), "EmbeddedResource", true
	}
	return nil, "", false
}

const mediaProperties = `"data":{"contentEncoding":"base64","title":"Data","type":"string"},"mimeType":{"title":"Mimetype","type":"string"}`

func blockSchema(title, kind, properties, required string) json.RawMessage {
	return json.RawMessage(`{"properties":{"type":{"const":"` + kind + `","title":"Type","type":"string"},` + properties +
		`},"required":["type",` + required + `],"title":"` + title + `","type":"object"}`)
}
