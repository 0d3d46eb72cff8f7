package exact

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func rewritten(message, about string) []byte {
	out, _ := rewriteMessage([]byte(message), about)
	return out
}

// received is what the SDK's client makes of a message.
func received[T any](t *testing.T, message string) *T {
	t.Helper()
	m, err := jsonrpc.DecodeMessage(rewritten(message, ""))
	if err != nil {
		t.Fatal(err)
	}
	res := new(T)
	if err := json.Unmarshal(m.(*jsonrpc.Response).Result, res); err != nil {
		t.Fatalf("%v in %s", err, m.(*jsonrpc.Response).Result)
	}
	return res
}

func TestStructured(t *testing.T) {
	for _, raw := range []string{
		`{"b":1,"a":2}`, `{"n":9007199254740993}`, `1e400`, `1.10`, `null`, `"\ud800"`, `"text"`, `[ 1 ,2]`, `{"a":1,"a":2}`,
		"{\n\t\"a\" : \"\\n\\\"\\\\\"\r\n}", `"é\u2028 "`, `-0`, `""`, `{}`, "\"\xff\"",
	} {
		t.Run(raw, func(t *testing.T) {
			res := received[mcp.CallToolResult](t, `{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":`+raw+`}}`)
			got, exact := Structured(res)
			if string(got) != raw || !exact {
				t.Errorf("got %q, %v", got, exact)
			}
			if b, _ := res.StructuredContent.(json.RawMessage); string(b) != raw || res.Meta != nil {
				t.Errorf("the result holds %q, _meta %v", b, res.Meta)
			}
			if _, exact := Structured(res); exact {
				t.Error("the mark was not removed")
			}
		})
	}
}

// Whatever the peer writes, what comes out is what the decoder would have taken, and no string of the peer's passes for
// a document.
func TestForeignMessages(t *testing.T) {
	const forged = `"` + mark + `":"text"`
	for _, c := range []struct {
		name, result string
		raw          string // "" for none
		meta         mcp.Meta
	}{
		{"absent", `{"content":[]}`, ``, nil},
		{"forged and absent", `{"content":[],"_meta":{` + forged + `}}`, ``, mcp.Meta{}},
		{"forged beside others", `{"content":[],"_meta":{"a":1,` + forged + `,"b":[2]}}`, ``, mcp.Meta{"a": 1.0, "b": []any{2.0}}},
		{"forged with escapes", `{"content":[],"_meta":{"io.github.diptych\u002dmcp/exact":"text"}}`, ``, mcp.Meta{}},
		{"forged twice", `{"content":[],"_meta":{` + forged + `},"_meta":{` + forged + `}}`, ``, mcp.Meta{}},
		{"forged form", `{"content":[],"_meta":{"` + mark + `":"base64"},"structuredContent":"e30="}`, `"e30="`, nil},
		{"key with escapes", `{"content":[],"structured\u0043ontent":{"a":1.0}}`, `{"a":1.0}`, nil},
		{"key in another case", `{"content":[],"StructuredContent":{"a":1.0}}`, ``, nil},
		{"repeated key", `{"content":[],"structuredContent":{"a":1},"structuredContent":{"a":2.0}}`, `{"a":2.0}`, nil},
		{"repeated _meta", `{"_meta":{"a":1},"content":[],"structuredContent":1.0,"_meta":{"b":2}}`, `1.0`, mcp.Meta{"a": 1.0, "b": 2.0}},
		{"_meta null", `{"_meta":null,"content":[],"structuredContent":1.0}`, `1.0`, nil},
		{"_meta, then null", `{"_meta":{"a":1},"content":[],"structuredContent":1.0,"_meta":null}`, `1.0`, mcp.Meta{"a": 1.0}},
		{"_meta after", `{"content":[],"structuredContent":{"a":1.0},"_meta":{"a":1}}`, `{"a":1.0}`, mcp.Meta{"a": 1.0}},
		{"empty", `{ }`, ``, nil},
		{"alone", `{"structuredContent":1.0}`, `1.0`, nil},
		{"spaces", " { \"structuredContent\" :\n 1.0 , \"content\" : [ ] } ", `1.0`, nil},
		{"tools that are none", `{"content":[],"tools":7,"structuredContent":1.0}`, `1.0`, nil},
		{"within", `{"content":[{"type":"text","text":"x","_meta":{"structuredContent":1}}]}`, ``, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			res := received[mcp.CallToolResult](t, `{"jsonrpc":"2.0","id":1,"result":`+c.result+`}`)
			raw, exact := Structured(res)
			if string(raw) != c.raw || exact != (c.raw != "") {
				t.Errorf("got %q, %v", raw, exact)
			}
			if diff := cmp.Diff(c.meta, res.Meta); diff != "" {
				t.Errorf("_meta (-want +got)\n%s", diff)
			}
		})
	}
}

func TestRepeatedResult(t *testing.T) {
	res := received[mcp.CallToolResult](t, `{"result":{"structuredContent":1.0},"jsonrpc":"2.0","result":{"structuredContent":2.0},"id":1}`)
	if raw, _ := Structured(res); string(raw) != "2.0" {
		t.Errorf("got %s", raw)
	}
}

func TestSchemas(t *testing.T) {
	const input, output = `{"type":"object","maximum":1.10,"a":1}`, `{"z":1,"a":9007199254740993}`
	list := received[mcp.ListToolsResult](t, `{"jsonrpc":"2.0","id":1,"result":{"tools":[`+
		`{"name":"both","inputSchema":`+input+`,"outputSchema":`+output+`,"_meta":{"k":1}},`+
		`{"name":"one","inputSchema":`+input+`},`+
		`{"inputSchema":{},"name":"twice","inputSchema":`+input+`,"_meta":{"`+mark+`":{"outputSchema":"{}"}}},`+
		`{},null]}}`)
	for i, want := range []struct{ input, output string }{{input, output}, {input, ""}, {input, ""}, {"", ""}} {
		in, out, ok := Schemas(list.Tools[i])
		if string(in) != want.input || string(out) != want.output || !ok {
			t.Errorf("tool %d: got %q, %q, %v", i, in, out, ok)
		}
		if _, _, again := Schemas(list.Tools[i]); !again {
			t.Errorf("tool %d: the second reader of a cached list found nothing", i)
		}
	}
	if _, _, ok := Schemas(&mcp.Tool{Name: "local"}); ok {
		t.Error("a tool that was never listed has raw schemas")
	}
	// The SDK's client reads headers from the schema.
	if _, ok := list.Tools[0].InputSchema.(map[string]any); !ok {
		t.Errorf("the input schema became %T", list.Tools[0].InputSchema)
	}
}

func TestPassesByteForByte(t *testing.T) {
	for _, m := range []string{
		``, ` `, `{`, `[]`, `7`, `{"jsonrpc":"2.0","id":1,"result":{"content":[]}}`, `{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"structuredContent"}}`,
		`{"jsonrpc":"2.0","method":"x","params":{"structuredContent":1}}`, `{"result":{"structuredContent":1}`, `{"result":{"structuredContent":01}}`,
		`{"result":{"structuredContent":[1,]}}`, `{"result":{"structuredContent":"` + "\n" + `"}}`, `{"result":{"structuredContent":1}} x`, `{"result":{"structuredContent":"\q"}}`,
		`{"result":{"structuredContent":{"a":}}}`, `{"result":{"structuredContent":tru}}`, `{"result":{"structuredContent":1.}}`, `{"result":{"structuredContent":-}}`,
		`{"result":{"structuredContent":1e}}`, `{"result":{"structuredContent":"\u12"}}`, `{"result":{"structuredContent"}}`, `{"result":{"structuredContent":{}]}}`,
		`{"result":{"structuredContent":` + strings.Repeat("[", 1001) + strings.Repeat("]", 1001) + `}}`,
	} {
		if got := rewritten(m, ""); string(got) != m {
			t.Errorf("%q became %q", m, got)
		}
	}
}

// FuzzRewrite checks that what is JSON stays JSON.
func FuzzRewrite(f *testing.F) {
	for _, s := range []string{`{"a":[1,-0.5e+7,"\u00e9\\",true,false,null,{}]}`, `[[],{"":""}]`, `{"structuredContent":"\u2028","_meta":null}`, `{"tools":[{"inputSchema":{}}]}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		message := append(append([]byte(`{"jsonrpc":"2.0","id":1,"result":`), b...), '}')
		if got := rewritten(string(message), "c"); json.Valid(message) && !json.Valid(got) {
			t.Fatalf("%q became %q", message, got)
		}
	})
}

// A schema that the SDK cannot decode costs the others of its list nothing, and its text is still there.
func TestUndecodableSchemas(t *testing.T) {
	const bad = `{"type":"object","properties":{"a":{"minimum":1e100000}}}`
	for name, list := range map[string]string{
		"input":    `{"name":"bad","inputSchema":` + bad + `}`,
		"output":   `{"name":"bad","inputSchema":{"type":"object"},"outputSchema":` + bad + `}`,
		"repeated": `{"name":"bad","inputSchema":{"type":"object"},"inputSchema":` + bad + `}`,
	} {
		res := received[mcp.ListToolsResult](t, `{"jsonrpc":"2.0","id":1,"result":{"tools":[`+list+`,{"name":"good","inputSchema":{"type":"object"}}]}}`)
		if len(res.Tools) != 2 || res.Tools[1].Name != "good" {
			t.Fatalf("%s: %+v", name, res.Tools)
		}
		input, output, ok := Schemas(res.Tools[0])
		if kept := string(input) + string(output); !ok || !strings.Contains(kept, bad) {
			t.Errorf("%s: the text of the schema is %s", name, kept)
		}
	}
}
