//go:build browser

package web

// What the page does when something breaks off under it: a connection, a page, a gateway.

import (
	"context"
	"fmt"
	"net"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/diptych-mcp/diptych/gateway/chat"
	"github.com/diptych-mcp/diptych/gateway/model/modeltest"
)

// A page whose connection is lost comes back by itself, to where it was.
func TestBrowserLostConnection(t *testing.T) {
	f := newFake()
	f.scripts["q"] = func(r *fakeRun) {
		r.tell(&chat.Text{Turn: 1, Text: "one "})
		r.wait(func() bool { return r.answers["a"] })
		r.tell(&chat.Text{Turn: 1, Text: "two "})
		r.wait(func() bool { return r.answers["b"] })
		r.tell(&chat.Text{Turn: 1, Text: "three"}, &chat.Text{Turn: 1, Text: "one two three", Final: true})
	}
	b := newBrowser(t, f)
	b.broken = true
	b.open("/")
	b.fill(".ask textarea", "q")
	b.click(".ask button[type=submit]")
	b.until(`document.querySelector(".prose")?.textContent.trim()==="one"`)
	b.server.CloseClientConnections()
	b.until(`document.querySelector(".lost")`)
	f.Answer(t.Context(), "local", f.runs[0].ID, "a", true)
	b.until(`document.querySelector(".prose").textContent.trim()==="one two"&&!document.querySelector(".lost")`)
	b.server.CloseClientConnections()
	f.Answer(t.Context(), "local", f.runs[0].ID, "b", true)
	b.until(`!document.querySelector(".live")&&document.querySelectorAll(".prose").length===1&&document.querySelector(".prose").textContent.trim()==="one two three"`)
	b.clean()
}

// said is the script of an answer in three pieces, each of which waits for its word.
func said(name string) func(*fakeRun) {
	return func(r *fakeRun) {
		for i := range 3 {
			r.tell(&chat.Text{Turn: 1, Text: fmt.Sprintf("%s%d ", name, i)})
			r.wait(func() bool { return r.answers[fmt.Sprint(name, i)] || r.stops[r.Run.ID] })
			if r.stopped() {
				r.tell(&chat.Done{Reason: chat.ByStop})
				return
			}
		}
		r.tell(&chat.Text{Turn: 1, Text: fmt.Sprintf("%s0 %[1]s1 %[1]s2 %[1]s3", name), Final: true})
	}
}

func (r *fakeRun) stopped() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.stops[r.Run.ID]
}

const prose0 = `[...document.querySelectorAll(".prose")].map(p=>p.textContent.trim()).join("|")`

// A refresh in the middle of an answer shows what was there, and then the rest, once.
func TestBrowserRefreshInTheMiddle(t *testing.T) {
	f := newFake()
	f.scripts["a"] = said("a")
	b := newBrowser(t, f)
	b.open("/")
	b.fill(".ask textarea", "a")
	b.click(".ask button[type=submit]")
	b.until(prose0 + `==="a0"&&location.pathname.startsWith("/c/")`)
	path := eval[string](b, `location.pathname`)
	for i := range 3 {
		b.open(path)
		b.until(prose0 + `===` + literal("a0 a1 a2"[:3*i+2]) + `&&document.querySelector(".live")`)
		_ = f.Answer(t.Context(), "local", f.runs[0].ID, fmt.Sprint("a", i), true)
	}
	b.until(prose0 + `==="a0 a1 a2 a3"&&!document.querySelector(".live")`)
	b.open(path)
	b.until(prose0 + `==="a0 a1 a2 a3"&&document.querySelectorAll(".run").length===1`)
	b.clean()
}

// Two conversations at once, each in its tab, keep their words apart; stopping one leaves the other.
func TestBrowserTwoConversationsAtOnce(t *testing.T) {
	f := newFake()
	f.scripts["a"], f.scripts["b"] = said("a"), said("b")
	one := newBrowser(t, f)
	two := one.tab()
	for name, tab := range map[string]*browser{"a": one, "b": two} {
		tab.open("/")
		tab.fill(".ask textarea", name)
		tab.click(".ask button[type=submit]")
		tab.until(prose0 + `===` + literal(name+"0"))
	}
	id := func(name string) string {
		for _, r := range f.runs {
			if strings.Contains(string(r.Input), `"`+name+`"`) {
				return r.ID
			}
		}
		return ""
	}
	_ = f.Answer(t.Context(), "local", id("b"), "b0", true)
	_ = f.Answer(t.Context(), "local", id("a"), "a0", true)
	one.until(prose0 + `==="a0 a1"`)
	two.until(prose0 + `==="b0 b1"`)
	start := time.Now()
	one.click(".stop")
	one.until(`!document.querySelector(".live")&&document.querySelector("footer p")?.textContent==="Stopped."&&document.querySelector(".ask textarea")===document.activeElement`)
	if took := time.Since(start); took > 10*time.Second {
		t.Errorf("stopping took %s", took)
	}
	if !eval[bool](two, `!!document.querySelector(".live")`) {
		t.Error("the other conversation was stopped as well")
	}
	_ = f.Answer(t.Context(), "local", id("b"), "b1", true)
	_ = f.Answer(t.Context(), "local", id("b"), "b2", true)
	two.until(prose0 + `==="b0 b1 b2 b3"&&!document.querySelector(".live")`)
	if diff := cmp.Diff("a0 a1", eval[string](one, prose0)); diff != "" {
		t.Errorf("the stopped answer (-want +got):\n%s", diff)
	}
	one.until(`document.querySelectorAll(".history a").length===2`)
	one.clean()
	two.clean()
}

// The real gateway is killed while a page watches a run, and started again: the page reconnects by itself, shows how the run
// really ended, repeats no text, and can be used further.
func TestBrowserGatewayKilled(t *testing.T) {
	folder, speaker := t.TempDir(), modeltest.Talker(t, 20*time.Millisecond)
	binary := filepath.Join(folder, "gateway")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", binary, "../cmd/diptych-gateway").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := free.Addr().String()
	free.Close()
	start := func() *exec.Cmd {
		t.Helper()
		gateway := exec.CommandContext(context.Background(), binary, "--listen", address, "--data", filepath.Join(folder, "data"), "--model", "openai:talker", "--base-url", speaker)
		gateway.Stderr = t.Output()
		out, err := gateway.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := gateway.Start(); err != nil {
			t.Fatal(err)
		}
		if _, err := out.Read(make([]byte, 1)); err != nil { // it says so when it listens
			t.Fatal(err)
		}
		return gateway
	}
	gateway := start()
	kill := func() {
		_ = gateway.Process.Kill()
		_ = gateway.Wait() // killed, as was asked
	}
	t.Cleanup(func() { kill() })

	b := openBrowser(t, "http://"+address)
	b.broken = true
	b.open("/")
	eval[bool](b, `window.same=true`)
	words := `[...document.querySelectorAll(".run:last-child .prose")].map(p=>p.textContent).join("|")`
	for round := range 2 {
		b.fill(".ask textarea", "talk")
		b.click(".ask button[type=submit]")
		b.until(fmt.Sprintf(`document.querySelectorAll(".run").length===%d&&/word9 /.test(%s)`, round+1, words))
		seen := eval[string](b, words)
		kill()
		b.until(`document.querySelector(".run:last-child").classList.contains("lost")`)
		gateway = start()
		b.until(`!document.querySelector(".live")&&document.querySelector(".run:last-child .fault")&&document.querySelector(".run:last-child footer p")?.textContent==="Interrupted."`)
		told := eval[string](b, words)
		for i, word := range strings.Fields(told) {
			if word != "word"+strconv.Itoa(i) {
				t.Fatalf("word %d is %q: something is lost or doubled", i, word)
			}
		}
		if !strings.HasPrefix(told, strings.TrimSpace(seen)) {
			t.Errorf("the page had %q and has %q", seen, told)
		}
		if n := eval[int](b, `document.querySelectorAll(".run:last-child .prose").length`); n != 1 {
			t.Errorf("%d texts, want one", n)
		}
		b.until(`!document.querySelector(".composer").hidden&&document.querySelectorAll(".history a").length===1`)
	}
	if !eval[bool](b, `window.same===true`) {
		t.Error("the page was loaded again")
	}
	// It can be used further: a new question is answered, and stopped although the model would write for ever.
	b.fill(".ask textarea", "talk")
	b.click(".ask button[type=submit]")
	b.until(`document.querySelectorAll(".run").length===3&&/word9 /.test(` + words + `)`)
	b.click(".run:last-child .stop")
	b.until(`!document.querySelector(".live")&&document.querySelector(".run:last-child footer p")?.textContent==="Stopped."`)
	b.clean()
}
