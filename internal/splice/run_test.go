package splice

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A runner serves one session.
type runner func(context.Context, *mcp.Server, mcp.Transport) error

func runOfficial(ctx context.Context, s *mcp.Server, t mcp.Transport) error { return s.Run(ctx, t) }

// A dialogue is the client's end of a session on lines.
type dialogue struct {
	t    *testing.T
	in   io.WriteCloser
	out  *bufio.Reader
	over chan error
}

func talkTo(t *testing.T, run runner, s *mcp.Server) *dialogue {
	fromClient, toServer := io.Pipe()
	fromServer, toClient := io.Pipe()
	d := &dialogue{t, toServer, bufio.NewReader(fromServer), make(chan error, 1)}
	go func() {
		d.over <- run(t.Context(), s, &mcp.IOTransport{Reader: fromClient, Writer: toClient})
		toClient.Close()
	}()
	t.Cleanup(func() { toServer.Close(); fromServer.Close() })
	return d
}

// say writes lines, and reads n lines that answer them.
func (d *dialogue) say(lines string, n int) []string {
	d.t.Helper()
	if _, err := io.WriteString(d.in, lines); err != nil {
		d.t.Fatal(err)
	}
	var answers []string
	for range n {
		answer, err := d.out.ReadString('\n')
		if err != nil {
			d.t.Fatalf("%v after %q", err, answers)
		}
		answers = append(answers, answer)
	}
	return answers
}

func (d *dialogue) open(revision string) {
	d.t.Helper()
	if revision < modern {
		d.say(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"`+revision+`","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`+"\n", 1)
		d.say(`{"jsonrpc":"2.0","method":"notifications/initialized"}`+"\n", 0)
	}
}

func callLine(revision, method, params string) string {
	if revision >= modern {
		params = strings.TrimPrefix(params+`,"_meta":{"io.modelcontextprotocol/protocolVersion":"`+revision+`","io.modelcontextprotocol/clientCapabilities":{}}`, ",")
	}
	return `{"jsonrpc":"2.0","id":7,"method":"` + method + `","params":{` + params + "}}\n"
}

// decoded are lines as a client reads them, with every digit.
func decoded(t *testing.T, lines []string) []any {
	t.Helper()
	docs := make([]any, len(lines))
	for i, l := range lines {
		d := json.NewDecoder(strings.NewReader(l))
		d.UseNumber()
		if err := d.Decode(&docs[i]); err != nil {
			t.Fatalf("%v in %.300q", err, l)
		}
	}
	return docs
}

// TestRun holds every kind of result to what the SDK alone sends.
func TestRun(t *testing.T) {
	for _, revision := range []string{modern, legacy, oldest} {
		want, got := talkTo(t, runOfficial, newServer(nil)), talkTo(t, Run, newServer(nil))
		want.open(revision)
		got.open(revision)
		compare := func(t *testing.T, line string) string {
			t.Helper()
			answer := got.say(line, 1)
			if d := cmp.Diff(decoded(t, want.say(line, 1)), decoded(t, answer)); d != "" {
				t.Errorf("-official +spliced\n%.2000s", d)
			}
			return answer[0]
		}
		for _, r := range results {
			t.Run(revision+" "+r.name, func(t *testing.T) {
				answer := compare(t, callLine(revision, "tools/call", `"name":"`+strings.ReplaceAll(r.name, " ", "_")+`"`))
				if raw := strings.Contains(answer, "<b>"); raw != (r.raw || r.name == "small") {
					t.Errorf("spliced: %v", raw)
				}
			})
		}
		t.Run(revision, func(t *testing.T) {
			for range 2 {
				compare(t, callLine(revision, "tools/list", ""))
			}
			compare(t, callLine(revision, "tools/call", `"name":"nobody"`))
			compare(t, callLine(revision, "nothing", ""))
			compare(t, strings.Replace(callLine(revision, "tools/call", `"name":"text"`), `"id":7`, `"id":"\u0061"`, 1))
			compare(t, strings.Replace(callLine(revision, "tools/call", `"name":"text"`), "\n", "\r\n", 1))
			compare(t, strings.ReplaceAll(callLine(revision, "tools/call", `"name":"text"`), ",", ",\n")) // the SDK has all from here on
			compare(t, callLine(revision, "tools/call", `"name":"text"`))
		})
	}
}

// TestRunBatch answers a batch of the revision that knows them.
func TestRunBatch(t *testing.T) {
	call := strings.TrimSpace(callLine(oldest, "tools/call", `"name":"text"`))
	batch := "[" + call + "," + strings.Replace(call, "7", "8", 1) + "]\n"
	want, got := talkTo(t, runOfficial, newServer(nil)), talkTo(t, Run, newServer(nil))
	want.open(oldest)
	got.open(oldest)
	answer := got.say(batch, 1)
	if d := cmp.Diff(decoded(t, want.say(batch, 1)), decoded(t, answer)); d != "" {
		t.Errorf("-official +spliced\n%.2000s", d)
	}
}

// TestRunInMemory holds the answers in memory, by the SDK's client.
func TestRunInMemory(t *testing.T) {
	client := func(run runner) *mcp.ClientSession {
		here, there := mcp.NewInMemoryTransports()
		go func() { _ = run(t.Context(), newServer(nil), there) }()
		session, err := mcp.NewClient(&mcp.Implementation{Name: "test"}, nil).Connect(t.Context(), here, nil)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { session.Close() })
		return session
	}
	want, got := client(runOfficial), client(Run)
	for _, r := range results {
		params := &mcp.CallToolParams{Name: strings.ReplaceAll(r.name, " ", "_")}
		a, errA := want.CallTool(t.Context(), params)
		b, errB := got.CallTool(t.Context(), params)
		docA, _ := json.Marshal(a)
		docB, _ := json.Marshal(b)
		if errA != nil || errB != nil || !bytes.Equal(docA, docB) {
			t.Errorf("%s: %v, %v\n%.300s\n%.300s", r.name, errA, errB, docA, docB)
		}
	}
	tools, err := got.ListTools(t.Context(), nil)
	if err != nil || len(tools.Tools) != len(results) {
		t.Errorf("%v, %v", tools, err)
	}
}

// TestPipe finds what is behind the SDK's transports in memory. Where this fails the SDK has moved it, and Run leaves such
// sessions to the SDK.
func TestPipe(t *testing.T) {
	here, there := mcp.NewInMemoryTransports()
	near, far := pipe(here), pipe(there)
	if near == nil || far == nil {
		t.Fatal("nothing")
	}
	go func() { _, _ = near.Write([]byte("x")); near.Close() }()
	if got, err := io.ReadAll(far); string(got) != "x" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	if c := pipe(&mcp.InMemoryTransport{}); c != nil {
		t.Errorf("%v", c)
	}
}

// TestRunAlone leaves other transports to the SDK.
func TestRunAlone(t *testing.T) {
	run := func(ctx context.Context, s *mcp.Server, transport mcp.Transport) error {
		return Run(ctx, s, &mcp.LoggingTransport{Transport: transport, Writer: io.Discard})
	}
	d := talkTo(t, run, newServer(nil))
	d.open(legacy)
	if answer := d.say(callLine(legacy, "tools/call", `"name":"text"`), 1); strings.Contains(answer[0], "<b>") || strings.Contains(answer[0], `"splice":`) {
		t.Errorf("got %.300s", answer)
	}
}

// TestRunAtOnce makes many calls of several sessions at once, beside a handler, while middleware joins. The last finds
// every result gone from the shelf.
func TestRunAtOnce(t *testing.T) {
	s := newServer(nil)
	h := spliced(s, mcp.StreamableHTTPOptions{})
	var all sync.WaitGroup
	for range 3 {
		d := talkTo(t, Run, s)
		d.open(legacy)
		all.Go(func() {
			s.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler { return next })
			post(h, modern, "tools/call", `"name":"text"`)
		})
		all.Go(func() {
			var lines strings.Builder
			want := map[string]bool{}
			for i := range 50 {
				want[fmt.Sprint(i)] = true
				lines.WriteString(strings.Replace(callLine(legacy, "tools/call", `"name":"both_panels"`), "7", fmt.Sprint(i), 1))
			}
			go func() { _, _ = io.WriteString(d.in, lines.String()) }()
			for _, doc := range decoded(t, d.say("", 50)) {
				answer := doc.(map[string]any)
				delete(want, fmt.Sprint(answer["id"]))
				if text := fmt.Sprint(answer["result"]); !strings.Contains(text, "9007199254740993") {
					t.Errorf("answer %.300s", text)
				}
			}
			if len(want) > 0 {
				t.Errorf("not answered: %v", want)
			}
		})
	}
	all.Wait()
}

// TestShelfIsCleared holds that a result whose mark is dropped does not stay, and that its mark does not leave.
func TestShelfIsCleared(t *testing.T) {
	s := newServer(nil)
	h := newShelf()
	outer := func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			res, err := next(ctx, method, req)
			if m, ok := res.(*marked); ok {
				return answer("quoted "+m.Mark, ""), err
			}
			return res, err
		}
	}
	meddle := sync.OnceFunc(func() { s.AddReceivingMiddleware(outer) })
	ctx, end := context.WithCancel(meddler{context.WithValue(t.Context(), shelfKey{}, h), func() {}})
	handle := outer(keep(func(context.Context, string, mcp.Request) (mcp.Result, error) {
		meddle()
		return answer(long, ""), nil
	}))
	res, err := handle(ctx, "tools/call", &mcp.CallToolRequest{Params: &mcp.CallToolParamsRaw{Name: "text"}})
	if err != nil {
		t.Fatal(err)
	}
	doc, err := json.Marshal(res)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	l := line{open{&out}, h}
	if _, err := fmt.Fprintf(l, `{"jsonrpc":"2.0","id":7,"result":%s}`+"\n", doc); err != nil || !strings.Contains(out.String(), errLayout.Error()) {
		t.Errorf("wrote %s, %v", &out, err)
	}
	if _, err := fmt.Fprintf(l, `[{"result":%s}]`+"\n", doc); err == nil {
		t.Error("a batch with a mark was written")
	}
	count := func() int {
		n := 0
		h.kept.Range(func(any, any) bool { n++; return true })
		return n
	}
	if count() != 1 {
		t.Errorf("%d results are kept", count())
	}
	gone := make(chan bool)
	context.AfterFunc(ctx, func() { close(gone) })
	end()
	<-gone
	for count() > 0 { // the other function of the same context
	}
}

// TestRunEnds holds the ways in which a session ends to those of the SDK.
func TestRunEnds(t *testing.T) {
	for name, lines := range map[string]string{
		"nothing":       "",
		"a blank line":  "\n",
		"no JSON":       "hello\n",
		"two values":    "{} {}\n",
		"a space":       `{"jsonrpc":"2.0","method":"x"} ` + "\n",
		"no message":    "{}\n",
		"half a line":   `{"jsonrpc":"2.0"`,
		"another tag":   `{"jsonrpc":"1.0","method":"x"}` + "\n",
		"empty batch":   "[]\n",
		"a large frame": `{"jsonrpc":"2.0","method":"x","params":"` + strings.Repeat("x", 5000) + `"}` + "\n",
	} {
		t.Run(name, func(t *testing.T) {
			var ends []string
			for _, run := range []runner{runOfficial, Run} {
				d := talkTo(t, func(ctx context.Context, s *mcp.Server, transport mcp.Transport) error {
					transport.(*mcp.IOTransport).MaxLineLength = 4000
					return run(ctx, s, transport)
				}, newServer(nil))
				go func() {
					_, _ = io.WriteString(d.in, lines)
					d.in.Close()
				}()
				rest, _ := io.ReadAll(d.out)
				ends = append(ends, fmt.Sprint(<-d.over, " ", string(rest)))
			}
			if ends[0] != ends[1] {
				t.Errorf("ended with %q, want %q", ends[1], ends[0])
			}
		})
	}
}

// TestRunIsCancelled ends a session from this side.
func TestRunIsCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	d := talkTo(t, func(_ context.Context, s *mcp.Server, transport mcp.Transport) error { return Run(ctx, s, transport) }, newServer(nil))
	d.open(legacy)
	cancel()
	if err := <-d.over; err != context.Canceled {
		t.Error(err)
	}
	if _, err := d.in.Write([]byte("{}\n")); err == nil {
		t.Error("the input is still open")
	}
}

// heardOf reads messages until there are no more.
func heardOf(t mcp.Transport) (all []string) {
	c, err := t.Connect(context.Background())
	if err != nil {
		return []string{err.Error()}
	}
	defer c.Close()
	for {
		msg, err := c.Read(context.Background())
		if err != nil {
			fault, _, _ := strings.Cut(err.Error(), "previously seen request") // which of several changes from run to run
			return append(all, fault)
		}
		doc, err := jsonrpc.EncodeMessage(msg)
		all = append(all, fmt.Sprintf("%T %s %v", msg, doc, err))
	}
}

// FuzzListen holds what is read from any bytes to what the SDK reads.
func FuzzListen(f *testing.F) {
	for _, line := range []string{
		callLine(modern, "tools/call", `"name":"text"`), callLine(legacy, "tools/list", ""), `{"jsonrpc":"2.0","method":"n"}` + "\n", "[]\n", "\n", "{\n}\n",
		`{"jsonrpc":"2.0","id":"a","result":{}}` + "\n", `{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"m"}}` + "\r\n", `{"jsonrpc":"2.0","id":1.5,"method":"n"}`,
		`[{"jsonrpc":"2.0","id":1,"method":"n"},{"jsonrpc":"2.0","method":"n"}]` + "\n", `{"jsonrpc":"2.0","id":1,"id":2,"method":"n","params":null}` + "\n{}",
	} {
		f.Add([]byte(line))
		f.Add([]byte(line + line + "x"))
	}
	s := newServer(nil)
	f.Fuzz(func(t *testing.T, in []byte) {
		ends := func() mcp.IOTransport {
			return mcp.IOTransport{Reader: io.NopCloser(bytes.NewReader(in)), Writer: open{io.Discard}}
		}
		sdk := ends()
		want, got := heardOf(&sdk), heardOf(&lines{ends(), s, newShelf()})
		if !slices.Equal(want, got) {
			t.Errorf("of %q\nheard %q\n want %q", in, got, want)
		}
	})
}
