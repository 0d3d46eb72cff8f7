package contract

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych/cmd/diptych/internal/peer"
	"github.com/diptych-mcp/diptych/cmd/diptych/internal/tree"
	"github.com/diptych-mcp/diptych/internal/validate"
)

// A Kind is what a change means to a client of the old version.
type Kind string

const (
	Breaking Kind = "breaking" // some client of the old version fails
	Unsure   Kind = "unsure"   // rules do not decide it
	Safe     Kind = "safe"     // none does
)

// A Change is one difference between the old and the new version of a tool.
type Change struct {
	Kind     Kind   `json:"kind"`
	Tool     string `json:"tool"`
	Place    string `json:"place"`
	What     string `json:"what"`
	Evidence string `json:"evidence,omitempty"` // a value that the one version takes or sends and the other refuses
	Fault    string `json:"fault,omitempty"`    // why it is refused

	absence bool // that a member may be absent is what changed
}

// Compare returns the changes from one list of tools to another: by tool, the worst first.
func Compare(before, after []peer.Tool) []Change {
	old, now := byName(before), byName(after)
	var changes []Change
	for name, t := range old {
		if n, ok := now[name]; ok {
			changes = append(changes, compareTool(t, n)...)
		} else {
			changes = append(changes, Change{Kind: Breaking, Tool: name, Place: "tool", What: "was removed"})
		}
	}
	for name := range now {
		if _, ok := old[name]; !ok {
			changes = append(changes, Change{Kind: Safe, Tool: name, Place: "tool", What: "was added"})
		}
	}
	rank := map[Kind]int{Breaking: 0, Unsure: 1, Safe: 2}
	slices.SortStableFunc(changes, func(a, b Change) int {
		return cmp.Or(cmp.Compare(a.Tool, b.Tool), cmp.Compare(rank[a.Kind], rank[b.Kind]), cmp.Compare(a.Place, b.Place), cmp.Compare(a.What, b.What))
	})
	return slices.Compact(changes)
}

func byName(tools []peer.Tool) map[string]peer.Tool {
	all := make(map[string]peer.Tool)
	for _, t := range tools {
		if _, twice := all[t.Name]; !twice {
			all[t.Name] = t
		}
	}
	return all
}

func compareTool(old, now peer.Tool) []Change {
	var changes []Change
	add := func(kind Kind, place, format string, args ...any) {
		changes = append(changes, Change{Kind: kind, Tool: old.Name, Place: place, What: fmt.Sprintf(format, args...)})
	}
	if old.Title != now.Title {
		add(Safe, "title", "was changed")
	}
	if old.Description != now.Description {
		add(Safe, "description", "was changed: models choose the tool by it")
	}
	for _, h := range hints {
		if was, is := h.of(old.Annotations), h.of(now.Annotations); was != is {
			if is == h.careful {
				add(Unsure, "annotations/"+h.name, "is now %v: hosts may ask before they call the tool", is)
			} else {
				add(Unsure, "annotations/"+h.name, "is now %v: hosts may call the tool without asking", is)
			}
		}
	}
	for _, c := range side(old.Input, now.Input, true) {
		c.Tool = old.Name
		changes = append(changes, c)
	}
	switch {
	case old.Output == nil && now.Output == nil:
	case now.Output == nil:
		add(Breaking, "result", "has no output schema any more")
	case old.Output == nil:
		add(Safe, "result", "has an output schema now")
	default:
		for _, c := range side(old.Output, now.Output, false) {
			c.Tool = old.Name
			changes = append(changes, c)
		}
	}
	return changes
}

type hint struct {
	name    string
	careful bool // the value that makes hosts ask
	of      func(*mcp.ToolAnnotations) bool
}

// hints have the protocol's defaults where a tool says nothing.
var hints = []hint{
	{"readOnlyHint", false, func(a *mcp.ToolAnnotations) bool { return a != nil && a.ReadOnlyHint }},
	{"destructiveHint", true, func(a *mcp.ToolAnnotations) bool { return a == nil || a.DestructiveHint == nil || *a.DestructiveHint }},
	{"idempotentHint", false, func(a *mcp.ToolAnnotations) bool { return a != nil && a.IdempotentHint }},
	{"openWorldHint", true, func(a *mcp.ToolAnnotations) bool { return a == nil || a.OpenWorldHint == nil || *a.OpenWorldHint }},
}

// side compares the arguments or the results of a tool. What a client of the old version sends the new one has to take, and what
// the new one answers the old schema has to take.
func side(old, now []byte, input bool) []Change {
	place := "arguments"
	if !input {
		place = "result"
	}
	if bytes.Equal(old, now) {
		return nil
	}
	was, fromOld := usable(old)
	is, fromNow := usable(now)
	if fromOld != nil || fromNow != nil {
		return []Change{{Kind: Unsure, Place: place, What: "one of the schemas cannot be used: " + fmt.Sprint(cmp.Or(fromOld, fromNow))}}
	}
	w := walk{input: input}
	if input {
		w.narrow, w.wide = was, is
	} else {
		w.narrow, w.wide = is, was
	}
	w.within(w.narrow.root, w.wide.root, place, 0)
	w.prove(place)
	w.gone(was.root, is.root, was.root, is.root, place, 0)
	return w.changes
}

// A schema is one that was screened: it may be followed and compiled.
type schema struct {
	root    *tree.Node
	checker *validate.Checker
}

func usable(text []byte) (schema, error) {
	if text == nil {
		text = []byte(`{"type":"object"}`)
	}
	if err := validate.Screen(text); err != nil {
		return schema{}, err
	}
	checker, err := validate.Compile(text)
	if err != nil {
		return schema{}, err
	}
	root, err := tree.Parse(text)
	return schema{root, checker}, err
}
