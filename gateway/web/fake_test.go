package web

// A chat without a model and a store without a disk, for tests: a run does what its question's script says.

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/diptych-mcp/diptych/gateway/chat"
	"github.com/diptych-mcp/diptych/gateway/host"
	"github.com/diptych-mcp/diptych/gateway/quota"
	"github.com/diptych-mcp/diptych/gateway/store"
)

// fake is Chat, Tools and Store at once.
type fake struct {
	mu            sync.Mutex
	changed       chan struct{} // closed and renewed whenever something is stored
	conversations []store.Conversation
	runs          []*store.Run
	events        map[string][]store.Event
	results       map[string]store.Result
	answers       map[string]bool
	replies       map[string]host.Answer
	stops         map[string]bool
	scripts       map[string]func(*fakeRun) // by question or tool
	tools         []host.Tool
	model         string
	refusal       string // of arguments that say "refuse me"
	last          int
	health        func() []host.Health
	limits        quota.Limits
}

func newFake() *fake {
	return &fake{changed: make(chan struct{}), events: map[string][]store.Event{}, results: map[string]store.Result{}, answers: map[string]bool{}, replies: map[string]host.Answer{},
		stops: map[string]bool{}, scripts: map[string]func(*fakeRun){}, tools: testTools, model: "scripted",
		refusal: "city: not one of the allowed values"}
}

// fakeRun is what a script has in hand.
type fakeRun struct {
	*fake
	store.Run
}

func (r *fakeRun) tell(events ...chat.Event) {
	for _, event := range events {
		data, err := json.Marshal(event)
		if err != nil {
			panic(err)
		}
		if _, err := r.AppendEvents(context.Background(), r.Run.ID, store.Event{Type: event.Type(), Data: data}); err != nil {
			panic(err)
		}
	}
}

// wait blocks until the condition holds; it is looked at whenever something changes.
func (f *fake) wait(holds func() bool) {
	for {
		f.mu.Lock()
		ok, changed := holds(), f.changed
		f.mu.Unlock()
		if ok {
			return
		}
		<-changed
	}
}

func (f *fake) wake() {
	close(f.changed)
	f.changed = make(chan struct{})
}

func (f *fake) id(kind string) string {
	f.last++
	return fmt.Sprintf("%s%d", kind, f.last)
}

func (f *fake) Tools() []host.Tool { return f.tools }
func (f *fake) ModelName() string  { return f.model }

func (f *fake) Ask(ctx context.Context, owner, conversation, text string) (store.Run, error) {
	if f.model == "" {
		return store.Run{}, chat.ErrNoModel
	}
	return f.start(ctx, owner, conversation, text, chat.Input{Text: text})
}

func (f *fake) RunTool(ctx context.Context, owner, conversation, tool string, arguments json.RawMessage) (store.Run, error) {
	if !slices.ContainsFunc(f.tools, func(t host.Tool) bool { return t.Name == tool }) {
		return store.Run{}, chat.ErrNoTool
	}
	if strings.Contains(string(arguments), "refuse me") {
		return store.Run{}, &chat.ArgumentsError{Faults: f.refusal}
	}
	return f.start(ctx, owner, conversation, tool, chat.Input{Tool: tool, Arguments: arguments})
}

func (f *fake) start(ctx context.Context, owner, conversation, script string, in chat.Input) (store.Run, error) {
	input, err := json.Marshal(in)
	if err != nil {
		return store.Run{}, err
	}
	run, err := f.StartRun(ctx, owner, conversation, input)
	if err != nil {
		return store.Run{}, err
	}
	f.mu.Lock()
	for i := range f.conversations {
		if f.conversations[i].ID == conversation && f.conversations[i].Title == "" {
			f.conversations[i].Title = script
		}
	}
	do := f.scripts[script]
	f.mu.Unlock()
	r := &fakeRun{f, run}
	go func() {
		if do != nil {
			do(r)
		}
		r.tell(&chat.Done{Reason: chat.ByAnswer})
	}()
	return run, nil
}

func (f *fake) Stop(ctx context.Context, owner, id string) error {
	if _, err := f.Run(ctx, owner, id); err != nil {
		return err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.stops[id] = true
	f.wake()
	return nil
}

func (f *fake) Delete(ctx context.Context, owner, id string) error {
	return f.DeleteConversation(ctx, owner, id)
}

func (f *fake) Answer(ctx context.Context, owner, id, call string, allow bool) error {
	if _, err := f.Run(ctx, owner, id); err != nil {
		return err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if _, twice := f.answers[call]; twice {
		return chat.ErrNotWaiting
	}
	f.answers[call] = allow
	f.wake()
	return nil
}

func (f *fake) Reply(ctx context.Context, owner, id, question string, a host.Answer) error {
	if _, err := f.Run(ctx, owner, id); err != nil {
		return err
	}
	if strings.Contains(string(a.Content), "refuse me") {
		return &chat.ArgumentsError{Faults: "zip: must have at most 5 characters"}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if _, twice := f.replies[question]; twice {
		return chat.ErrNotWaiting
	}
	f.replies[question] = a
	f.wake()
	return nil
}

func (f *fake) Follow(ctx context.Context, owner, id string, after int64) iter.Seq2[store.Event, error] {
	return func(yield func(store.Event, error) bool) {
		for {
			f.mu.Lock()
			events, changed := slices.Clone(f.events[id]), f.changed
			f.mu.Unlock()
			for _, e := range events {
				if e.Seq <= after {
					continue
				}
				if !yield(e, nil) || e.Type == store.EventDone {
					return
				}
				after = e.Seq
			}
			select {
			case <-changed:
			case <-ctx.Done():
				yield(store.Event{}, ctx.Err())
				return
			}
		}
	}
}

func (f *fake) CreateConversation(_ context.Context, owner, title string) (store.Conversation, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	c := store.Conversation{ID: f.id("c"), Owner: owner, Title: title, Created: time.Now(), Updated: time.Now()}
	f.conversations = append(f.conversations, c)
	return c, nil
}

func (f *fake) find(owner, id string) *store.Conversation {
	for i, c := range f.conversations {
		if c.ID == id && c.Owner == owner {
			return &f.conversations[i]
		}
	}
	return nil
}

func (f *fake) Conversation(_ context.Context, owner, id string) (store.Conversation, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if c := f.find(owner, id); c != nil {
		return *c, nil
	}
	return store.Conversation{}, store.ErrNotFound
}

func (f *fake) Conversations(_ context.Context, owner, query string, offset, limit int) ([]store.Conversation, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	var found []store.Conversation
	for _, c := range slices.Backward(f.conversations) {
		if c.Owner == owner && strings.Contains(c.Title, query) {
			found = append(found, c)
		}
	}
	return found[min(offset, len(found)):min(offset+limit, len(found))], nil
}

func (f *fake) RenameConversation(_ context.Context, owner, id, title string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	c := f.find(owner, id)
	if c == nil {
		return store.ErrNotFound
	}
	c.Title = title
	return nil
}

func (f *fake) DeleteConversation(_ context.Context, owner, id string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.find(owner, id) == nil {
		return store.ErrNotFound
	}
	f.conversations = slices.DeleteFunc(f.conversations, func(c store.Conversation) bool { return c.ID == id })
	f.runs = slices.DeleteFunc(f.runs, func(r *store.Run) bool {
		if r.Conversation == id {
			delete(f.events, r.ID)
		}
		return r.Conversation == id
	})
	return nil
}

func (f *fake) ShareConversation(_ context.Context, owner, id string, share bool) (string, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	c := f.find(owner, id)
	if c == nil {
		return "", store.ErrNotFound
	}
	c.ShareToken = ""
	if share {
		c.ShareToken = "token-of-" + id
	}
	return c.ShareToken, nil
}

func (f *fake) SharedConversation(_ context.Context, token string) (store.Conversation, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, c := range f.conversations {
		if token != "" && c.ShareToken == token {
			return c, nil
		}
	}
	return store.Conversation{}, store.ErrNotFound
}

func (f *fake) StartRun(_ context.Context, owner, conversation string, input json.RawMessage) (store.Run, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.find(owner, conversation) == nil {
		return store.Run{}, store.ErrNotFound
	}
	r := &store.Run{ID: f.id("r"), Conversation: conversation, Owner: owner, Input: input, Started: time.Now()}
	f.runs = append(f.runs, r)
	return *r, nil
}

func (f *fake) Run(_ context.Context, owner, id string) (store.Run, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, r := range f.runs {
		if r.ID == id && r.Owner == owner {
			return *r, nil
		}
	}
	return store.Run{}, store.ErrNotFound
}

// Runs and Events bring little at a time, as a store may.
func (f *fake) Runs(_ context.Context, owner, conversation, after string, limit int) ([]store.Run, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	var found []store.Run
	for _, r := range f.runs {
		if r.Conversation == conversation && r.Owner == owner {
			found = append(found, *r)
		}
	}
	from := 1 + slices.IndexFunc(found, func(r store.Run) bool { return r.ID == after })
	return found[from:min(from+min(limit, 2), len(found))], nil
}

func (f *fake) OpenRuns(context.Context) ([]store.Run, error) { return nil, nil }

func (f *fake) AppendEvents(_ context.Context, run string, events ...store.Event) ([]store.Event, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for i := range events {
		events[i].Seq = int64(len(f.events[run]) + 1)
		f.events[run] = append(f.events[run], events[i])
		if events[i].Type == store.EventDone {
			for _, r := range f.runs {
				if r.ID == run {
					r.Ended = time.Now()
				}
			}
		}
	}
	f.wake()
	return events, nil
}

func (f *fake) Events(_ context.Context, run string, after int64, limit int) ([]store.Event, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	all := f.events[run]
	from := min(int(after), len(all))
	return slices.Clone(all[from:min(from+min(limit, 3), len(all))]), nil
}

func (f *fake) SaveResult(_ context.Context, _, call string, r store.Result) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.results[call] = r
	return nil
}

func (f *fake) Result(_ context.Context, _, call string) (store.Result, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if r, ok := f.results[call]; ok {
		return r, nil
	}
	return store.Result{}, store.ErrNotFound
}

func (f *fake) Usage(_ context.Context, owner string, _ time.Time) (store.Usage, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	var u store.Usage
	for _, r := range f.runs {
		if r.Owner == owner {
			u.Runs++
			if r.Ended.IsZero() {
				u.Live++
			}
		}
	}
	return u, nil
}

func (f *fake) Close() error { return nil }

func (f *fake) Ready(context.Context) error { return nil }

// exact is a table of digits that are easily lost, and text that is easily taken for something else.
const exact = `[["name","digits","as text"],` +
	`["big",12345678901234567890,"12345678901234567890"],["price",1.10,"1.10"],["people",37400068,"37400068"],["zero",-0,"-0"],` +
	`["small",1e-7,"1e-7"],["sum",0.30000000000000004,"0.1+0.2"],["none",null,null],["empty",3,""],["formula",4,"=1+1"],["comma",5,"a,\"b\"\nc"]]`

const pie = `{"type":"bar","data":{"labels":["A","B"],"datasets":[{"label":"Share","data":[1.10,20]}]},"options":{"plugins":{"title":{"display":true,"text":"Shares"}}}}`

// answer tells a whole tool call with every part that a screen can get.
func (r *fakeRun) answer(call string, turn int, title, rows, config, force string) {
	tool := chat.ToolCall{ID: call, Turn: turn, Tool: "cities__largest", Title: title, Arguments: json.RawMessage(`{"country":"JP","big":12345678901234567890}`), State: chat.Running}
	r.tell(&tool)
	_ = r.SaveResult(context.Background(), r.Run.ID, call, store.Result{Structured: json.RawMessage(`{"table":` + rows + `}`)})
	over := tool
	over.State, over.Read, over.Screen, over.Verified, over.Millis = chat.Answered, "Tokyo has 37400068 people.", true, true, 1234
	r.tell(&over)
	if force != "" {
		r.tell(&chat.Force{Call: call, Tool: tool.Tool, Text: force})
	}
	if config != "" {
		r.tell(&chat.Chart{Call: call, Tool: tool.Tool, Hash: "h1", Config: json.RawMessage(config)})
	}
	if rows != "" {
		r.tell(&chat.Table{Call: call, Tool: tool.Tool, Hash: "h2", Rows: json.RawMessage(rows)})
	}
	r.tell(&chat.Sources{Call: call, Tool: tool.Tool, Title: title, Sources: []chat.Source{{URL: "https://data.example/cities", Title: "City population", Publisher: "Statistics office", Period: "2025"}}})
}

// long is a table of n rows, the i-th of which holds i in its last column, in no order.
func long(n int) string {
	var b strings.Builder
	b.WriteString(`[["city","people"]`)
	for i := range n {
		fmt.Fprintf(&b, `,["City %d",%d]`, i, (i*7919)%n)
	}
	b.WriteString("]")
	return b.String()
}

var testTools = []host.Tool{
	{Name: "cities__largest", Server: "cities", Original: "largest", Title: "Largest cities", Data: true, Hints: host.Hints{ReadOnly: true},
		Description: "Lists the largest cities of a country, with their population.",
		Input: json.RawMessage(`{"type":"object","required":["country","big"],"properties":{
			"country":{"type":"string","title":"Country","enum":["JP","BR","ES"],"description":"Where to look."},
			"big":{"type":"integer","description":"Any whole number."},
			"share":{"type":"number","default":0.5,"minimum":0,"maximum":1},
			"capital":{"type":"boolean"},
			"names":{"type":"array","items":{"type":"string"}},
			"note":{"anyOf":[{"type":"string"},{"type":"null"}],"title":"A note"}}}`)},
	{Name: "rooms__book", Server: "rooms", Original: "book", Title: "Book a room", Note: "no source given", Hints: host.Hints{Destructive: true, OpenWorld: true},
		Description: "Books a room.", Input: json.RawMessage(`{"type":"object","properties":{"room":{"type":"string"}}}`)},
}

func newHandler(t *testing.T, f *fake) http.Handler {
	t.Helper()
	h, err := New(Config{Chat: f, Tools: f, Store: f, Health: f.health, Quota: quota.New(f.limits, f), Share: true, Scripted: f.model != "", Logger: slog.New(slog.NewTextHandler(t.Output(), nil))})
	if err != nil {
		t.Fatal(err)
	}
	return h
}
