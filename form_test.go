package diptych_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych"
)

type Guest struct {
	Name   string                   `json:"name" jsonschema:"As it is on the badge." minLength:"1"`
	Mail   string                   `json:"mail,omitempty" format:"email"`
	Nights int                      `json:"nights" minimum:"1" maximum:"30" default:"1"`
	Meal   string                   `json:"meal,omitempty" enum:"meat,fish,none"`
	Window bool                     `json:"window,omitempty"`
	Note   diptych.Optional[string] `json:"note,omitzero" pattern:"^[^<]*$"`
}

// TestConfirmAndAsk asks two questions on every wire, with each answer that a user may give.
func TestConfirmAndAsk(t *testing.T) {
	tool := func(ctx context.Context, _ struct{}) (string, error) {
		if err := diptych.Confirm(ctx, "sure", "Book a room?"); err != nil {
			return "", err
		}
		guest, err := diptych.Ask[Guest](ctx, "guest", "Who is coming?")
		if err != nil {
			return "", err
		}
		return fmt.Sprintf("%s for %d, %v", guest.Name, guest.Nights, guest.Window), nil
	}
	const refused = "Error executing tool f: "
	fill := func(content map[string]any) *mcp.ElicitResult {
		return &mcp.ElicitResult{Action: "accept", Content: content}
	}
	for name, tt := range map[string]struct {
		sure, guest *mcp.ElicitResult
		want        string
		asked       int
	}{
		"agreed":    {fill(nil), fill(map[string]any{"name": "Ada", "window": true}), "Ada for 1, true", 2},
		"declined":  {&mcp.ElicitResult{Action: "decline"}, nil, refused + "the user said no; do not try again unless the user asks for it", 1},
		"dismissed": {&mcp.ElicitResult{Action: "cancel"}, nil, refused + "the user did not answer; do not try again unless the user asks for it", 1},
		"no form":   {fill(nil), &mcp.ElicitResult{Action: "decline"}, refused + "the user said no; do not try again unless the user asks for it", 2},
		"checked":   {fill(nil), fill(map[string]any{"name": "Ada", "note": "<b>"}), refused + "the user's answer does not fit: note: must match the pattern ^[^<]*$", 2},
	} {
		for _, w := range wires {
			t.Run(name+"/"+w.name, func(t *testing.T) {
				asked := 0
				client := newClient(&mcp.ClientOptions{ElicitationHandler: func(_ context.Context, req *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
					asked++
					if req.Params.Message == "Book a room?" {
						return tt.sure, nil
					}
					return tt.guest, nil
				}})
				s := newServer()
				must(t, diptych.Add(s, &mcp.Tool{Name: "f"}, tool, quiet))
				res, err := w.open(t, s, client).CallTool(t.Context(), &mcp.CallToolParams{Name: "f"})
				must(t, err)
				if strings.Contains(w.name, "stateless "+oldest) {
					if !res.IsError || !strings.Contains(texts(res), "serve with diptych.Handler(server, diptych.Sessions(idle))") {
						t.Errorf("answered %s", texts(res))
					}
					return
				}
				if texts(res) != tt.want || asked != tt.asked {
					t.Errorf("answered %s after %d questions, want %s after %d", texts(res), asked, tt.want, tt.asked)
				}
			})
		}
	}
	for _, w := range wires {
		s := newServer()
		must(t, diptych.Add(s, &mcp.Tool{Name: "f"}, tool, quiet))
		res, err := w.open(t, s, newClient(nil)).CallTool(t.Context(), &mcp.CallToolParams{Name: "f"})
		if err == nil && (!res.IsError || !strings.Contains(texts(res), "it needs input from the user")) {
			t.Errorf("%s: a client that cannot be asked gets %s", w.name, texts(res))
		}
	}
	if err := diptych.Confirm(t.Context(), "k", "m"); err == nil || !strings.Contains(err.Error(), "outside of a tool") {
		t.Errorf("outside of a tool: %v", err)
	}
}

// round calls a tool as a client of the newest revision does, and returns what it answers or asks.
func round(t *testing.T, h mcp.ToolHandler, state string, responses mcp.InputResponseMap) *mcp.CallToolResult {
	t.Helper()
	res, err := h(t.Context(), &mcp.CallToolRequest{Params: &mcp.CallToolParamsRaw{RequestState: state, InputResponses: responses}})
	must(t, err)
	return res
}

// TestForm compares the form that a struct becomes, and refuses what no form has.
func TestForm(t *testing.T) {
	_, h, err := diptych.New(&mcp.Tool{Name: "f"}, func(ctx context.Context, _ struct{}) (Guest, error) {
		return diptych.Ask[Guest](ctx, "guest", "Who?")
	}, quiet)
	must(t, err)
	form := round(t, h, "", nil).InputRequests["guest"].(*mcp.ElicitParams)
	want := `{"properties":{` +
		`"name":{"description":"As it is on the badge.","minLength":1,"title":"Name","type":"string"},` +
		`"mail":{"format":"email","title":"Mail","type":"string"},` +
		`"nights":{"default":1,"maximum":30,"minimum":1,"title":"Nights","type":"integer"},` +
		`"meal":{"enum":["meat","fish","none"],"title":"Meal","type":"string"},` +
		`"window":{"title":"Window","type":"boolean"},` +
		`"note":{"title":"Note","type":"string"}},"required":["name"],"type":"object"}`
	if got := string(form.RequestedSchema.(json.RawMessage)); got != want || form.Message != "Who?" || form.Mode != "form" {
		t.Errorf("form %s\nwant %s", got, want)
	}
	for name, ask := range map[string]func(context.Context) error{
		"X: it is no single value": func(ctx context.Context) error {
			_, err := diptych.Ask[struct{ X struct{ Y int } }](ctx, "k", "m")
			return err
		},
		"X: it is a list of anything": func(ctx context.Context) error {
			_, err := diptych.Ask[struct{ X []string }](ctx, "k", "m")
			return err
		},
		"X: it lists values that are no strings": func(ctx context.Context) error {
			_, err := diptych.Ask[struct {
				X int `enum:"1,2"`
			}](ctx, "k", "m")
			return err
		},
		"arguments have names": func(ctx context.Context) error {
			_, err := diptych.Ask[int](ctx, "k", "m")
			return err
		},
	} {
		var got error
		_, h, err := diptych.New(&mcp.Tool{Name: "f"}, func(ctx context.Context, _ struct{}) (int, error) { got = ask(ctx); return 0, got }, quiet)
		must(t, err)
		if round(t, h, "", nil); got == nil || !strings.Contains(got.Error(), name) {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// TestQuestionsAreKept answers a question only with what was said to that question, whatever the caller sends back as state.
func TestQuestionsAreKept(t *testing.T) {
	message := "Delete order 7?"
	_, h, err := diptych.New(&mcp.Tool{Name: "f"}, func(ctx context.Context, _ struct{}) (string, error) {
		if err := diptych.Confirm(ctx, "a", message); err != nil {
			return "", err
		}
		return "deleted", diptych.Confirm(ctx, "b", "Really?")
	}, quiet)
	must(t, err)
	yes := &mcp.ElicitResult{Action: "accept"}
	first := round(t, h, "", nil)
	asks := func(res *mcp.CallToolResult, want ...string) {
		t.Helper()
		got := []string{}
		for key := range res.InputRequests {
			got = append(got, key)
		}
		if !slices.Equal(got, want) {
			t.Errorf("asks for %q, want %q; %s", got, want, texts(res))
		}
	}
	asks(first, "a")
	second := round(t, h, first.RequestState, mcp.InputResponseMap{"a": yes})
	asks(second, "b")
	if last := round(t, h, second.RequestState, mcp.InputResponseMap{"b": yes}); texts(last) != "deleted" {
		t.Errorf("answered %s", texts(last))
	}
	message = "Delete order 8?"
	asks(round(t, h, first.RequestState, mcp.InputResponseMap{"a": yes}), "a")
	asks(round(t, h, second.RequestState, mcp.InputResponseMap{"b": yes}), "a")
	for _, state := range []string{"own", "diptych:", "diptych:null", `diptych:{"asked":null,"answered":null}`, `diptych:{"asked":1}`, `diptych:{"answered":{"a":null}}`} {
		asks(round(t, h, state, nil), "a")
	}
}
