package diptych

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Confirm asks the user to agree before the tool goes on, and returns nil once the user has. Every other error is the tool's
// answer: return it as it is. The key names the question; each question of a tool has a key of its own.
//
//	if err := diptych.Confirm(ctx, "delete", "Delete order 7?"); err != nil {
//		return Receipt{}, err
//	}
//
// A caller of revision 2026-07-28 repeats the call with the answer, so that the tool begins again: do what cannot be done twice
// after the last question. A caller of an older revision is asked while the tool waits, which over HTTP needs the option
// [Sessions]. Where the caller cannot be asked the answer says why. The answer comes through the client, which the user has to
// trust anyway.
func Confirm(ctx context.Context, key, message string) error {
	_, err := ask(ctx, key, &mcp.ElicitParams{Mode: "form", Message: message, RequestedSchema: json.RawMessage(`{"properties":{},"type":"object"}`)})
	return err
}

// Ask asks the user to fill in a form: a field for each of T's, a struct of strings, numbers, bools and enumerations of strings,
// or lists of those. The answer is checked as arguments are. Errors and rounds are those of [Confirm].
func Ask[T any](ctx context.Context, key, message string) (T, error) {
	var answer T
	err := askForm(ctx, key, message, reflect.TypeFor[T](), &answer)
	return answer, err
}

func askForm(ctx context.Context, key, message string, t reflect.Type, dst any) error {
	in, err := newInput(&mcp.Tool{Name: "ask"}, t, new(config))
	if err != nil {
		return fmt.Errorf("Ask: %w", err)
	}
	form, err := formSchema(in)
	if err != nil {
		return fmt.Errorf("Ask: %s.%w", nameOf(t), err)
	}
	res, err := ask(ctx, key, &mcp.ElicitParams{Mode: "form", Message: message, RequestedSchema: form})
	if err != nil {
		return err
	}
	doc := []byte("{}")
	if res.Content != nil {
		if doc, err = json.Marshal(res.Content); err != nil {
			return err
		}
	}
	if err := in.read(doc, dst); err != nil {
		if bad, ok := find[*badArguments](err); ok {
			_, faults, _ := strings.Cut(bad.Error(), "\n")
			return Errorf("the user's answer does not fit: %s", strings.ReplaceAll(faults, "\n", "; "))
		}
		return err
	}
	return nil
}

// formKeywords are those that the protocol allows in a form; the rest of the rules is checked when the answer is there.
var formKeywords = []string{"type", "title", "description", "default", "enum", "minLength", "maxLength", "format", "minimum", "maximum", "items", "minItems", "maxItems"}

// formFormats are the formats that a form may ask for.
var formFormats = []string{"email", "uri", "date", "date-time"}

// formSchema is the schema of arguments as a form: flat, with the kinds of fields that the protocol allows.
func formSchema(in *input) (json.RawMessage, error) {
	var published struct {
		Properties map[string]map[string]json.RawMessage
		Required   []string
	}
	if err := json.Unmarshal(in.schema, &published); err != nil {
		return nil, err
	}
	var fields []string
	for i := range in.shape.Fields {
		f := &in.shape.Fields[i]
		p := published.Properties[f.Name]
		if fault := formFault(p); fault != "" {
			return nil, fmt.Errorf("%s: %s; a form has strings, numbers, bools and enumerations of strings", f.GoName, fault)
		}
		for keyword := range p {
			if !slices.Contains(formKeywords, keyword) {
				delete(p, keyword)
			}
		}
		if format, ok := stringOf(p["format"]); ok && !slices.Contains(formFormats, format) {
			delete(p, "format")
		}
		name, err := json.Marshal(f.Name)
		if err != nil {
			return nil, err
		}
		field, err := json.Marshal(p)
		if err != nil {
			return nil, err
		}
		fields = append(fields, string(name)+":"+string(field))
	}
	required, err := json.Marshal(append([]string{}, published.Required...))
	if err != nil {
		return nil, err
	}
	return json.RawMessage(`{"properties":{` + strings.Join(fields, ",") + `},"required":` + string(required) + `,"type":"object"}`), nil
}

// formFault is why a form cannot have a field, or nothing.
func formFault(p map[string]json.RawMessage) string {
	kind, _ := stringOf(p["type"])
	switch kind {
	case "string":
		return ""
	case "integer", "number", "boolean":
		if p["enum"] != nil {
			return "it lists values that are no strings"
		}
		return ""
	case "array":
		var items map[string]json.RawMessage
		if json.Unmarshal(p["items"], &items) == nil && items["enum"] != nil {
			if kind, _ := stringOf(items["type"]); kind == "string" {
				return ""
			}
		}
		return "it is a list of anything"
	}
	return "it is no single value"
}

func stringOf(raw json.RawMessage) (string, bool) {
	var s string
	return s, raw != nil && json.Unmarshal(raw, &s) == nil
}

// questions are what Confirm and Ask have asked in the rounds of one call. They travel through the caller, as the answers do.
type questions struct {
	Asked    map[string]string            `json:"asked"` // the messages, by key
	Answered map[string]*mcp.ElicitResult `json:"answered"`
}

// questionsMark tells the state of Confirm and Ask from an author's own.
const questionsMark = "diptych:"

// ask returns the user's answer, accepted, or the error that is the tool's answer.
func ask(ctx context.Context, key string, q *mcp.ElicitParams) (*mcp.ElicitResult, error) {
	req := Request(ctx)
	if req == nil || req.Params == nil {
		return nil, errors.New("a question was asked outside of a tool; give Confirm and Ask the context of the tool")
	}
	requests := mcp.InputRequestMap{key: q}
	if version := req.ProtocolVersion(); version != "" && version < firstInputRevision {
		if cannotAsk(req, requests) != "" {
			return nil, NeedInput(requests, "") // says why
		}
		res, err := req.Session.Elicit(ctx, q)
		if err != nil {
			return nil, &Error{Message: "the user could not be asked", cause: err}
		}
		return accepted(res)
	}
	var state questions
	if own, ok := strings.CutPrefix(req.Params.RequestState, questionsMark); ok {
		_ = json.Unmarshal([]byte(own), &state) // what cannot be read was not asked
	}
	if state.Asked == nil || state.Answered == nil {
		state = questions{Asked: map[string]string{}, Answered: map[string]*mcp.ElicitResult{}}
	}
	for k, r := range req.Params.InputResponses {
		if r, ok := r.(*mcp.ElicitResult); ok && r != nil {
			state.Answered[k] = r
		}
	}
	res := state.Answered[key]
	if asked, ok := state.Asked[key]; res != nil && (!ok || asked == q.Message) {
		return accepted(res)
	}
	delete(state.Answered, key) // the answer to another question
	state.Asked[key] = q.Message
	next, err := json.Marshal(state)
	if err != nil {
		return nil, err
	}
	return nil, NeedInput(requests, questionsMark+string(next))
}

func accepted(res *mcp.ElicitResult) (*mcp.ElicitResult, error) {
	switch res.Action {
	case "accept":
		return res, nil
	case "decline":
		return nil, Errorf("the user said no; do not try again unless the user asks for it")
	}
	return nil, Errorf("the user did not answer; do not try again unless the user asks for it")
}
