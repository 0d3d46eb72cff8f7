package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych"
)

const (
	address = "https://mcp.example/rooms/mcp"
	page    = "https://app.example"
)

// TestMain runs the program itself where it is started by a test.
func TestMain(m *testing.M) {
	if os.Getenv("PRODUCTION_PROGRAM") != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

// A program is the server as it runs, in a process of its own.
type program struct {
	*testing.T
	issuer    *issuer
	collector *collector
	cmd       *exec.Cmd
	listen    string // host:port
	metrics   string
	logged    chan struct{} // closed at the end of the log

	mu  sync.Mutex
	log []string
}

// start starts the server with these flags beside the usual ones.
func start(t *testing.T, flags ...string) *program {
	t.Helper()
	p := newProgram(t, newIssuer(t))
	p.run(os.Args[0], append(p.flags(), flags...)...)
	return p
}

// newProgram is a server that was not started, which accepts the tokens of an issuer.
func newProgram(t *testing.T, issuer *issuer) *program {
	return &program{T: t, issuer: issuer, collector: newCollector(t), logged: make(chan struct{})}
}

func (p *program) flags() []string {
	return []string{"-url", address, "-issuer", p.issuer.URL, "-origins", page, "-listen", "127.0.0.1:0", "-metrics", "127.0.0.1:0", "-drain", "300ms"}
}

// run starts a command and waits until it listens.
func (p *program) run(name string, args ...string) {
	p.Helper()
	p.runs(exec.Command(name, args...))
}

func (p *program) runs(cmd *exec.Cmd) {
	p.Helper()
	p.cmd = cmd
	cmd.Env = append(os.Environ(), "PRODUCTION_PROGRAM=1", "OTEL_EXPORTER_OTLP_ENDPOINT="+p.collector.URL, "OTEL_BSP_SCHEDULE_DELAY=100")
	r, w, err := os.Pipe()
	if err != nil {
		p.Fatal(err)
	}
	p.cmd.Stderr = w
	err = p.cmd.Start()
	_ = w.Close()
	if err != nil {
		p.Fatal(err)
	}
	p.Cleanup(func() {
		_ = p.cmd.Process.Kill()
		_ = p.cmd.Wait()
		<-p.logged
		if p.Failed() {
			p.Log(strings.Join(p.log[max(0, len(p.log)-20):], "\n"))
		}
	})
	listening := make(chan struct{})
	go func() {
		defer close(p.logged)
		defer r.Close()
		for lines := bufio.NewScanner(r); lines.Scan(); {
			var line struct{ Msg, Address, Metrics string }
			if json.Unmarshal(lines.Bytes(), &line) == nil && line.Msg == "listening" {
				p.listen, p.metrics = line.Address, line.Metrics
				close(listening)
			}
			p.mu.Lock()
			p.log = append(p.log, lines.Text())
			p.mu.Unlock()
		}
	}()
	select {
	case <-listening:
	case <-p.logged:
		p.Fatal("the server ended at its start")
	case <-time.After(30 * time.Second):
		p.Fatal("the server does not listen")
	}
}

// logs counts the lines of the log with all of these words.
func (p *program) logs(words ...string) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := 0
	for _, line := range p.log {
		if !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(line, w) }) {
			n++
		}
	}
	return n
}

func (p *program) url(path string) string { return "http://" + p.listen + path }

// A response is one that was read to its end.
type response struct {
	*http.Response
	body string
}

// send sends a request under the name that the proxy passes on. Headers are pairs.
func (p *program) send(method, url, body string, headers ...string) response {
	p.Helper()
	req, err := http.NewRequestWithContext(p.Context(), method, url, strings.NewReader(body))
	if err != nil {
		p.Fatal(err)
	}
	req.Host = "mcp.example"
	for i := 0; i < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	if host := req.Header.Get("Host"); host != "" {
		req.Host = host
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		p.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		p.Fatal(err)
	}
	return response{res, string(text)}
}

// call posts a call of a tool in the newest revision, with this token.
func (p *program) call(tool, arguments, token string, headers ...string) response {
	p.Helper()
	body := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":%q,"arguments":%s,"_meta":{
		"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"test","version":"1.0.0"},
		"io.modelcontextprotocol/clientCapabilities":{},"traceparent":%q}}}`, tool, arguments, traceparent)
	headers = append([]string{"Content-Type", "application/json", "Accept", "application/json, text/event-stream",
		"MCP-Protocol-Version", "2026-07-28", "Mcp-Method", "tools/call", "Mcp-Name", tool}, headers...)
	if token != "" {
		headers = append(headers, "Authorization", "Bearer "+token)
	}
	return p.send(http.MethodPost, p.url("/rooms/mcp"), body, headers...)
}

const (
	traceID     = "4bf92f3577b34da6a3ce929d0e0e4736"
	traceparent = "00-" + traceID + "-00f067aa0ba902b7-01"
)

// session is a client of the SDK with this token.
func (p *program) session(token string) *mcp.ClientSession {
	p.Helper()
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1.0.0"}, nil)
	session, err := client.Connect(p.Context(), diptych.Exact(&mcp.StreamableClientTransport{
		Endpoint: p.url("/rooms/mcp"), HTTPClient: &http.Client{Transport: bearer(token)},
	}), nil)
	if err != nil {
		p.Fatal(err)
	}
	p.Cleanup(func() { _ = session.Close() })
	return session
}

// A bearer sends a token with every request.
type bearer string

func (b bearer) RoundTrip(req *http.Request) (*http.Response, error) {
	req = req.Clone(req.Context())
	req.Header.Set("Authorization", "Bearer "+string(b))
	return http.DefaultTransport.RoundTrip(req)
}

// eventually waits until something has arrived.
func (p *program) eventually(what string, arrived func() bool) {
	p.Helper()
	for range 100 {
		if arrived() {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	p.Fatalf("%s did not arrive", what)
}

// golden compares a text with a file, which docs/production.md shows.
func golden(t *testing.T, file, got string) {
	t.Helper()
	path := filepath.Join("testdata", file)
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil || string(want) != got {
		t.Errorf("%s is out of date (%v); run UPDATE=1 go test\ngot:\n%s\nwant:\n%s", path, err, got, want)
	}
}

// isRefused reports whether the server did not take the connection: it had closed its listener, or did so before it took it.
func isRefused(err error) bool {
	op, ok := errors.AsType[*net.OpError](err)
	return ok && op.Op == "dial" || errors.Is(err, syscall.ECONNRESET)
}

// headOf is a response without what differs from run to run.
func headOf(res response, names ...string) string {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s %s\n", res.Proto, res.Status)
	for _, name := range names {
		fmt.Fprintf(&b, "%s: %s\n", name, res.Header.Get(name))
	}
	return b.String()
}
