package splice

//lint:file-ignore SA1019 clients describe themselves with deprecated members too

import (
	"encoding/json"
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
	info, capabilities any // in the metadata of a request
	implementation     *mcp.Implementation
	clientCapabilities *mcp.ClientCapabilities
}

// decode returns what a client says about itself: info and capabilities are the raw members of the metadata, info nil where there
// is none. It reports false where the SDK refuses them.
func (c *clients) decode(info, capabilities []byte) (client, bool) {
	var key string
	if len(info)+len(capabilities) <= maxClientBytes {
		key = string(info) + "\n" + string(capabilities) // of which neither has a line end in a string
	}
	c.mu.Lock()
	known, ok := c.known[key]
	c.mu.Unlock()
	if !ok {
		if known, ok = newClient(info, capabilities); !ok {
			return client{}, false
		}
		if key != "" {
			c.remember(key, known)
		}
	}
	return known.clone(), true // a middleware may change what it is given
}

// newClient lets the SDK decode.
func newClient(info, capabilities []byte) (c client, ok bool) {
	meta := make(map[string]any, 2)
	if info != nil {
		if json.Unmarshal(info, &c.info) != nil {
			return c, false
		}
		meta[mcp.MetaKeyClientInfo] = c.info
	}
	if json.Unmarshal(capabilities, &c.capabilities) != nil {
		return c, false
	}
	meta[mcp.MetaKeyClientCapabilities] = c.capabilities
	req := mcp.CallToolRequest{Params: &mcp.CallToolParamsRaw{Meta: meta}}
	c.implementation, c.clientCapabilities = req.ClientInfo(), req.ClientCapabilities()
	return c, c.clientCapabilities != nil && (c.implementation != nil || info == nil)
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
	c.info, c.capabilities = cloneJSON(c.info), cloneJSON(c.capabilities)
	if c.implementation = clone(c.implementation); c.implementation != nil {
		c.implementation.Icons = slices.Clone(c.implementation.Icons)
	}
	caps := clone(c.clientCapabilities)
	caps.Experimental, caps.Extensions = maps.Clone(caps.Experimental), maps.Clone(caps.Extensions)
	caps.RootsV2 = clone(caps.RootsV2)
	if caps.Sampling = clone(caps.Sampling); caps.Sampling != nil {
		caps.Sampling.Tools, caps.Sampling.Context = clone(caps.Sampling.Tools), clone(caps.Sampling.Context)
	}
	if caps.Elicitation = clone(caps.Elicitation); caps.Elicitation != nil {
		caps.Elicitation.Form, caps.Elicitation.URL = clone(caps.Elicitation.Form), clone(caps.Elicitation.URL)
	}
	c.clientCapabilities = caps
	return c
}

// cloneJSON copies a decoded value.
func cloneJSON(v any) any {
	switch v := v.(type) {
	case map[string]any:
		m := make(map[string]any, len(v))
		for name, value := range v {
			m[name] = cloneJSON(value)
		}
		return m
	case []any:
		items := make([]any, len(v))
		for i, item := range v {
			items[i] = cloneJSON(item)
		}
		return items
	}
	return v
}

func clone[T any](p *T) *T {
	if p == nil {
		return nil
	}
	v := *p
	return &v
}
