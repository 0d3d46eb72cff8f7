package diptych

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"sync/atomic"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych/internal/schema"
	"github.com/diptych-mcp/diptych/internal/shape"
	"github.com/diptych-mcp/diptych/internal/validate"
)

// A plan is everything about a tool that can be worked out before its first call.
type plan struct {
	tool   *mcp.Tool
	cfg    config
	input  *input
	output *output

	abandoned atomic.Int64 // functions that still run although their caller was answered
}

// newPlan works out a tool from its types. Its errors name the tool, the type, the field and the remedy.
func newPlan(t *mcp.Tool, in, out reflect.Type, cfg config) (*plan, error) {
	if t == nil {
		return nil, fmt.Errorf("tool: the description is nil; give an *mcp.Tool with a name")
	}
	tool := *t
	p := &plan{tool: &tool, cfg: cfg}
	if err := checkName(t.Name); err != nil {
		return nil, p.refuse("%v", err)
	}
	var err error
	if p.input, err = newInput(&tool, in, &cfg); err != nil {
		return nil, p.refuse("input %v", err)
	}
	if p.output, err = newOutput(&tool, out, &cfg); err != nil {
		return nil, p.refuse("output %v", err)
	}
	// Finished bytes: the SDK would otherwise encode every schema again for each list of tools.
	tool.InputSchema = p.input.schema
	tool.OutputSchema = nil
	if p.output.schema != nil {
		tool.OutputSchema = p.output.schema
	}
	return p, nil
}

// refuse is an error from Add.
func (p *plan) refuse(format string, args ...any) error {
	return fmt.Errorf("tool %q: %s", p.tool.Name, fmt.Sprintf(format, args...))
}

// checkName accepts the names that every host accepts.
func checkName(name string) error {
	if name == "" {
		return fmt.Errorf("it has no name; give it one of letters, digits, _, - and dots")
	}
	if len(name) > maxName {
		return fmt.Errorf("the name has %d characters; use at most %d", len(name), maxName)
	}
	for _, r := range name {
		if (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune("_-.", r) {
			return fmt.Errorf("the name contains %q; use letters, digits, _, - and dots", r)
		}
	}
	return nil
}

// register hands a finished tool to the SDK and turns its panics into errors.
func register(s *mcp.Server, t *mcp.Tool, h mcp.ToolHandler) (err error) {
	if s == nil {
		return fmt.Errorf("tool %q: the server is nil; make one with mcp.NewServer", t.Name)
	}
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("tool %q: refused by the SDK: %v", t.Name, r)
		}
	}()
	s.AddTool(t, h)
	return nil
}

// schemaConfig is what package schema needs to know from outside.
func schemaConfig(cfg *config) schema.Config {
	return schema.Config{
		Doc: func(key string) (schema.Doc, bool) {
			d, ok := cfg.doc(key)
			if !ok {
				return schema.Doc{}, false
			}
			doc := schema.Doc{Text: d.Text, Default: d.Default}
			for _, c := range d.Enum {
				doc.Enum = append(doc.Enum, schema.Constant(c))
			}
			return doc, true
		},
		Known:  knownBlock,
		Given:  cfg.given,
		Screen: validate.Screen,
		Accepts: func(schema, doc []byte) bool {
			c, err := validate.Compile(schema)
			return err == nil && c.Check(doc)
		},
	}
}

// schemaBytes reads a hand-given schema.
func schemaBytes(given any) (json.RawMessage, error) {
	raw, err := json.Marshal(given)
	if err != nil {
		return nil, fmt.Errorf("schema has no JSON form: %w", err)
	}
	var root struct {
		Type json.RawMessage `json:"type"`
	}
	if err := json.Unmarshal(raw, &root); err != nil || string(root.Type) != `"object"` {
		return nil, fmt.Errorf(`schema does not describe an object; give its root "type": "object"`)
	}
	return raw, nil
}

// newChecker compiles the schema of t; nil where it has none.
func newChecker(t reflect.Type, closed bool) *validate.Checker {
	sc := schemaConfig(new(config))
	sc.Lenient = true // an arm's marshaler decides what it reads
	raw, err := schema.ForValue(shape.NewReader(forms).Read(t), closed, sc)
	if err != nil {
		return nil
	}
	c, err := validate.Compile(raw)
	if err != nil {
		return nil
	}
	return c
}
