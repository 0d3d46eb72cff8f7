package diptych_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych"
)

// A peer is a server that answers the handshake and then does as it is told. Its tools/call writes to w, which ends the
// answer when the function returns.
type peer func(ctx context.Context, id string, w http.ResponseWriter)

const endless = 100 << 20

// peers fail in every way that a wire can. Over HTTP only the call may fail; over standard streams the connection may.
var peers = []struct {
	name string
	do   peer
	want string // pattern of the error; "" where the deadline ends the call
}{
	{"never answers", func(ctx context.Context, _ string, _ http.ResponseWriter) { <-ctx.Done() }, ""},
	{"stops within an answer", func(ctx context.Context, id string, w http.ResponseWriter) {
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"structured`, id)
		w.(http.Flusher).Flush()
		<-ctx.Done()
	}, ""},
	{"closes within an answer", func(_ context.Context, id string, w http.ResponseWriter) {
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"structured`, id)
		w.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	}, "EOF|terminated without response"},
	{"answers without end", func(_ context.Context, id string, w http.ResponseWriter) {
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"content":[],"structuredContent":{"s":"`, id)
		part := bytes.Repeat([]byte("x"), 1<<20)
		for range endless / len(part) {
			if _, err := w.Write(part); err != nil {
				return
			}
		}
		io.WriteString(w, "\"}}}\n")
	}, "the message is larger than 67108864 bytes; ask for less, or raise MaxEventSize of the transport|maximum line length"},
	{"answers with a list", func(_ context.Context, id string, w http.ResponseWriter) {
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":[]}`+"\n", id)
	}, "cannot unmarshal"},
	{"answers with content of no kind", func(_ context.Context, id string, w http.ResponseWriter) {
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"content":[{"type":"hologram"}]}}`+"\n", id)
	}, "hologram"},
	{"answers with no JSON", func(_ context.Context, _ string, w http.ResponseWriter) { io.WriteString(w, "<html>\n") }, "invalid character"},
	{"asks for input without a question", func(_ context.Context, id string, w http.ResponseWriter) {
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"resultType":"input_required","content":[]}}`+"\n", id)
	}, `it asks for input that this client did not give; set handlers for it in mcp.ClientOptions`},
}

// handshake answers what is not tools/call. It returns the id of a tools/call.
func handshake(body []byte, w io.Writer) (id string, called bool) {
	var m struct {
		ID     json.RawMessage
		Method string
	}
	if json.Unmarshal(body, &m) != nil || m.ID == nil {
		return "", false
	}
	if m.Method == "tools/call" {
		return string(m.ID), true
	}
	fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"`+legacy+`","capabilities":{},"serverInfo":{"name":"peer","version":"1"}}}`+"\n", m.ID)
	return "", false
}

// patience is how long a host waits for a peer that says nothing.
const patience = 200 * time.Millisecond

func TestPeersOverHTTP(t *testing.T) {
	for _, p := range peers {
		for _, kind := range []string{"application/json", "text/event-stream"} {
			t.Run(p.name+", "+kind, func(t *testing.T) {
				h := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
					body, _ := io.ReadAll(req.Body)
					var answer bytes.Buffer
					id, called := handshake(body, &answer)
					switch {
					case called:
						w.Header().Set("Content-Type", kind)
						if kind == "text/event-stream" {
							io.WriteString(w, "data: ")
							defer io.WriteString(w, "\n\n")
						}
						p.do(req.Context(), id, w)
					case req.Method == http.MethodPost && answer.Len() > 0:
						w.Header().Set("Content-Type", "application/json")
						w.Write(answer.Bytes())
					case req.Method == http.MethodPost:
						w.WriteHeader(http.StatusAccepted)
					default:
						w.WriteHeader(http.StatusMethodNotAllowed)
					}
				}))
				defer h.Close()
				s := connected(t, diptych.Exact(&mcp.StreamableClientTransport{Endpoint: h.URL}), legacy)
				checkPeer(t, s, p.want)
			})
		}
	}
}

// A lineWriter is a peer's end of a pipe, with what an HTTP answer needs of it.
type lineWriter struct{ io.Writer }

func (lineWriter) Header() http.Header { return http.Header{} }
func (lineWriter) WriteHeader(int)     {}
func (lineWriter) Flush()              {}

func TestPeersOverStandardStreams(t *testing.T) {
	for _, p := range peers {
		t.Run(p.name, func(t *testing.T) {
			in, toPeer := io.Pipe()
			fromPeer, out := io.Pipe()
			go func() {
				defer out.Close()
				defer func() { _ = recover() }()
				for lines := bufio.NewReader(in); ; {
					line, err := lines.ReadBytes('\n')
					if err != nil {
						return
					}
					if id, called := handshake(line, out); called {
						p.do(t.Context(), id, lineWriter{out})
					}
				}
			}()
			s := connected(t, diptych.Exact(&mcp.IOTransport{Reader: fromPeer, Writer: toPeer}), legacy)
			checkPeer(t, s, p.want)
		})
	}
}

// checkPeer calls once and compares the error.
func checkPeer(t *testing.T, s *mcp.ClientSession, want string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	if want == "" {
		ctx, cancel = context.WithTimeout(t.Context(), patience)
	}
	defer cancel()
	res, err := diptych.Call[map[string]string](ctx, s, "tool", nil)
	switch {
	case err == nil:
		t.Errorf("got %v", res)
	case want == "" && !errors.Is(err, context.DeadlineExceeded), want != "" && ctx.Err() != nil, !regexp.MustCompile(want).MatchString(err.Error()):
		t.Errorf("got %v, want %q", err, want)
	}
}
