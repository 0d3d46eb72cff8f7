package diptych

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych/internal/exact"
	"github.com/diptych-mcp/diptych/internal/schema"
	"github.com/diptych-mcp/diptych/internal/shape"
	"github.com/diptych-mcp/diptych/internal/validate"
)

// Exact returns t with the raw structured content kept: the SDK's client decodes it to floats and maps, which rounds
// integers past 2^53, forgets the order of keys and fails on numbers past a float's range. Without it [Call] refuses
// such integers rather than round them.
//
// Over an Exact transport the SDK's own CallTool returns StructuredContent as a string of raw JSON; Call takes it from
// there. A message over HTTP may have 64 MiB, or what the transport's MaxEventSize says; the call that brings a larger
// one fails and its session goes on. Put Exact next to the SDK's transport: around a transport of your own that hides a
// streamable HTTP connection it changes nothing.
func Exact(t mcp.Transport) mcp.Transport { return exact.Transport(t) }

// Call calls a tool and decodes its structured content, which it first checks against the schema that Out publishes:
// the other side is not trusted. It never reads the text for data and sends no other request. Args is anything that
// JSON can carry as an object, nil for none; json.RawMessage is sent as it is.
//
// What is not an object is taken out of its {"result": …}. Out may be any, for tools whose structured content is not
// known or is missing, with json.Number for numbers; json.RawMessage, for the bytes unchecked, nil where there is no
// structured content; or JSON[T], for checked bytes. Keys that Out does not know are accepted.
//
// The error is an [*Error] when the tool said that it failed, and a [*Mismatch] when its answer lacks the structured
// content or breaks Out's schema; with both the Result carries the content and _meta. Every other error is the
// connection's.
func Call[Out any](ctx context.Context, s *mcp.ClientSession, name string, args any) (Result[Out], error) {
	var value Out
	res, err := call(ctx, s, name, args, reflect.TypeFor[Out](), &value)
	if res == nil {
		return Result[Out]{}, err
	}
	if err != nil {
		value = *new(Out)
	}
	return Result[Out]{value, res.Content, res.Meta}, err
}

// call is Call with the value decoded into dst, a pointer to an out.
func call(ctx context.Context, s *mcp.ClientSession, name string, args any, out reflect.Type, dst any) (*mcp.CallToolResult, error) {
	in := intakeOf(out)
	if in.err != nil {
		return nil, fmt.Errorf("tool %q: %w", name, in.err)
	}
	if s == nil {
		return nil, fmt.Errorf("tool %q: the session is nil; connect a client first", name)
	}
	params := &mcp.CallToolParams{Name: name}
	var err error
	if params.Arguments, err = arguments(args); err != nil {
		return nil, fmt.Errorf("tool %q: arguments: %w", name, err)
	}
	res, err := s.CallTool(ctx, params)
	if err != nil {
		return nil, fmt.Errorf("tool %q: %w", name, err)
	}
	doc, isExact := exact.Structured(res)
	switch {
	case res.NeedsInput():
		return res, fmt.Errorf("tool %q: it asks for input that this client did not give; set handlers for it in mcp.ClientOptions", name)
	case res.IsError:
		return res, &Error{Content: res.Content, Meta: res.Meta}
	}
	m := in.decode(res.StructuredContent, doc, isExact, dst)
	if m == nil {
		return res, nil
	}
	m.Tool, m.Schema, m.Result = name, in.title, res
	if in.named {
		m.Schema = name + in.title
	}
	for i, f := range m.Faults {
		m.Faults[i] = cut(f)
	}
	return res, m
}

// maxFault is how long a fault may be: the names in it may be the other side's.
const maxFault = 300

func cut(fault string) string {
	if len(fault) <= maxFault {
		return fault
	}
	const half = maxFault / 2
	return strings.ToValidUTF8(fault[:half], "") + "…" + strings.ToValidUTF8(fault[len(fault)-half:], "")
}

// arguments encodes what a tool is called with.
func arguments(args any) (json.RawMessage, error) {
	raw, err := structuredBytes(args)
	if err != nil {
		return nil, err
	}
	if text := string(bytes.TrimSpace(raw)); text == "" || text == "null" {
		return json.RawMessage("{}"), nil
	}
	if !json.Valid(raw) {
		return nil, errors.New("not valid JSON; give finite numbers and UTF-8 text")
	}
	if bytes.TrimSpace(raw)[0] != '{' {
		return nil, fmt.Errorf("%T is no JSON object; give a struct, a map or json.RawMessage", args)
	}
	return raw, nil
}

// An intake checks and decodes structured content for one type.
type intake struct {
	shape   *shape.Shape      // of the value, behind pointers
	check   *validate.Checker // of the whole structured content; nil for json.RawMessage
	title   string
	named   bool // the title wants the tool's name before it
	wrapped bool // the value stands under "result"
	bare    bool // any or json.RawMessage, which promise nothing
	err     error
}

// intakeOf looks an intake up in contracts, which a reflect.Type of its own keys.
func intakeOf(out reflect.Type) *intake {
	in, ok := contracts.Load(out)
	if !ok {
		in, _ = contracts.LoadOrStore(out, newIntake(out))
	}
	return in.(*intake)
}

func newIntake(out reflect.Type) *intake {
	if reflect.PointerTo(out).Implements(carrierType) {
		return &intake{err: fmt.Errorf("%s: Call wraps its answer in a Result already; call it with the type inside", out)}
	}
	value := out
	for value.Kind() == reflect.Pointer {
		value = value.Elem()
	}
	if value == reflect.TypeFor[mcp.CallToolResult]() {
		return &intake{err: fmt.Errorf("%s: promises nothing that could be checked; use any, or the session's own CallTool", out)}
	}
	in := &intake{shape: shape.NewReader(forms).Read(value)}
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

// decode checks structured content and decodes it into dst. Loose is what the SDK made of it; doc holds its bytes where
// they are exact.
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
		doc = known(doc, in.shape)
	}
	d := json.NewDecoder(bytes.NewReader(doc))
	d.UseNumber()
	if err := d.Decode(dst); err != nil {
		return undecodable(err, at)
	}
	return nil
}

// mismatched is a mismatch with one fault.
func mismatched(path, rule string) *Mismatch {
	return &Mismatch{Faults: []string{line(path, rule, "result")}}
}

// undecodable is a value that its schema accepts and its Go type does not.
func undecodable(err error, at string) *Mismatch {
	rule := "cannot be read"
	if typed, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		if typed.Field != "" {
			at += dot(typed.Field)
			at = strings.TrimPrefix(at, ".")
		}
		kind, isNumber := strings.CutPrefix(typed.Value, "number ")
		if rule = fmt.Sprintf("got %s, want %s", kind, typed.Type); isNumber {
			rule = fmt.Sprintf("out of range for %s", typed.Type)
		}
	}
	m := mismatched(at, rule)
	m.cause = err
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
		return at, math.Abs(v) >= 1<<53 && v == math.Trunc(v) && (s == nil || s.Kind != shape.Float)
	case []any:
		for i, item := range v {
			if path, lost := rounded(item, itemShape(s, i), fmt.Sprintf("%s[%d]", at, i)); lost {
				return path, true
			}
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			member, ignored := memberShape(s, name)
			if ignored {
				continue
			}
			if path, lost := rounded(v[name], member, strings.TrimPrefix(at+"."+name, ".")); lost {
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

// known returns doc without the members that a struct in s does not have: encoding/json would read them into a field
// whose name differs in case alone.
func known(doc json.RawMessage, s *shape.Shape) json.RawMessage {
	switch s.Kind {
	case shape.Pointer, shape.Optional:
		return known(doc, s.Elem)
	case shape.List, shape.Array, shape.Tuple:
		var list []json.RawMessage
		if json.Unmarshal(doc, &list) != nil || list == nil {
			return doc
		}
		for i, item := range list {
			if p := itemShape(s, i); p != nil {
				list[i] = known(item, p)
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
				members[name] = known(value, p)
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
