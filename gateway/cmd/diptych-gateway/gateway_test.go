package main

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/diptych-mcp/diptych/gateway/chat"
	"github.com/diptych-mcp/diptych/gateway/model"
	"github.com/diptych-mcp/diptych/gateway/model/modeltest"
	"github.com/diptych-mcp/diptych/gateway/store"
	"github.com/diptych-mcp/diptych/gateway/store/sqlite"
	"github.com/diptych-mcp/diptych/gateway/store/storetest"
)

// variable makes the test binary the gateway.
const variable = "DIPTYCH_GATEWAY_TEST"

func TestMain(m *testing.M) {
	if os.Getenv(variable) != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

func TestListen(t *testing.T) {
	for address, refused := range map[string]string{
		"127.0.0.1:0": "", "localhost:0": "", "127.8.9.1:0": "",
		"0.0.0.0:0": "not on the loopback", ":0": "not on the loopback", "[::]:0": "not on the loopback", "192.0.2.1:0": "not on the loopback",
		"example.org:80": "not on the loopback", "8080": "no address",
	} {
		l, err := listen(t.Context(), address)
		if err == nil {
			l.Close()
		}
		if refused == "" && err != nil || refused != "" && (err == nil || !strings.Contains(err.Error(), refused)) {
			t.Errorf("%s: error %v, want %q", address, err, refused)
		}
	}
}

func TestOpenModel(t *testing.T) {
	for name, want := range map[string]string{
		"none": "", "scripted": "scripted", "openai:small": "openai:small", "anthropic:large": "anthropic:large",
		"openai:": "error", "openai": "error", "gpt": "error", "": "error",
	} {
		m, err := openModel(settings{Model: name, BaseURL: "http://127.0.0.1:1/v1"})
		got := ""
		if err != nil {
			got = "error"
		} else if m != nil {
			got = m.Name()
		}
		if got != want {
			t.Errorf("%s: got %q (%v), want %q", name, got, err, want)
		}
	}
}

func TestModelBounds(t *testing.T) {
	for want, c := range map[string]settings{"--context 100 is less": {Model: "scripted", Context: 100}, "--tools-max -1 is no number": {Model: "scripted", ToolsMax: -1}} {
		if _, err := openModel(c); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

func TestMissingKey(t *testing.T) {
	t.Setenv(openaiKey, "")
	t.Setenv(anthropicKey, "sk")
	for want, lines := range map[string][]settings{
		openaiKey: {{Model: "openai:gpt"}},
		"":        {{Model: "openai:qwen3", BaseURL: "http://127.0.0.1:11434/v1"}, {Model: "anthropic:claude"}, {Model: noModel}, {Model: scriptedModel}},
	} {
		for _, c := range lines {
			if got := missingKey(c); got != want {
				t.Errorf("%s at %q misses %q, want %q", c.Model, c.BaseURL, got, want)
			}
		}
	}
}

// A line that is not understood says where to look, and ends with a code of its own.
func TestWrongLine(t *testing.T) {
	for _, args := range [][]string{{"--nonsense"}, {"nonsense"}, {"--limit-live", "many"}, {"--config", "nowhere.json"}} {
		cmd := exec.CommandContext(t.Context(), os.Args[0], args...)
		cmd.Env = append(os.Environ(), variable+"=1")
		said, err := cmd.CombinedOutput()
		if cmd.ProcessState.ExitCode() != wrongLine || !strings.Contains(string(said), "; see diptych-gateway --help") {
			t.Errorf("%q: %v, %s", args, err, said)
		}
	}
	// This is understood, and fails.
	cmd := exec.CommandContext(t.Context(), os.Args[0], "--listen", "8321")
	cmd.Env = append(os.Environ(), variable+"=1")
	if said, err := cmd.CombinedOutput(); cmd.ProcessState.ExitCode() != 1 || !strings.Contains(string(said), "is no address") {
		t.Errorf("%v, %s", err, said)
	}
}

func TestIdleTimeout(t *testing.T) {
	if _, err := openModel(settings{Model: "openai:m", IdleTimeout: -time.Second}); err == nil || !strings.Contains(err.Error(), "write it as 10m") {
		t.Error(err)
	}
	silent := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		<-r.Context().Done()
	}))
	t.Cleanup(silent.Close)
	m, err := openModel(settings{Model: "openai:m", BaseURL: silent.URL, IdleTimeout: 50 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.Stream(t.Context(), model.Request{}, nil); err == nil || !strings.Contains(err.Error(), "sent nothing for 50ms") {
		t.Error(err)
	}
}

func TestServeWithoutAnything(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "data")
	ctx, cancel := context.WithCancel(t.Context())
	g, err := open(ctx, settings{Listen: "127.0.0.1:0", Data: folder, Model: "none"})
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- g.serve(ctx) }()
	for path, want := range map[string]string{"": "<title>", "healthz": "ok", "readyz": "ok", "tools": "[]"} {
		resp, err := http.Get(g.url() + path)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		unbuilt := path == "" && resp.StatusCode == http.StatusServiceUnavailable // in a tree where the script was not built
		if err != nil || resp.StatusCode != http.StatusOK && !unbuilt || !strings.Contains(string(body), want) {
			t.Errorf("/%s: status %d, error %v, body %.200s", path, resp.StatusCode, err, body)
		}
	}
	if second, err := open(ctx, settings{Listen: "127.0.0.1:0", Data: folder, Model: "none"}); err == nil {
		second.shut()
		t.Error("two gateways share a folder")
	}
	cancel()
	if err := <-ended; err != nil {
		t.Errorf("serve: %v", err)
	}
	again, err := open(t.Context(), settings{Listen: "127.0.0.1:0", Data: folder, Model: "none"})
	if err != nil {
		t.Fatal(err)
	}
	if err := again.shut(); err != nil {
		t.Error(err)
	}
}

// TestKilledFiftyTimes kills the process in the middle of a run, again and again. No event that a page got is lost or
// doubled, and each run ends honestly after the next start.
func TestKilledFiftyTimes(t *testing.T) {
	const rounds = 50
	folder, speaker := t.TempDir(), modeltest.Talker(t, 3*time.Millisecond)
	told := make(map[string]int64) // the last number that a page saw of each run
	for round := range rounds {
		gateway := exec.CommandContext(t.Context(), os.Args[0], "--listen", "127.0.0.1:0", "--data", folder,
			"--model", "openai:talker", "--base-url", speaker)
		gateway.Env = append(os.Environ(), variable+"=1")
		gateway.Stderr = os.Stderr
		out, err := gateway.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := gateway.Start(); err != nil {
			t.Fatal(err)
		}
		line, err := bufio.NewReader(out).ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		url := strings.TrimSpace(strings.TrimPrefix(line, "Listening on "))
		resp, err := http.Post(url+"runs", "application/json", strings.NewReader(`{"text":"talk"}`))
		if err != nil {
			t.Fatal(err)
		}
		var run struct{ ID string }
		err = json.NewDecoder(resp.Body).Decode(&run)
		resp.Body.Close()
		if err != nil || run.ID == "" {
			t.Fatalf("round %d: status %d, %v", round, resp.StatusCode, err)
		}
		if resp, err = http.Get(url + "runs/" + run.ID + "/events"); err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(resp.Body)
		for n := 0; n < 1+round%4 && lines.Scan(); {
			if id, ok := strings.CutPrefix(lines.Text(), "id: "); ok {
				if told[run.ID], err = strconv.ParseInt(id, 10, 64); err != nil {
					t.Fatal(err)
				}
				n++
			}
		}
		if err := gateway.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		_ = gateway.Wait() // killed, as was asked
	}
	if len(told) != rounds {
		t.Fatalf("%d of %d runs were watched", len(told), rounds)
	}
	g, err := open(t.Context(), settings{Listen: "127.0.0.1:0", Data: folder, Model: "none"})
	if err != nil {
		t.Fatal(err)
	}
	if err := g.shut(); err != nil {
		t.Fatal(err)
	}
	kept, err := sqlite.Open(t.Context(), filepath.Join(folder, "gateway.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer kept.Close()
	for run, last := range told {
		events := storetest.All(t, store.AllEvents(t.Context(), kept, "local", run))
		if int64(len(events)) < last+2 {
			t.Errorf("a page saw event %d, but %d are left with the end", last, len(events))
			continue
		}
		words := ""
		for i, e := range events {
			if e.Seq != int64(i)+1 {
				t.Fatalf("event %d has number %d", i+1, e.Seq)
			}
			event, err := chat.Decode(e)
			if err != nil {
				t.Fatal(err)
			}
			switch event := event.(type) {
			case *chat.Text:
				words += event.Text
			case *chat.Done:
				if i != len(events)-1 || event.Reason != chat.ByCrash {
					t.Errorf("event %d of %d: %+v", i+1, len(events), event)
				}
			}
		}
		for i, word := range strings.Fields(words) {
			if word != "word"+strconv.Itoa(i) {
				t.Fatalf("word %d is %q: something is lost or doubled", i, word)
			}
		}
	}
}
