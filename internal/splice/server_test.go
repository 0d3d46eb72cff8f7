package splice

//lint:file-ignore SA1019 clients describe themselves with deprecated members too

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// TestFacts pins what this package finds out about a server of the SDK. Where it fails, the SDK has changed, and every request is
// the SDK's until learn is mended: TestWithoutFacts.
func TestFacts(t *testing.T) {
	info := &mcp.Implementation{Name: "<test>", Version: "1", Icons: []mcp.Icon{{Source: "a"}}}
	for _, versions := range [][]string{nil, {modern}, {legacy, oldest}} {
		s := mcp.NewServer(info, &mcp.ServerOptions{SupportedProtocolVersions: versions})
		s.AddReceivingMiddleware(func(mcp.MethodHandler) mcp.MethodHandler {
			return func(_ context.Context, method string, _ mcp.Request) (mcp.Result, error) {
				t.Errorf("middleware sees %s, which no client sent", method)
				return nil, errors.New("refused")
			}
		})
		f, err := learn(s, inquiryTimeout)
		if err != nil {
			t.Fatal(err)
		}
		want := versions
		if want == nil {
			want = mcp.SupportedProtocolVersions()
		}
		if !slices.Equal(f.versions, want) {
			t.Errorf("revisions %v, want %v", f.versions, want)
		}
		var got mcp.Implementation
		if err := json.Unmarshal(f.info, &got); err != nil || !cmp.Equal(&got, info) {
			t.Errorf("implementation %s, %v", f.info, err)
		}
		for range s.Sessions() {
			t.Error("a session is left")
		}
	}
}

// TestNoFacts gives up where the SDK does not answer in time.
func TestNoFacts(t *testing.T) {
	for range 20 { // the SDK may be as quick as the clock
		if _, err := learn(newTestServer(nil), 0); err != nil {
			return
		}
	}
	t.Error("20 answers in no time")
}

// TestChain pins that reading the chain of middleware does not change it.
func TestChain(t *testing.T) {
	s := newTestServer(nil)
	calls := 0
	s.AddReceivingMiddleware(func(mcp.MethodHandler) mcp.MethodHandler {
		return func(context.Context, string, mcp.Request) (mcp.Result, error) { calls++; return nil, nil }
	})
	for range 3 {
		_, _ = chain(s)(t.Context(), "ping", nil)
	}
	if calls != 3 {
		t.Errorf("called %d times", calls)
	}
}

// TestWithoutFacts leaves everything to the SDK where it does not tell what it has to be asked.
func TestWithoutFacts(t *testing.T) {
	s := toolServer(nil)
	h, sdk := handlerOf(s, mcp.StreamableHTTPOptions{})
	h.(*handler).facts = func() *facts { return nil }
	for _, name := range []string{"", "echo"} {
		alike(t, callOf(name).send(documents(toolServer(nil))), callOf(name).send(h))
	}
	if sdk.n != 2 {
		t.Errorf("%d of 2 requests reached the SDK's handler", sdk.n)
	}
	c := connect(t, func(ctx context.Context, s *mcp.Server, t mcp.Transport) error {
		srv := newServer(s)
		srv.facts = func() *facts { return nil }
		return run(ctx, srv, *t.(*mcp.IOTransport))
	}, newTestServer(nil))
	for range 2 {
		if answer := c.say(callLine(modern, "tools/call", `"name":"text"`), 1)[0]; !strings.Contains(answer, `\u003cb\u003e`) {
			t.Errorf("got %.300s", answer)
		}
	}
}

// TestToolsOnLaterPages calls tools that the SDK does not list on its first page, which are the SDK's.
func TestToolsOnLaterPages(t *testing.T) {
	s := toolServer(&mcp.ServerOptions{PageSize: 2})
	h, sdk := handlerOf(s, mcp.StreamableHTTPOptions{})
	want := documents(toolServer(&mcp.ServerOptions{PageSize: 2}))
	for i, name := range []string{"blocks", "plain_small"} { // the second tool of all, and one of the last
		alike(t, callOf(name).send(want), callOf(name).send(h))
		if sdk.n != i {
			t.Errorf("%s: %d requests reached the SDK's handler", name, sdk.n)
		}
	}
}

// TestMemoryOfTools crosses the limit of the tools that are remembered.
func TestMemoryOfTools(t *testing.T) {
	var h toolHeaders
	for range 2*maxTools + 1 {
		if h.repeats(&mcp.Tool{InputSchema: json.RawMessage(`{"type":"object"}`)}) {
			t.Fatal("repeated in headers")
		}
		if len(h.tools) > maxTools {
			t.Fatalf("%d tools", len(h.tools))
		}
	}
	if !h.repeats(&mcp.Tool{InputSchema: json.RawMessage(`{`)}) {
		t.Error("a schema that cannot be read has no headers")
	}
}

// TestMemoryOfClients crosses the limits of the clients that are remembered, and tests that what one session was given is not
// what the next one is given.
func TestMemoryOfClients(t *testing.T) {
	var c clients
	decode := func(name string) client {
		info := fmt.Sprintf(`{"name":%q,"version":"1","icons":[{"src":"a"}]}`, name)
		client, ok := c.decode([]byte(info), []byte(`{"roots":{},"sampling":{"tools":{}},"elicitation":{"form":{}},"experimental":{"a":1}}`))
		if !ok {
			t.Fatal("refused")
		}
		return client
	}
	all := func(c client) string {
		doc, err := json.Marshal([]any{c.info, c.capabilities, c.implementation, c.clientCapabilities, c.clientCapabilities.RootsV2})
		if err != nil {
			t.Fatal(err)
		}
		return string(doc)
	}
	for i := range 2*maxClients + 1 {
		decode(fmt.Sprint(i))
		if len(c.known) > maxClients {
			t.Fatalf("%d clients", len(c.known))
		}
	}
	c.known = nil
	decode(strings.Repeat("x", maxClientBytes))
	if len(c.known) != 0 {
		t.Error("a long description is remembered")
	}
	first := decode("a")
	want := all(first)
	first.implementation.Name, first.implementation.Icons[0].Source = "b", "b"
	first.clientCapabilities.Experimental["b"], first.clientCapabilities.RootsV2.ListChanged = 1, true
	first.clientCapabilities.Sampling.Tools, first.clientCapabilities.Elicitation.Form = nil, nil
	first.info.(map[string]any)["icons"].([]any)[0].(map[string]any)["src"] = "b"
	first.capabilities.(map[string]any)["roots"].(map[string]any)["b"] = 1
	if got := all(decode("a")); got != want {
		t.Errorf("the next session is given %s, want %s", got, want)
	}
}
