package splice

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// revision is the protocol revision from which on a request carries all that a session would know.
const revision = "2026-07-28"

// A server is a server of the SDK, and what is known about it.
type server struct {
	*mcp.Server
	facts   func() *facts // nil: they could not be found out, and everything is the SDK's
	lists   lists
	clients clients
	tools   toolHeaders
	buffers sync.Pool // of *buffer
}

func newServer(s *mcp.Server) *server {
	return &server{Server: s, facts: sync.OnceValue(func() *facts {
		f, err := learn(s, inquiryTimeout)
		if err != nil {
			return nil
		}
		return f
	})}
}

// facts are what the SDK knows of a server and does not export: it checks requests by them before the middleware, and adds
// them to results after it.
type facts struct {
	versions []string          // protocol revisions that the server speaks
	info     json.RawMessage   // its implementation
	meta     []byte            // the members that begin a result without metadata
	handler  mcp.MethodHandler // the SDK's, without middleware
}

// learn asks s, through a session that ends at once, past its middleware: no middleware sees a request that no client sent.
// The revisions are in the error that answers an unknown one. The implementation is in the result of the SDK's own handler;
// the handler of another server serves, because it works on the session of the request.
func learn(s *mcp.Server, timeout time.Duration) (*facts, error) {
	f := &facts{handler: chain(mcp.NewServer(&mcp.Implementation{Name: "diptych"}, nil))}
	q := &inquiry{answer: make(chan *jsonrpc.Response, 1), closed: make(chan struct{})}
	session, err := s.Connect(context.Background(), q, nil)
	if err != nil {
		return nil, err
	}
	defer session.Close()
	var answer *jsonrpc.Response
	select {
	case answer = <-q.answer:
	case <-time.After(timeout):
		return nil, errors.New("the SDK does not answer")
	}
	refusal, ok := errors.AsType[*jsonrpc.Error](answer.Error)
	var data mcp.UnsupportedProtocolVersionData
	if !ok || refusal.Code != mcp.CodeUnsupportedProtocolVersion || json.Unmarshal(refusal.Data, &data) != nil {
		return nil, errors.New("the SDK does not tell which revisions a server speaks")
	}
	f.versions = data.Supported
	res, err := f.handler(context.Background(), "initialize", &mcp.ServerRequest[*mcp.InitializeParams]{Session: session, Params: &mcp.InitializeParams{}})
	if err != nil {
		return nil, err
	}
	initialized, ok := res.(*mcp.InitializeResult)
	if !ok || initialized == nil || initialized.ServerInfo == nil {
		return nil, errors.New("the SDK does not tell the implementation of a server")
	}
	if f.info, err = json.Marshal(initialized.ServerInfo); err != nil {
		return nil, err
	}
	f.meta = slices.Concat([]byte(`"_meta":{"`+mcp.MetaKeyServerInfo+`":`), f.info, []byte(`},`))
	return f, nil
}

// An inquiry is the connection of a session that is asked for its revisions.
type inquiry struct {
	asked  bool
	answer chan *jsonrpc.Response
	closed chan struct{}
	close  sync.Once
}

// unknownRevision is newer than every revision.
const unknownRevision = "9999-12-31"

func (q *inquiry) Connect(context.Context) (mcp.Connection, error) { return q, nil }
func (q *inquiry) SessionID() string                               { return "" }

func (q *inquiry) Read(context.Context) (jsonrpc.Message, error) {
	if !q.asked {
		q.asked = true
		id, err := jsonrpc.MakeID("revisions")
		return &jsonrpc.Request{ID: id, Method: "tools/list", Params: json.RawMessage(`{"_meta":{"` +
			mcp.MetaKeyProtocolVersion + `":"` + unknownRevision + `","` + mcp.MetaKeyClientCapabilities + `":{}}}`)}, err
	}
	<-q.closed
	return nil, io.EOF
}

func (q *inquiry) Write(_ context.Context, msg jsonrpc.Message) error {
	if res, ok := msg.(*jsonrpc.Response); ok {
		q.answer <- res
	}
	return nil
}

func (q *inquiry) Close() error {
	q.close.Do(func() { close(q.closed) })
	return nil
}

// speaks reports whether the server speaks a revision.
func (f *facts) speaks(version string) bool { return slices.Contains(f.versions, version) }

// toolHeaders remembers which tools have arguments that are repeated in headers. The SDK asks that a tool is not modified once
// it is added.
type toolHeaders struct {
	mu    sync.Mutex
	tools map[*mcp.Tool]bool
}

// hasPlainHeaders reports whether the tool that is called name now has no argument that is repeated in a header. It asks the SDK
// for each call: a name says nothing about the tool that it will mean next.
func (s *server) hasPlainHeaders(ctx context.Context, f *facts, session *mcp.ServerSession, extra *mcp.RequestExtra, name string) bool {
	res, err := f.handler(ctx, "tools/list", &mcp.ListToolsRequest{Session: session, Params: &mcp.ListToolsParams{}, Extra: extra})
	list, ok := res.(*mcp.ListToolsResult)
	if err != nil || !ok || list == nil {
		return false
	}
	at, found := slices.BinarySearchFunc(list.Tools, name, func(t *mcp.Tool, name string) int { return strings.Compare(t.Name, name) })
	return found && !s.tools.repeats(list.Tools[at])
}

// repeats reports whether t may have arguments that are repeated in headers.
func (h *toolHeaders) repeats(t *mcp.Tool) bool {
	h.mu.Lock()
	repeats, known := h.tools[t]
	h.mu.Unlock()
	if known {
		return repeats
	}
	var schema any
	doc, err := json.Marshal(t.InputSchema)
	repeats = err != nil || json.Unmarshal(doc, &schema) != nil || hasKey(schema, "x-mcp-header")
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.tools == nil || len(h.tools) >= maxTools {
		h.tools = make(map[*mcp.Tool]bool)
	}
	h.tools[t] = repeats
	return repeats
}

// hasKey reports whether an object of v, at any depth, has this key.
func hasKey(v any, key string) bool {
	switch v := v.(type) {
	case map[string]any:
		for k, value := range v {
			if k == key || hasKey(value, key) {
				return true
			}
		}
	case []any:
		return slices.ContainsFunc(v, func(item any) bool { return hasKey(item, key) })
	}
	return false
}
