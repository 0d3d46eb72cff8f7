// Package chat is a conversation between a user, a model and tools. A run is one question: the model and the tools take
// turns until there is an answer, and everything that happens is an [Event], stored before anybody sees it. The package
// knows no HTTP and no SQL.
//
// What a model reads is made from content blocks alone; structured content, force and _meta go to the screen. See
// forModel, whose input has no field for them.
package chat

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/diptych-mcp/diptych/gateway/host"
	"github.com/diptych-mcp/diptych/gateway/model"
	"github.com/diptych-mcp/diptych/gateway/store"
)

// Tools is what can be called. A *host.Host is one.
type Tools interface {
	// Tools lists what can be called now, sorted by name.
	Tools() []host.Tool
	// Arguments reads arguments as they are meant and returns them as they are sent, or an error that names field and rule.
	Arguments(tool string, arguments json.RawMessage) (json.RawMessage, error)
	// Call calls a tool. The callbacks may be called until Call returns. A server that is down or slow is a result with
	// IsError; an error means that ctx ended.
	Call(ctx context.Context, tool string, arguments json.RawMessage, callbacks host.Callbacks) (host.Result, error)
}

// Config says what a Chat is made of.
type Config struct {
	Store store.Store
	Tools Tools
	Model model.Model // nil: tools are called by hand only
	// Numbers traces the figures of an answer's prose to data: lists of values that belong together, and texts. What it
	// returns becomes the Findings of a [NumberCheck], unless ctx ended first. Nil: nothing is checked.
	Numbers func(ctx context.Context, prose string, data ...[]string) any
	// Begin, which may be nil, is called when a run starts and returns the context of its model and its tools, one made
	// of ctx, and what is to be called with the reason when the run has ended.
	Begin   func(ctx context.Context, r store.Run) (_ context.Context, end func(Reason))
	Context int // tokens that the model takes, its answer included; 0 for any number
	// ToolsMax is how many tools a model gets at once; of more, those that fit the question, and one that finds others. 0 for 64.
	ToolsMax int
	System   string        // the system prompt; "" for a default
	Rounds   int           // of tool calls in one run; 0 for 8
	Consent  time.Duration // how long the user is waited for; 0 for 10 minutes
	Limit    time.Duration // of a whole run; 0 for 30 minutes
	Logger   *slog.Logger  // nil for slog.Default()
}

// The errors of a Chat, besides those of the store.
var (
	ErrEmpty      = errors.New("the question is empty; write one")
	ErrLong       = fmt.Errorf("the question is longer than %d KiB; shorten it", maxQuestion>>10)
	ErrNoModel    = errors.New("no model is configured; choose a tool instead")
	ErrBusy       = errors.New("the conversation has a run that goes on; stop it or wait")
	ErrNotWaiting = errors.New("nothing waits for this answer")
	ErrNoTool     = errors.New("no such tool")
	ErrClosed     = errors.New("the gateway is closing")
)

// An ArgumentsError says what is wrong with the arguments of [Chat.RunTool], or with the content of [Chat.Reply]: a line
// for each field and rule.
type ArgumentsError struct{ Faults string }

func (e *ArgumentsError) Error() string { return e.Faults }

// Input is what the user asked, as a run keeps it: text for the model, or a tool with arguments.
type Input struct {
	Text      string          `json:"text,omitempty"`
	Tool      string          `json:"tool,omitempty"`
	Arguments json.RawMessage `json:"arguments,omitempty"`
}

// A Chat starts runs and lets others watch them. It is safe for concurrent use.
type Chat struct {
	cfg   Config
	ctx   context.Context // of every run
	stop  context.CancelFunc
	ended sync.WaitGroup

	mu     sync.Mutex
	gauge  gauge
	closed bool
	live   map[string]*run // by run id
	busy   map[string]bool // by conversation id
}

// New returns a Chat, after it has ended the runs that an earlier process left open: each gets an error and a done event.
func New(ctx context.Context, cfg Config) (*Chat, error) {
	if cfg.System == "" {
		cfg.System = system
	}
	if cfg.Rounds == 0 {
		cfg.Rounds = defaultRounds
	}
	if cfg.ToolsMax == 0 {
		cfg.ToolsMax = defaultToolsMax
	}
	if cfg.Consent == 0 {
		cfg.Consent = defaultConsent
	}
	if cfg.Limit == 0 {
		cfg.Limit = defaultLimit
	}
	if cfg.Logger == nil {
		cfg.Logger = slog.Default()
	}
	c := &Chat{cfg: cfg, gauge: gauge{firstBytes}, live: make(map[string]*run), busy: make(map[string]bool)}
	c.ctx, c.stop = context.WithCancel(context.Background())
	return c, c.endOpenRuns(ctx)
}

func (c *Chat) endOpenRuns(ctx context.Context) error {
	open, err := c.cfg.Store.OpenRuns(ctx)
	if err != nil {
		return err
	}
	for _, r := range open {
		events, err := encodeAll(&Error{CrashFault, interrupted}, &Done{Reason: ByCrash})
		if err != nil {
			return err
		}
		_, err = c.cfg.Store.AppendEvents(ctx, r.ID, events...)
		switch {
		case errors.Is(err, store.ErrFull): // the gateway starts nevertheless, so that users can delete conversations
			c.cfg.Logger.Error("ending a run that an earlier process left open; it is tried again at the next start", "run", r.ID, "err", err)
		case err != nil && !errors.Is(err, store.ErrFinished):
			return err
		}
	}
	return nil
}

const interrupted = "The gateway was ended while this went on. What was stored until then is above; ask again for the rest."

// ModelName is the model's name for the page, or "" where there is none.
func (c *Chat) ModelName() string {
	if c.cfg.Model == nil {
		return ""
	}
	return c.cfg.Model.Name()
}

// Close stops every run, with an event that says so, and waits for them. The store and the tools stay open.
func (c *Chat) Close() {
	c.mu.Lock()
	c.closed = true
	c.mu.Unlock()
	c.stop()
	c.ended.Wait()
}
