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

// encode returns the members of a list but for its metadata and its type.
func (l *lists) encode(res *mcp.ListToolsResult) ([]byte, error) {
	var first *mcp.Tool
	if len(res.Tools) > 0 {
		first = res.Tools[0]
	}
	l.mu.Lock()
	p, ok := l.pages[first]
	l.mu.Unlock()
	if ok && p.next == res.NextCursor && p.hints == res.Cacheable && slices.Equal(p.tools, res.Tools) {
		return p.json, nil
	}
	p = page{tools: slices.Clone(res.Tools), next: res.NextCursor, hints: res.Cacheable}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(&mcp.ListToolsResult{Cacheable: res.Cacheable, NextCursor: res.NextCursor, Tools: res.Tools}); err != nil {
		return nil, err
	}
	p.json = bytes.TrimSuffix(bytes.TrimPrefix(b.Bytes(), []byte("{")), []byte("}\n"))
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.pages == nil || len(l.pages) >= maxLists {
		l.pages = make(map[*mcp.Tool]page)
	}
	l.pages[first] = p
	return p.json, nil
}
