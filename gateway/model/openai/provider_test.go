package openai

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/diptych-mcp/diptych/gateway/model"
	"github.com/diptych-mcp/diptych/gateway/model/internal/wire"
)

func TestProviders(t *testing.T) {
	for _, c := range []struct{ address, model, want string }{
		{"https://api.openai.com/v1", "gpt-5", "OpenAI"}, {"https://generativelanguage.googleapis.com/v1beta/openai", "gemini-3-pro", "Gemini"},
		{"http://127.0.0.1:4000/v1", "google/gemini-3-pro", "Gemini"}, {"https://api.mistral.ai/v1", "mistral-large", "Mistral"},
		{"https://api.deepseek.com", "deepseek-chat", "DeepSeek"}, {"https://dashscope-intl.aliyuncs.com/compatible-mode/v1", "qwen3", "Qwen"},
		{"https://openrouter.ai/api/v1", "x", "OpenRouter"}, {"http://127.0.0.1:11434/v1", "qwen3", "unknown"}, {"https://api.openai.com.example/v1", "x", "unknown"},
	} {
		if got := providerOf(c.address, c.model); got.name != c.want {
			t.Errorf("%s of %s: %s, want %s", c.model, c.address, got.name, c.want)
		}
	}
	if p := providerOf("http://127.0.0.1:1", "x"); p.dialect != wire.Careful {
		t.Errorf("an unknown server: %+v", p)
	}
}

// A server that refuses stream_options is asked again without, and not with it any more.
func TestStreamOptionsRefused(t *testing.T) {
	var with, without int
	c := serve(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if strings.Contains(string(body), "stream_options") {
			with++
			w.WriteHeader(http.StatusUnprocessableEntity)
			io.WriteString(w, `{"detail":[{"type":"extra_forbidden","loc":["body","stream_options"],"msg":"Extra inputs are not permitted"}]}`)
			return
		}
		without++
		io.WriteString(w, sse(delta(`"content":"Hello."`), finish("stop"), done))
	})
	for range 2 {
		if got, err := c.Stream(t.Context(), asked, func(model.Delta) error { return nil }); err != nil || got.Text != "Hello." {
			t.Errorf("%+v, %v", got, err)
		}
	}
	if with != 1 || without != 2 {
		t.Errorf("%d requests with it, %d without", with, without)
	}
	// Another fault is not asked about twice.
	requests := 0
	c = serve(t, func(w http.ResponseWriter, _ *http.Request) {
		requests++
		w.WriteHeader(http.StatusBadRequest)
		io.WriteString(w, `{"error":"no such model"}`)
	})
	if _, err := c.Stream(t.Context(), asked, func(model.Delta) error { return nil }); err == nil || requests != 1 {
		t.Errorf("%d requests, %v", requests, err)
	}
}

// Reasoning goes back in the field that it came in, beside the calls that it led to; where a provider refuses it, not.
func TestReasoningGoesBack(t *testing.T) {
	for _, c := range []struct {
		field    string
		provider provider
		want     string
	}{
		{"reasoning_content", provider{}, `"reasoning_content":"Hm."`}, {"reasoning", provider{}, `"reasoning":"Hm."`}, {"reasoning_content", provider{noReasoning: true}, ""},
	} {
		t.Run(fmt.Sprint(c.field, c.provider.noReasoning), func(t *testing.T) {
			var last string
			client := serve(t, func(w http.ResponseWriter, r *http.Request) {
				body, _ := io.ReadAll(r.Body)
				last = string(body)
				io.WriteString(w, sse(delta(`"`+c.field+`":"Hm."`), tools(`{"index":0,"id":"a","function":{"name":"get_time","arguments":"{}"}}`), finish("tool_calls"), done))
			})
			client.provider = c.provider
			turn, err := client.Stream(t.Context(), asked, func(model.Delta) error { return nil })
			if err != nil || turn.Reasoning != "Hm." {
				t.Fatalf("%+v, %v", turn, err)
			}
			req := asked
			req.Messages = append(req.Messages[:1:1], model.Message{Role: model.Assistant, Calls: turn.Calls, Reasoning: turn.Reasoning},
				model.Message{Role: model.ToolRole, CallID: "a", Parts: []model.Part{{Text: "x"}}})
			if _, err := client.Stream(t.Context(), req, func(model.Delta) error { return nil }); err != nil {
				t.Fatal(err)
			}
			if c.want == "" && strings.Contains(last, "Hm.") || !strings.Contains(last, c.want) {
				t.Errorf("sent %s", last)
			}
		})
	}
}

func TestUserAfterTool(t *testing.T) {
	c := &Client{provider: provider{noUserAfterTool: true}}
	b := c.body(model.Request{Messages: []model.Message{{Role: model.ToolRole, CallID: "a"}, {Role: model.User, Parts: []model.Part{{Text: "and?"}}}}}, wire.NewNames(nil))
	var roles []string
	for _, m := range b.Messages {
		roles = append(roles, m.Role)
	}
	if got := strings.Join(roles, " "); got != "tool assistant user" {
		t.Error(got)
	}
	if _, err := json.Marshal(b); err != nil {
		t.Error(err)
	}
}
