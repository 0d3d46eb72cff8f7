package splice

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	modern = "2026-07-28"
	legacy = "2025-11-25"
)

var long = strings.Repeat("a long text with \"quotes\", <b>, \u2028, é, \x01 and\nlines\t", 100)

// results are what tools answer with. The SDK writes <b> as \u003cb\u003e, this package as it is.
var results = []struct {
	name   string
	result func() *mcp.CallToolResult
}{
	{"small", func() *mcp.CallToolResult { return answerOf("<b>", `{"html":"<b>"}`) }},
	{"text", func() *mcp.CallToolResult { return answerOf(long, "") }},
	{"both panels", func() *mcp.CallToolResult { return answerOf(long, `{"n":9007199254740993,"x":1.10,"html":"<b>"}`) }},
	{"structured alone", func() *mcp.CallToolResult {
		return &mcp.CallToolResult{StructuredContent: json.RawMessage(`{"html":"<b>","rows":[` + strings.Repeat("1, ", 2000) + `1]}`)}
	}},
	{"several lines", func() *mcp.CallToolResult { return answerOf(long, "{\r\n\"html\":\n\t\"<b>\" }") }},
	{"no raw message", func() *mcp.CallToolResult {
		return &mcp.CallToolResult{Content: answerOf(long, "").Content, StructuredContent: map[string]any{"a": 1}}
	}},
	{"error", func() *mcp.CallToolResult { res := answerOf(long, ""); res.IsError = true; return res }},
	{"meta", func() *mcp.CallToolResult { res := answerOf(long, "{}"); res.Meta = mcp.Meta{"a": "<b>"}; return res }},
	{"invalid UTF-8", func() *mcp.CallToolResult { return answerOf("\xff\xfe<b>"+long, "") }},
	{"blocks", func() *mcp.CallToolResult {
		res := answerOf(long, "")
		res.Content = append(res.Content, &mcp.TextContent{}, &mcp.ImageContent{Data: []byte("image"), MIMEType: "image/png"},
			&mcp.TextContent{Text: "more", Annotations: &mcp.Annotations{Priority: 1}},
			&mcp.ResourceLink{URI: "file:///a", Name: "a"})
		return res
	}},
	{"larger than the buffer", func() *mcp.CallToolResult {
		return answerOf(strings.Repeat(long, 30), `{"s":"`+strings.Repeat("<b>", 50_000)+`"}`)
	}},
}

func answerOf(text, structured string) *mcp.CallToolResult {
	res := &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}
	if structured != "" {
		res.StructuredContent = json.RawMessage(structured)
	}
	return res
}

func newTestServer(opts *mcp.ServerOptions) *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "test", Version: "1"}, opts)
	for _, r := range results {
		s.AddTool(&mcp.Tool{Name: strings.ReplaceAll(r.name, " ", "_"), Description: "<b>", InputSchema: json.RawMessage(`{"type":"object"}`)},
			func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				if token := req.Params.GetProgressToken(); token != nil {
					_ = req.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: token, Progress: 1})
				}
				return r.result(), nil
			})
	}
	return s
}

func official(s *mcp.Server, opts mcp.StreamableHTTPOptions) http.Handler {
	opts.Stateless = true
	return mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, &opts)
}

func spliced(s *mcp.Server, opts mcp.StreamableHTTPOptions) http.Handler {
	opts.Stateless = true
	return Handler(s, official(s, opts), opts)
}

// post sends one message. Params are without the braces.
func post(h http.Handler, revision, method, params string) *httptest.ResponseRecorder {
	if revision >= modern {
		params += `,"_meta":{"progressToken":"t","io.modelcontextprotocol/protocolVersion":"` + revision + `","io.modelcontextprotocol/clientCapabilities":{}}`
	}
	return send(h, revision, method, `{"jsonrpc":"2.0","id":7,"method":"`+method+`","params":{`+strings.TrimPrefix(params, ",")+`}}`)
}

func send(h http.Handler, revision, method, body string) *httptest.ResponseRecorder {
	req := httptest.NewRequest(http.MethodPost, "http://localhost/", strings.NewReader(body))
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	req.Header.Set("Mcp-Protocol-Version", revision)
	if revision >= modern {
		var m struct{ Params struct{ Name string } }
		_ = json.Unmarshal([]byte(body), &m)
		req.Header.Set("Mcp-Method", method)
		req.Header.Set("Mcp-Name", m.Params.Name)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, req)
	return w
}

// messages are what an answer says: the lines of the stream or the one document, with every digit.
func messages(t *testing.T, w *httptest.ResponseRecorder) []any {
	t.Helper()
	var docs []any
	body := w.Body.String()
	if strings.HasPrefix(w.Header().Get("Content-Type"), "text/event-stream") {
		var data []string
		for line := range strings.Lines(body) {
			if doc, ok := strings.CutPrefix(line, "data: "); ok {
				data = append(data, doc)
			} else if line != "event: message\n" && line != "\n" {
				t.Fatalf("a line of the stream is %.100q", line)
			}
		}
		body = strings.Join(data, "")
	}
	d := json.NewDecoder(strings.NewReader(body))
	d.UseNumber()
	for {
		var doc any
		if err := d.Decode(&doc); err == io.EOF {
			return docs
		} else if err != nil {
			t.Fatalf("%v in %.300q", err, body)
		}
		docs = append(docs, doc)
	}
}

// TestSameAnswers compares every kind of result with what the SDK alone sends.
func TestSameAnswers(t *testing.T) {
	for _, revision := range []string{modern, legacy, oldest} {
		for _, onlyDocuments := range []bool{false, true} {
			opts := mcp.StreamableHTTPOptions{JSONResponse: onlyDocuments, Stateless: true}
			sdk := official(newTestServer(nil), opts)
			want, got := Documents(sdk, opts), spliced(newTestServer(nil), opts)
			for _, r := range results {
				t.Run(fmt.Sprint(revision, " documents=", onlyDocuments, " ", r.name), func(t *testing.T) {
					params := `"name":"` + strings.ReplaceAll(r.name, " ", "_") + `"`
					reply := post(got, revision, "tools/call", params)
					alike(t, post(want, revision, "tools/call", params), reply)
					for range 2 { // the second from memory
						alike(t, post(want, revision, "tools/list", ""), post(got, revision, "tools/list", ""))
					}
					if d := cmp.Diff(messages(t, post(sdk, revision, "tools/call", params)), messages(t, reply)); d != "" {
						t.Errorf("messages: -official +spliced\n%.2000s", d)
					}
					if raw := bytes.Contains(reply.Body.Bytes(), []byte("<b>")); raw != (r.name != "invalid UTF-8") {
						t.Errorf("answered here: %v", raw)
					}
					// Progress precedes the answer where the caller asked for it.
					if stream := reply.Header().Get("Content-Type") == "text/event-stream"; stream != (revision == modern && !onlyDocuments) {
						t.Errorf("a stream: %v", stream)
					}
				})
			}
		}
	}
}

// TestNotOfOneMessage sends what has no single answer, or none at all.
func TestNotOfOneMessage(t *testing.T) {
	opts := mcp.StreamableHTTPOptions{Stateless: true}
	want, got := Documents(official(newTestServer(nil), opts), opts), spliced(newTestServer(nil), opts)
	call := `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"text"}}`
	for name, body := range map[string]string{
		"batch":        "[" + call + "," + strings.Replace(call, "7", "8", 1) + "]",
		"notification": `{"jsonrpc":"2.0","method":"notifications/initialized"}`,
		"unknown":      `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"unknown"}}`,
		"no JSON":      `{`,
		"ping":         `{"jsonrpc":"2.0","id":7,"method":"ping"}`,
		"too large":    `{"jsonrpc":"2.0","id":7,"method":"ping","params":"` + strings.Repeat("x", mcp.DefaultMaxRequestBodyBytes) + `"}`,
	} {
		for _, revision := range []string{oldest, legacy, modern} {
			t.Run(name+" "+revision, func(t *testing.T) {
				a, b := send(want, revision, "tools/call", body), send(got, revision, "tools/call", body)
				if a.Code != b.Code || a.Header().Get("Content-Type") != b.Header().Get("Content-Type") || len(a.Body.Bytes()) != len(b.Body.Bytes()) && name != "batch" {
					t.Errorf("%d %.200q, want %d %.200q", b.Code, b.Body, a.Code, a.Body)
				}
			})
		}
	}
}

// TestStackDoesNotGrow calls a server under Handler and Run in turn, and finds the one middleware that its author added and a
// stack that does not grow.
func TestStackDoesNotGrow(t *testing.T) {
	s := newTestServer(nil)
	var passed, depth atomic.Int64
	s.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			passed.Add(1)
			return next(ctx, method, req)
		}
	})
	s.AddTool(&mcp.Tool{Name: "depth", InputSchema: json.RawMessage(`{"type":"object"}`)}, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		depth.Store(int64(runtime.Callers(0, make([]uintptr, 1000))))
		return answerOf("", ""), nil
	})
	h := spliced(s, mcp.StreamableHTTPOptions{})
	lines := connect(t, Run, s)
	lines.open(legacy)
	lines.say(callLine(legacy, "tools/list", ""), 1) // after it the notification is over
	once := func(revision string) (int64, int64) {
		passed.Store(0)
		post(h, revision, "tools/call", `"name":"depth"`)
		over := depth.Swap(0)
		lines.say(callLine(legacy, "tools/call", `"name":"depth"`), 1)
		if n := passed.Load(); n != 2 {
			t.Fatalf("%d middlewares for two calls", n)
		}
		return over, depth.Load()
	}
	once(modern)
	overHTTP, onLines := once(modern)
	for i := range 5_000 {
		for _, revision := range []string{modern, legacy} {
			if a, b := once(revision); a > overHTTP || b > onLines {
				t.Fatalf("after %d calls the stack has %d and %d frames, before %d and %d", 4*i, a, b, overHTTP, onLines)
			}
		}
	}
}

// TestTwoHandlers serves one server twice, and beside it over a transport of its own.
func TestTwoHandlers(t *testing.T) {
	s := newTestServer(nil)
	for range 2 {
		h := spliced(s, mcp.StreamableHTTPOptions{})
		alike(t, post(documents(newTestServer(nil)), modern, "tools/call", `"name":"text"`), post(h, modern, "tools/call", `"name":"text"`))
	}
	there, here := mcp.NewInMemoryTransports()
	server, err := s.Connect(t.Context(), there, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	client, err := mcp.NewClient(&mcp.Implementation{Name: "test"}, nil).Connect(t.Context(), here, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	res, err := client.CallTool(t.Context(), &mcp.CallToolParams{Name: "text"})
	if err != nil || res.Content[0].(*mcp.TextContent).Text != long {
		t.Errorf("%v, %v", res, err)
	}
}
