package connect

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych/internal/exact"
)

func client() *mcp.Client { return mcp.NewClient(&mcp.Implementation{Name: "t", Version: "1"}, nil) }

// TestHeadersStayWithTheirServer has a server send its clients elsewhere.
func TestHeadersStayWithTheirServer(t *testing.T) {
	var asked, leaked atomic.Int32
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { leaked.Add(1) }))
	t.Cleanup(elsewhere.Close)
	there := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") == "Bearer x" {
			asked.Add(1)
		}
		http.Redirect(w, r, elsewhere.URL, http.StatusTemporaryRedirect)
	}))
	t.Cleanup(there.Close)
	s, err := Open(t.Context(), client(), Web(there.URL, 1<<20, func(_ context.Context, h http.Header) { h.Set("Authorization", "Bearer x") }), "")
	if err == nil {
		s.Close()
	}
	if err == nil || asked.Load() == 0 || leaked.Load() != 0 {
		t.Errorf("%v; asked %d times, elsewhere %d times", err, asked.Load(), leaked.Load())
	}
}

// TestBoundedAnswer reads no more of an answer of 1 MiB than its limit and a byte.
func TestBoundedAnswer(t *testing.T) {
	there := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusBadRequest)
		for range 1 << 10 {
			if _, err := io.WriteString(w, strings.Repeat("x", 1<<10)); err != nil {
				return
			}
		}
	}))
	t.Cleanup(there.Close)
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, there.URL, nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := bounded{http.DefaultTransport, func(context.Context, http.Header) {}, 1000, nil}.RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if body, err := io.ReadAll(resp.Body); err != nil || len(body) != 1001 {
		t.Errorf("read %d bytes, %v", len(body), err)
	}
}

// deaf is a transport that does not heed its context.
type deaf struct{ end chan struct{} }

func (d deaf) Connect(context.Context) (mcp.Connection, error) {
	<-d.end
	return nil, errors.New("ended")
}

// within fails where f takes longer than a minute.
func within(t *testing.T, f func()) time.Duration {
	t.Helper()
	began, done := time.Now(), make(chan struct{})
	go func() {
		defer close(done)
		f()
	}()
	select {
	case <-done:
	case <-time.After(time.Minute):
		t.Fatal("it does not end")
	}
	return time.Since(began)
}

// stuck is a writer that does not close.
type stuck struct {
	io.Writer
	end chan struct{}
}

func (s stuck) Close() error {
	<-s.end
	return nil
}

// TestCloseInTime closes a session whose connection does not close.
func TestCloseInTime(t *testing.T) {
	end := make(chan struct{})
	t.Cleanup(func() { close(end) })
	reader, writer := notifying()
	s, err := Open(t.Context(), client(), &mcp.IOTransport{Reader: reader, Writer: stuck{writer, end}}, Older)
	if err != nil {
		t.Fatal(err)
	}
	if took := within(t, func() { Close(s, nil) }); took < grace {
		t.Errorf("closed after %v", took)
	}
}

// TestOpenEndsInTime ends the context of a session that is being opened.
func TestOpenEndsInTime(t *testing.T) {
	end := make(chan struct{})
	t.Cleanup(func() { close(end) })
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	within(t, func() {
		if _, err := Open(ctx, client(), deaf{end}, ""); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("opened: %v", err)
		}
	})
}

func TestRefused(t *testing.T) {
	for name, c := range map[string]struct {
		err               error
		refused, tooLarge bool
	}{
		"by the server":      {fmt.Errorf("calling: %w", &jsonrpc.Error{Code: -32602, Message: "no"}), true, false},
		"under a taken code": {&jsonrpc.Error{Code: -32005, Message: "busy"}, true, false},
		"by the transport":   {fmt.Errorf("calling: %w", &jsonrpc.Error{Code: -32005, Message: "rejected by transport"}), false, false},
		"for its size":       {&jsonrpc.Error{Code: exact.TooLarge}, false, true},
		"for its requests":   {&jsonrpc.Error{Code: exact.Flooded}, false, false},
		"for something else": {errors.New("no"), false, false},
		"not":                {nil, false, false},
	} {
		_, refused := Refused(c.err)
		if refused != c.refused || TooLarge(c.err) != c.tooLarge {
			t.Errorf("%s: refused %v, too large %v", name, refused, TooLarge(c.err))
		}
	}
}

// notifying is a server that sends every notification without parameters when it is pinged.
func notifying() (io.ReadCloser, io.WriteCloser) {
	fromClient, toServer := io.Pipe()
	fromServer, toClient := io.Pipe()
	go func() {
		in := json.NewDecoder(fromClient)
		for {
			var m struct {
				ID     json.RawMessage
				Method string
			}
			if in.Decode(&m) != nil {
				return
			}
			switch m.Method {
			case "initialize":
				fmt.Fprintf(toClient, `{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":%q,"capabilities":{},"serverInfo":{"name":"s","version":"1"}}}`+"\n", m.ID, Older)
			case "ping":
				for _, name := range []string{"elicitation/complete", "cancelled", "progress", "message", "tools/list_changed", "prompts/list_changed", "resources/updated", "unheard/of"} {
					fmt.Fprintf(toClient, `{"jsonrpc":"2.0","method":"notifications/%s"}`+"\n", name)
				}
				fmt.Fprintf(toClient, `{"jsonrpc":"2.0","id":%s,"result":{}}`+"\n", m.ID)
			}
		}
	}()
	return fromServer, toServer
}

// TestNotificationsOfNothing receives every notification without parameters: the session and the process go on.
func TestNotificationsOfNothing(t *testing.T) {
	reader, writer := notifying()
	s, err := Open(t.Context(), client(), &mcp.IOTransport{Reader: reader, Writer: writer}, Older)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for range 3 {
		if err := s.Ping(t.Context(), nil); err != nil {
			t.Error(err)
		}
	}
}
