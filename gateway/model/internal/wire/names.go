package wire

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/diptych-mcp/diptych/gateway/model"
)

// Names gives tools the names that providers take (letters, digits, - and _) and finds the way back.
type Names struct {
	out, back map[string]string
}

// NewNames names the tools of a request.
func NewNames(tools []model.Tool) *Names {
	n := &Names{out: map[string]string{}, back: map[string]string{}}
	for _, t := range tools { // names that fit keep themselves, whatever the others become
		if plain(t.Name) == t.Name {
			n.out[t.Name], n.back[t.Name] = t.Name, t.Name
		}
	}
	for _, t := range tools {
		n.Out(t.Name)
	}
	return n
}

// Out is the provider's name for a tool, which may be one that only the history knows.
func (n *Names) Out(name string) string {
	if out, ok := n.out[name]; ok {
		return out
	}
	out := plain(name)
	for i := 2; n.back[out] != ""; i++ {
		end := fmt.Sprintf("_%d", i)
		base := plain(name)
		out = base[:min(len(base), maxName-len(end))] + end
	}
	n.out[name], n.back[out] = out, name
	return out
}

// Back is the tool's own name. An invented name stays as it is.
func (n *Names) Back(out string) string {
	if name, ok := n.back[out]; ok {
		return name
	}
	return out
}

// Known reports whether out is the provider's name for a tool.
func (n *Names) Known(out string) bool { return n.back[out] != "" }

// Begins reports whether s begins the provider's name of a tool.
func (n *Names) Begins(s string) bool {
	for out := range n.back {
		if strings.HasPrefix(out, s) {
			return true
		}
	}
	return false
}

// plain is s in the letters that providers take for names and ids.
func plain(s string) string {
	s = strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '-' {
			return r
		}
		return '_'
	}, s)
	if s == "" {
		return "_"
	}
	return s[:min(len(s), maxName)]
}

// ID is a call's id as providers take it.
func ID(id string) string { return plain(id) }

// Object is a call's arguments as providers take them in a history: what is no object becomes an empty one, and the
// answer to the call says why it failed.
func Object(arguments json.RawMessage) json.RawMessage {
	var fields map[string]json.RawMessage
	if json.Unmarshal(arguments, &fields) != nil || fields == nil {
		return json.RawMessage(`{}`)
	}
	return arguments
}

// Identify gives an id to the calls that have none or one that was used before in the conversation.
func Identify(req model.Request, calls []model.Call) {
	used := map[string]bool{"": true}
	for _, m := range req.Messages {
		for _, c := range m.Calls {
			used[c.ID] = true
		}
	}
	for i := range calls {
		for n := i + 1; used[calls[i].ID]; n++ {
			calls[i].ID = fmt.Sprintf("call_%d_%d", len(req.Messages), n)
		}
		used[calls[i].ID] = true
	}
}
