// Package splice answers tools/call and tools/list with bytes that are finished, over HTTP and on lines. The SDK alone reads
// each request several times, each time into a buffer of 32 KiB, and encodes each result at three levels, each of which reads
// the JSON of the one below again.
//
// What this package reads it gives to the SDK's session and to the chain of middleware as the SDK would, and writes what comes
// back. Everything else, and each request that is written in an unusual way, is the SDK's.
package splice

import (
	"context"
	"encoding/json"
	"sync/atomic"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// chain returns all middleware of s and the SDK's handler below it, as they are now. A middleware that returns the handler
// that it is given changes nothing.
func chain(s *mcp.Server) (h mcp.MethodHandler) {
	s.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		h = next
		return next
	})
	return h
}

// A call is a request on its way through the chain.
type call struct {
	response *response // over HTTP: where its notifications go
	checked  atomic.Pointer[document]
}

type callKey struct{} // of a *call

// A document is known by its place in memory: middleware may have put another one in the result.
type document struct {
	start *byte
	size  int
}

// Checked says that the structured content of res, with which a tool answers the call of ctx, is JSON.
func Checked(ctx context.Context, res *mcp.CallToolResult) {
	c, ok := ctx.Value(callKey{}).(*call)
	if !ok || res == nil {
		return
	}
	if doc, ok := res.StructuredContent.(json.RawMessage); ok && len(doc) > 0 {
		c.checked.Store(&document{&doc[0], len(doc)})
	}
}

func (c *call) isChecked(doc []byte) bool {
	d := c.checked.Load()
	return d != nil && len(doc) == d.size && &doc[0] == d.start
}
