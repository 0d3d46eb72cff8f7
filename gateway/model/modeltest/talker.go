package modeltest

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"
)

// Talker is the URL of a server that speaks OpenAI's protocol and counts words, one each time that pause has passed,
// without an end.
func Talker(t *testing.T, pause time.Duration) string {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		tick := time.NewTicker(pause)
		defer tick.Stop()
		for i := 0; ; i++ {
			send(w, fmt.Sprintf("data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"word%d \"}}]}\n\n", i))
			select {
			case <-tick.C:
			case <-r.Context().Done():
				return
			}
		}
	}))
	t.Cleanup(s.Close)
	t.Cleanup(s.CloseClientConnections)
	return s.URL
}
