package diptych

import (
	"context"
	"encoding/base64"
	"encoding/json"
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
			return p.bounded(ending{result: res})
		}
	}
	return p.bounded(p.failed(ctx, req, err))
}

// bounded replaces an answer that is larger than it may be.
func (p *plan) bounded(e ending) ending {
	if e.result == nil || resultSize(e.result) <= p.cfg.style.Most {
		return e
	}
	return p.tooLarge()
}

var errTooLarge = errors.New("the tool's result is larger than it may be; answer with less, or raise MaxResult")

func (p *plan) tooLarge() ending {
	return ending{p.refusal(fmt.Sprintf("the tool ran, but its result is larger than %s; ask for less", sizeText(p.cfg.style.Most)), errTooLarge), nil,
		record{slog.LevelError, "tool result is too large", append(errorAttrs(errTooLarge), slog.Int("limit", p.cfg.style.Most))}}
}

// sizeText is a number of bytes in the largest unit that divides it.
func sizeText(bytes int) string {
	switch {
	case bytes%(1<<20) == 0:
		return fmt.Sprintf("%d MiB", bytes>>20)
	case bytes%(1<<10) == 0:
		return fmt.Sprintf("%d KiB", bytes>>10)
	}
	return fmt.Sprintf("%d bytes", bytes)
}

// resultSize is about how many bytes a result has: the parts of it that can become large.
func resultSize(r *mcp.CallToolResult) int {
	size := 0
	if doc, ok := r.StructuredContent.(json.RawMessage); ok {
		size = len(doc)
	}
	for _, c := range r.Content {
		switch c := c.(type) {
		case *mcp.TextContent:
			size += len(c.Text)
		case *mcp.ImageContent:
			size += base64.StdEncoding.EncodedLen(len(c.Data))
		case *mcp.AudioContent:
			size += base64.StdEncoding.EncodedLen(len(c.Data))
		case *mcp.EmbeddedResource:
			if c.Resource != nil {
				size += len(c.Resource.Text) + base64.StdEncoding.EncodedLen(len(c.Resource.Blob))
			}
		}
	}
	return size
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
