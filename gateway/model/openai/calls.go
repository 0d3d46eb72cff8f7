package openai

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/diptych-mcp/diptych/gateway/model"
	"github.com/diptych-mcp/diptych/gateway/model/internal/wire"
)

// piece is a part of a call. Each field may be missing.
type piece struct {
	Index    *index `json:"index"`
	ID       string `json:"id"`
	Function struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"` // a string to be joined, or an object
	} `json:"function"`
	Extra json.RawMessage `json:"extra_content"` // of Gemini: a signature of what it thought
}

// index is a number, or a number in a string.
type index int

func (i *index) UnmarshalJSON(b []byte) error {
	n, err := strconv.Atoi(string(bytes.Trim(b, `"`)))
	*i = index(n)
	return err
}

// calls joins pieces to calls. Servers disagree about which piece belongs to which call, so the index is believed only
// as far as id, name and the completeness of the arguments do not contradict it.
type calls struct {
	names *wire.Names
	list  []*started
}

type started struct {
	index     *index
	id, name  string
	arguments written
	extra     json.RawMessage
}

func (cs *calls) add(p piece) error {
	arguments := text(p.Function.Arguments)
	c := cs.find(p)
	if c == nil && p.ID == "" && p.Function.Name == "" {
		if strings.TrimSpace(arguments) == "" {
			return nil
		}
		return wire.ErrNoCall
	}
	if c == nil || cs.another(c, p, arguments) {
		if len(cs.list) == wire.MaxCalls {
			return wire.ErrTooMany
		}
		c = &started{index: p.Index}
		cs.list = append(cs.list, c)
	}
	if c.id == "" {
		c.id = p.ID
	}
	if given(p.Extra) {
		c.extra = p.Extra
	}
	if name := p.Function.Name; name != c.name || c.arguments.Len() == 0 && !cs.names.Known(name) { // some repeat it
		c.name += name
	}
	if c.arguments.complete && strings.TrimSpace(arguments) == strings.TrimSpace(c.arguments.String()) {
		return nil // some send the whole once more at the end
	}
	c.arguments.add(arguments)
	return nil
}

// find is the call that a piece claims to belong to: the latest with its index and id, else with its index, else with its
// id; a piece without an index goes to the latest call.
func (cs *calls) find(p piece) *started {
	var best *started
	most := 0
	for i := len(cs.list) - 1; i >= 0; i-- {
		c, claim := cs.list[i], 0
		if p.Index != nil && c.index != nil && *p.Index == *c.index {
			claim += 3
		}
		if p.ID != "" && p.ID == c.id {
			claim += 2
		}
		if p.Index == nil {
			claim++
		}
		if claim > most {
			best, most = c, claim
		}
	}
	return best
}

// another reports whether p begins a new call although it claims to continue c.
func (cs *calls) another(c *started, p piece, arguments string) bool {
	name := p.Function.Name
	switch {
	case name == "":
		return false
	case p.ID != "" && c.id != "" && p.ID != c.id:
		return true
	case c.arguments.complete:
		arguments = strings.TrimSpace(arguments)
		return name != c.name || arguments != "" && arguments != strings.TrimSpace(c.arguments.String())
	case c.arguments.Len() > 0:
		return name != c.name && cs.names.Known(name)
	}
	// Only the name has come so far: it may go on, be repeated, or be that of the next call.
	return name != c.name && !cs.names.Begins(c.name+name) && cs.names.Known(c.name)
}

func given(extra json.RawMessage) bool {
	return len(extra) > 0 && len(extra) <= wire.MaxExtra && extra[0] == '{'
}

// text is what a piece adds to the arguments.
func text(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s // null, too: nothing
	}
	return string(raw)
}

func (cs *calls) finished(req model.Request) []model.Call {
	var out []model.Call
	for _, c := range cs.list {
		arguments := json.RawMessage(bytes.TrimSpace(c.arguments.Bytes()))
		if len(arguments) == 0 {
			arguments = json.RawMessage(`{}`)
		}
		out = append(out, model.Call{ID: c.id, Name: cs.names.Back(c.name), Arguments: arguments, Extra: c.extra})
	}
	wire.Identify(req, out)
	return out
}
