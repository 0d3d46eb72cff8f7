package host

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// variable makes the test binary a server on its standard input and output.
const variable = "DIPTYCH_HOST_TEST_SERVER"

func TestMain(m *testing.M) {
	if mode := os.Getenv(variable); mode != "" {
		serve(mode)
		return
	}
	os.Exit(m.Run())
}

// serve is a server of one kind or another.
func serve(mode string) {
	switch mode {
	case "dies":
		fmt.Fprintln(os.Stderr, "no database")
		os.Exit(3)
	case "silent":
		select {}
	case "garbage":
		fmt.Println("Welcome to the server!")
		select {}
	case "endless":
		line := bytes.Repeat([]byte("x"), 1<<16)
		for {
			if _, err := os.Stdout.Write(line); err != nil {
				return
			}
		}
	case "old": // ends at the first question of the newest revision
		in := bufio.NewReader(os.Stdin)
		first, err := in.ReadBytes('\n')
		if err != nil || bytes.Contains(first, []byte("server/discover")) {
			os.Exit(1)
		}
		rest := io.NopCloser(io.MultiReader(bytes.NewReader(first), in))
		_ = server().Run(context.Background(), &mcp.IOTransport{Reader: rest, Writer: os.Stdout})
	default:
		_ = server().Run(context.Background(), &mcp.StdioTransport{})
	}
}

const (
	exactPanel = `{"sources":["https://a.example/"],"table":[["z","a"],[12345678901234567890,1.10],[-0,1e-7]],"force":"f"}`
	demands    = `{"type":"object","properties":{"sources":{"type":"array","minItems":1}},"required":["sources"]}`
)

// server has a tool for each way to behave.
func server() *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "test", Version: "1.2"}, nil)
	seen := make(chan struct{}, 1)
	add := func(name, output string, f func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error)) {
		t := &mcp.Tool{Name: name, Description: "d", InputSchema: json.RawMessage(`{"type":"object","properties":{"n":{"type":"integer"}}}`)}
		if output != "" {
			t.OutputSchema = json.RawMessage(output)
		}
		s.AddTool(t, f)
	}
	says := func(structured string) func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			res := &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "t"}}}
			if structured != "" {
				res.StructuredContent = json.RawMessage(structured)
			}
			return res, nil
		}
	}
	add("data", demands, says(exactPanel))
	add("lies", demands, says(`{"sources":["javascript:secret"],"secret":1}`))
	add("empty", demands, says(""))
	add("plain", "", says(""))
	add("unschooled", "", says(`{"n":12345678901234567890}`))
	add("typed", `{"type":"object","properties":{"n":{"type":"integer"}}}`, says(`{"n":12345678901234567890}`))
	add("mistyped", `{"type":"object","properties":{"n":{"type":"integer"}}}`, says(`{"n":"secret"}`))
	add("odd.name/é", demands, says(exactPanel))
	add("huge", demands, says(`{"sources":["https://a.example/"],"force":"`+strings.Repeat("x", 2<<20)+`"}`))
	add("mountain", "", func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: strings.Repeat("x", 20<<20)}}}, nil
	})
	add("hangs", demands, func(ctx context.Context, _ *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	})
	add("exits", demands, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		os.Exit(4)
		return nil, nil
	})
	add("fails", demands, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: "no such station"}}}, nil
	})
	add("counts", demands, func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		for i := range 3 {
			p := &mcp.ProgressNotificationParams{ProgressToken: req.Params.GetProgressToken(), Progress: float64(i + 1), Total: 3, Message: "step"}
			if err := req.Session.NotifyProgress(ctx, p); err != nil {
				return nil, err
			}
		}
		select { // an answer may overtake the progress before it: give none until the test has seen it
		case <-seen:
			return says(exactPanel)(ctx, req)
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	})
	add("seen", demands, func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		seen <- struct{}{}
		return says(exactPanel)(ctx, req)
	})
	add("asks", demands, func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return &mcp.CallToolResult{InputRequests: mcp.InputRequestMap{"a": &mcp.ElicitParams{Message: "your name?", RequestedSchema: json.RawMessage(`{"type":"object"}`)}}}, nil
	})
	return s
}

// spawn starts the test binary as a server.
func spawn(id, mode string) Server {
	return Server{ID: id, Command: []string{os.Args[0]}, Env: map[string]string{variable: mode}, AllowWithoutSources: true}
}

func start(t *testing.T, o Options, servers ...Server) *Host {
	t.Helper()
	o.Logger = slog.New(slog.DiscardHandler)
	h, err := Open(servers, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(h.Close)
	if err := h.Ready(t.Context()); err != nil {
		t.Fatal(err)
	}
	return h
}

// ways are the ways to reach the same server.
func ways(t *testing.T) map[string]Server {
	s := server()
	web := func(stateless bool) Server {
		handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, &mcp.StreamableHTTPOptions{Stateless: stateless})
		there := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("X-Key") != "k" {
				http.Error(w, "no", http.StatusUnauthorized)
				return
			}
			handler.ServeHTTP(w, r)
		}))
		t.Cleanup(there.Close)
		t.Cleanup(there.CloseClientConnections)
		return Server{ID: "s", URL: there.URL, Headers: map[string]string{"X-Key": "k"}, AllowWithoutSources: true}
	}
	return map[string]Server{"stdio": spawn("s", "good"), "stdio, old": spawn("s", "old"), "http": web(true), "http, old": web(false)}
}

func TestCallOverEveryTransport(t *testing.T) {
	for name, s := range ways(t) {
		t.Run(name, func(t *testing.T) {
			h := start(t, Options{Timeout: 20 * time.Second}, s)
			health := h.Health()[0]
			if health.State != Up || health.Name != "test 1.2" || health.Tools != len(h.Tools()) || health.Tools < 10 {
				t.Fatalf("health %+v", health)
			}
			if old := strings.Contains(name, "old"); old != (health.Protocol < "2026") {
				t.Errorf("speaks %s", health.Protocol)
			}
			var progress []Progress
			for tool, want := range map[string]Result{
				"data":       {Verified: true, Drawable: true, Structured: json.RawMessage(exactPanel)},
				"counts":     {Verified: true, Drawable: true, Structured: json.RawMessage(exactPanel)},
				"plain":      {Note: "no source given"},
				"unschooled": {Note: "no source given; not verified: it publishes no output schema that can be used", Structured: json.RawMessage(`{"n":12345678901234567890}`)},
				"typed":      {Note: "no source given", Verified: true, Structured: json.RawMessage(`{"n":12345678901234567890}`)},
			} {
				got, err := h.Call(t.Context(), "s__"+tool, json.RawMessage(`{}`), func(p Progress) {
					if progress = append(progress, p); p.Done == 3 {
						go h.Call(t.Context(), "s__seen", json.RawMessage(`{}`), nil)
					}
				})
				if err != nil {
					t.Fatal(err)
				}
				want.Blocks = []Block{{Kind: Text, Text: "t"}}
				want.Content = json.RawMessage(`[{"type":"text","text":"t"}]`)
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("%s (-want +got):\n%s", tool, diff)
				}
			}
			if diff := cmp.Diff([]Progress{{1, 3, "step"}, {2, 3, "step"}, {3, 3, "step"}}, progress); diff != "" {
				t.Errorf("progress (-want +got):\n%s", diff)
			}
			asksFor := "asks the user for input"
			if strings.Contains(name, "old") { // the server's SDK says so itself
				asksFor = "client does not support elicitation"
			}
			for tool, want := range map[string]string{
				"lies": "broke the tool's own rules", "empty": "broke the tool's own rules", "mistyped": "broke the tool's own rules",
				"huge": "broke the tool's own rules", "fails": "no such station", "asks": asksFor,
			} {
				got, err := h.Call(t.Context(), "s__"+tool, json.RawMessage(`{}`), nil)
				if err != nil || !got.IsError || got.Verified || got.Drawable || got.Structured != nil {
					t.Errorf("%s: %+v, %v", tool, got, err)
					continue
				}
				if text := got.Blocks[0].Text; !strings.Contains(text, want) || strings.Contains(text+string(got.Content), "secret") {
					t.Errorf("%s: the model reads %q", tool, text)
				}
			}
		})
	}
}

func TestOneServerCostsOnlyItself(t *testing.T) {
	bad := spawn("bad", "good")
	bad.Timeouts = map[string]time.Duration{"hangs": 300 * time.Millisecond}
	h := start(t, Options{Retry: 10 * time.Millisecond, Dial: 6 * time.Second, Timeout: time.Minute}, spawn("good", "good"), bad,
		spawn("dies", "dies"), spawn("silent", "silent"), spawn("garbage", "garbage"), spawn("endless", "endless"),
		Server{ID: "nowhere", URL: "http://127.0.0.1:1/mcp"}, Server{ID: "nothing", Command: []string{filepath.Join(t.TempDir(), "none")}})
	states := make(map[string]State)
	for _, health := range h.Health() {
		states[health.Server] = health.State
		if health.Server == "dies" && (!strings.Contains(health.Words, "no database") || !strings.Contains(health.Fault, "it ended")) {
			t.Errorf("what is known of a dead server: %+v", health)
		}
	}
	for _, id := range []string{"dies", "silent", "garbage", "endless", "nowhere", "nothing"} {
		if states[id] == Up {
			t.Errorf("%s is up", id)
		}
	}
	works := func() {
		t.Helper()
		res, err := h.Call(t.Context(), "good__data", json.RawMessage(`{}`), nil)
		if err != nil || res.IsError {
			t.Errorf("the good server: %+v, %v", res, err)
		}
	}
	works()
	for tool, want := range map[string]string{"hangs": "did not answer within", "mountain": "broke", "exits": "broke"} {
		t.Run(tool, func(t *testing.T) {
			recovers(t, h, "bad__data")
			res, err := h.Call(t.Context(), "bad__"+tool, json.RawMessage(`{}`), nil)
			if err != nil || !res.IsError || !strings.Contains(res.Blocks[0].Text, want) {
				t.Errorf("%+v, %v", res.Blocks, err)
			}
			works()
			recovers(t, h, "bad__data")
		})
	}
}

// recovers waits until a tool answers.
func recovers(t *testing.T, h *Host, tool string) {
	t.Helper()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		if res, err := h.Call(t.Context(), tool, json.RawMessage(`{}`), nil); err != nil {
			t.Fatal(err)
		} else if !res.IsError {
			return
		}
		<-tick.C
	}
}

// TestMountainOverHTTP has 100 MB sent: the call fails, the session goes on.
func TestMountainOverHTTP(t *testing.T) {
	s := server()
	handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, &mcp.StreamableHTTPOptions{Stateless: true})
	var sent atomic.Int64
	there := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		document, stream := bytes.Contains(body, []byte(`"name":"mountain"`)), bytes.Contains(body, []byte(`"name":"plain"`))
		if document || stream {
			w.Header().Set("Content-Type", "application/json")
			if stream {
				w.Header().Set("Content-Type", "text/event-stream")
				io.WriteString(w, "data: ")
			}
			io.WriteString(w, `{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"`)
			chunk := bytes.Repeat([]byte("x"), 1<<20)
			for range 100 {
				n, err := w.Write(chunk)
				if sent.Add(int64(n)); err != nil {
					return
				}
			}
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		handler.ServeHTTP(w, r)
	}))
	t.Cleanup(there.Close)
	h := start(t, Options{Retry: 5 * time.Millisecond}, Server{ID: "s", URL: there.URL, AllowWithoutSources: true})
	for _, tool := range []string{"s__mountain", "s__plain"} {
		recovers(t, h, "s__data")
		if res, err := h.Call(t.Context(), tool, json.RawMessage(`{}`), nil); err != nil || !res.IsError {
			t.Errorf("%s: %d blocks, %v", tool, len(res.Blocks), err)
		}
	}
	recovers(t, h, "s__data")
	if sent.Load() < maxMessage {
		t.Errorf("only %d bytes were sent", sent.Load())
	}
}

func TestWebServerComesBack(t *testing.T) {
	var down atomic.Bool
	s := server()
	handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, &mcp.StreamableHTTPOptions{Stateless: true})
	there := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if down.Load() {
			panic(http.ErrAbortHandler)
		}
		handler.ServeHTTP(w, r)
	}))
	t.Cleanup(there.Close)
	h := start(t, Options{Retry: 5 * time.Millisecond}, Server{ID: "s", URL: there.URL, AllowWithoutSources: true})
	recovers(t, h, "s__data")
	down.Store(true)
	if res, err := h.Call(t.Context(), "s__data", nil, nil); err != nil || !res.IsError {
		t.Errorf("a server that is gone answers: %+v, %v", res, err)
	}
	down.Store(false)
	recovers(t, h, "s__data")
}

func TestStopIsAtOnce(t *testing.T) {
	h := start(t, Options{}, spawn("s", "good"))
	ctx, cancel := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	for range maxCalls + 4 { // the last wait for their turn
		wg.Go(func() {
			if _, err := h.Call(ctx, "s__hangs", json.RawMessage(`{}`), nil); err == nil {
				t.Error("a stopped call is no error")
			}
		})
	}
	cancel()
	wg.Wait()
	recovers(t, h, "s__data")
}

func TestServersGetNoKeys(t *testing.T) {
	t.Setenv("ANTHROPIC_API_KEY", "secret")
	env := newProcess(Server{Command: []string{"x"}, Env: map[string]string{"OWN": "1"}}, 0).cmd.Env
	for _, pair := range env {
		if strings.Contains(pair, "secret") {
			t.Errorf("a server gets %s", pair)
		}
	}
	if !slices.Contains(env, "OWN=1") || !slices.Contains(env, "PATH="+os.Getenv("PATH")) {
		t.Errorf("a server gets too little: %q", env)
	}
}

func TestScreen(t *testing.T) {
	open := json.RawMessage(`{"type":"object"}`)
	tool := func(name string, output json.RawMessage) *mcp.Tool {
		p := &mcp.Tool{Name: name, InputSchema: open}
		if output != nil {
			p.OutputSchema = output
		}
		return p
	}
	long := strings.Repeat("n", 90)
	s := Server{ID: "s", AllowedTools: []string{"allowed"}, Policy: Ask, Policies: map[string]Policy{"denied": Deny, "free": Allow}}
	loop := tool("loop", json.RawMessage(`{"$ref":"#"}`))
	bomb := tool("allowed", json.RawMessage(`{"$ref":"#"}`))
	strange := tool("free", json.RawMessage(demands))
	strange.InputSchema = json.RawMessage(`{"type":"object","properties":{"a":{"$ref":"http://127.0.0.1/x"}}}`)
	tools, refused := s.screen([]*mcp.Tool{
		tool("data", json.RawMessage(demands)), tool("data", json.RawMessage(demands)), tool("a.b", json.RawMessage(demands)), tool("a/b", json.RawMessage(demands)),
		tool(long, json.RawMessage(demands)), tool("", nil), tool("foreign", nil), tool("denied", json.RawMessage(demands)), loop, bomb, strange,
	})
	var got []string
	for _, t := range tools {
		got = append(got, fmt.Sprintf("%s %s %v %v %s", t.Name, t.Policy, t.Data, t.Input != nil, t.Note))
	}
	for _, r := range refused {
		got = append(got, "refused "+r.Tool+": "+r.Reason)
	}
	want := []string{
		"s__data ask true true ", "s__a_b_X ask true true ", "s__a_b_X ask true true ", "s__" + strings.Repeat("n", 52) + "_X ask true true ",
		"s__allowed ask false true no source given; its output schema cannot be used: …", "s__free allow true false its input schema cannot be used: …",
		"refused data: listed twice", "refused : it has no name", "refused foreign: it promises no sources: …", "refused denied: the operator does not allow it",
		"refused loop: it promises no sources: …",
	}
	if len(got) != len(want) {
		t.Fatalf("got %q", got)
	}
	seen := make(map[string]bool)
	for i := range want {
		prefix, _, _ := strings.Cut(want[i], "…")
		prefix, _, hashed := strings.Cut(prefix, "X")
		if !strings.HasPrefix(got[i], prefix) || hashed && (seen[got[i]] || len(strings.Fields(got[i])[0]) > maxName) {
			t.Errorf("got %q, want %q", got[i], want[i])
		}
		seen[got[i]] = true
	}
}

func TestHints(t *testing.T) {
	yes, no := true, false
	for _, c := range []struct {
		given *mcp.ToolAnnotations
		want  Hints
	}{
		{nil, Hints{Destructive: true, OpenWorld: true}},
		{&mcp.ToolAnnotations{}, Hints{Destructive: true, OpenWorld: true}},
		{&mcp.ToolAnnotations{ReadOnlyHint: true, DestructiveHint: &yes}, Hints{ReadOnly: true, OpenWorld: true}},
		{&mcp.ToolAnnotations{DestructiveHint: &no, OpenWorldHint: &no, IdempotentHint: true}, Hints{Idempotent: true}},
	} {
		if got := hints(c.given); got != c.want {
			t.Errorf("%+v: got %+v, want %+v", c.given, got, c.want)
		}
	}
}

func TestArguments(t *testing.T) {
	h := start(t, Options{}, spawn("s", "good"))
	for _, c := range []struct{ tool, given, want string }{
		{"s__data", `{"n":"12345678901234567890"}`, `{"n":12345678901234567890}`},
		{"s__data", ``, `{}`},
		{"s__data", `{"n":"secret"}`, "error arguments: n: got string, want integer"},
		{"s__data", `{`, "error arguments: not valid JSON"},
		{"s__none", `{}`, `error there is no tool "s__none"`},
	} {
		got, err := h.Arguments(c.tool, json.RawMessage(c.given))
		text := string(got)
		if err != nil {
			text = "error " + err.Error()
		}
		if text != c.want {
			t.Errorf("%s: got %s, want %s", c.given, text, c.want)
		}
	}
}

func TestReadServers(t *testing.T) {
	t.Setenv("DIPTYCH_TEST_KEY", "k")
	file := filepath.Join(t.TempDir(), "mcp.json")
	for _, c := range []struct {
		text string
		want []Server
		err  string
	}{
		{text: `{"mcpServers":{"b":{"url":"https://b.example/mcp","headers":{"K":"${DIPTYCH_TEST_KEY}"}},
			"a-1":{"command":"run","args":["${DIPTYCH_NO:-x}"],"env":{"E":"1"},"cwd":"d"}},
			"allowWithoutSources":["b","a-1__t"],"policy":{"b":"ask","a-1__t":"allow"},"timeouts":{"b":5,"a-1__t":0.5}}`,
			want: []Server{{ID: "a-1", Command: []string{"run", "x"}, Env: map[string]string{"E": "1"}, Dir: "d", Headers: map[string]string{},
				AllowedTools: []string{"t"}, Policies: map[string]Policy{"t": Allow}, Timeouts: map[string]time.Duration{"t": 500 * time.Millisecond}},
				{ID: "b", URL: "https://b.example/mcp", Env: map[string]string{}, Headers: map[string]string{"K": "k"}, Timeout: 5 * time.Second, AllowWithoutSources: true, Policy: Ask}}},
		{text: `{}`, err: "no mcpServers"},
		{text: `[`, err: "unexpected end"},
		{text: `{"mcpServers":{"a":{}}}`, err: "neither a command nor a url"},
		{text: `{"mcpServers":{"a":{"command":"x","url":"http://x"}}}`, err: "keep one"},
		{text: `{"mcpServers":{"a":{"url":"file:///x"}}}`, err: "not http or https"},
		{text: `{"mcpServers":{"a__b":{"command":"x"}}}`, err: "rename it"},
		{text: `{"mcpServers":{"a":{"command":"${DIPTYCH_NO}"}}}`, err: "DIPTYCH_NO missing from the environment"},
		{text: `{"mcpServers":{"a":{"command":"x"}},"allowWithoutSources":["c"]}`, err: `allowWithoutSources: "c" names no server`},
		{text: `{"mcpServers":{"a":{"command":"x"}},"policy":{"a":"perhaps"}}`, err: "none of allow, ask and deny"},
		{text: `{"mcpServers":{"a":{"command":"x"}},"timeouts":{"a":0}}`, err: "not within an hour"},
		{text: strings.Repeat(" ", maxConfig+1), err: "larger than"},
	} {
		if err := os.WriteFile(file, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		got, err := ReadServers(file)
		if c.err == "" && err != nil || c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)) {
			t.Errorf("%.80s: error %v, want %q", c.text, err, c.err)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%.80s (-want +got):\n%s", c.text, diff)
		}
	}
}
