package anthropic

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/diptych-mcp/diptych/gateway/model"
	"github.com/diptych-mcp/diptych/gateway/model/modeltest"
)

const key = modeltest.Key

var asked = model.Request{
	Messages: []model.Message{{Role: model.User, Parts: []model.Part{{Text: "Weather in Oslo?"}}}},
	Tools: []model.Tool{
		{Name: "get_weather", Parameters: json.RawMessage(`{"type":"object"}`)},
		{Name: "weather.now", Parameters: json.RawMessage(`{"type":"object"}`)},
	},
}

// serve starts a server that plays h and returns a client for it that does not wait between tries.
func serve(t *testing.T, h http.HandlerFunc, change ...func(*Config)) *Client {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	config := Config{Model: "m", BaseURL: s.URL + "/", Key: key, Transport: s.Client().Transport}
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

// sse is a stream of events, each under the name of its type.
func sse(events ...string) string {
	var b strings.Builder
	for _, e := range events {
		var typed struct{ Type string }
		if json.Unmarshal([]byte(e), &typed) != nil {
			typed.Type = "message_delta"
		}
		fmt.Fprintf(&b, "event: %s\ndata: %s\n\n", typed.Type, e)
	}
	return b.String()
}

const (
	start = `{"type":"message_start","message":{"id":"m","type":"message","role":"assistant","content":[],"model":"m","stop_reason":null,"usage":{"input_tokens":7,"output_tokens":1}}}`
	stop  = `{"type":"message_stop"}`
)

func block(index int, fields string) string {
	return fmt.Sprintf(`{"type":"content_block_start","index":%d,"content_block":{%s}}`, index, fields)
}
func delta(index int, fields string) string {
	return fmt.Sprintf(`{"type":"content_block_delta","index":%d,"delta":{%s}}`, index, fields)
}
func closed(index int) string {
	return fmt.Sprintf(`{"type":"content_block_stop","index":%d}`, index)
}
func end(reason string) string {
	return `{"type":"message_delta","delta":{"stop_reason":"` + reason + `","stop_sequence":null},"usage":{"output_tokens":2}}`
}

const (
	text  = `"type":"text","text":""`
	hel   = `"type":"text_delta","text":"Hel"`
	lo    = `"type":"text_delta","text":"lo."`
	use   = `"type":"tool_use","id":"a","name":"get_weather","input":{}`
	useB  = `"type":"tool_use","id":"b","name":"get_weather","input":{}`
	oslo1 = `"type":"input_json_delta","partial_json":"{\"city\":"`
	oslo2 = `"type":"input_json_delta","partial_json":"\"Oslo\"}"`
	rome  = `"type":"input_json_delta","partial_json":"{\"city\":\"Rome\"}"`
)

var spent = model.Usage{Input: 7, Output: 2}

func asks(id, city string) model.Call {
	return model.Call{ID: id, Name: "get_weather", Arguments: json.RawMessage(`{"city":"` + city + `"}`)}
}

func thinks(c model.Call, before string) model.Call {
	c.Extra = json.RawMessage(before)
	return c
}

const (
	firstThoughts = `[{"type":"thinking","thinking":"Hm.","signature":"x"},{"type":"redacted_thinking","data":"d"}]`
	laterThoughts = `[{"type":"thinking","thinking":"And.","signature":"y"}]`
)

var (
	hello = model.Turn{Text: "Hello.", Reason: model.Stop, Usage: spent}
	one   = model.Turn{Calls: []model.Call{asks("a", "Oslo")}, Reason: model.ToolCalls, Usage: spent}
	two   = model.Turn{Calls: []model.Call{asks("a", "Oslo"), asks("b", "Rome")}, Reason: model.ToolCalls, Usage: spent}
)

// The deviations of servers that speak Anthropic's protocol, as far as the protocol lets them.
var deviations = []struct {
	name, body string
	want       model.Turn
	fault      string
}{
	{name: "as documented", body: sse(start, block(0, text), `{"type":"ping"}`, delta(0, hel), delta(0, lo), closed(0), end("end_turn"), stop), want: hello},
	{name: "CRLF and comments", body: ": hi\r\n\r\n" + strings.ReplaceAll(sse(start, block(0, text), delta(0, hel), delta(0, lo), closed(0), end("end_turn"), stop), "\n", "\r\n") + ": bye\r\n\r\n", want: hello},
	{name: "no usage", body: sse(strings.Replace(start, `,"usage":{"input_tokens":7,"output_tokens":1}`, "", 1), block(0, text), delta(0, hel), delta(0, lo), strings.Replace(end("end_turn"), `,"usage":{"output_tokens":2}`, "", 1), stop),
		want: model.Turn{Text: "Hello.", Reason: model.Stop}},
	{name: "no message_stop", body: sse(start, block(0, text), delta(0, hel), delta(0, lo), closed(0), end("end_turn")), want: hello},
	{name: "no stop reason", body: sse(start, block(0, text), delta(0, hel), delta(0, lo), stop), want: model.Turn{Text: "Hello.", Reason: model.Stop, Usage: model.Usage{Input: 7, Output: 1}}},
	{name: "something after message_stop", body: sse(start, block(0, text), delta(0, hel), delta(0, lo), end("end_turn"), stop, delta(0, hel)), want: hello},
	{name: "text in the start of a block", body: sse(start, block(0, `"type":"text","text":"Hel"`), delta(0, lo), end("end_turn"), stop), want: hello},
	{name: "thinking ignored", body: sse(start, block(0, `"type":"thinking","thinking":""`), delta(0, `"type":"thinking_delta","thinking":"Hm."`), delta(0, `"type":"signature_delta","signature":"x"`), closed(0),
		block(1, text), delta(1, hel), delta(1, lo), end("end_turn"), stop), want: hello},
	{name: "unknown events, blocks and deltas", body: sse(start, `{"type":"news"}`, block(0, `"type":"hologram","x":1`), delta(0, `"type":"holo_delta"`), block(1, text), delta(1, hel), delta(1, lo), end("new_reason"), stop), want: hello},
	{name: "no blocks at all", body: sse(start, end("end_turn"), stop), want: model.Turn{Reason: model.Stop, Usage: spent}},
	{name: "one JSON answer", body: `{"type":"message","role":"assistant","content":[{"type":"text","text":"Hello."}],"stop_reason":"end_turn","usage":{"input_tokens":7,"output_tokens":2}}`, want: hello},
	{name: "one JSON answer with a call", body: `{"type":"message","role":"assistant","content":[{"type":"tool_use","id":"a","name":"get_weather","input":{"city":"Oslo"}}],"stop_reason":"tool_use","usage":{"input_tokens":7,"output_tokens":2}}`, want: one},

	{name: "a call in pieces", body: sse(start, block(0, use), delta(0, oslo1), delta(0, oslo2), closed(0), end("tool_use"), stop), want: one},
	{name: "thoughts before calls", body: sse(start, block(0, `"type":"thinking","thinking":"","signature":""`), delta(0, `"type":"thinking_delta","thinking":"H"`), delta(0, `"type":"thinking_delta","thinking":"m."`),
		delta(0, `"type":"signature_delta","signature":"x"`), closed(0), block(1, `"type":"redacted_thinking","data":"d"`), closed(1), block(2, use), delta(2, oslo1), delta(2, oslo2), closed(2),
		block(3, `"type":"thinking","thinking":"And.","signature":"y"`), closed(3), block(4, useB), delta(4, rome), closed(4), end("tool_use"), stop),
		want: model.Turn{Calls: []model.Call{thinks(asks("a", "Oslo"), firstThoughts), thinks(asks("b", "Rome"), laterThoughts)}, Reason: model.ToolCalls, Usage: spent}},
	{name: "thoughts in one JSON answer", body: `{"type":"message","role":"assistant","content":[{"type":"thinking","thinking":"Hm.","signature":"x"},{"type":"redacted_thinking","data":"d"},{"type":"tool_use","id":"a","name":"get_weather","input":{"city":"Oslo"}}],"stop_reason":"tool_use","usage":{"input_tokens":7,"output_tokens":2}}`,
		want: model.Turn{Calls: []model.Call{thinks(asks("a", "Oslo"), firstThoughts)}, Reason: model.ToolCalls, Usage: spent}},
	{name: "thoughts without end", body: sse(start, block(0, `"type":"thinking","thinking":""`)) + strings.Repeat(sse(delta(0, `"type":"thinking_delta","thinking":"`+strings.Repeat("x", 1<<20)+`"`)), 5), fault: "longer than 4 MiB"},
	{name: "end_turn with a call", body: sse(start, block(0, use), delta(0, oslo1), delta(0, oslo2), closed(0), end("end_turn"), stop), want: one},
	{name: "two calls", body: sse(start, block(0, use), delta(0, oslo1), delta(0, oslo2), closed(0), block(1, useB), delta(1, rome), closed(1), end("tool_use"), stop), want: two},
	{name: "two calls interleaved", body: sse(start, block(0, use), block(1, useB), delta(0, oslo1), delta(1, rome), delta(0, oslo2), end("tool_use"), stop), want: two},
	{name: "the same index for two calls", body: sse(start, block(0, use), delta(0, oslo1), delta(0, oslo2), closed(0), block(0, useB), delta(0, rome), closed(0), end("tool_use"), stop), want: two},
	{name: "no index", body: strings.ReplaceAll(sse(start, block(0, use), delta(0, oslo1), delta(0, oslo2), closed(0), block(0, useB), delta(0, rome), end("tool_use"), stop), `"index":0,`, ""), want: two},
	{name: "an index that skips", body: sse(start, block(5, use), delta(5, oslo1), delta(5, oslo2), end("tool_use"), stop), want: one},
	{name: "arguments as an object", body: sse(start, block(0, `"type":"tool_use","id":"a","name":"get_weather","input":{"city":"Oslo"}`), closed(0), end("tool_use"), stop), want: one},
	{name: "arguments as an object and in pieces", body: sse(start, block(0, `"type":"tool_use","id":"a","name":"get_weather","input":{"city":"Oslo"}`), delta(0, oslo1), delta(0, oslo2), end("tool_use"), stop), want: one},
	{name: "no arguments", body: sse(start, block(0, `"type":"tool_use","id":"a","name":"weather_now"`), delta(0, `"type":"input_json_delta","partial_json":""`), end("tool_use"), stop),
		want: model.Turn{Calls: []model.Call{{ID: "a", Name: "weather.now", Arguments: json.RawMessage(`{}`)}}, Reason: model.ToolCalls, Usage: spent}},
	{name: "id missing", body: sse(start, block(0, `"type":"tool_use","name":"get_weather","input":{"city":"Oslo"}`), end("tool_use"), stop),
		want: model.Turn{Calls: []model.Call{asks("call_1_1", "Oslo")}, Reason: model.ToolCalls, Usage: spent}},
	{name: "the same id twice", body: sse(start, block(0, `"type":"tool_use","id":"a","name":"get_weather","input":{"city":"Oslo"}`), block(1, `"type":"tool_use","id":"a","name":"get_weather","input":{"city":"Rome"}`), end("tool_use"), stop),
		want: model.Turn{Calls: []model.Call{asks("a", "Oslo"), asks("call_1_2", "Rome")}, Reason: model.ToolCalls, Usage: spent}},
	{name: "an integer past 2^53", body: sse(start, block(0, `"type":"tool_use","id":"a","name":"get_weather","input":{"n":9007199254740993}`), end("tool_use"), stop),
		want: model.Turn{Calls: []model.Call{{ID: "a", Name: "get_weather", Arguments: json.RawMessage(`{"n":9007199254740993}`)}}, Reason: model.ToolCalls, Usage: spent}},
	{name: "invalid arguments", body: sse(start, block(0, use), delta(0, oslo1), closed(0), end("tool_use"), stop),
		want: model.Turn{Calls: []model.Call{{ID: "a", Name: "get_weather", Arguments: json.RawMessage(`{"city":`)}}, Reason: model.ToolCalls, Usage: spent}},

	{name: "out of tokens", body: sse(start, block(0, text), delta(0, hel), delta(0, lo), closed(0), end("max_tokens"), stop), want: model.Turn{Text: "Hello.", Reason: model.Length, Usage: spent}},
	{name: "out of tokens inside a call", body: sse(start, block(0, use), delta(0, oslo1), delta(0, oslo2), closed(0), block(1, useB), delta(1, oslo1), closed(1), end("max_tokens"), stop),
		want: model.Turn{Calls: []model.Call{asks("a", "Oslo")}, Reason: model.Length, Usage: spent}},
	{name: "out of tokens before the arguments", body: sse(start, block(0, use), closed(0), end("max_tokens"), stop), want: model.Turn{Calls: []model.Call{}, Reason: model.Length, Usage: spent}},
	{name: "the context is full", body: sse(start, block(0, text), delta(0, hel), delta(0, lo), end("model_context_window_exceeded"), stop), want: model.Turn{Text: "Hello.", Reason: model.Length, Usage: spent}},
	{name: "refused", body: sse(start, block(0, text), delta(0, hel), delta(0, lo), end("refusal"), stop), want: model.Turn{Text: "Hello.", Reason: model.Refusal, Usage: spent}},

	{name: "an error in the stream", body: sse(start, block(0, text), delta(0, hel), `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded `+key+`"}}`, stop), fault: "the server reports an error: Overloaded [key]"},
	{name: "an error under another name", body: "event: message_delta\ndata: {\"type\":\"error\",\"error\":{\"message\":\"boom\\n\\u001b[31m\"}}\n\n", fault: "boom [31m"},
	{name: "an error that says nothing", body: "event: error\ndata: {}\n\n", fault: "does not say which"},
	{name: "an error with status 200", body: `{"type":"error","error":{"message":"quota"}}`, fault: "quota"},

	{name: "cut before anything", body: "", fault: "cut off"},
	{name: "cut after text", body: sse(start, block(0, text), delta(0, hel), delta(0, lo), closed(0)), fault: "cut off"},
	{name: "cut in an event", body: sse(start, block(0, text), delta(0, hel)) + `event: content_block_delta` + "\n" + `data: {"type":"content_bl`, fault: "cut off"},
	{name: "cut in a call", body: sse(start, block(0, use), delta(0, oslo1)), fault: "cut off"},
	{name: "cut in one JSON answer", body: `{"type":"message","content":[{"type":"te`, fault: "cut off"},
	{name: "arguments without a call", body: sse(start, block(0, text), delta(0, oslo1), end("tool_use"), stop), fault: "without a call"},
	{name: "no JSON", body: sse(start, "hello", stop), fault: "no JSON"},
	{name: "another kind of answer", body: `{"status":"ok"}`, fault: "no message"},
	{name: "a web page", body: "<!doctype html><title>Welcome</title>", fault: "web page; check the base URL"},
	{name: "too many calls", body: sse(start) + strings.Repeat(sse(block(0, use)), 200) + sse(end("tool_use"), stop), fault: "more than 128"},
	{name: "text without end", body: sse(start, block(0, text)) + strings.Repeat(sse(delta(0, `"type":"text_delta","text":"`+strings.Repeat("x", 1<<20)+`"`)), 5), fault: "longer than 4 MiB"},
	{name: "arguments without end", body: sse(start, block(0, use)) + strings.Repeat(sse(delta(0, `"type":"input_json_delta","partial_json":"`+strings.Repeat("x", 1<<20)+`"`)), 5), fault: "longer than 4 MiB"},
	{name: "one JSON answer without end", body: `{"type":"` + strings.Repeat("x", 5<<20), fault: "longer than 4 MiB"},
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
	Hello: sse(start, block(0, text), delta(0, hel), delta(0, lo), closed(0), end("end_turn"), stop),
	Said:  hello,
	Begun: sse(start, block(0, text), delta(0, hel)),
	Call:  withCall,
	End:   len(withCall) - len("\n\n"),
}

var withCall = sse(start, block(0, text), delta(0, hel), delta(0, lo), closed(0), block(1, use), delta(1, oslo1), delta(1, oslo2), closed(1), end("tool_use"), stop)

func TestDialect(t *testing.T) { dialect.Test(t) }

func TestErrorPage(t *testing.T) {
	c := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusForbidden)
		io.WriteString(w, "<html><title>403\nblocked</title>"+strings.Repeat("<p>x", 10000))
	})
	want := "anthropic:m: the server answered 403 Forbidden: 403 blocked; check the key in the environment"
	if _, err := modeltest.Stream(t, c, asked); err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}

func TestNoRetryAfterTheFirstDelta(t *testing.T) {
	var requests atomic.Int64
	c := serve(t, func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		io.WriteString(w, sse(start, block(0, text), delta(0, hel)))
		http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	})
	if _, err := modeltest.Stream(t, c, asked); err == nil || requests.Load() != 1 {
		t.Errorf("%d requests, error %v", requests.Load(), err)
	}
}

// Keys come from the caller alone: what the environment holds for other programs is not picked up.
func TestEnvironmentIsNotRead(t *testing.T) {
	t.Setenv("ANTHROPIC_API_KEY", "sk-other")
	t.Setenv("ANTHROPIC_AUTH_TOKEN", "other")
	t.Setenv("ANTHROPIC_BASE_URL", "http://127.0.0.1:1")
	t.Setenv("ANTHROPIC_CUSTOM_HEADERS", "X-Other: 1")
	var seen http.Header
	c := serve(t, func(w http.ResponseWriter, r *http.Request) {
		seen = r.Header.Clone()
		io.WriteString(w, sse(start, end("end_turn"), stop))
	})
	if _, err := modeltest.Stream(t, c, asked); err != nil {
		t.Fatal(err)
	}
	if seen.Get("Authorization") != "Bearer "+key || seen.Get("X-Api-Key") != "" || seen.Get("X-Other") != "" || seen.Get("Traceparent") != "" {
		t.Error(seen)
	}
}

func TestNew(t *testing.T) {
	for _, c := range []Config{{}, {Model: "m", BaseURL: "localhost:80"}, {Model: "m", BaseURL: "https://h?key=" + key}} {
		if _, err := New(c); err == nil || strings.Contains(err.Error(), key) {
			t.Errorf("%+v: %v", c, err)
		}
	}
	if c, err := New(Config{Model: "claude"}); err != nil || c.Name() != "anthropic:claude" {
		t.Error(c, err)
	}
}
