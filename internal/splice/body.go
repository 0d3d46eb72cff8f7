package splice

import (
	"bytes"
	"encoding/json"
	"reflect"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A body is the members of a result but for _meta, in the SDK's order. Text becomes JSON on its way out, so that it is in
// memory once.
type body struct {
	content []mcp.Content // nil: all is in members
	encoded [][]byte      // the blocks that are more than text; nil at the others, and shorter where there are none
	members [][]byte
}

// worth is the size from which a result is spliced into the SDK's stream. Below it the SDK's way is as quick.
const worth = 2 << 10

// call is the body of the answer to a call. It says false for what is the SDK's to encode: results that ask for input,
// all that cannot be encoded, and small ones where the stream is the SDK's.
func (p *place) call(res *mcp.CallToolResult) (b body, ok bool) {
	if res == nil || res.InputRequests != nil || res.NeedsInput() || !p.front && size(res) < worth {
		return b, false
	}
	b.content = res.Content
	if b.content == nil {
		b.content = []mcp.Content{}
	}
	for i, c := range res.Content {
		if t, ok := c.(*mcp.TextContent); ok && t != nil && t.Meta == nil && t.Annotations == nil && utf8.ValidString(t.Text) {
			continue
		}
		block, err := json.Marshal(c)
		if err != nil {
			return b, false
		}
		if b.encoded == nil {
			b.encoded = make([][]byte, len(res.Content))
		}
		b.encoded[i] = block
	}
	if res.StructuredContent != nil {
		doc, ok := p.structured(res.StructuredContent)
		if !ok {
			return b, false
		}
		b.members = [][]byte{[]byte(`,"structuredContent":`), doc}
	}
	tail, ok := p.keeper.tail(res)
	if !ok {
		return b, false
	}
	b.members = append(b.members, tail)
	return b, true
}

// A tail is what decides on the members of a result behind its panels.
type tail struct {
	isError bool
	kind    string
}

// tail is what the SDK writes behind the panels of res. The type of a result is known to the SDK alone.
func (k *keeper) tail(res *mcp.CallToolResult) ([]byte, bool) {
	kind := reflect.ValueOf(res).Elem().FieldByName("resultType")
	known := kind.Kind() == reflect.String && res.RequestState == ""
	var key tail
	if known {
		key = tail{res.IsError, kind.String()}
		if doc, ok := k.tails.Load(key); ok {
			return doc.([]byte), true
		}
	}
	rest := *res
	rest.Meta, rest.Content, rest.StructuredContent = nil, nil, nil
	doc, err := json.Marshal(&rest)
	doc, found := bytes.CutPrefix(doc, []byte(`{"content":null`))
	if err != nil || !found {
		return nil, false
	}
	doc = doc[:len(doc)-1]
	if known {
		k.tails.Store(key, doc)
	}
	return doc, true
}

// size is about how large a result is.
func size(res *mcp.CallToolResult) int {
	n := 0
	for _, c := range res.Content {
		if t, ok := c.(*mcp.TextContent); !ok {
			n += worth
		} else if t != nil {
			n += len(t.Text)
		}
	}
	if raw, ok := res.StructuredContent.(json.RawMessage); ok {
		n += len(raw)
	}
	return n
}

// structured is structured content on one line, as a stream of events needs it.
func (p *place) structured(v any) ([]byte, bool) {
	doc, ok := v.(json.RawMessage)
	if !ok {
		doc, err := json.Marshal(v)
		return doc, err == nil
	}
	if !p.isChecked(doc) && !p.keeper.isJSON(doc) {
		return nil, false
	}
	if bytes.IndexByte(doc, '\n') < 0 && bytes.IndexByte(doc, '\r') < 0 {
		return doc, true
	}
	var line bytes.Buffer
	if json.Compact(&line, doc) != nil {
		return nil, false
	}
	return line.Bytes(), true
}

// write writes the members of the result.
func (b *body) write(o *out) {
	if b.content != nil {
		lead := `"content":[`
		for i, c := range b.content {
			o.string(lead)
			lead = ","
			if b.encoded != nil && b.encoded[i] != nil {
				o.raw(b.encoded[i])
				continue
			}
			o.string(`{"type":"text","text":"`)
			o.text(c.(*mcp.TextContent).Text)
			o.string(`"}`)
		}
		if len(b.content) == 0 {
			o.string(lead)
		}
		o.string("]")
	}
	for _, m := range b.members {
		o.raw(m)
	}
}
