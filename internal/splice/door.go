package splice

import (
	"context"
	"net/http"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// The front door answers calls and lists of one revision. A request gets a session of the SDK's like any other and goes
// through it: the checks of _meta, the middleware, the tool. What is spared is the SDK's transport, which reads the
// request several times before it and the result several times after it.
type door struct {
	server *mcp.Server
	opts   mcp.StreamableHTTPOptions
	keeper *keeper
}

// serve answers a request.
func (d *door) serve(w http.ResponseWriter, req *http.Request, r *request) {
	h := w.Header()
	h.Set("Cache-Control", "no-cache, no-transform")
	if d.opts.JSONResponse {
		h.Set("Content-Type", "application/json")
	} else {
		h.Set("Content-Type", "text/event-stream")
		h.Set("Connection", "keep-alive")
	}
	r.call.Extra = &mcp.RequestExtra{
		TokenInfo:      auth.TokenInfoFromContext(req.Context()),
		Header:         req.Header,
		CloseSSEStream: func(mcp.CloseSSEStreamArgs) {}, // this revision does not resume streams
	}
	v := &visit{
		place: place{keeper: d.keeper, front: true}, request: r, plain: d.opts.JSONResponse, w: w,
		gone: req.Context().Done(), answered: make(chan struct{}), closed: make(chan struct{}),
	}
	ctx := context.WithValue(req.Context(), placeKey{}, &v.place)
	session, err := d.server.Connect(ctx, v, &mcp.ServerSessionOptions{State: new(mcp.ServerSessionState)})
	if err != nil {
		http.Error(w, "failed connection", http.StatusInternalServerError)
		return
	}
	defer session.Close() // waits for the tool
	select {
	case <-v.answered:
	case <-v.gone:
	}
}
