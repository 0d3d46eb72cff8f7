package splice

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych/internal/jsontext"
)

// A result is the members of a result in the SDK's order. Text becomes JSON on its way out, so that it is in memory once.
type result struct {
	meta    []byte
	content []mcp.Content // nil: all is in members
	encoded [][]byte      // the blocks that are more than text; nil at the others, and shorter where there are none
	members [3][]byte
}

// answer is a response to a request: a result or an error.
type answer struct {
	id     []byte // as it was written
	result result
	err    *jsonrpc.Error // of which there is no result
}

// answer is what the SDK would answer r with after the chain.
func (s *server) answer(c *call, r *request, res mcp.Result, err error) *answer {
	a := &answer{id: r.id}
	if err == nil {
		a.result, err = s.result(c, res, r.version >= revision)
	}
	if err != nil {
		a.err = wireError(err, r.Method)
	}
	return a
}

// wireError is what a peer sees of an error, as the SDK has it.
func wireError(err error, method string) *jsonrpc.Error {
	if errors.Is(err, &jsonrpc.Error{Code: jsonrpc.CodeMethodNotFound}) {
		err = fmt.Errorf("%w: %q", &jsonrpc.Error{Code: jsonrpc.CodeMethodNotFound, Message: "method not found"}, method)
	}
	if e, ok := err.(*jsonrpc.Error); ok && e != nil { // of a wrapped one the text around it counts
		return e
	}
	wire := &jsonrpc.Error{Message: err.Error()}
	if e, ok := errors.AsType[*jsonrpc.Error](err); ok {
		wire.Code = e.Code
	}
	return wire
}

// result encodes what the chain answered with. New says that the request is of the newest revision, for which the SDK adds
// members once the middleware is done.
func (s *server) result(c *call, res mcp.Result, isNew bool) (r result, err error) {
	if res == nil || reflect.ValueOf(res).IsNil() {
		return r, internalError("the handler returned neither a result nor an error")
	}
	meta := res.GetMeta()
	if r.meta, err = s.meta(meta, isNew); err != nil {
		return r, internalError("the metadata of the result has no JSON form")
	}
	ok := false
	switch res := res.(type) {
	case *mcp.CallToolResult:
		ok = c.encode(&r, res)
	case *mcp.ListToolsResult:
		if r.members[0], err = s.lists.encode(res); err == nil && isNew {
			r.members[1] = []byte(`,"resultType":"complete"`)
		}
		ok = err == nil
	}
	if ok {
		return r, nil
	}
	doc, err := encodeAll(res)
	if err != nil {
		return r, internalError("the result has no JSON form")
	}
	return result{meta: r.meta, members: [3][]byte{doc}}, nil
}

func internalError(why string) error {
	return &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "internal error: " + why}
}

// encodeAll returns the members of any result but for its metadata, as the SDK encodes them.
func encodeAll(res mcp.Result) ([]byte, error) {
	if r, ok := res.(*mcp.CallToolResult); ok {
		res = new(*r)
	} else {
		meta := res.GetMeta()
		defer res.SetMeta(meta)
	}
	res.SetMeta(nil)
	doc, err := json.Marshal(res)
	if err != nil {
		return nil, err
	}
	if len(doc) < 2 || doc[0] != '{' {
		return nil, errors.New("a result is no object")
	}
	return doc[1 : len(doc)-1], nil
}

// meta is the metadata of a result as a member, with the comma after it.
func (s *server) meta(meta map[string]any, isNew bool) ([]byte, error) {
	f := s.facts()
	_, known := meta[mcp.MetaKeyServerInfo]
	switch {
	case len(meta) == 0 && isNew:
		return f.meta, nil
	case len(meta) == 0:
		return nil, nil
	case isNew && !known:
		meta = maps.Clone(meta)
		meta[mcp.MetaKeyServerInfo] = f.info
	}
	doc, err := json.Marshal(meta)
	if err != nil {
		return nil, err
	}
	return append(append([]byte(`"_meta":`), doc...), ','), nil
}

// encode encodes the result of a tool. It reports false for what is the SDK's to encode: results that ask for input, and all
// that cannot be encoded.
func (c *call) encode(r *result, res *mcp.CallToolResult) bool {
	if res.InputRequests != nil || res.NeedsInput() {
		return false
	}
	tail, ok := afterPanels(res)
	if !ok {
		return false
	}
	for i, block := range res.Content {
		if t, ok := block.(*mcp.TextContent); ok && t != nil && t.Meta == nil && t.Annotations == nil && utf8.ValidString(t.Text) {
			continue
		}
		doc, err := json.Marshal(block)
		if err != nil {
			return false
		}
		if r.encoded == nil {
			r.encoded = make([][]byte, len(res.Content))
		}
		r.encoded[i] = doc
	}
	if res.StructuredContent != nil {
		doc, ok := c.structured(res.StructuredContent)
		if !ok {
			return false
		}
		r.members[0], r.members[1] = []byte(`,"structuredContent":`), doc
	}
	r.members[2] = tail
	if r.content = res.Content; r.content == nil {
		r.content = []mcp.Content{}
	}
	return true
}

// noPanels is how the SDK begins a result without content, structured content and metadata.
const noPanels = `{"content":null`

// afterPanels is what the SDK writes after the panels of res: whether it is an error, and a type that is known to the SDK alone.
func afterPanels(res *mcp.CallToolResult) ([]byte, bool) {
	rest := *res
	rest.Meta, rest.Content, rest.StructuredContent = nil, nil, nil
	doc, err := rest.MarshalJSON()
	doc, found := bytes.CutPrefix(doc, []byte(noPanels))
	if err != nil || !found {
		return nil, false
	}
	return doc[:len(doc)-1], true
}

// structured is structured content on one line.
func (c *call) structured(v any) ([]byte, bool) {
	doc, ok := v.(json.RawMessage)
	if !ok {
		doc, err := json.Marshal(v)
		return doc, err == nil
	}
	if !c.isChecked(doc) && !isJSON(doc) {
		return nil, false
	}
	if bytes.IndexByte(doc, '\n') < 0 && bytes.IndexByte(doc, '\r') < 0 {
		return doc, true
	}
	return jsontext.AppendCompact(nil, doc, jsontext.MaxDepth)
}

// write writes the response.
func (a *answer) write(b *buffer) {
	b.string(`{"jsonrpc":"2.0","id":`)
	b.raw(a.id)
	if a.err != nil {
		doc, err := json.Marshal(a.err)
		if err != nil { // data that is no JSON
			doc, _ = json.Marshal(&jsonrpc.Error{Code: a.err.Code, Message: a.err.Message})
		}
		b.string(`,"error":`)
		b.raw(doc)
		b.string("}")
		return
	}
	b.string(`,"result":{`)
	a.result.write(b)
	b.string("}}")
}

func (r *result) write(b *buffer) {
	meta := r.meta
	if r.content == nil && len(r.members[0]) == 0 {
		meta = bytes.TrimSuffix(meta, []byte(","))
	}
	b.raw(meta)
	if r.content != nil {
		lead := `"content":[`
		for i, c := range r.content {
			b.string(lead)
			lead = ","
			if r.encoded != nil && r.encoded[i] != nil {
				b.raw(r.encoded[i])
				continue
			}
			b.string(`{"type":"text","text":"`)
			b.text(c.(*mcp.TextContent).Text)
			b.string(`"}`)
		}
		if len(r.content) == 0 {
			b.string(lead)
		}
		b.string("]")
	}
	for _, m := range r.members {
		b.raw(m)
	}
}
