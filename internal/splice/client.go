package splice

//lint:file-ignore SA1019 clients describe themselves with deprecated members too

import (
	"maps"
	"slices"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// clients remembers how the SDK decoded what clients say about themselves in each request. The key is what they say, byte for
// byte.
type clients struct {
	mu    sync.Mutex
	known map[string]client
}

type client struct {
	info         *mcp.Implementation
	capabilities *mcp.ClientCapabilities
}

// decode returns the parameters that a session starts with for a request with this metadata: info and capabilities are the raw
// members of meta, info nil where there is none. It reports false where the SDK refuses them.
func (c *clients) decode(version string, meta map[string]any, info, capabilities []byte) (*mcp.InitializeParams, bool) {
	size := len(info) + len(capabilities)
	var key string
	if size <= maxClientBytes {
		key = string(info) + "\n" + string(capabilities) // a string has no line end
	}
	c.mu.Lock()
	known, ok := c.known[key]
	c.mu.Unlock()
	if !ok {
		req := mcp.CallToolRequest{Params: &mcp.CallToolParamsRaw{Meta: meta}}
		known = client{req.ClientInfo(), req.ClientCapabilities()}
		if known.capabilities == nil || known.info == nil && info != nil {
			return nil, false
		}
		if key != "" {
			c.remember(key, known)
		}
	}
	known = known.clone() // a middleware may change what it is given
	return &mcp.InitializeParams{ProtocolVersion: version, Capabilities: known.capabilities, ClientInfo: known.info}, true
}

func (c *clients) remember(key string, known client) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.known == nil || len(c.known) >= maxClients {
		c.known = make(map[string]client)
	}
	c.known[key] = known
}

func (c client) clone() client {
	if c.info != nil {
		info := *c.info
		info.Icons = slices.Clone(info.Icons)
		c.info = &info
	}
	caps := *c.capabilities
	caps.Experimental, caps.Extensions = maps.Clone(caps.Experimental), maps.Clone(caps.Extensions)
	caps.RootsV2 = clone(caps.RootsV2)
	if caps.Sampling = clone(caps.Sampling); caps.Sampling != nil {
		caps.Sampling.Tools, caps.Sampling.Context = clone(caps.Sampling.Tools), clone(caps.Sampling.Context)
	}
	if caps.Elicitation = clone(caps.Elicitation); caps.Elicitation != nil {
		caps.Elicitation.Form, caps.Elicitation.URL = clone(caps.Elicitation.Form), clone(caps.Elicitation.URL)
	}
	c.capabilities = &caps
	return c
}

func clone[T any](p *T) *T {
	if p == nil {
		return nil
	}
	v := *p
	return &v
}
