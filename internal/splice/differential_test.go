package splice

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A trace is what middleware sees of the requests of a server.
type trace struct {
	mu   sync.Mutex
	seen []string
}

func (tr *trace) middleware(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		session := req.GetSession().(*mcp.ServerSession)
		_, hasDeadline := ctx.Deadline()
		doc, err := json.Marshal(map[string]any{
			"method": method, "type": fmt.Sprintf("%T %T", req, req.GetParams()), "params": req.GetParams(), "header": req.GetExtra().Header, "token": req.GetExtra().TokenInfo,
			"session": session.ID(), "initialize": session.InitializeParams(), "deadline": hasDeadline, "local": fmt.Sprintf("%T", ctx.Value(http.LocalAddrContextKey)),
		})
		res, handled := next(ctx, method, req)
		tr.mu.Lock()
		defer tr.mu.Unlock()
		tr.seen = append(tr.seen, fmt.Sprintf("%s %v %T %v", doc, err, res, handled))
		return res, handled
	}
}

// take returns what was seen since the last time.
func (tr *trace) take() []string {
	tr.mu.Lock()
	defer tr.mu.Unlock()
	seen := tr.seen
	tr.seen = nil
	slices.Sort(seen)
	return seen
}

// An endpoint is a server that is reached over TCP, and what its middleware sees.
type endpoint struct {
	address string
	trace
}

func listen(t *testing.T, handler func(*mcp.Server) http.Handler) *endpoint {
	e := new(endpoint)
	s := toolServer(nil)
	s.AddReceivingMiddleware(e.middleware)
	web := httptest.NewServer(handler(s))
	t.Cleanup(web.Close)
	e.address = web.Listener.Addr().String()
	return e
}

// exchange sends the parts of a request, with a pause between them, and reads the response.
func (e *endpoint) exchange(t *testing.T, parts []string) (*http.Response, []byte) {
	t.Helper()
	c, err := net.Dial("tcp", e.address)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	_ = c.SetDeadline(time.Now().Add(deadline))
	go func() {
		for i, p := range parts {
			if i > 0 {
				time.Sleep(2 * time.Millisecond)
			}
			if _, err := io.WriteString(c, strings.ReplaceAll(p, "HOST", e.address)); err != nil {
				return
			}
		}
	}()
	res, err := http.ReadResponse(bufio.NewReader(c), &http.Request{Method: strings.Fields(parts[0])[0]})
	if err != nil {
		t.Fatalf("%v for %.500q", err, parts)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res, body
}

// A rawRequest is a request whose headers are lines.
type rawRequest struct {
	method string
	header []string
	body   string
}

// framings are the ways in which a body is sent.
var framings = map[string]func(r rawRequest, head string) []string{
	"length": func(r rawRequest, head string) []string {
		return []string{fmt.Sprintf("%sContent-Length: %d\r\n\r\n%s", head, len(r.body), r.body)}
	},
	"chunked": func(r rawRequest, head string) []string {
		return []string{head + "Transfer-Encoding: chunked\r\n\r\n" + chunk(r.body) + "0\r\n\r\n"}
	},
	"slow": func(r rawRequest, head string) []string {
		half := len(r.body) / 2
		return []string{fmt.Sprintf("%sContent-Length: %d\r\n\r\n", head, len(r.body)), r.body[:half], r.body[half:]}
	},
	"slow chunks": func(r rawRequest, head string) []string {
		half := len(r.body) / 2
		return []string{head + "Transfer-Encoding: chunked\r\n\r\n", chunk(r.body[:half]), chunk(r.body[half:]), "0\r\n\r\n"}
	},
}

func chunk(s string) string {
	if s == "" {
		return ""
	}
	return fmt.Sprintf("%x\r\n%s\r\n", len(s), s)
}

func (r rawRequest) parts(framing string) []string {
	head := r.method + " / HTTP/1.1\r\nConnection: close\r\n" + strings.Join(r.header, "\r\n") + "\r\n"
	return framings[framing](r, head)
}

// with returns r with the header lines of this name replaced.
func (r rawRequest) with(name string, values ...string) rawRequest {
	r.header = slices.DeleteFunc(slices.Clone(r.header), func(line string) bool {
		return strings.HasPrefix(strings.ToLower(line), strings.ToLower(name)+":")
	})
	for _, v := range values {
		r.header = append(r.header, name+": "+v)
	}
	return r
}

// rawRequests are requests of all revisions that differ in one thing from one that is answered.
func rawRequests() map[string]rawRequest {
	all := map[string]rawRequest{}
	for _, version := range []string{modern, legacy, "2025-06-18", "2025-03-26", "2024-11-05", "", "2027-01-01", "2025-01-01", "x"} {
		for _, tool := range []string{"", "echo", "plain_both_panels", "notify", "error_invalid_params", "error_not_found", "headed", "unknown"} {
			l := callOf(tool)
			if version != modern {
				l = oldCallOf(tool, version)
			}
			r := rawRequest{http.MethodPost, []string{"Host: HOST"}, l.body}
			for name, values := range l.header {
				if values[0] != "" {
					r = r.with(name, values...)
				}
			}
			all["a "+version+" call of "+tool] = r
			if tool != "echo" {
				continue
			}
			for _, method := range []string{"GET", "HEAD", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE"} {
				changed := r
				changed.method = method
				all[method+" "+version] = changed
			}
			for _, name := range []string{"Content-Type", "Accept", "Mcp-Protocol-Version", "Mcp-Method", "Mcp-Name", "Mcp-Session-Id", "Last-Event-Id", "Mcp-Param-City", "Authorization", "Origin"} {
				value := l.header.Get(name)
				if value == "" {
					value = "tools/call"
				}
				for change, values := range map[string][]string{
					"without": nil, "empty": {""}, "twice": {value, value}, "two": {value, "other"}, "other first": {"other", value}, "upper": {strings.ToUpper(value)},
					"spaced": {"  " + value + "  "}, "more": {value + ", x"}, "parameter": {value + "; q=1"}, "any": {"*/*"}, "half": {value[:len(value)/2]}, "not ASCII": {value + "\xe9"},
				} {
					all[fmt.Sprint(name, " ", change, " ", version)] = r.with(name, values...)
				}
				all[name+" in small letters "+version] = r.with(name).with(strings.ToLower(name), value)
			}
			for name, body := range map[string]string{
				"empty": "", "space": " \r\n ", "no JSON": "{", "more": r.body + "x", "two": r.body + r.body, "indented": indented(r.body), "batch": "[" + r.body + "]", "a number": "7",
				"no params": `{"jsonrpc":"2.0","id":7,"method":"tools/call"}`, "ping": `{"jsonrpc":"2.0","id":7,"method":"ping"}`, "a notification": `{"jsonrpc":"2.0","method":"notifications/initialized"}`,
				"a response": `{"jsonrpc":"2.0","id":7,"result":{}}`, "another id": strings.Replace(r.body, `"id":7`, `"id":"seven"`, 1), "not UTF-8": strings.Replace(r.body, "Rome", "\xff", 1),
				"large": strings.Replace(r.body, "Rome", strings.Repeat("x", 100_000), 1), "too large": r.body + strings.Repeat(" ", mcp.DefaultMaxRequestBodyBytes),
				"half a pair": strings.Replace(r.body, "Rome", `\ud800`, 1), "members": strings.Replace(r.body, `"arguments":{`, `"a\u0072guments":{`, 1),
			} {
				changed := r
				changed.body = body
				all["body "+name+" "+version] = changed
			}
			all["another host "+version] = r.with("Host", "app.example")
			all["no host "+version] = r.with("Host", "")
		}
	}
	return all
}

func indented(doc string) string {
	var b bytes.Buffer
	_ = json.Indent(&b, []byte(doc), "", "\t")
	return b.String()
}

// TestOverTCP compares the responses of this package with the SDK's byte for byte of the request, and what middleware sees.
func TestOverTCP(t *testing.T) {
	opts := mcp.StreamableHTTPOptions{PropagateRequestCancellation: true}
	sdk := listen(t, func(s *mcp.Server) http.Handler { return Documents(official(s, opts), opts) })
	ours := listen(t, func(s *mcp.Server) http.Handler { h, _ := handlerOf(s, opts); return h })
	names := []string{"length", "chunked", "slow", "slow chunks"}
	i := 0
	for name, r := range rawRequests() {
		i++
		framing := names[i%len(names)]
		t.Run(name+", "+framing, func(t *testing.T) {
			want, wantBody := sdk.exchange(t, r.parts(framing))
			got, gotBody := ours.exchange(t, r.parts(framing))
			if want.StatusCode != got.StatusCode {
				t.Errorf("status %d, want %d", got.StatusCode, want.StatusCode)
			}
			for _, h := range []http.Header{want.Header, got.Header} {
				h.Del("Date")
				h.Del("Content-Length")
			}
			if d := cmp.Diff(want.Header, got.Header); d != "" {
				t.Errorf("headers: -official +ours\n%s", d)
			}
			anonymous := func(text []byte, e *endpoint) string { return strings.ReplaceAll(string(text), e.address, "HOST") }
			a, b := anonymous(wantBody, sdk), anonymous(gotBody, ours)
			if recorded := func(res *http.Response, body string) *httptest.ResponseRecorder {
				w := httptest.NewRecorder()
				w.Code, w.Body = res.StatusCode, bytes.NewBufferString(body)
				maps.Copy(w.Header(), res.Header)
				return w
			}; want.StatusCode == http.StatusOK || strings.HasPrefix(want.Header.Get("Content-Type"), "application/json") {
				alike(t, recorded(want, a), recorded(got, b))
			} else if a != b {
				t.Errorf("body %.300q, want %.300q", b, a)
			}
			if d := cmp.Diff(sdk.take(), ours.take()); d != "" && want.StatusCode != http.StatusAccepted { // the session of a notification may end before it is seen
				t.Errorf("middleware: -official +ours\n%.3000s", d)
			}
		})
	}
}

// TestHTTP2 calls tools over HTTP/2, with a document and with a stream of events as response, and breaks one call off.
func TestHTTP2(t *testing.T) {
	s := toolServer(nil)
	started, stopped := make(chan bool, 1), make(chan error, 1)
	s.AddTool(&mcp.Tool{Name: "wait", InputSchema: json.RawMessage(`{"type":"object"}`)}, func(ctx context.Context, _ *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		started <- true
		<-ctx.Done()
		stopped <- ctx.Err()
		return nil, ctx.Err()
	})
	h, sdk := handlerOf(s, mcp.StreamableHTTPOptions{})
	web := httptest.NewUnstartedServer(h)
	web.EnableHTTP2 = true
	web.StartTLS()
	defer web.Close()
	send := func(ctx context.Context, tool string) (*http.Response, error) {
		l := callOf(tool)
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, web.URL, io.MultiReader(strings.NewReader(l.body))) // of no known length
		if err != nil {
			return nil, err
		}
		maps.Copy(req.Header, l.header)
		return web.Client().Do(req)
	}
	for tool, kind := range map[string]string{"plain_larger_than_the_buffer": "application/json", "notify": "text/event-stream"} {
		res, err := send(t.Context(), tool)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(res.Body)
		res.Body.Close()
		if err != nil || res.ProtoMajor != 2 || res.StatusCode != http.StatusOK || res.Header.Get("Content-Type") != kind || !bytes.Contains(body, []byte(`"result":{`)) {
			t.Errorf("%s: %s %d %v %.300s %v", tool, res.Proto, res.StatusCode, res.Header, body, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-started; cancel() }()
	if _, err := send(ctx, "wait"); err == nil {
		t.Error("an answer to a call that was broken off")
	}
	if err := wait(t, stopped); err != context.Canceled {
		t.Error(err)
	}
	if sdk.n != 0 {
		t.Error("not answered here")
	}
}

// TestSlowReaders leaves large responses unread. Other requests are answered, and the handlers end with their connections.
func TestSlowReaders(t *testing.T) {
	s := toolServer(nil)
	large := answerOf(strings.Repeat("x", 20<<20), "")
	s.AddTool(&mcp.Tool{Name: "large", InputSchema: json.RawMessage(`{"type":"object"}`)}, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) { return large, nil })
	h, _ := handlerOf(s, mcp.StreamableHTTPOptions{})
	var open sync.WaitGroup
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		open.Add(1)
		defer open.Done()
		h.ServeHTTP(w, req)
	}))
	defer web.Close()
	e := &endpoint{address: web.Listener.Addr().String()}
	large1 := rawRequests()["a "+modern+" call of echo"].with("Mcp-Name", "large")
	large1.body = callOf("large").body
	var slow []net.Conn
	for range 5 {
		c, err := net.Dial("tcp", e.address)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		if _, err := io.WriteString(c, strings.ReplaceAll(large1.parts("length")[0], "HOST", e.address)); err != nil {
			t.Fatal(err)
		}
		if _, err := c.Read(make([]byte, 100)); err != nil { // the response has begun
			t.Fatal(err)
		}
		slow = append(slow, c)
	}
	if res, body := e.exchange(t, rawRequests()["a "+modern+" call of echo"].parts("length")); res.StatusCode != http.StatusOK {
		t.Errorf("beside slow readers: %d %s", res.StatusCode, body)
	}
	for _, c := range slow {
		c.Close()
	}
	ended := make(chan bool)
	go func() { open.Wait(); close(ended) }()
	wait(t, ended)
	for range s.Sessions() {
		t.Error("a session is left")
	}
}
