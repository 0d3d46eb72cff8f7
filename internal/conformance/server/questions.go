//lint:file-ignore SA1019 the official suite asks for parts that the revision 2026-07-28 deprecates

package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych"
)

// addQuestions publishes tools that ask before they answer. NeedInput asks clients of both protocol eras: new ones with
// the result of the call, older ones over their session.
func addQuestions(s *mcp.Server) error {
	sealer, err := newSealer()
	if err != nil {
		return err
	}
	add := func(name, description string, fn diptych.Func[none, string]) error {
		return diptych.Add(s, &mcp.Tool{Name: name, Description: description}, fn, diptych.Unstructured())
	}
	return errors.Join(
		diptych.Add(s, &mcp.Tool{Name: "test_sampling", Description: "Asks the client's model."}, sampling, diptych.Unstructured()),
		diptych.Add(s, &mcp.Tool{Name: "test_elicitation", Description: "Asks the user."}, elicitation, diptych.Unstructured()),
		add("test_elicitation_sep1034_defaults", "Asks the user with defaults.", form("form", "Check these values.", defaults)),
		add("test_elicitation_sep1330_enums", "Asks the user to choose.", form("form", "Choose.", choices)),
		add("test_input_required_result_elicitation", "Asks for the user's name.", hello),
		add("test_input_required_result_sampling", "Asks the client's model.", capital),
		add("test_input_required_result_list_roots", "Asks for the client's roots.", listRoots),
		add("test_input_required_result_multiple_inputs", "Asks three things at once.", everything),
		add("test_input_required_result_capabilities", "Asks what the client can answer.", whatYouCan),
		add("test_input_required_result_request_state", "Keeps state with the client.", sealer.confirm),
		add("test_input_required_result_tampered_state", "Refuses state that was changed.", sealer.confirm),
		add("test_input_required_result_multi_round", "Asks twice.", sealer.twoRounds),
	)
}

// The questions.
var (
	askName  = ask("What is your name?", object("name", `{"type":"string"}`))
	askColor = ask("What is your favourite colour?", object("color", `{"type":"string"}`))
	askYes   = ask("Go on?", object("ok", `{"type":"boolean"}`))
	askModel = prompt("What is the capital of France?")
	askRoots = &mcp.ListRootsParams{}
)

// accepted is what the user answered to a question, or nil.
func accepted(ctx context.Context, key string) map[string]any {
	if r, ok := diptych.Request(ctx).Params.InputResponses[key].(*mcp.ElicitResult); ok && r != nil && r.Action == "accept" {
		return r.Content
	}
	return nil
}

// generated is what the client's model answered.
func generated(ctx context.Context, key string) (string, bool) {
	r, ok := diptych.Request(ctx).Params.InputResponses[key].(*mcp.CreateMessageWithToolsResult)
	if !ok || r == nil {
		return "", false
	}
	for _, c := range r.Content {
		if t, ok := c.(*mcp.TextContent); ok {
			return t.Text, true
		}
	}
	return "", false
}

// roots is what the client lets the server see.
func roots(ctx context.Context, key string) ([]*mcp.Root, bool) {
	r, ok := diptych.Request(ctx).Params.InputResponses[key].(*mcp.ListRootsResult)
	if !ok || r == nil {
		return nil, false
	}
	return r.Roots, true
}

// form asks with one form and reports what came back.
func form(key, message string, schema map[string]any) diptych.Func[none, string] {
	return func(ctx context.Context, _ none) (string, error) { return fillIn(ctx, key, message, schema) }
}

func fillIn(ctx context.Context, key, message string, schema map[string]any) (string, error) {
	r, ok := diptych.Request(ctx).Params.InputResponses[key].(*mcp.ElicitResult)
	if !ok || r == nil {
		return "", diptych.NeedInput(mcp.InputRequestMap{key: ask(message, schema)}, "")
	}
	return fmt.Sprintf("action=%s, content=%v", r.Action, r.Content), nil
}

// Message is what to show to the user.
type Message struct {
	Message string `json:"message" jsonschema:"What to show to the user."`
}

func elicitation(ctx context.Context, in Message) (string, error) {
	return fillIn(ctx, "user", in.Message, object("username", `{"type":"string","description":"User's response"}`, "email", `{"type":"string","description":"User's email address"}`))
}

// Prompt is what to ask a model.
type Prompt struct {
	Prompt string `json:"prompt" jsonschema:"What to ask the model."`
}

func sampling(ctx context.Context, in Prompt) (string, error) {
	text, ok := generated(ctx, "model")
	if !ok {
		return "", diptych.NeedInput(mcp.InputRequestMap{"model": prompt(in.Prompt)}, "")
	}
	return "The model says: " + text, nil
}

func hello(ctx context.Context, _ none) (string, error) {
	name, _ := accepted(ctx, "user_name")["name"].(string)
	if name == "" {
		return "", diptych.NeedInput(mcp.InputRequestMap{"user_name": askName}, "")
	}
	return "Hello, " + name + "!", nil
}

func capital(ctx context.Context, _ none) (string, error) {
	text, ok := generated(ctx, "capital_question")
	if !ok {
		return "", diptych.NeedInput(mcp.InputRequestMap{"capital_question": askModel}, "")
	}
	return "The model says: " + text, nil
}

func listRoots(ctx context.Context, _ none) (string, error) {
	all, ok := roots(ctx, "client_roots")
	if !ok {
		return "", diptych.NeedInput(mcp.InputRequestMap{"client_roots": askRoots}, "")
	}
	return fmt.Sprintf("%d roots", len(all)), nil
}

func everything(ctx context.Context, _ none) (string, error) {
	name, _ := accepted(ctx, "user_name")["name"].(string)
	greeting, greeted := generated(ctx, "greeting")
	all, listed := roots(ctx, "client_roots")
	if name == "" || !greeted || !listed {
		return "", diptych.NeedInput(mcp.InputRequestMap{
			"user_name": askName, "greeting": prompt("Write a greeting."), "client_roots": askRoots,
		}, "three questions")
	}
	return fmt.Sprintf("%s, %s; %d roots", greeting, name, len(all)), nil
}

func whatYouCan(ctx context.Context, _ none) (string, error) {
	req := diptych.Request(ctx)
	if len(req.Params.InputResponses) > 0 {
		return "answered", nil
	}
	questions := mcp.InputRequestMap{}
	if caps := req.ClientCapabilities(); caps != nil {
		if caps.Elicitation != nil {
			questions["user_name"] = askName
		}
		if caps.Sampling != nil {
			questions["greeting"] = prompt("Write a greeting.")
		}
		if caps.RootsV2 != nil {
			questions["client_roots"] = askRoots
		}
	}
	if len(questions) == 0 {
		return "the client cannot be asked", nil
	}
	return "", diptych.NeedInput(questions, "")
}

// errTampered goes to the client as it is: it is the protocol that was broken, not the tool.
var errTampered = &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "the request state was changed on its way"}

func (s *sealer) confirm(ctx context.Context, _ none) (string, error) {
	state := diptych.Request(ctx).Params.RequestState
	if state != "" {
		if _, ok := s.open(state); !ok {
			return "", errTampered
		}
		if accepted(ctx, "confirm") != nil {
			return "state-ok", nil
		}
	}
	return "", diptych.NeedInput(mcp.InputRequestMap{"confirm": askYes}, s.seal("confirming"))
}

func (s *sealer) twoRounds(ctx context.Context, _ none) (string, error) {
	state := diptych.Request(ctx).Params.RequestState
	if state == "" {
		return "", diptych.NeedInput(mcp.InputRequestMap{"step1": askName}, s.seal(""))
	}
	name, ok := s.open(state)
	if !ok {
		return "", errTampered
	}
	if name == "" {
		name, _ = accepted(ctx, "step1")["name"].(string)
		return "", diptych.NeedInput(mcp.InputRequestMap{"step2": askColor}, s.seal(name))
	}
	color, _ := accepted(ctx, "step2")["color"].(string)
	return name + " likes " + color, nil
}
