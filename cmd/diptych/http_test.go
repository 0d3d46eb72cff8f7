package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// TestHostileHTTP has servers that are none, or not nice ones. Each gives the right exit code, a sentence that helps, and
// its turn back in time.
func TestHostileHTTP(t *testing.T) {
	initialized := func(then http.HandlerFunc) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			text := string(body)
			id := "1"
			if _, after, ok := strings.Cut(text, `"id":`); ok {
				id, _, _ = strings.Cut(after, ",")
				id = strings.TrimRight(id, "}")
			}
			switch {
			case strings.Contains(text, `"method":"server/discover"`):
				w.Header().Set("Content-Type", "application/json")
				fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no such method"}}`, id)
			case strings.Contains(text, `"method":"initialize"`):
				w.Header().Set("Content-Type", "application/json")
				fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"x","version":"1"}}}`, id)
			case strings.Contains(text, `"method":"tools/list"`):
				then(w, r)
			default:
				w.WriteHeader(http.StatusAccepted)
			}
		}
	}
	wait := func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // only then does the server notice that its client has gone
		<-r.Context().Done()
	}
	for name, c := range map[string]struct {
		handler http.HandlerFunc
		code    int
		says    string
	}{
		"not found":    {http.NotFound, 3, "the path is often /mcp"},
		"unauthorized": {func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "no", http.StatusUnauthorized) }, 3, "--header 'Authorization: Bearer …'"},
		"a web page":   {func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "<html>hello</html>") }, 3, `: unsupported content type "text/html"; is that where it speaks MCP? the path is often /mcp`},
		"other JSON": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprint(w, `{"ok":true}`)
		}, 3, "is that where it speaks MCP?"},
		"broken":       {func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "no", http.StatusInternalServerError) }, 3, ": Internal Server Error\n"},
		"silent":       {wait, 3, "it does not answer"},
		"silent later": {initialized(wait), 3, "does not answer in time"},
		"endless list": {initialized(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			chunk := bytes.Repeat([]byte("["), 1<<20)
			for range 64 {
				if _, err := w.Write(chunk); err != nil {
					return
				}
			}
		}), 3, "more than 16 MiB"},
		"endless events": {initialized(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			for r.Context().Err() == nil {
				if _, err := fmt.Fprint(w, ": still here\n\n"); err != nil {
					return
				}
			}
		}), 3, "does not answer in time"},
		"half an answer": {initialized(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprint(w, `{"jsonrpc":"2.0","id":2,"resu`)
		}), 3, "broke off"},
	} {
		t.Run(name, func(t *testing.T) {
			s := httptest.NewServer(c.handler)
			defer s.Close()
			defer s.CloseClientConnections()
			var stdout, stderr bytes.Buffer
			begin := time.Now()
			code := run(context.Background(), []string{"ls", s.URL, "--timeout", "2s"}, strings.NewReader(""), &stdout, &stderr)
			if took := time.Since(begin); took > 15*time.Second {
				t.Errorf("took %s", took)
			}
			if code != c.code || !strings.Contains(stderr.String(), c.says) {
				t.Errorf("exit code %d, want %d: %q, want %q", code, c.code, stderr.String(), c.says)
			}
		})
	}
}
