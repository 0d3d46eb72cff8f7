package exact

import (
	"encoding/json"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func TestQuestion(t *testing.T) {
	const schema = `{"properties":{"z":{"type":"integer","maximum":12345678901234567890},"a":{"default":1.10}}}`
	for name, c := range map[string]struct{ params, schema, about string }{
		"form":     {`{"message":"m","requestedSchema":` + schema + `}`, schema, "c"},
		"with own": {`{"_meta":{"k":1},"requestedSchema":` + schema + `}`, schema, "c"},
		"page":     {`{"mode":"url","url":"https://a.example/"}`, "", "c"},
		"forged":   {`{"_meta":{"` + mark + `":{"about":"other","requestedSchema":"{}"}},"message":"m"}`, "", "c"},
		"twice":    {`{"requestedSchema":{},"requestedSchema":` + schema + `}`, schema, "c"},
		"empty":    {`{}`, "", "c"},
		"a list":   {`[]`, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			check := func(raw json.RawMessage, about string) {
				t.Helper()
				var p mcp.ElicitParams
				if err := json.Unmarshal(raw, &p); err != nil && name != "a list" {
					t.Fatal(err)
				}
				if got, whose := Question(&p); string(got) != c.schema || whose != about {
					t.Errorf("got %s about %q", got, whose)
				}
			}
			m, err := jsonrpc.DecodeMessage(rewritten(`{"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":`+c.params+`}`, "c"))
			if err != nil {
				t.Fatal(err)
			}
			check(m.(*jsonrpc.Request).Params, c.about)
			check(rewriteQuestion([]byte(c.params)), "")
			if name == "a list" {
				return
			}
			res := received[mcp.CallToolResult](t, `{"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","inputRequests":{"q":{"method":"elicitation/create","params":`+c.params+`}}}}`)
			raw, err := json.Marshal(res.InputRequests["q"])
			if err != nil {
				t.Fatal(err)
			}
			check(raw, "")
		})
	}
	const other = `{"jsonrpc":"2.0","id":1,"method":"sampling/createMessage","params":{"requestedSchema":1}}`
	if got := rewritten(other, "c"); string(got) != other {
		t.Errorf("another request became %s", got)
	}
}

// TestCompletedQuestion has a server tell that a question was answered, without saying which.
func TestCompletedQuestion(t *testing.T) {
	const without, with = `{"jsonrpc":"2.0","method":"notifications/elicitation/complete"`, `{"params":{},"jsonrpc":"2.0","method":"notifications/elicitation/complete"}`
	for in, want := range map[string]string{
		without + `}`:                                with,
		without + `,"params":null}`:                  without + `,"params":{}}`,
		without + `,"params":{"elicitationId":"a"}}`: without + `,"params":{"elicitationId":"a"}}`,
	} {
		if got := rewritten(in, ""); string(got) != want {
			t.Errorf("%s became %s", in, got)
		}
	}
	for _, params := range []json.RawMessage{nil, json.RawMessage("null")} {
		c := &connection{Connection: &scripted{message: &jsonrpc.Request{Method: methodComplete, Params: params}}}
		m, err := c.Read(t.Context())
		if r, ok := m.(*jsonrpc.Request); err != nil || !ok || string(r.Params) != "{}" {
			t.Errorf("%s: read %v, %v", params, m, err)
		}
	}
}
