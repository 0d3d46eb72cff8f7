package host

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A server over HTTP that was restarted does not know its old sessions. It says so in one of several ways; each time the call
// is made in a new session at once.
func TestRestartedServer(t *testing.T) {
	for name, refuse := range map[string]func(w http.ResponseWriter, id string){
		"404": func(w http.ResponseWriter, _ string) { http.Error(w, "session not found", http.StatusNotFound) },
		"404 with an error in its body": func(w http.ResponseWriter, id string) {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusNotFound)
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32001,"message":"Session not found"}}`, id)
		},
		"400 with an error in its body": func(w http.ResponseWriter, id string) {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusBadRequest)
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32000,"message":"Bad Request: No valid session ID provided"}}`, id)
		},
		"200 with an error": func(w http.ResponseWriter, id string) {
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32600,"message":"Session terminated"}}`, id)
		},
	} {
		t.Run(name, func(t *testing.T) {
			var current atomic.Pointer[http.Handler]
			var known atomic.Value // of the restarted server
			restart := func() {
				s := server()
				var h http.Handler = mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, nil)
				current.Store(&h)
			}
			restart()
			var refused atomic.Int64
			there := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				id := r.Header.Get("Mcp-Session-Id")
				body, _ := io.ReadAll(r.Body)
				if old, _ := known.Load().(string); old != "" && id == old {
					refused.Add(1)
					request := "null"
					if _, after, ok := strings.Cut(string(body), `"id":`); ok {
						request = after[:strings.IndexAny(after, ",}")]
					}
					refuse(w, request)
					return
				}
				r.Body = io.NopCloser(bytes.NewReader(body))
				(*current.Load()).ServeHTTP(w, r)
			}))
			t.Cleanup(there.Close)
			t.Cleanup(there.CloseClientConnections)
			h := start(t, Options{Retry: time.Hour, Refresh: time.Hour}, Server{ID: "s", URL: there.URL, AllowWithoutSources: true})
			for range 2 { // twice: the second is no less at once
				s, _ := h.links[0].current()
				if s == nil || s.ID() == "" {
					t.Fatal("the session has no id")
				}
				known.Store(s.ID())
				restart()
				got, err := h.Call(t.Context(), "s__plain", nil, Callbacks{})
				if err != nil || got.IsError {
					t.Fatalf("%+v, %v", got.Blocks, err)
				}
			}
			if refused.Load() == 0 {
				t.Error("nothing was refused")
			}
		})
	}
}

// An address of the older transport says what to do.
func TestOlderTransport(t *testing.T) {
	there := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet {
			http.Error(w, "Method Not Allowed", http.StatusMethodNotAllowed)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		io.WriteString(w, "event: endpoint\ndata: /messages\n\n")
	}))
	t.Cleanup(there.Close)
	h := start(t, Options{Retry: time.Hour}, Server{ID: "s", URL: there.URL})
	if fault := h.Health()[0].Fault; !strings.Contains(fault, "older HTTP+SSE transport") {
		t.Errorf("%q", fault)
	}
}
