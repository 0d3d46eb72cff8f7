package anthropic

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/diptych-mcp/diptych/gateway/model"
)

const key = "sk-ant-very-secret-0123456789"

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

// stream runs a request and checks that the deltas are the text of the turn.
func stream(t *testing.T, c *Client, req model.Request) (model.Turn, error) {
	t.Helper()
	var text strings.Builder
	turn, err := c.Stream(t.Context(), req, func(d model.Delta) error {
		text.WriteString(d.Text)
		return nil
	})
	if err == nil && text.String() != turn.Text {
		t.Errorf("deltas %q, turn %q", text.String(), turn.Text)
	}
	if err != nil {
		if turn.Text != "" || turn.Calls != nil || turn.Reason != "" {
			t.Errorf("an error came with a turn: %+v", turn)
		}
		if strings.Contains(err.Error(), key) || strings.ContainsAny(err.Error(), "\r\n\x1b") || len(err.Error()) > 700 {
			t.Errorf("error leaks the key or is no short line: %q", err)
		}
	}
	return turn, err
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
	{name: "something behind message_stop", body: sse(start, block(0, text), delta(0, hel), delta(0, lo), end("end_turn"), stop, delta(0, hel)), want: hello},
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
	{name: "an error behind a 200", body: `{"type":"error","error":{"message":"quota"}}`, fault: "quota"},

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
		t.Run(test.name, func(t *testing.T) {
			for _, size := range []int{11, len(test.body)} {
				if size < len(test.body) && len(test.body) > 4<<10 {
					continue
				}
				c := serve(t, func(w http.ResponseWriter, r *http.Request) {
					w.Header().Set("Content-Type", "text/event-stream")
					for rest := test.body; rest != ""; {
						n := min(size, len(rest))
						io.WriteString(w, rest[:n])
						http.NewResponseController(w).Flush()
						rest = rest[n:]
					}
				})
				got, err := stream(t, c, asked)
				if test.fault != "" {
					if err == nil || !strings.Contains(err.Error(), test.fault) {
						t.Fatalf("in writes of %d: got %+v, %v; want an error with %q", size, got, err, test.fault)
					}
					continue
				}
				if err != nil {
					t.Fatalf("in writes of %d: %v", size, err)
				}
				if d := cmp.Diff(test.want, got); d != "" {
					t.Fatalf("in writes of %d (-want +got):\n%s", size, d)
				}
			}
		})
	}
}

// A connection that breaks anywhere before the end is an error, whatever came before.
func TestEveryCutIsAnError(t *testing.T) {
	whole := sse(start, block(0, text), delta(0, hel), delta(0, lo), closed(0), block(1, use), delta(1, oslo1), delta(1, oslo2), closed(1), end("tool_use"), stop)
	var at atomic.Int64
	c := serve(t, func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, whole[:at.Load()])
		http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	})
	for i := 1; i < len(whole)-2; i += 5 {
		at.Store(int64(i))
		if turn, err := stream(t, c, asked); err == nil {
			t.Fatalf("cut at %d of %d: %+v", i, len(whole), turn)
		}
	}
}

func TestRetries(t *testing.T) {
	answer := sse(start, block(0, text), delta(0, hel), delta(0, lo), closed(0), end("end_turn"), stop)
	tests := []struct {
		name   string
		status []int
		after  string
		want   int // requests
		waits  []time.Duration
		fault  string
	}{
		{name: "busy once", status: []int{429}, after: "3", want: 2, waits: []time.Duration{3 * time.Second}},
		{name: "overloaded twice", status: []int{529, 500}, after: "0.5", want: 3, waits: []time.Duration{time.Second / 2, time.Second / 2}},
		{name: "overloaded for good", status: []int{529, 529, 529, 529}, after: "1", want: 3, waits: []time.Duration{time.Second, time.Second}, fault: "the server answered 529: busy [key]; try again in 1s"},
		{name: "busy for an hour", status: []int{429}, after: "3600", want: 1, fault: "429 Too Many Requests: busy [key]; try again in 1h0m0s"},
		{name: "a bad key", status: []int{401}, want: 1, fault: "401 Unauthorized: busy [key]; check the key in the environment"},
		{name: "a bad request", status: []int{400}, want: 1, fault: "400 Bad Request: busy [key]"},
		{name: "a redirect", status: []int{307}, want: 1, fault: "307 Temporary Redirect"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var requests atomic.Int64
			c := serve(t, func(w http.ResponseWriter, r *http.Request) {
				body, _ := io.ReadAll(r.Body)
				if r.Header.Get("Authorization") != "Bearer "+key || !json.Valid(body) {
					t.Errorf("request without key or body: %q", body)
				}
				n := int(requests.Add(1))
				w.Header().Set("Content-Type", "text/event-stream")
				if n > len(test.status) {
					io.WriteString(w, answer)
					return
				}
				w.Header().Set("Location", "/elsewhere")
				w.Header().Set("Retry-After", test.after)
				w.WriteHeader(test.status[n-1])
				io.WriteString(w, `{"type":"error","error":{"type":"x","message":"busy `+key+`."}}`)
			})
			var waits []time.Duration
			c.line.Wait = func(ctx context.Context, d time.Duration) error {
				waits = append(waits, d)
				return nil
			}
			got, err := stream(t, c, asked)
			if int(requests.Load()) != test.want {
				t.Errorf("%d requests, want %d", requests.Load(), test.want)
			}
			if d := cmp.Diff(test.waits, waits); d != "" {
				t.Errorf("waits (-want +got):\n%s", d)
			}
			if test.fault != "" {
				if err == nil || !strings.Contains(err.Error(), test.fault) {
					t.Errorf("got %v, want %q", err, test.fault)
				}
			} else if d := cmp.Diff(hello, got); d != "" || err != nil {
				t.Errorf("%v (-want +got):\n%s", err, d)
			}
		})
	}
}

func TestErrorPage(t *testing.T) {
	c := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusForbidden)
		io.WriteString(w, "<html><title>403\nblocked</title>"+strings.Repeat("<p>x", 10000))
	})
	want := "anthropic:m: the server answered 403 Forbidden: 403 blocked; check the key in the environment"
	if _, err := stream(t, c, asked); err == nil || err.Error() != want {
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
	if _, err := stream(t, c, asked); err == nil || requests.Load() != 1 {
		t.Errorf("%d requests, error %v", requests.Load(), err)
	}
}

func TestSilence(t *testing.T) {
	for name, first := range map[string]string{"before the headers": "", "in the stream": sse(start, block(0, text), delta(0, hel))} {
		t.Run(name, func(t *testing.T) {
			c := serve(t, func(w http.ResponseWriter, r *http.Request) {
				io.Copy(io.Discard, r.Body)
				if first != "" {
					io.WriteString(w, first)
					http.NewResponseController(w).Flush()
				}
				<-r.Context().Done()
			}, func(c *Config) { c.Idle = 50 * time.Millisecond })
			if _, err := stream(t, c, asked); err == nil || !strings.Contains(err.Error(), "sent nothing for 50ms") {
				t.Error(err)
			}
		})
	}
}

func TestStop(t *testing.T) {
	c := serve(t, func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		io.WriteString(w, sse(start, block(0, text), delta(0, hel)))
		http.NewResponseController(w).Flush()
		<-r.Context().Done()
	})
	ctx, cancel := context.WithCancel(t.Context())
	_, err := c.Stream(ctx, asked, func(model.Delta) error { cancel(); return nil })
	if !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	full := errors.New("disk full")
	if _, err := c.Stream(t.Context(), asked, func(model.Delta) error { return full }); err != full {
		t.Error(err)
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
	if _, err := stream(t, c, asked); err != nil {
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
