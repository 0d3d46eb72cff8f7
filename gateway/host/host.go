// Package host speaks to MCP servers, several at once: it starts or reaches them, lists their tools, screens the schemas,
// calls, checks what comes back and keeps its bytes. Nothing that a server does or says is trusted. One that is down, slow,
// huge or hostile costs its own answers and nothing else.
//
// What a server asks the user during a call goes to the [Callbacks] of that call. A question outside of any call is declined.
package host

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/diptych-mcp/diptych/internal/validate"
)

// Options bound what a server may cost.
type Options struct {
	Version   string                             // of the gateway, sent to the servers
	Timeout   time.Duration                      // of one call; 0 for 60 seconds
	Dial      time.Duration                      // to start or reach a server and list its tools; 0 for 20 seconds
	Refresh   time.Duration                      // between two looks at a server's list of tools; 0 for one minute
	Retry     time.Duration                      // before the first new attempt, doubled up to 60 times that; 0 for half a second
	MaxResult int                                // bytes of one answer; 0 for 4 MiB
	Header    func(context.Context, http.Header) // adds to what is sent over HTTP; nil adds nothing
	Logger    *slog.Logger                       // nil for slog.Default()
}

// A Host holds the connections. It is safe for concurrent use.
type Host struct {
	links []*link
	stop  context.CancelFunc
	ended sync.WaitGroup
}

// Open begins to connect to servers and returns at once: see [Host.Ready]. It goes on to connect anew whenever one is lost.
func Open(servers []Server, o Options) (*Host, error) {
	o.Timeout = or(o.Timeout, defaultTimeout)
	o.Dial = or(o.Dial, defaultDial)
	o.Refresh = or(o.Refresh, defaultRefresh)
	o.Retry = or(o.Retry, defaultRetry)
	if o.MaxResult == 0 {
		o.MaxResult = defaultMaxResult
	}
	if o.Logger == nil {
		o.Logger = slog.Default()
	}
	seen := make(map[string]bool)
	h := &Host{}
	for _, s := range servers {
		if err := s.check(); err != nil {
			return nil, err
		}
		if seen[s.ID] {
			return nil, fmt.Errorf("server %q: named twice; rename one", s.ID)
		}
		seen[s.ID] = true
		h.links = append(h.links, newLink(s, o))
	}
	ctx, stop := context.WithCancel(context.Background())
	h.stop = stop
	for _, l := range h.links {
		h.ended.Go(func() { l.keep(ctx) })
	}
	return h, nil
}

func or(d, otherwise time.Duration) time.Duration {
	if d == 0 {
		return otherwise
	}
	return d
}

// Ready waits until every server has been reached, or has failed to be reached once.
func (h *Host) Ready(ctx context.Context) error {
	for _, l := range h.links {
		select {
		case <-l.tried:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// Close ends every session and every process.
func (h *Host) Close() {
	h.stop()
	h.ended.Wait()
}

// Tools lists what can be called now, sorted by name. Tools of a server that is down, refused ones and those that the
// operator denies are not among them.
func (h *Host) Tools() []Tool {
	var tools []Tool
	for _, l := range h.links {
		tools = append(tools, l.offered()...)
	}
	slices.SortFunc(tools, func(a, b Tool) int { return strings.Compare(a.Name, b.Name) })
	return tools
}

// Health says how each server is.
func (h *Host) Health() []Health {
	all := make([]Health, 0, len(h.links))
	for _, l := range h.links {
		all = append(all, l.health())
	}
	return all
}

// A State says how a server is.
type State string

// The states.
const (
	Connecting State = "connecting"
	Up         State = "up"
	Down       State = "down"
)

// Health is how a server is and what became of its tools.
type Health struct {
	Server   string
	State    State
	Since    time.Time
	Fault    string    // why it is down
	Tries    int       // that failed since it was up
	Next     time.Time // of the next try; zero while one goes on, and while it is up
	Reached  int       // how often it was
	Words    string    // the last that it wrote to its standard error
	Name     string    // its own name and version
	Protocol string    // the revision spoken
	Tools    int       // offered
	Refused  []Refusal
}

// A Refusal is a tool that is not offered, and why.
type Refusal struct{ Tool, Reason string }

// Arguments reads the arguments of a tool as they are meant, by its input schema, and returns them as they are sent. The
// error has a line for each broken rule and repeats no value.
func (h *Host) Arguments(tool string, arguments json.RawMessage) (json.RawMessage, error) {
	_, t := h.find(tool)
	if t == nil {
		return nil, fmt.Errorf("there is no tool %q", cut(tool, maxQuotedName))
	}
	return t.arguments(arguments)
}

// openObject is used where an input schema cannot be.
const openObject = `{"type":"object"}`

func (t *Tool) arguments(arguments json.RawMessage) (json.RawMessage, error) {
	in := t.in
	if in == nil {
		var err error
		if in, err = validate.Compile([]byte(openObject)); err != nil {
			return nil, err
		}
	}
	sent, faults := in.Arguments(arguments)
	if len(faults) == 0 {
		return sent, nil
	}
	var b strings.Builder
	for i, f := range faults[:min(len(faults), maxArgumentFaults)] {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString("arguments: ")
		if f.Path != "" {
			b.WriteString(f.Path + ": ")
		}
		b.WriteString(f.Rule)
	}
	if more := len(faults) - maxArgumentFaults; more > 0 {
		fmt.Fprintf(&b, "\nand %d more", more)
	}
	return nil, fmt.Errorf("%s", b.String())
}

func (h *Host) find(name string) (*link, *Tool) {
	for _, l := range h.links {
		if t := l.tool(name); t != nil {
			return l, t
		}
	}
	return nil, nil
}

// cut shortens a text of someone else's.
func cut(s string, most int) string {
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}
