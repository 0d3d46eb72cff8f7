package diptych

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// An Error is a failure whose text is meant for the other side: a tool returns one to tell the model what to do
// differently, and [Call] returns one when the tool said that it failed. Every other error a tool returns is masked:
// the model learns that the tool failed, the server's log learns why.
type Error struct {
	// Message is the text for the model.
	Message string
	// Content, when it is not empty, is sent instead of Message. On the host's side it is what the tool sent.
	Content []mcp.Content
	// Meta is the result's _meta.
	Meta mcp.Meta

	cause error
}

// Errorf returns an [*Error]. A cause wrapped with %w is kept for errors.Is and errors.As, and its text is shown: the
// whole message is public.
func Errorf(format string, args ...any) error {
	err := fmt.Errorf(format, args...)
	return &Error{Message: err.Error(), cause: err}
}

// Error returns the message, or the text of the content.
func (e *Error) Error() string {
	if e == nil { // returned by mistake as an error that is not nil
		return "no error"
	}
	if e.Message != "" {
		return e.Message
	}
	var texts []string
	for _, c := range e.Content {
		if t, ok := c.(*mcp.TextContent); ok {
			texts = append(texts, t.Text)
		}
	}
	if len(texts) == 0 {
		return "the tool failed without saying why"
	}
	return strings.Join(texts, "\n")
}

// Unwrap returns the cause that [Errorf] was given.
func (e *Error) Unwrap() error {
	if e == nil {
		return nil
	}
	return e.cause
}

// errNoValue is the error of a function that returned nil, nil although it promised a value.
var errNoValue = errors.New("the tool returned neither a value nor an error; to answer with nothing, return Optional[T]")

// failed decides what the caller reads of an error, and what only the log gets.
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
	if errors.Is(err, errTooLarge) {
		return p.tooLarge()
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

// unexpected is an error that only the operator may read, unless the author says otherwise.
func (p *plan) unexpected(err error) ending {
	text := ""
	if p.cfg.reveal != nil && err != nil {
		if shown, ok := p.cfg.reveal(err); ok {
			text = shown
		}
	}
	return ending{p.refusal(text, err), nil, record{slog.LevelError, "tool raised an unexpected error", errorAttrs(err)}}
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

// deliberate is an error whose text is meant for the model; the text of the errors around it is only logged.
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
