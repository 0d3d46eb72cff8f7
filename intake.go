package diptych

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych/internal/jsontext"
	"github.com/diptych-mcp/diptych/internal/schema"
	"github.com/diptych-mcp/diptych/internal/shape"
	"github.com/diptych-mcp/diptych/internal/validate"
)

// An intake checks and decodes structured content for one type.
type intake struct {
	shape   *shape.Shape      // of the value, without pointers
	check   *validate.Checker // of the whole structured content; nil for json.RawMessage
	title   string
	named   bool              // the title wants the tool's name before it
	wrapped bool              // the value is under "result"
	root    *validate.Checker // of the value alone, where it is wrapped: tools of others answer without the wrapper
	bare    bool              // any or json.RawMessage, which promise nothing
	merges  bool              // two keys of a map may mean the same
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
	sc := schemaConfig(new(config))
	sc.Lenient = true // the sender said what it looks like, and decoding finds out
	published, err := schema.ForOutput("", in.shape, sc)
	if err == nil {
		in.title, in.wrapped = published.Title, published.Wrapped
		in.named = in.wrapped || in.title == "Output" || in.title == "DictOutput"
		in.check, err = validate.Compile(published.JSON)
	}
	if err == nil && in.wrapped {
		var value []byte
		if value, err = schema.ForValue(in.shape, false, sc); err == nil {
			in.root, err = validate.Compile(value)
		}
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
			if inside, ok := members["result"]; ok {
				at, value = "result", inside
			}
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
	wrapped, check := in.wrapped, in.check
	if wrapped && !wraps(doc) && (!isObject(doc) || in.root.Check(doc)) {
		wrapped, check = false, in.root
	}
	if check != nil && !check.Check(doc) {
		full, ok := filled(check, doc, in.document(wrapped))
		if !ok {
			return (&output{check: check}).mismatch(doc).(*Mismatch)
		}
		doc = full
	}
	at := ""
	if wrapped {
		var members map[string]json.RawMessage
		if err := json.Unmarshal(doc, &members); err != nil {
			return mismatched("", "cannot be read")
		}
		at, doc = "result", members["result"]
	}
	return in.read(doc, at, dst)
}

// valueOf checks doc against the schema of t and decodes it into dst, a pointer to a t.
func valueOf(t reflect.Type, doc []byte, dst any) *Mismatch {
	in := intakeOf(t)
	m := &Mismatch{cause: in.err, checked: true}
	switch check := in.check; {
	case in.err != nil:
		m.Faults = []string{in.err.Error()}
	case len(doc) == 0:
		m = mismatched("", "holds no JSON")
	default:
		if in.wrapped {
			check = in.root
		}
		if check != nil && !check.Check(doc) {
			m = (&output{check: check}).mismatch(doc).(*Mismatch)
		} else if m = in.read(doc, "", dst); m == nil {
			return nil
		}
	}
	m.Tool, m.Schema = "JSON", nameOf(t)
	if m.Schema == "" {
		m.Schema = "its type"
	}
	return m
}

// read decodes a value that was checked. at is where it is in the document.
func (in *intake) read(doc []byte, at string, dst any) *Mismatch {
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

// wraps reports whether doc is an object with the member result.
func wraps(doc []byte) bool {
	var members map[string]json.RawMessage
	if json.Unmarshal(doc, &members) != nil {
		return false
	}
	_, ok := members["result"]
	return ok
}

// document is the shape of the structured content.
func (in *intake) document(wrapped bool) *shape.Shape {
	if !wrapped {
		return in.shape
	}
	return &shape.Shape{Kind: shape.Struct, Fields: []shape.Field{{Name: "result", Shape: in.shape}}}
}

func isObject(doc []byte) bool {
	i := jsontext.SkipSpace(doc, 0)
	return i < len(doc) && doc[i] == '{'
}

// filled returns doc with an empty list, map or string where null is all that is wrong with it and s keeps a slice or a map
// there: typed tools of the SDK write nil ones so. ok is false where something else is wrong.
func filled(check *validate.Checker, doc []byte, s *shape.Shape) (full []byte, ok bool) {
	for range maxFillings {
		faults := check.Explain(doc)
		if len(faults) == 0 {
			return doc, check.Check(doc)
		}
		slices.SortFunc(faults, func(a, b validate.Fault) int { return a.Start - b.Start })
		var next []byte
		end := 0
		for _, f := range faults {
			empty := emptyValue(shapeAt(s, f.Path))
			if empty == "" || f.Start < end || f.End > len(doc) || string(doc[f.Start:f.End]) != "null" {
				return nil, false
			}
			next = append(append(next, doc[end:f.Start]...), empty...)
			end = f.End
		}
		doc = append(next, doc[end:]...)
	}
	return nil, false
}

// emptyValue is what a nil value of a shape is written as.
func emptyValue(s *shape.Shape) string {
	for s != nil && (s.Kind == shape.Pointer || s.Kind == shape.Optional) {
		s = s.Elem
	}
	switch {
	case s == nil:
	case s.Kind == shape.List:
		return "[]"
	case s.Kind == shape.Map:
		return "{}"
	case s.Kind == shape.Bytes:
		return `""`
	}
	return ""
}

// step is one step of a path.
var step = regexp.MustCompile(`^(?:\.?([A-Za-z_$][A-Za-z0-9_$]*)|\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\])`)

// shapeAt is the shape at the path of a fault, nil where the type promises nothing about it.
func shapeAt(s *shape.Shape, path string) *shape.Shape {
	for path != "" && s != nil {
		for s != nil && (s.Kind == shape.Pointer || s.Kind == shape.Optional) {
			s = s.Elem
		}
		m := step.FindStringSubmatch(path)
		if m == nil {
			return nil
		}
		path = path[len(m[0]):]
		switch {
		case m[2] != "":
			i, _ := strconv.Atoi(m[2]) // digits that are too many are at no place of a tuple
			s = itemShape(s, i)
		case m[3] != "":
			name, err := strconv.Unquote(m[3])
			if err != nil {
				return nil
			}
			s, _ = memberShape(s, name)
		default:
			s, _ = memberShape(s, m[1])
		}
	}
	return s
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
