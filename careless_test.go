package diptych_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych"
)

// What authors put beside a value, and could be careless about: every call is answered, and nothing leaks.

type leaking struct{}

func (leaking) MarshalJSON() ([]byte, error) { return nil, errors.New("hunter2") }

func TestCarelessCompany(t *testing.T) {
	for name, tt := range map[string]struct {
		result func(*testing.T, ...diptych.Option) (*mcp.CallToolResult, error)
		want   string
	}{
		"meta that leaks":                  {calling(diptych.Result[int]{Meta: mcp.Meta{"a": leaking{}}}, nil), "does not match fOutput: _meta: has no JSON form"},
		"number that leaks":                {calling(diptych.Result[int]{Meta: mcp.Meta{"a": json.Number("hunter2")}}, nil), "_meta: has no JSON form"},
		"block that leaks":                 {calling[mcp.Content](&mcp.TextContent{Meta: mcp.Meta{"a": leaking{}}}, nil), "does not match Content: its MarshalJSON failed"},
		"whole result that leaks":          {calling(&mcp.CallToolResult{Meta: mcp.Meta{"a": leaking{}}}, nil), "_meta: has no JSON form"},
		"failed result in no UTF-8":        {calling(&mcp.CallToolResult{IsError: true, StructuredContent: map[string]any{"a": "x\xff"}}, nil), "no JSON in UTF-8"},
		"question that is nil":             {calling(0, diptych.NeedInput(mcp.InputRequestMap{"a": nil}, "")), "Error executing tool f"},
		"question that is a nil pointer":   {calling(0, diptych.NeedInput(mcp.InputRequestMap{"a": (*mcp.ElicitParams)(nil)}, "")), "Error executing tool f"},
		"question without a form":          {calling(0, diptych.NeedInput(mcp.InputRequestMap{"a": &mcp.ElicitParams{RequestedSchema: func() {}}}, "")), "Error executing tool f"},
		"question in a whole result":       {calling(&mcp.CallToolResult{InputRequests: mcp.InputRequestMap{"a": nil}}, nil), "Error executing tool f"},
		"protocol error with broken data":  {calling(0, error(&jsonrpc.Error{Code: -1, Message: "m", Data: json.RawMessage("bad")})), "Error executing tool f"},
		"text in no UTF-8 under no schema": {calling[any]("\xff", nil), "does not match its type: not valid UTF-8"},
	} {
		t.Run(name, func(t *testing.T) {
			var j journal
			res, err := tt.result(t, j.option())
			if err != nil {
				t.Fatal(err)
			}
			if !res.IsError || !strings.Contains(texts(res), tt.want) || strings.Contains(texts(res), "hunter2") {
				t.Errorf("the caller gets %q, want %q", texts(res), tt.want)
			}
			if _, err := json.Marshal(res); err != nil {
				t.Errorf("the answer cannot be sent: %v", err)
			}
			if r := j.records(t); len(r) != 1 || r[0]["level"] != "ERROR" || r[0]["msg"] == "tool panicked" {
				t.Errorf("logged %v", r)
			}
		})
	}
}

// TestNamesUnderAGivenSchema says that an open schema lets in names, but not into fields of another name.
func TestNamesUnderAGivenSchema(t *testing.T) {
	tool := &mcp.Tool{Name: "pay", InputSchema: json.RawMessage(`{"type":"object","properties":{"amount":{"type":"integer","maximum":10}},"required":["amount"]}`)}
	var got int
	_, h, err := diptych.New(tool, func(_ context.Context, in struct {
		Amount int `json:"amount"`
	}) (int, error) {
		got = in.Amount
		return 0, nil
	}, quiet)
	must(t, err)
	_, err = h(t.Context(), &mcp.CallToolRequest{Params: &mcp.CallToolParamsRaw{Name: "pay", Arguments: json.RawMessage(`{"amount":1,"Amount":1000000,"AMOUNT":2}`)}})
	must(t, err)
	if got != 1 {
		t.Errorf("the function got %d, which the schema did not see", got)
	}
}

func TestDefaultsFromDocsFitTheField(t *testing.T) {
	type Wait struct {
		Minutes int `json:"minutes"`
	}
	for _, value := range []string{`"x"`, `1 2`, `1.5`} {
		docs := diptych.Docs{"github.com/diptych-mcp/diptych_test.Wait.Minutes": {Default: json.RawMessage(value)}}
		if err := adding[Wait, int](named(), docs); err == nil || !strings.Contains(err.Error(), "Wait.Minutes: the default in Docs") {
			t.Errorf("default %s: %v", value, err)
		}
	}
	docs := diptych.Docs{"github.com/diptych-mcp/diptych_test.Wait.Minutes": {Default: json.RawMessage(`5`)}}
	must(t, adding[Wait, int](named(), docs))
}
