package diptych

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych/internal/schema"
	"github.com/diptych-mcp/diptych/internal/shape"
	"github.com/diptych-mcp/diptych/internal/validate"
)

// input reads a tool's arguments.
type input struct {
	schema json.RawMessage // as published
	check  *validate.Checker
	shape  *shape.Shape // of In
	open   bool         // the schema is given by hand, and may let in names that In does not have
	merges bool         // two keys of a map may mean the same
	decode func(doc []byte, dst any) error
	none   bool // there are no arguments: {} says it all
}

func newInput(t *mcp.Tool, in reflect.Type, cfg *config) (*input, error) {
	if t.InputSchema != nil {
		raw, err := schemaBytes(t.InputSchema)
		if err != nil {
			return nil, err
		}
		c, err := validate.Compile(raw)
		if err != nil {
			return nil, err
		}
		arguments := shape.NewReader(forms).Read(in)
		return &input{schema: raw, check: c, shape: arguments, open: true, merges: merges(arguments, false), decode: decoderFor(arguments)}, nil
	}
	d, err := inputs.get(in, cfg, func(sc schema.Config) (sharedInput, bool, error) {
		arguments := shape.NewReader(forms).Read(in)
		if err := readable(arguments); err != nil {
			return sharedInput{}, false, err
		}
		s, err := schema.ForInput(arguments, sc)
		if err != nil {
			return sharedInput{}, false, err
		}
		c, err := validate.Compile(s.Checked)
		return sharedInput{s, input{check: c, shape: arguments, merges: merges(arguments, true), decode: decoderFor(arguments), none: len(arguments.Fields) == 0}}, true, err
	})
	if err != nil {
		return nil, err
	}
	d.input.schema = d.published.For(t.Name)
	if d.published.Large {
		cfg.log().Warn("input schema keeps its definitions, which some hosts cannot resolve: without them it is too large; split the tool or its types",
			"tool", t.Name, "bytes", len(d.input.schema))
	}
	return &d.input, nil
}

// A sharedInput is an input that still needs the tool's name in its schema.
type sharedInput struct {
	published schema.Input
	input     input
}

// decoderFor is json.Unmarshal, or decodeExactly for a type with an interface in it, where a float64 would round integers.
func decoderFor(s *shape.Shape) func(doc []byte, dst any) error {
	if s.Has(func(s *shape.Shape) bool { return s.Kind == shape.Any }) {
		return decodeExactly
	}
	return json.Unmarshal
}

// read decodes arguments as they are meant into dst, or tells every fault at once as a *badArguments.
func (i *input) read(args []byte, dst any) error {
	if i.none && string(args) == "{}" {
		return nil
	}
	canonical, faults := i.check.Arguments(args)
	if len(faults) > 0 {
		return &badArguments{faults}
	}
	if i.open {
		canonical = decodable(canonical, i.shape)
	}
	err := i.decode(canonical, dst)
	if err != nil || i.merges {
		faults = findDecodeFaults(canonical, i.shape, i.decode)
	}
	if err != nil && len(faults) == 0 {
		faults = []validate.Fault{{Rule: decodeRule(err, i.shape.Type)}}
	}
	if len(faults) > 0 {
		return &badArguments{faults}
	}
	return nil
}

// badArguments is a call whose arguments do not fit. Its text is for the model and names fields and rules.
type badArguments struct{ faults []validate.Fault }

func (e *badArguments) Error() string {
	noun := "arguments"
	if len(e.faults) == 1 {
		noun = "argument"
	}
	lines := []string{fmt.Sprintf("%d invalid %s", len(e.faults), noun)}
	for _, f := range e.faults {
		lines = append(lines, line(f.Path, f.Rule, "arguments"))
	}
	return strings.Join(lines, "\n")
}

// fields names what did not fit, for the log.
func (e *badArguments) fields() []string {
	names := make([]string, len(e.faults))
	for i, f := range e.faults {
		if names[i] = f.Path; f.Path == "" {
			names[i] = "arguments"
		}
	}
	return names
}

// line is one fault; root, if it is not empty, is what the document as a whole is called.
func line(path, rule, root string) string {
	if path == "" {
		path = root
	}
	if path == "" {
		return rule
	}
	return path + ": " + rule
}
