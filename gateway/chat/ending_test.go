package chat

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/diptych-mcp/diptych/gateway/host"
	"github.com/diptych-mcp/diptych/gateway/model"
)

// An answer that is none says so.
func TestNothingSaid(t *testing.T) {
	for name, c := range map[string]struct {
		turns []model.Turn
		want  string
	}{
		"nothing":              {[]model.Turn{{Reason: model.Stop}}, "The model said nothing."},
		"white space":          {[]model.Turn{turnOf(" \n")}, "The model said nothing."},
		"nothing after a call": {[]model.Turn{asks("s__read", `{}`), {Reason: model.Stop}}, "The model said nothing."},
		"reasoning alone":      {[]model.Turn{{Reasoning: "Hm.", Reason: model.Stop}}, "The model reasoned and then said nothing."},
		"images alone":         {[]model.Turn{{Media: true, Reason: model.Stop}}, "images or audio alone"},
		"a call as text":       {[]model.Turn{turnOf("<tool_call>\n{\"name\":\"s__read\"}</tool_call>")}, "wrote a tool call as text"},
	} {
		t.Run(name, func(t *testing.T) {
			b := openInMemory(t, Config{Model: script(c.turns...), Tools: dataTool("x", `{}`)})
			events := b.events(b.ask("go"))
			if fault, ok := events[len(events)-2].(*Error); !ok || fault.Fault != ModelFault || !strings.Contains(fault.Message, c.want) {
				t.Errorf("%v: %+v", outline(events), events[len(events)-2])
			}
		})
	}
	b := openInMemory(t, Config{Model: script(turnOf("Write <tool_call> before it.")), Tools: dataTool("x", panel)})
	b.want(b.ask("go"), "text Write <tool_call> before it.", "done answered")
}

// A run that was stopped while a tool worked leaves a conversation that every model's server takes.
func TestAskAfterAStop(t *testing.T) {
	began := make(chan struct{})
	tools := dataTool("", panel)
	tools.call = func(ctx context.Context, _ string, _ json.RawMessage, _ host.Callbacks) (host.Result, error) {
		close(began)
		<-ctx.Done()
		return host.Result{}, ctx.Err()
	}
	m := script(asks("s__read", `{}`), turnOf("ok"))
	b := openInMemory(t, Config{Model: m, Tools: tools})
	r := b.ask("go")
	<-began
	if err := b.Stop(t.Context(), "ann", r.ID); err != nil {
		t.Fatal(err)
	}
	b.events(b.ask("again"))
	var roles []string
	for _, msg := range m.requests[1].Messages {
		roles = append(roles, string(msg.Role))
	}
	if got := strings.Join(roles, " "); got != "user assistant tool assistant user" {
		t.Errorf("the model reads %s", got)
	}
}

// An event says what the run waits for.
func TestWaitIsTold(t *testing.T) {
	m := &waitingModel{}
	b := openInMemory(t, Config{Model: m, Tools: dataTool("x", panel)})
	for _, e := range b.events(b.ask("go")) {
		if n, ok := e.(*Notice); ok && n.Message == "The model's server asks to come again later (429 Too Many Requests); trying again in 12s." {
			return
		}
	}
	t.Error("nothing was told")
}

type waitingModel struct{}

func (*waitingModel) Name() string { return "waiting" }

func (*waitingModel) Stream(_ context.Context, _ model.Request, emit func(model.Delta) error) (model.Turn, error) {
	err := emit(model.Delta{Wait: &model.Wait{Why: "429 Too Many Requests", For: 12 * time.Second}})
	return turnOf("ok"), err
}

// Reasoning goes back within the run, and never into the next.
func TestReasoningStaysInItsRun(t *testing.T) {
	first := asks("s__read", `{}`)
	first.Reasoning = "Hm."
	m := script(first, turnOf("ok"))
	b := openInMemory(t, Config{Model: m, Tools: dataTool("x", panel)})
	b.events(b.ask("go"))
	b.events(b.ask("again"))
	var got []string
	for _, req := range m.requests {
		line := ""
		for _, msg := range req.Messages {
			line += msg.Reasoning
		}
		got = append(got, line)
	}
	if strings.Join(got, "|") != "|Hm.|" {
		t.Errorf("reasoning by request: %q", got)
	}
}
