package host

import (
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// TestHealthCounts follows a server from down to up.
func TestHealthCounts(t *testing.T) {
	var there atomic.Bool
	s := server()
	handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, &mcp.StreamableHTTPOptions{Stateless: true})
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !there.Load() {
			http.Error(w, "not yet", http.StatusServiceUnavailable)
			return
		}
		handler.ServeHTTP(w, r)
	}))
	t.Cleanup(web.Close)
	h := start(t, Options{Retry: 5 * time.Millisecond}, Server{ID: "s", URL: web.URL, AllowWithoutSources: true})
	if down := h.Health()[0]; down.State != Down || down.Tries == 0 || down.Reached != 0 || down.Fault == "" {
		t.Errorf("down: %+v", down)
	}
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for planned := false; h.Health()[0].Tries < 3 || !planned; <-tick.C {
		planned = planned || !h.Health()[0].Next.IsZero()
	}
	there.Store(true)
	recovers(t, h, "s__data")
	if up := h.Health()[0]; up.State != Up || up.Tries != 0 || !up.Next.IsZero() || up.Reached != 1 || up.Fault != "" {
		t.Errorf("up: %+v", up)
	}
}
