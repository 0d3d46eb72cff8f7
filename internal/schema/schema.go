// Package schema writes the JSON Schema (draft 2020-12) that a Go type promises: titles, $defs, the order of keys and
// the wrapping of everything that is not an object, byte for byte as the reference implementation publishes them.
package schema

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/diptych-mcp/diptych/internal/shape"
)

// A Config supplies what a type does not say of itself. Its functions may be nil.
type Config struct {
	// Doc finds what the source says about a type or a field, keyed as in diptych.Docs.
	Doc func(key string) (Doc, bool)
	// Known gives the schema of a type whose marshaler is not the author's. A name puts it into $defs.
	Known func(t reflect.Type) (schema json.RawMessage, name string, ok bool)
	// Given is the schema that the author gave for a type that does not say its own.
	Given func(t reflect.Type) (schema json.RawMessage, ok bool)
	// Lenient makes what a marshaler hides any value, for a reader who decodes it anyway.
	Lenient bool
	// Screen bounds what a type's own JSONSchema method returned.
	Screen func(schema []byte) error
	// Accepts reports whether a schema accepts a document; it judges defaults and examples.
	Accepts func(schema, doc []byte) bool
	// Asked is told of every type whose own method says what its schema is.
	Asked func(t reflect.Type)
}

// A Doc is what the source says about one type or field.
type Doc struct {
	Text    string
	Enum    []Constant
	Default json.RawMessage
}

// A Constant is one declared value of a type, with its comment.
type Constant struct {
	Value any
	Text  string
}

// An Output is the published schema of a return type.
type Output struct {
	JSON    []byte
	Title   string
	Wrapped bool // the value is under "result"
}

// ForOutput writes the schema of a tool's return type. The error names the path to what has no schema, and the remedy.
func ForOutput(tool string, s *shape.Shape, cfg Config) (Output, error) {
	b := newBuilder(cfg, false)
	s = b.root(s)
	if s.Type.Name() != "" || s.Kind != shape.Struct {
		b.path = []string{typeName(s.Type)}
	}
	if err := b.collect(s); err != nil {
		return Output{}, err
	}
	root, wrapped, err := b.outputRoot(tool, s)
	if err != nil {
		return Output{}, err
	}
	if err := b.addDefs(root); err != nil {
		return Output{}, err
	}
	var title string
	if err := json.Unmarshal(root.get("title"), &title); err != nil {
		title = tool + "Output"
	}
	return Output{JSON: root.json(), Title: title, Wrapped: wrapped}, nil
}

// An Input is the schema of a tool's arguments.
type Input struct {
	untitled []byte // up to the title
	// Checked is the published schema with the bounds of 64-bit integers and the form of integer keys added, which no schema needs to say
	// and no Go type can pass.
	Checked []byte
	// Large says that the published schema keeps its definitions: written in place they would make it larger than 32 KiB.
	Large bool
}

// ending is how the schema of arguments ends: only the title is the tool's.
const ending = `"title":"Arguments","type":"object"}`

// For is the schema as the tool of that name publishes it.
func (in Input) For(tool string) []byte {
	return slices.Concat(in.untitled, []byte(`"title":`), quote(tool+"Arguments"), []byte(`,"type":"object"}`))
}

// ForInput writes the closed schema of a tool's arguments. The published one has no definitions: hosts resolve references
// wrongly or not at all. A type that holds itself is written three levels deep and is open below.
func ForInput(s *shape.Shape, cfg Config) (Input, error) {
	var in Input
	referring, b, err := inputSchema(s, cfg, false, false)
	if err != nil {
		return Input{}, err
	}
	published := referring
	if len(b.defs) > 0 {
		inPlace, written, err := inputSchema(s, cfg, false, true)
		if err != nil {
			return Input{}, err
		}
		if in.Large = written.written >= maxInPlace || len(inPlace) > maxInput; !in.Large {
			published = inPlace
		}
	}
	in.untitled = bytes.TrimSuffix(published, []byte(ending))
	in.Checked = referring
	if b.unbounded {
		in.Checked, _, err = inputSchema(s, cfg, true, false)
	}
	return in, err
}

// inputSchema writes the schema of arguments in one of its forms.
func inputSchema(s *shape.Shape, cfg Config, bounded, inPlace bool) ([]byte, *builder, error) {
	b := newBuilder(cfg, true)
	b.bounded, b.inPlace = bounded, inPlace
	s = b.root(s)
	if s.Type.Name() != "" {
		b.path = []string{typeName(s.Type)}
	}
	if s.Kind != shape.Struct {
		if s.Kind == shape.Invalid {
			return nil, nil, b.fail("%s", s.Problem)
		}
		return nil, nil, fmt.Errorf("%s: arguments have names, so they are a struct; use a struct with one field for each argument, or struct{} for none", typeName(s.Type))
	}
	if err := b.collect(s); err != nil {
		return nil, nil, err
	}
	b.within[s.Type]++
	root, err := b.object(s)
	if err != nil {
		return nil, nil, err
	}
	root.setString("title", "Arguments")
	if !inPlace {
		err = b.addDefs(root)
	}
	return root.json(), b, err
}

// ForValue writes the schema of a bare value of any type. Closed objects refuse keys that they do not declare.
func ForValue(s *shape.Shape, closed bool, cfg Config) ([]byte, error) {
	b := newBuilder(cfg, closed)
	b.path = []string{typeName(s.Type)}
	if err := b.collect(s); err != nil {
		return nil, err
	}
	o, err := b.value(s)
	if err != nil {
		return nil, err
	}
	if err := b.addDefs(o); err != nil {
		return nil, err
	}
	return o.json(), nil
}

// root follows pointers and raw JSON at the root to the type that they publish.
func (b *builder) root(s *shape.Shape) *shape.Shape {
	for s.Kind == shape.Pointer || s.Kind == shape.Promise {
		s = s.Elem
	}
	return s
}

// titleFor is a type's title, or other for a type without a name.
func titleFor(t reflect.Type, other string) string {
	if n := typeName(t); t.Name() != "" {
		return n
	}
	return other
}

// typeName is how errors and titles call a type: its name without the packages, also inside a generic's brackets.
func typeName(t reflect.Type) string {
	name := t.Name()
	if name == "" {
		return t.String()
	}
	open := strings.IndexByte(name, '[')
	if open < 0 {
		return name
	}
	return name[:open] + dropPaths(name[open:])
}

// dropPaths removes the package paths from the arguments of a generic type: [example.com/x/y.Addr] becomes [Addr].
func dropPaths(args string) string {
	out := make([]byte, 0, len(args))
	start := 0
	for i := range len(args) {
		if !strings.ContainsRune("[], *{};()", rune(args[i])) {
			continue
		}
		out = append(append(out, withoutPath(args[start:i])...), args[i])
		start = i + 1
	}
	return string(append(out, withoutPath(args[start:])...))
}

// lastOfPaths keeps the last element of each path: [example.com/x/y.Addr] becomes [y.Addr].
func lastOfPaths(name string) string { return folders.ReplaceAllString(name, "") }

var folders = regexp.MustCompile(`[^\[\], *{};()]*/`)

func withoutPath(word string) string {
	if i := strings.LastIndexAny(word, "./"); i >= 0 && strings.Trim(word, ".") != "" {
		return word[i+1:]
	}
	return word
}
