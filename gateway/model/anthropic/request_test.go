package anthropic

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/diptych-mcp/diptych/gateway/model"
	"github.com/diptych-mcp/diptych/gateway/model/modeltest"
)

func TestRequest(t *testing.T) {
	var got []byte
	var path string
	c := serve(t, func(w http.ResponseWriter, r *http.Request) {
		got, _ = io.ReadAll(r.Body)
		path = r.URL.Path
		io.WriteString(w, sse(start, end("end_turn"), stop))
	})
	_, err := modeltest.Stream(t, c, model.Request{
		System: "Be brief.",
		Messages: []model.Message{
			{Role: model.User, Parts: []model.Part{{Text: "Look:"}, {Text: " \n"}, {MIMEType: "image/png", Data: []byte("png")}, {MIMEType: "audio/ogg", Data: make([]byte, 40<<10)}}},
			{Role: model.Assistant, Parts: []model.Part{{Text: "I look."}}, Calls: []model.Call{
				{ID: "a", Name: "weather.now", Arguments: json.RawMessage(`{"n":9007199254740993}`)},
				{ID: "b:1", Name: "gone.tool", Arguments: json.RawMessage(`{oops`)},
			}},
			{Role: model.ToolRole, CallID: "a", Parts: []model.Part{{Text: "17"}, {MIMEType: "image/png", Data: []byte("png")}, {MIMEType: "image/tiff", Data: []byte("tiff")}}},
			{Role: model.ToolRole, CallID: "b:1", Failed: true, Parts: []model.Part{{Text: "no such tool"}}},
			{Role: model.User, Parts: []model.Part{{Text: "Go on."}}},
			{Role: model.Assistant},
		},
		Tools: []model.Tool{{Name: "weather.now", Description: "The weather.", Parameters: json.RawMessage(`{"type":"object","properties":{"z":{},"a":{}},"$defs":{"x":{}}}`)}, {Name: "bare"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	image := `{"source":{"data":"cG5n","media_type":"image/png","type":"base64"},"type":"image"}`
	want := `{"max_tokens":8192,"messages":[{"content":[{"text":"Look:","type":"text"},` + image + `,{"text":"[audio: audio/ogg, 40 KB]","type":"text"}],"role":"user"},` +
		`{"content":[{"text":"I look.","type":"text"},{"id":"a","input":{"n":9007199254740993},"name":"weather_now","type":"tool_use"},{"id":"b_1","input":{},"name":"gone_tool","type":"tool_use"}],"role":"assistant"},` +
		`{"content":[{"tool_use_id":"a","content":[{"text":"17","type":"text"},` + image + `,{"text":"[image: image/tiff, 4 bytes]","type":"text"}],"type":"tool_result"},` +
		`{"tool_use_id":"b_1","is_error":true,"content":[{"text":"no such tool","type":"text"}],"type":"tool_result"},{"text":"Go on.","type":"text"}],"role":"user"}],` +
		`"model":"m","system":[{"text":"Be brief.","type":"text"}],"tools":[{"input_schema":{"type":"object","properties":{"z":{},"a":{}},"$defs":{"x":{}}},"name":"weather_now","description":"The weather."},` +
		`{"input_schema":{"type":"object","properties":{}},"name":"bare"}],"stream":true}`
	if d := cmp.Diff(strings.Split(want, "},"), strings.Split(string(got), "},")); d != "" || path != "/v1/messages" {
		t.Errorf("%s (-want +got):\n%s", path, d)
	}
}

// TestThoughtsGoBack checks that the reasoning before each call is sent back before it.
func TestThoughtsGoBack(t *testing.T) {
	var got []byte
	c := serve(t, func(w http.ResponseWriter, r *http.Request) {
		got, _ = io.ReadAll(r.Body)
		io.WriteString(w, sse(start, end("end_turn"), stop))
	})
	_, err := modeltest.Stream(t, c, model.Request{Messages: []model.Message{
		{Role: model.User, Parts: []model.Part{{Text: "Go."}}},
		{Role: model.Assistant, Parts: []model.Part{{Text: "I look."}}, Calls: []model.Call{
			thinks(asks("a", "Oslo"), firstThoughts), thinks(asks("b", "Rome"), laterThoughts), thinks(asks("c", "Bonn"), `{"from":"another"}`)}},
		{Role: model.ToolRole, CallID: "a"}, {Role: model.ToolRole, CallID: "b"}, {Role: model.ToolRole, CallID: "c"},
	}})
	if err != nil {
		t.Fatal(err)
	}
	want := `{"content":[{"signature":"x","thinking":"Hm.","type":"thinking"},{"data":"d","type":"redacted_thinking"},{"text":"I look.","type":"text"},` +
		`{"id":"a","input":{"city":"Oslo"},"name":"get_weather","type":"tool_use"},{"signature":"y","thinking":"And.","type":"thinking"},` +
		`{"id":"b","input":{"city":"Rome"},"name":"get_weather","type":"tool_use"},{"id":"c","input":{"city":"Bonn"},"name":"get_weather","type":"tool_use"}],"role":"assistant"}`
	if !strings.Contains(string(got), want) {
		t.Errorf("sent %s", got)
	}
}
