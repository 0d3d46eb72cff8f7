package chat

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/diptych-mcp/diptych/gateway/host"
	"github.com/diptych-mcp/diptych/gateway/model"
)

// Twelve answers of 60 KB in one turn are sent as far as the context goes, each of them, and the user is informed.
func TestContextIsKept(t *testing.T) {
	const tokens = 131_072
	var calls []model.Call
	for range 12 {
		calls = append(calls, asks("s__read", `{}`).Calls...)
	}
	m := script(model.Turn{Calls: calls, Reason: model.ToolCalls}, turnOf("ok"))
	b := openInMemory(t, Config{Model: m, Tools: dataTool(strings.Repeat("word ", 12_000), `{}`), Context: tokens})
	events := b.events(b.ask("go"))
	last := m.requests[1]
	if n := size(last); n > tokens*3 || n < tokens*2 {
		t.Errorf("%d bytes are sent for %d tokens", n, tokens)
	}
	for _, msg := range last.Messages {
		if msg.Role == model.ToolRole && !strings.Contains(msg.Parts[0].Text, "[shortened: ") {
			t.Errorf("an answer of %d bytes is not shortened as the others", len(msg.Parts[0].Text))
		}
	}
	if !strings.Contains(strings.Join(outline(events), "\n"), "notice") {
		t.Errorf("nothing is said: %v", outline(events))
	}
}

func TestOldQuestionsGoFirst(t *testing.T) {
	var messages []model.Message
	for i := range 5 {
		messages = append(messages, says(model.User, fmt.Sprint("question ", i)), says(model.Assistant, strings.Repeat("x", 1000)))
	}
	messages = append(messages, says(model.User, "now"))
	req, said := fit(model.Request{Messages: messages}, 2500)
	if len(req.Messages) != 5 || req.Messages[0].Parts[0].Text != "question 3" || said != "3 earlier questions" || size(req) > 2500 {
		t.Errorf("%d messages from %+v, %q", len(req.Messages), req.Messages[0], said)
	}
	if same, said := fit(model.Request{Messages: messages}, 1e6); len(same.Messages) != len(messages) || said != "" {
		t.Errorf("what fits is changed: %q", said)
	}
}

// A server that refuses a request for its length is asked once more with less.
func TestTooLongIsTriedWithLess(t *testing.T) {
	var sizes []int
	m := &fakeModel{turn: func(_ context.Context, n int, req model.Request, _ func(string) error) (model.Turn, error) {
		sizes = append(sizes, size(req))
		switch {
		case n == 1:
			return asks("s__read", `{}`), nil
		case n == 2:
			return model.Turn{}, errors.New("openai:m: the server answered 400 Bad Request: This model's maximum context length is 4096 tokens")
		}
		return turnOf("ok"), nil
	}}
	b := openInMemory(t, Config{Model: m, Tools: dataTool(strings.Repeat("word ", 8000), `{}`)})
	b.events(b.ask("go"))
	if len(sizes) != 3 || sizes[2] > sizes[1]*6/10 {
		t.Errorf("requests of %v bytes", sizes)
	}
	always := &fakeModel{turn: func(context.Context, int, model.Request, func(string) error) (model.Turn, error) {
		return model.Turn{}, errors.New("maximum context length exceeded")
	}}
	b = openInMemory(t, Config{Model: always, Tools: dataTool("x", `{}`)})
	b.events(b.ask("go"))
	if len(always.requests) != 2 {
		t.Errorf("%d requests", len(always.requests))
	}
}

func TestGaugeLearns(t *testing.T) {
	g := gauge{firstBytes}
	for range 20 {
		g.learn(40_000, 10_000)
	}
	if g.bytesPerToken < 3.9 || g.bytesPerToken > 4 {
		t.Errorf("%v bytes a token", g.bytesPerToken)
	}
	g.learn(10, 1)
	g.learn(1<<30, 1000)
	if g.bytesPerToken > maxBytesPerToken {
		t.Errorf("%v bytes a token", g.bytesPerToken)
	}
}

// manyTools are 500 on ten servers.
func manyTools() *fakeTools {
	f := dataTool("x", `{}`)
	f.tools = nil
	things := []string{"invoice", "weather", "station", "employee", "vehicle", "contract", "patient", "shipment", "booking", "museum"}
	verbs := []string{"list", "create", "delete", "update", "search", "count", "export", "archive", "approve", "compare"}
	for i := range 500 {
		thing, verb := things[i%10], verbs[i/10%10]
		f.tools = append(f.tools, host.Tool{Name: fmt.Sprintf("s%d__%s_%s_%d", i/50, verb, thing, i), Description: fmt.Sprintf("%s the %s records of region %d.", verb, thing, i),
			Input: json.RawMessage(`{"type":"object","properties":{"id":{"type":"string"}}}`), Hints: host.Hints{ReadOnly: true}})
	}
	return f
}

// With 500 tools a model gets those that fit, and finds the others.
func TestManyTools(t *testing.T) {
	tools := manyTools()
	m := script(asks(findTools, `{"query":"approve patients of region 86"}`), asks("s1__approve_patient_86", `{}`), turnOf("ok"))
	b := openInMemory(t, Config{Model: m, Tools: tools})
	b.want(b.ask("Which museums are there in region 9?"), "notice", "call find_tools answered", "call s1__approve_patient_86 running", "call s1__approve_patient_86 answered",
		"text ok", "done answered")
	for i, req := range m.requests {
		has := func(name string) bool {
			for _, tool := range req.Tools {
				if tool.Name == name {
					return true
				}
			}
			return false
		}
		if len(req.Tools) > defaultToolsMax || !has(findTools) || !has("s0__list_museum_9") || has("s1__approve_patient_86") != (i > 0) {
			t.Errorf("request %d has %d tools", i, len(req.Tools))
		}
	}
	few := script(turnOf("ok"))
	b = openInMemory(t, Config{Model: few, Tools: dataTool("x", panel)})
	b.events(b.ask("go"))
	for _, tool := range few.requests[0].Tools {
		if tool.Name == findTools {
			t.Error("few tools need no search")
		}
	}
}

// The right tool is among the 32 best for nearly every question.
func TestRankRecall(t *testing.T) {
	all := offered(manyTools().tools)
	found, asked := 0, 0
	for i := 0; i < len(all); i += 5 {
		asked++
		parts := strings.Split(all[i].Name, "_")
		query := fmt.Sprintf("Please %s all %ss in region %s for me", parts[2], parts[3], parts[4])
		for _, s := range rank(all, query)[:32] {
			if s.tool.Name == all[i].Name {
				found++
				break
			}
		}
	}
	if asked != 100 || found < 95 {
		t.Errorf("%d of %d", found, asked)
	}
}
