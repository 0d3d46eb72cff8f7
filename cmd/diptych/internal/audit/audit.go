// Package audit looks at a server the way its hosts will: at what it publishes, at what it answers, and at what it says
// when it is asked wrongly. Every finding names the tool, the place, the fault and the remedy.
package audit

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych/cmd/diptych/internal/peer"
)

// A Finding is one broken rule. Its fault never holds a value from a result; of a call that went wrong it also has what was
// sent and what the tool said, cut.
type Finding struct {
	Rule     string   `json:"rule"`
	Severity Severity `json:"severity"`
	Tool     string   `json:"tool,omitempty"`
	Place    string   `json:"place"`
	Fault    string   `json:"fault"`
	Remedy   string   `json:"remedy"`
	Hosts    []string `json:"hosts,omitempty"` // the names of those that lose something
	Sent     string   `json:"sent,omitempty"`
	Said     string   `json:"said,omitempty"`
}

// A Tool is the verdict on one tool.
type Tool struct {
	Name     string    `json:"name"`
	Verdict  string    `json:"verdict"` // good, untried, flawed or broken
	Called   string    `json:"called"`  // how it was called, or why it was not
	Findings []Finding `json:"findings"`

	seen bool // a good result of it
	asks bool // it asks the user first
}

// The verdicts. A tool is good when nothing is wrong with it and a result of it was seen.
const (
	Good    = "good"
	Untried = "untried"
	Flawed  = "flawed"
	Broken  = "broken"
)

// A Report is an audit's outcome. Tools are in the order of their names.
type Report struct {
	Server   string `json:"server"`
	Name     string `json:"name"`
	Version  string `json:"version"`
	Protocol string `json:"protocol"`
	Tools    []Tool `json:"tools"`
}

// Count returns how many findings have that severity.
func (r *Report) Count(s Severity) int {
	n := 0
	for _, t := range r.Tools {
		for _, f := range t.Findings {
			if f.Severity == s {
				n++
			}
		}
	}
	return n
}

// Options say what an audit may do.
type Options struct {
	Dial     func(context.Context, mcp.ClientOptions) (*peer.Session, error)
	Timeout  time.Duration // for each answer
	Call     string        // "readonly", "all" or "none"
	Examples map[string][]json.RawMessage
	Secrets  []string                         // what no text of the server may hold
	For      map[string]bool                  // the hosts that matter, by id; all where it is empty
	Step     func(tool string, done, all int) // is called before each tool; may be nil
}

// Unlisted is the error of a server that was reached and does not list its tools.
type Unlisted struct {
	Err   error
	Late  bool   // it did not answer in time
	How   string // its process ended
	Words string // the last that it wrote to its standard error
}

func (e *Unlisted) Error() string { return e.Err.Error() }
func (e *Unlisted) Unwrap() error { return e.Err }

// An auditor is one audit under way.
type auditor struct {
	Options
	session *peer.Session
	silent  int
	asked   atomic.Bool // the tool that is called asked the user
	now     *Tool       // whose findings are collected
}

// Run audits a server. The error is a server that could not be reached or listed; it is in no report.
func Run(ctx context.Context, o Options) (*Report, error) {
	a := &auditor{Options: o}
	defer a.hangUp()
	var how, words string
	if err := a.dialed(ctx); err != nil {
		return nil, err
	}
	report := &Report{}
	if r := a.session.InitializeResult(); r != nil {
		report.Protocol = r.ProtocolVersion
		if r.ServerInfo != nil {
			report.Name, report.Version = r.ServerInfo.Name, r.ServerInfo.Version
		}
	}
	listing, cancel := context.WithTimeout(ctx, o.Timeout)
	defer cancel()
	tools, err := a.session.Tools(listing)
	if err != nil {
		if listing.Err() == nil {
			how, words = a.session.Ended()
		}
		return nil, &Unlisted{Err: err, Late: listing.Err() != nil, How: how, Words: words}
	}
	slices.SortStableFunc(tools, func(a, b peer.Tool) int { return cmp.Compare(a.Name, b.Name) })
	for i, tool := range tools {
		if o.Step != nil {
			o.Step(tool.Name, i, len(tools))
		}
		out := Tool{Name: tool.Name, Findings: []Finding{}}
		a.now = &out
		a.published(tool, i > 0 && tools[i-1].Name == tool.Name)
		a.exercise(ctx, tool)
		finish(&out)
		report.Tools = append(report.Tools, out)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	return report, nil
}

// published checks what a tool says of itself.
func (a *auditor) published(t peer.Tool, twice bool) {
	a.names(t, twice)
	a.schemas(t)
	a.hosts(t)
}

// found notes a broken rule. A remedy of its own replaces the rule's.
func (a *auditor) found(id, place, fault string, remedy ...string) {
	a.foundSize(id, place, 0, fault, remedy...)
}

// foundSize is found for a rule whose hosts depend on a size. What concerns none of the hosts that matter is left out.
func (a *auditor) foundSize(id, place string, size int, fault string, remedy ...string) {
	r := rule(id)
	f := Finding{Rule: id, Severity: r.Severity, Tool: a.now.Name, Place: place, Fault: fault, Remedy: r.Remedy}
	if len(remedy) > 0 {
		f.Remedy = remedy[0]
	}
	if ids := losers(id, size); len(ids) > 0 {
		if len(a.For) > 0 {
			ids = slices.DeleteFunc(ids, func(id string) bool { return !a.For[id] })
		}
		if f.Hosts = named(ids); len(f.Hosts) == 0 {
			return
		}
	}
	a.now.Findings = append(a.now.Findings, f)
}

// finish orders a tool's findings, drops repetitions and gives the verdict.
func finish(t *Tool) {
	excuse(t)
	rank := map[Severity]int{Error: 0, Warning: 1, Note: 2}
	slices.SortStableFunc(t.Findings, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(rank[a.Severity], rank[b.Severity]), cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Place, b.Place), cmp.Compare(a.Fault, b.Fault))
	})
	t.Findings = slices.CompactFunc(t.Findings, func(a, b Finding) bool {
		return a.Rule == b.Rule && a.Place == b.Place && a.Fault == b.Fault
	})
	counts := make(map[string]int)
	for _, f := range t.Findings {
		counts[f.Rule]++
	}
	kept, told := t.Findings[:0:0], make(map[string]int)
	for _, f := range t.Findings {
		told[f.Rule]++
		switch n := told[f.Rule]; {
		case n < maxPerRule || counts[f.Rule] == maxPerRule:
			kept = append(kept, f)
		case n == maxPerRule:
			f.Fault += fmt.Sprintf("; and %d more", counts[f.Rule]-n)
			kept = append(kept, f)
		}
	}
	t.Findings, t.Verdict = append([]Finding{}, kept...), Untried
	if t.seen {
		t.Verdict = Good
	}
	for _, f := range t.Findings {
		switch {
		case f.Severity == Error:
			t.Verdict = Broken
		case f.Severity == Warning && t.Verdict != Broken:
			t.Verdict = Flawed
		}
	}
}

// excuse makes a missing output schema a note where an answer was seen that is nothing but words or pictures.
func excuse(t *Tool) {
	data := slices.ContainsFunc(t.Findings, func(f Finding) bool { return f.Rule == "json-in-string" || f.Rule == "structured-undeclared" })
	for i := range t.Findings {
		if f := &t.Findings[i]; f.Rule == "output-missing" && t.seen && !data {
			f.Severity, f.Remedy = Note, "publish one if an application should read the answer too"
		}
	}
}

func (a *auditor) dialed(ctx context.Context) error {
	if a.session != nil {
		return nil
	}
	session, err := a.Dial(ctx, mcp.ClientOptions{ElicitationHandler: func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
		a.asked.Store(true)
		return &mcp.ElicitResult{Action: "decline"}, nil
	}})
	if err != nil {
		return err
	}
	a.session = session
	return nil
}

func (a *auditor) hangUp() {
	if a.session != nil {
		a.session.Close()
		a.session = nil
	}
}

func readOnly(t *mcp.Tool) bool { return t.Annotations != nil && t.Annotations.ReadOnlyHint }
