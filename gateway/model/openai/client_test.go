package openai

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/diptych-mcp/diptych/gateway/model"
	"github.com/diptych-mcp/diptych/gateway/model/internal/wire"
	"github.com/diptych-mcp/diptych/gateway/model/modeltest"
)

const key = modeltest.Key

var asked = model.Request{
	System:   "Be brief.",
	Messages: []model.Message{{Role: model.User, Parts: []model.Part{{Text: "Weather in Oslo?"}}}},
	Tools: []model.Tool{
		{Name: "get_weather", Parameters: json.RawMessage(`{"type":"object"}`)},
		{Name: "get_time", Parameters: json.RawMessage(`{"type":"object"}`)},
		{Name: "weather.now", Parameters: json.RawMessage(`{"type":"object"}`)},
	},
}

// serve starts a server that plays h and returns a client for it that does not wait between tries.
func serve(t *testing.T, h http.HandlerFunc, change ...func(*Config)) *Client {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	config := Config{Model: "m", BaseURL: s.URL + "/v1/", Key: key, Transport: s.Client().Transport}
	for _, f := range change {
		f(&config)
	}
	c, err := New(config)
	if err != nil {
		t.Fatal(err)
	}
	c.line.Wait = func(ctx context.Context, _ time.Duration) error { return ctx.Err() }
	return c
}

func sse(events ...string) string {
	return "data: " + strings.Join(events, "\n\ndata: ") + "\n\n"
}

func delta(fields string) string { return `{"choices":[{"index":0,"delta":{` + fields + `}}]}` }
func finish(reason string) string {
	return `{"choices":[{"delta":{},"finish_reason":"` + reason + `"}]}`
}
func tools(pieces string) string { return delta(`"tool_calls":[` + pieces + `]`) }

const done = "[DONE]"

func oslo(id string) model.Call {
	return model.Call{ID: id, Name: "get_weather", Arguments: json.RawMessage(`{"city":"Oslo"}`)}
}

func rome(id string) model.Call {
	return model.Call{ID: id, Name: "get_weather", Arguments: json.RawMessage(`{"city":"Rome"}`)}
}

var (
	hello    = model.Turn{Text: "Hello.", Reason: model.Stop}
	reasoned = model.Turn{Text: "Hello.", Reasoning: "Hm.", Reason: model.Stop}
	one      = model.Turn{Calls: []model.Call{oslo("a")}, Reason: model.ToolCalls}
	two      = model.Turn{Calls: []model.Call{oslo("a"), rome("b")}, Reason: model.ToolCalls}
	unnamed  = model.Turn{Calls: []model.Call{oslo("call_1_1")}, Reason: model.ToolCalls}
	unnamed2 = model.Turn{Calls: []model.Call{oslo("call_1_1"), rome("call_1_2")}, Reason: model.ToolCalls}
)

// Each deviation is one that some server has been seen to make.
var deviations = []struct {
	name, body string
	want       model.Turn
	fault      string
}{
	{name: "as documented",
		body: sse(delta(`"role":"assistant","content":""`), delta(`"content":"Hel"`), delta(`"content":"lo."`), finish("stop"),
			`{"choices":[],"usage":{"prompt_tokens":7,"completion_tokens":2}}`, done),
		want: model.Turn{Text: "Hello.", Reason: model.Stop, Usage: model.Usage{Input: 7, Output: 2}}},
	{name: "usage with the last choice",
		body: sse(delta(`"content":"Hello."`), `{"choices":[{"delta":{},"finish_reason":"stop"}],"usage":{"prompt_tokens":7,"completion_tokens":2}}`, done),
		want: model.Turn{Text: "Hello.", Reason: model.Stop, Usage: model.Usage{Input: 7, Output: 2}}},
	{name: "usage null", body: sse(`{"choices":[{"delta":{"content":"Hello."}}],"usage":null}`, finish("stop"), done), want: hello},
	{name: "no usage", body: sse(delta(`"content":"Hello."`), finish("stop"), done), want: hello},
	{name: "no [DONE]", body: sse(delta(`"content":"Hello."`), finish("stop")), want: hello},
	{name: "no finish_reason", body: sse(delta(`"content":"Hello."`), done), want: hello},
	{name: "no empty line at the end", body: strings.TrimSpace(sse(delta(`"content":"Hello."`), finish("stop"))), want: hello},
	{name: "something after [DONE]", body: sse(delta(`"content":"Hello."`), finish("stop"), done, delta(`"content":"Ghost"`)), want: hello},
	{name: "no space, CRLF, comments, other fields",
		body: ": hi\r\n\r\nid: 1\r\nevent: message\r\nretry: 5\r\ndata:" + delta(`"content":"Hello."`) + "\r\n\r\n: ping\r\n\r\ndata:" + finish("stop") + "\r\n\r\ndata:[DONE]\r\n\r\n",
		want: hello},
	{name: "CR alone", body: strings.ReplaceAll(sse(delta(`"content":"Hello."`), finish("stop"), done), "\n", "\r"), want: hello},
	{name: "a byte order mark", body: "\uFEFF" + sse(delta(`"content":"Hello."`), finish("stop"), done), want: hello},
	{name: "an event in several lines", body: "data: {\"choices\":[{\"delta\":\ndata: {\"content\":\"Hello.\"}}]}\n\n" + sse(finish("stop"), done), want: hello},
	{name: "no empty line between events", body: strings.ReplaceAll(sse(delta(`"content":"Hello."`), finish("stop"), done), "\n\n", "\n") + "\n", want: hello},
	{name: "content null and in parts", body: sse(delta(`"content":null`), delta(`"content":[{"type":"thinking","text":"Hm"},{"type":"text","text":"Hello."}]`), finish("stop"), done), want: hello},
	{name: "reasoning_content", body: sse(delta(`"reasoning_content":"H"`), delta(`"reasoning_content":"m."`), delta(`"content":"Hello."`), finish("stop"), done), want: reasoned},
	{name: "reasoning", body: sse(delta(`"reasoning":"Hm.","reasoning_details":[{}]`), delta(`"content":"Hello."`), finish("stop"), done), want: reasoned},
	{name: "reasoning in both fields", body: sse(delta(`"reasoning_content":"Hm.","reasoning":"Hm."`), delta(`"content":"Hello."`), finish("stop"), done), want: reasoned},
	{name: "reasoning marked in the text", body: sse(delta(`"content":"<th"`), delta(`"content":"ink>Hm.</thi"`), delta(`"content":"nk>\n\nHello."`), finish("stop"), done), want: reasoned},
	{name: "a mark that is none", body: sse(delta(`"content":"<"`), finish("stop"), done), want: model.Turn{Text: "<", Reason: model.Stop}},
	{name: "reasoning without an end", body: sse(delta(`"content":"<think>Hm.<"`), finish("length"), done), want: model.Turn{Reasoning: "Hm.<", Reason: model.Length}},
	{name: "everything again in the last chunk", body: sse(delta(`"content":"Hel"`), delta(`"content":"lo."`), `{"choices":[{"message":{"role":"assistant","content":"Hello."},"finish_reason":"stop"}]}`, done), want: hello},
	{name: "everything and more in the last chunk", body: sse(delta(`"content":"Hel"`), `{"choices":[{"message":{"role":"assistant","content":"Hello."},"finish_reason":"stop"}]}`, done), want: hello},
	{name: "something else in the last chunk", body: sse(delta(`"content":"Hello."`), `{"choices":[{"message":{"role":"assistant","content":"Bye."},"finish_reason":"stop"}]}`, done), want: hello},
	{name: "calls again in the last chunk", body: sse(tools(`{"index":0,"id":"a","function":{"name":"get_weather","arguments":"{\"city\":\"Oslo\"}"}}`),
		`{"choices":[{"message":{"tool_calls":[{"id":"a","function":{"name":"get_weather","arguments":"{\"city\":\"Oslo\"}"}}]},"finish_reason":"tool_calls"}]}`, done), want: one},
	{name: "images alone", body: sse(delta(`"content":"","images":[{"type":"image_url"}]`), finish("stop"), done), want: model.Turn{Reason: model.Stop, Media: true}},
	{name: "max_tokens", body: sse(delta(`"content":"Hello."`), finish("MAX_TOKENS"), done), want: model.Turn{Text: "Hello.", Reason: model.Length}},
	{name: "model_length", body: sse(delta(`"content":"Hello."`), finish("model_length"), done), want: model.Turn{Text: "Hello.", Reason: model.Length}},
	{name: "safety", body: sse(delta(`"content":"Hello."`), finish("SAFETY"), done), want: model.Turn{Text: "Hello.", Reason: model.Refusal}},
	{name: "no resources", body: sse(delta(`"content":"Hel"`), finish("insufficient_system_resource"), done), fault: "ended the answer early; ask again (insufficient_system_resource)"},
	{name: "aborted", body: sse(delta(`"content":"Hel"`), finish("abort"), done), fault: "ended the answer early; ask again (abort)"},
	{name: "ended by an error", body: sse(delta(`"content":"Hel"`), finish("error"), done), fault: "ended the answer early; ask again (error)"},
	{name: "a call that cannot be read", body: sse(delta(`"content":""`), finish("function_call_filter: MALFORMED_FUNCTION_CALL"), done), fault: "MALFORMED_FUNCTION_CALL"},
	{name: "an error in a choice", body: sse(delta(`"content":"Hel"`), `{"choices":[{"index":0,"delta":{"content":""},"error":{"code":502,"message":"upstream gone"},"finish_reason":"error"}]}`, done), fault: "upstream gone"},
	{name: "a second choice ignored", body: sse(`{"choices":[{"index":1,"delta":{"content":"Ghost"}}]}`, delta(`"content":"Hello."`), finish("stop"), done), want: hello},
	{name: "an odd field spoils no other", body: sse(`{"id":7,"usage":"none","choices":[{"delta":{"content":"Hello."},"logprobs":3}]}`, finish("stop"), done), want: hello},
	{name: "chunks without choices", body: sse(`{"prompt_filter_results":[]}`, `{"choices":[]}`, delta(`"content":"Hello."`), finish("stop"), done), want: hello},
	{name: "an unknown finish reason", body: sse(delta(`"content":"Hello."`), finish("eos"), done), want: hello},
	{name: "one JSON answer", body: ` {"choices":[{"message":{"role":"assistant","content":"Hello."},"finish_reason":"stop"}],"usage":{"prompt_tokens":1,"completion_tokens":2}}`,
		want: model.Turn{Text: "Hello.", Reason: model.Stop, Usage: model.Usage{Input: 1, Output: 2}}},
	{name: "one JSON answer with a call", body: `{"choices":[{"message":{"content":null,"tool_calls":[{"id":"a","function":{"name":"get_weather","arguments":"{\"city\":\"Oslo\"}"}}]},"finish_reason":"tool_calls"}]}`, want: one},

	{name: "a call in pieces", body: sse(tools(`{"index":0,"id":"a","type":"function","function":{"name":"get_weather","arguments":""}}`),
		tools(`{"index":0,"function":{"arguments":"{\"city\":"}}`), tools(`{"index":0,"function":{"arguments":"\"Oslo\"}"}}`), finish("tool_calls"), done), want: one},
	{name: "stop with a call", body: sse(tools(`{"index":0,"id":"a","function":{"name":"get_weather","arguments":"{\"city\":\"Oslo\"}"}}`), finish("stop"), done), want: one},
	{name: "arguments as an object", body: sse(tools(`{"index":0,"id":"a","function":{"name":"get_weather","arguments":{"city":"Oslo"}}}`), finish("tool_calls"), done), want: one},
	{name: "index in a string", body: sse(tools(`{"index":"0","id":"a","function":{"name":"get_weather","arguments":"{\"city\":\"Oslo\"}"}}`),
		tools(`{"index":"1","id":"b","function":{"name":"get_weather","arguments":"{\"city\":\"Rome\"}"}}`), finish("tool_calls"), done), want: two},
	{name: "two calls interleaved", body: sse(tools(`{"index":0,"id":"a","function":{"name":"get_weather"}},{"index":1,"id":"b","function":{"name":"get_weather"}}`),
		tools(`{"index":1,"function":{"arguments":"{\"city\":\"Rome\"}"}},{"index":0,"function":{"arguments":"{\"city\":\"Oslo\"}"}}`), finish("tool_calls"), done), want: two},
	{name: "no index", body: sse(tools(`{"id":"a","function":{"name":"get_weather","arguments":"{\"city\":"}}`), tools(`{"function":{"arguments":"\"Oslo\"}"}}`),
		tools(`{"id":"b","function":{"name":"get_weather","arguments":"{\"city\":\"Rome\"}"}}`), finish("tool_calls"), done), want: two},
	{name: "no index, ids repeated", body: sse(tools(`{"id":"a","function":{"name":"get_weather","arguments":"{\"city\":"}}`), tools(`{"id":"a","function":{"arguments":"\"Oslo\"}"}}`),
		tools(`{"id":"b","function":{"name":"get_weather","arguments":"{\"city\":"}}`), tools(`{"id":"b","function":{"arguments":"\"Rome\"}"}}`), finish("tool_calls"), done), want: two},
	{name: "the same index for two ids", body: sse(tools(`{"index":0,"id":"a","function":{"name":"get_weather","arguments":"{\"city\":\"Oslo\"}"}}`),
		tools(`{"index":0,"id":"b","function":{"name":"get_weather","arguments":"{\"city\":\"Rome\"}"}}`), finish("tool_calls"), done), want: two},
	{name: "the same index for two ids, in pieces", body: sse(tools(`{"index":0,"id":"a","function":{"name":"get_weather","arguments":""}}`), tools(`{"index":0,"function":{"arguments":"{\"city\":\"Oslo\"}"}}`),
		tools(`{"index":0,"id":"b","function":{"name":"get_weather","arguments":""}}`), tools(`{"index":0,"function":{"arguments":"{\"city\":\"Rome\"}"}}`), finish("tool_calls"), done), want: two},
	{name: "neither index nor id", body: sse(tools(`{"function":{"name":"get_weather","arguments":"{\"city\":\"Oslo\"}"}}`), tools(`{"function":{"name":"get_weather","arguments":"{\"city\":\"Rome\"}"}}`), finish("tool_calls"), done), want: unnamed2},
	{name: "the same index without ids", body: sse(tools(`{"index":0,"id":"","function":{"name":"get_weather","arguments":"{\"city\":\"Oslo\"}"}},{"index":0,"id":"","function":{"name":"get_weather","arguments":"{\"city\":\"Rome\"}"}}`), finish("stop"), done), want: unnamed2},
	{name: "the same id for two calls", body: sse(tools(`{"index":0,"id":"a","function":{"name":"get_weather","arguments":"{\"city\":\"Oslo\"}"}},{"index":1,"id":"a","function":{"name":"get_weather","arguments":"{\"city\":\"Rome\"}"}}`), finish("stop"), done),
		want: model.Turn{Calls: []model.Call{oslo("a"), rome("call_1_2")}, Reason: model.ToolCalls}},
	{name: "another id with every piece", body: sse(tools(`{"index":0,"id":"a","function":{"name":"get_weather","arguments":"{\"ci"}}`), tools(`{"index":0,"id":"x","function":{"arguments":"ty\":\"Oslo\"}"}}`), finish("tool_calls"), done), want: one},
	{name: "id missing", body: sse(tools(`{"index":0,"function":{"name":"get_weather","arguments":"{\"city\":\"Oslo\"}"}}`), finish("tool_calls"), done), want: unnamed},
	{name: "id null, arguments null", body: sse(tools(`{"index":0,"id":null,"function":{"name":"get_weather","arguments":null}}`), tools(`{"index":0,"function":{"name":null,"arguments":"{\"city\":\"Oslo\"}"}}`), finish("tool_calls"), done), want: unnamed},
	{name: "name in pieces", body: sse(tools(`{"index":0,"id":"a","function":{"name":"get_"}}`), tools(`{"index":0,"function":{"name":"weather"}}`), tools(`{"index":0,"function":{"arguments":"{\"city\":\"Oslo\"}"}}`), finish("tool_calls"), done), want: one},
	{name: "name in pieces without index", body: sse(tools(`{"function":{"name":"get_"}}`), tools(`{"function":{"name":"weather","arguments":"{\"city\":\"Oslo\"}"}}`), finish("tool_calls"), done), want: unnamed},
	{name: "name repeated", body: sse(tools(`{"index":0,"id":"a","function":{"name":"get_weather","arguments":""}}`), tools(`{"index":0,"id":"a","function":{"name":"get_weather","arguments":"{\"city\":"}}`), tools(`{"index":0,"id":"a","function":{"name":"get_weather","arguments":"\"Oslo\"}"}}`), finish("tool_calls"), done), want: one},
	{name: "the whole once more at the end", body: sse(tools(`{"index":0,"id":"a","function":{"name":"get_weather","arguments":"{\"city\":"}}`), tools(`{"index":0,"function":{"arguments":"\"Oslo\"}"}}`), tools(`{"index":0,"id":"a","function":{"name":"get_weather","arguments":"{\"city\":\"Oslo\"}"}}`), finish("tool_calls"), done), want: one},
	{name: "two calls without arguments on one index", body: sse(tools(`{"index":0,"function":{"name":"get_time"}}`), tools(`{"index":0,"function":{"name":"get_weather"}}`), finish("tool_calls"), done),
		want: model.Turn{Calls: []model.Call{{ID: "call_1_1", Name: "get_time", Arguments: json.RawMessage(`{}`)}, {ID: "call_1_2", Name: "get_weather", Arguments: json.RawMessage(`{}`)}}, Reason: model.ToolCalls}},
	{name: "a name that providers refuse", body: sse(tools(`{"index":0,"id":"a","function":{"name":"weather_now","arguments":"{}"}}`), finish("tool_calls"), done),
		want: model.Turn{Calls: []model.Call{{ID: "a", Name: "weather.now", Arguments: json.RawMessage(`{}`)}}, Reason: model.ToolCalls}},
	{name: "an invented tool", body: sse(tools(`{"index":0,"id":"a","function":{"name":"rm_rf","arguments":"{}"}}`), finish("tool_calls"), done),
		want: model.Turn{Calls: []model.Call{{ID: "a", Name: "rm_rf", Arguments: json.RawMessage(`{}`)}}, Reason: model.ToolCalls}},
	{name: "invalid arguments", body: sse(tools(`{"index":0,"id":"a","function":{"name":"get_time","arguments":"{city: Oslo"}}`), finish("tool_calls"), done),
		want: model.Turn{Calls: []model.Call{{ID: "a", Name: "get_time", Arguments: json.RawMessage(`{city: Oslo`)}}, Reason: model.ToolCalls}},

	{name: "out of tokens", body: sse(delta(`"content":"Hello."`), finish("length"), done), want: model.Turn{Text: "Hello.", Reason: model.Length}},
	{name: "out of tokens inside a call", body: sse(tools(`{"index":0,"id":"a","function":{"name":"get_weather","arguments":"{\"city\":\"Oslo\"}"}}`), tools(`{"index":1,"id":"b","function":{"name":"get_weather","arguments":"{\"ci"}}`), finish("length"), done),
		want: model.Turn{Calls: []model.Call{oslo("a")}, Reason: model.Length}},
	{name: "filtered", body: sse(delta(`"content":"Hello."`), finish("content_filter"), done), want: model.Turn{Text: "Hello.", Reason: model.Refusal}},
	{name: "refused in words", body: sse(delta(`"refusal":"I will not."`), finish("stop"), done), want: model.Turn{Text: "I will not.", Reason: model.Refusal}},

	{name: "an error in the stream", body: sse(delta(`"content":"Hel"`), `{"error":{"message":"overloaded `+key+`","code":503}}`, done), fault: "the server reports an error: overloaded [key]"},
	{name: "an error as a string", body: sse(`{"error":"no memory"}`), fault: "no memory"},
	{name: "an error without a wrapper", body: sse(`{"object":"error","message":"no such model","code":404}`), fault: "no such model"},
	{name: "an error in a list", body: `[{"error":{"message":"bad key"}}]`, fault: "bad key"},
	{name: "an error in a line of its own", body: sse(delta(`"content":"Hel"`)) + `{"error":{"message":"crashed"}}` + "\n\n", fault: "crashed"},
	{name: "an error named so", body: `error: {"code":500,"message":"slot is gone","type":"server_error"}` + "\n\n", fault: "slot is gone"},
	{name: "an error event", body: "event: error\ndata: {\"error\":{\"message\":\"boom\\n\\u001b[31m\"}}\n\n", fault: "boom [31m"},
	{name: "an error that says nothing", body: sse(`{"error":{}}`), fault: "does not say which"},
	{name: "an error with status 200", body: `{"error":{"message":"quota"}}`, fault: "quota"},

	{name: "cut before anything", body: "", fault: "cut off"},
	{name: "cut after text", body: sse(delta(`"content":"Hel"`)), fault: "cut off"},
	{name: "cut in an event", body: sse(delta(`"content":"Hel"`)) + `data: {"choices":[{"delta":{"cont`, fault: "cut off"},
	{name: "cut in a call", body: sse(tools(`{"index":0,"id":"a","function":{"name":"get_weather","arguments":"{\"ci"}}`)), fault: "cut off"},
	{name: "cut in one JSON answer", body: `{"choices":[{"message":{"content":"Hel`, fault: "cut off"},
	{name: "arguments without a call", body: sse(tools(`{"index":0,"function":{"arguments":"{}"}}`), finish("tool_calls"), done), fault: "without a call"},
	{name: "no JSON", body: sse("hello", done), fault: "no JSON"},
	{name: "another kind of answer", body: `{"status":"ok"}`, fault: "no chat completion"},
	{name: "nothing but an end", body: sse(done), fault: "no chat completion"},
	{name: "a web page", body: "<!doctype html><title>Welcome</title>", fault: "web page; check the base URL"},
	{name: "more to send back with a call than is kept", body: sse(tools(`{"index":0,"id":"a","extra_content":{"s":"`+strings.Repeat("x", wire.MaxExtra)+`"},"function":{"name":"get_weather","arguments":"{\"city\":\"Oslo\"}"}}`), finish("stop"), done), want: one},
	{name: "too many calls", body: sse(manyCalls(), finish("stop"), done), fault: "more than 128"},
	{name: "text without end", body: strings.Repeat(sse(delta(`"content":"`+strings.Repeat("x", 1<<20)+`"`)), 5), fault: "longer than 4 MiB"},
	{name: "an event without end", body: "data: {\"choices\":[" + strings.Repeat("x", 5<<20), fault: "longer than 4 MiB"},
	{name: "an event of many lines", body: strings.Repeat("data: "+strings.Repeat(" ", 1<<20)+"{\n", 5), fault: "longer than 4 MiB"},
	{name: "one JSON answer without end", body: `{"choices":"` + strings.Repeat("x", 5<<20), fault: "longer than 4 MiB"},
	{name: "arguments without end", body: sse(tools(`{"index":0,"id":"a","function":{"name":"get_time"}}`)) + strings.Repeat(sse(tools(`{"index":0,"function":{"arguments":"`+strings.Repeat("x", 1<<20)+`"}}`)), 5), fault: "longer than 4 MiB"},
}

func manyCalls() string {
	var b strings.Builder
	for i := range 200 {
		fmt.Fprintf(&b, `,{"index":%d,"id":"c%d","function":{"name":"get_time","arguments":"{}"}}`, i, i)
	}
	return tools(b.String()[1:])
}

func TestDeviations(t *testing.T) {
	for _, test := range deviations {
		t.Run(test.name, func(t *testing.T) { dialect.Answer(t, test.body, test.want, test.fault) })
	}
}

var dialect = modeltest.Dialect{
	Serve: func(t *testing.T, h http.HandlerFunc, idle time.Duration, wait func(context.Context, time.Duration) error) model.Model {
		c := serve(t, h, func(c *Config) { c.Idle = idle })
		c.line.Wait = wait
		return c
	},
	Asked: asked,
	Hello: sse(delta(`"content":"Hello."`), finish("stop"), done),
	Said:  hello,
	Begun: sse(delta(`"content":"Hel"`)),
	Call:  withCall + sse(done),
	End:   len(withCall) + len("data: "),
}

var withCall = sse(delta(`"content":"Hello."`), tools(`{"index":0,"id":"a","function":{"name":"get_weather","arguments":"{\"city\":\"Oslo\"}"}}`), finish("tool_calls"))

func TestDialect(t *testing.T) { dialect.Test(t) }

func TestErrorPages(t *testing.T) {
	for body, want := range map[string]string{
		"<html><head><title>502 Bad\nGateway &amp; more</title></head>" + strings.Repeat("<p>x", 10000): "openai:m: the server answered 403 Forbidden: 502 Bad Gateway & more; check the key in the environment",
		"<html>no title":                         "openai:m: the server answered 403 Forbidden; check the key in the environment",
		"plain words":                            "openai:m: the server answered 403 Forbidden: plain words; check the key in the environment",
		"":                                       "openai:m: the server answered 403 Forbidden; check the key in the environment",
		`{"detail":"Not allowed."}`:              "openai:m: the server answered 403 Forbidden: Not allowed; check the key in the environment",
		`{"error":{"code":1}}`:                   "openai:m: the server answered 403 Forbidden; check the key in the environment",
		strings.Repeat("y", 199) + key:           "openai:m: the server answered 403 Forbidden: " + strings.Repeat("y", 199) + "[…; check the key in the environment",
		`{"message":["` + key + `"]}`:            "openai:m: the server answered 403 Forbidden: [key]; check the key in the environment",
		"{\"error\":{\"message\":\"x\u202ey\"}}": "openai:m: the server answered 403 Forbidden: x y; check the key in the environment",
	} {
		c := serve(t, func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(http.StatusForbidden)
			io.WriteString(w, body)
		})
		if _, err := modeltest.Stream(t, c, asked); err == nil || err.Error() != want {
			t.Errorf("got  %v\nwant %s", err, want)
		}
	}
}

func TestUnreachable(t *testing.T) {
	s := httptest.NewServer(nil)
	s.Close()
	c, err := New(Config{Model: "m", BaseURL: s.URL, Key: key})
	if err != nil {
		t.Fatal(err)
	}
	c.line.Wait = func(context.Context, time.Duration) error { return nil }
	if _, err := modeltest.Stream(t, c, asked); err == nil || !strings.Contains(err.Error(), "refused") {
		t.Error(err)
	}
}

func TestNew(t *testing.T) {
	for base, want := range map[string]string{
		"localhost:11434/v1":         "no http or https",
		"ftp://h/v1":                 "no http or https",
		"https://u:" + key + "@h/v1": "keys belong in the environment",
		"https://h/v1?key=" + key:    "keys belong in the environment",
		"http://h/\x7f" + key:        "no http or https",
	} {
		if _, err := New(Config{Model: "m", BaseURL: base}); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), key) {
			t.Errorf("%s: %v", base, err)
		}
	}
	if _, err := New(Config{}); err == nil {
		t.Error("no model, no error")
	}
	c, err := New(Config{Model: "gpt-5"})
	if err != nil || c.Name() != "openai:gpt-5" || c.url != home+"/chat/completions" || !c.provider.maxCompletion {
		t.Error(c, err)
	}
}
