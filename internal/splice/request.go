package splice

import (
	"bytes"
	"encoding/json"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych/internal/jsontext"
)

// A request is a call of tools/call or tools/list that is written plainly.
type request struct {
	jsonrpc.Request
	id        []byte // as it was written
	name      string // of the tool
	arguments []byte
	cursor    string
	meta      map[string]any
	version   string                // the revision in the metadata
	client    *mcp.InitializeParams // from that revision on
}

// isJSON reports whether doc is JSON, in UTF-8.
func isJSON(doc []byte) bool { return utf8.Valid(doc) && jsontext.Valid(doc, jsontext.MaxDepth) }

// message reads a request or a notification that is written plainly, as the SDK would read it.
func message(doc []byte) (r jsonrpc.Request, id []byte, ok bool) {
	if !isJSON(doc) {
		return r, nil, false
	}
	m, ok := members(doc, false, "jsonrpc", "id", "method", "params")
	if r = (jsonrpc.Request{Method: text(m[2]), Params: m[3]}); !ok || string(m[0]) != `"2.0"` || r.Method == "" {
		return r, nil, false
	}
	id = m[1]
	if id == nil {
		return r, nil, true
	}
	r.ID, ok = identifier(id)
	return r, id, ok
}

// request reads a request. It reports false for all that the SDK has to see, which is not wrong. What it reports true for
// passes every check that the SDK makes of a request by itself.
func (s *server) request(f *facts, msg jsonrpc.Request, id []byte) (*request, bool) {
	r := &request{Request: msg, id: id}
	m, ok := members(msg.Params, false, "name", "arguments", "cursor", "_meta")
	if !ok || id == nil {
		return nil, false
	}
	name, arguments, cursor, meta := m[0], m[1], m[2], m[3]
	r.name, r.cursor, r.arguments = text(name), text(cursor), arguments
	switch msg.Method {
	case "tools/list":
		if name != nil || arguments != nil || cursor != nil && r.cursor == "" {
			return nil, false
		}
	case "tools/call":
		if r.name == "" || cursor != nil || string(arguments) == "null" {
			return nil, false
		}
	default:
		return nil, false
	}
	if hasWideNumber(msg.Params) {
		return nil, false
	}
	if meta == nil {
		return r, true
	}
	//lint:ignore SA1019 clients may still ask for log messages
	m, ok = members(meta, true, mcp.MetaKeyProtocolVersion, mcp.MetaKeyClientInfo, mcp.MetaKeyClientCapabilities, mcp.MetaKeyLogLevel)
	version, info, capabilities, level := m[0], m[1], m[2], m[3]
	if !ok || level != nil || bytes.Contains(meta, []byte(`\u`)) {
		return nil, false
	}
	if version == nil {
		return r, json.Unmarshal(meta, &r.meta) == nil
	}
	if r.version = text(version); r.version < revision || !f.speaks(r.version) {
		return nil, false
	}
	c, ok := s.clients.decode(info, capabilities)
	if !ok {
		return nil, false
	}
	r.client = &mcp.InitializeParams{ProtocolVersion: r.version, Capabilities: c.clientCapabilities, ClientInfo: c.implementation}
	r.meta, ok = metadata(meta, &c)
	return r, ok
}

// metadata decodes the metadata of a request of this client.
func metadata(doc []byte, c *client) (map[string]any, bool) {
	meta := make(map[string]any, 4)
	ok := true
	jsontext.Members(doc, 0, jsontext.MaxDepth, func(name []byte, value jsontext.Span) {
		raw := value.Of(doc)
		switch string(name) {
		case mcp.MetaKeyClientInfo:
			meta[mcp.MetaKeyClientInfo] = c.info
			return
		case mcp.MetaKeyClientCapabilities:
			meta[mcp.MetaKeyClientCapabilities] = c.capabilities
			return
		}
		if s := text(raw); s != "" {
			meta[string(name)] = s
			return
		}
		var v any
		ok = ok && json.Unmarshal(raw, &v) == nil
		meta[string(name)] = v
	})
	return meta, ok
}

// hasArguments reports whether a tool is called with arguments: without any, none can lack in a header.
func (r *request) hasArguments() bool { return len(r.arguments) > 0 && string(r.arguments) != "{}" }

// forSession is the request as the SDK gives it to the chain.
func (r *request) forSession(session *mcp.ServerSession, extra *mcp.RequestExtra) mcp.Request {
	if r.Method == "tools/list" {
		return &mcp.ListToolsRequest{Session: session, Params: &mcp.ListToolsParams{Meta: r.meta, Cursor: r.cursor}, Extra: extra}
	}
	return &mcp.CallToolRequest{Session: session, Params: &mcp.CallToolParamsRaw{Meta: r.meta, Name: r.name, Arguments: r.arguments}, Extra: extra}
}

// identifier reads an id, a short whole number or plain text.
func identifier(id []byte) (jsonrpc.ID, bool) {
	if s := text(id); s != "" {
		made, err := jsonrpc.MakeID(s)
		return made, err == nil
	}
	if len(id) == 0 || len(id) > 15 || len(id) > 1 && id[0] == '0' {
		return jsonrpc.ID{}, false
	}
	n := 0
	for _, c := range id {
		if c < '0' || c > '9' {
			return jsonrpc.ID{}, false
		}
		n = 10*n + int(c-'0')
	}
	made, err := jsonrpc.MakeID(float64(n))
	return made, err == nil
}

// text is a JSON string of printable ASCII without escapes, and nothing for every other value.
func text(value []byte) string {
	if len(value) < 2 || value[0] != '"' {
		return ""
	}
	if inside := value[1 : len(value)-1]; jsontext.IsPlain(inside) && bytes.IndexByte(inside, 0x7F) < 0 {
		return string(inside)
	}
	return ""
}

// members finds members of doc by their names. It reports false where doc is no object, where one of those wanted is there
// twice, and for other names unless others are allowed.
func members(doc []byte, others bool, names ...string) (values [4][]byte, ok bool) {
	ok = true
	end := jsontext.Members(doc, 0, jsontext.MaxDepth, func(name []byte, value jsontext.Span) {
		i := 0
		for i < len(names) && names[i] != string(name) {
			i++
		}
		switch {
		case i == len(names):
			ok = ok && others
		case values[i] != nil:
			ok = false
		default:
			values[i] = value.Of(doc)
		}
	})
	return values, ok && end >= 0
}

// hasWideNumber reports whether doc, which is JSON, may have a number that does not fit a float, which the SDK refuses.
func hasWideNumber(doc []byte) bool {
	for i := 0; i < len(doc); {
		switch c := doc[i]; {
		case c == '"':
			i = jsontext.SkipString(doc, i)
		case c >= '0' && c <= '9':
			end := jsontext.SkipNumber(doc, i)
			if end-i > 300 || bytes.ContainsAny(doc[i:end], "eE") {
				return true
			}
			i = end
		default:
			i++
		}
	}
	return false
}
