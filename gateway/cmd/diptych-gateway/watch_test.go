package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	traced "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"
)

// secret is in everything that a user, a model or a tool says, and in every key.
const secret = "S3NTINEL"

// A process is a gateway of its own, with what it logged.
type process struct {
	url string
	cmd *exec.Cmd
	log bytes.Buffer
}

// spawn starts the test binary as the gateway and waits until it listens.
func spawn(t *testing.T, env []string, args ...string) *process {
	t.Helper()
	p := &process{cmd: exec.CommandContext(t.Context(), os.Args[0], append([]string{"--listen", "127.0.0.1:0", "--data", t.TempDir()}, args...)...)}
	p.cmd.Env = append(append(os.Environ(), variable+"=1"), env...)
	p.cmd.Stderr = &p.log
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("it does not start: %v\n%s", err, p.log.String())
	}
	p.url = strings.TrimSpace(strings.TrimPrefix(line, "Listening on "))
	return p
}

// end asks the gateway to end and waits for it.
func (p *process) end(t *testing.T) {
	t.Helper()
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := p.cmd.Wait(); err != nil {
		t.Errorf("it ended with %v\n%s", err, p.log.String())
	}
}

// ask makes a request and returns the body of its answer.
func (p *process) ask(t *testing.T, method, path, body string) string {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, p.url+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// run asks a question, waits for the end of the run and returns its conversation and what was streamed.
func (p *process) run(t *testing.T, fields string) (conversation, streamed string) {
	t.Helper()
	var run struct{ ID, Conversation string }
	if body := p.ask(t, "POST", "runs", fields); json.Unmarshal([]byte(body), &run) != nil || run.ID == "" {
		t.Fatalf("no run: %s", body)
	}
	return run.Conversation, p.ask(t, "GET", "runs/"+run.ID+"/events", "")
}

// chatter is a model's server that says one turn after the other; a turn that is no list of choices is a refusal of the key.
func chatter(t *testing.T, turns ...string) string {
	var mu sync.Mutex
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		if len(turns) == 0 {
			w.WriteHeader(http.StatusUnauthorized)
			fmt.Fprintf(w, `{"error":{"message":"the key %s is not known"}}`, r.Header.Get("Authorization"))
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprintf(w, "data: {\"choices\":[{\"index\":0,\"delta\":%s}]}\n\ndata: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n", turns[0])
		turns = turns[1:]
	}))
	t.Cleanup(s.Close)
	return s.URL
}

func calling(tool, arguments string) string {
	quoted, err := json.Marshal(arguments)
	if err != nil {
		panic(err)
	}
	return fmt.Sprintf(`{"content":"%s","tool_calls":[{"index":0,"id":"c","type":"function","function":{"name":"%s","arguments":%s}}]}`, secret, tool, quoted)
}

// toolbox is a server with a tool that answers, one that fails and one at which the connection breaks. It keeps the
// traceparent of calls.
func toolbox(t *testing.T) (url string, parents func() []string) {
	s := mcp.NewServer(&mcp.Implementation{Name: "toolbox", Version: "1"}, nil)
	add := func(name string, fails bool) {
		s.AddTool(&mcp.Tool{Name: name, InputSchema: json.RawMessage(`{"type":"object"}`), Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true}},
			func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				return &mcp.CallToolResult{IsError: fails, Content: []mcp.Content{&mcp.TextContent{Text: secret}}, StructuredContent: json.RawMessage(`{"n":"` + secret + `"}`)}, nil
			})
	}
	add("says", false)
	add("fails", true)
	add("breaks", false)
	handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, &mcp.StreamableHTTPOptions{Stateless: true})
	var mu sync.Mutex
	var kept []string
	there := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		if bytes.Contains(body, []byte(`"tools/call"`)) {
			mu.Lock()
			kept = append(kept, r.Header.Get("Traceparent"))
			mu.Unlock()
		}
		if bytes.Contains(body, []byte(`"breaks"`)) {
			panic(http.ErrAbortHandler)
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		handler.ServeHTTP(w, r)
	}))
	t.Cleanup(there.Close)
	return there.URL, func() []string {
		mu.Lock()
		defer mu.Unlock()
		return slices.Clone(kept)
	}
}

// collecting is an OTLP endpoint that keeps what it is sent.
func collecting(t *testing.T) (url string, spans func() []*traced.Span) {
	var mu sync.Mutex
	var kept []*traced.Span
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		var sent collector.ExportTraceServiceRequest
		if err != nil || r.URL.Path != "/v1/traces" || proto.Unmarshal(body, &sent) != nil || bytes.Contains(body, []byte(secret)) {
			t.Errorf("%s was sent %q (%v)", r.URL.Path, body, err)
		}
		mu.Lock()
		defer mu.Unlock()
		for _, resource := range sent.ResourceSpans {
			for _, scope := range resource.ScopeSpans {
				kept = append(kept, scope.Spans...)
			}
		}
		w.Header().Set("Content-Type", "application/x-protobuf")
	}))
	t.Cleanup(s.Close)
	return s.URL, func() []*traced.Span {
		mu.Lock()
		defer mu.Unlock()
		return slices.Clone(kept)
	}
}

// TestNobodysWords drives the gateway with a secret in each text and each key, and checks that it is in no log, no
// metric and no trace.
func TestNobodysWords(t *testing.T) {
	tools, parents := toolbox(t)
	endpoint, spans := collecting(t)
	config := filepath.Join(t.TempDir(), "servers.json")
	text := `{"mcpServers":{"box":{"url":"` + tools + `","headers":{"Authorization":"Bearer ${BOX_KEY}"}}},"allowWithoutSources":["box"]}`
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	speaker := chatter(t, calling("box__says", `{"`+secret+`":1}`), calling("box__fails", `{}`), calling(secret, `{}`), calling("box__says", secret),
		calling("box__breaks", `{"q":"`+secret+`"}`), `{"content":"It is `+secret+`."}`)
	p := spawn(t, []string{"OPENAI_API_KEY=" + secret + "key", "BOX_KEY=" + secret + "box"}, "--config", config, "--model", "openai:m", "--base-url", speaker,
		"--log", "json", "--log-level", "debug", "--traces", endpoint, "--share")
	if _, streamed := p.run(t, `{"tool":"box__says","arguments":{"`+secret+`":1}}`); !strings.Contains(streamed, `"state":"answered"`) {
		t.Errorf("by hand: %s", streamed)
	}
	talk, streamed := p.run(t, `{"text":"What is `+secret+`?"}`)
	for _, want := range []string{"It is " + secret, `"state":"answered"`, `"state":"failed"`, `"state":"rejected"`} {
		if !strings.Contains(streamed, want) {
			t.Errorf("the run did not say %s:\n%s", want, streamed)
		}
	}
	if _, streamed := p.run(t, `{"conversation":"`+talk+`","text":"`+secret+` again"}`); !strings.Contains(streamed, "is not known; check the key") {
		t.Errorf("the second run went on: %s", streamed)
	}
	p.ask(t, "POST", "conversations/"+talk+"/title", `{"title":"`+secret+`"}`)
	p.ask(t, "GET", "conversations?q="+secret, "")
	p.ask(t, "GET", "conversations/"+secret, "")
	p.ask(t, "GET", "s/"+secret, "")
	p.ask(t, "POST", "runs", `{"text":`+secret)
	metrics := p.ask(t, "GET", "metrics", "")
	p.end(t)

	log := p.log.String()
	for what, text := range map[string]string{"log": log, "metrics": metrics} {
		if at := strings.Index(text, secret); at >= 0 {
			t.Errorf("the %s says %q", what, text[max(0, at-200):at+20])
		}
	}
	messages := map[string]int{}
	for line := range strings.Lines(log) {
		var l struct{ Msg, Trace string }
		if err := json.Unmarshal([]byte(line), &l); err != nil {
			t.Errorf("no JSON: %s", line)
		}
		messages[l.Msg]++
	}
	if messages["run started"] != 3 || messages["run ended"] != 3 || messages["server is up"] == 0 {
		t.Errorf("the log says %v", messages)
	}
	for _, want := range []string{`diptych_runs_ended_total{reason="answered"}`, `diptych_runs_ended_total{reason="failed"} 1`, `diptych_runs_live 0`,
		`diptych_tool_calls_total{server="box",state="answered",tool="box__says"}`, `diptych_tool_calls_total{server="none",state="rejected",tool="unknown"} 1`,
		`diptych_model_errors_total{kind="denied",model="openai:m"} 1`, `diptych_http_request_duration_seconds_count{route="GET /runs/{run}/events",status="200"} 3`,
		`diptych_event_streams_open 0`, `diptych_server_up{server="box"}`, `diptych_store_operation_duration_seconds_count{operation="append_events"}`, "go_goroutines", "process_open_fds"} {
		if !strings.Contains(metrics, want) {
			t.Errorf("the metrics have no %s", want)
		}
	}

	names := map[string]int{}
	ids := map[string]bool{}
	for _, s := range spans() {
		names[s.Name]++
		ids[fmt.Sprintf("00-%x-%x-01", s.TraceId, s.SpanId)] = true
	}
	if diff := cmp.Diff(map[string]int{"run": 3, "chat openai:m": 7, "execute_tool box__says": 2, "execute_tool box__fails": 1, "execute_tool box__breaks": 1}, names); diff != "" {
		t.Errorf("spans (-want +got):\n%s", diff)
	}
	for _, parent := range parents() {
		if !ids[parent] {
			t.Errorf("a call had the parent %q, which is no span", parent)
		}
	}
	if len(parents()) < 3 {
		t.Errorf("%d calls reached the server", len(parents()))
	}
}

// Without being asked to, the gateway traces nothing, and hands nothing on.
func TestNoTracesUnlessAsked(t *testing.T) {
	tools, parents := toolbox(t)
	config := filepath.Join(t.TempDir(), "servers.json")
	if err := os.WriteFile(config, []byte(`{"mcpServers":{"box":{"url":"`+tools+`"}},"allowWithoutSources":["box"]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	p := spawn(t, nil, "--config", config)
	p.run(t, `{"tool":"box__says","arguments":{}}`)
	p.end(t)
	if diff := cmp.Diff([]string{""}, parents()); diff != "" {
		t.Errorf("parents (-want +got):\n%s", diff)
	}
	if log := p.log.String(); !strings.Contains(log, `msg="run ended"`) || strings.Contains(log, "trace=") {
		t.Errorf("the log says %s", log)
	}
}

func TestDiscreet(t *testing.T) {
	var b bytes.Buffer
	log := slog.New(newLog(&b, "json", slog.LevelInfo))
	var list []int
	crash := func() (p any) {
		defer func() { p = recover() }()
		return list[len(secret)]
	}
	log.Error("x", "panic", secret)
	log.Error("x", "panic", errors.New(secret+"!"))
	log.Error("x", "panic", crash())
	log.Error("x", "err", errors.New(strings.Repeat("y", 5000)))
	log.Debug("x")
	lines := strings.Split(strings.TrimSpace(b.String()), "\n")
	if len(lines) != 4 || strings.Contains(b.String(), secret) || !strings.Contains(lines[2], "index out of range") || len(lines[3]) > 1200 {
		t.Errorf("%s", b.String())
	}
}

// TestMetricsAreLocal asks under a name that leads here from elsewhere.
func TestMetricsAreLocal(t *testing.T) {
	handler := local(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "told") }))
	for _, test := range []struct {
		host, from string
		want       int
	}{
		{"127.0.0.1:8321", "127.0.0.1:5", 200}, {"localhost", "127.0.0.1:5", 200}, {"[::1]:8321", "[::1]:5", 200},
		{"evil.example:8321", "127.0.0.1:5", 403}, {"127.0.0.1:8321", "192.0.2.7:5", 403}, {"", "127.0.0.1:5", 403}, {"127.0.0.1:8321", "", 403},
	} {
		r := httptest.NewRequest("GET", "/metrics", nil)
		r.Host, r.RemoteAddr = test.host, test.from
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		if w.Code != test.want {
			t.Errorf("%q from %q: status %d, want %d", test.host, test.from, w.Code, test.want)
		}
	}
}
