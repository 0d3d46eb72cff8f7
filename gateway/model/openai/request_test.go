package openai

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/diptych-mcp/diptych/gateway/model"
	"github.com/diptych-mcp/diptych/gateway/model/internal/wire"
	"github.com/diptych-mcp/diptych/gateway/model/modeltest"
)

// conversation has something of everything that a model may read.
var conversation = model.Request{
	System:    "Be brief.",
	MaxTokens: 100,
	Messages: []model.Message{
		{Role: model.User, Parts: []model.Part{{Text: "Look:"}, {MIMEType: "image/png", Data: []byte("png")}, {MIMEType: "audio/ogg", Data: make([]byte, 40<<10)}}},
		{Role: model.Assistant, Parts: []model.Part{{Text: "I look."}}, Calls: []model.Call{
			{ID: "a", Name: "weather.now", Arguments: json.RawMessage(`{"n":9007199254740993}`)},
			{ID: "b", Name: "gone.tool", Arguments: json.RawMessage(`{oops`)},
		}},
		{Role: model.ToolRole, CallID: "a", Parts: []model.Part{{Text: "17"}, {Text: "degrees"}, {MIMEType: "image/png", Data: []byte("png")}}},
		{Role: model.ToolRole, CallID: "b", Failed: true, Parts: []model.Part{{Text: "no such tool"}}},
		{Role: model.User, Parts: []model.Part{{Text: "Go on."}}},
	},
	Tools: []model.Tool{{Name: "weather.now", Description: "The weather.", Parameters: json.RawMessage(`{"type":"object","properties":{"z":{},"a":{}}}`)}, {Name: "bare"}},
}

func TestRequest(t *testing.T) {
	for _, images := range []bool{false, true} {
		var got []byte
		var path string
		c := serve(t, func(w http.ResponseWriter, r *http.Request) {
			got, _ = io.ReadAll(r.Body)
			path = r.URL.Path
			io.WriteString(w, sse(delta(`"content":"Hello."`), finish("stop"), done))
		}, func(c *Config) { c.Images = images })
		if _, err := modeltest.Stream(t, c, conversation); err != nil {
			t.Fatal(err)
		}
		first := `"Look:\n[image: image/png, 3 bytes]\n[audio: audio/ogg, 40 KB]"`
		shown := ``
		if images {
			first = `[{"type":"text","text":"Look:"},{"type":"image_url","image_url":{"url":"data:image/png;base64,cG5n"}},{"type":"text","text":"[audio: audio/ogg, 40 KB]"}]`
			shown = `{"role":"user","content":[{"type":"text","text":"[image: image/png, 3 bytes] of call a:"},{"type":"image_url","image_url":{"url":"data:image/png;base64,cG5n"}}]},`
		}
		want := `{"model":"m","messages":[{"role":"system","content":"Be brief."},{"role":"user","content":` + first + `},` +
			`{"role":"assistant","content":"I look.","tool_calls":[{"id":"a","type":"function","function":{"name":"weather_now","arguments":"{\"n\":9007199254740993}"}},` +
			`{"id":"b","type":"function","function":{"name":"gone_tool","arguments":"{}"}}]},` +
			`{"role":"tool","content":"17\ndegrees\n[image: image/png, 3 bytes]","tool_call_id":"a"},{"role":"tool","content":"Error: no such tool","tool_call_id":"b"},` + shown +
			`{"role":"user","content":"Go on."}],"tools":[{"type":"function","function":{"name":"weather_now","description":"The weather.","parameters":{"type":"object","properties":{"z":{},"a":{}}}}},` +
			`{"type":"function","function":{"name":"bare","parameters":{"type":"object","properties":{}}}}],"stream":true,"stream_options":{"include_usage":true},"max_tokens":100}`
		if d := cmp.Diff(strings.Split(want, "},"), strings.Split(string(got), "},")); d != "" || path != "/v1/chat/completions" {
			t.Errorf("%s (-want +got):\n%s", path, d)
		}
	}
}

func TestWhatOnlySomeServersTake(t *testing.T) {
	c, err := New(Config{Model: "m", Audio: true})
	if err != nil {
		t.Fatal(err)
	}
	b := c.body(model.Request{MaxTokens: 5, Messages: []model.Message{{Role: model.User, Parts: []model.Part{{MIMEType: "audio/mpeg", Data: []byte("mp3")}}}}}, wire.NewNames(nil))
	got, err := json.Marshal(b)
	want := `{"model":"m","messages":[{"role":"user","content":[{"type":"input_audio","input_audio":{"data":"bXAz","format":"mp3"}}]}],"stream":true,"stream_options":{"include_usage":true},"max_completion_tokens":5}`
	if d := cmp.Diff(want, string(got)); d != "" || err != nil {
		t.Error(d, err)
	}
}

func TestSignatureGoesBack(t *testing.T) {
	const signature = `{"google":{"thought_signature":"c2ln"}}`
	for name, pieces := range map[string][]string{
		"at once":              {`{"index":0,"id":"a","type":"function","extra_content":` + signature + `,"function":{"name":"get_weather","arguments":"{}"}}`},
		"with the first piece": {`{"index":0,"id":"a","extra_content":` + signature + `,"function":{"name":"get_weather","arguments":"{"}}`, `{"index":0,"extra_content":null,"function":{"arguments":"}"}}`},
		"after the arguments":  {`{"index":0,"id":"a","function":{"name":"get_weather","arguments":"{}"}}`, `{"index":0,"extra_content":` + signature + `,"function":{}}`},
	} {
		t.Run(name, func(t *testing.T) {
			var got []byte
			c := serve(t, func(w http.ResponseWriter, r *http.Request) {
				got, _ = io.ReadAll(r.Body)
				var events []string
				for _, p := range pieces {
					events = append(events, tools(p))
				}
				io.WriteString(w, sse(append(events, finish("tool_calls"), done)...))
			})
			req := model.Request{Messages: []model.Message{{Role: model.User, Parts: []model.Part{{Text: "Go."}}}}, Tools: []model.Tool{{Name: "get_weather"}}}
			turn, err := modeltest.Stream(t, c, req)
			if err != nil || len(turn.Calls) != 1 {
				t.Fatal(turn, err)
			}
			req.Messages = append(req.Messages, model.Message{Role: model.Assistant, Calls: turn.Calls}, model.Message{Role: model.ToolRole, CallID: "a"})
			if _, err := modeltest.Stream(t, c, req); err != nil {
				t.Fatal(err)
			}
			want := `"tool_calls":[{"id":"a","type":"function","function":{"name":"get_weather","arguments":"{}"},"extra_content":` + signature + `}]`
			if !strings.Contains(string(got), want) {
				t.Errorf("sent %s", got)
			}
		})
	}
}
