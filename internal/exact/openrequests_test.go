package exact

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// flood is how many requests a server of these tests sends during one call.
const flood = 300_000

// floods are requests with the place of an id.
var floods = map[string]string{
	"ping":    `{"jsonrpc":"2.0","id":"p%d","method":"ping"}`,
	"unknown": `{"jsonrpc":"2.0","id":"u%d","method":"x/y"}`,
	"one id":  `{"jsonrpc":"2.0","id":"p","method":"ping","params":{"_meta":{"n":%d}}}`,
	"elicit":  `{"jsonrpc":"2.0","id":"e%d","method":"elicitation/create","params":{"message":"m","requestedSchema":{"type":"object","properties":{"a":{"type":"string"}}}}}`,
}

// answer returns the answer of a server that knows how to begin.
func answer(line []byte) (_ string, call bool) {
	var m struct {
		ID     json.RawMessage
		Method string
	}
	_ = json.Unmarshal(line, &m)
	switch m.Method {
	case "initialize":
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}}`, m.ID), false
	case "tools/call":
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"content":[]}}`, m.ID), true
	}
	return "", false
}

// flooding is a server over pipes. It may go on reading while it writes.
func flooding(t *testing.T, request string, reads bool) mcp.Transport {
	fromClient, toServer := io.Pipe()
	fromServer, toClient := io.Pipe()
	go func() {
		defer toClient.Close()
		in := bufio.NewScanner(fromClient)
		for in.Scan() {
			reply, call := answer(in.Bytes())
			if call {
				if reads {
					go func() { _, _ = io.Copy(io.Discard, fromClient) }()
				}
				for i := range flood {
					if _, err := fmt.Fprintf(toClient, request+"\n", i); err != nil {
						return
					}
				}
			}
			if reply != "" {
				fmt.Fprintln(toClient, reply)
			}
		}
	}()
	return &mcp.IOTransport{Reader: fromServer, Writer: toServer}
}

// floodingHTTP is the same server over HTTP.
func floodingHTTP(t *testing.T, request string) mcp.Transport {
	h := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		reply, call := answer(body)
		if reply == "" {
			w.WriteHeader(http.StatusAccepted)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		if call {
			for i := range flood {
				if _, err := fmt.Fprintf(w, "data: "+request+"\n\n", i); err != nil {
					return
				}
			}
		}
		fmt.Fprintf(w, "data: %s\n\n", reply)
	}))
	t.Cleanup(h.Close)
	return &mcp.StreamableClientTransport{Endpoint: h.URL, DisableStandaloneSSE: true, MaxRetries: -1}
}

// peak returns the most goroutines and the most bytes of live memory above those of now, while f runs.
func peak(f func()) (goroutines int, memory uint64) {
	runtime.GC()
	var before, now runtime.MemStats
	runtime.ReadMemStats(&before)
	base := runtime.NumGoroutine()
	stop, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for {
			goroutines = max(goroutines, runtime.NumGoroutine()-base)
			if runtime.ReadMemStats(&now); now.HeapInuse+now.StackInuse > before.HeapInuse+before.StackInuse {
				memory = max(memory, now.HeapInuse+now.StackInuse-before.HeapInuse-before.StackInuse)
			}
			select {
			case <-stop:
				return
			case <-time.After(time.Millisecond):
			}
		}
	}()
	f()
	close(stop)
	<-done
	return goroutines, memory
}

// TestFlood has a server send far more requests than a client should answer at a time.
func TestFlood(t *testing.T) {
	for name, request := range floods {
		for way, transport := range map[string]func() mcp.Transport{
			"pipe":          func() mcp.Transport { return flooding(t, request, false) },
			"pipe, reading": func() mcp.Transport { return flooding(t, request, true) },
			"HTTP":          func() mcp.Transport { return floodingHTTP(t, request) },
		} {
			t.Run(name+"/"+way, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
				defer cancel()
				decided := make(chan struct{})
				client := mcp.NewClient(&mcp.Implementation{Name: "client"}, &mcp.ClientOptions{
					ElicitationHandler: func(ctx context.Context, _ *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
						select { // a user who thinks
						case <-decided:
						case <-ctx.Done():
						}
						return &mcp.ElicitResult{Action: "cancel"}, nil
					},
				})
				s, err := client.Connect(ctx, Transport(transport()), &mcp.ClientSessionOptions{ProtocolVersion: "2025-11-25"})
				if err != nil {
					t.Fatal(err)
				}
				goroutines, memory := peak(func() {
					_, err = s.CallTool(ctx, &mcp.CallToolParams{Name: "go"})
				})
				if err == nil && name == "elicit" || err != nil && !strings.Contains(err.Error(), "more than 64 requests open") {
					t.Errorf("got %v", err)
				}
				if goroutines > 4*maxOpen || memory > 64<<20 {
					t.Errorf("%d goroutines, %d MB", goroutines, memory>>20)
				}
				if err != nil { // the connection is of no use any more
					if _, err := s.CallTool(ctx, &mcp.CallToolParams{Name: "go"}); err == nil {
						t.Error("called again")
					}
				}
				close(decided)
				s.Close()
			})
		}
	}
}

// TestOpenRequests answers requests, so that there are never more than the bound open.
func TestOpenRequests(t *testing.T) {
	var r requests
	for range 10 * maxOpen {
		if err := r.asked(); err != nil {
			t.Fatal(err)
		}
		r.answered()
	}
	for range maxOpen {
		if err := r.asked(); err != nil {
			t.Fatal(err)
		}
	}
	if r.asked() == nil || r.flooded() == nil {
		t.Errorf("%d requests are open", maxOpen+1)
	}
	r.answered()
	r.answered()
	if r.asked() == nil {
		t.Error("the fault was forgotten")
	}
}
