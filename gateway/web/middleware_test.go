package web

import (
	"bytes"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/diptych-mcp/diptych/gateway/host"
)

type panicking struct{ value any }

func (p panicking) Tools() []host.Tool { panic(p.value) }

// A handler that panics answers as one that fails, and the server's own log line, which repeats the value, never comes.
func TestPanicIsAnAnswer(t *testing.T) {
	f := newFake()
	var log, standard bytes.Buffer
	h, err := New(Config{Chat: f, Tools: panicking{"what the user said"}, Store: f, Logger: slog.New(slog.NewJSONHandler(&log, nil))})
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewUnstartedServer(h)
	s.Config.ErrorLog = slog.NewLogLogger(slog.NewTextHandler(&standard, nil), slog.LevelError)
	s.Start()
	resp, err := http.Get(s.URL + "/tools")
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	s.Close()
	if resp.StatusCode != http.StatusInternalServerError || !strings.Contains(log.String(), `"route":"GET /tools"`) || standard.Len() > 0 {
		t.Errorf("status %d, log %s, the server's log %s", resp.StatusCode, log.String(), standard.String())
	}
}
