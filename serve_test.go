package diptych_test

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"iter"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych"
)

// largeServer has a tool whose result the SDK would write with escapes that the bytes given to it do not have.
func largeServer(t *testing.T) *mcp.Server {
	s := newServer()
	must(t, diptych.Add(s, &mcp.Tool{Name: "f"}, func(context.Context, struct{}) (diptych.JSON[map[string]string], error) {
		return diptych.JSON[map[string]string](`{"html":"<b>","more":"` + strings.Repeat("x", 4096) + `"}`), nil
	}))
	return s
}

const call = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"f","_meta":{"io.modelcontextprotocol/protocolVersion":"` + modern +
	`","io.modelcontextprotocol/clientCapabilities":{}}}}`

func ask(h http.Handler, version, body string, header ...string) *httptest.ResponseRecorder {
	req := httptest.NewRequest(http.MethodPost, "http://localhost/", strings.NewReader(body))
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	req.Header.Set("Mcp-Protocol-Version", version)
	for i := 0; i < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, req)
	return w
}

// TestHandlerSendsWhatWasChecked looks at the bytes of a large answer. It is a document, of which clients read more than of an
// event, in every revision, and through the SDK's transport too.
func TestHandlerSendsWhatWasChecked(t *testing.T) {
	for name, c := range map[string]struct {
		opt  diptych.HandlerOption
		html string
	}{
		"default":       {nil, `<b>`},
		"JSONResponse":  {diptych.StreamableHTTP(func(o *mcp.StreamableHTTPOptions) { o.JSONResponse = true }), `<b>`},
		"SDK transport": {diptych.SDKTransport(), `\u003cb\u003e`},
	} {
		h := diptych.Handler(largeServer(t), c.opt)
		for _, version := range []string{modern, legacy, oldest} {
			body := call
			if version != modern {
				body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"f"}}`
			}
			w := ask(h, version, body, "Mcp-Method", "tools/call", "Mcp-Name", "f")
			if w.Code != http.StatusOK || !strings.Contains(w.Body.String(), `"structuredContent":{"html":"`+c.html+`"`) {
				t.Errorf("%s, %s: %d %.200s", name, version, w.Code, w.Body)
			}
			if w.Header().Get("Content-Type") != "application/json" || !json.Valid(w.Body.Bytes()) {
				t.Errorf("%s, %s: %s %.200s", name, version, w.Header().Get("Content-Type"), w.Body)
			}
		}
	}
}

// TestProgressIsAStream sends progress before an answer, in every revision, and through the SDK's transport too.
func TestProgressIsAStream(t *testing.T) {
	s := newServer()
	must(t, diptych.Add(s, &mcp.Tool{Name: "f"}, func(ctx context.Context, _ struct{}) (int, error) {
		diptych.Progress(ctx, 1, 2, "half")
		return 7, nil
	}))
	for _, opt := range []diptych.HandlerOption{nil, diptych.SDKTransport()} {
		h := diptych.Handler(s, opt)
		for _, version := range []string{modern, legacy, oldest} {
			for token, stream := range map[string]bool{`"progressToken":"p"`: true, `"other":"p"`: false} {
				body := strings.Replace(call, `"_meta":{`, `"_meta":{`+token+`,`, 1)
				if version != modern {
					body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"f","_meta":{` + token + `}}}`
				}
				w := ask(h, version, body, "Mcp-Method", "tools/call", "Mcp-Name", "f")
				got, isStream := w.Body.String(), w.Header().Get("Content-Type") == "text/event-stream"
				if w.Code != http.StatusOK || isStream != stream || strings.Contains(got, "notifications/progress") != stream || !strings.Contains(got, `"structuredContent":{"result":7}`) {
					t.Errorf("%s, %s: %d %v %s", version, token, w.Code, w.Header(), got)
				}
			}
		}
	}
}

// An eventStore remembers events in the open.
type eventStore struct{ events [][]byte }

func (*eventStore) Open(context.Context, string, string) error { return nil }
func (e *eventStore) Append(_ context.Context, _, _ string, data []byte) error {
	e.events = append(e.events, data)
	return nil
}
func (*eventStore) After(context.Context, string, string, int) iter.Seq2[[]byte, error] {
	return func(func([]byte, error) bool) {}
}
func (*eventStore) SessionClosed(context.Context, string) error { return nil }

// TestHandlerKeepsToTheSDK tests that the SDK encodes the answer alone where a message is sent again, or where a request is not
// all that there is of its session.
func TestHandlerKeepsToTheSDK(t *testing.T) {
	store := new(eventStore)
	stores := diptych.StreamableHTTP(func(o *mcp.StreamableHTTPOptions) { o.EventStore = store })
	initialize := `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"` + legacy + `","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`
	for name, opts := range map[string][]diptych.HandlerOption{
		"event store": {stores},
		"sessions":    {diptych.Sessions(time.Minute)},
		"both":        {stores, diptych.Sessions(0)},
	} {
		t.Run(name, func(t *testing.T) {
			h := diptych.Handler(largeServer(t), opts...)
			session := ask(h, legacy, initialize).Header().Get("Mcp-Session-Id")
			if (session != "") != (len(name) != len("event store")) {
				t.Errorf("session %q", session)
			}
			w := ask(h, legacy, `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"f"}}`, "Mcp-Session-Id", session)
			if w.Code != http.StatusOK || !strings.Contains(w.Body.String(), `"structuredContent":{"html":"\u003cb\u003e"`) {
				t.Errorf("%d %.200s", w.Code, w.Body)
			}
		})
	}
	for _, e := range store.events {
		if len(e) > 0 && !json.Valid(e) {
			t.Errorf("stored %.200s", e)
		}
	}
	if len(store.events) == 0 {
		t.Error("nothing was stored")
	}
}

// TestIdleSession ends a session that nobody uses.
func TestIdleSession(t *testing.T) {
	h := diptych.Handler(largeServer(t), diptych.Sessions(time.Millisecond))
	session := ask(h, legacy, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"`+legacy+`","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`).Header().Get("Mcp-Session-Id")
	for end := time.Now().Add(20 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		if w := ask(h, legacy, `{"jsonrpc":"2.0","id":2,"method":"ping"}`, "Mcp-Session-Id", session); w.Code == http.StatusNotFound {
			return
		}
		if time.Now().After(end) {
			t.Fatal("the session does not end")
		}
	}
}

// TestArgumentsInHeaders tests that an argument that is repeated in a header is compared with it, however often the tool
// is called and however its schema spells that.
func TestArgumentsInHeaders(t *testing.T) {
	for _, key := range []string{`x-mcp-header`, `x-mcp-h\u0065ader`} {
		s := newServer()
		must(t, diptych.Add(s, &mcp.Tool{Name: "f", InputSchema: json.RawMessage(`{"type":"object","properties":{"city":{"type":"string","` + key + `":"City"}}}`)},
			func(_ context.Context, in struct{ City string }) (string, error) { return in.City, nil }))
		h := diptych.Handler(s)
		body := strings.Replace(call, `"name":"f"`, `"name":"f","arguments":{"city":"Rome"}`, 1)
		for range 2 {
			for header, want := range map[string]int{"Rome": http.StatusOK, "Oslo": http.StatusBadRequest} {
				if w := ask(h, modern, body, "Mcp-Method", "tools/call", "Mcp-Name", "f", "Mcp-Param-City", header); w.Code != want {
					t.Errorf("%s: status %d", header, w.Code)
				}
			}
			if w := ask(h, modern, body, "Mcp-Method", "tools/call", "Mcp-Name", "f"); w.Code != http.StatusBadRequest {
				t.Errorf("without a header: status %d", w.Code)
			}
		}
	}
}

// TestMemoryFollowsWhatArrives opens 300 connections that announce 4 MiB each and send one byte.
func TestMemoryFollowsWhatArrives(t *testing.T) {
	web := httptest.NewServer(diptych.Handler(largeServer(t)))
	defer web.Close()
	memory := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before := memory()
	for range 300 {
		c, err := net.Dial("tcp", web.Listener.Addr().String())
		must(t, err)
		defer c.Close()
		_, err = io.WriteString(c, "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAccept: */*\r\nMcp-Protocol-Version: "+modern+"\r\nContent-Length: 4194304\r\n\r\n{")
		must(t, err)
	}
	time.Sleep(200 * time.Millisecond)
	if took := int64(memory()) - int64(before); took > 50<<20 {
		t.Errorf("%d MiB for 300 bytes", took>>20)
	}
}

// TestSizeOfRequests crosses the limit of a request's body, as it is and as it can be set.
func TestSizeOfRequests(t *testing.T) {
	for limit, opt := range map[int]diptych.HandlerOption{
		4 << 20: nil,
		6 << 20: diptych.StreamableHTTP(func(o *mcp.StreamableHTTPOptions) { o.MaxRequestBodyBytes = 6 << 20 }),
	} {
		h := diptych.Handler(largeServer(t), opt)
		for size, want := range map[int]int{limit: http.StatusOK, limit + 1: http.StatusRequestEntityTooLarge} {
			body := call + strings.Repeat(" ", size-len(call))
			if w := ask(h, modern, body, "Mcp-Method", "tools/call", "Mcp-Name", "f"); w.Code != want {
				t.Errorf("%d bytes of %d: status %d, want %d", size, limit, w.Code, want)
			}
		}
	}
}

// TestHandlerOfNothing answers without a server.
func TestHandlerOfNothing(t *testing.T) {
	if w := ask(diptych.Handler(nil), modern, call); w.Code != http.StatusBadRequest {
		t.Errorf("status %d", w.Code)
	}
}

// TestRunSendsWhatWasChecked looks at the bytes of a large answer on a line.
func TestRunSendsWhatWasChecked(t *testing.T) {
	fromClient, toServer := io.Pipe()
	fromServer, toClient := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		ended <- diptych.Run(t.Context(), largeServer(t), &mcp.IOTransport{Reader: fromClient, Writer: toClient})
	}()
	if _, err := io.WriteString(toServer, call+"\n"); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(fromServer)
	if _, err := lines.ReadString('\n'); err != nil { // the SDK answers the first call, and learns of the client by it
		t.Fatal(err)
	}
	if _, err := io.WriteString(toServer, call+"\n"); err != nil {
		t.Fatal(err)
	}
	answer, err := lines.ReadString('\n')
	if err != nil || !strings.Contains(answer, `"structuredContent":{"html":"<b>"`) {
		t.Errorf("%.300s, %v", answer, err)
	}
	toServer.Close()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// TestRunOfNothing refuses what the SDK would fail on.
func TestRunOfNothing(t *testing.T) {
	if err := diptych.Run(context.Background(), nil, &mcp.StdioTransport{}); err == nil || !strings.Contains(err.Error(), "mcp.NewServer") {
		t.Error(err)
	}
	if err := diptych.Run(context.Background(), newServer(), nil); err == nil || !strings.Contains(err.Error(), "mcp.StdioTransport") {
		t.Error(err)
	}
}
