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
			m, err := jsonrpc.DecodeMessage(rewriteMessage([]byte(`{"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":`+c.params+`}`), "c"))
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
	if got := rewriteMessage([]byte(other), "c"); string(got) != other {
		t.Errorf("another request became %s", got)
	}
}
