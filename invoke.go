package diptych

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"reflect"
	"runtime/debug"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych/internal/splice"
)

// caller runs the typed function on raw arguments. The result is a pointer to an Out.
type caller func(ctx context.Context, args []byte) (any, error)

// An ending is the outcome of one call.
type ending struct {
	result *mcp.CallToolResult
	err    error // a protocol error
	record record
}

// A record is the one line that a failed call writes to the server's log. An empty message writes none.
type record struct {
	level   slog.Level
	message string
	attrs   []slog.Attr
}

var errTimeout = errors.New("tool timed out")

// handler runs every call on a goroutine of its own, so that a panic, a Goexit or a function that never returns fails
// that call and nothing else.
func (p *plan) handler(call caller) mcp.ToolHandler {
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
		splice.Checked(ctx, e.result)
		return e.result, e.err
	}
}

// run calls the function, catches its panic and fills the panels. It sends exactly one ending.
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
	growStack()
	e = p.answer(ctx, req, call)
	returned = true
}

// growStack grows the stack of a new goroutine while it is almost empty. Decoding, the function and the panels need more
// than the 2 KiB that it starts with, and growing it later copies every frame that is on it by then.
//
//go:noinline
func growStack() {
	var space [3 << 10]byte
	use(&space)
}

//go:noinline
func use(*[3 << 10]byte) {}

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

// abandon answers a caller whose function has not returned in time, or a caller that has gone.
func (p *plan) abandon(ctx context.Context, done <-chan ending) ending {
	timer := time.NewTimer(grace)
	defer timer.Stop()
	select {
	case e := <-done:
		return e
	case <-timer.C:
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

func (p *plan) timedOut(running int64) ending {
	return ending{p.refusal(fmt.Sprintf("timed out after %s", p.cfg.timeout), errTimeout), nil,
		record{slog.LevelError, "tool timed out", []slog.Attr{slog.Duration("timeout", p.cfg.timeout), slog.Int64("abandoned", running)}}}
}

// cancelled is a call whose caller has gone and reads no answer.
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

// log writes the call's record. A logger that panics loses the record and nothing else.
func (p *plan) log(ctx context.Context, r record) {
	if r.message == "" {
		return
	}
	defer func() { _ = recover() }()
	attrs := append([]slog.Attr{slog.String("tool", p.tool.Name)}, r.attrs...)
	p.cfg.log().LogAttrs(ctx, r.level, r.message, attrs...)
}
