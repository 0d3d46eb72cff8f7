package exact

import (
	"context"
	"encoding/json"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych/internal/jsontext"
)

// This file keeps the schema of a question to the user, whose fields have an order and whose bounds have digits, and over
// HTTP the call that the question is about, which the protocol tells by the stream alone.

const (
	methodElicit   = "elicitation/create"
	methodComplete = "notifications/elicitation/complete" // the SDK's client ends with a nil dereference if it has no parameters
)

type aboutKey struct{}

// About returns a context for a call, whose questions then carry label where the transport can tell them apart: over
// HTTP. See [Question].
func About(ctx context.Context, label string) context.Context {
	return context.WithValue(ctx, aboutKey{}, label)
}

// Question returns the raw schema of a question that came over a [Transport], and the label of the call that it is about.
// Either may be missing. The question is not modified.
func Question(p *mcp.ElicitParams) (schema json.RawMessage, about string) {
	texts, _ := p.Meta[mark].(map[string]any)
	if s, ok := texts["requestedSchema"].(string); ok {
		schema = json.RawMessage(s)
	}
	about, _ = texts["about"].(string)
	return schema, about
}

// rewriteQuestion rewrites the parameters of a question without the message around them.
func rewriteQuestion(b []byte) []byte {
	at, ok := jsontext.Only(b, jsontext.MaxDepth)
	if !ok {
		return b
	}
	return apply(b, appendQuestion(nil, b, at, ""))
}

// appendQuestion appends the edits for a question's parameters at v.
func appendQuestion(edits []edit, b []byte, v jsontext.Span, about string) []edit {
	var metas []jsontext.Span
	var schema *jsontext.Span // the last, as for tools
	jsontext.Members(b, v.Start, jsontext.MaxDepth, func(name []byte, v jsontext.Span) {
		switch string(name) {
		case "requestedSchema":
			schema = &v
		case "_meta":
			metas = append(metas, v)
		}
	})
	if b[v.Start] != '{' {
		return edits
	}
	var texts []byte
	if schema != nil {
		texts = jsontext.AppendString(appendName(texts, "requestedSchema"), schema.Of(b))
	}
	if about != "" {
		texts = jsontext.AppendString(appendName(texts, "about"), about)
	}
	if texts == nil {
		return appendMark(edits, b, v, metas, nil)
	}
	return appendMark(edits, b, v, metas, object(texts))
}
