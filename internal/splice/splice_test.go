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
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	modern = "2026-07-28"
	legacy = "2025-11-25"
	oldest = "2025-03-26" // knows batches
)

var long = strings.Repeat("a long text with \"quotes\", <b>, \u2028, é, \x01 and\nlines\t", 100)

// results are what tools answer with. The SDK writes <b> as \u003cb\u003e, this package as it is.
var results = []struct {
	name   string
	raw    bool // as this package writes it
	result func() *mcp.CallToolResult
}{
	{"small", false, func() *mcp.CallToolResult { return answer("<b>", `{"html":"<b>"}`) }},
	{"text", true, func() *mcp.CallToolResult { return answer(long, "") }},
	{"both panels", true, func() *mcp.CallToolResult { return answer(long, `{"n":9007199254740993,"x":1.10,"html":"<b>"}`) }},
	{"structured alone", true, func() *mcp.CallToolResult {
		return &mcp.CallToolResult{StructuredContent: json.RawMessage(`{"html":"<b>","rows":[` + strings.Repeat("1, ", 2000) + `1]}`)}
	}},
	{"several lines", true, func() *mcp.CallToolResult { return answer(long, "{\r\n\"html\":\n\t\"<b>\" }") }},
	{"no raw message", true, func() *mcp.CallToolResult {
		return &mcp.CallToolResult{Content: answer(long, "").Content, StructuredContent: map[string]any{"a": 1}}
	}},
	{"error", true, func() *mcp.CallToolResult { res := answer(long, ""); res.IsError = true; return res }},
	{"meta", true, func() *mcp.CallToolResult { res := answer(long, "{}"); res.Meta = mcp.Meta{"a": "<b>"}; return res }},
	{"invalid UTF-8", false, func() *mcp.CallToolResult { return answer("\xff\xfe<b>"+long, "") }},
	{"blocks", true, func() *mcp.CallToolResult {
		res := answer(long, "")
		res.Content = append(res.Content, &mcp.TextContent{}, &mcp.ImageContent{Data: []byte("image"), MIMEType: "image/png"},
			&mcp.TextContent{Text: "more", Annotations: &mcp.Annotations{Priority: 1}},
			&mcp.ResourceLink{URI: "file:///a", Name: "a"})
		return res
	}},
	{"larger than the room", true, func() *mcp.CallToolResult {
		return answer(strings.Repeat(long, 30), `{"s":"`+strings.Repeat("<b>", 50_000)+`"}`)
	}},
	{"the words of the mark", true, func() *mcp.CallToolResult { return answer(long+`"splice":"`, `{"splice":"ABC"}`) }},
}

func answer(text, structured string) *mcp.CallToolResult {
	res := &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}
	if structured != "" {
		res.StructuredContent = json.RawMessage(structured)
	}
	return res
}

func newServer(opts *mcp.ServerOptions) *mcp.Server {
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

func same(t *testing.T, want, got *httptest.ResponseRecorder) {
	t.Helper()
	if want.Code != got.Code {
		t.Errorf("status %d, want %d", got.Code, want.Code)
	}
	if d := cmp.Diff(want.Header(), got.Header()); d != "" {
		t.Errorf("headers: -official +spliced\n%s", d)
	}
	if d := cmp.Diff(messages(t, want), messages(t, got)); d != "" {
		t.Errorf("messages: -official +spliced\n%.2000s", d)
	}
}

// TestSameAnswers holds every kind of result to what the SDK alone sends.
func TestSameAnswers(t *testing.T) {
	for _, revision := range []string{modern, legacy, oldest} {
		for _, plain := range []bool{false, true} {
			opts := mcp.StreamableHTTPOptions{JSONResponse: plain}
			want, got := official(newServer(nil), opts), spliced(newServer(nil), opts)
			for _, r := range results {
				t.Run(fmt.Sprint(revision, " json=", plain, " ", r.name), func(t *testing.T) {
					params := `"name":"` + strings.ReplaceAll(r.name, " ", "_") + `"`
					reply := post(got, revision, "tools/call", params)
					same(t, post(want, revision, "tools/call", params), reply)
					for range 2 { // the second from memory
						same(t, post(want, revision, "tools/list", ""), post(got, revision, "tools/list", ""))
					}
					if raw := bytes.Contains(reply.Body.Bytes(), []byte("<b>")); raw != (r.raw && revision != oldest) {
						t.Errorf("spliced: %v", raw)
					}
				})
			}
		}
	}
}

// TestNotOfOneMessage sends what has no single answer, or none at all.
func TestNotOfOneMessage(t *testing.T) {
	want, got := official(newServer(nil), mcp.StreamableHTTPOptions{}), spliced(newServer(nil), mcp.StreamableHTTPOptions{})
	call := `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"text"}}`
	for name, body := range map[string]string{
		"batch":        "[" + call + "," + strings.Replace(call, "7", "8", 1) + "]",
		"notification": `{"jsonrpc":"2.0","method":"notifications/initialized"}`,
		"unknown":      `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"nobody"}}`,
		"no JSON":      `{`,
		"ping":         `{"jsonrpc":"2.0","id":7,"method":"ping"}`,
		"too large":    `{"jsonrpc":"2.0","id":7,"method":"ping","params":"` + strings.Repeat("x", mcp.DefaultMaxRequestBodyBytes) + `"}`,
	} {
		for _, revision := range []string{oldest, legacy, modern} {
			t.Run(name+" "+revision, func(t *testing.T) {
				a, b := send(want, revision, "tools/call", body), send(got, revision, "tools/call", body)
				if a.Code != b.Code || len(a.Body.Bytes()) != len(b.Body.Bytes()) && name != "batch" {
					t.Errorf("%d %.200q, want %d %.200q", b.Code, b.Body, a.Code, a.Body)
				}
				if strings.Contains(b.Body.String(), `"splice":`) {
					t.Error("a mark left")
				}
			})
		}
	}
}

// TestOuterMiddleware lets middleware that joins while a request is on its way do what it likes with a marked result.
func TestOuterMiddleware(t *testing.T) {
	for name, c := range map[string]struct {
		do    func(mcp.Result) mcp.Result
		error bool
	}{
		"pass on":  {func(res mcp.Result) mcp.Result { return res }, false},
		"swallow":  {func(mcp.Result) mcp.Result { return answer("swallowed", "") }, false},
		"add meta": {func(res mcp.Result) mcp.Result { res.SetMeta(map[string]any{"a": 1}); return res }, false},
		"quote": {func(res mcp.Result) mcp.Result {
			doc, _ := json.Marshal(res)
			return answer(string(doc), "")
		}, true},
		"repeat": {func(res mcp.Result) mcp.Result {
			res.SetMeta(map[string]any{"again": res.(*marked).Mark})
			return res
		}, true},
	} {
		for _, plain := range []bool{false, true} {
			t.Run(fmt.Sprint(name, " json=", plain), func(t *testing.T) {
				s := newServer(nil)
				var mark string
				outer := func(next mcp.MethodHandler) mcp.MethodHandler {
					return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
						res, err := next(ctx, method, req)
						mark = res.(*marked).Mark
						return c.do(res), err
					}
				}
				opts := mcp.StreamableHTTPOptions{JSONResponse: plain, Stateless: true}
				sdk := official(s, opts)
				w := post(Handler(s, http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
					s.AddReceivingMiddleware(outer)
					sdk.ServeHTTP(w, req)
				}), opts), modern, "tools/call", `"name":"text"`)
				if mark == "" || bytes.Contains(w.Body.Bytes(), []byte(mark)) {
					t.Errorf("the mark %q left", mark)
				}
				all := messages(t, w)
				last := all[len(all)-1].(map[string]any)
				if (last["error"] != nil) != c.error || fmt.Sprint(last["id"]) != "7" {
					t.Errorf("got %.300v", last)
				}
			})
		}
	}
}

// TestRememberedResult holds that a middleware which remembers a marked result, because it joined while the first request
// was on its way, answers the next one with the result.
func TestRememberedResult(t *testing.T) {
	s := newServer(nil)
	var memory mcp.Result
	remember := func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			if memory != nil {
				return memory, nil
			}
			var err error
			memory, err = next(ctx, method, req)
			return memory, err
		}
	}
	sdk := official(s, mcp.StreamableHTTPOptions{})
	h := Handler(s, http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if memory == nil {
			s.AddReceivingMiddleware(remember)
		}
		sdk.ServeHTTP(w, req)
	}), mcp.StreamableHTTPOptions{})
	first := post(h, modern, "tools/call", `"name":"text"`)
	if _, ok := memory.(*marked); !ok {
		t.Fatalf("remembered %T", memory)
	}
	answers := messages(t, first)
	want, got := answers[len(answers)-1], messages(t, post(h, modern, "tools/call", `"name":"text"`))
	if d := cmp.Diff([]any{want}, got); d != "" {
		t.Errorf("-first +remembered\n%.2000s", d)
	}
}

// TestInnerMiddleware holds that middleware sees the SDK's own results, whenever it joined.
func TestInnerMiddleware(t *testing.T) {
	s := newServer(nil)
	h := spliced(s, mcp.StreamableHTTPOptions{})
	post(h, modern, "tools/list", "")
	seen := 0
	s.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			res, err := next(ctx, method, req)
			if r, ok := res.(*mcp.CallToolResult); ok && len(r.Content) == 1 {
				seen++
			}
			return res, err
		}
	})
	if w := post(h, modern, "tools/call", `"name":"text"`); seen != 1 || !strings.Contains(w.Body.String(), "<b>") {
		t.Errorf("seen %d times, body %.300s", seen, w.Body)
	}
}

// TestJoin holds that a server gets one middleware however often it is joined, and one more outside of each later one.
func TestJoin(t *testing.T) {
	s := newServer(nil)
	depth := 0
	s.AddTool(&mcp.Tool{Name: "depth", InputSchema: json.RawMessage(`{"type":"object"}`)}, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		stack := make([]byte, 64<<10)
		depth = strings.Count(string(stack[:runtime.Stack(stack, false)]), "splice.keep.func")
		return answer("", ""), nil
	})
	h := spliced(s, mcp.StreamableHTTPOptions{})
	for want := 1; want < 4; want++ {
		for range 3 {
			join(s)
			if post(h, modern, "tools/call", `"name":"depth"`); depth != want {
				t.Errorf("depth %d, want %d", depth, want)
			}
		}
		s.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
			return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
				return next(ctx, method, req)
			}
		})
	}
}

// TestTwoHandlers serves one server twice, and beside it over a transport of its own.
func TestTwoHandlers(t *testing.T) {
	s := newServer(nil)
	for range 2 {
		h := spliced(s, mcp.StreamableHTTPOptions{})
		same(t, post(official(newServer(nil), mcp.StreamableHTTPOptions{}), modern, "tools/call", `"name":"text"`), post(h, modern, "tools/call", `"name":"text"`))
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
