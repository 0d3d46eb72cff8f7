package main

import (
	"bytes"
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// An interruption ends every command with the code that shells give it, wherever the command is.
func TestInterrupted(t *testing.T) {
	for name, silent := range map[string]string{"while it connects": "", "while it lists": "tools/list", "while it calls": "tools/call"} {
		for _, args := range [][]string{{"ls"}, {"call", "never"}, {"check", "--call", "all"}} {
			if args[0] == "ls" && silent == "tools/call" {
				continue
			}
			ctx, cancel := context.WithCancel(t.Context())
			over := make(chan struct{})
			inner := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return fixtureServer(lyingTools[2:3]) }, &mcp.StreamableHTTPOptions{Stateless: true})
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if method := r.Header.Get("Mcp-Method"); silent == "" || method == silent {
					cancel()
					<-over
					return
				}
				inner.ServeHTTP(w, r)
			}))
			var stdout, stderr bytes.Buffer
			code := make(chan int, 1)
			go func() {
				code <- run(ctx, append([]string{args[0], server.URL}, args[1:]...), strings.NewReader(""), &stdout, &stderr)
			}()
			select {
			case got := <-code:
				if got != exitInterrupted || stderr.String() != "diptych: interrupted\n" {
					t.Errorf("%s %s: code %d, %q", args[0], name, got, stderr.String())
				}
			case <-time.After(20 * time.Second):
				t.Errorf("%s %s: does not end", args[0], name)
			}
			close(over)
			server.Close()
		}
	}
}
