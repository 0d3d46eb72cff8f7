package splice

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A runner serves one session.
type runner func(context.Context, *mcp.Server, mcp.Transport) error

func runOfficial(ctx context.Context, s *mcp.Server, t mcp.Transport) error { return s.Run(ctx, t) }

// A lineClient is the client's end of a session on lines. What it waits for has a deadline.
type lineClient struct {
	t     *testing.T
	in    io.WriteCloser
	lines chan string
	over  chan error
}

const deadline = 20 * time.Second

func connect(t *testing.T, run runner, s *mcp.Server) *lineClient {
	fromClient, toServer := io.Pipe()
	fromServer, toClient := io.Pipe()
	d := &lineClient{t, toServer, make(chan string, 100), make(chan error, 1)}
	go func() {
		d.over <- run(t.Context(), s, &mcp.IOTransport{Reader: fromClient, Writer: toClient})
		toClient.Close()
	}()
	go func() {
		defer close(d.lines)
		for in := bufio.NewReader(fromServer); ; {
			line, err := in.ReadString('\n')
			if line != "" {
				d.lines <- line
			}
			if err != nil {
				return
			}
		}
	}()
	t.Cleanup(func() { toServer.Close(); fromServer.Close() })
	return d
}

// say writes lines, and reads n lines that answer them.
func (d *lineClient) say(lines string, n int) []string {
	d.t.Helper()
	if lines != "" {
		written := make(chan error, 1)
		go func() { _, err := io.WriteString(d.in, lines); written <- err }()
		select {
		case err := <-written:
			if err != nil {
				d.t.Fatal(err)
			}
		case <-time.After(deadline):
			d.t.Fatal("the server does not read")
		}
	}
	var answers []string
	for range n {
		select {
		case answer, ok := <-d.lines:
			if !ok {
				d.t.Fatalf("the session ended after %.300q", answers)
			}
			answers = append(answers, answer)
		case <-time.After(deadline):
			d.t.Fatalf("no answer after %.300q", answers)
		}
	}
	return answers
}

// end closes the input, and returns what is left and how the session ended.
func (d *lineClient) end() (rest []string, err error) {
	d.t.Helper()
	d.in.Close()
	for {
		select {
		case line, ok := <-d.lines:
			if ok {
				rest = append(rest, line)
				continue
			}
			return rest, <-d.over
		case <-time.After(deadline):
			d.t.Fatal("the session does not end")
		}
	}
}

func (d *lineClient) open(revision string) {
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

// TestRun compares every kind of result with what the SDK alone sends.
func TestRun(t *testing.T) {
	for _, revision := range []string{modern, legacy, oldest} {
		want, got := connect(t, runOfficial, newTestServer(nil)), connect(t, Run, newTestServer(nil))
		want.open(revision)
		got.open(revision)
		got.say(callLine(revision, "tools/list", ""), 1) // of the SDK; the calls after it are answered here
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
				if raw := strings.Contains(answer, "<b>"); raw != (r.name != "invalid UTF-8") {
					t.Errorf("answered here: %v", raw)
				}
			})
		}
		t.Run(revision, func(t *testing.T) {
			for range 2 {
				compare(t, callLine(revision, "tools/list", ""))
			}
			compare(t, callLine(revision, "tools/call", `"name":"unknown"`))
			compare(t, callLine(revision, "nothing", ""))
			compare(t, strings.Replace(callLine(revision, "tools/call", `"name":"text"`), `"id":7`, `"id":"\u0061"`, 1))
			compare(t, strings.Replace(callLine(revision, "tools/call", `"name":"text"`), "\n", "\r\n", 1))
			compare(t, callLine(revision, "tools/call", `"name":"text"`))
		})
	}
}

// TestRunBatch answers a batch of the revision that knows them.
func TestRunBatch(t *testing.T) {
	call := strings.TrimSpace(callLine(oldest, "tools/call", `"name":"text"`))
	batch := "[" + call + "," + strings.Replace(call, "7", "8", 1) + "]\n"
	want, got := connect(t, runOfficial, newTestServer(nil)), connect(t, Run, newTestServer(nil))
	want.open(oldest)
	got.open(oldest)
	answer := got.say(batch, 1)
	if d := cmp.Diff(decoded(t, want.say(batch, 1)), decoded(t, answer)); d != "" {
		t.Errorf("-official +spliced\n%.2000s", d)
	}
}

// TestRunInMemory serves a transport that is the SDK's alone, to the SDK's client.
func TestRunInMemory(t *testing.T) {
	here, there := mcp.NewInMemoryTransports()
	go func() { _ = Run(t.Context(), newTestServer(nil), there) }()
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test"}, nil).Connect(t.Context(), here, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	res, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "text"})
	if err != nil || res.Content[0].(*mcp.TextContent).Text != long {
		t.Errorf("%v, %v", res, err)
	}
}

// TestRunAlone leaves other transports to the SDK.
func TestRunAlone(t *testing.T) {
	run := func(ctx context.Context, s *mcp.Server, transport mcp.Transport) error {
		return Run(ctx, s, &mcp.LoggingTransport{Transport: transport, Writer: io.Discard})
	}
	d := connect(t, run, newTestServer(nil))
	d.open(legacy)
	if answer := d.say(callLine(legacy, "tools/call", `"name":"text"`), 1); strings.Contains(answer[0], "<b>") {
		t.Errorf("got %.300s", answer)
	}
}

// TestRunAtOnce makes many calls of several sessions at once, beside a handler, while middleware is added.
func TestRunAtOnce(t *testing.T) {
	s := newTestServer(nil)
	h := spliced(s, mcp.StreamableHTTPOptions{})
	var all sync.WaitGroup
	for range 3 {
		d := connect(t, Run, s)
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

// TestNoMessage sends lines that are no messages, and those that a limit refuses. Each is answered with an error of the protocol,
// and the server goes on.
func TestNoMessage(t *testing.T) {
	const parse, invalid = `"code":-32700`, `"code":-32600`
	d := connect(t, func(ctx context.Context, s *mcp.Server, transport mcp.Transport) error {
		transport.(*mcp.IOTransport).MaxLineLength = 300_000
		return Run(ctx, s, transport)
	}, newTestServer(nil))
	good := callLine(modern, "tools/call", `"name":"small"`)
	for _, c := range []struct{ name, line, id, code string }{
		{"no JSON", "hello", "null", parse},
		{"half a message", `{"jsonrpc":"2.0","id":1,"method":"tools/li`, "null", parse},
		{"an opening brace", "{", "null", parse},
		{"two values", "{} {}", "null", parse},
		{"a message and more", strings.TrimSpace(good) + "x", "null", parse},
		{"control characters", "\x00\x01\xff", "null", parse},
		{"deep", strings.Repeat("[", 100_000), "null", parse},
		{"deep and closed", strings.Repeat("[", 2000) + strings.Repeat("]", 2000), "null", parse},
		{"a number", "7", "null", invalid},
		{"a word", "null", "null", invalid},
		{"no members", "{}", "null", invalid},
		{"another version", `{"jsonrpc":"1.0","id":9,"method":"tools/list"}`, "9", invalid},
		{"no version", `{"id":"a","method":"tools/list"}`, `"a"`, invalid},
		{"an id of no kind", `{"jsonrpc":"2.0","id":{},"method":"tools/list"}`, "null", invalid},
		{"a method of no kind", `{"jsonrpc":"2.0","id":9,"method":7}`, "9", invalid},
		{"a long line", `{"jsonrpc":"2.0","id":1,"method":"x","params":"` + strings.Repeat("x", 300_000), "null", invalid},
		{"a longer line", strings.Repeat("x", 1_000_000), "null", invalid},
	} {
		t.Run(c.name, func(t *testing.T) {
			d.t = t
			if answer := d.say(c.line+"\n", 1)[0]; !strings.HasPrefix(answer, `{"jsonrpc":"2.0","id":`+c.id+`,"error":{`+c.code+`,`) || !json.Valid([]byte(answer)) {
				t.Errorf("got %.300s", answer)
			}
			d.say("\n \t\n", 0) // nothing
			if answer := d.say(good, 1)[0]; !strings.Contains(answer, `"structuredContent":{"html":`) {
				t.Errorf("after it %.300s", answer)
			}
		})
	}
	d.t = t
	d.say(strings.Repeat("[", 100_000)+"\n", 1)
	if _, err := d.end(); err != nil {
		t.Error(err)
	}
}

// TestBatchRevisions sends batches where they are known and where they are not, twice with the same ids.
func TestBatchRevisions(t *testing.T) {
	call := strings.TrimSpace(callLine(oldest, "tools/call", `"name":"text"`))
	batch := "[" + call + "," + strings.Replace(call, "7", "8", 1) + `,{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1}}]` + "\n"
	for revision, known := range map[string]bool{oldest: true, legacy: false} {
		d := connect(t, Run, newTestServer(nil))
		d.open(revision)
		for range 2 {
			answer := d.say(batch, 1)[0]
			if strings.HasPrefix(answer, "[") != known || strings.Contains(answer, `"code":-32600`) == known {
				t.Errorf("%s: %.300s", revision, answer)
			}
		}
	}
}

// TestNoBatch sends batches that are none, where batches are known. The session goes on.
func TestNoBatch(t *testing.T) {
	ping := func(id int) string { return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"ping"}`, id) }
	list := func(n int) string {
		pings := make([]string, n)
		for i := range pings {
			pings[i] = ping(i)
		}
		return "[" + strings.Join(pings, ",") + "]"
	}
	d := connect(t, Run, newTestServer(nil))
	d.open(oldest)
	for name, c := range map[string]struct{ line, want string }{
		"empty":            {"[]", "a batch of no messages"},
		"no messages":      {"[1,2]", "unmarshaling jsonrpc message"},
		"one that is none": {"[" + ping(1) + ",{}]", "invalid request"},
		"an id twice":      {"[" + ping(1) + "," + ping(1) + "]", "the id 1 is there twice"},
		"too many":         {list(maxBatch + 1), fmt.Sprintf("a batch of more than %d messages", maxBatch)},
	} {
		if answer := d.say(c.line+"\n", 1)[0]; !strings.HasPrefix(answer, `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,`) || !strings.Contains(answer, c.want) {
			t.Errorf("%s: %.300s", name, answer)
		}
	}
	if answer := d.say(list(maxBatch)+"\n", 1)[0]; strings.Count(answer, `"result"`) != maxBatch {
		t.Errorf("as many as may be: %.300s", answer)
	}
}

// TestLastLine reads a last line that does not end.
func TestLastLine(t *testing.T) {
	d := connect(t, Run, newTestServer(nil))
	d.say(`{"jsonrpc":"2.0","id":1,"meth`, 0)
	if rest, err := d.end(); err != nil || len(rest) != 1 || !strings.Contains(rest[0], `"code":-32700`) {
		t.Errorf("%q, %v", rest, err)
	}
}

// TestRunIsCancelled ends a session from this side: the call that runs is answered, and one that comes then is refused.
func TestRunIsCancelled(t *testing.T) {
	s := newTestServer(nil)
	started, release := make(chan bool, 1), make(chan bool)
	s.AddTool(&mcp.Tool{Name: "wait", InputSchema: json.RawMessage(`{"type":"object"}`)}, func(ctx context.Context, _ *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		started <- true
		<-release
		return answerOf("done", ""), ctx.Err()
	})
	ctx, cancel := context.WithCancel(t.Context())
	d := connect(t, func(_ context.Context, s *mcp.Server, transport mcp.Transport) error { return Run(ctx, s, transport) }, s)
	d.open(legacy)
	d.say(callLine(legacy, "tools/list", ""), 1) // the calls after it are answered here
	d.say(callLine(legacy, "tools/call", `"name":"wait"`), 0)
	wait(t, started)
	cancel()
	for refused := false; !refused; {
		answer := d.say(strings.Replace(callLine(legacy, "tools/call", `"name":"small"`), "7", "8", 1), 1)[0]
		refused = strings.Contains(answer, `"id":8,"error":{"code":-32004`)
	}
	close(release)
	if answer := d.say("", 1)[0]; !strings.Contains(answer, `"id":7,"result":`) {
		t.Errorf("got %s", answer)
	}
	select {
	case err := <-d.over:
		if err != context.Canceled {
			t.Error(err)
		}
	case <-time.After(deadline):
		t.Fatal("the session does not end")
	}
	if _, err := d.in.Write([]byte("{}\n")); err == nil {
		t.Error("the input is still open")
	}
}

func wait[T any](t *testing.T, c <-chan T) (v T) {
	t.Helper()
	select {
	case v = <-c:
	case <-time.After(deadline):
		t.Fatal("nothing happens")
	}
	return v
}

// TestCancelledOnLines tests that a call ends when its client cancels it, goes away or reads no more, and that its id can be used
// again.
func TestCancelledOnLines(t *testing.T) {
	for _, revision := range []string{modern, legacy} {
		for name, end := range map[string]func(*lineClient){
			"cancelled": func(d *lineClient) {
				d.say(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}`+"\n", 1)
				if answer := d.say(callLine(revision, "tools/call", `"name":"small"`), 1)[0]; !strings.Contains(answer, `"result"`) {
					d.t.Errorf("the id again: %s", answer)
				}
			},
			"end of input": func(d *lineClient) { d.in.Close() },
		} {
			t.Run(revision+" "+name, func(t *testing.T) {
				s := newTestServer(nil)
				started, stopped := make(chan bool, 1), make(chan error, 1)
				s.AddTool(&mcp.Tool{Name: "wait", InputSchema: json.RawMessage(`{"type":"object"}`)}, func(ctx context.Context, _ *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
					started <- true
					<-ctx.Done()
					stopped <- ctx.Err()
					return nil, ctx.Err()
				})
				d := connect(t, Run, s)
				d.open(revision)
				d.say(callLine(revision, "tools/list", ""), 1)
				d.say(callLine(revision, "tools/call", `"name":"wait"`), 0)
				wait(t, started)
				end(d)
				if err := wait(t, stopped); err != context.Canceled {
					t.Error(err)
				}
				if _, err := d.end(); err != nil {
					t.Error(err)
				}
			})
		}
	}
}

// TestMemoryOfCancelledCalls cancels a tenth of many calls on one session, some before and some after they are answered, and looks
// for what is left of them.
func TestMemoryOfCancelledCalls(t *testing.T) {
	s := newTestServer(nil)
	s.AddTool(&mcp.Tool{Name: "wait", InputSchema: json.RawMessage(`{"type":"object"}`)}, func(ctx context.Context, _ *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		select {
		case <-ctx.Done():
		case <-time.After(2 * time.Millisecond):
		}
		return answerOf(long, ""), nil
	})
	d := connect(t, Run, s)
	d.open(legacy)
	d.say(callLine(legacy, "tools/list", ""), 1)
	next := 0
	load := func(calls int) (heap uint64, goroutines int) {
		for range calls / 10 {
			var lines strings.Builder
			for i := range 10 {
				next++
				tool := "text"
				if i%5 == 0 {
					tool = "wait"
				}
				lines.WriteString(strings.Replace(callLine(legacy, "tools/call", `"name":"`+tool+`"`), `"id":7`, fmt.Sprintf(`"id":%d`, next), 1))
			}
			fmt.Fprintf(&lines, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d}}`+"\n", next-9)
			d.say(lines.String(), 10)
		}
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc, runtime.NumGoroutine()
	}
	before, few := load(1_000)
	after, many := load(10_000)
	if int64(after)-int64(before) > 1<<20 || many > few+5 {
		t.Errorf("%d KiB and %d goroutines after 10,000 calls more, before %d KiB and %d", after>>10, many, before>>10, few)
	}
}

// TestNotificationsFirst tests that middleware sees a notification to its end before the call on the next line.
func TestNotificationsFirst(t *testing.T) {
	s := newTestServer(nil)
	var mu sync.Mutex
	var seen []string
	s.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			if strings.HasPrefix(method, "notifications/") {
				time.Sleep(10 * time.Millisecond)
			}
			mu.Lock()
			seen = append(seen, method)
			mu.Unlock()
			return next(ctx, method, req)
		}
	})
	d := connect(t, Run, s)
	d.open(legacy)
	d.say(callLine(legacy, "tools/list", ""), 1)
	seen = nil
	for range 3 {
		d.say(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1}}`+"\n"+callLine(legacy, "tools/call", `"name":"small"`), 1)
		d.say(callLine(legacy, "tools/list", ""), 1)
	}
	mu.Lock()
	defer mu.Unlock()
	want := slices.Repeat([]string{"notifications/progress", "tools/call", "tools/list"}, 3)
	if d := cmp.Diff(want, seen); d != "" {
		t.Error(d)
	}
}

// FuzzLines tests that whatever a client sends, each of its lines is given to the SDK as the SDK reads it, or is answered with an
// error.
func FuzzLines(f *testing.F) {
	for _, line := range []string{
		callLine(modern, "tools/call", `"name":"text"`), callLine(legacy, "tools/list", ""), `{"jsonrpc":"2.0","method":"n"}` + "\n", "[]\n", "\n", "{\n}\n",
		`{"jsonrpc":"2.0","id":"a","result":{}}` + "\n", `{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"m"}}` + "\r\n", `{"jsonrpc":"2.0","id":1.5,"method":"n"}`,
		`[{"jsonrpc":"2.0","id":1,"method":"n"},{"jsonrpc":"2.0","method":"n"}]` + "\n", `{"jsonrpc":"2.0","id":1,"id":2,"method":"n","params":null}` + "\n{}",
	} {
		f.Add([]byte(line))
		f.Add([]byte(line + line + "x"))
	}
	s := newServer(newTestServer(nil))
	session, err := s.Connect(f.Context(), &inquiry{asked: true, closed: make(chan struct{})}, nil)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		var want []string
		errors := 0
		for line := range bytes.SplitSeq(in, []byte("\n")) {
			switch line = bytes.TrimSpace(line); {
			case len(line) == 0:
			case line[0] == '[':
				return // batches: TestNoMessage
			default:
				msg, err := jsonrpc.DecodeMessage(line)
				if err != nil || !json.Valid(line) {
					errors++
					continue
				}
				doc, err := jsonrpc.EncodeMessage(msg)
				want = append(want, fmt.Sprintf("%T %s %v", msg, doc, err))
			}
		}
		var out bytes.Buffer
		l := newLines(t.Context(), s, mcp.IOTransport{Reader: io.NopCloser(bytes.NewReader(in)), Writer: unclosed{&out}})
		go l.listen(session)
		var got []string
		for {
			msg, err := l.Read(t.Context())
			if err != nil {
				break
			}
			doc, err := jsonrpc.EncodeMessage(msg)
			got = append(got, fmt.Sprintf("%T %s %v", msg, doc, err))
		}
		if !slices.Equal(want, got) || strings.Count(out.String(), `"error":{"code":-32`) != errors {
			t.Errorf("of %q\ngave %q\nwant %q\nand sent %s", in, got, want, &out)
		}
	})
}
