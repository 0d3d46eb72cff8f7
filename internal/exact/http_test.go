package exact

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	plainMessage  = `{"jsonrpc":"2.0","id":1,"result":{"content":[]}}`
	rawMessage    = `{"jsonrpc":"2.0","id":1,"result":{"structuredContent":{"a":1.0}}}`
	markedMessage = `{"jsonrpc":"2.0","id":1,"result":{"_meta":{"` + mark + `":"text"},"structuredContent":"{\"a\":1.0}"}}`
)

func unlimited() *bounds { return &bounds{limit(-1), new(requests), nil} }

func TestEvents(t *testing.T) {
	split := strings.Replace(rawMessage, `{"a"`, "\ndata: {\"a\"", 1)
	indented := strings.Replace(rawMessage, `:{"a":1.0}`, ":{\ndata:   \"a\":1.0}", 1)
	for _, c := range []struct{ name, in, want string }{
		{"empty", "", ""},
		{"untouched", ": hello\n\nevent: message\nid: 7\nretry: 10\ndata: " + plainMessage + "\n\n", ""},
		{"endpoint", "event: endpoint\ndata: /messages?session=1\n\n", ""},
		{"no space, CRLF", "data:" + plainMessage + "\r\n\r\n", ""},
		{"no colon", "data\n\ndata: x\n\n", ""},
		{"no JSON", "data: structuredContent\n\ndata: {\"result\":{\"structuredContent\":}}\n\n", ""},
		{"priming", "id: 1\ndata:\n\n", ""},
		{"no blank line", "data: " + plainMessage, ""},
		{"rewritten", "data: " + rawMessage + "\n\n", "data: " + markedMessage + "\n\n"},
		{"fields stay", "id: 7\nevent: message\ndata: " + rawMessage + "\nretry: 10\n: note\n\ndata: " + plainMessage + "\n\n",
			"id: 7\nevent: message\ndata: " + markedMessage + "\nretry: 10\n: note\n\ndata: " + plainMessage + "\n\n"},
		{"CRLF", "id: 7\r\ndata:" + rawMessage + "\r\n\r\n", "id: 7\r\ndata: " + markedMessage + "\n\r\n"},
		{"several lines", "data: " + split + "\nid: 7\n\n", "data: " + strings.Replace(markedMessage, `"{\"a`, "\ndata: \"{\\\"a", 1) + "\nid: 7\n\n"},
		{"a value on several lines", "data: " + indented + "\n\n", "data: " + strings.Replace(markedMessage, `{\"a`, `{\n  \"a`, 1) + "\n\n"},
		{"cut off", "data: " + rawMessage, "data: " + markedMessage + "\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.want == "" {
				c.want = c.in
			}
			for _, r := range []io.Reader{strings.NewReader(c.in), iotest.OneByteReader(strings.NewReader(c.in)), iotest.DataErrReader(strings.NewReader(c.in))} {
				got, err := io.ReadAll(iotest.OneByteReader(newEvents(io.NopCloser(r), unlimited(), "")))
				if err != nil || string(got) != c.want {
					t.Errorf("got  %q, %v\nwant %q", got, err, c.want)
				}
			}
		})
	}
}

// An event is handed over when it is complete, not when the next one is.
func TestEventsArriveOneByOne(t *testing.T) {
	body, w := io.Pipe()
	e := newEvents(body, unlimited(), "")
	for i := range 3 {
		event := fmt.Sprintf("id: %d\ndata: %s\n\n", i, plainMessage)
		go io.WriteString(w, event)
		got := make([]byte, len(event))
		if _, err := io.ReadFull(e, got); err != nil || string(got) != event {
			t.Fatalf("got %q, %v", got, err)
		}
	}
	w.CloseWithError(errors.New("broken wire"))
	if _, err := e.Read(make([]byte, 1)); err == nil || err.Error() != "broken wire" {
		t.Errorf("got %v", err)
	}
}

// A message that is too large fails its own call, in the SDK's eyes by the server's answer.
func TestTooLarge(t *testing.T) {
	const call = `{"method":"tools/call","params":{"id":5},"id":"seven"}`
	request := func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(call)), nil }
	const refusal = `{"jsonrpc":"2.0","id":"seven","error":{"code":-32051,"message":"the message is larger than 100 bytes; ask for less, or raise MaxEventSize of the transport"}}`
	big := strings.Repeat("x", 101)
	for _, c := range []struct {
		name string
		body io.Reader
		want string
	}{
		{"document", &document{body: io.NopCloser(strings.NewReader(big)), bounds: &bounds{100, new(requests), request}}, refusal},
		{"event", newEvents(io.NopCloser(strings.NewReader("data: "+big)), &bounds{100, new(requests), request}, ""), "data: " + refusal + "\n\n"},
		{"event of many lines", newEvents(io.NopCloser(strings.NewReader(strings.Repeat("data: x\n", 20))), &bounds{100, new(requests), request}, ""), "data: " + refusal + "\n\n"},
		{"small events, then a large one", newEvents(io.NopCloser(strings.NewReader(strings.Repeat("data: x\n\n", 20)+"data: "+big)), &bounds{100, new(requests), request}, ""),
			strings.Repeat("data: x\n\n", 20) + "data: " + refusal + "\n\n"},
		{"just fits", &document{body: io.NopCloser(strings.NewReader(big[1:])), bounds: &bounds{100, new(requests), request}}, big[1:]},
	} {
		if got, err := io.ReadAll(c.body); err != nil || string(got) != c.want {
			t.Errorf("%s: got %q, %v", c.name, got, err)
		}
	}
	// A message that answers no call is an error of the stream.
	if _, err := io.ReadAll(newEvents(io.NopCloser(strings.NewReader("data: "+big)), &bounds{100, new(requests), nil}, "")); err == nil || !strings.Contains(err.Error(), "larger than 100 bytes") {
		t.Errorf("got %v", err)
	}
}

type tripFunc func(*http.Request) (*http.Response, error)

func (f tripFunc) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func TestRoundTripper(t *testing.T) {
	for _, c := range []struct {
		name   string
		status int
		header http.Header
		want   string
	}{
		{"json", 200, http.Header{"Content-Type": {"application/json; charset=utf-8"}, "Content-Length": {"65"}, "Mcp-Session-Id": {"s"}}, markedMessage},
		{"another kind", 200, http.Header{"Content-Type": {"text/plain"}}, rawMessage},
		{"compressed", 200, http.Header{"Content-Type": {"application/json"}, "Content-Encoding": {"br"}}, rawMessage},
		{"an error", 404, http.Header{"Content-Type": {"application/json"}}, rawMessage},
	} {
		inner := tripFunc(func(*http.Request) (*http.Response, error) {
			return &http.Response{StatusCode: c.status, Header: c.header, Body: io.NopCloser(strings.NewReader(rawMessage)), ContentLength: int64(len(rawMessage))}, nil
		})
		wrapped, _ := client(&http.Client{Transport: inner}, 0)
		req, err := http.NewRequest(http.MethodPost, "http://example.com", nil)
		if err != nil {
			t.Fatal(err)
		}
		resp, err := wrapped.Transport.RoundTrip(req)
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(resp.Body)
		if err != nil || string(got) != c.want {
			t.Errorf("%s: got %s, %v", c.name, got, err)
		}
		if c.want == markedMessage && (resp.ContentLength != -1 || resp.Header.Get("Content-Length") != "" || resp.Header.Get("Mcp-Session-Id") != "s") {
			t.Errorf("%s: length %d, header %v", c.name, resp.ContentLength, resp.Header)
		}
	}
}

// foreign is a transport of someone else's.
type foreign struct {
	connect func(context.Context) (mcp.Connection, error)
}

func (f foreign) Connect(ctx context.Context) (mcp.Connection, error) { return f.connect(ctx) }

type scripted struct {
	mcp.Connection
	message jsonrpc.Message
	err     error
}

func (s *scripted) Read(context.Context) (jsonrpc.Message, error) { return s.message, s.err }

func TestTransport(t *testing.T) {
	ctx := t.Context()

	t.Run("SDK's HTTP", func(t *testing.T) {
		given := &mcp.StreamableClientTransport{Endpoint: "http://example.com", MaxEventSize: 100, DisableStandaloneSSE: true}
		wrapped := Transport(given).(*mcp.StreamableClientTransport)
		if given.HTTPClient != nil || given.MaxEventSize != 100 {
			t.Error("the given transport was modified")
		}
		if wrapped.Endpoint != given.Endpoint || !wrapped.DisableStandaloneSSE || wrapped.MaxEventSize >= 0 {
			t.Errorf("got %+v", wrapped)
		}
		if rt := wrapped.HTTPClient.Transport.(*roundTripper); rt.limit != 100 || rt.inner != nil {
			t.Errorf("got %+v", rt)
		}
		if again := Transport(wrapped).(*mcp.StreamableClientTransport); again.HTTPClient != wrapped.HTTPClient {
			t.Error("wrapped twice")
		}
		if http.DefaultClient.Transport != nil {
			t.Error("the default client was modified")
		}
		sse := Transport(&mcp.SSEClientTransport{}).(*mcp.SSEClientTransport)
		if rt := sse.HTTPClient.Transport.(*roundTripper); rt.limit != maxMessage {
			t.Errorf("got %+v", rt)
		}
	})

	t.Run("another's", func(t *testing.T) {
		original := &jsonrpc.Response{Result: []byte(`{"structuredContent":1.0}`)}
		inner := &scripted{message: original}
		w := Transport(foreign{func(context.Context) (mcp.Connection, error) { return inner, nil }})
		if Transport(w) != w {
			t.Error("wrapped twice")
		}
		c, err := w.Connect(ctx)
		if err != nil {
			t.Fatal(err)
		}
		m, err := c.Read(ctx)
		if r := m.(*jsonrpc.Response); err != nil || !strings.Contains(string(r.Result), mark) {
			t.Errorf("got %s, %v", r.Result, err)
		}
		if string(original.Result) != `{"structuredContent":1.0}` {
			t.Error("the message of the other side was modified")
		}
		for _, s := range []*scripted{{err: io.EOF}, {message: &jsonrpc.Request{Method: "x"}}, {message: &jsonrpc.Response{Error: io.EOF}}} {
			*inner = *s
			if m, err := c.Read(ctx); err != s.err || s.message == nil && m != nil {
				t.Errorf("got %v, %v", m, err)
			}
		}
	})

	t.Run("another's around the SDK's HTTP", func(t *testing.T) {
		inner, err := (&mcp.StreamableClientTransport{}).Connect(ctx)
		if err != nil {
			t.Fatal(err)
		}
		defer inner.Close()
		c, err := Transport(foreign{func(context.Context) (mcp.Connection, error) { return inner, nil }}).Connect(ctx)
		if err != nil || c != inner {
			t.Errorf("got %T, %v", c, err)
		}
	})

	t.Run("none", func(t *testing.T) {
		if _, err := Transport(nil).Connect(ctx); err == nil {
			t.Error("connected to nothing")
		}
		if _, err := Transport(foreign{func(context.Context) (mcp.Connection, error) { return nil, io.EOF }}).Connect(ctx); err != io.EOF {
			t.Errorf("got %v", err)
		}
	})
}

// The call after one that was too large works, and a session hidden in someone else's transport is whole.
func TestSessionsGoOn(t *testing.T) {
	server := mcp.NewServer(&mcp.Implementation{Name: "server"}, nil)
	server.AddTool(&mcp.Tool{Name: "large", InputSchema: map[string]any{"type": "object"}}, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return &mcp.CallToolResult{StructuredContent: map[string]any{"s": strings.Repeat("x", 10_000)}}, nil
	})
	server.AddTool(&mcp.Tool{Name: "small", InputSchema: map[string]any{"type": "object"}}, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return &mcp.CallToolResult{StructuredContent: map[string]any{"n": 1}}, nil
	})
	for _, json := range []bool{false, true} {
		for _, hidden := range []bool{false, true} {
			t.Run(fmt.Sprintf("json %v, hidden %v", json, hidden), func(t *testing.T) {
				h := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, &mcp.StreamableHTTPOptions{JSONResponse: json}))
				defer h.Close()
				var transport mcp.Transport = &mcp.StreamableClientTransport{Endpoint: h.URL, MaxEventSize: 8000}
				if hidden {
					transport = foreign{Transport(transport).Connect}
				}
				s, err := mcp.NewClient(&mcp.Implementation{Name: "client"}, nil).Connect(t.Context(), Transport(transport), &mcp.ClientSessionOptions{ProtocolVersion: "2025-11-25"})
				if err != nil {
					t.Fatal(err)
				}
				defer s.Close()
				_, err = s.CallTool(t.Context(), &mcp.CallToolParams{Name: "large"})
				if e, ok := errors.AsType[*jsonrpc.Error](err); !ok || e.Code != TooLarge || !strings.Contains(e.Message, "larger than 8000 bytes") {
					t.Fatalf("got %v", err)
				}
				res, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: "small"})
				if err != nil {
					t.Fatal(err)
				}
				if raw, exact := Structured(res); !exact || string(raw) != `{"n":1}` {
					t.Errorf("got %s, %v", raw, exact)
				}
			})
		}
	}
}
