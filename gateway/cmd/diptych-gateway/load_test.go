//go:build load

package main

// Many conversations at once: go test -tags load -run Load -v ./gateway/cmd/... Nothing leaves the loopback.

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych/gateway/chat"
	"github.com/diptych-mcp/diptych/gateway/store"
	"github.com/diptych-mcp/diptych/gateway/store/sqlite"
	"github.com/diptych-mcp/diptych/gateway/store/storetest"
)

var (
	loadTalks = flag.Int("load-conversations", 200, "conversations that stream at once")
	loadTime  = flag.Duration("load-time", 45*time.Second, "how long questions are asked")
)

const (
	loadWords = 60                    // of an answer
	loadPace  = 40 * time.Millisecond // between two words
)

// words are what the model says, which name the question that they answer, in letters: prose is not made of figures.
func words(question string, n int) []string {
	said := make([]string, n)
	for i := range said {
		said[i] = strings.Map(func(r rune) rune {
			if r >= '0' && r <= '9' {
				return r - '0' + 'a'
			}
			return r
		}, fmt.Sprintf("%s-%d ", question, i))
	}
	return said
}

var asked = regexp.MustCompile(`q\d+x\d+`)

// streamer is a model's server: it asks for a tool, then tells its words one by one. Some conversations get a tool that
// hangs, one that answers with 100 MB, or one at which the connection breaks.
func streamer(t *testing.T) string {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var req struct {
			Messages []struct {
				Role    string
				Content json.RawMessage
			}
		}
		if err := json.NewDecoder(r.Body).Decode(&req); err != nil {
			http.Error(w, "no JSON", http.StatusBadRequest)
			return
		}
		question := ""
		for _, m := range req.Messages {
			if m.Role == "user" {
				question = asked.FindString(string(m.Content))
			}
		}
		w.Header().Set("Content-Type", "text/event-stream")
		tick := time.NewTicker(loadPace)
		defer tick.Stop()
		say := func(delta string) bool {
			_, err := fmt.Fprintf(w, "data: {\"choices\":[{\"index\":0,\"delta\":%s}]}\n\n", delta)
			w.(http.Flusher).Flush()
			select {
			case <-tick.C:
			case <-r.Context().Done():
			}
			return err == nil
		}
		if req.Messages[len(req.Messages)-1].Role == "tool" {
			for _, word := range words(question, loadWords) {
				if !say(fmt.Sprintf(`{"content":%q}`, word)) {
					return
				}
			}
			fmt.Fprint(w, "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n")
			return
		}
		for _, word := range words(question, 5) {
			say(fmt.Sprintf(`{"content":%q}`, word))
		}
		say(fmt.Sprintf(`{"tool_calls":[{"index":0,"id":"c","type":"function","function":{"name":%q,"arguments":"{}"}}]}`, toolFor(question)))
		fmt.Fprint(w, "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"tool_calls\"}]}\n\ndata: [DONE]\n\n")
	}))
	t.Cleanup(s.Close)
	t.Cleanup(s.CloseClientConnections)
	return s.URL
}

// toolFor gives three of a hundred conversations a tool of the bad server.
func toolFor(question string) string {
	talk, _, _ := strings.Cut(strings.TrimPrefix(question, "q"), "x")
	n, _ := strconv.Atoi(talk)
	if bad := []string{"bad__hangs", "bad__mountain", "bad__breaks"}; n%100 < len(bad) {
		return bad[n%100]
	}
	return "good__series"
}

// twoServers are a good one with a data tool, and one with a tool for each way to be bad.
func twoServers(t *testing.T) (good, bad string) {
	rows := `["month","value"]`
	for i := range 24 {
		rows += fmt.Sprintf(`,["2025-%02d",%d.50]`, i+1, i*1001)
	}
	s := mcp.NewServer(&mcp.Implementation{Name: "load", Version: "1"}, nil)
	s.AddTool(&mcp.Tool{
		Name: "series", InputSchema: json.RawMessage(`{"type":"object"}`), Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true},
		OutputSchema: json.RawMessage(`{"type":"object","properties":{"sources":{"type":"array","minItems":1}},"required":["sources"]}`),
	}, fixed(`{"sources":["https://data.example/series"],"table":[`+rows+`]}`))
	for _, name := range []string{"hangs", "mountain", "breaks"} {
		s.AddTool(&mcp.Tool{Name: name, InputSchema: json.RawMessage(`{"type":"object"}`), Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true}}, fixed(`{}`))
	}
	handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, &mcp.StreamableHTTPOptions{Stateless: true})
	there := httptest.NewServer(handler)
	t.Cleanup(there.Close)
	worse := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		r.Body = io.NopCloser(strings.NewReader(string(body)))
		switch call := string(body); {
		case !strings.Contains(call, `"tools/call"`):
			handler.ServeHTTP(w, r)
		case strings.Contains(call, `"hangs"`):
			<-r.Context().Done()
		case strings.Contains(call, `"mountain"`):
			w.Header().Set("Content-Type", "application/json")
			io.WriteString(w, `{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"`)
			for range 100 {
				if _, err := io.WriteString(w, strings.Repeat("x", 1<<20)); err != nil {
					return
				}
			}
		default:
			panic(http.ErrAbortHandler)
		}
	}))
	t.Cleanup(worse.Close)
	t.Cleanup(worse.CloseClientConnections)
	return there.URL, worse.URL
}

// A seen event is one that a page got, and when.
type seen struct {
	id int64
	at time.Time
}

// A watched run is what a page saw of it.
type watched struct {
	id, question string
	asked        time.Time
	events       []seen
	end          time.Time
}

// converse asks and watches, one question after the other.
func converse(client *http.Client, url string, talk int, until time.Time) (runs []watched, err error) {
	conversation := ""
	for n := 0; time.Now().Before(until); n++ {
		w := watched{question: fmt.Sprintf("q%dx%d", talk, n), asked: time.Now()}
		resp, err := client.Post(url+"runs", "application/json", strings.NewReader(fmt.Sprintf(`{"conversation":%q,"text":"Please answer %s"}`, conversation, w.question)))
		if err != nil {
			return runs, err
		}
		var run struct{ ID, Conversation string }
		err = json.NewDecoder(resp.Body).Decode(&run)
		resp.Body.Close()
		if err != nil || run.ID == "" {
			return runs, fmt.Errorf("%s: status %d, %v", w.question, resp.StatusCode, err)
		}
		w.id, conversation = run.ID, run.Conversation
		if resp, err = client.Get(url + "runs/" + run.ID + "/events"); err != nil {
			return runs, err
		}
		lines := bufio.NewScanner(resp.Body)
		lines.Buffer(nil, 4<<20)
		last := ""
		for lines.Scan() {
			if id, ok := strings.CutPrefix(lines.Text(), "id: "); ok {
				number, err := strconv.ParseInt(id, 10, 64)
				if err != nil {
					return runs, err
				}
				w.events = append(w.events, seen{number, time.Now()})
			} else if lines.Text() != "" {
				last = lines.Text()
			}
		}
		resp.Body.Close()
		w.end = time.Now()
		if err := lines.Err(); err != nil || !strings.Contains(last, `"type":"done","data":{"reason":"answered"`) {
			return runs, fmt.Errorf("%s ended with %.300s (%v)", w.question, last, err)
		}
		runs = append(runs, w)
	}
	return runs, nil
}

func TestLoad(t *testing.T) {
	good, bad := twoServers(t)
	folder := t.TempDir()
	config := filepath.Join(folder, "servers.json")
	text := `{"mcpServers":{"good":{"url":"` + good + `"},"bad":{"url":"` + bad + `"}},"allowWithoutSources":["bad"],"timeouts":{"bad":2}}`
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	p := spawn(t, nil, "--data", folder, "--config", config, "--model", "openai:load", "--base-url", streamer(t), "--log-level", "warn",
		"--limit-requests", "0", "--limit-streams", "0", "--limit-live", "0", "--limit-daily", "0")
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 2 * *loadTalks}}
	began := time.Now()
	all := make([][]watched, *loadTalks)
	var wg sync.WaitGroup
	for i := range all {
		wg.Go(func() {
			var err error
			if all[i], err = converse(client, p.url, i, began.Add(*loadTime)); err != nil {
				t.Errorf("conversation %d: %v", i, err)
			}
		})
	}
	wg.Wait()
	took := time.Since(began)
	metrics := p.ask(t, "GET", "metrics", "")
	peak := high(t, p.cmd.Process.Pid)
	p.end(t)
	if log := p.log.String(); strings.Contains(log, "level=ERROR") {
		t.Errorf("the log has errors: %.2000s", log)
	}

	kept, err := sqlite.Open(t.Context(), filepath.Join(folder, "gateway.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer kept.Close()
	var first, delay, whole []time.Duration
	runs, events := 0, 0
	for _, talk := range all {
		for _, w := range talk {
			stored := check(t, kept, w)
			runs++
			events += len(stored)
			first = append(first, w.events[0].at.Sub(w.asked))
			whole = append(whole, w.end.Sub(w.asked))
			for _, e := range w.events {
				delay = append(delay, e.at.Sub(stored[e.id-1].Time))
			}
		}
	}
	t.Logf("%d conversations, %d runs and %d stored events in %v", *loadTalks, runs, events, took.Round(time.Second))
	for _, line := range []struct {
		name  string
		times []time.Duration
	}{{"first event", first}, {"event delay", delay}, {"whole run", whole}} {
		slices.Sort(line.times)
		at := func(share float64) time.Duration {
			return line.times[min(len(line.times)-1, int(share*float64(len(line.times))))].Round(time.Millisecond)
		}
		t.Logf("%-12s median %v, 90%% %v, 99%% %v, most %v", line.name, at(.5), at(.9), at(.99), at(1))
	}
	t.Logf("most memory: %d MiB", peak>>20)
	for line := range strings.Lines(metrics) {
		if strings.HasPrefix(line, "diptych_store_operation_duration_seconds_sum") || strings.HasPrefix(line, "diptych_store_operation_duration_seconds_count") || strings.HasPrefix(line, "process_cpu_seconds_total") {
			t.Log(strings.TrimSpace(line))
		}
	}
}

// check compares what a page got of a run with what is stored: nothing lost, nothing doubled, every word in its place.
func check(t *testing.T, kept store.Store, w watched) []store.Event {
	stored := storetest.All(t, store.AllEvents(t.Context(), kept, "local", w.id))
	told := map[int64]bool{}
	last := int64(0)
	for _, e := range w.events {
		if e.id <= last || e.id > int64(len(stored)) {
			t.Fatalf("%s: event %d came after %d of %d", w.question, e.id, last, len(stored))
		}
		last = e.id
		told[e.id] = true
	}
	said, calls := map[int]string{}, 0
	for i, e := range stored {
		event, err := chat.Decode(e)
		if err != nil || e.Seq != int64(i)+1 {
			t.Fatalf("%s: event %d has number %d (%v)", w.question, i+1, e.Seq, err)
		}
		switch event := event.(type) {
		case *chat.Text:
			if event.Final && said[event.Turn] != event.Text {
				t.Errorf("%s: the pieces are %q, the turn %q", w.question, said[event.Turn], event.Text)
			}
			if !event.Final {
				said[event.Turn] += event.Text
				continue // sent with the pieces after it
			}
		case *chat.NumberCheck:
			continue // sent as marks in the text, if there are any
		case *chat.ToolCall:
			if event.State != chat.Waiting && event.State != chat.Running {
				calls++
				if want := strings.HasPrefix(event.Tool, "good"); (event.State == chat.Answered) != want {
					t.Errorf("%s: %s is %s: %s", w.question, event.Tool, event.State, event.Read)
				}
			}
		}
		if !told[e.Seq] {
			t.Errorf("%s: event %d (%s) was never told", w.question, e.Seq, e.Type)
		}
	}
	if want := strings.Join(words(w.question, loadWords), ""); said[2] != want || calls != 1 {
		t.Errorf("%s: %d calls, said %q", w.question, calls, said[2])
	}
	return stored
}

// high is the most memory that a process ever had, in bytes.
func high(t *testing.T, pid int) int {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Log(err) // not on Linux
		return 0
	}
	for line := range strings.Lines(string(status)) {
		var kilobytes int
		if n, _ := fmt.Sscanf(line, "VmHWM: %d kB", &kilobytes); n == 1 {
			return kilobytes << 10
		}
	}
	return 0
}

func fixed(structured string) mcp.ToolHandler {
	return func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "There are 24 months."}}, StructuredContent: json.RawMessage(structured)}, nil
	}
}
