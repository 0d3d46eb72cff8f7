// Package splice sends finished results over the SDK's HTTP transport as they are. On its own the SDK encodes a result
// at three levels, and each level reads the JSON of the one below again.
//
// A receiving middleware, the outermost one, keeps the result of a call back and answers with a result of one random
// mark. The writer that the SDK was given writes the result where the mark stands. Everything between the two stays the
// SDK's: the session, the message around the result, the stream, the status.
package splice

import (
	"context"
	"crypto/rand"
	"net/http"
	"sync"
	"sync/atomic"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych/internal/validate"
)

// Handler returns h, a stateless handler of s that stores no events and reads no more than limit bytes of a request,
// with results spliced in. The middleware joins s with the first request, so that those which s has by then stay inside
// and see the results of the SDK. Requests that h does not answer with one message, such as batches, are h's alone.
func Handler(s *mcp.Server, h http.Handler, limit int64) http.Handler {
	k := &keeper{sound: soundness()}
	var joined sync.Once
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		// Older revisions know batches.
		if req.Method != http.MethodPost || req.Header.Get("Mcp-Protocol-Version") < "2025-06-18" {
			h.ServeHTTP(w, req)
			return
		}
		joined.Do(func() { s.AddReceivingMiddleware(k.keep) })
		if limit > 0 {
			// The reader tells w of a request that is too large, which h's own cannot do through another writer.
			req.Body = http.MaxBytesReader(w, req.Body, limit)
		}
		into := &slot{ResponseWriter: w, keeper: k}
		h.ServeHTTP(into, req.WithContext(context.WithValue(req.Context(), slotKey{}, into)))
	})
}

type slotKey struct{}

// A kept result waits to be written in place of its mark.
type kept struct {
	body body
	mark string // random, so that nothing else contains it
}

// A marked result is what the SDK encodes in place of a kept one. The SDK adds to its _meta.
type marked struct {
	mcp.ResultBase
	Mark string `json:"splice"`
}

// member is the part of an encoded marked result that the kept one takes the place of.
func (k *kept) member() string { return `"splice":"` + k.mark + `"` }

// A keeper is what the requests of one handler share.
type keeper struct {
	lists lists
	sound *validate.Checker // accepts all that is JSON
	outs  sync.Pool         // of *out
}

// keep is the middleware. It leaves alone what did not come through Handler.
func (k *keeper) keep(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		res, err := next(ctx, method, req)
		into, ok := ctx.Value(slotKey{}).(*slot)
		if !ok || err != nil {
			return res, err
		}
		var b body
		switch res := res.(type) {
		case *mcp.CallToolResult:
			b, ok = k.call(res)
		case *mcp.ListToolsResult:
			b, ok = k.lists.body(res, req)
		default:
			return res, nil
		}
		if !ok {
			return res, nil
		}
		mark := rand.Text()
		if !into.kept.CompareAndSwap(nil, &kept{b, mark}) {
			return res, nil
		}
		return &marked{mcp.ResultBase{Meta: res.GetMeta()}, mark}, nil
	}
}

// A slot is the response to one request, with room for one result. It writes what it is given until a result is kept.
type slot struct {
	http.ResponseWriter
	keeper *keeper
	kept   atomic.Pointer[kept]
	done   bool  // the kept result was written
	err    error // why nothing more is written
}

// Unwrap lets http.ResponseController find what else the writer can do.
func (s *slot) Unwrap() http.ResponseWriter { return s.ResponseWriter }
