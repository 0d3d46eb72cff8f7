package splice

import (
	"bytes"
	"io"
	"net"
	"net/http"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// revision is the protocol revision whose calls come through the front door: one request, one answer, no session.
const revision = "2026-07-28"

// A request is a call that the front door understands.
type request struct {
	id   []byte // as it was written
	call jsonrpc.Request
}

// read reads a request for the front door. It says false for all that the SDK has to see, and puts back what it has read.
// What it lets in passes every check that the SDK makes before a message reaches the session.
func (d *door) read(req *http.Request) (*request, bool) {
	size := req.ContentLength
	if size <= 0 || d.opts.MaxRequestBodyBytes > 0 && size > d.opts.MaxRequestBodyBytes || !d.admits(req) {
		return nil, false
	}
	doc := make([]byte, size)
	n, err := io.ReadFull(req.Body, doc)
	if err == nil {
		if r, ok := d.parse(doc, req.Header); ok {
			return r, true
		}
	}
	rest := io.Reader(req.Body)
	if err != nil {
		rest = failed{err}
	}
	req.Body = struct {
		io.Reader
		io.Closer
	}{io.MultiReader(bytes.NewReader(doc[:n]), rest), req.Body}
	return nil, false
}

// A failed reader fails as another one did.
type failed struct{ err error }

func (f failed) Read([]byte) (int, error) { return 0, f.err }

// admits looks at everything but the body.
func (d *door) admits(req *http.Request) bool {
	if _, limited := req.Context().Deadline(); limited { // a session does not know of it
		return false
	}
	h := req.Header
	if !only(h, "Mcp-Protocol-Version", revision) || !only(h, "Content-Type", "application/json") ||
		!only(h, "Accept", "application/json, text/event-stream") && !only(h, "Accept", "application/json,text/event-stream") && !only(h, "Accept", "*/*") {
		return false
	}
	for name := range h {
		if strings.HasPrefix(name, "Mcp-Param-") || name == "Last-Event-Id" || name == "Mcp-Session-Id" {
			return false
		}
	}
	// A name that leads here from outside is an attack (DNS rebinding); the SDK says so.
	if local := req.Context().Value(http.LocalAddrContextKey); local != nil && !d.opts.DisableLocalhostProtection {
		addr, ok := local.(*net.TCPAddr)
		return ok && (!addr.IP.IsLoopback() || isLocal(req.Host))
	}
	return true
}

// isLocal knows the plain ways to write the local host.
func isLocal(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	return host == "localhost" || host == "127.0.0.1" || host == "::1"
}

// only says whether the header has this value and no other.
func only(h http.Header, name, value string) bool {
	values := h[name]
	return len(values) == 1 && values[0] == value
}

// plainRequest reads a request or a notification that is written plainly, as the SDK would read it. What it says false to
// is not wrong.
func (k *keeper) plainRequest(doc []byte) (r jsonrpc.Request, id []byte, ok bool) {
	var version, method, params []byte
	if !k.isJSON(doc) || !members(doc, map[string]*[]byte{"jsonrpc": &version, "id": &id, "method": &method, "params": &params}, false) ||
		string(version) != `"2.0"` || text(method) == "" {
		return r, nil, false
	}
	r = jsonrpc.Request{Method: text(method), Params: params}
	if id == nil {
		return r, nil, true
	}
	r.ID, ok = identifier(id)
	return r, id, ok
}

// parse reads the body.
func (d *door) parse(doc []byte, h http.Header) (*request, bool) {
	r, id, ok := d.keeper.plainRequest(doc)
	if !ok || id == nil {
		return nil, false
	}
	var name, arguments, cursor, meta, claimed []byte
	if !members(r.Params, map[string]*[]byte{"name": &name, "arguments": &arguments, "cursor": &cursor, "_meta": &meta}, false) ||
		!members(meta, map[string]*[]byte{"io.modelcontextprotocol/protocolVersion": &claimed}, true) {
		return nil, false
	}
	if text(claimed) != revision || !only(h, "Mcp-Method", r.Method) || hasWideNumber(r.Params) || bytes.Contains(meta, []byte(`"progressToken"`)) || bytes.Contains(meta, []byte(`/logLevel"`)) {
		return nil, false
	}
	switch r.Method {
	case "tools/list":
		if name != nil || arguments != nil {
			return nil, false
		}
	case "tools/call":
		if _, plain := d.keeper.plain.Load(text(name)); !plain || cursor != nil || !only(h, "Mcp-Name", text(name)) {
			return nil, false
		}
	default:
		return nil, false
	}
	return &request{id: id, call: r}, true
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
	inside := value[1 : len(value)-1]
	for _, c := range inside {
		if c < ' ' || c > '~' || c == '\\' {
			return ""
		}
	}
	return string(inside)
}

// members finds members of doc, which is JSON. It says false where doc is no object, where a name is written with escapes
// or one of those wanted is there twice, and for names that are not wanted unless others are allowed.
func members(doc []byte, wanted map[string]*[]byte, others bool) bool {
	i := space(doc, 0)
	if i >= len(doc) || doc[i] != '{' {
		return false
	}
	for i = space(doc, i+1); doc[i] != '}'; {
		end := behindString(doc, i)
		name := doc[i+1 : end-1]
		if bytes.IndexByte(name, '\\') >= 0 {
			return false
		}
		i = space(doc, space(doc, end)+1) // behind the colon
		end = behind(doc, i)
		if into, ok := wanted[string(name)]; ok {
			if *into != nil {
				return false
			}
			*into = doc[i:end]
		} else if !others {
			return false
		}
		if i = space(doc, end); doc[i] == ',' {
			i = space(doc, i+1)
		}
	}
	return true
}

// hasWideNumber says whether doc may have a number that does not fit a float, which the SDK refuses.
func hasWideNumber(doc []byte) bool {
	for i := 0; i < len(doc); {
		switch c := doc[i]; {
		case c == '"':
			i = behindString(doc, i)
		case c >= '0' && c <= '9':
			end := behind(doc, i)
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

func space(doc []byte, i int) int {
	for i < len(doc) && (doc[i] == ' ' || doc[i] == '\n' || doc[i] == '\r' || doc[i] == '\t') {
		i++
	}
	return i
}

// behindString is the index behind the string at i.
func behindString(doc []byte, i int) int {
	for i++; doc[i] != '"'; i++ {
		if doc[i] == '\\' {
			i++
		}
	}
	return i + 1
}

// behind is the index behind the value at i.
func behind(doc []byte, i int) int {
	for depth := 0; ; {
		switch doc[i] {
		case '"':
			i = behindString(doc, i)
		case '{', '[':
			depth++
			i++
		case '}', ']':
			depth--
			i++
		case ',', ':', ' ', '\n', '\r', '\t':
			i++
			continue
		default: // a number or a word
			for doc[i] != ',' && doc[i] != '}' && doc[i] != ']' && doc[i] > ' ' {
				i++
			}
		}
		if depth == 0 {
			return i
		}
	}
}
