package splice

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych/internal/loopback"
)

// A handler answers calls over HTTP, and leaves the rest to the SDK's handler.
type handler struct {
	*server
	sdk     http.Handler
	opts    mcp.StreamableHTTPOptions
	maxBody int64 // 0: no limit
}

// Handler returns sdk, the SDK's handler of s with these options, with calls answered by this package. The options say that
// it is stateless, that no event is stored and that a call is cancelled with its request.
func Handler(s *mcp.Server, sdk http.Handler, opts mcp.StreamableHTTPOptions) http.Handler {
	h := &handler{server: newServer(s), sdk: Documents(sdk, opts), opts: opts, maxBody: max(0, opts.MaxRequestBodyBytes)}
	if opts.MaxRequestBodyBytes == 0 {
		h.maxBody = mcp.DefaultMaxRequestBodyBytes
	}
	return h
}

func (h *handler) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	version, ok := h.admits(req)
	if f := h.facts(); ok && f != nil && (version >= revision || version == "" || f.speaks(version)) {
		doc, err := h.body(req)
		if err == nil && h.serve(w, req, f, version, doc) {
			return
		}
		// The SDK reads it again, and what is left of it.
		req.Body = &restored{io.MultiReader(bytes.NewReader(doc), failing{err}, req.Body), req.Body}
	}
	h.sdk.ServeHTTP(w, req)
}

// A restored body was read, in part or as a whole, and is read again.
type restored struct {
	io.Reader
	io.Closer
}

// A failing reader fails as another one did, or is empty.
type failing struct{ err error }

func (f failing) Read([]byte) (int, error) {
	if f.err == nil || errors.Is(f.err, errTooLarge) {
		return 0, io.EOF
	}
	return 0, f.err
}

var errTooLarge = errors.New("the body is too large")

// firstRead is how much memory a body gets before any of it has arrived. It grows with what arrives, whatever length the
// request announces.
const firstRead = 4 << 10

// body reads the body up to one byte more than it may have.
func (h *handler) body(req *http.Request) ([]byte, error) {
	size := int64(firstRead)
	if req.ContentLength >= 0 {
		size = min(size, req.ContentLength+1) // the end is read too
	}
	doc := make([]byte, 0, size)
	for {
		n, err := req.Body.Read(doc[len(doc):cap(doc)])
		doc = doc[:len(doc)+n]
		switch {
		case h.maxBody > 0 && int64(len(doc)) > h.maxBody:
			return doc, errTooLarge
		case err == io.EOF:
			return doc, nil
		case err != nil:
			return doc, err
		case len(doc) == cap(doc):
			doc = append(doc, 0)[:len(doc)]
		}
	}
}

// admits looks at everything but the body. It returns the revision of the header, if it has one.
func (h *handler) admits(req *http.Request) (version string, ok bool) {
	header := req.Header
	if req.Method != http.MethodPost || req.Body == nil || !isJSONType(header) || !acceptsBoth(header) {
		return "", false
	}
	switch versions := header["Mcp-Protocol-Version"]; len(versions) {
	case 0:
	case 1:
		version = versions[0]
	default:
		return "", false
	}
	for name := range header {
		if strings.HasPrefix(name, "Mcp-Param-") || name == "Last-Event-Id" || name == "Mcp-Session-Id" {
			return "", false
		}
	}
	// A name that leads here from outside is an attack (DNS rebinding); the SDK says so.
	if local := req.Context().Value(http.LocalAddrContextKey); local != nil && !h.opts.DisableLocalhostProtection {
		addr, isTCP := local.(*net.TCPAddr)
		return version, isTCP && (!addr.IP.IsLoopback() || loopback.Is(loopback.Host(req.Host)))
	}
	return version, true
}

// isJSONType knows the plain ways to say that a body is JSON.
func isJSONType(h http.Header) bool {
	return only(h, "Content-Type", "application/json") || only(h, "Content-Type", "application/json; charset=utf-8")
}

// acceptsBoth knows the plain ways to accept both a document and a stream of events.
func acceptsBoth(h http.Header) bool {
	return only(h, "Accept", "application/json, text/event-stream") || only(h, "Accept", "application/json,text/event-stream") ||
		only(h, "Accept", "text/event-stream, application/json") || only(h, "Accept", "*/*")
}

// only reports whether the header has this value and no other.
func only(h http.Header, name, value string) bool {
	values := h[name]
	return len(values) == 1 && values[0] == value
}

// oldest is the revision of a request without a header for it.
const oldest = "2025-03-26"

// serve answers the request with this body, and reports whether it did. Version is that of the header.
func (h *handler) serve(w http.ResponseWriter, req *http.Request, f *facts, version string, doc []byte) bool {
	msg, id, ok := message(doc)
	if !ok {
		return false
	}
	r, ok := h.request(f, msg, id)
	if !ok || r.version != version && (r.version != "" || version >= revision) {
		return false
	}
	header := req.Header
	isNew := r.version != ""
	if isNew && (!only(header, "Mcp-Method", r.Method) || r.Method == "tools/call" && !only(header, "Mcp-Name", r.name)) {
		return false
	}
	resp := &response{server: h.server, w: w, version: version, documents: h.opts.JSONResponse, closed: make(chan struct{})}
	extra := &mcp.RequestExtra{TokenInfo: auth.TokenInfoFromContext(req.Context()), Header: header, CloseSSEStream: resp.end}
	state := &mcp.ServerSessionState{InitializeParams: r.client}
	ctx := req.Context()
	if !isNew {
		if version == "" {
			version = oldest
		}
		state.InitializeParams = &mcp.InitializeParams{ProtocolVersion: version}
		state.InitializedParams, state.LogLevel = new(mcp.InitializedParams), "info"
		ctx = context.WithoutCancel(ctx) // of these revisions a client may lose its connection and want the answer
	}
	c := &call{response: resp}
	ctx, cancel := context.WithCancel(context.WithValue(ctx, callKey{}, c))
	defer cancel()
	session, err := h.Connect(ctx, resp, &mcp.ServerSessionOptions{State: state})
	if err != nil {
		http.Error(w, "failed connection", http.StatusInternalServerError)
		return true
	}
	defer session.Close()
	if isNew && r.hasArguments() && !h.hasPlainHeaders(ctx, f, session, extra, r.name) {
		return false
	}
	res, err := chain(h.Server)(ctx, r.Method, r.forSession(session, extra))
	resp.send(h.answer(c, r, res, err))
	return true
}
