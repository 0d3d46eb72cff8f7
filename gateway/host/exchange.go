package host

// One call while it goes on, and what the server says to the user meanwhile.

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych/internal/countdown"
	"github.com/diptych-mcp/diptych/internal/exact"
)

// Callbacks are called with what a server says to the user while it answers a call. Each may be nil.
type Callbacks struct {
	Progress func(Progress)
	// Ask puts a question to the user and returns soon after ctx ends. It may be called several times at once.
	Ask func(ctx context.Context, q Question) Answer
}

type exchange struct {
	id        string // of this call alone: its progress token, and what its questions are about
	session   *session
	server    string
	callbacks Callbacks
	clock     *countdown.Timer
	ctx       context.Context // ends with the call
	stop      context.CancelFunc

	mu    sync.Mutex
	asked int
	over  bool
	open  sync.WaitGroup           // questions
	pages map[string]chan struct{} // that the user was asked to visit, by id; nil once the server has said so
	early []string                 // pages that were visited before the server's question arrived, the latest last
}

// exchange opens one within a call's time.
func (s *session) exchange(ctx context.Context, server string, callbacks Callbacks, c *countdown.Timer) *exchange {
	x := &exchange{id: rand.Text(), session: s, server: server, callbacks: callbacks, clock: c, pages: make(map[string]chan struct{})}
	x.ctx, x.stop = context.WithCancel(exact.About(ctx, x.id))
	s.mu.Lock()
	s.exchanges[x.id] = x
	s.mu.Unlock()
	return x
}

// end closes the questions that are still open. After it no callback of this call is called.
func (x *exchange) end() {
	x.session.mu.Lock()
	delete(x.session.exchanges, x.id)
	x.session.mu.Unlock()
	x.mu.Lock()
	x.over = true
	x.mu.Unlock()
	x.stop()
	x.open.Wait()
}

func (x *exchange) progressed(p *mcp.ProgressNotificationParams) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if !x.over && x.callbacks.Progress != nil {
		x.callbacks.Progress(Progress{Done: p.Progress, Total: p.Total, Message: cut(p.Message, maxFault)})
	}
}

// begin reports whether one more question may be asked.
func (x *exchange) begin() bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.over || x.callbacks.Ask == nil || x.asked >= maxQuestions {
		return false
	}
	x.asked++
	x.open.Add(1)
	return true
}

// ask asks the user. The call's time is paused until the answer, because the user is slow and not the tool.
func (x *exchange) ask(ctx context.Context, p *mcp.ElicitParams) (*mcp.ElicitResult, error) {
	if !x.begin() {
		return Answer{Action: Cancel}.result(), nil
	}
	defer x.open.Done()
	q, err := readQuestion(x.server, p)
	if err != nil {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: cut(err.Error(), maxFault)}
	}
	if q.URL != "" {
		q.Visited = x.page(p.ElicitationID)
	}
	x.clock.Pause()
	defer x.clock.Resume()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(x.ctx, cancel)()
	a := x.callbacks.Ask(ctx, q)
	if a.Action == Accept {
		if a.Content, err = q.Check(a.Content); err != nil {
			return nil, fmt.Errorf("an answer was accepted that breaks the question's schema: %w", err)
		}
	}
	return a.result(), nil
}

// page is closed when the server says that the user has visited the page of that id.
func (x *exchange) page(id string) <-chan struct{} {
	x.mu.Lock()
	defer x.mu.Unlock()
	visited := x.pages[id]
	if visited == nil {
		visited = make(chan struct{})
	}
	if id == "" || len(id) > maxPageID {
		return visited
	}
	x.pages[id] = visited
	if i := slices.Index(x.early, id); i >= 0 {
		x.early = slices.Delete(x.early, i, i+1)
		x.close(id)
	}
	return visited
}

// visited notes that the user has visited a page. Pages that were not asked about are remembered for a while, because
// a notification may overtake the question before it. A repeated notification is not: the next question about that page is a
// new one.
func (x *exchange) visited(id string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if _, asked := x.pages[id]; asked {
		x.close(id)
	} else if len(id) <= maxPageID && !slices.Contains(x.early, id) {
		x.early = append(x.early[max(0, len(x.early)+1-maxEarly):], id)
	}
}

// close ends the questions about a page, if one is open.
func (x *exchange) close(id string) {
	if visited := x.pages[id]; visited != nil {
		close(visited)
		x.pages[id] = nil
	}
}

// What a model reads of a call that ended with a question which could not be put.
const (
	foreignRequest = "The tool asks for more than the user's answer, which this gateway does not offer."
	unclear        = "The tool asks the user in a way that this gateway does not understand."
	notVisited     = "The tool needs the user to visit a page first, and the user did not."
)

// answers asks the user everything that a result asks, one question after the other, or says why it cannot be asked.
func (x *exchange) answers(requests mcp.InputRequestMap) (responses mcp.InputResponseMap, fault string) {
	responses = make(mcp.InputResponseMap)
	for _, key := range slices.Sorted(maps.Keys(requests)) {
		p, ok := requests[key].(*mcp.ElicitParams)
		if !ok || p == nil {
			return nil, foreignRequest
		}
		a, err := x.ask(x.ctx, p)
		if err != nil {
			return nil, unclear
		}
		responses[key] = a
	}
	return responses, ""
}

// visit asks the user to visit the pages that an error names, before the same call is made again, or says why that is over.
func (x *exchange) visit(needed *jsonrpc.Error) (fault string) {
	var data struct {
		Elicitations []*mcp.ElicitParams `json:"elicitations"`
	}
	if json.Unmarshal(needed.Data, &data) != nil || len(data.Elicitations) == 0 {
		return unclear
	}
	for _, p := range data.Elicitations {
		if p == nil || p.URL == "" {
			return unclear
		}
		switch a, err := x.ask(x.ctx, p); {
		case err != nil:
			return unclear
		case a.Action != string(Accept):
			return notVisited
		}
	}
	return ""
}

// questions answers what a server asks over its session, as servers of older revisions do, and notes which pages were
// visited. It runs before the SDK's own handling, which would run a validator without bounds on the schema.
func (s *session) questions(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		switch method {
		case "elicitation/create":
		case "notifications/elicitation/complete":
			if p, ok := req.GetParams().(*mcp.ElicitationCompleteParams); ok && p != nil {
				s.visited(p.ElicitationID)
			}
			return nil, nil
		default:
			return next(ctx, method, req)
		}
		p, ok := req.GetParams().(*mcp.ElicitParams)
		if !ok || p == nil {
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "no parameters"}
		}
		_, id := exact.Question(p)
		x, several := s.about(id)
		switch {
		case several:
			return Answer{Action: Cancel}.result(), nil
		case x == nil:
			return Answer{Action: Decline}.result(), nil
		}
		return x.ask(ctx, p)
	}
}

// visited tells every call that goes on, because the notification does not say which of them is meant.
func (s *session) visited(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, x := range s.exchanges {
		x.visited(id)
	}
}

// about finds the call that a question is about. Without an id it is the only one that goes on: of several, a question
// could reach the wrong user.
func (s *session) about(id string) (x *exchange, several bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if id != "" {
		return s.exchanges[id], false
	}
	if len(s.exchanges) > 1 {
		return nil, true
	}
	for _, x = range s.exchanges {
		return x, false
	}
	return nil, false
}
