package peer

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"os"
	"regexp"
	"strings"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych/internal/connect"
	"github.com/diptych-mcp/diptych/internal/exact"
	"github.com/diptych-mcp/diptych/internal/validate"
)

// A Session is an open connection to a server.
type Session struct {
	*mcp.ClientSession
	process  *connect.Process // nil over HTTP
	streamed atomic.Bool
}

// Streamed reports whether the latest answer came in an event stream.
func (s *Session) Streamed() bool { return s.streamed.Load() }

// Options say how to connect.
type Options struct {
	Client   mcp.ClientOptions
	Version  string        // of this program
	Protocol string        // "" negotiates, the newest first
	Timeout  time.Duration // for reaching the server
	Stderr   io.Writer     // where the server's own words go, or nil
}

// An Unreachable error is a server that cannot be started or reached, or that goes away.
type Unreachable struct {
	Server string
	Cause  string
	Words  string // the last that it wrote to its standard error
}

func (e *Unreachable) Error() string { return fmt.Sprintf("cannot reach %s: %s", e.Server, e.Cause) }

// Dial starts or reaches the server. A server that never answers the newest revision's first question, or dies of it, is
// asked once more in the older way.
func (s Server) Dial(ctx context.Context, o Options) (*Session, error) {
	ctx, cancel := context.WithTimeout(ctx, o.Timeout)
	defer cancel()
	if o.Protocol != "" {
		return s.dial(ctx, o)
	}
	first, stop := context.WithTimeout(ctx, o.Timeout/2)
	session, err := s.dial(first, o)
	stop()
	if err == nil || ctx.Err() != nil || !retry(err) {
		return session, err
	}
	o.Protocol = connect.Older
	return s.dial(ctx, o)
}

// retry reports whether the failure may be the server's dislike of a question it does not know.
func retry(err error) bool {
	u, ok := errors.AsType[*Unreachable](err)
	return ok && (u.Cause == causeSilent || strings.HasPrefix(u.Cause, causeEnded))
}

const (
	causeSilent = "it does not answer"
	causeEnded  = "it ended"
)

func (s Server) dial(ctx context.Context, o Options) (*Session, error) {
	o.Client.Logger = slog.New(slog.DiscardHandler)
	o.Client.Capabilities = &mcp.ClientCapabilities{}
	if o.Client.ElicitationHandler != nil {
		o.Client.Capabilities.Elicitation = &mcp.ElicitationCapabilities{Form: &mcp.FormElicitationCapabilities{}, URL: &mcp.URLElicitationCapabilities{}}
		o.Client.ElicitationHandler = screened(o.Client.ElicitationHandler)
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "diptych", Version: o.Version}, &o.Client)
	session := &Session{}
	var transport mcp.Transport
	if s.URL != "" {
		transport = connect.Web(s.URL, maxAnswer, func(_ context.Context, h http.Header) {
			for name, value := range s.Headers {
				h.Set(name, value)
			}
		}, func(resp *http.Response) {
			session.streamed.Store(strings.HasPrefix(resp.Header.Get("Content-Type"), "text/event-stream"))
		})
	} else {
		env := os.Environ()
		for name, value := range s.Env {
			env = append(env, name+"="+value)
		}
		session.process = connect.NewProcess(connect.Command{Line: s.Command, Dir: s.Dir, Env: env, Limit: maxAnswer, Stderr: o.Stderr})
		transport = session.process
	}
	var err error
	if session.ClientSession, err = connect.Open(ctx, client, transport, o.Protocol); err != nil {
		err = s.unreachable(ctx, session, err)
		if session.process != nil {
			session.process.End()
		}
		return nil, err
	}
	return session, nil
}

type elicitation = func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error)

// screened puts only questions whose schema is safe to use: the SDK holds the answer against it, without bounds.
func screened(ask elicitation) elicitation {
	return func(ctx context.Context, req *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
		if schema := marshal(req.Params.RequestedSchema); schema != nil {
			if err := validate.Screen(schema); err != nil {
				return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "requestedSchema: " + err.Error()}
			}
		}
		return ask(ctx, req)
	}
}

// steps are what the SDK was doing when it failed, which is always the same.
var steps = regexp.MustCompile(`^((connection closed|client is closing|rejected by transport|(calling|sending|Post|Get) "[^"]*"): )+`)

// unreachable puts the reason into words that say more than "connection closed".
func (s Server) unreachable(ctx context.Context, session *Session, err error) error {
	u := &Unreachable{Server: s.Label, Cause: steps.ReplaceAllString(err.Error(), "")}
	if p := session.process; p != nil {
		if noise := p.Noise(); noise != "" {
			u.Cause = "it writes " + noise + " to standard output, which is for the protocol alone; print to standard error instead"
			u.Words = p.Words()
			return u
		}
		how := ""
		if ctx.Err() == nil {
			how = p.Ended()
		}
		u.Words = p.Words()
		if how != "" && ctx.Err() == nil {
			u.Cause = causeEnded + " (" + how + ")"
			return u
		}
	}
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		u.Cause = causeSilent
	case ctx.Err() != nil:
		u.Cause = "interrupted"
	}
	return u
}

// Close ends the session and the server's process.
func (s *Session) Close() { connect.Close(s.ClientSession, s.process) }

// A Tool is a tool as it was published, its schemas byte for byte where the transport kept them.
type Tool struct {
	*mcp.Tool
	Input, Output json.RawMessage // nil where there is none
}

// Tools lists every tool, in the server's order.
func (s *Session) Tools(ctx context.Context) ([]Tool, error) {
	var tools []Tool
	seen := make(map[string]bool)
	params := &mcp.ListToolsParams{}
	for range maxPages {
		page, err := s.ListTools(ctx, params)
		if err != nil {
			return nil, err
		}
		for _, t := range page.Tools {
			if t == nil {
				continue
			}
			if len(tools) == maxTools {
				return nil, fmt.Errorf("the server lists more than %d tools", maxTools)
			}
			tools = append(tools, published(t))
		}
		if page.NextCursor == "" {
			return tools, nil
		}
		if seen[page.NextCursor] {
			return nil, errors.New("the server's list of tools goes round in a circle: a cursor came twice")
		}
		seen[page.NextCursor] = true
		params = &mcp.ListToolsParams{Cursor: page.NextCursor}
	}
	return nil, fmt.Errorf("the server lists its tools on more than %d pages", maxPages)
}

func published(t *mcp.Tool) Tool {
	own := *t
	tool := Tool{Tool: &own}
	var ok bool
	if tool.Input, tool.Output, ok = exact.Schemas(t); !ok {
		tool.Input, tool.Output = marshal(t.InputSchema), marshal(t.OutputSchema)
	}
	own.Meta = maps.Clone(t.Meta)
	delete(own.Meta, exactMark)
	if len(own.Meta) == 0 {
		own.Meta = nil
	}
	return tool
}

// exactMark is where internal/exact keeps the text of schemas; the server did not send it.
const exactMark = "io.github.diptych-mcp/exact"

// A Result is a tool's answer. Structured is as it came, or nil where nothing came.
type Result struct {
	*mcp.CallToolResult
	Structured json.RawMessage
}

// Call calls a tool. A token that is not "" asks for progress.
func (s *Session) Call(ctx context.Context, name string, arguments json.RawMessage, token string) (Result, error) {
	params := &mcp.CallToolParams{Name: name, Arguments: arguments}
	if token != "" {
		params.Meta = mcp.Meta{}
		params.SetProgressToken(token)
	}
	type answered struct {
		res *mcp.CallToolResult
		err error
	}
	answer := make(chan answered, 1)
	go func() {
		res, err := s.CallTool(ctx, params)
		answer <- answered{res, err}
	}()
	var got answered
	select {
	case got = <-answer:
	case <-ctx.Done():
		return Result{}, context.Cause(ctx)
	}
	if got.err != nil {
		return Result{}, got.err
	}
	res := Result{CallToolResult: got.res}
	var kept bool
	if res.Structured, kept = exact.Structured(got.res); !kept {
		res.Structured = marshal(got.res.StructuredContent)
	}
	return res, nil
}

// Ended says how the server's process ended and what it last wrote, or "" while it runs or over HTTP.
func (s *Session) Ended() (how, words string) {
	if s.process == nil {
		return "", ""
	}
	return s.process.Ended(), s.process.Words()
}

// Refused reports whether the server answered, with a protocol error.
func Refused(err error) (*jsonrpc.Error, bool) { return connect.Refused(err) }

// marshal is what is left of a schema that was decoded.
func marshal(v any) json.RawMessage {
	if v == nil {
		return nil
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(v) != nil {
		return nil
	}
	return bytes.TrimSpace(b.Bytes())
}

// TooDeep reports whether an answer was nested deeper than the SDK's decoder goes, which ends the connection.
func TooDeep(err error) bool { return strings.Contains(err.Error(), "maximum nesting depth") }
