package host

// Which published tools are offered, and under what name.

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych/data"
	"github.com/diptych-mcp/diptych/internal/exact"
	"github.com/diptych-mcp/diptych/internal/validate"
)

// noSource marks a tool that the operator allowed without sources.
const noSource = "no source given"

// screen sorts published tools into those that are offered and those that are not.
func (s Server) screen(published []*mcp.Tool) (tools []Tool, refused []Refusal) {
	seen := make(map[string]bool)
	for _, p := range published {
		t, err := s.admit(p)
		if err == nil && seen[t.Name] {
			err = fmt.Errorf("listed twice")
		}
		if err != nil {
			refused = append(refused, Refusal{cut(p.Name, maxTitle), cut(err.Error(), maxRefusal)})
			continue
		}
		seen[t.Name] = true
		tools = append(tools, t)
	}
	return tools, refused
}

// admit makes a Tool of a published one, or says why it is not offered.
func (s Server) admit(p *mcp.Tool) (Tool, error) {
	t := Tool{
		Name: s.ID + separator + p.Name, Server: s.ID, Original: p.Name,
		Title: p.Title, Description: cut(p.Description, maxDescription), Hints: hints(p.Annotations), Policy: s.Policy,
		TextFromStructured: s.TextFromStructured,
	}
	if policy, ok := s.Policies[p.Name]; ok {
		t.Policy = policy
	}
	switch {
	case p.Name == "":
		return t, fmt.Errorf("it has no name")
	case t.Policy == Deny:
		return t, fmt.Errorf("the operator does not allow it")
	}
	t.Name = safeName(t.Name)
	if t.Title == "" && p.Annotations != nil {
		t.Title = p.Annotations.Title
	}
	if t.Title == "" {
		t.Title = p.Name
	}
	t.Title = cut(t.Title, maxTitle)
	input, output, ok := exact.Schemas(p)
	if !ok {
		input, output = encoded(p.InputSchema), encoded(p.OutputSchema)
	}
	var notes []string
	if s.TextFromStructured {
		notes = append(notes, "the model reads its structured content where it answers nothing else")
	}
	var err error
	if t.in, err = compile(input); err != nil {
		notes = append(notes, "its input schema cannot be used: "+cut(err.Error(), maxSchemaFault))
	} else {
		t.Input = input
	}
	if output != nil {
		if t.out, err = compile(output); err != nil {
			notes = append(notes, "its output schema cannot be used: "+cut(err.Error(), maxSchemaFault))
		} else {
			t.Output = output
		}
	}
	var promise any // a nil interface where there is no schema
	if output != nil {
		promise = output
	}
	if err := data.DemandsSources(promise); err == nil {
		t.Data = true
	} else if s.AllowWithoutSources || slices.Contains(s.AllowedTools, p.Name) {
		notes = append([]string{noSource}, notes...)
	} else {
		return t, fmt.Errorf(`it promises no sources: %w; or add %q, or %q for this tool alone, to allowWithoutSources in the file of --config`,
			err, s.ID, s.ID+separator+p.Name)
	}
	t.Note = strings.Join(notes, "; ")
	return t, nil
}

// compile returns a checker for a schema that may be anything at all; nil for none.
func compile(schema json.RawMessage) (*validate.Checker, error) {
	if schema == nil {
		return nil, nil
	}
	if err := validate.Screen(schema); err != nil {
		return nil, err
	}
	return validate.Compile(schema)
}

// encoded is what is left of a schema that the SDK decoded.
func encoded(schema any) json.RawMessage {
	if schema == nil {
		return nil
	}
	raw, err := json.Marshal(schema)
	if err != nil {
		return nil
	}
	return raw
}

// safeName makes a name of letters, digits, _ and - that a model's server takes. A name that has to change keeps itself
// apart from others by a hash.
func safeName(name string) string {
	safe := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '-' {
			return r
		}
		return '_'
	}, name)
	if safe == name && len(name) <= maxName {
		return name
	}
	sum := sha256.Sum256([]byte(name))
	hash := "_" + hex.EncodeToString(sum[:4])
	return safe[:min(len(safe), maxName-len(hash))] + hash
}
