package host

// What the gateway knows about a tool, and who may call it.

import (
	"encoding/json"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych/internal/validate"
)

// A Tool is one that may be called.
type Tool struct {
	Name        string // the gateway's: server id, two underscores, the server's name; letters, digits, _ and - only
	Server      string // the id of its server
	Original    string // the server's name of it
	Title       string // for people; never empty
	Description string
	Input       json.RawMessage // JSON Schema of the arguments, as it was published
	Output      json.RawMessage // JSON Schema of the structured content; nil where there is none
	Hints       Hints
	Policy      Policy
	Data        bool // its schema promises sources
	// TextFromStructured says that the operator gives the model structured content where there is no other.
	TextFromStructured bool
	Note               string // what a user should know: no source given, a schema that cannot be used; "" for nothing

	in, out *validate.Checker // nil where there is no schema, or none that is safe to use
}

// Hints are a tool's annotations, absent ones filled in as the specification says. They are the server's word and no
// more than that.
type Hints struct {
	ReadOnly    bool `json:"read_only"`
	Destructive bool `json:"destructive"`
	Idempotent  bool `json:"idempotent"`
	OpenWorld   bool `json:"open_world"`
}

// hints fills in the specification's defaults: a tool that says nothing may change and destroy things.
func hints(a *mcp.ToolAnnotations) Hints {
	h := Hints{Destructive: true, OpenWorld: true}
	if a == nil {
		return h
	}
	h.ReadOnly, h.Idempotent = a.ReadOnlyHint, a.IdempotentHint
	if a.DestructiveHint != nil {
		h.Destructive = *a.DestructiveHint
	}
	if a.OpenWorldHint != nil {
		h.OpenWorld = *a.OpenWorldHint
	}
	if h.ReadOnly {
		h.Destructive = false
	}
	return h
}

// A Policy is what the operator decided about a tool. It overrides every hint.
type Policy string

// The policies.
const (
	ByHints Policy = ""      // ask before what changes the world
	Allow   Policy = "allow" // never ask
	Ask     Policy = "ask"   // always ask
	Deny    Policy = "deny"  // never call
)
