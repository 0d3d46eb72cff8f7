// Package store says what the gateway keeps: conversations, the runs in them, the events of each run and the results
// of tools, digit for digit. One contract test (package storetest) holds for every implementation.
package store

import (
	"context"
	"encoding/json"
	"errors"
	"time"
)

// The errors of every implementation.
var (
	ErrNotFound = errors.New("not found")
	ErrFinished = errors.New("the run has ended") // an event after the end
	// ErrFull is the error of a change for which there is no room; deleting conversations makes some.
	ErrFull = errors.New("the disk of the gateway is full; delete conversations, or make room on it")
	// ErrExchanged is the error of a store whose file was exchanged or removed by something else.
	ErrExchanged = errors.New("the database was exchanged or removed while the gateway runs; stop it before restoring a backup, and start it again")
)

// A Store keeps everything that must survive a restart. It is safe for concurrent use. What belongs to another owner is
// ErrNotFound. Runs and Events return limit of them at most, and end with the one that brings their inputs or data to
// [PageBytes]: where there are more, at least one comes, and only an answer without any is the end.
type Store interface {
	CreateConversation(ctx context.Context, owner, title string) (Conversation, error)
	Conversation(ctx context.Context, owner, id string) (Conversation, error)
	// Conversations lists an owner's conversations, newest first; query finds text in titles and events.
	Conversations(ctx context.Context, owner, query string, offset, limit int) ([]Conversation, error)
	RenameConversation(ctx context.Context, owner, id, title string) error
	DeleteConversation(ctx context.Context, owner, id string) error
	// ShareConversation makes a conversation readable by its share token, or ends that with share false.
	ShareConversation(ctx context.Context, owner, id string, share bool) (token string, err error)
	SharedConversation(ctx context.Context, token string) (Conversation, error)

	// StartRun opens a run in a conversation; input is what the user asked.
	StartRun(ctx context.Context, owner, conversation string, input json.RawMessage) (Run, error)
	Run(ctx context.Context, owner, id string) (Run, error)
	// Runs lists the next runs of a conversation, in the order in which they were started: those after the run named
	// after, "" for the first ones. See [AllRuns].
	Runs(ctx context.Context, owner, conversation, after string, limit int) ([]Run, error)
	// OpenRuns lists runs without an end, of every owner: after a restart they are ended honestly.
	OpenRuns(ctx context.Context) ([]Run, error)

	// AppendEvents stores events after those that the run has and numbers them from 1 on without a gap. All are
	// stored or none. An event of type EventDone ends the run; after it is ErrFinished.
	AppendEvents(ctx context.Context, run string, events ...Event) ([]Event, error)
	// Events returns the next events of a run, those numbered above after. See [AllEvents].
	Events(ctx context.Context, run string, after int64, limit int) ([]Event, error)

	// SaveResult keeps what a tool answered, under the id of the call.
	SaveResult(ctx context.Context, run, call string, r Result) error
	Result(ctx context.Context, owner, call string) (Result, error)

	// Usage counts what an owner has, and the runs that were started since the beginning of a day, UTC, and until now: deleted ones too. Days
	// before yesterday need not be known.
	Usage(ctx context.Context, owner string, day time.Time) (Usage, error)

	// Ready reports why nothing can be stored: ErrFull, ErrExchanged, or another error. It costs no more than a look at the file.
	Ready(ctx context.Context) error

	Close() error
}

// Usage is what an owner has taken.
type Usage struct {
	Conversations int
	Live          int   // runs without an end
	Runs          int   // that were started on the day or later
	Bytes         int64 // of questions, events and results
}

// A Conversation is a list of runs with a title.
type Conversation struct {
	ID, Owner, Title string
	ShareToken       string // "" when it is not shared
	Created, Updated time.Time
}

// A Run is one question and everything that was done about it.
type Run struct {
	ID, Conversation, Owner string
	Input                   json.RawMessage
	Started                 time.Time
	Ended                   time.Time // zero while it goes on
}

// EventDone is the type of a run's last event.
const EventDone = "done"

// An Event is something that happened in a run. Data is the JSON of one of package chat's event types.
type Event struct {
	Seq  int64
	Type string
	Time time.Time
	Data json.RawMessage
}

// A Result is what a tool answered: both panels, as they came.
type Result struct {
	Tool       string          // the gateway's name of it: server and tool
	Arguments  json.RawMessage //
	Content    json.RawMessage // the content blocks
	Structured json.RawMessage // the raw structured content; nil where there was none
	IsError    bool
	Verified   bool   // the structured content matches the published schema
	Note       string // why it is not verified, or has no sources
}
