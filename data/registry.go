package data

// The registry: the only way in which tools reach a server of data tools.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych"
)

// A Registry admits tools to a server: those that return a [Result], and foreign ones whose output schema demands sources.
// Every other tool of the server, however it got there, is hidden from lists and cannot be called. A Registry is safe for
// concurrent use.
type Registry struct {
	server *mcp.Server
	cfg    config

	mu       sync.Mutex
	admitted map[string]json.RawMessage // the output schema of each tool
	refused  []*RefusedError            // in the order in which they came
}

// NewRegistry puts a registry in front of the tools of s. From here on s lists and calls no other tools; a server needs one
// registry. Tools that were put on s before are refused too.
func NewRegistry(s *mcp.Server, opts ...RegistryOption) *Registry {
	r := &Registry{server: s, cfg: config{view: builtView()}, admitted: map[string]json.RawMessage{}}
	for _, o := range opts {
		if o != nil {
			o.apply(&r.cfg)
		}
	}
	if s == nil {
		return r
	}
	switch view := r.cfg.view; {
	case view.html != "":
		view.publish(s)
	case !view.given:
		r.cfg.log().Info("no data view was built into this program, so hosts draw results as they like; run make assets before the build, or give data.View")
	}
	s.AddReceivingMiddleware(r.guard)
	return r
}

// Add publishes fn as a data tool. The tool t supplies name, title, description, annotations, icons and _meta, and is not
// modified; an output schema given in it is ignored, since that of a data tool is one and the same. A second tool of a name
// is an error.
//
// A result that breaks a rule becomes a tool error which names every place, and nothing of it is shown.
func Add[In any](r *Registry, t *mcp.Tool, fn diptych.Func[In, Result], opts ...Option) error {
	if t == nil || fn == nil {
		return errNil
	}
	tool := *t
	tool.OutputSchema = outputSchema()
	tool.Meta = r.cfg.view.on(t.Meta)
	return r.admit(&tool, opts, func(opts []diptych.Option) error {
		return diptych.Add(r.server, &tool, func(ctx context.Context, in In) (diptych.Result[json.RawMessage], error) {
			res, err := fn(ctx, in)
			if err != nil {
				return diptych.Result[json.RawMessage]{}, err
			}
			doc, err := res.structured()
			if err != nil {
				return diptych.Result[json.RawMessage]{}, mismatch(tool.Name, err)
			}
			vouch(ctx, doc)
			return diptych.Result[json.RawMessage]{
				Value:   doc,
				Content: []mcp.Content{&mcp.TextContent{Text: res.content}},
				Meta:    res.meta,
			}, nil
		}, opts...)
	})
}

// AddTool publishes a foreign tool: a plugin's, a handler of the SDK's, one of a proxied server. It is admitted only if its
// output schema demands sources; otherwise it is left out of the server, logged once as a warning, and the error is a
// [*RefusedError], which a caller may ignore to go on with the rest. Its arguments and results are checked against its own
// schemas, and each result as one of [Add] is.
func (r *Registry) AddTool(t *mcp.Tool, h mcp.ToolHandler, opts ...Option) error {
	if t == nil || h == nil {
		return errNil
	}
	if err := DemandsSources(t.OutputSchema); err != nil {
		if r.allows(t.Name) {
			cfg := r.options(opts)
			return diptych.Add(r.server, t, forward(h, func(*mcp.CallToolResult) ([]byte, error) { return nil, nil }, t.Name), cfg.tools...)
		}
		return r.refuse(t.Name, err.Error())
	}
	tool := *t
	tool.Meta = r.cfg.view.on(t.Meta)
	return r.admit(&tool, opts, func(opts []diptych.Option) error {
		return diptych.Add(r.server, &tool, forward(h, inspect, tool.Name), opts...)
	})
}

// forward calls the handler of a foreign tool with the arguments as they were read, and checks its result.
func forward(h mcp.ToolHandler, check func(*mcp.CallToolResult) ([]byte, error), tool string) diptych.Func[json.RawMessage, *mcp.CallToolResult] {
	return func(ctx context.Context, args json.RawMessage) (*mcp.CallToolResult, error) {
		req := *diptych.Request(ctx)
		params := *req.Params
		params.Arguments = args
		req.Params = &params
		res, err := h(ctx, &req)
		if err != nil || res == nil {
			return nil, err
		}
		doc, err := check(res)
		if err != nil {
			return nil, mismatch(tool, err)
		}
		vouch(ctx, doc)
		return res, nil
	}
}

// allows reports whether a tool may be on the server without sources.
func (r *Registry) allows(tool string) bool { return slices.Contains(r.cfg.plain, tool) }

// Check returns an error that names each tool which is on the server now and would be hidden, and what to do; nil if there is
// none. It is for the start of a server, after all tools were added: generated code calls it, and a test can. What is put on the
// server later is found when a client connects.
func (r *Registry) Check() error {
	if r.server == nil {
		return errors.New("data tools: the registry has no server; give NewRegistry one")
	}
	// A session that no client is on: the server's tools are listed without an initialization that others would see.
	_, there := mcp.NewInMemoryTransports()
	session, err := r.server.Connect(context.Background(), there, nil)
	if err != nil {
		return fmt.Errorf("data tools: listing the tools of the server: %w", err)
	}
	defer session.Close()
	var chain mcp.MethodHandler
	r.server.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		chain = next
		return next
	})
	var hidden []error
	err = r.each(context.Background(), func(ctx context.Context, params *mcp.ListToolsParams) (mcp.Result, error) {
		return chain(context.WithValue(ctx, unguardedKey{}, true), "tools/list", &mcp.ListToolsRequest{Session: session, Params: params})
	}, func(t *mcp.Tool) {
		if refused := r.stranger(t); refused != nil {
			hidden = append(hidden, refused)
		}
	})
	return errors.Join(append(hidden, err)...)
}

var errNil = errors.New("data tool: the tool or its function is nil; give both")

// admit takes a tool's name and publishes it.
func (r *Registry) admit(t *mcp.Tool, opts []Option, publish func([]diptych.Option) error) error {
	cfg := r.options(opts)
	schema, err := json.Marshal(t.OutputSchema)
	if err != nil {
		return fmt.Errorf("tool %q: its output schema cannot be written as JSON: %w", t.Name, err)
	}
	r.mu.Lock()
	_, twice := r.admitted[t.Name]
	if !twice {
		r.admitted[t.Name] = schema
	}
	r.mu.Unlock()
	if twice {
		return fmt.Errorf("tool %q: added twice; give each tool a name of its own", t.Name)
	}
	if err := publish(cfg.tools); err != nil {
		r.mu.Lock()
		delete(r.admitted, t.Name)
		r.mu.Unlock()
		return err
	}
	return nil
}

// options are those of the registry and of one tool.
func (r *Registry) options(opts []Option) config {
	cfg := config{tools: slices.Clone(r.cfg.tools)}
	for _, o := range opts {
		if o != nil {
			o.apply(&cfg)
		}
	}
	return cfg
}

// Refused lists the tools that were refused, for health pages and tests. A tool that was put on the server without the
// registry is found by [Registry.Check], or when the first client connects.
func (r *Registry) Refused() []*RefusedError {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.refused)
}

// A RefusedError says why a tool is not published.
type RefusedError struct {
	Tool   string
	Reason string // fault and remedy
}

func (e *RefusedError) Error() string { return fmt.Sprintf("tool %q refused: %s", e.Tool, e.Reason) }

// refuse keeps a refusal and warns of it, once for each tool.
func (r *Registry) refuse(tool, reason string) *RefusedError {
	e := &RefusedError{tool, reason}
	r.mu.Lock()
	known := slices.ContainsFunc(r.refused, func(have *RefusedError) bool { return have.Tool == tool })
	if !known {
		r.refused = append(r.refused, e)
	}
	r.mu.Unlock()
	if !known {
		r.cfg.log().Warn("data tool refused", slog.String("tool", tool), slog.String("reason", reason))
	}
	return e
}

// mismatch is a failed check as the library reports it.
func mismatch(tool string, err error) *diptych.Mismatch {
	return &diptych.Mismatch{Tool: tool, Schema: schemaTitle, Faults: lines(err, breach.String)}
}
