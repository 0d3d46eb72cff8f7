package meter_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/diptych-mcp/diptych/gateway/chat"
	"github.com/diptych-mcp/diptych/gateway/host"
	"github.com/diptych-mcp/diptych/gateway/meter"
	"github.com/diptych-mcp/diptych/gateway/model"
	"github.com/diptych-mcp/diptych/gateway/store"
	"github.com/diptych-mcp/diptych/gateway/store/sqlite"
)

// secret is in everything that somebody says.
const secret = "S3NTINEL"

// speaker says its turns one after the other; one without a reason is an error.
type speaker struct{ turns []model.Turn }

func (*speaker) Name() string { return "fake" }

func (s *speaker) Stream(_ context.Context, _ model.Request, emit func(model.Delta) error) (model.Turn, error) {
	t := s.turns[0]
	s.turns = s.turns[1:]
	if t.Reason == "" {
		return model.Turn{}, &model.Error{Kind: model.Busy, Text: secret}
	}
	if t.Text == "" {
		return t, nil
	}
	return t, emit(model.Delta{Text: t.Text})
}

type offered []host.Tool

func (o offered) Tools() []host.Tool { return o }

func (offered) Arguments(_ string, arguments json.RawMessage) (json.RawMessage, error) {
	if !json.Valid(arguments) {
		return nil, errors.New("arguments: not valid JSON " + secret)
	}
	return arguments, nil
}

// lines are the samples of the metrics that begin with one of the prefixes, sorted as they come.
func lines(t *testing.T, m *meter.Meter, prefixes ...string) []string {
	t.Helper()
	w := httptest.NewRecorder()
	m.Handler().ServeHTTP(w, httptest.NewRequest("GET", "/metrics", nil))
	body := w.Body.String()
	if w.Code != http.StatusOK || strings.Contains(body, secret) {
		t.Errorf("status %d; the metrics hold what somebody said, or nothing:\n%s", w.Code, body)
	}
	var found []string
	for line := range strings.Lines(body) {
		if slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(line, "diptych_"+p) }) {
			found = append(found, strings.TrimSpace(strings.TrimPrefix(line, "diptych_")))
		}
	}
	return found
}

// TestWholeRuns counts and traces what two runs do, with secrets in each text of users, models and tools.
func TestWholeRuns(t *testing.T) {
	spans := tracetest.NewInMemoryExporter()
	tracer := trace.NewTracerProvider(trace.WithSyncer(spans)).Tracer("test")
	m := meter.New("1", tracer)
	kept, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "x.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer kept.Close()
	watched := m.Store(kept)
	calls := func(name, arguments string) model.Turn {
		return model.Turn{Text: secret, Calls: []model.Call{{ID: "1", Name: name, Arguments: json.RawMessage(arguments)}}, Reason: model.ToolCalls, Usage: model.Usage{Input: 7, Output: 2}}
	}
	c, err := chat.New(t.Context(), chat.Config{Store: watched, Tools: m.Tools(newTools()), Begin: m.Begin, Logger: slog.New(slog.DiscardHandler), Model: m.Model(&speaker{[]model.Turn{
		calls("s__good", `{"`+secret+`":1}`), calls("s__bad", `{}`), calls(secret+"__made_up", `{}`), calls("s__good", secret), {Text: secret, Reason: model.Stop},
		{},
	}})})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	talk, err := watched.CreateConversation(t.Context(), secret, secret)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		r, err := c.Ask(t.Context(), secret, talk.ID, secret)
		if err != nil {
			t.Fatal(err)
		}
		for _, err := range c.Follow(t.Context(), secret, r.ID, 0) {
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	c.Close()

	want := []string{
		`model_errors_total{kind="busy",model="fake"} 1`,
		`model_first_text_seconds_count{model="fake"} 5`,
		`model_tokens_total{direction="input",model="fake"} 28`,
		`model_tokens_total{direction="output",model="fake"} 8`,
		`model_turn_duration_seconds_count{model="fake"} 5`,
		`runs_ended_total{reason="answered"} 1`,
		`runs_ended_total{reason="failed"} 1`,
		`runs_live 0`,
		`runs_started_total 2`,
		`store_operation_duration_seconds_count{operation="save_result"} 2`,
		`store_operation_duration_seconds_count{operation="start_run"} 2`,
		`tool_call_duration_seconds_count{server="s",tool="s__bad"} 1`,
		`tool_call_duration_seconds_count{server="s",tool="s__good"} 1`,
		`tool_calls_total{server="none",state="rejected",tool="unknown"} 1`,
		`tool_calls_total{server="s",state="answered",tool="s__good"} 1`,
		`tool_calls_total{server="s",state="failed",tool="s__bad"} 1`,
		`tool_calls_total{server="s",state="rejected",tool="s__good"} 1`,
		`tool_result_bytes_sum{server="s",tool="s__bad"} 2`,
		`tool_result_bytes_sum{server="s",tool="s__good"} 21`,
	}
	got := lines(t, m, "runs_", "tool_calls_total", "tool_call_duration_seconds_count", "tool_result_bytes_sum", "model_errors", "model_tokens",
		"model_turn_duration_seconds_count", "model_first_text_seconds_count", `store_operation_duration_seconds_count{operation="s`)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("metrics (-want +got):\n%s", diff)
	}

	// The calls and turns of a run are its children, and say no more than names and numbers.
	ended := spans.GetSpans().Snapshots()
	whole := map[string]string{} // runs, by span
	var tree []string
	for _, s := range ended {
		if s.Name() == "run" {
			whole[s.SpanContext().SpanID().String()] = fmt.Sprint(s.Status().Code)
		}
		for _, text := range []string{s.Name(), fmt.Sprint(s.Attributes()), s.Status().Description, fmt.Sprint(s.Events())} {
			if strings.Contains(text, secret) {
				t.Errorf("span %s holds what somebody said: %s", s.Name(), text)
			}
		}
	}
	for _, s := range ended {
		if s.Name() != "run" {
			tree = append(tree, whole[s.Parent().SpanID().String()]+" > "+s.Name()+" "+s.Status().Code.String())
		} else if s.Parent().IsValid() {
			t.Error("a run has a parent")
		}
	}
	wantTree := []string{"Unset > chat fake Unset", "Unset > execute_tool s__good Unset", "Unset > chat fake Unset", "Unset > execute_tool s__bad Error",
		"Unset > chat fake Unset", "Unset > chat fake Unset", "Unset > chat fake Unset", "Error > chat fake Error"}
	if diff := cmp.Diff(wantTree, tree); diff != "" {
		t.Errorf("spans (-want +got):\n%s", diff)
	}
}

// A server that always has new tools, and a model that makes them up, stay within a bound.
func TestNamesAreBounded(t *testing.T) {
	m := meter.New("1", nil)
	var tools offered
	for i := range 5000 {
		tools = append(tools, host.Tool{Name: fmt.Sprintf("s__%d", i), Server: "s"})
	}
	m.Tools(stillTools{tools})
	s := m.Store(acknowledging{})
	for i := range 6000 { // the last thousand are made up
		data, err := json.Marshal(chat.ToolCall{Tool: fmt.Sprintf("s__%d", i), State: chat.Rejected})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.AppendEvents(t.Context(), "r", store.Event{Type: "tool_call", Data: data}); err != nil {
			t.Fatal(err)
		}
	}
	got := lines(t, m, "tool_calls_total")
	if len(got) != 202 || !slices.Contains(got, `tool_calls_total{server="none",state="rejected",tool="unknown"} 1000`) ||
		!slices.Contains(got, `tool_calls_total{server="s",state="rejected",tool="other"} 4800`) {
		t.Errorf("%d series: %v", len(got), got)
	}
}

type acknowledging struct{ store.Store }

func (acknowledging) AppendEvents(_ context.Context, _ string, events ...store.Event) ([]store.Event, error) {
	return events, nil
}

func TestStoreErrors(t *testing.T) {
	m := meter.New("1", nil)
	s := m.Store(broken{})
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	for _, err := range []error{store.ErrNotFound, errors.New("disk full"), nil} {
		_, _ = s.Events(context.WithValue(t.Context(), broken{}, err), "r", 0, 1)
	}
	_, _ = s.Events(context.WithValue(gone, broken{}, gone.Err()), "r", 0, 1)
	if diff := cmp.Diff([]string{`store_errors_total{operation="events"} 1`, `store_operation_duration_seconds_count{operation="events"} 4`},
		lines(t, m, "store_errors", "store_operation_duration_seconds_count")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

type broken struct{ store.Store }

func (broken) Events(ctx context.Context, _ string, _ int64, _ int) ([]store.Event, error) {
	err, _ := ctx.Value(broken{}).(error)
	return nil, err
}

// TestHTTP counts requests by route, never by path, and streams while they are read.
func TestHTTP(t *testing.T) {
	m := meter.New("1", nil)
	inner := http.NewServeMux()
	inner.HandleFunc("GET /runs/{run}", func(w http.ResponseWriter, r *http.Request) {
		if r.PathValue("run") == "gone" {
			http.NotFound(w, r)
		}
	})
	inner.HandleFunc("GET /runs/{run}/events", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		io.WriteString(w, "data: 1\n\n")
		if err := http.NewResponseController(w).Flush(); err != nil {
			t.Error(err)
		}
		<-r.Context().Done()
	})
	outer := http.NewServeMux()
	outer.Handle("/", inner)
	handled := m.HTTP(outer)
	ended := make(chan struct{}, 10)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		handled.ServeHTTP(w, r)
		ended <- struct{}{}
	}))
	defer s.Close()
	for _, path := range []string{"/runs/1", "/runs/2", "/runs/gone", "/" + secret} {
		resp, err := http.Get(s.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		<-ended
	}
	resp, err := http.Get(s.URL + "/runs/1/events")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(resp.Body, make([]byte, 9)); err != nil {
		t.Fatal(err)
	}
	if got := lines(t, m, "event_streams_open"); !cmp.Equal(got, []string{"event_streams_open 1"}) {
		t.Error(got)
	}
	resp.Body.Close()
	<-ended
	want := []string{"event_streams_open 0",
		`http_request_duration_seconds_count{route="GET /runs/{run}",status="200"} 2`,
		`http_request_duration_seconds_count{route="GET /runs/{run}",status="404"} 1`,
		`http_request_duration_seconds_count{route="GET /runs/{run}/events",status="200"} 1`,
		`http_request_duration_seconds_count{route="none",status="404"} 1`}
	if diff := cmp.Diff(want, lines(t, m, "event_streams_open", "http_request_duration_seconds_count")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestServers(t *testing.T) {
	m := meter.New("1", nil)
	m.Servers(func() []host.Health {
		return []host.Health{{Server: "a", State: host.Up, Reached: 3, Tools: 2, Refused: make([]host.Refusal, 1)}, {Server: "b", State: host.Down, Fault: secret, Words: secret}}
	})
	want := []string{`server_connections_total{server="a"} 3`, `server_connections_total{server="b"} 0`, `server_tools_offered{server="a"} 2`, `server_tools_offered{server="b"} 0`,
		`server_tools_refused{server="a"} 1`, `server_tools_refused{server="b"} 0`, `server_up{server="a"} 1`, `server_up{server="b"} 0`}
	if diff := cmp.Diff(want, lines(t, m, "server_")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestTracesRefuse(t *testing.T) {
	for _, endpoint := range []string{"127.0.0.1:4318", "grpc://127.0.0.1:4317", "http://", "://"} {
		if _, err := meter.Traces(t.Context(), endpoint, "1"); err == nil || !strings.Contains(err.Error(), "write it as") {
			t.Errorf("%s: %v", endpoint, err)
		}
	}
}
