package diptych

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"reflect"
	"runtime/debug"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych/internal/splice"
)

// caller runs the typed function on raw arguments. The result is a pointer to an Out.
type caller func(ctx context.Context, args []byte) (any, error)

// An ending is how one run ended.
type ending struct {
	result *mcp.CallToolResult
	err    error // a protocol error
	record record
}

// A record is the one line that a failed call leaves in the server's log. An empty message leaves none.
type record struct {
	level   slog.Level
	message string
	attrs   []slog.Attr
}

var errTimeout = errors.New("tool timed out")

// handler runs every call on a goroutine of its own, so that a panic, a Goexit or a function that never returns costs
// that call and nothing else.
func (p *plan) handler(call caller) mcp.ToolHandler {
	plain := hasPlainHeaders(p.input.schema)
	return func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		run, cancel := context.WithCancel(context.WithValue(ctx, requestKey{}, req))
		defer cancel()
		var timedOut <-chan struct{}
		if p.cfg.timeout > 0 {
			limited, stop := context.WithTimeoutCause(run, p.cfg.timeout, errTimeout)
			defer stop()
			run, timedOut = limited, limited.Done()
		}
		done := make(chan ending, 1)
		go p.run(run, req, call, done)
		var e ending
		select {
		case e = <-done:
		case <-timedOut:
			e = p.abandon(run, done)
		case <-ctx.Done():
			e = p.abandon(run, done)
		}
		p.log(ctx, e.record)
		splice.Made(ctx, e.result, plain)
		return e.result, e.err
	}
}

// run calls the function and fills the panels. It sends exactly one answer.
func (p *plan) run(ctx context.Context, req *mcp.CallToolRequest, call caller, done chan<- ending) {
	var e ending
	returned := false
	defer func() {
		if !returned {
			cause := recover()
			e = p.panicked(cause, debug.Stack())
		}
		done <- e
	}()
	deepen()
	e = p.answer(ctx, req, call)
	returned = true
}

// deepen makes room on a new goroutine's stack while there is next to nothing on it to be moved. Decoding, the function and
// the panels would outgrow it anyway, each with all the frames that stand by then.
//
//go:noinline
func deepen() {
	var room [3 << 10]byte
	keep(&room)
}

//go:noinline
func keep(*[3 << 10]byte) {}

func (p *plan) answer(ctx context.Context, req *mcp.CallToolRequest, call caller) ending {
	out, err := call(ctx, req.Params.Arguments)
	if err == nil {
		var res *mcp.CallToolResult
		if res, err = p.output.fill(reflect.ValueOf(out).Elem()); err == nil {
			return ending{result: res}
		}
	}
	return p.failed(ctx, req, err)
}

// grace is how long a function whose context has ended may take to return before it counts as abandoned.
const grace = 50 * time.Millisecond

// abandon answers a caller whose function has not returned in time, or a caller that has gone.
func (p *plan) abandon(ctx context.Context, done <-chan ending) ending {
	patience := time.NewTimer(grace)
	defer patience.Stop()
	select {
	case e := <-done:
		return e
	case <-patience.C:
	}
	running := p.abandoned.Add(1)
	go func() {
		<-done
		p.abandoned.Add(-1)
	}()
	if context.Cause(ctx) == errTimeout {
		return p.timedOut(running)
	}
	return p.cancelled(ctx)
}

// failed decides what of an error reaches the caller and what stays in the log.
func (p *plan) failed(ctx context.Context, req *mcp.CallToolRequest, err error) ending {
	if e, ok := find[*jsonrpc.Error](err); ok && (e.Data == nil || json.Valid(e.Data)) { // else the session would end
		return ending{err: e}
	}
	if e, ok := find[*inputNeeded](err); ok {
		return p.needsInput(req, e)
	}
	if e, ok := find[*badArguments](err); ok {
		return ending{p.refusal(e.Error(), e), nil, record{slog.LevelInfo, "tool rejected arguments", []slog.Attr{fieldAttr(e.fields())}}}
	}
	if e, ok := find[*Error](err); ok {
		return p.deliberate(e, err)
	}
	if e, ok := find[*Mismatch](err); ok {
		return ending{p.refusal("the tool ran, but its result"+e.told(), e), nil,
			record{slog.LevelError, "tool result does not match its schema", e.attrs()}}
	}
	if errors.Is(err, errNoValue) {
		return ending{p.refusal(withoutRemedy(errNoValue.Error()), err), nil, record{slog.LevelError, "tool returned no value", errorAttrs(err)}}
	}
	if ctx.Err() != nil {
		if context.Cause(ctx) == errTimeout {
			return p.timedOut(p.abandoned.Load())
		}
		return p.cancelled(ctx)
	}
	return p.unexpected(err)
}

// unexpected is an error that is nobody's business but the operator's.
func (p *plan) unexpected(err error) ending {
	return ending{p.refusal("", err), nil, record{slog.LevelError, "tool raised an unexpected error", errorAttrs(err)}}
}

// find is errors.As that does not find a nil pointer.
func find[E interface {
	error
	comparable
}](err error) (E, bool) {
	var none E
	e, ok := errors.AsType[E](err)
	return e, ok && e != none
}

// refusal is a result with isError, one text block and no structured content. Server middleware finds the cause in it.
func (p *plan) refusal(text string, cause error) *mcp.CallToolResult {
	message := "Error executing tool " + p.tool.Name
	if text != "" {
		message += ": " + text
	}
	res := &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: message}}}
	res.SetError(cause)
	return res
}

// deliberate is an error whose text is meant for the model; the text of the errors around it stays private.
func (p *plan) deliberate(e *Error, err error) ending {
	rec := record{slog.LevelInfo, "tool failed", errorAttrs(err)}
	if len(e.Content) == 0 && e.Meta == nil {
		return ending{p.refusal(e.Error(), err), nil, rec}
	}
	if fault, cause := sendable(e.Content, e.Meta); fault != "" {
		return p.unexpected(errors.Join(errors.New(fault), cause))
	}
	res := p.refusal(e.Error(), err)
	if len(e.Content) > 0 {
		res.Content = append([]mcp.Content(nil), e.Content...)
	}
	res.Meta = cloneMeta(e.Meta)
	return ending{res, nil, rec}
}

func (p *plan) timedOut(running int64) ending {
	return ending{p.refusal(fmt.Sprintf("timed out after %s", p.cfg.timeout), errTimeout), nil,
		record{slog.LevelError, "tool timed out", []slog.Attr{slog.Duration("timeout", p.cfg.timeout), slog.Int64("abandoned", running)}}}
}

// cancelled is a call whose caller has gone: nobody reads the answer.
func (p *plan) cancelled(ctx context.Context) ending {
	err := context.Cause(ctx)
	return ending{p.refusal("cancelled", err), nil, record{slog.LevelInfo, "tool call was cancelled", nil}}
}

func (p *plan) panicked(cause any, stack []byte) ending {
	if cause == nil {
		cause = "runtime.Goexit"
	}
	err := fmt.Errorf("panic: %v", cause) // fmt survives a value whose methods panic again
	return ending{p.refusal("", err), nil, record{slog.LevelError, "tool panicked",
		[]slog.Attr{slog.String("error", err.Error()), slog.String("stack", string(stack))}}}
}

func errorAttrs(err error) []slog.Attr { return []slog.Attr{slog.String("error", fmt.Sprint(err))} }

// log writes the call's record. A logger that panics costs its own record.
func (p *plan) log(ctx context.Context, r record) {
	if r.message == "" {
		return
	}
	defer func() { _ = recover() }()
	attrs := append([]slog.Attr{slog.String("tool", p.tool.Name)}, r.attrs...)
	p.cfg.log().LogAttrs(ctx, r.level, r.message, attrs...)
}
