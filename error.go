package diptych

import (
	"errors"
	"fmt"
	"strings"

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

// Errorf returns an [*Error]. A cause wrapped with %w is kept for errors.Is and errors.As, and its text is shown: what
// stands in the message is public.
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

// errNoValue is nil, nil from a function that promised a value.
var errNoValue = errors.New("the tool returned neither a value nor an error; to answer with nothing, return Optional[T]")

// inputNeeded is the error that NeedInput returns.
type inputNeeded struct {
	requests mcp.InputRequestMap
	state    string
}

func (*inputNeeded) Error() string { return "the tool needs input from the user" }

// NeedInput asks the caller for input before the tool can answer: return it as the tool's error. The result is
// input_required and carries requests, such as an *mcp.ElicitParams, and state alone; the caller repeats the call with
// the answers, which stand in [Request](ctx).Params.InputResponses and RequestState. State travels through the caller:
// do not trust it unless it is signed. Callers of an older protocol revision are asked over their session where they
// can be asked, else told why not.
func NeedInput(requests mcp.InputRequestMap, state string) error {
	return &inputNeeded{requests, state}
}
