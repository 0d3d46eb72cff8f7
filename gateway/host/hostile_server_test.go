package host

// A server that keeps no rule: what it does in one call must cost that call alone.

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// rude speaks the protocol without a library, and badly.
func rude() {
	out := bufio.NewWriter(os.Stdout)
	say := func(format string, args ...any) {
		fmt.Fprintf(out, format+"\n", args...)
		out.Flush()
	}
	const text = `{"content":[{"type":"text","text":"%s"}]}`
	answer := func(id json.RawMessage, said string) { say(`{"jsonrpc":"2.0","id":%s,"result":`+text+`}`, id, said) }
	large := func(megabytes int, before, after string) {
		out.WriteString(before)
		chunk := strings.Repeat("x", 1<<20)
		for range megabytes {
			out.WriteString(chunk)
		}
		say("%s", after)
	}
	var waiting json.RawMessage
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		var req struct {
			ID     json.RawMessage `json:"id"`
			Method string          `json:"method"`
			Params struct {
				Name string `json:"name"`
			} `json:"params"`
		}
		if json.Unmarshal(in.Bytes(), &req) != nil || req.ID == nil {
			continue
		}
		id := req.ID
		switch req.Method {
		case "initialize":
			say(`{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{"listChanged":true}},"serverInfo":{"name":"rude","version":"0"}}}`, id)
			continue
		case "tools/list":
			var tools []string
			for _, name := range []string{"plain", "waits", "releases", "large", "large_backwards", "large_notice", "large_question", "wrong_id", "twice", "floods", "changes", "notifies_of_nothing", "babbles", "pings", "exits"} {
				tools = append(tools, fmt.Sprintf(`{"name":%q,"inputSchema":{"type":"object"}}`, name))
			}
			say(`{"jsonrpc":"2.0","id":%s,"result":{"tools":[%s]}}`, id, strings.Join(tools, ","))
			continue
		case "tools/call":
		default:
			say(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no"}}`, id)
			continue
		}
		switch req.Params.Name {
		case "plain":
			answer(id, "t")
		case "waits":
			waiting = id
		case "releases":
			answer(id, "t")
			answer(waiting, "t")
		case "large":
			large(100, `{"jsonrpc":"2.0","id":`+string(id)+`,"result":{"content":[{"type":"text","text":"`, `"}]}}`)
		case "large_backwards":
			large(20, `{"result":{"id":7,"content":[{"type":"text","text":"\",\"id\":8,`, `"}]},"jsonrpc":"2.0","id":`+string(id)+`}`)
		case "large_notice":
			large(20, `{"jsonrpc":"2.0","method":"notifications/message","params":{"data":"`, `"}}`)
			answer(id, "t")
		case "large_question":
			large(20, `{"jsonrpc":"2.0","id":`+string(id)+`,"method":"elicitation/create","params":{"message":"`, `"}}`)
			answer(id, "t")
		case "wrong_id":
			for _, wrong := range []string{`999999`, `"` + string(bytes.Trim(id, `"`)) + `x"`, `-1`} {
				answer(json.RawMessage(wrong), "t")
			}
		case "twice":
			answer(id, "t")
			answer(id, "again")
		case "floods":
			for i := range 5_000 {
				fmt.Fprintf(out, `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"none","progress":%d}}`+"\n", i)
			}
			answer(id, "t")
		case "changes":
			for range 5_000 {
				out.WriteString(`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}` + "\n")
			}
			answer(id, "t")
		case "notifies_of_nothing":
			for _, method := range []string{"elicitation/complete", "cancelled", "progress", "message", "tools/list_changed", "resources/updated", "subscriptions/acknowledged"} {
				for _, params := range []string{``, `,"params":null`, `,"params":{}`, `,"params":[]`, `,"params":{"elicitationId":7,"requestId":null,"progressToken":{}}`} {
					say(`{"jsonrpc":"2.0","method":"notifications/%s"%s}`, method, params)
				}
			}
			answer(id, "t")
		case "pings":
			for i := range 20_000 {
				fmt.Fprintf(out, `{"jsonrpc":"2.0","id":"p%d","method":"ping"}`+"\n", i)
			}
			answer(id, "t")
		case "babbles":
			say("Hello, I am a server.")
		case "exits":
			os.Exit(5)
		}
	}
}

func TestRudenessCostsItsOwnCall(t *testing.T) {
	rude := spawn("s", "rude")
	rude.Timeouts = map[string]time.Duration{"wrong_id": 200 * time.Millisecond, "babbles": 200 * time.Millisecond, "waits": time.Minute}
	h := start(t, Options{Retry: time.Hour, Timeout: time.Minute}, rude, spawn("good", "good"))
	for _, c := range []struct {
		tool, want string
		ends       bool // the connection, and with it what waits
	}{
		{tool: "large", want: "larger than the gateway takes (16384 KiB"}, {tool: "large_backwards", want: "larger than"}, {tool: "large_notice", want: "t"},
		{tool: "large_question", want: "t"}, {tool: "wrong_id", want: "did not answer within"}, {tool: "twice", want: "t"},
		{tool: "floods", want: "t"}, {tool: "changes", want: "t"}, {tool: "notifies_of_nothing", want: "t"}, {tool: "babbles", want: "did not answer within"}, {tool: "exits", want: "broke", ends: true},
	} {
		t.Run(c.tool, func(t *testing.T) {
			reached := h.Health()[0].Reached
			var wg sync.WaitGroup
			wg.Go(func() { // another call of the same session
				got, err := h.Call(t.Context(), "s__waits", nil, Callbacks{})
				if want := map[bool]string{false: "t", true: "broke before it answered"}[c.ends]; err != nil || !strings.Contains(got.Blocks[0].Text, want) {
					t.Errorf("who waits gets %+v, %v", got.Blocks, err)
				}
			})
			tick := time.NewTicker(5 * time.Millisecond)
			defer tick.Stop()
			for waits := false; !waits; <-tick.C { // until it has begun
				l := h.links[0]
				l.mu.Lock()
				s := l.session
				l.mu.Unlock()
				s.mu.Lock()
				waits = len(s.exchanges) == 1
				s.mu.Unlock()
			}
			got, err := h.Call(t.Context(), "s__"+c.tool, nil, Callbacks{})
			if err != nil || !strings.Contains(got.Blocks[0].Text, c.want) {
				t.Errorf("%+v, %v", got.Blocks, err)
			}
			if res, err := h.Call(t.Context(), "good__data", nil, Callbacks{}); err != nil || res.IsError {
				t.Errorf("the good server: %+v, %v", res, err)
			}
			if !c.ends {
				if got, err := h.Call(t.Context(), "s__releases", nil, Callbacks{}); err != nil || got.IsError {
					t.Errorf("afterwards: %+v, %v", got.Blocks, err)
				}
			}
			wg.Wait()
			recovers(t, h, "s__plain") // at once: the next try would be in an hour
			if more := h.Health()[0].Reached - reached; more != map[bool]int{true: 1}[c.ends] {
				t.Errorf("connected %d times anew", more)
			}
		})
	}
}

// TestBrokenCallOverHTTP has a connection cut in one call while another goes on.
func TestBrokenCallOverHTTP(t *testing.T) {
	for _, stateless := range []bool{true, false} {
		t.Run(fmt.Sprintf("stateless %v", stateless), func(t *testing.T) {
			s := server()
			handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, &mcp.StreamableHTTPOptions{Stateless: stateless})
			there := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				body, err := io.ReadAll(r.Body)
				if err != nil || bytes.Contains(body, []byte(`"name":"plain"`)) {
					panic(http.ErrAbortHandler)
				}
				r.Body = io.NopCloser(bytes.NewReader(body))
				handler.ServeHTTP(w, r)
			}))
			t.Cleanup(there.Close)
			t.Cleanup(there.CloseClientConnections)
			h := start(t, Options{Retry: time.Hour}, Server{ID: "s", URL: there.URL, AllowWithoutSources: true})
			got, err := h.Call(t.Context(), "s__counts", nil, Callbacks{Progress: func(p Progress) {
				if p.Done < p.Total {
					return
				}
				go func() {
					if got, err := h.Call(t.Context(), "s__plain", nil, Callbacks{}); err != nil || !strings.Contains(got.Blocks[0].Text, "broke before it answered") {
						t.Errorf("the broken call: %+v, %v", got.Blocks, err)
					}
					_, _ = h.Call(t.Context(), "s__seen", nil, Callbacks{})
				}()
			}})
			if err != nil || got.IsError {
				t.Errorf("the other call: %+v, %v", got.Blocks, err)
			}
			if health := h.Health()[0]; health.State != Up || health.Reached != 1 {
				t.Errorf("health: %+v", health)
			}
		})
	}
}

// A server that asks without waiting for answers loses its connection, and is reached anew.
func TestFloodOfRequests(t *testing.T) {
	h := start(t, Options{Retry: 5 * time.Millisecond, Timeout: time.Minute}, spawn("s", "rude"))
	before := runtime.NumGoroutine()
	got, err := h.Call(t.Context(), "s__pings", nil, Callbacks{})
	if err != nil {
		t.Fatal(err)
	}
	if n := runtime.NumGoroutine(); n > before+500 {
		t.Errorf("%d goroutines, %d before", n, before)
	}
	if got.IsError && !strings.Contains(got.Blocks[0].Text, "broke before it answered") {
		t.Errorf("%+v", got.Blocks)
	}
	recovers(t, h, "s__plain")
}
