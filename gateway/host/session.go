package host

// One connection to a server, from the first message to the last.

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych/internal/connect"
)

type session struct {
	*mcp.ClientSession
	process *connect.Process // nil where we did not start it
	ended   chan struct{}    // closed when the connection is gone
	lost    chan error       // a reason to give it up
	changed chan struct{}    // the server says that its tools have changed
	doubted chan struct{}    // a call broke: see whether the server still answers

	mu        sync.Mutex
	exchanges map[string]*exchange
	timeouts  int // calls in a row that were not answered in time
}

// An unreachable error is a server that could not be started or reached.
type unreachable struct{ cause, words string }

func (e *unreachable) Error() string { return e.cause }

// dial starts or reaches a server. One that never answers the newest revision's first question, or dies of it, is asked
// once more in the older way.
func dial(ctx context.Context, s Server, o Options) (*session, error) {
	first, cancel := context.WithTimeout(ctx, o.Dial/2)
	defer cancel()
	got, err := dialAs(first, s, o, "")
	if err == nil || ctx.Err() != nil {
		return got, err
	}
	got, err2 := dialAs(ctx, s, o, connect.Older)
	if err2 != nil {
		return nil, err
	}
	return got, nil
}

func newSession() *session {
	return &session{ended: make(chan struct{}), lost: make(chan error, 1), changed: make(chan struct{}, 1), doubted: make(chan struct{}, 1), exchanges: make(map[string]*exchange)}
}

func dialAs(ctx context.Context, s Server, o Options, protocol string) (*session, error) {
	got := newSession()
	transport, err := got.transport(s, o.Header)
	if err != nil {
		return nil, &unreachable{cause: err.Error()}
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "diptych-gateway", Version: o.Version}, &mcp.ClientOptions{
		Logger: slog.New(slog.DiscardHandler),
		Capabilities: &mcp.ClientCapabilities{Elicitation: &mcp.ElicitationCapabilities{
			Form: &mcp.FormElicitationCapabilities{}, URL: &mcp.URLElicitationCapabilities{},
		}},
		MultiRoundTrip:              &mcp.MultiRoundTripOptions{Disabled: true},
		ToolListChangedHandler:      func(context.Context, *mcp.ToolListChangedRequest) { signal(got.changed) },
		ProgressNotificationHandler: func(_ context.Context, r *mcp.ProgressNotificationClientRequest) { got.progressed(r.Params) },
	})
	client.AddReceivingMiddleware(got.questions)
	if got.ClientSession, err = connect.Open(ctx, client, transport, protocol); err != nil {
		return nil, got.unreachable(ctx, err)
	}
	go func() {
		_ = got.Wait()
		close(got.ended)
	}()
	return got, nil
}

func (s *session) transport(at Server, header func(context.Context, http.Header)) (mcp.Transport, error) {
	switch {
	case len(at.Command) > 0:
		s.process = connect.NewProcess(connect.Command{Line: at.Command, Dir: at.Dir, Env: at.environment(), Limit: maxMessage, Noise: true})
		return s.process, nil
	case at.Transport != nil:
		return at.Transport()
	}
	return connect.Web(at.URL, maxMessage, func(ctx context.Context, h http.Header) {
		if header != nil {
			header(ctx, h)
		}
		for name, value := range at.Headers {
			h.Set(name, value)
		}
	}), nil
}

// inherited is what a server gets of our environment. The rest may hold the keys of models and of other servers: what a
// server needs of it is in its configuration.
var inherited = [...]string{
	"HOME", "LANG", "LC_ALL", "LOGNAME", "PATH", "SHELL", "TERM", "TMPDIR", "TZ", "USER",
	"APPDATA", "COMSPEC", "HOMEDRIVE", "HOMEPATH", "LOCALAPPDATA", "PATHEXT", "PROGRAMDATA", "PROGRAMFILES", "SYSTEMDRIVE", "SYSTEMROOT", "TEMP", "TMP", "USERNAME", "USERPROFILE",
}

func (s Server) environment() []string {
	var env []string
	for _, name := range inherited {
		if value, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+value)
		}
	}
	for name, value := range s.Env {
		env = append(env, name+"="+value)
	}
	return env
}

// unreachable ends what was begun and puts the reason into words that say more than "connection closed".
func (s *session) unreachable(ctx context.Context, err error) error {
	u := &unreachable{cause: err.Error()}
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		u.cause = "it does not answer"
	}
	if strings.Contains(u.cause, "Method Not Allowed") || strings.Contains(u.cause, "405") {
		u.cause += "; the address may be one of the older HTTP+SSE transport, which this gateway does not speak: give the server's streamable HTTP address, which often ends in /mcp"
	}
	if p := s.process; p != nil {
		if how := p.Ended(); how != "" {
			u.cause = "it ended (" + how + ")"
		}
		u.words = p.Words()
		p.End()
	}
	return u
}

// close ends the session and its process.
func (s *session) close() { connect.Close(s.ClientSession, s.process) }

// giveUp says that the session is of no more use.
func (s *session) giveUp(err error) {
	select {
	case s.lost <- err:
	default:
	}
}

func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

func (s *session) words() string {
	if s.process == nil {
		return ""
	}
	return s.process.Words()
}

// name is the server's name and version, and the revision spoken.
func (s *session) name() (name, protocol string) {
	r := s.InitializeResult()
	if r == nil {
		return "", ""
	}
	if r.ServerInfo != nil {
		name = cut(strings.TrimSpace(r.ServerInfo.Name+" "+r.ServerInfo.Version), maxTitle)
	}
	return name, cut(r.ProtocolVersion, maxRevision)
}

// list asks for every tool, in the server's order.
func (s *session) list(ctx context.Context) ([]*mcp.Tool, error) {
	var tools []*mcp.Tool
	params := &mcp.ListToolsParams{}
	for range maxPages {
		page, err := within(ctx, func() (*mcp.ListToolsResult, error) { return s.ListTools(ctx, params) })
		if err != nil {
			return nil, err
		}
		for _, t := range page.Tools {
			if t != nil {
				tools = append(tools, t)
			}
		}
		if len(tools) > maxTools {
			return nil, fmt.Errorf("it lists more than %d tools", maxTools)
		}
		if page.NextCursor == "" {
			return tools, nil
		}
		params = &mcp.ListToolsParams{Cursor: page.NextCursor}
	}
	return nil, fmt.Errorf("it lists its tools on more than %d pages", maxPages)
}

// within returns when ask does or ctx ends, whatever the transport makes of ctx, and turns a panic into an error.
func within[T any](ctx context.Context, ask func() (T, error)) (T, error) {
	type answer struct {
		value T
		err   error
	}
	answered := make(chan answer, 1)
	go func() {
		var a answer
		defer func() {
			if p := recover(); p != nil {
				a.err = fmt.Errorf("panic: %v", p)
			}
			answered <- a
		}()
		a.value, a.err = ask()
	}()
	select {
	case a := <-answered:
		return a.value, a.err
	case <-ctx.Done():
		var none T
		return none, ctx.Err()
	}
}

func (s *session) progressed(p *mcp.ProgressNotificationParams) {
	if p == nil {
		return
	}
	token, _ := p.ProgressToken.(string)
	s.mu.Lock()
	x := s.exchanges[token]
	s.mu.Unlock()
	if x != nil {
		x.progressed(p)
	}
}

// unanswered counts calls in a row that came back too late; several together say that the session hangs.
func (s *session) unanswered(late bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !late {
		s.timeouts = 0
	} else if s.timeouts++; s.timeouts >= maxTimeouts {
		s.giveUp(fmt.Errorf("%d calls in a row were not answered", s.timeouts))
	}
}
