//go:build proxies

package main

import (
	"bufio"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych"
)

// A proxy runs before the server, with the configuration that docs/production.md shows.
type proxy struct {
	*program
	dir  string
	port string
	pool *x509.CertPool
}

func newProxy(t *testing.T) *proxy {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_, port, _ := net.SplitHostPort(listener.Addr().String())
	_ = listener.Close()
	p := &proxy{program: start(t), dir: t.TempDir(), port: port, pool: x509.NewCertPool()}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	certificate := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "mcp.example"}, DNSNames: []string{"mcp.example"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, certificate, certificate, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	public := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	p.pool.AppendCertsFromPEM(public)
	p.write("mcp.example.pem", string(public))
	p.write("mcp.example.key", string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private})))
	return p
}

func (p *proxy) write(name, text string) string {
	p.Helper()
	path := filepath.Join(p.dir, name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		p.Fatal(err)
	}
	return path
}

// configuration is a file of this folder with what differs on this machine replaced. Each old text has to be there.
func configuration(t *testing.T, file string, oldnew ...string) string {
	t.Helper()
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	text := string(raw)
	for i := 0; i < len(oldnew); i += 2 {
		if !strings.Contains(text, oldnew[i]) {
			t.Fatalf("%s has no %q", file, oldnew[i])
		}
		text = strings.ReplaceAll(text, oldnew[i], oldnew[i+1])
	}
	return text
}

// start runs the proxy until the end of the test, and waits until it listens.
func (p *proxy) start(name string, args ...string) {
	p.Helper()
	cmd := exec.Command(name, args...)
	cmd.Env = append(os.Environ(), "HOME="+p.dir, "XDG_DATA_HOME="+p.dir, "XDG_CONFIG_HOME="+p.dir)
	cmd.Stderr = p.Output()
	if err := cmd.Start(); err != nil {
		p.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	p.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		<-ended
	})
	for range 200 {
		select {
		case err := <-ended:
			ended <- err
			p.Fatalf("%s ended at its start: %v", name, err)
		default:
		}
		if conn, err := net.Dial("tcp", "127.0.0.1:"+p.port); err == nil {
			_ = conn.Close()
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	p.Fatalf("%s does not listen", name)
}

// transport reaches the proxy under the address that clients use.
func (p *proxy) transport(token string) http.RoundTripper {
	return tokenTransport{token, &http.Transport{
		ForceAttemptHTTP2: true,
		TLSClientConfig:   &tls.Config{RootCAs: p.pool},
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return (&net.Dialer{}).DialContext(ctx, "tcp", "127.0.0.1:"+p.port)
		},
	}}
}

type tokenTransport struct {
	token string
	next  http.RoundTripper
}

func (t tokenTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	if t.token != "" {
		req = req.Clone(req.Context())
		req.Header.Set("Authorization", "Bearer "+t.token)
	}
	return t.next.RoundTrip(req)
}

// check does through the proxy what clients do.
func (p *proxy) check() {
	token := p.issuer.token(address, nil)
	open := &http.Client{Transport: p.transport("")}
	refused, err := open.Post(address, "application/json", strings.NewReader(`{}`))
	if err != nil {
		p.Fatal(err)
	}
	if refused.StatusCode != http.StatusUnauthorized || !strings.Contains(refused.Header.Get("WWW-Authenticate"), "resource_metadata=") {
		p.Errorf("without a token: %s %v", refused.Status, refused.Header)
	}
	for path, want := range map[string]int{
		"/.well-known/oauth-protected-resource/rooms/mcp": http.StatusOK, "/healthz": http.StatusNotFound, "/metrics": http.StatusNotFound, "/": http.StatusNotFound,
	} {
		res, err := open.Get("https://mcp.example" + path)
		if err != nil {
			p.Fatal(err)
		}
		body, _ := io.ReadAll(res.Body)
		if res.StatusCode != want || want == http.StatusOK && !strings.Contains(string(body), `"resource":"`+address+`"`) {
			p.Errorf("%s: %s %s", path, res.Status, body)
		}
	}

	signedIn := &http.Client{Transport: p.transport(token)}
	large, err := signedIn.Post(address, "application/json", strings.NewReader(strings.Repeat(" ", maxBody+1000)))
	// Through Caddy the same body is answered with 400 at times.
	if err != nil || large.StatusCode != http.StatusRequestEntityTooLarge && large.StatusCode != http.StatusBadRequest {
		p.Errorf("a large body: %v %v", large, err)
	}
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1.0.0"}, nil).Connect(p.Context(),
		diptych.Exact(&mcp.StreamableClientTransport{Endpoint: address, HTTPClient: signedIn}), nil)
	if err != nil {
		p.Fatal(err)
	}
	defer session.Close()
	if res, err := diptych.Call[string](p.Context(), session, "book_room", map[string]any{"room": "nook"}); err != nil || res.Value != "nook is booked for ada" {
		p.Errorf("got %q, %v", res.Value, err)
	}
	p.checkProgress(signedIn)
}

// checkProgress reads an answer while it is made: the first progress arrives long before the answer.
func (p *proxy) checkProgress(client *http.Client) {
	const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"await_room","arguments":{"room":"nook","seconds":4},"_meta":{"progressToken":"1"}}}`
	req, err := http.NewRequestWithContext(p.Context(), http.MethodPost, address, strings.NewReader(body))
	if err != nil {
		p.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	req.Header.Set("MCP-Protocol-Version", "2025-11-25")
	res, err := client.Do(req)
	if err != nil {
		p.Fatal(err)
	}
	defer res.Body.Close()
	var first, last time.Time
	answered := false
	for lines := bufio.NewScanner(res.Body); lines.Scan(); {
		switch text := lines.Text(); {
		case strings.Contains(text, "notifications/progress") && first.IsZero():
			first = time.Now()
		case strings.Contains(text, `{"result":false}`):
			answered, last = true, time.Now()
		}
	}
	if !answered || first.IsZero() || last.Sub(first) < 2*time.Second {
		p.Errorf("answered: %v; the first progress arrived %v before the answer (%s)", answered, last.Sub(first), res.Status)
	}
}

// TestNginx serves through nginx. The file is one of its folder conf.d.
func TestNginx(t *testing.T) {
	p := newProxy(t)
	site := p.write("site.conf", configuration(t, "nginx.conf", "127.0.0.1:8080", p.listen, "listen 443", "listen 127.0.0.1:"+p.port, "/etc/ssl", p.dir))
	temporary := ""
	for _, kind := range []string{"client_body", "proxy", "fastcgi", "uwsgi", "scgi"} {
		temporary += fmt.Sprintf("%s_temp_path %s/%[1]s;\n", kind, p.dir)
	}
	main := p.write("main.conf", fmt.Sprintf("daemon off; worker_processes 1; pid %s/pid; error_log stderr;\nevents {}\nhttp {\naccess_log off;\n%sinclude %s;\n}\n", p.dir, temporary, site))
	p.start("nginx", "-e", "stderr", "-p", p.dir, "-c", main)
	p.check()
}

// TestCaddy serves through Caddy, with a certificate of the test instead of one that Caddy asks for.
func TestCaddy(t *testing.T) {
	p := newProxy(t)
	site := fmt.Sprintf("mcp.example:%s {\n\ttls %s/mcp.example.pem %[2]s/mcp.example.key\n", p.port, p.dir)
	file := p.write("Caddyfile", "{\n\tadmin off\n\tauto_https disable_redirects\n\tdefault_bind 127.0.0.1\n}\n"+
		configuration(t, "Caddyfile", "mcp.example {\n", site, "127.0.0.1:8080", p.listen))
	p.start("caddy", "run", "--adapter", "caddyfile", "--config", file)
	p.check()
}

// TestUnits lets systemd look for mistakes in the units, and open the socket.
func TestUnits(t *testing.T) {
	dir := t.TempDir()
	for _, unit := range []string{"rooms.service", "rooms.socket"} {
		var replaced []string
		if unit == "rooms.service" {
			replaced = []string{"/usr/local/bin/rooms", os.Args[0]}
		}
		if err := os.WriteFile(filepath.Join(dir, unit), []byte(configuration(t, unit, replaced...)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	out, err := exec.CommandContext(t.Context(), "systemd-analyze", "verify", "--man=no", filepath.Join(dir, "rooms.service"), filepath.Join(dir, "rooms.socket")).CombinedOutput()
	if err != nil || strings.Contains(string(out), dir) {
		t.Errorf("systemd-analyze: %v\n%s", err, out)
	}

	service := configuration(t, "rooms.service")
	_, line, _ := strings.Cut(service, "ExecStart=/usr/local/bin/rooms ")
	line, _, _ = strings.Cut(line, "\n")
	p := newProgram(t, newIssuer(t))
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	free := listener.Addr().String()
	_ = listener.Close()
	args := []string{"-l", free, "-E", "PRODUCTION_PROGRAM", "-E", "OTEL_EXPORTER_OTLP_ENDPOINT", os.Args[0]}
	args = append(args, strings.Fields(strings.Replace(line, "https://login.example", p.issuer.URL, 1))...)
	go knock(t.Context(), free) // the program is started by the first connection
	p.run("systemd-socket-activate", append(args, "-metrics", "127.0.0.1:0")...)
	if p.listen != free {
		t.Fatalf("it listens on %s, not on systemd's socket %s", p.listen, free)
	}
	if res := p.call("list_rooms", `{}`, p.issuer.token(address, nil)); res.StatusCode != http.StatusOK {
		t.Errorf("through systemd's socket: %s %s", res.Status, res.body)
	}
}

// knock connects until it is answered.
func knock(ctx context.Context, address string) {
	for ctx.Err() == nil {
		if conn, err := net.Dial("tcp", address); err == nil {
			_ = conn.Close()
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// TestContainer builds the program as the container file does, and runs it with nothing around it, as the user that the file names.
func TestContainer(t *testing.T) {
	file := configuration(t, "Containerfile")
	root := t.TempDir()
	_, build, _ := strings.Cut(file, "RUN ")
	build, _, _ = strings.Cut(build, "\n")
	cmd := exec.CommandContext(t.Context(), "/bin/sh", "-c", strings.Replace(build, "-o /rooms", "-o "+filepath.Join(root, "rooms"), 1))
	cmd.Dir = filepath.Join("..", "..")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", build, err, out)
	}
	var id uint32
	_, user, _ := strings.Cut(file, "\nUSER ")
	if _, err := fmt.Sscanf(user, "%d", &id); err != nil || id == 0 {
		t.Fatalf("the user is %q", user)
	}
	if n := strings.Count(file, "\n"); n > 10 {
		t.Errorf("%d lines", n)
	}
	// The folder of the test is its user's alone.
	if err := os.Chmod(root, 0o755); err != nil {
		t.Fatal(err)
	}
	p := newProgram(t, newIssuer(t))
	run := exec.Command("/rooms", p.flags()...)
	run.SysProcAttr = &syscall.SysProcAttr{Chroot: root, Credential: &syscall.Credential{Uid: id, Gid: id}}
	if os.Geteuid() != 0 { // only root may do this; others do it in a namespace of their own
		run.SysProcAttr.Cloneflags = syscall.CLONE_NEWUSER
		run.SysProcAttr.Credential = nil
		run.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{ContainerID: int(id), HostID: os.Geteuid(), Size: 1}}
	}
	run.Dir = "/"
	p.runs(run)
	if res := p.call("list_rooms", `{}`, p.issuer.token(address, nil)); res.StatusCode != http.StatusOK {
		t.Errorf("in a container: %s %s", res.Status, res.body)
	}
}
