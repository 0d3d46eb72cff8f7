package diptych_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych"
)

const (
	modern = "2026-07-28"
	legacy = "2025-11-25"
	oldest = "2025-06-18"
)

// A wire is one way from a client to a server.
type wire struct {
	name string
	open func(t *testing.T, s *mcp.Server, c *mcp.Client) *mcp.ClientSession
}

var wires = []wire{
	{"memory " + modern, inMemory(modern)},
	{"memory " + legacy, inMemory(legacy)},
	{"http stateless " + modern, overHTTP(modern)},
	{"http stateless " + oldest, overHTTP(oldest)},
	{"http stateful " + legacy, overHTTP(legacy, diptych.Sessions(0))},
}

func inMemory(revision string) func(*testing.T, *mcp.Server, *mcp.Client) *mcp.ClientSession {
	return func(t *testing.T, s *mcp.Server, c *mcp.Client) *mcp.ClientSession {
		t.Helper()
		there, here := mcp.NewInMemoryTransports()
		server, err := s.Connect(t.Context(), there, nil)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = server.Close() })
		return connect(t, c, here, revision)
	}
}

func overHTTP(revision string, opts ...diptych.HandlerOption) func(*testing.T, *mcp.Server, *mcp.Client) *mcp.ClientSession {
	return func(t *testing.T, s *mcp.Server, c *mcp.Client) *mcp.ClientSession {
		t.Helper()
		srv := httptest.NewServer(diptych.Handler(s, opts...))
		t.Cleanup(srv.Close)
		return connect(t, c, &mcp.StreamableClientTransport{Endpoint: srv.URL, HTTPClient: srv.Client()}, revision)
	}
}

func connect(t *testing.T, c *mcp.Client, transport mcp.Transport, revision string) *mcp.ClientSession {
	t.Helper()
	session, err := c.Connect(t.Context(), transport, &mcp.ClientSessionOptions{ProtocolVersion: revision})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close() })
	return session
}

func newServer() *mcp.Server {
	return mcp.NewServer(&mcp.Implementation{Name: "test", Version: "1"}, nil)
}

func newClient(opts *mcp.ClientOptions) *mcp.Client {
	return mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, opts)
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestEveryWire(t *testing.T) {
	for _, w := range wires {
		t.Run(w.name, func(t *testing.T) {
			s := newServer()
			must(t, diptych.Add(s, &mcp.Tool{Name: "point", Description: "A point."}, func(_ context.Context, in struct {
				X int `json:"x"`
			}) (Point, error) {
				return Point{X: in.X, Y: -1}, nil
			}))
			must(t, diptych.Add(s, &mcp.Tool{Name: "fail"}, func(context.Context, struct{}) (int, error) {
				return 0, diptych.Errorf("no such point")
			}, quiet))
			session := w.open(t, s, newClient(nil))
			list, err := session.ListTools(t.Context(), nil)
			must(t, err)
			if len(list.Tools) != 2 || list.Tools[1].OutputSchema == nil {
				t.Fatalf("listed %v", list.Tools)
			}
			res, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "point", Arguments: map[string]any{"x": 5}})
			must(t, err)
			if got := fmt.Sprint(res.StructuredContent); got != "map[x:5 y:-1]" || texts(res) != "{\n  \"x\": 5,\n  \"y\": -1\n}" {
				t.Errorf("got %s and %q", got, texts(res))
			}
			res, err = session.CallTool(t.Context(), &mcp.CallToolParams{Name: "fail"})
			must(t, err)
			if !res.IsError || texts(res) != "Error executing tool fail: no such point" || res.StructuredContent != nil {
				t.Errorf("got %+v", res)
			}
			_, err = session.CallTool(t.Context(), &mcp.CallToolParams{Name: "unknown"})
			if err == nil || !strings.Contains(err.Error(), "unknown") {
				t.Errorf("unknown tool: %v", err)
			}
		})
	}
}

// TestBytesOnTheWire reads the very bytes of an HTTP answer: order of keys and digits as the tool gave them.
func TestBytesOnTheWire(t *testing.T) {
	s := newServer()
	doc := `{"z":9007199254740993,"a":1.10,"big":12345678901234567890123,"tiny":1e400,"null":null}`
	must(t, diptych.Add(s, &mcp.Tool{Name: "f"}, func(context.Context, struct{}) (diptych.JSON[map[string]*json.Number], error) {
		return diptych.JSON[map[string]*json.Number](doc), nil
	}, quiet))
	type exact struct {
		Z    int64           `json:"z"`
		A    json.Number     `json:"a"`
		Big  json.Number     `json:"big"`
		Tiny json.Number     `json:"tiny"`
		Null json.RawMessage `json:"null"`
	}
	must(t, diptych.Add(s, &mcp.Tool{Name: "g"}, func(context.Context, struct{}) (exact, error) {
		return exact{9007199254740993, "1.10", "12345678901234567890123", "1e400", nil}, nil
	}, quiet))
	for _, revision := range []string{modern, legacy, oldest} {
		if answer := post(t, s, revision); !bytes.Contains(answer, []byte(`"structuredContent":`+doc)) {
			t.Errorf("%s: %s", revision, answer)
		}
	}
	if res := answerOf(diptych.JSON[map[string]*json.Number](doc))(t); !res.IsError {
		t.Error("a null where the schema has none is accepted")
	}
}

func TestRequestAndProgress(t *testing.T) {
	for _, w := range wires {
		t.Run(w.name, func(t *testing.T) {
			s := newServer()
			must(t, diptych.Add(s, &mcp.Tool{Name: "f"}, func(ctx context.Context, _ struct{}) (string, error) {
				diptych.Progress(ctx, 1, 2, "half")
				gone, cancel := context.WithCancel(ctx)
				cancel()
				diptych.Progress(gone, 1, 2, "after the end of the context")
				diptych.Progress(ctx, 2, 2, "all")
				return diptych.Request(ctx).Params.Name, nil
			}))
			var mu sync.Mutex
			var seen []string
			both := make(chan struct{})
			session := w.open(t, s, newClient(&mcp.ClientOptions{ProgressNotificationHandler: func(_ context.Context, r *mcp.ProgressNotificationClientRequest) {
				mu.Lock()
				defer mu.Unlock()
				if seen = append(seen, fmt.Sprintf("%v of %v %s", r.Params.Progress, r.Params.Total, r.Params.Message)); len(seen) == 2 {
					close(both)
				}
			}}))
			params := &mcp.CallToolParams{Name: "f"}
			params.SetProgressToken("p1")
			res, err := session.CallTool(t.Context(), params)
			must(t, err)
			if texts(res) != "f" {
				t.Errorf("got %q", texts(res))
			}
			select {
			case <-both:
			case <-time.After(10 * time.Second):
				t.Fatalf("progress: %v", seen)
			}
			if got := strings.Join(seen, ", "); got != "1 of 2 half, 2 of 2 all" {
				t.Errorf("progress: %s", got)
			}
		})
	}
	if diptych.Request(t.Context()) != nil {
		t.Error("a request outside a tool")
	}
	diptych.Progress(t.Context(), 1, 1, "no caller")
}

func TestNeedInput(t *testing.T) {
	ask := func(ctx context.Context, _ struct{}) (string, error) {
		p := diptych.Request(ctx).Params
		if p.InputResponses == nil {
			return "", diptych.NeedInput(mcp.InputRequestMap{"colour": &mcp.ElicitParams{
				Message: "Which colour?", RequestedSchema: json.RawMessage(`{"type":"object","properties":{"colour":{"type":"string"}}}`)}}, "s1")
		}
		return fmt.Sprint(p.InputResponses["colour"].(*mcp.ElicitResult).Content["colour"], " ", p.RequestState), nil
	}
	answers := &mcp.ClientOptions{ElicitationHandler: func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
		return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"colour": "red"}}, nil
	}}
	for _, w := range wires {
		t.Run(w.name, func(t *testing.T) {
			s := newServer()
			must(t, diptych.Add(s, &mcp.Tool{Name: "f"}, ask, quiet))
			session := w.open(t, s, newClient(answers))
			res, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "f"})
			must(t, err)
			if strings.Contains(w.name, "stateless "+oldest) {
				if !res.IsError || !strings.Contains(texts(res), "without sessions cannot ask a client of revision "+oldest+"; serve with diptych.Handler(server, diptych.Sessions(idle))") {
					t.Errorf("got %q", texts(res))
				}
				return
			}
			if texts(res) != "red s1" {
				t.Errorf("got %q", texts(res))
			}
		})
	}
}

// TestFaults is what a server must survive: each fault costs its own call and nothing else, and nothing is left over.
func TestFaults(t *testing.T) {
	before := runtime.NumGoroutine()
	t.Run("server", func(t *testing.T) {
		for _, w := range wires {
			t.Run(w.name, func(t *testing.T) {
				release := make(chan struct{})
				defer close(release)
				s := faulty(t, release)
				session := w.open(t, s, newClient(nil))
				for name, want := range map[string]string{
					"panic":  "Error executing tool panic",
					"goexit": "Error executing tool goexit",
					"nil":    "neither a value nor an error",
					"nan":    "not a finite number",
					"block":  "timed out after 50ms",
				} {
					res, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: name})
					must(t, err)
					if !res.IsError || !strings.Contains(texts(res), want) {
						t.Errorf("%s: got %q", name, texts(res))
					}
				}
				ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
				defer cancel()
				if _, err := session.CallTool(ctx, &mcp.CallToolParams{Name: "deaf"}); err == nil {
					t.Error("a cancelled call has an answer")
				}
				res, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "big"})
				must(t, err)
				if got := len(res.StructuredContent.(map[string]any)["result"].(string)); got != bigResult {
					t.Errorf("%d bytes arrived", got)
				}
				if res, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "ok"}); err != nil || texts(res) != "1" {
					t.Errorf("after the faults: %v, %v", res, err)
				}
			})
		}
	})
	for deadline := time.Now().Add(10 * time.Second); runtime.NumGoroutine() > before+2; runtime.Gosched() {
		if time.Now().After(deadline) {
			stacks := make([]byte, 1<<20)
			t.Fatalf("%d goroutines before, %d after:\n%s", before, runtime.NumGoroutine(), stacks[:runtime.Stack(stacks, true)])
		}
	}
}

const bigResult = 1 << 20

func faulty(t *testing.T, release chan struct{}) *mcp.Server {
	t.Helper()
	s := newServer()
	must(t, diptych.Add(s, &mcp.Tool{Name: "panic"}, func(context.Context, struct{}) (int, error) { panic("oh") }, quiet))
	must(t, diptych.Add(s, &mcp.Tool{Name: "goexit"}, func(context.Context, struct{}) (int, error) { runtime.Goexit(); return 0, nil }, quiet))
	must(t, diptych.Add(s, &mcp.Tool{Name: "nil"}, func(context.Context, struct{}) (*Point, error) { return nil, nil }, quiet))
	must(t, diptych.Add(s, &mcp.Tool{Name: "nan"}, func(context.Context, struct{}) (float64, error) { return math.NaN(), nil }, quiet))
	must(t, diptych.Add(s, &mcp.Tool{Name: "ok"}, func(context.Context, struct{}) (int, error) { return 1, nil }, quiet))
	must(t, diptych.Add(s, &mcp.Tool{Name: "big"}, func(context.Context, struct{}) (string, error) { return strings.Repeat("x", bigResult), nil }, quiet))
	must(t, diptych.Add(s, &mcp.Tool{Name: "block"}, func(context.Context, struct{}) (int, error) { <-release; return 0, nil }, quiet, diptych.Timeout(50*time.Millisecond)))
	must(t, diptych.Add(s, &mcp.Tool{Name: "deaf"}, func(context.Context, struct{}) (int, error) { <-release; return 0, nil }, quiet))
	return s
}

// TestLargeResult sends 20 MB, more than the SDK's client reads in one message, and counts it on the wire.
func TestLargeResult(t *testing.T) {
	const size = 20 << 20
	s := newServer()
	must(t, diptych.Add(s, &mcp.Tool{Name: "g"}, func(context.Context, struct{}) (string, error) { return strings.Repeat("x", size), nil }))
	if n := len(post(t, s, modern)); n < 2*size || n > 2*size+1000 {
		t.Errorf("%d bytes on the wire, want both panels of %d", n, size)
	}
}

// post calls the tool g over HTTP without a client and returns the body of the answer.
func post(t *testing.T, s *mcp.Server, revision string) []byte {
	t.Helper()
	srv := httptest.NewServer(diptych.Handler(s))
	defer srv.Close()
	body := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"g","arguments":{},"_meta":{"io.modelcontextprotocol/protocolVersion":"` + revision +
		`","io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}}}`
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, srv.URL, strings.NewReader(body))
	must(t, err)
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	req.Header.Set("MCP-Protocol-Version", revision)
	req.Header.Set("Mcp-Method", "tools/call")
	req.Header.Set("Mcp-Name", "g")
	resp, err := srv.Client().Do(req)
	must(t, err)
	answer, err := io.ReadAll(resp.Body)
	must(t, err)
	must(t, resp.Body.Close())
	return answer
}

func TestManyCallersAtOnce(t *testing.T) {
	s := newServer()
	var running, most atomic.Int32
	must(t, diptych.Add(s, &mcp.Tool{Name: "f"}, func(_ context.Context, in struct{ N int }) (map[string][]int, error) {
		if n := running.Add(1); n > most.Load() {
			most.Store(n)
		}
		defer running.Add(-1)
		list := make([]int, in.N)
		for i := range list {
			list[i] = in.N
		}
		return map[string][]int{"n": list}, nil
	}))
	session := inMemory(modern)(t, s, newClient(nil))
	var wg sync.WaitGroup
	for n := range 64 {
		wg.Go(func() {
			for range 20 {
				res, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "f", Arguments: map[string]int{"N": n}})
				if err != nil {
					t.Error(err)
					return
				}
				list := res.StructuredContent.(map[string]any)["n"].([]any)
				if len(list) != n || n > 0 && list[n-1] != float64(n) {
					t.Errorf("caller %d got the answer of another: %v", n, list)
					return
				}
			}
		})
	}
	wg.Wait()
}

func TestHandlerRefusesOtherOrigins(t *testing.T) {
	h := diptych.Handler(newServer())
	req := httptest.NewRequest(http.MethodPost, "http://127.0.0.1/", strings.NewReader("{}"))
	req.Header.Set("Sec-Fetch-Site", "cross-site")
	rec := httptest.NewRecorder()
	h.ServeHTTP(rec, req)
	if rec.Code != http.StatusForbidden {
		t.Errorf("status %d", rec.Code)
	}
}
