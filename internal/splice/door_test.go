package splice

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
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
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"pgregory.net/rapid"
)

// frontServer has plain tools of every behaviour, and one that is not plain.
func frontServer(opts *mcp.ServerOptions) *mcp.Server {
	s := newServer(opts)
	add := func(name, schema string, h mcp.ToolHandler) {
		s.AddTool(&mcp.Tool{Name: name, InputSchema: json.RawMessage(schema)}, h)
	}
	plain := func(name string, h mcp.ToolHandler) {
		add(name, `{"type":"object"}`, func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			res, err := h(ctx, req)
			Made(ctx, res, true)
			return res, err
		})
	}
	for _, r := range results {
		plain("plain_"+strings.ReplaceAll(r.name, " ", "_"), func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) { return r.result(), nil })
	}
	plain("echo", func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		token := "nobody"
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
	plain("talk", func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		one := req.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: "x", Progress: 1})
		two := req.Session.NotifyProgress(context.Background(), &mcp.ProgressNotificationParams{ProgressToken: "x", Progress: 2})
		three := req.Session.Ping(ctx, nil)
		//lint:ignore SA1019 servers may still ask clients of older revisions for their roots
		_, four := req.Session.ListRoots(ctx, nil)
		return answer(errors.Join(one, two, three, four).Error(), ""), nil
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
			return answer("headed", ""), nil
		})
	return s
}

type valueKey struct{}

// A letter is a request before it is sent: what a test changes about it.
type letter struct {
	method, target, host string
	header               http.Header
	body                 string
	local                net.Addr
	token                string
	meanwhile            func() // while the request is on its way
}

const metaOf = `"_meta":{"io.modelcontextprotocol/protocolVersion":"` + modern + `","io.modelcontextprotocol/clientInfo":{"name":"c","version":"1"},"io.modelcontextprotocol/clientCapabilities":{"roots":{}}}`

func callOf(tool string) letter {
	l := letter{method: http.MethodPost, target: "http://localhost/", header: http.Header{
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

func (l letter) send(h http.Handler) *httptest.ResponseRecorder {
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
		ctx = meddler{ctx, sync.OnceFunc(l.meanwhile)}
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

// fronted is a handler with an open door, for tools that were called once.
func fronted(s *mcp.Server, opts mcp.StreamableHTTPOptions) (http.Handler, *counter) {
	opts.Stateless, opts.PropagateRequestCancellation = true, true
	sdk := &counter{Handler: official(s, opts)}
	h := Handler(s, sdk, opts)
	for _, name := range toolNames {
		callOf(name).send(h)
	}
	sdk.n = 0
	return h, sdk
}

// toolNames are the tools of frontServer.
var toolNames = func() []string {
	names := []string{"echo", "talk", "ask", "headed", "error_plain", "error_invalid_params", "error_not_found", "error_internal", "error_unsupported", "error_incapable"}
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
		t.Errorf("headers: -official +front\n%s", d)
	}
	if want.Code != http.StatusOK && !strings.HasPrefix(want.Header().Get("Content-Type"), "application/json") {
		if want.Body.String() != got.Body.String() {
			t.Errorf("body %.300q, want %.300q", got.Body, want.Body)
		}
		return
	}
	if d := cmp.Diff(messages(t, want), messages(t, got)); d != "" {
		t.Errorf("messages: -official +front\n%.3000s", d)
	}
}

// TestFrontDoor holds every tool to the SDK's answer, through the door and only through the door.
func TestFrontDoor(t *testing.T) {
	for _, plain := range []bool{false, true} {
		opts := mcp.StreamableHTTPOptions{JSONResponse: plain, PropagateRequestCancellation: true}
		want := official(frontServer(nil), opts)
		got, sdk := fronted(frontServer(nil), opts)
		for _, name := range append([]string{""}, toolNames...) {
			t.Run(name, func(t *testing.T) {
				before := sdk.n
				alike(t, callOf(name).send(want), callOf(name).send(got))
				if through := sdk.n == before; through != (name != "headed") {
					t.Errorf("through the door: %v", through)
				}
			})
		}
	}
}

// TestAtTheDoor sends requests that differ in one thing from one that the door knows.
func TestAtTheDoor(t *testing.T) {
	loopback := &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 80}
	set := func(name string, values ...string) func(*letter) {
		return func(l *letter) { l.header[http.CanonicalHeaderKey(name)] = values }
	}
	body := func(old, new string) func(*letter) {
		return func(l *letter) { l.body = strings.Replace(l.body, old, new, 1) }
	}
	for name, c := range map[string]struct {
		change func(*letter)
		front  bool
	}{
		"nothing":   {func(*letter) {}, true},
		"token":     {func(l *letter) { l.token = "ann" }, true},
		"number id": {body(`"id":7`, `"id":123456789012345`), true},
		"zero id":   {body(`"id":7`, `"id":0`), true},
		"text id":   {body(`"id":7`, `"id":"a <b> id"`), true},
		"white space": {func(l *letter) {
			var b bytes.Buffer
			_ = json.Indent(&b, []byte(l.body), " ", "\t")
			l.body = "\n" + b.String() + " "
		}, true},
		"unknown params":        {body(`"arguments":`, `"more":[1,{"a":"}\""}],"arguments":`), false},
		"unknown of the client": {body(`"name":`, `"more":[1,{"a":"}\""}],"name":`), true},
		"no spaces in Accept":   {set("Accept", "application/json,text/event-stream"), true},
		"any Accept":            {set("Accept", "*/*"), true},
		"an odd header":         {set("X-Odd", "1"), true},
		"local":                 {func(l *letter) { l.local, l.host = loopback, "localhost:80" }, true},
		"local by number":       {func(l *letter) { l.local, l.host = loopback, "127.0.0.1" }, true},
		"public":                {func(l *letter) { l.local, l.host = &net.TCPAddr{IP: net.IPv4(10, 0, 0, 1)}, "example.com" }, true},
		"rebound":               {func(l *letter) { l.local, l.host = loopback, "example.com" }, false},
		"another loopback":      {func(l *letter) { l.local, l.host = loopback, "127.0.0.2" }, false},
		"a socket":              {func(l *letter) { l.local = &net.UnixAddr{Name: "s"} }, false},
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
		"another name":          {body(`"name":"echo"`, `"name":"talk"`), false},
		"an escaped name":       {body(`"name":"echo"`, `"name":"\u0065cho"`), false},
		"a name in escapes":     {body(`"name":"echo"`, `"n\u0061me":"echo"`), false},
		"two names":             {body(`"name":"echo"`, `"name":"echo","name":"echo"`), false},
		"no name":               {body(`"name":"echo",`, ``), false},
		"a number for a name":   {body(`"name":"echo"`, `"name":1`), false},
		"an unknown tool": {func(l *letter) {
			l.header.Set("Mcp-Name", "nobody")
			l.body = strings.Replace(l.body, "echo", "nobody", 1)
		}, false},
		"no header name":          {set("Mcp-Name"), false},
		"a header of an argument": {set("Mcp-Param-City", "Rome"), false},
		"no meta":                 {body(metaOf+",", ""), false},
		"two metas":               {body(metaOf, metaOf+`,"_meta":{}`), false},
		"meta of no kind":         {body(metaOf, `"_meta":[]`), false},
		"an older version":        {body(modern, "2025-11-25"), false},
		"a newer version":         {set("Mcp-Protocol-Version", "2099-01-01"), false},
		"newer everywhere": {func(l *letter) {
			l.header.Set("Mcp-Protocol-Version", "2099-01-01")
			l.body = strings.Replace(l.body, modern, "2099-01-01", 1)
		}, false},
		"no version":          {set("Mcp-Protocol-Version"), false},
		"two versions":        {set("Mcp-Protocol-Version", modern, modern), false},
		"no capabilities":     {body(`"io.modelcontextprotocol/clientCapabilities":{"roots":{}}`, `"a":1`), true},
		"broken capabilities": {body(`{"roots":{}}`, `7`), true},
		"broken client":       {body(`{"name":"c","version":"1"}`, `7`), true},
		"broken arguments":    {body(`"arguments":{`, `"requestState":7,"arguments":{`), false},
		"arguments of a kind": {body(`"arguments":{"city":"Rome","n":9007199254740993}`, `"arguments":[1]`), true},
		"a wide number":       {body(`"Rome"`, `[-1e999]`), false},
		"a long number":       {body(`"Rome"`, strings.Repeat("9", 400)), false},
		"a cursor":            {body(`"arguments":`, `"cursor":"a","arguments":`), false},
		"words":               {body(`"Rome"`, `[true,false,null,-1.5,{"a":"1e999"}]`), true},
		"a progress token":    {body(`"_meta":{`, `"_meta":{"progressToken":1,`), false},
		"a log level":         {body(`"_meta":{`, `"_meta":{"io.modelcontextprotocol/logLevel":"debug",`), false},
		"a resumed stream":    {set("Last-Event-Id", "1"), false},
		"a session":           {set("Mcp-Session-Id", "1"), false},
		"another type":        {set("Content-Type", "text/plain"), false},
		"a charset":           {set("Content-Type", "application/json; charset=utf-8"), false},
		"half an Accept":      {set("Accept", "application/json"), false},
		"Accept in two":       {set("Accept", "application/json", "text/event-stream"), false},
		"a batch":             {func(l *letter) { l.body = "[" + l.body + "]" }, false},
		"two messages":        {func(l *letter) { l.body += l.body }, false},
		"half a message":      {func(l *letter) { l.body = l.body[:40] }, false},
		"no message":          {func(l *letter) { l.body = "" }, false},
		"not UTF-8":           {body(`Rome`, "\xff"), false},
		"deep":                {body(`"Rome"`, strings.Repeat("[", 2000)+strings.Repeat("]", 2000)), false},
		"large":               {body(`Rome`, strings.Repeat("x", mcp.DefaultMaxRequestBodyBytes)), false},
		"GET":                 {func(l *letter) { l.method = http.MethodGet }, false},
		"HEAD":                {func(l *letter) { l.method = http.MethodHead }, false},
		"DELETE":              {func(l *letter) { l.method = http.MethodDelete }, false},
	} {
		t.Run(name, func(t *testing.T) {
			want := official(frontServer(nil), mcp.StreamableHTTPOptions{PropagateRequestCancellation: true})
			got, sdk := fronted(frontServer(nil), mcp.StreamableHTTPOptions{})
			l := callOf("echo")
			c.change(&l)
			alike(t, l.send(want), l.send(got))
			if (sdk.n == 0) != c.front {
				t.Errorf("reached the SDK's handler %d times", sdk.n)
			}
		})
	}
}

// TestNarrowedVersions serves a server that was told not to speak the door's revision.
func TestNarrowedVersions(t *testing.T) {
	opts := &mcp.ServerOptions{SupportedProtocolVersions: []string{"2025-11-25"}}
	got, _ := fronted(frontServer(opts), mcp.StreamableHTTPOptions{})
	for _, name := range []string{"", "echo"} {
		alike(t, callOf(name).send(official(frontServer(opts), mcp.StreamableHTTPOptions{})), callOf(name).send(got))
	}
}

// TestReplacedTool replaces a plain tool by one whose argument is in a header.
func TestReplacedTool(t *testing.T) {
	s := frontServer(nil)
	h, sdk := fronted(s, mcp.StreamableHTTPOptions{})
	callOf("echo").send(h)
	s.AddTool(&mcp.Tool{Name: "echo", InputSchema: json.RawMessage(`{"type":"object","properties":{"city":{"type":"string","x-mcp-header":"City"}}}`)},
		func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return answer("new", ""), nil
		})
	callOf("echo").send(h) // the first call finds out
	if sdk.n != 0 {
		t.Fatal("the tool was not known")
	}
	if w := callOf("echo").send(h); w.Code != http.StatusBadRequest || sdk.n != 1 {
		t.Errorf("status %d", w.Code)
	}
}

// TestDoorAndMiddleware holds that middleware of every age is passed on the way to the tool.
func TestDoorAndMiddleware(t *testing.T) {
	s := frontServer(nil)
	var passed []string
	layer := func(name string) mcp.Middleware {
		return func(next mcp.MethodHandler) mcp.MethodHandler {
			return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
				passed = append(passed, name)
				return next(ctx, method, req)
			}
		}
	}
	s.AddReceivingMiddleware(layer("inner"))
	h, _ := fronted(s, mcp.StreamableHTTPOptions{})
	s.AddReceivingMiddleware(layer("outer"))
	passed = nil
	callOf("echo").send(h)
	if d := cmp.Diff([]string{"outer", "inner"}, passed); d != "" {
		t.Error(d)
	}
	// One that joins while the request is on its way sees the mark, and cannot let it out.
	var mark string
	late := callOf("echo")
	late.meanwhile = func() {
		s.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
			return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
				res, err := next(ctx, method, req)
				if m, ok := res.(*marked); ok {
					mark = m.Mark
				}
				return answer("quoted "+mark, ""), err
			}
		})
	}
	if w := late.send(h); mark == "" || strings.Contains(w.Body.String(), mark) || !strings.Contains(w.Body.String(), `"error"`) {
		t.Errorf("got %s", w.Body)
	}
}

// A meddler does something when it is first asked for a value.
type meddler struct {
	context.Context
	do func()
}

func (m meddler) Value(key any) any {
	m.do()
	return m.Context.Value(key)
}

// TestGoneCaller holds that the tool is cancelled when its caller has gone, over a real connection.
func TestGoneCaller(t *testing.T) {
	s := frontServer(nil)
	started, stopped := make(chan bool, 2), make(chan error, 2)
	s.AddTool(&mcp.Tool{Name: "wait", InputSchema: json.RawMessage(`{"type":"object"}`)}, func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		defer Made(ctx, nil, true)
		if len(req.Params.Arguments) < 10 {
			return answer("", ""), nil
		}
		started <- true
		<-ctx.Done()
		stopped <- ctx.Err()
		return nil, ctx.Err()
	})
	h, sdk := fronted(s, mcp.StreamableHTTPOptions{})
	srv := httptest.NewServer(h)
	defer srv.Close()
	l := callOf("wait")
	l.body = strings.Replace(l.body, `{"city":"Rome","n":9007199254740993}`, `{}`, 1)
	l.send(h)
	sdk.n = 0
	ctx, cancel := context.WithCancel(t.Context())
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, srv.URL, strings.NewReader(callOf("wait").body))
	if err != nil {
		t.Fatal(err)
	}
	maps.Copy(req.Header, callOf("wait").header)
	go func() { <-started; cancel() }()
	if resp, err := srv.Client().Do(req); !errors.Is(err, context.Canceled) {
		t.Errorf("%v, %v", resp, err)
	}
	if err := <-stopped; err != context.Canceled {
		t.Errorf("the tool ended with %v", err)
	}
	if sdk.n != 0 {
		t.Error("not through the door")
	}
}

// TestBrokenBody puts back a body that could not be read to its end, and the error with it.
func TestBrokenBody(t *testing.T) {
	d := &door{keeper: newKeeper()}
	req := httptest.NewRequest(http.MethodPost, "http://localhost/", io.MultiReader(strings.NewReader(`{"json`), failed{io.ErrClosedPipe}))
	req.Header, req.ContentLength = callOf("echo").header, 100
	if _, ok := d.read(req); ok {
		t.Fatal("read")
	}
	rest, err := io.ReadAll(req.Body)
	if string(rest) != `{"json` || err != io.ErrClosedPipe {
		t.Errorf("%q, %v", rest, err)
	}
}

// FuzzDoor holds any body to the SDK's answer, under the headers of a call.
func FuzzDoor(f *testing.F) {
	for _, name := range slices.Concat([]string{""}, toolNames) {
		f.Add(callOf(name).body, "echo", "tools/call")
	}
	f.Add(callOf("echo").body, "echo", "tools/call")
	f.Add(callOf("").body, "", "tools/list")
	want := official(frontServer(nil), mcp.StreamableHTTPOptions{PropagateRequestCancellation: true})
	got, _ := fronted(frontServer(nil), mcp.StreamableHTTPOptions{})
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

// TestMiddlewareReplacesContent holds that what middleware puts in a result is checked like any other.
func TestMiddlewareReplacesContent(t *testing.T) {
	for content, sound := range map[string]bool{`{"a":1}`: true, `{"a":1`: false, "": false} {
		to := &place{keeper: newKeeper(), front: true}
		ctx := context.WithValue(t.Context(), placeKey{}, to)
		made := answer("", `{"a": 1}`)
		Made(ctx, made, true)
		if _, ok := to.call(made); !ok {
			t.Error("what was made is not sound")
		}
		if _, ok := to.call(answer("", content)); content != "" && ok != sound {
			t.Errorf("%q: %v", content, ok)
		}
		if _, ok := to.structured(json.RawMessage(content)); ok != sound {
			t.Errorf("%q: %v", content, ok)
		}
	}
}

// TestMutatedRequests changes requests that the door knows, a few bytes or tokens at a time, and holds it to the SDK.
func TestMutatedRequests(t *testing.T) {
	want := official(frontServer(nil), mcp.StreamableHTTPOptions{PropagateRequestCancellation: true})
	got, sdk := fronted(frontServer(nil), mcp.StreamableHTTPOptions{})
	tokens := []string{"{", "}", "[", "]", ",", ":", `"`, `\`, "0", "-1", "1.5", "1e999", "null", "true", `""`, `"a"`, " ", "\n", "\x00", "\xff", `\u0061`, `\ud800`,
		`"id"`, `"ID":1,`, `"name"`, `"name":"echo",`, `"arguments":{},`, `"_meta":{},`, `"cursor":"",`, `"cursor":1,`, `"progressToken":1,`, `"jsonrpc":"2.0",`, `"method":"tools/list",`, `"result":{},`, `"requestState":"",`, `"inputResponses":{},`}
	front := 0
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
			front++
		}
		if t.Failed() {
			r.Fatalf("body %q", l.body)
		}
	})
	if front == 0 {
		t.Error("nothing came through the door")
	}
}
