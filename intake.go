package diptych

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych/internal/schema"
	"github.com/diptych-mcp/diptych/internal/shape"
	"github.com/diptych-mcp/diptych/internal/validate"
)

// An intake checks and decodes structured content for one type.
type intake struct {
	shape   *shape.Shape      // of the value, without pointers
	check   *validate.Checker // of the whole structured content; nil for json.RawMessage
	title   string
	named   bool // the title wants the tool's name before it
	wrapped bool // the value is under "result"
	bare    bool // any or json.RawMessage, which promise nothing
	merges  bool // two keys of a map may mean the same
	err     error
}

// intakeOf returns the intake of a type, which is made once.
func intakeOf(out reflect.Type) *intake {
	return intakes.get(out, func() *intake { return newIntake(out) })
}

func newIntake(out reflect.Type) *intake {
	value := out
	for seen := map[reflect.Type]bool{}; value.Kind() == reflect.Pointer && !seen[value]; value = value.Elem() {
		seen[value] = true
	}
	if isCarrier(value) {
		return &intake{err: fmt.Errorf("%s: Call wraps its answer in a Result already; call it with the type inside", out)}
	}
	if value == reflect.TypeFor[mcp.CallToolResult]() {
		return &intake{err: fmt.Errorf("%s: promises nothing that could be checked; use any, or the session's own CallTool", out)}
	}
	if shape.IsReserved(value) {
		return &intake{err: fmt.Errorf("%s: it is made to be sent, and cannot be read back; use json.RawMessage", out)}
	}
	in := &intake{shape: shape.NewReader(forms).Read(value)}
	in.merges = merges(in.shape, false)
	if err := misplaced(in.shape, true); err != nil {
		return &intake{err: err}
	}
	if in.bare = in.shape.Kind == shape.Raw || in.shape.Kind == shape.Any && value.NumMethod() == 0; in.bare {
		in.title = "JSON"
		if in.shape.Kind == shape.Any {
			in.check, in.err = validate.Compile([]byte("true")) // no key twice, only UTF-8
		}
		return in
	}
	published, err := schema.ForOutput("", in.shape, schemaConfig(new(config)))
	if err == nil {
		in.title, in.wrapped = published.Title, published.Wrapped
		in.named = in.wrapped || in.title == "Output" || in.title == "DictOutput"
		in.check, err = validate.Compile(published.JSON)
	}
	in.err = err
	return in
}

// decode checks structured content and decodes it into dst. Loose is what the SDK decoded; doc has the bytes as received
// where isExact.
func (in *intake) decode(loose any, doc []byte, isExact bool, dst any) *Mismatch {
	if !isExact && loose != nil {
		at, value := "", loose
		if members, ok := loose.(map[string]any); ok && in.wrapped {
			at, value = "result", members["result"]
		}
		if path, lost := rounded(value, in.shape, at); lost {
			return mismatched(path, "an integer past 2^53 lost digits on the way; connect over diptych.Exact")
		}
		var err error
		if doc, err = structuredBytes(loose); err != nil {
			return mismatched("", "cannot be read")
		}
	}
	if doc == nil {
		if in.bare {
			return nil
		}
		return mismatched("", "structured content is missing")
	}
	if in.check != nil && !in.check.Check(doc) {
		return (&output{check: in.check}).mismatch(doc).(*Mismatch)
	}
	at := ""
	if in.wrapped {
		var members map[string]json.RawMessage
		if err := json.Unmarshal(doc, &members); err != nil {
			return mismatched("", "cannot be read")
		}
		at, doc = "result", members["result"]
	}
	if !in.bare && !accepts(in.shape.Type, true, doc) {
		doc = decodable(doc, in.shape)
	}
	err := decodeExactly(doc, dst)
	if err != nil {
		// Go reads no 2.0 into an integer, although that is what it is.
		doc = decodable(doc, in.shape)
		err = decodeExactly(doc, dst)
	}
	if err != nil || in.merges {
		return in.undecodable(doc, err, at)
	}
	return nil
}

// decodeExactly decodes doc with the digits of its numbers kept where a number has no Go type.
func decodeExactly(doc []byte, dst any) error {
	d := json.NewDecoder(bytes.NewReader(doc))
	d.UseNumber()
	return d.Decode(dst)
}

// mismatched is a mismatch with one fault.
func mismatched(path, rule string) *Mismatch {
	return &Mismatch{Faults: []string{line(path, rule, "")}, checked: true}
}

// undecodable is a value that its schema accepts and its Go type does not, or nil.
func (in *intake) undecodable(doc []byte, err error, at string) *Mismatch {
	m := &Mismatch{cause: err, checked: true}
	for _, f := range findDecodeFaults(doc, in.shape, decodeExactly) {
		m.Faults = append(m.Faults, line(strings.TrimPrefix(at+dot(f.Path), "."), f.Rule, ""))
	}
	if m.Faults == nil && err != nil {
		m.Faults = []string{line(at, decodeRule(err, in.shape.Type), "")}
	}
	if m.Faults == nil {
		return nil
	}
	return m
}

// rounded finds a number that the SDK's client may have rounded, where s does not ask for a float.
func rounded(v any, s *shape.Shape, at string) (path string, lost bool) {
	for s != nil && (s.Kind == shape.Pointer || s.Kind == shape.Optional) {
		s = s.Elem
	}
	if s != nil && s.Kind == shape.Union {
		for _, p := range s.Parts {
			if path, lost = rounded(v, p, at); !lost {
				break
			}
		}
		return path, lost
	}
	switch v := v.(type) {
	case float64:
		// 2^53 itself may have been its successor.
		return at, math.Abs(v) >= maxExact && v == math.Trunc(v) && (s == nil || s.Kind != shape.Float)
	case []any:
		for i, item := range v {
			if path, lost := rounded(item, itemShape(s, i), fmt.Sprintf("%s[%d]", at, i)); lost {
				return path, true
			}
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			inside, ignored := memberShape(s, name)
			if ignored {
				continue
			}
			if path, lost := rounded(v[name], inside, member(at, name)); lost {
				return path, true
			}
		}
	}
	return "", false
}

// itemShape is the shape of an item of a list, nil where the type promises nothing about it.
func itemShape(s *shape.Shape, i int) *shape.Shape {
	switch {
	case s == nil:
	case s.Kind == shape.List, s.Kind == shape.Array:
		return s.Elem
	case s.Kind == shape.Tuple && i < len(s.Parts):
		return s.Parts[i]
	}
	return nil
}

// memberShape is itemShape for the member of an object; what a struct does not know is ignored.
func memberShape(s *shape.Shape, name string) (member *shape.Shape, ignored bool) {
	switch {
	case s == nil:
	case s.Kind == shape.Map:
		return s.Elem, false
	case s.Kind == shape.Struct:
		for i := range s.Fields {
			if s.Fields[i].Name == name {
				return s.Fields[i].Shape, false
			}
		}
		return nil, true
	}
	return nil, false
}

// decodable returns doc as encoding/json reads it truly: without the members that a struct in s does not have, which would
// land in a field whose name differs in case alone, and with integers written as integers.
func decodable(doc json.RawMessage, s *shape.Shape) json.RawMessage {
	switch s.Kind {
	case shape.Int, shape.Uint:
		return integer(doc)
	case shape.Pointer, shape.Optional:
		return decodable(doc, s.Elem)
	case shape.List, shape.Array, shape.Tuple:
		var list []json.RawMessage
		if json.Unmarshal(doc, &list) != nil || list == nil {
			return doc
		}
		for i, item := range list {
			if p := itemShape(s, i); p != nil {
				list[i] = decodable(item, p)
			}
		}
		return joined(list, doc)
	case shape.Map, shape.Struct:
		var members map[string]json.RawMessage
		if json.Unmarshal(doc, &members) != nil || members == nil {
			return doc
		}
		for name, value := range members {
			if p, ignored := memberShape(s, name); ignored {
				delete(members, name)
			} else {
				members[name] = decodable(value, p)
			}
		}
		return joined(members, doc)
	}
	return doc
}

func joined(parts any, otherwise json.RawMessage) json.RawMessage {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false) // JSON[T] keeps its bytes
	if e.Encode(parts) != nil {
		return otherwise
	}
	return b.Bytes()
}

// integer writes a whole number such as 2.0 or 1e2 without fraction and exponent, as far as a float is exact.
func integer(doc json.RawMessage) json.RawMessage {
	if !bytes.ContainsAny(doc, ".eE") {
		return doc
	}
	f, err := strconv.ParseFloat(string(bytes.TrimSpace(doc)), 64)
	if err != nil || f != math.Trunc(f) || math.Abs(f) >= maxExact {
		return doc
	}
	return strconv.AppendInt(nil, int64(f), 10)
}
