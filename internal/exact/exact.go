// Package exact keeps what the SDK's client would change while it decodes: the digits and the order of keys of
// structured content, the difference between null and absent, and the text of published schemas. Under the SDK it
// rewrites each message that holds such bytes so that they travel through the decoder as a string.
//
// On the way in, the structured content of a result becomes a string of its own JSON text, marked in the result's _meta;
// a listed tool, and a question to the user, keeps its schemas and has their text in its _meta too. A mark that the peer
// itself sent is removed, so that it cannot pass off a string of its own as a document. Every other message passes through
// byte for byte.
package exact

import (
	"encoding/base64"
	"encoding/json"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// mark is the reserved key in _meta. In a result it says how the string holds the bytes, in a tool it is an object of
// schemas as strings.
const (
	mark     = "io.github.diptych-mcp/exact"
	asText   = "text"
	asBase64 = "base64" // of what is no UTF-8
)

// Transport returns t with raw bytes kept. The SDK's HTTP transports are copied and given a round tripper of ours; of
// any other transport the connection is wrapped.
//
// A transport of someone else's that hands out the SDK's streamable HTTP connection is left as it is: that connection
// has methods that only the SDK can see, and a wrapper would hide them from it. What comes over it is not exact; put
// Transport inside, around the SDK's own transport, to change that.
func Transport(t mcp.Transport) mcp.Transport {
	switch t := t.(type) {
	case *transport:
		return t
	case *mcp.StreamableClientTransport:
		c := *t
		c.HTTPClient, c.MaxEventSize = client(t.HTTPClient, t.MaxEventSize)
		return &c
	case *mcp.SSEClientTransport:
		c := *t
		c.HTTPClient, c.MaxEventSize = client(t.HTTPClient, t.MaxEventSize)
		return &c
	}
	return &transport{t}
}

// Structured returns the raw structured content of a result that came over a Transport, removes the mark from the
// result's _meta and puts the raw bytes in the place of the string. Exact is false, and the result untouched, when the
// result came another way or has no structured content: in the second case its StructuredContent is nil.
func Structured(res *mcp.CallToolResult) (raw json.RawMessage, exact bool) {
	form, marked := res.Meta[mark]
	if !marked {
		return nil, false
	}
	delete(res.Meta, mark)
	if len(res.Meta) == 0 {
		res.Meta = nil
	}
	text, ok := res.StructuredContent.(string)
	if !ok {
		return nil, false
	}
	raw = json.RawMessage(text)
	if form == asBase64 {
		var err error
		if raw, err = base64.StdEncoding.DecodeString(text); err != nil {
			return nil, false
		}
	}
	res.StructuredContent = raw
	return raw, true
}

// Schemas returns the raw schemas of a listed tool; ok is false when the tool came another way, and a schema is nil
// when the tool has none. The tool is not modified, because the SDK's client hands out one list to several callers.
func Schemas(t *mcp.Tool) (input, output json.RawMessage, ok bool) {
	texts, ok := t.Meta[mark].(map[string]any)
	if !ok {
		return nil, nil, false
	}
	if s, ok := texts["inputSchema"].(string); ok {
		input = json.RawMessage(s)
	}
	if s, ok := texts["outputSchema"].(string); ok {
		output = json.RawMessage(s)
	}
	return input, output, true
}
