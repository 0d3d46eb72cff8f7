package diptych_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"iter"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

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

// TestHandlerSendsWhatWasChecked looks at the bytes of a large answer.
func TestHandlerSendsWhatWasChecked(t *testing.T) {
	for _, plain := range []bool{false, true} {
		h := diptych.Handler(largeServer(t), &mcp.StreamableHTTPOptions{Stateless: true, JSONResponse: plain})
		for _, version := range []string{modern, legacy, oldest} {
			body := call
			if version != modern {
				body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"f"}}`
			}
			w := ask(h, version, body, "Mcp-Method", "tools/call", "Mcp-Name", "f")
			if w.Code != http.StatusOK || !strings.Contains(w.Body.String(), `"structuredContent":{"html":"<b>"`) {
				t.Errorf("%s: %d %.200s", version, w.Code, w.Body)
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

// TestHandlerKeepsToTheSDK tests that the SDK encodes the answer alone where a message is sent again, or where a request
// is not all that there is of its session.
func TestHandlerKeepsToTheSDK(t *testing.T) {
	store := new(eventStore)
	initialize := `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"` + legacy + `","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`
	for name, opts := range map[string]*mcp.StreamableHTTPOptions{
		"event store": {Stateless: true, EventStore: store},
		"stateful":    {},
		"both":        {EventStore: store},
	} {
		t.Run(name, func(t *testing.T) {
			h := diptych.Handler(largeServer(t), opts)
			session := ask(h, legacy, initialize).Header().Get("Mcp-Session-Id")
			w := ask(h, legacy, `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"f"}}`, "Mcp-Session-Id", session)
			if w.Code != http.StatusOK || !strings.Contains(w.Body.String(), `"structuredContent":{"html":"\u003cb\u003e"`) {
				t.Errorf("%d %.200s", w.Code, w.Body)
			}
		})
	}
	for _, e := range store.events {
		if len(e) > 0 && (!json.Valid(e) || bytes.Contains(e, []byte(`"splice"`))) {
			t.Errorf("stored %.200s", e)
		}
	}
	if len(store.events) == 0 {
		t.Error("nothing was stored")
	}
}

// TestSDKTransport switches everything off.
func TestSDKTransport(t *testing.T) {
	h := diptych.Handler(largeServer(t), nil, diptych.SDKTransport(), nil)
	for range 2 {
		w := ask(h, modern, call, "Mcp-Method", "tools/call", "Mcp-Name", "f")
		if w.Code != http.StatusOK || !strings.Contains(w.Body.String(), `"structuredContent":{"html":"\u003cb\u003e"`) {
			t.Errorf("%d %.200s", w.Code, w.Body)
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
		h := diptych.Handler(s, nil)
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

// TestHandlerOfNothing answers without a server.
func TestHandlerOfNothing(t *testing.T) {
	if w := ask(diptych.Handler(nil, nil), modern, call); w.Code != http.StatusBadRequest {
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
	answer, err := bufio.NewReader(fromServer).ReadString('\n')
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
