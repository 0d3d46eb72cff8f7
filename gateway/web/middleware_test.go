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

// TestHosts asks for the page under names that it answers to, and under others.
func TestHosts(t *testing.T) {
	f := newFake()
	for name, c := range map[string]struct {
		hosts, answered, refused []string
	}{
		"by default": {nil, []string{"localhost", "LOCALHOST:80", "127.0.0.1:80", "127.8.9.1", "[::1]:80", "[::1]"}, []string{"", "app.example", "10.0.0.1", "localhost.example"}},
		"as set":     {[]string{"app.example"}, []string{"app.example", "App.Example:443"}, []string{"localhost", "127.0.0.1:80", "www.app.example"}},
	} {
		h, err := New(Config{Chat: f, Tools: f, Store: f, Hosts: c.hosts})
		if err != nil {
			t.Fatal(err)
		}
		for i, list := range [][]string{c.answered, c.refused} {
			for _, host := range list {
				r := httptest.NewRequest("GET", "/tools", nil)
				r.Host = host
				w := httptest.NewRecorder()
				h.ServeHTTP(w, r)
				if want := []int{http.StatusOK, http.StatusMisdirectedRequest}[i]; w.Code != want {
					t.Errorf("%s, %q: status %d, want %d", name, host, w.Code, want)
				}
			}
		}
	}
}
