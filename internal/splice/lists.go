package splice

import (
	"bytes"
	"encoding/json"
	"slices"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// lists remembers encoded lists of tools. A list is used again only for the very same tools under the same cursor and
// hints, so that a tool that changed, or a middleware that hides tools from a caller, is never answered from memory. The
// SDK asks that a tool is not modified once it is added.
type lists struct {
	mu    sync.Mutex
	pages map[*mcp.Tool]page // by their first tool
}

type page struct {
	tools []*mcp.Tool
	next  string
	hints mcp.Cacheable
	json  []byte
}

// maxPages bounds what is remembered.
const maxPages = 64

// body is the body of the answer to a request for a list.
func (l *lists) body(res *mcp.ListToolsResult, req mcp.Request) (body, bool) {
	if res == nil {
		return body{}, false
	}
	doc, ok := l.encoded(res)
	if !ok {
		return body{}, false
	}
	b := body{members: [][]byte{doc}}
	// From this revision on the SDK writes the type once the middleware is done.
	if v, _ := req.GetParams().GetMeta()[mcp.MetaKeyProtocolVersion].(string); v >= revision {
		b.members = append(b.members, []byte(`,"resultType":"complete"`))
	}
	return b, true
}

func (l *lists) encoded(res *mcp.ListToolsResult) ([]byte, bool) {
	var first *mcp.Tool
	if len(res.Tools) > 0 {
		first = res.Tools[0]
	}
	l.mu.Lock()
	p, ok := l.pages[first]
	l.mu.Unlock()
	if ok && p.next == res.NextCursor && p.hints == res.Cacheable && slices.Equal(p.tools, res.Tools) {
		return p.json, true
	}
	p = page{tools: slices.Clone(res.Tools), next: res.NextCursor, hints: res.Cacheable}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(&mcp.ListToolsResult{Cacheable: res.Cacheable, NextCursor: res.NextCursor, Tools: res.Tools}) != nil {
		return nil, false
	}
	p.json = bytes.TrimSuffix(bytes.TrimPrefix(b.Bytes(), []byte("{")), []byte("}\n"))
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.pages == nil || len(l.pages) >= maxPages {
		l.pages = make(map[*mcp.Tool]page)
	}
	l.pages[first] = p
	return p.json, true
}
