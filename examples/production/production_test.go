package main

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych"
)

// TestSignIn calls without a token, with bad ones, and with a good one, and follows the way to the authorization server.
func TestSignIn(t *testing.T) {
	p := start(t)
	refused := p.call("list_rooms", `{}`, "")
	golden(t, "unauthorized.txt", headOf(refused, "WWW-Authenticate"))
	if refused.StatusCode != http.StatusUnauthorized {
		t.Errorf("without a token: %s", refused.Status)
	}
	_, rest, _ := strings.Cut(refused.Header.Get("WWW-Authenticate"), `resource_metadata="https://mcp.example`)
	path, _, _ := strings.Cut(rest, `"`)
	metadata := p.send(http.MethodGet, p.url(path), "")
	var indented bytes.Buffer
	if err := json.Indent(&indented, []byte(metadata.body), "", "  "); err != nil {
		t.Fatal(err)
	}
	golden(t, "metadata.json", strings.ReplaceAll(indented.String(), p.issuer.URL, "https://login.example"))

	stranger, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	for name, token := range map[string]string{
		"no token":       "guess",
		"expired":        p.issuer.token(address, map[string]any{"exp": time.Now().Add(-time.Hour).Unix()}),
		"other audience": p.issuer.token("https://mcp.example/other", nil),
		"other issuer":   p.issuer.token(address, map[string]any{"iss": "https://login.example"}),
		"other key":      sign(t, stranger, map[string]any{"iss": p.issuer.URL, "aud": address, "sub": "ada", "exp": time.Now().Add(time.Hour).Unix()}),
		"unsigned":       "eyJhbGciOiJub25lIn0.eyJzdWIiOiJhZGEifQ.",
	} {
		if res := p.call("list_rooms", `{}`, token); res.StatusCode != http.StatusUnauthorized || strings.TrimSpace(res.body) != "invalid token" {
			t.Errorf("%s: %s %s", name, res.Status, res.body)
		}
	}

	session := p.session(p.issuer.token(address, nil))
	booked, err := diptych.Call[string](t.Context(), session, "book_room", map[string]any{"room": "nook"})
	if err != nil || booked.Value != "nook is booked for ada" {
		t.Errorf("got %q, %v", booked.Value, err)
	}
	p.eventually("the log of the call", func() bool { return p.logs(`"tool":"book_room"`, `"user":"ada"`, `"trace":`) == 1 })
}

// TestScopes calls a tool with a token that lacks its scope, in both eras.
func TestScopes(t *testing.T) {
	p := start(t)
	for name, claim := range map[string]map[string]any{
		"a string": {"scope": "rooms:read"},
		"a list":   {"scope": "", "scp": []string{"rooms:read"}},
	} {
		token := p.issuer.token(address, claim)
		if res := p.call("list_rooms", `{}`, token); res.StatusCode != http.StatusOK || !strings.Contains(res.body, `"atrium"`) {
			t.Errorf("%s: with the scope: %s %s", name, res.Status, res.body)
		}
		refused := p.call("book_room", `{"room":"nook"}`, token)
		if refused.StatusCode != http.StatusForbidden {
			t.Errorf("%s: without the scope: %s %s", name, refused.Status, refused.body)
		}
		golden(t, "forbidden.txt", headOf(refused, "WWW-Authenticate"))
		// A client that names another tool in the header than in the body gets past the first check alone.
		if res := p.call("book_room", `{"room":"nook"}`, token, "Mcp-Name", "list_rooms"); !strings.Contains(res.body, "error") {
			t.Errorf("%s: got past: %s %s", name, res.Status, res.body)
		}
	}

	legacy := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"book_room","arguments":{"room":"nook"}}}`
	res := p.send(http.MethodPost, p.url("/rooms/mcp"), legacy, "Authorization", "Bearer "+p.issuer.token(address, map[string]any{"scope": "rooms:read"}),
		"Content-Type", "application/json", "Accept", "application/json, text/event-stream", "MCP-Protocol-Version", "2025-11-25")
	var answer struct {
		Result struct {
			IsError bool
			Meta    map[string][]string `json:"_meta"`
		}
	}
	if err := json.Unmarshal([]byte(res.body), &answer); err != nil || !answer.Result.IsError ||
		!strings.Contains(fmt.Sprint(answer.Result.Meta["mcp/www_authenticate"]), `scope="rooms:write"`) {
		t.Errorf("in an older revision: %v %s", err, res.body)
	}

	session := p.session(p.issuer.token(address, nil))
	for tool, err := range session.Tools(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		if scopes[tool.Name] == "" || !strings.Contains(fmt.Sprint(tool.Meta["securitySchemes"]), scopes[tool.Name]) {
			t.Errorf("%s has the scope %q and is published with %v", tool.Name, scopes[tool.Name], tool.Meta)
		}
	}
	if _, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "made_up"}); err == nil {
		t.Error("a tool without an entry is called")
	}
}

// TestPages calls from a page of another origin, as browsers do, and under other hosts.
func TestPages(t *testing.T) {
	p := start(t)
	preflight := func(origin string) response {
		return p.send(http.MethodOptions, p.url("/rooms/mcp"), "", "Origin", origin, "Access-Control-Request-Method", "POST",
			"Access-Control-Request-Headers", "authorization,content-type,mcp-name")
	}
	if res := preflight(page); res.StatusCode != http.StatusNoContent || res.Header.Get("Access-Control-Allow-Origin") != page ||
		!strings.Contains(res.Header.Get("Access-Control-Allow-Headers"), "authorization") {
		t.Errorf("the preflight of a page that may call: %s %v", res.Status, res.Header)
	}
	if res := preflight("https://other.example"); res.Header.Get("Access-Control-Allow-Origin") != "" {
		t.Errorf("the preflight of another page: %s %v", res.Status, res.Header)
	}
	refused := p.call("list_rooms", `{}`, "", "Origin", page)
	if refused.Header.Get("Access-Control-Allow-Origin") != page || !strings.Contains(refused.Header.Get("Access-Control-Expose-Headers"), "WWW-Authenticate") {
		t.Errorf("the page cannot read where to sign in: %v", refused.Header)
	}
	token := p.issuer.token(address, nil)
	if res := p.call("list_rooms", `{}`, token, "Origin", page); res.StatusCode != http.StatusOK || len(res.Header.Values("Access-Control-Allow-Origin")) != 1 {
		t.Errorf("a page that may call: %s %v", res.Status, res.Header)
	}
	if res := p.call("list_rooms", `{}`, token, "Origin", "https://other.example"); res.StatusCode != http.StatusForbidden {
		t.Errorf("another page: %s", res.Status)
	}
	if res := p.call("list_rooms", `{}`, token, "Host", "rebound.example"); res.StatusCode != http.StatusForbidden {
		t.Errorf("under another host: %s", res.Status)
	}
	if res := p.send(http.MethodGet, p.url("/"), ""); res.StatusCode != http.StatusNotFound {
		t.Errorf("outside of the base path: %s", res.Status)
	}
}

// TestObserved scrapes the metrics of a call, and finds its span under its caller's.
func TestObserved(t *testing.T) {
	p := start(t)
	token := p.issuer.token(address, nil)
	p.call("book_room", `{"room":"nook"}`, token)
	p.call("book_room", `{"room":"nook"}`, token) // is taken
	p.call("made_up", `{}`, token)

	metrics := p.send(http.MethodGet, "http://"+p.metrics+"/metrics", "").body
	for _, line := range []string{
		`mcp_server_operation_duration_seconds_count{error_type="",gen_ai_tool_name="book_room",mcp_method_name="tools/call"} 1`,
		`mcp_server_operation_duration_seconds_count{error_type="tool_error",gen_ai_tool_name="book_room",mcp_method_name="tools/call"} 1`,
		`mcp_server_operation_duration_seconds_count{error_type="-32602",gen_ai_tool_name="",mcp_method_name="tools/call"} 1`,
		"go_goroutines ",
	} {
		if !strings.Contains(metrics, line) {
			t.Errorf("no line %s in\n%s", line, metrics)
		}
	}
	if strings.Contains(metrics, "made_up") {
		t.Error("a client makes up labels")
	}
	if res := p.send(http.MethodGet, p.url("/metrics"), ""); res.StatusCode != http.StatusNotFound {
		t.Errorf("clients reach the metrics: %s", res.Status)
	}

	const name = "tools/call book_room"
	p.eventually("the spans", func() bool { return len(p.collector.named(name)) == 2 })
	failed := 0
	for _, span := range p.collector.named(name) {
		if got := hex.EncodeToString(span.TraceId); got != traceID || hex.EncodeToString(span.ParentSpanId) != "00f067aa0ba902b7" {
			t.Errorf("the trace is %s, the parent %x", got, span.ParentSpanId)
		}
		for key, want := range map[string]string{
			"mcp.method.name": "tools/call", "gen_ai.tool.name": "book_room", "gen_ai.operation.name": "execute_tool", "network.transport": "tcp",
		} {
			if got := valueOf(span, key); got != want {
				t.Errorf("%s is %q, want %q", key, got, want)
			}
		}
		if valueOf(span, "error.type") == "tool_error" {
			failed++
		}
	}
	if failed != 1 {
		t.Errorf("%d spans failed, want 1", failed)
	}
	p.eventually("the log", func() bool { return p.logs(`"tool":"book_room"`, `"trace":"`+traceID, `"error":"tool_error"`) == 1 })
}

// TestLimits crosses the bounds of a request.
func TestLimits(t *testing.T) {
	p := start(t, "-call-timeout", "1s", "-grace", "5s")
	token := p.issuer.token(address, nil)
	if res := p.call("book_room", `{"room":"`+strings.Repeat("x", maxBody)+`"}`, token); res.StatusCode != http.StatusRequestEntityTooLarge {
		t.Errorf("a large body: %s", res.Status)
	}
	if res := p.call("list_rooms", `{}`, token, "Padding", strings.Repeat("x", maxHeader+8<<10)); res.StatusCode != http.StatusRequestHeaderFieldsTooLarge {
		t.Errorf("large headers: %s", res.Status)
	}
	p.call("book_room", `{"room":"nook"}`, token)
	began := time.Now()
	if res := p.call("await_room", `{"room":"nook","seconds":20}`, token); !strings.Contains(res.body, `"isError":true`) || time.Since(began) > 10*time.Second {
		t.Errorf("a long call: %s after %v", res.body, time.Since(began))
	}
}

// TestStop stops the server under load. Each call that it began has been answered, a slow one too, and nothing else went wrong than
// that connections are refused at the end.
func TestStop(t *testing.T) {
	p := start(t)
	token := p.issuer.token(address, nil)
	p.call("book_room", `{"room":"nook"}`, token)
	var answers, refused atomic.Int64
	var callers sync.WaitGroup
	for range 8 {
		callers.Go(func() {
			client := p.session(token)
			for {
				switch _, err := diptych.Call[[]Room](t.Context(), client, "list_rooms", nil); {
				case err == nil:
					answers.Add(1)
				case isRefused(err):
					refused.Add(1)
					return
				default:
					t.Errorf("after %d answers: %v", answers.Load(), err)
					return
				}
			}
		})
	}
	slow := make(chan response)
	go func() { slow <- p.call("await_room", `{"room":"nook","seconds":3}`, token) }()
	p.eventually("load", func() bool { return answers.Load() > 200 })

	if res := p.send(http.MethodGet, p.url("/readyz"), ""); res.StatusCode != http.StatusOK {
		t.Errorf("before the stop: %s", res.Status)
	}
	_ = p.cmd.Process.Signal(syscall.SIGTERM)
	p.eventually("the end of readiness", func() bool {
		return p.send(http.MethodGet, p.url("/readyz"), "").StatusCode == http.StatusServiceUnavailable
	})
	if res := p.send(http.MethodGet, p.url("/healthz"), ""); res.StatusCode != http.StatusOK {
		t.Errorf("while it stops, the process is not healthy: %s", res.Status)
	}
	if res := <-slow; !strings.Contains(res.body, `{"result":false}`) {
		t.Errorf("the slow call: %s", res.body)
	}
	callers.Wait()
	if err := p.cmd.Wait(); err != nil {
		t.Errorf("the server ended with %v", err)
	}
	<-p.logged
	if began := p.logs(`"tool":"list_rooms"`); int64(began) != answers.Load() {
		t.Errorf("%d calls were begun and %d answered", began, answers.Load())
	}
	if len(p.collector.named("tools/call await_room")) != 1 {
		t.Error("the last spans were not sent")
	}
	if refused.Load() != 8 {
		t.Errorf("%d callers saw that the server had gone, want 8", refused.Load())
	}
}

// TestConfig gives flags that would fail later.
func TestConfig(t *testing.T) {
	good := []string{"-url", address, "-issuer", "https://login.example"}
	if _, err := readConfig(good); err != nil {
		t.Fatal(err)
	}
	for _, wrong := range [][]string{
		{"-url", "mcp.example"}, {"-url", "https://mcp.example/"}, {"-issuer", ""}, {"-grace", "1s"},
	} {
		if _, err := readConfig(append(good[:len(good):len(good)], wrong...)); err == nil || !strings.Contains(err.Error(), wrong[0]) {
			t.Errorf("%q: %v", wrong, err)
		}
	}
}
