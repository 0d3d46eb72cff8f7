package chat

// What happens in a run, as typed events. Each is stored as JSON under its type; Decode is the way back.

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/diptych-mcp/diptych/gateway/host"
	"github.com/diptych-mcp/diptych/gateway/store"
)

// An Event is something that happened in a run: one of *Text, *ToolCall, *Consent, *Question, *Progress, *Table, *Chart,
// *Sources, *Force, *NumberCheck, *Notice, *Error and *Done.
type Event interface{ Type() string }

// Text is what the model says. While it speaks, events bring pieces; the last event of a turn brings the whole turn and
// replaces them.
type Text struct {
	Turn  int    `json:"turn"` // from 1 on: a run has one turn more than it has rounds of tool calls
	Text  string `json:"text"` // the next piece; the whole turn where Final
	Final bool   `json:"final,omitempty"`
}

// A CallState says how far a tool call is.
type CallState string

// The states of a call. Waiting and Running go on; the others are its end.
const (
	Waiting  CallState = "waiting" // for consent
	Running  CallState = "running"
	Answered CallState = "answered"
	Failed   CallState = "failed"   // the tool said so, could not be reached, or its answer was refused
	Declined CallState = "declined" // by the user or the operator
	Rejected CallState = "rejected" // no such tool, or arguments that it does not take: never sent
	Stopped  CallState = "stopped"  // the run was stopped first
)

// ToolCall is a call, sent again with each change of State. Its two panels are Read and, from the store under the same
// ID, the result with structured content: see [store.Store.Result].
type ToolCall struct {
	ID        string          `json:"id"`   // the gateway's own
	Turn      int             `json:"turn"` // of the model that asked; 0 for the user
	Tool      string          `json:"tool"` // server__name
	Title     string          `json:"title"`
	Arguments json.RawMessage `json:"arguments,omitempty"` // as they are sent; as they were written when Rejected, and then perhaps a JSON string
	Hints     host.Hints      `json:"hints"`
	State     CallState       `json:"state"`
	Read      string          `json:"read,omitempty"`     // at the end: what the model reads of the answer, byte for byte but for images and audio
	Screen    bool            `json:"screen,omitempty"`   // at the end: the store has a result for the other panel
	Verified  bool            `json:"verified,omitempty"` // the structured content keeps what the tool published
	Note      string          `json:"note,omitempty"`     // for the screen
	Millis    int64           `json:"ms,omitempty"`
}

// Consent asks the user before a call that may change the world, and tells what was decided.
type Consent struct {
	Call      string          `json:"call"`
	Tool      string          `json:"tool"`
	Title     string          `json:"title"`
	Arguments json.RawMessage `json:"arguments,omitempty"`
	Hints     host.Hints      `json:"hints"`
	State     ConsentState    `json:"state"`
}

// A ConsentState says what became of a question.
type ConsentState string

// The states of a question.
const (
	Asked   ConsentState = "asked"
	Given   ConsentState = "given"
	Refused ConsentState = "refused"
	Expired ConsentState = "expired" // the user did not answer
)

// Progress is a tool's own word on how far it is. Total is 0 where it is not known.
type Progress struct {
	Call    string  `json:"call"`
	Done    float64 `json:"done"`
	Total   float64 `json:"total,omitempty"`
	Message string  `json:"message,omitempty"`
}

// A Ref names where the same table or chart was shown before.
type Ref struct {
	Run string `json:"run"`
	Seq int64  `json:"seq"` // of the event in that run
}

// Table is a table to draw. Rows is a JSON list of rows, the header first, digit for digit; it is nil where Same says
// where the identical table was shown before in the conversation.
type Table struct {
	Call string          `json:"call"`
	Tool string          `json:"tool"`
	Hash string          `json:"hash"`
	Rows json.RawMessage `json:"rows,omitempty"`
	Same *Ref            `json:"same,omitempty"`
}

// Chart is a chart to draw: a validated Chart.js configuration. Config is nil where Same is not.
type Chart struct {
	Call   string          `json:"call"`
	Tool   string          `json:"tool"`
	Index  int             `json:"index"` // among the charts of the result, from 0 on
	Hash   string          `json:"hash"`
	Config json.RawMessage `json:"config,omitempty"`
	Same   *Ref            `json:"same,omitempty"`
}

// Sources are the sources of one call that the answer did not have yet. None says that the tool gives no source, which
// the operator allowed.
type Sources struct {
	Call    string   `json:"call"`
	Tool    string   `json:"tool"`
	Title   string   `json:"title"`
	Sources []Source `json:"sources,omitempty"`
	None    bool     `json:"none,omitempty"`
}

// A Source is a link to original data. Only URL is always there.
type Source struct {
	URL         string `json:"url"`
	Title       string `json:"title,omitempty"`
	Publisher   string `json:"publisher,omitempty"`
	License     string `json:"license,omitempty"`
	RetrievedAt string `json:"retrieved_at,omitempty"`
	Period      string `json:"period,omitempty"`
}

// Force is a tool's text to the user, shown unchanged: plain text, never Markdown, never the model's to read.
type Force struct {
	Call string `json:"call"`
	Tool string `json:"tool"`
	Text string `json:"text"`
}

// NumberCheck is what the number check found in the answer's last text.
type NumberCheck struct {
	Turn     int             `json:"turn"`
	Findings json.RawMessage `json:"findings"` // what Config.Numbers returned
}

// A Fault says what kind of thing went wrong.
type Fault string

// The faults.
const (
	ModelFault  Fault = "model"       // the model could not be reached, broke off or refused
	LengthFault Fault = "length"      // the model ran out of tokens
	RoundsFault Fault = "rounds"      // the model asked for tools too often
	TimeFault   Fault = "time"        // the run took too long
	CrashFault  Fault = "interrupted" // the gateway ended while the run went on
	OwnFault    Fault = "internal"
)

// Error tells the user what went wrong. Message is a sentence for people; nothing in it came from a tool.
type Error struct {
	Fault   Fault  `json:"fault"`
	Message string `json:"message"`
}

// Notice tells the user what is waited for, or what was left out. Message is a sentence for people.
type Notice struct {
	Message string `json:"message"`
}

// A Reason says how a run ended.
type Reason string

// The reasons.
const (
	ByAnswer Reason = "answered"
	ByStop   Reason = "stopped"
	ByError  Reason = "failed"
	ByCrash  Reason = "interrupted"
)

// Done is the last event of every run.
type Done struct {
	Reason Reason `json:"reason"`
	Input  int    `json:"input_tokens,omitempty"`
	Output int    `json:"output_tokens,omitempty"`
}

// Type is the type under which the event is stored.
func (*Text) Type() string        { return "text" }
func (*ToolCall) Type() string    { return "tool_call" }
func (*Consent) Type() string     { return "consent" }
func (*Progress) Type() string    { return "progress" }
func (*Table) Type() string       { return "table" }
func (*Chart) Type() string       { return "chart" }
func (*Sources) Type() string     { return "sources" }
func (*Force) Type() string       { return "force" }
func (*NumberCheck) Type() string { return "number_check" }
func (*Error) Type() string       { return "error" }
func (*Notice) Type() string      { return "notice" }
func (*Done) Type() string        { return store.EventDone }

// Decode reads a stored event.
func Decode(e store.Event) (Event, error) {
	var event Event
	switch e.Type {
	case "text":
		event = new(Text)
	case "tool_call":
		event = new(ToolCall)
	case "consent":
		event = new(Consent)
	case "question":
		event = new(Question)
	case "progress":
		event = new(Progress)
	case "table":
		event = new(Table)
	case "chart":
		event = new(Chart)
	case "sources":
		event = new(Sources)
	case "force":
		event = new(Force)
	case "number_check":
		event = new(NumberCheck)
	case "error":
		event = new(Error)
	case "notice":
		event = new(Notice)
	case store.EventDone:
		event = new(Done)
	default:
		return nil, fmt.Errorf("event %d: unknown type %q; a newer gateway wrote it", e.Seq, e.Type)
	}
	if err := json.Unmarshal(e.Data, event); err != nil {
		return nil, fmt.Errorf("event %d: %w", e.Seq, err)
	}
	return event, nil
}

// encode is the way to the store. Text keeps its characters, so that a search finds them.
func encode(event Event) (store.Event, error) {
	data, err := compact(event)
	return store.Event{Type: event.Type(), Data: data}, err
}

func compact(v any) (json.RawMessage, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

func encodeAll(events ...Event) ([]store.Event, error) {
	encoded := make([]store.Event, len(events))
	for i, event := range events {
		var err error
		if encoded[i], err = encode(event); err != nil {
			return nil, err
		}
	}
	return encoded, nil
}
