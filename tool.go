package diptych

import (
	"context"
	"reflect"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A Func is a tool: arguments in, structured content out. In is a struct, struct{} for no arguments. It runs on a
// goroutine of its own; a panic in it is a failed call and not the end of the process. A panic on a goroutine that it
// starts itself does end the process: nothing outside that goroutine can catch it.
type Func[In, Out any] func(ctx context.Context, in In) (Out, error)

// Add publishes fn on s. The tool t supplies name, title, description, annotations, icons and _meta, and is not
// modified. A nil InputSchema is derived from In, a nil OutputSchema from Out. A tool of the same name is replaced, as
// in the SDK.
//
// Add returns an error that names the tool, the type, the field and the remedy when the tool cannot be published as
// promised. It never panics. To publish many tools, join the errors:
//
//	err := errors.Join(
//		diptych.Add(s, &mcp.Tool{Name: "get_temperature"}, temperature),
//		diptych.Add(s, &mcp.Tool{Name: "get_weather"}, weather),
//	)
func Add[In, Out any](s *mcp.Server, t *mcp.Tool, fn Func[In, Out], opts ...Option) error {
	tool, handler, err := New(t, fn, opts...)
	if err != nil {
		return err
	}
	return register(s, tool, handler)
}

// New is [Add] without the server: a finished tool and its handler for the SDK's own Server.AddTool, which may be added
// to any number of servers.
func New[In, Out any](t *mcp.Tool, fn Func[In, Out], opts ...Option) (*mcp.Tool, mcp.ToolHandler, error) {
	p, err := newPlan(t, reflect.TypeFor[In](), reflect.TypeFor[Out](), newConfig(opts))
	if err != nil {
		return nil, nil, err
	}
	if fn == nil {
		return nil, nil, p.refuse("the function is nil; give the tool a function")
	}
	call := func(ctx context.Context, args []byte) (any, error) {
		var in In
		if err := p.input.read(args, &in); err != nil {
			return nil, err
		}
		out, err := fn(ctx, in)
		return &out, err
	}
	return p.tool, p.handler(call), nil
}
