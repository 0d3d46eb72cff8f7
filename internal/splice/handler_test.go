package splice

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"pgregory.net/rapid"
)

// toolServer has tools of every behaviour, and one with an argument that is repeated in a header.
func toolServer(opts *mcp.ServerOptions) *mcp.Server {
	s := newTestServer(opts)
	add := func(name, schema string, h mcp.ToolHandler) {
		s.AddTool(&mcp.Tool{Name: name, InputSchema: json.RawMessage(schema)}, h)
	}
	plain := func(name string, h mcp.ToolHandler) {
		add(name, `{"type":"object"}`, func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			res, err := h(ctx, req)
			Checked(ctx, res)
			return res, err
		})
	}
	for _, r := range results {
		plain("plain_"+strings.ReplaceAll(r.name, " ", "_"), func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) { return r.result(), nil })
	}
	plain("echo", func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		token := "unknown"
		if req.Extra.TokenInfo != nil {
			token = req.Extra.TokenInfo.UserID
		}
		req.Extra.CloseSSEStream(mcp.CloseSSEStreamArgs{})
		value, _ := ctx.Value(valueKey{}).(string)
		doc, err := json.Marshal(map[string]any{
			"params": req.Params, "header": req.Extra.Header, "token": token, "value": value, "version": req.ProtocolVersion(),
			"client": req.ClientInfo(), "capabilities": req.ClientCapabilities(), "session": req.Session.ID(),
		})
		return &mcp.CallToolResult{StructuredContent: json.RawMessage(doc)}, err
	})
	plain("notify", func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		one := req.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: "x", Progress: 1})
		two := req.Session.NotifyProgress(context.Background(), &mcp.ProgressNotificationParams{ProgressToken: "x", Progress: 2})
		three := req.Session.Ping(ctx, nil)
		//lint:ignore SA1019 servers may still ask clients of older revisions for their roots
		_, four := req.Session.ListRoots(ctx, nil)
		return answerOf(errors.Join(one, two, three, four).Error(), ""), nil
	})
	for code, name := range map[int64]string{
		jsonrpc.CodeInvalidParams: "invalid_params", jsonrpc.CodeMethodNotFound: "not_found", jsonrpc.CodeInternalError: "internal",
		mcp.CodeUnsupportedProtocolVersion: "unsupported", mcp.CodeMissingRequiredClientCapabilities: "incapable",
	} {
		plain("error_"+name, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return nil, &jsonrpc.Error{Code: code, Message: "<b>", Data: json.RawMessage(`{"a":1}`)}
		})
	}
	plain("error_plain", func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return nil, errors.New("<b>")
	})
	plain("ask", func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return &mcp.CallToolResult{InputRequests: mcp.InputRequestMap{"a": &mcp.ElicitParams{Message: "<b>"}}, RequestState: "s"}, nil
	})
	add("headed", `{"type":"object","properties":{"city":{"type":"string","x-mcp-header":"City"}}}`,
		func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return answerOf("headed", ""), nil
		})
	return s
}

type valueKey struct{}

// A testRequest is a request before it is sent: what a test changes about it.
type testRequest struct {
	method, target, host string
	header               http.Header
	body                 string
	local                net.Addr
	token                string
	meanwhile            func() // while the request is on its way
}

const metaOf = `"_meta":{"io.modelcontextprotocol/protocolVersion":"` + modern + `","io.modelcontextprotocol/clientInfo":{"name":"c","version":"1"},"io.modelcontextprotocol/clientCapabilities":{"roots":{}}}`

func callOf(tool string) testRequest {
	l := testRequest{method: http.MethodPost, target: "http://localhost/", header: http.Header{
		"Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"}, "Mcp-Protocol-Version": {modern},
		"Mcp-Method": {"tools/call"}, "Mcp-Name": {tool},
	}}
	l.body = `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{` + metaOf + `,"name":"` + tool + `","arguments":{"city":"Rome","n":9007199254740993}}}`
	if tool == "" {
		l.header.Set("Mcp-Method", "tools/list")
		l.header.Del("Mcp-Name")
		l.body = `{"jsonrpc":"2.0","id":7,"method":"tools/list","params":{` + metaOf + `}}`
	}
	return l
}

// oldCallOf is callOf in an older revision.
func oldCallOf(tool, version string) testRequest {
	l := callOf(tool)
	l.header.Set("Mcp-Protocol-Version", version)
	l.header.Del("Mcp-Method")
	l.header.Del("Mcp-Name")
	l.body = strings.Replace(strings.Replace(l.body, metaOf+",", "", 1), metaOf, "", 1)
	return l
}

func (l testRequest) send(h http.Handler) *httptest.ResponseRecorder {
	req := httptest.NewRequest(l.method, l.target, strings.NewReader(l.body))
	req.Header = l.header.Clone()
	if l.host != "" {
		req.Host = l.host
	}
	ctx := context.WithValue(req.Context(), valueKey{}, "of the request")
	if l.local != nil {
		ctx = context.WithValue(ctx, http.LocalAddrContextKey, l.local)
	}
	if l.meanwhile != nil {
		ctx = hookedContext{ctx, sync.OnceFunc(l.meanwhile)}
	}
	w := httptest.NewRecorder()
	req = req.WithContext(ctx)
	if l.token == "" {
		h.ServeHTTP(w, req)
		return w
	}
	verify := func(context.Context, string, *http.Request) (*auth.TokenInfo, error) {
		return &auth.TokenInfo{UserID: l.token, Expiration: time.Now().Add(time.Hour)}, nil
	}
	req.Header.Set("Authorization", "Bearer x")
	auth.RequireBearerToken(verify, nil)(h).ServeHTTP(w, req)
	return w
}

// A counter counts what reaches the SDK's own handler.
type counter struct {
	http.Handler
	n int
}

func (c *counter) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	c.n++
	c.Handler.ServeHTTP(w, req)
}

// handlerOf is the handler under test, and what counts the requests that it leaves to the SDK.
func handlerOf(s *mcp.Server, opts mcp.StreamableHTTPOptions) (http.Handler, *counter) {
	opts.Stateless, opts.PropagateRequestCancellation = true, true
	sdk := &counter{Handler: official(s, opts)}
	return Handler(s, sdk, opts), sdk
}

// documents is the SDK's handler, with documents where the answer is all that is sent.
func documents(s *mcp.Server) http.Handler {
	opts := mcp.StreamableHTTPOptions{PropagateRequestCancellation: true}
	return Documents(official(s, opts), opts)
}

// toolNames are the tools of toolServer.
var toolNames = func() []string {
	names := []string{"echo", "notify", "ask", "headed", "error_plain", "error_invalid_params", "error_not_found", "error_internal", "error_unsupported", "error_incapable"}
	for _, r := range results {
		names = append(names, "plain_"+strings.ReplaceAll(r.name, " ", "_"))
	}
	return names
}()

// alike compares two answers as a client reads them.
func alike(t *testing.T, want, got *httptest.ResponseRecorder) {
	t.Helper()
	if want.Code != got.Code {
		t.Errorf("status %d, want %d", got.Code, want.Code)
	}
	if d := cmp.Diff(want.Header(), got.Header(), cmpopts.EquateEmpty()); d != "" {
		t.Errorf("headers: -official +ours\n%s", d)
	}
	if want.Code != http.StatusOK && !strings.HasPrefix(want.Header().Get("Content-Type"), "application/json") {
		if want.Body.String() != got.Body.String() {
			t.Errorf("body %.300q, want %.300q", got.Body, want.Body)
		}
		return
	}
	if d := cmp.Diff(messages(t, want), messages(t, got)); d != "" {
		t.Errorf("messages: -official +ours\n%.3000s", d)
	}
}

// TestAnswers compares the answer of every tool with the SDK's.
func TestAnswers(t *testing.T) {
	for _, onlyDocuments := range []bool{false, true} {
		opts := mcp.StreamableHTTPOptions{JSONResponse: onlyDocuments, PropagateRequestCancellation: true}
		want := Documents(official(toolServer(nil), opts), opts)
		got, sdk := handlerOf(toolServer(nil), opts)
		for _, name := range append([]string{""}, toolNames...) {
			t.Run(name, func(t *testing.T) {
				before := sdk.n
				alike(t, callOf(name).send(want), callOf(name).send(got))
				if isOurs := sdk.n == before; isOurs != (name != "headed") {
					t.Errorf("answered here: %v", isOurs)
				}
			})
		}
	}
}

// TestRequests sends requests that differ in one thing from one that is answered here.
func TestRequests(t *testing.T) {
	loopback := &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 80}
	set := func(name string, values ...string) func(*testRequest) {
		return func(l *testRequest) { l.header[http.CanonicalHeaderKey(name)] = values }
	}
	body := func(old, new string) func(*testRequest) {
		return func(l *testRequest) { l.body = strings.Replace(l.body, old, new, 1) }
	}
	for name, c := range map[string]struct {
		change func(*testRequest)
		here   bool // answered by this package
	}{
		"nothing":   {func(*testRequest) {}, true},
		"token":     {func(l *testRequest) { l.token = "ann" }, true},
		"number id": {body(`"id":7`, `"id":123456789012345`), true},
		"zero id":   {body(`"id":7`, `"id":0`), true},
		"text id":   {body(`"id":7`, `"id":"a <b> id"`), true},
		"white space": {func(l *testRequest) {
			var b bytes.Buffer
			_ = json.Indent(&b, []byte(l.body), " ", "\t")
			l.body = "\n" + b.String() + " "
		}, true},
		"unknown params":        {body(`"arguments":`, `"more":[1,{"a":"}\""}],"arguments":`), false},
		"unknown of the client": {body(`"name":`, `"more":[1,{"a":"}\""}],"name":`), true},
		"no spaces in Accept":   {set("Accept", "application/json,text/event-stream"), true},
		"any Accept":            {set("Accept", "*/*"), true},
		"an odd header":         {set("X-Odd", "1"), true},
		"local":                 {func(l *testRequest) { l.local, l.host = loopback, "localhost:80" }, true},
		"local by number":       {func(l *testRequest) { l.local, l.host = loopback, "127.0.0.1" }, true},
		"public":                {func(l *testRequest) { l.local, l.host = &net.TCPAddr{IP: net.IPv4(10, 0, 0, 1)}, "example.com" }, true},
		"rebound":               {func(l *testRequest) { l.local, l.host = loopback, "example.com" }, false},
		"another loopback":      {func(l *testRequest) { l.local, l.host = loopback, "127.0.0.2" }, true},
		"a socket":              {func(l *testRequest) { l.local = &net.UnixAddr{Name: "s"} }, false},
		"negative id":           {body(`"id":7`, `"id":-7`), false},
		"broken id":             {body(`"id":7`, `"id":7.5`), false},
		"large id":              {body(`"id":7`, `"id":9007199254740993`), false},
		"escaped id":            {body(`"id":7`, `"id":"\u0061"`), false},
		"empty id":              {body(`"id":7`, `"id":""`), false},
		"null id":               {body(`"id":7`, `"id":null`), false},
		"no id":                 {body(`"id":7,`, ``), false},
		"two ids":               {body(`"id":7`, `"id":7,"id":8`), false},
		"another case":          {body(`"id":7`, `"id":7,"ID":8`), false},
		"a result too":          {body(`"id":7`, `"id":7,"result":{}`), false},
		"old JSON-RPC":          {body(`"2.0"`, `"1.0"`), false},
		"no JSON-RPC":           {body(`"jsonrpc":"2.0",`, ``), false},
		"another method":        {body(`"tools/call"`, `"tools/list"`), false},
		"another header method": {set("Mcp-Method", "tools/list"), false},
		"no header method":      {set("Mcp-Method"), false},
		"two header methods":    {set("Mcp-Method", "tools/call", "tools/call"), false},
		"another name":          {body(`"name":"echo"`, `"name":"notify"`), false},
		"an escaped name":       {body(`"name":"echo"`, `"name":"\u0065cho"`), false},
		"a name in escapes":     {body(`"name":"echo"`, `"n\u0061me":"echo"`), true},
		"two names":             {body(`"name":"echo"`, `"name":"echo","name":"echo"`), false},
		"no name":               {body(`"name":"echo",`, ``), false},
		"a number for a name":   {body(`"name":"echo"`, `"name":1`), false},
		"an unknown tool": {func(l *testRequest) {
			l.header.Set("Mcp-Name", "unknown")
			l.body = strings.Replace(l.body, "echo", "unknown", 1)
		}, false},
		"no header name":          {set("Mcp-Name"), false},
		"a header of an argument": {set("Mcp-Param-City", "Rome"), false},
		"no meta":                 {body(metaOf+",", ""), false},
		"two metas":               {body(metaOf, metaOf+`,"_meta":{}`), false},
		"meta of no kind":         {body(metaOf, `"_meta":[]`), false},
		"an older version":        {body(modern, "2025-11-25"), false},
		"a newer version":         {set("Mcp-Protocol-Version", "2099-01-01"), false},
		"newer everywhere": {func(l *testRequest) {
			l.header.Set("Mcp-Protocol-Version", "2099-01-01")
			l.body = strings.Replace(l.body, modern, "2099-01-01", 1)
		}, false},
		"no version":          {set("Mcp-Protocol-Version"), false},
		"two versions":        {set("Mcp-Protocol-Version", modern, modern), false},
		"no capabilities":     {body(`"io.modelcontextprotocol/clientCapabilities":{"roots":{}}`, `"a":1`), false},
		"broken capabilities": {body(`{"roots":{}}`, `7`), false},
		"broken client":       {body(`{"name":"c","version":"1"}`, `7`), false},
		"broken arguments":    {body(`"arguments":{`, `"requestState":7,"arguments":{`), false},
		"arguments of a kind": {body(`"arguments":{"city":"Rome","n":9007199254740993}`, `"arguments":[1]`), true},
		"a wide number":       {body(`"Rome"`, `[-1e999]`), false},
		"a long number":       {body(`"Rome"`, strings.Repeat("9", 400)), false},
		"a cursor":            {body(`"arguments":`, `"cursor":"a","arguments":`), false},
		"words":               {body(`"Rome"`, `[true,false,null,-1.5,{"a":"1e999"}]`), true},
		"a progress token":    {body(`"_meta":{`, `"_meta":{"progressToken":1,`), true},
		"a log level":         {body(`"_meta":{`, `"_meta":{"io.modelcontextprotocol/logLevel":"debug",`), false},
		"a resumed stream":    {set("Last-Event-Id", "1"), false},
		"a session":           {set("Mcp-Session-Id", "1"), false},
		"another type":        {set("Content-Type", "text/plain"), false},
		"a charset":           {set("Content-Type", "application/json; charset=utf-8"), true},
		"half an Accept":      {set("Accept", "application/json"), false},
		"Accept in two":       {set("Accept", "application/json", "text/event-stream"), false},
		"a batch":             {func(l *testRequest) { l.body = "[" + l.body + "]" }, false},
		"two messages":        {func(l *testRequest) { l.body += l.body }, false},
		"half a message":      {func(l *testRequest) { l.body = l.body[:40] }, false},
		"no message":          {func(l *testRequest) { l.body = "" }, false},
		"not UTF-8":           {body(`Rome`, "\xff"), false},
		"deep":                {body(`"Rome"`, strings.Repeat("[", 2000)+strings.Repeat("]", 2000)), false},
		"large":               {body(`Rome`, strings.Repeat("x", mcp.DefaultMaxRequestBodyBytes)), false},
		"GET":                 {func(l *testRequest) { l.method = http.MethodGet }, false},
		"HEAD":                {func(l *testRequest) { l.method = http.MethodHead }, false},
		"DELETE":              {func(l *testRequest) { l.method = http.MethodDelete }, false},
	} {
		t.Run(name, func(t *testing.T) {
			want := documents(toolServer(nil))
			got, sdk := handlerOf(toolServer(nil), mcp.StreamableHTTPOptions{})
			l := callOf("echo")
			c.change(&l)
			alike(t, l.send(want), l.send(got))
			if (sdk.n == 0) != c.here {
				t.Errorf("reached the SDK's handler %d times", sdk.n)
			}
		})
	}
}

// TestNarrowedVersions serves a server that was told not to speak the newest revision, or only that one.
func TestNarrowedVersions(t *testing.T) {
	for _, version := range []string{legacy, modern} {
		opts := &mcp.ServerOptions{SupportedProtocolVersions: []string{version}}
		got, _ := handlerOf(toolServer(opts), mcp.StreamableHTTPOptions{})
		for _, name := range []string{"", "echo"} {
			alike(t, callOf(name).send(documents(toolServer(opts))), callOf(name).send(got))
			alike(t, oldCallOf(name, legacy).send(documents(toolServer(opts))), oldCallOf(name, legacy).send(got))
		}
	}
}

// TestReplacedTool replaces a tool by one of the same name whose argument is repeated in a header, and back. What is known about
// a name says nothing about the tool that has it next.
func TestReplacedTool(t *testing.T) {
	s := toolServer(nil)
	h, sdk := handlerOf(s, mcp.StreamableHTTPOptions{})
	called := 0
	for range 3 {
		for schema, status := range map[string]int{
			`{"type":"object"}`: http.StatusOK,
			`{"type":"object","properties":{"city":{"type":"string","x-mcp-header":"City"}}}`:                                             http.StatusBadRequest,
			`{"type":"object","properties":{"city":{"type":"string","x-mcp-h\u0065ader":"City"}}}`:                                        http.StatusBadRequest,
			`{"type":"object","properties":{"a":{"type":"object","properties":{"b":{"type":"string","x-mcp-header":"City"}}},"city":{}}}`: http.StatusOK,
		} {
			s.AddTool(&mcp.Tool{Name: "echo", InputSchema: json.RawMessage(schema)}, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				called++
				return answerOf("new", ""), nil
			})
			called, sdk.n = 0, 0
			if w := callOf("echo").send(h); w.Code != status || (called == 1) != (status == http.StatusOK) {
				t.Errorf("%s: status %d, called %d times", schema, w.Code, called)
			}
			if isPlain := schema == `{"type":"object"}`; isPlain != (sdk.n == 0) {
				t.Errorf("%s: %d requests reached the SDK's handler", schema, sdk.n)
			}
		}
	}
}

// TestNestedCall calls a tool of this module from one whose argument is repeated in a header, through a session in memory that
// was connected with the context of the request. The header stays required.
func TestNestedCall(t *testing.T) {
	s := toolServer(nil)
	inner := toolServer(nil)
	nested := ""
	s.AddTool(&mcp.Tool{Name: "outer", InputSchema: json.RawMessage(`{"type":"object","properties":{"city":{"type":"string","x-mcp-header":"City"}}}`)},
		func(ctx context.Context, _ *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			there, here := mcp.NewInMemoryTransports()
			server, err := inner.Connect(ctx, there, nil)
			if err != nil {
				return nil, err
			}
			defer server.Close()
			client, err := mcp.NewClient(&mcp.Implementation{Name: "test"}, nil).Connect(ctx, here, nil)
			if err != nil {
				return nil, err
			}
			defer client.Close()
			res, err := client.CallTool(ctx, &mcp.CallToolParams{Name: "plain_small"})
			nested = fmt.Sprint(res.StructuredContent)
			return res, err
		})
	h, _ := handlerOf(s, mcp.StreamableHTTPOptions{})
	with := callOf("outer")
	with.header["Mcp-Param-City"] = []string{"Rome"}
	for range 3 {
		if w := with.send(h); w.Code != http.StatusOK || nested != "map[html:<b>]" {
			t.Errorf("with the header: status %d, nested %s, %s", w.Code, nested, w.Body)
		}
		if w := callOf("outer").send(h); w.Code != http.StatusBadRequest {
			t.Errorf("without the header: status %d, want 400", w.Code)
		}
	}
}

// TestMiddleware tests that middleware is passed on the way to a tool, in its order, whenever it was added, and that it sees the
// SDK's results.
func TestMiddleware(t *testing.T) {
	s := toolServer(nil)
	var passed []string
	layer := func(name string) mcp.Middleware {
		return func(next mcp.MethodHandler) mcp.MethodHandler {
			return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
				res, err := next(ctx, method, req)
				passed = append(passed, fmt.Sprintf("%s %T", name, res))
				return res, err
			}
		}
	}
	s.AddReceivingMiddleware(layer("inner"))
	h, sdk := handlerOf(s, mcp.StreamableHTTPOptions{})
	callOf("echo").send(h)
	s.AddReceivingMiddleware(layer("outer"))
	passed = nil
	callOf("echo").send(h)
	callOf("").send(h)
	if d := cmp.Diff([]string{"inner *mcp.CallToolResult", "outer *mcp.CallToolResult", "inner *mcp.ListToolsResult", "outer *mcp.ListToolsResult"}, passed); d != "" {
		t.Error(d)
	}
	if sdk.n != 0 {
		t.Error("not answered here")
	}
}

// TestOwnResults answers with results that middleware made, and compares them with what the SDK makes of them.
func TestOwnResults(t *testing.T) {
	for name, result := range map[string]func() mcp.Result{
		"no type":  func() mcp.Result { return answerOf("a", `{"b":1}`) },
		"an error": func() mcp.Result { return &mcp.CallToolResult{IsError: true, Content: answerOf("<b>", "").Content} },
		"metadata": func() mcp.Result {
			return &mcp.CallToolResult{Meta: mcp.Meta{"a": 1, "b": "<"}, Content: []mcp.Content{}}
		},
		"its server": func() mcp.Result {
			return &mcp.CallToolResult{Meta: mcp.Meta{mcp.MetaKeyServerInfo: "another"}, Content: []mcp.Content{}}
		},
		"invalid text": func() mcp.Result { return answerOf("\xff", "") },
		"a list":       func() mcp.Result { return &mcp.ListToolsResult{Meta: mcp.Meta{"a": 1}, Tools: []*mcp.Tool{}} },
		"another type": func() mcp.Result { return &customResult{Custom: "<b>"} },
		"nothing else": func() mcp.Result { return new(customResult) },
	} {
		t.Run(name, func(t *testing.T) {
			serve := func() *mcp.Server {
				s := toolServer(nil)
				s.AddReceivingMiddleware(func(mcp.MethodHandler) mcp.MethodHandler {
					return func(context.Context, string, mcp.Request) (mcp.Result, error) { return result(), nil }
				})
				return s
			}
			got, sdk := handlerOf(serve(), mcp.StreamableHTTPOptions{})
			want := documents(serve())
			alike(t, callOf("echo").send(want), callOf("echo").send(got))
			alike(t, oldCallOf("echo", legacy).send(want), oldCallOf("echo", legacy).send(got))
			if sdk.n != 0 {
				t.Errorf("reached the SDK's handler %d times", sdk.n)
			}
		})
	}
}

type customResult struct {
	mcp.ResultBase
	Custom string `json:"custom,omitempty"`
}

// TestNoResult answers where a handler breaks the rules of the SDK, which ends the process or leaves its caller waiting.
func TestNoResult(t *testing.T) {
	for name, result := range map[string]mcp.Result{
		"nothing":          nil,
		"a nil result":     (*mcp.CallToolResult)(nil),
		"no JSON":          &mcp.CallToolResult{StructuredContent: json.RawMessage("{")},
		"no JSON metadata": &mcp.CallToolResult{Meta: mcp.Meta{"a": math.NaN()}},
	} {
		s := toolServer(nil)
		s.AddReceivingMiddleware(func(mcp.MethodHandler) mcp.MethodHandler {
			return func(context.Context, string, mcp.Request) (mcp.Result, error) { return result, nil }
		})
		h, _ := handlerOf(s, mcp.StreamableHTTPOptions{})
		if w := callOf("echo").send(h); !strings.Contains(w.Body.String(), `"error":{"code":-32603,"message":"internal error: `) {
			t.Errorf("%s: %d %s", name, w.Code, w.Body)
		}
	}
}

// A hookedContext does something when it is first asked for a value.
type hookedContext struct {
	context.Context
	do func()
}

func (m hookedContext) Value(key any) any {
	m.do()
	return m.Context.Value(key)
}

// TestGoneCaller tests that a tool is cancelled when its caller has gone, over a real connection, from the revision on in which
// a caller that loses its connection has lost its answer.
func TestGoneCaller(t *testing.T) {
	for _, version := range []string{modern, legacy} {
		s := toolServer(nil)
		started, stopped := make(chan bool), make(chan error, 1)
		s.AddTool(&mcp.Tool{Name: "wait", InputSchema: json.RawMessage(`{"type":"object"}`)}, func(ctx context.Context, _ *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			close(started)
			select {
			case <-ctx.Done():
			case <-time.After(map[string]time.Duration{modern: 10 * time.Second, legacy: 100 * time.Millisecond}[version]):
			}
			stopped <- ctx.Err()
			return nil, ctx.Err()
		})
		h, sdk := handlerOf(s, mcp.StreamableHTTPOptions{})
		srv := httptest.NewServer(h)
		l := callOf("wait")
		if version != modern {
			l = oldCallOf("wait", version)
		}
		ctx, cancel := context.WithCancel(t.Context())
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, srv.URL, strings.NewReader(l.body))
		if err != nil {
			t.Fatal(err)
		}
		maps.Copy(req.Header, l.header)
		go func() { <-started; cancel() }()
		if resp, err := srv.Client().Do(req); !errors.Is(err, context.Canceled) {
			t.Errorf("%v, %v", resp, err)
		}
		if err := <-stopped; (err == context.Canceled) != (version == modern) {
			t.Errorf("%s: the tool ended with %v", version, err)
		}
		if sdk.n != 0 {
			t.Error("not answered here")
		}
		srv.Close()
	}
}

// TestBrokenBody leaves to the SDK a body that could not be read to its end, and the error with it.
func TestBrokenBody(t *testing.T) {
	for _, announced := range []int64{100, -1} {
		broken := func() *http.Request {
			req := httptest.NewRequest(http.MethodPost, "http://localhost/", io.MultiReader(strings.NewReader(`{"json`), failing{io.ErrClosedPipe}))
			req.Header, req.ContentLength = callOf("echo").header, announced
			return req
		}
		got, _ := handlerOf(toolServer(nil), mcp.StreamableHTTPOptions{})
		a, b := httptest.NewRecorder(), httptest.NewRecorder()
		documents(toolServer(nil)).ServeHTTP(a, broken())
		got.ServeHTTP(b, broken())
		alike(t, a, b)
	}
}

// TestMemoryFollowsTheBody announces a body of 100 TB, of which little arrives, and bodies around the limit with and without a
// length.
func TestMemoryFollowsTheBody(t *testing.T) {
	call := callOf("plain_small")
	for _, limit := range []int64{-1, 0} {
		h, _ := handlerOf(toolServer(nil), mcp.StreamableHTTPOptions{MaxRequestBodyBytes: limit})
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		req := httptest.NewRequest(http.MethodPost, "http://localhost/", strings.NewReader(call.body))
		req.Header, req.ContentLength = call.header, 100_000_000_000_000
		w := httptest.NewRecorder()
		h.ServeHTTP(w, req)
		runtime.ReadMemStats(&after)
		if took := after.TotalAlloc - before.TotalAlloc; took > 4<<20 {
			t.Errorf("limit %d: %d bytes for a body of %d", limit, took, len(call.body))
		}
	}
	for _, size := range []int{1, 999, 1000, 1001} {
		for _, announced := range []bool{true, false} {
			opts := mcp.StreamableHTTPOptions{MaxRequestBodyBytes: int64(len(call.body) + 1000), PropagateRequestCancellation: true}
			got, _ := handlerOf(toolServer(nil), opts)
			send := func(h http.Handler) *httptest.ResponseRecorder {
				req := httptest.NewRequest(http.MethodPost, "http://localhost/", strings.NewReader(call.body+strings.Repeat(" ", size)))
				req.Header = call.header
				if !announced {
					req.ContentLength = -1
				}
				w := httptest.NewRecorder()
				h.ServeHTTP(w, req)
				return w
			}
			a, b := send(Documents(official(toolServer(nil), opts), opts)), send(got)
			alike(t, a, b)
			if want := map[bool]int{true: http.StatusRequestEntityTooLarge, false: http.StatusOK}[size > 1000]; b.Code != want {
				t.Errorf("%d bytes too many: status %d, want %d", size-1000, b.Code, want)
			}
		}
	}
}

// FuzzBody compares the answer to any body, under the headers of a call, with the SDK's.
func FuzzBody(f *testing.F) {
	for _, name := range slices.Concat([]string{""}, toolNames) {
		f.Add(callOf(name).body, "echo", "tools/call")
	}
	f.Add(callOf("echo").body, "echo", "tools/call")
	f.Add(callOf("").body, "", "tools/list")
	want := documents(toolServer(nil))
	got, _ := handlerOf(toolServer(nil), mcp.StreamableHTTPOptions{})
	f.Fuzz(func(t *testing.T, body, name, method string) {
		l := callOf("echo")
		l.body = body
		l.header["Mcp-Name"], l.header["Mcp-Method"] = []string{name}, []string{method}
		if strings.Contains(body, "subscriptions/listen") {
			return // never answered
		}
		alike(t, l.send(want), l.send(got))
	})
}

// TestMiddlewareReplacesContent tests that what middleware puts in a result is checked like any other, although the tool's own
// was.
func TestMiddlewareReplacesContent(t *testing.T) {
	for content, valid := range map[string]bool{`{"a":1}`: true, `{"a":1`: false, "": false} {
		c := new(call)
		ctx := context.WithValue(t.Context(), callKey{}, c)
		made := answerOf("", `{"a": 1}`)
		Checked(ctx, made)
		if ok := c.encode(new(result), made); !ok {
			t.Error("what was checked is not encoded")
		}
		if ok := c.encode(new(result), answerOf("", content)); content != "" && ok != valid {
			t.Errorf("%q: %v", content, ok)
		}
		if _, ok := c.structured(json.RawMessage(content)); ok != valid {
			t.Errorf("%q: %v", content, ok)
		}
	}
}

// TestMutatedRequests changes requests that are answered here, a few bytes or tokens at a time, and compares the answers with the
// SDK's.
func TestMutatedRequests(t *testing.T) {
	want := documents(toolServer(nil))
	got, sdk := handlerOf(toolServer(nil), mcp.StreamableHTTPOptions{})
	tokens := []string{"{", "}", "[", "]", ",", ":", `"`, `\`, "0", "-1", "1.5", "1e999", "null", "true", `""`, `"a"`, " ", "\n", "\x00", "\xff", `\u0061`, `\ud800`,
		`"id"`, `"ID":1,`, `"name"`, `"name":"echo",`, `"arguments":{},`, `"_meta":{},`, `"cursor":"",`, `"cursor":1,`, `"progressToken":1,`, `"jsonrpc":"2.0",`, `"method":"tools/list",`, `"result":{},`, `"requestState":"",`, `"inputResponses":{},`}
	here := 0
	rapid.Check(t, func(r *rapid.T) {
		l := callOf(rapid.SampledFrom([]string{"", "echo", "plain_small", "headed", "error_invalid_params"}).Draw(r, "tool"))
		for range rapid.IntRange(0, 3).Draw(r, "changes") {
			at := rapid.IntRange(0, len(l.body)).Draw(r, "at")
			cut := min(rapid.SampledFrom([]int{0, 0, 0, 1, 2, 9}).Draw(r, "cut"), len(l.body)-at)
			l.body = l.body[:at] + rapid.SampledFrom(append(tokens, "")).Draw(r, "token") + l.body[at+cut:]
		}
		sdk.n = 0
		alike(t, l.send(want), l.send(got))
		if sdk.n == 0 {
			here++
		}
		if t.Failed() {
			r.Fatalf("body %q", l.body)
		}
	})
	if here == 0 {
		t.Error("nothing was answered here")
	}
}
