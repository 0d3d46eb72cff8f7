// Package model is what the gateway knows about language models. Nothing in it has a place for structured content: what
// a model reads is text, images and audio, and the tools it may ask for. The package and those below it import nothing
// of this project and nothing of MCP.
package model

import (
	"context"
	"encoding/json"
	"time"
)

// A Model continues a conversation.
type Model interface {
	// Name is what the page shows, such as "openai:gpt-5" or "scripted".
	Name() string
	// Stream sends what the model says to emit, in order, and returns when the turn ends. An error from emit ends the
	// stream and is returned. Stream returns the context's error soon after the context ends. A cut stream is an error
	// and never a finished turn.
	Stream(ctx context.Context, req Request, emit func(Delta) error) (Turn, error)
}

// A Request is everything that one turn of a model reads.
type Request struct {
	System    string
	Messages  []Message // each Call in them is answered by a ToolRole message before anyone else speaks
	Tools     []Tool
	MaxTokens int // 0: the model's own limit
}

// A Role says who speaks.
type Role string

// The roles.
const (
	User      Role = "user"
	Assistant Role = "assistant"
	ToolRole  Role = "tool" // the answer to one call
)

// A Message is one contribution to the conversation.
type Message struct {
	Role   Role
	Parts  []Part
	Calls  []Call // of an Assistant
	CallID string // of a ToolRole: the call that it answers
	Failed bool   // of a ToolRole: the call failed
	// Reasoning is that of an Assistant's turn in the run that goes on: some servers refuse calls without the reasoning that led
	// to them.
	Reasoning string
}

// A Part is something to read: text, or an image or audio where the model takes it.
type Part struct {
	Text     string
	MIMEType string // of Data
	Data     []byte
}

// A Tool is what a model may ask for.
type Tool struct {
	Name        string
	Description string
	Parameters  json.RawMessage // JSON Schema of the arguments
}

// A Call is a model asking for a tool. Arguments are as the model wrote them and need not be valid.
type Call struct {
	ID        string
	Name      string
	Arguments json.RawMessage
	// Extra is what the model's server wants back with the call for as long as the run goes on, such as a signature of what
	// it thought. Only the client that made it reads it.
	Extra json.RawMessage
}

// A Delta is a piece of a turn while it is being written, or what is waited for before anything is.
type Delta struct {
	Text string
	Wait *Wait
}

// A Wait says that the model's server asked to come again later.
type Wait struct {
	Why string // such as "429 Too Many Requests"
	For time.Duration
}

// A Turn is what a model said in the end.
type Turn struct {
	Text      string
	Reasoning string // what the model wrote before it answered; never part of the answer
	Calls     []Call
	Reason    Reason
	Usage     Usage
	Media     bool // it answered with images or audio, which are not part of the text
}

// A Reason says why a turn ended.
type Reason string

// The reasons.
const (
	Stop      Reason = "stop"
	ToolCalls Reason = "tool_calls"
	Length    Reason = "length" // out of tokens: the last call may be incomplete and must not be run
	Refusal   Reason = "refusal"
)

// Usage counts tokens; zero where the server does not say.
type Usage struct{ Input, Output int }
