// Package splice answers with results as they were finished. On its own the SDK encodes a result at three
// levels, and each level reads the JSON of the one below again.
//
// A receiving middleware, the outermost one, keeps a result back and answers with a result of one random mark. Whoever
// writes the message writes the result where the mark stands. For the calls over HTTP that it understands that is the
// front door, a transport of this package under sessions of the SDK (door.go). For all others it is the SDK's transport,
// and a writer of this package under it (writer.go, shelf.go).
package splice

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"net/http"
	"reflect"
	"sync"
	"sync/atomic"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych/internal/validate"
)

// Handler returns sdk, the SDK's handler of s with these options, with results spliced in. The options say that it is
// stateless, that no event is stored and that a call is cancelled with its request.
func Handler(s *mcp.Server, sdk http.Handler, opts mcp.StreamableHTTPOptions) http.Handler {
	if opts.MaxRequestBodyBytes == 0 {
		opts.MaxRequestBodyBytes = mcp.DefaultMaxRequestBodyBytes
	}
	k := newKeeper()
	d := &door{server: s, opts: opts, keeper: k}
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		// Older revisions know batches, which have no single answer.
		if req.Method != http.MethodPost || req.Header.Get("Mcp-Protocol-Version") < "2025-06-18" {
			sdk.ServeHTTP(w, req)
			return
		}
		join(s)
		if r, ok := d.read(req); ok {
			d.serve(w, req, r)
			return
		}
		if opts.MaxRequestBodyBytes > 0 {
			// The reader tells w of a request that is too large, which the SDK's own cannot do through another writer.
			req.Body = http.MaxBytesReader(w, req.Body, opts.MaxRequestBodyBytes)
		}
		into := &slot{ResponseWriter: w, place: place{keeper: k}}
		sdk.ServeHTTP(into, req.WithContext(context.WithValue(req.Context(), placeKey{}, &into.place)))
	})
}

// A place is where the result of one request goes.
type place struct {
	keeper  *keeper
	shelf   *shelf      // nil over HTTP
	front   bool        // through the front door, where small results are worth it too
	entered atomic.Bool // by the outermost keep
	kept    atomic.Pointer[kept]
	plain   atomic.Bool
	checked atomic.Pointer[checked]
}

type (
	placeKey struct{} // of a *place
	shelfKey struct{} // of a *shelf, whose requests get their places as they come
)

// Made says that a tool of this module answers ctx with res, whose structured content was checked. Plain says that the
// tool has no arguments that are repeated in headers, which the SDK would compare: the front door is for such tools.
func Made(ctx context.Context, res *mcp.CallToolResult, plain bool) {
	p, ok := ctx.Value(placeKey{}).(*place)
	if !ok {
		return
	}
	p.plain.Store(plain)
	if res != nil {
		if doc, ok := res.StructuredContent.(json.RawMessage); ok && len(doc) > 0 {
			p.checked.Store(&checked{&doc[0], len(doc)})
		}
	}
}

// A checked document is known by where it is: middleware may have put another one in the result.
type checked struct {
	start *byte
	size  int
}

func (p *place) isChecked(doc []byte) bool {
	c := p.checked.Load()
	return c != nil && len(doc) == c.size && &doc[0] == c.start
}

// A kept result waits to be written in place of its mark.
type kept struct {
	body body
	mark string      // random, so that nothing else contains it
	over func() bool // of one on a shelf: it need not be taken away
}

// A marked result is what the SDK encodes in place of a kept one. The SDK adds to its _meta.
type marked struct {
	mcp.ResultBase
	Mark string `json:"splice"`
	kept *kept
}

// member is the part of an encoded marked result that the kept one takes the place of.
func (k *kept) member() string { return `"splice":"` + k.mark + `"` }

// hold takes a result back until its mark is written, or says that the place is taken.
func (p *place) hold(ctx context.Context, k *kept) bool {
	if p.shelf != nil {
		p.shelf.hold(ctx, k)
		return true
	}
	return p.kept.CompareAndSwap(nil, k)
}

// A keeper is what the requests of one handler or of one session share.
type keeper struct {
	lists lists
	plain sync.Map          // of names of tools that were plain when they were last called
	tails sync.Map          // of []byte, by tail
	sound *validate.Checker // accepts all that is JSON
	outs  sync.Pool         // of *out
}

func newKeeper() *keeper {
	c, err := validate.Compile([]byte("true"))
	if err != nil {
		c = nil
	}
	return &keeper{sound: c}
}

// isJSON says whether doc is JSON. It says no without a checker: all that follows is that the SDK has the work.
func (k *keeper) isJSON(doc []byte) bool { return k.sound != nil && k.sound.Check(doc) }

// join makes keep the outermost middleware of s, unless it is. It is called for every request, so that middleware which
// was added since the last one sees the results of the SDK like any other.
func join(s *mcp.Server) {
	s.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		around := keep(next)
		if reflect.ValueOf(around).Pointer() == reflect.ValueOf(next).Pointer() { // the same code
			return next
		}
		return around
	})
}

// keep is the middleware. It leaves alone what did not come through this package.
func keep(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		to, ok := ctx.Value(placeKey{}).(*place)
		if s, session := ctx.Value(shelfKey{}).(*shelf); session && !ok && !s.closed.Load() {
			to, ok = &place{keeper: s.keeper, shelf: s, front: true}, true
			ctx = context.WithValue(ctx, placeKey{}, to)
		}
		if !ok || to.entered.Swap(true) {
			return next(ctx, method, req)
		}
		res, err := next(ctx, method, req)
		if p, ok := req.GetParams().(*mcp.CallToolParamsRaw); ok && p != nil {
			to.keeper.remember(p.Name, to)
		}
		if err != nil {
			return res, err
		}
		var b body
		switch res := res.(type) {
		case *mcp.CallToolResult:
			b, ok = to.call(res)
		case *mcp.ListToolsResult:
			b, ok = to.keeper.lists.body(res, req)
		case *marked: // that another middleware remembered
			b, ok = res.kept.body, true
		default:
			return res, nil
		}
		if !ok {
			return res, nil
		}
		k := &kept{body: b, mark: rand.Text()}
		if !to.hold(ctx, k) {
			return res, nil
		}
		return &marked{mcp.ResultBase{Meta: res.GetMeta()}, k.mark, k}, nil
	}
}

// remember notes whether the tool that was called is plain.
func (k *keeper) remember(name string, to *place) {
	switch _, known := k.plain.Load(name); {
	case to.plain.Load() && !known:
		k.plain.Store(name, true)
	case !to.plain.Load() && known:
		k.plain.Delete(name)
	}
}
