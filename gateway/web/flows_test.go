//go:build browser

package web

// What people do with the page, from the first click to the last digit.

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/google/go-cmp/cmp"

	"github.com/diptych-mcp/diptych/gateway/chat"
	"github.com/diptych-mcp/diptych/gateway/host"
)

func TestBrowserToolByHand(t *testing.T) {
	f := newFake()
	f.model = ""
	f.scripts["cities__largest"] = func(r *fakeRun) {
		r.answer("call1", 0, "Largest cities", exact, pie, "Figures are **estimates** <b>of 2025</b>.\nRead them so.")
	}
	b := newBrowser(t, f)
	b.open("/")
	b.until(`document.querySelectorAll(".tool").length===2`)
	b.accessible("tools")
	b.looks("1-list")
	b.click(".tool")
	b.until(`document.querySelectorAll(".field").length===6`)
	b.click("form button[type=submit]")
	b.until(`document.querySelectorAll(".field .wrong:not(:empty)").length===2`)
	b.accessible("form")
	b.looks("2-form")
	b.fill(".field:nth-child(1) select", `"JP"`)
	b.fill(".field:nth-child(2) input", "12345678901234567890")
	b.fill(".field:nth-child(5) textarea", `{"a":1}`)
	b.click("form button[type=submit]")
	b.until(`document.querySelectorAll(".field .wrong:not(:empty)").length===1`)
	b.fill(".field:nth-child(5) textarea", `["a"]`)
	b.click("form button[type=submit]")
	b.until(`document.querySelector(".run .sources a")&&location.pathname.startsWith("/c/")`)
	if len(f.runs) != 1 || !strings.Contains(string(f.runs[0].Input), `"arguments":{"country":"JP","big":12345678901234567890,"share":0.5,"names":["a"]}`) {
		t.Errorf("the tool was asked %s", f.runs[0].Input)
	}
	b.until(`document.title==="cities__largest · Diptych"`)
	b.accessible("panels")
	b.looks("3-panels")
	b.checkAnswer()

	b.open(eval[string](b, `location.pathname`)) // stored: the same at its own address
	b.until(`document.querySelector(".run .sources a")`)
	b.checkAnswer()
	b.clean()
}

// checkAnswer reads what the script's answer must have become.
func (b *browser) checkAnswer() {
	b.Helper()
	if got := eval[string](b, `document.querySelector(".panel.model pre").textContent`); got != "Tokyo has 37400068 people." {
		b.Errorf("the model's panel reads %q", got)
	}
	if got := eval[string](b, `document.querySelector(".panel.screen .force").textContent`); got != "Figures are **estimates** <b>of 2025</b>.\nRead them so." {
		b.Errorf("force is %q", got)
	}
	want := [][]string{{"name", "digits", "as text"}, {"big", "12345678901234567890", "12345678901234567890"}, {"price", "1.10", "1.10"},
		{"people", "37400068", "37400068"}, {"zero", "-0", "-0"}, {"small", "1e-7", "1e-7"}, {"sum", "0.30000000000000004", "0.1+0.2"},
		{"none", "", ""}, {"empty", "3", ""}, {"formula", "4", "=1+1"}, {"comma", "5", "a,\"b\"\nc"}}
	if diff := cmp.Diff(want, eval[[][]string](b, `[...document.querySelectorAll(".panel.screen .table tr")].map(r=>[...r.cells].map(c=>(c.querySelector("bdi")??c).textContent))`)); diff != "" {
		b.Errorf("cells (-want +got):\n%s", diff)
	}
	files := eval[[]string](b, `Promise.all([...document.querySelectorAll(".downloads a[href*=csv]")].map(a=>fetch(a.href).then(r=>r.arrayBuffer()).then(x=>new TextDecoder("utf-8",{ignoreBOM:true}).decode(x))))`)
	head := "name,digits,as text\r\nbig,12345678901234567890,12345678901234567890\r\nprice,1.10,1.10\r\npeople,37400068,37400068\r\nzero,-0,-0\r\nsmall,1e-7,1e-7\r\n" +
		"sum,0.30000000000000004,0.1+0.2\r\nnone,,\r\nempty,3,\"\"\r\nformula,4,"
	tail := "=1+1\r\ncomma,5,\"a,\"\"b\"\"\nc\"\r\n"
	if diff := cmp.Diff([]string{head + tail, "\uFEFF" + head + "'" + tail}, files); diff != "" {
		b.Errorf("files (-want +got):\n%s", diff)
	}
	if got := eval[string](b, `document.querySelector("figure canvas").getAttribute("aria-label")`); !strings.Contains(got, "1.1") {
		b.Errorf("the chart says %q", got)
	}
	b.click("figure details summary")
	b.until(`document.querySelector("figure details table")`)
	if diff := cmp.Diff([]string{"A", "1.10", "B", "20"}, eval[[]string](b, `[...document.querySelectorAll("figure details tbody bdi")].map(x=>x.textContent)`)); diff != "" {
		b.Errorf("the chart's data (-want +got):\n%s", diff)
	}
	b.click(".raw summary")
	b.until(`document.querySelector(".raw pre")?.textContent.includes("12345678901234567890")&&document.querySelector(".raw pre").textContent.includes("1.10")`)
}

func TestBrowserChat(t *testing.T) {
	f := newFake()
	f.scripts["How many live in Tokyo?"] = func(r *fakeRun) {
		r.tell(&chat.Text{Turn: 1, Text: "I look at **the data** first."}, &chat.Text{Turn: 1, Text: "I look at **the data** first.", Final: true})
		r.tell(&chat.ToolCall{ID: "w", Turn: 1, Tool: "rooms__book", Title: "Book a room", Arguments: json.RawMessage(`{"room":"<b>4</b>"}`), Hints: host.Hints{Destructive: true, OpenWorld: true}, State: chat.Waiting})
		ask := chat.Consent{Call: "w", Tool: "rooms__book", Title: "Book a room", Arguments: json.RawMessage(`{"room":"<b>4</b>"}`), Hints: host.Hints{Destructive: true, OpenWorld: true}, State: chat.Asked}
		r.tell(&ask)
		r.wait(func() bool { _, answered := r.answers["w"]; return answered })
		ask.State = chat.Given
		r.tell(&ask, &chat.ToolCall{ID: "w", Turn: 1, Tool: "rooms__book", Title: "Book a room", Arguments: json.RawMessage(`{"room":"<b>4</b>"}`), State: chat.Running})
		r.tell(&chat.Progress{Call: "w", Done: 3, Total: 10, Message: "Opening the door"})
		r.wait(func() bool { return r.answers["go on"] })
		r.tell(&chat.ToolCall{ID: "w", Turn: 1, Tool: "rooms__book", Title: "Book a room", State: chat.Answered, Read: "Booked.", Millis: 310})
		r.answer("c1", 1, "Largest cities", long(450), pie, "Estimates of 2025.")
		r.tell(&chat.Table{Call: "c1", Tool: "cities__largest", Hash: "h2", Same: &chat.Ref{Run: r.Run.ID, Seq: 1}})
		r.tell(&chat.Sources{Call: "w", Tool: "rooms__book", Title: "Book a room", None: true})
		r.tell(&chat.Text{Turn: 2, Text: "Tokyo has **37,400,068** people, by [the office](https://data.example/cities). It is:\n\n| City | People |\n|---|---|\n| Tokyo | 37400068 |\n\n1. one\n2. two"})
		r.wait(func() bool { return r.stops[r.Run.ID] })
	}
	b := newBrowser(t, f)
	b.open("/")
	b.fill(".ask textarea", "How many live in Tokyo?")
	b.looks("4-ask")
	b.click(".ask button[type=submit]")
	b.until(`document.querySelector("dialog.consent[open]")`)
	if got := eval[string](b, `document.activeElement.textContent`); got != "Do not allow" {
		t.Errorf("the question's focus is on %q", got)
	}
	b.accessible("consent")
	b.shot("5-consent")
	b.open(eval[string](b, `location.pathname`)) // a refresh shows the question again
	b.click("dialog.consent .primary")
	b.until(`document.querySelector("progress")?.value===3&&!document.querySelector("dialog")`)
	b.shot("6-progress")
	f.Answer(t.Context(), "local", f.runs[0].ID, "go on", true)
	b.until(`[...document.querySelectorAll(".prose")].at(-1).textContent.includes("37,400,068")`)
	b.accessible("answer")
	b.fill(".settings select:last-of-type", "dark")
	b.accessible("dark answer")
	b.looks("7-stream")
	if diff := cmp.Diff([]string{"https://data.example/cities", "noopener noreferrer", "_blank"}, eval[[]string](b, `(a=>[a.href,a.rel,a.target])(document.querySelector(".prose a"))`)); diff != "" {
		t.Errorf("the link (-want +got):\n%s", diff)
	}

	tab := b.tab() // a second tab sees the same
	tab.open(eval[string](b, `location.pathname`))
	tab.until(`[...document.querySelectorAll(".prose")].at(-1).textContent.includes("37,400,068")&&document.querySelector(".live")`)

	b.click(".stop")
	b.until(`!document.querySelector(".live")&&document.querySelector(".ask")&&!document.querySelector(".composer").hidden`)
	tab.until(`!document.querySelector(".live")`)
	tab.clean()

	// The table: pages, order and filter come from the server.
	first := `document.querySelector(".flow > .table tbody tr").innerText`
	rows := `document.querySelectorAll(".flow > .table tbody tr").length`
	b.until(rows + `===200`)
	b.click(".flow > .table th:nth-child(2) button")
	b.until(first + `.endsWith("0")&&document.querySelector(".flow > .table th:nth-child(2)").ariaSort==="ascending"`)
	b.click(".flow > .table th:nth-child(2) button")
	b.until(first + `.endsWith("449")`)
	b.click(".flow > .table .pages button:last-child")
	b.until(first + `.endsWith("249")`)
	b.click(".flow > .table .pages button:last-child")
	b.until(rows + `===50`)
	b.fill(".flow > .table input", "city 44")
	b.until(rows + `===11&&document.getElementById("status").textContent.includes("11")`)
	if got := eval[string](b, `document.querySelector(".run > .sources").innerText`); !strings.Contains(got, "data.example") || !strings.Contains(got, "No source given") {
		t.Errorf("sources read %q", got)
	}
	b.clean()
}

func TestBrowserHistoryAndLanguages(t *testing.T) {
	f := newFake()
	f.scripts["x"] = func(r *fakeRun) { r.tell(&chat.Error{Fault: chat.ModelFault, Message: "It broke off."}) }
	b := newBrowser(t, f)
	b.open("/")
	b.fill(".ask textarea", "x")
	b.click(".ask button[type=submit]")
	b.until(`document.querySelector(".fault")&&document.querySelector(".title-tools button")`)
	b.click(".title-tools .rename")
	b.fill("dialog input", "A better <i>title</i>")
	b.click("dialog .primary")
	b.until(`document.querySelector("h1").textContent==="A better <i>title</i>"&&document.querySelector(".history a").textContent==="A better <i>title</i>"`)
	b.fill(".history input", "nowhere")
	b.until(`document.querySelector(".history li").textContent==="Nothing found."`)
	b.fill(".settings select", "pt")
	b.until(`document.documentElement.lang==="pt"&&document.querySelector(".fault")?.textContent.startsWith("O modelo")`)
	b.looks("8-portuguese")
	b.fill(".settings select", "es")
	b.until(`document.documentElement.lang==="es"&&document.querySelector(".new")?.textContent==="Nueva conversación"`)
	b.click(".title-tools .remove")
	b.click("dialog .danger")
	b.until(`location.pathname==="/"&&document.querySelector(".history li")?.textContent==="Todavía no hay nada."`)
	b.clean()
}

// A record is the conversation in one file that fetches nothing, and it is what a shared link shows.
func TestBrowserExportAndShare(t *testing.T) {
	f := newFake()
	f.scripts["Ask"] = func(r *fakeRun) {
		r.answer("call1", 1, "Largest <script>executed()</script> cities</script>", exact, pie, "Read me. </script><script>executed()</script><!--")
		r.tell(&chat.Text{Turn: 2, Text: "It is **42** and 7.", Final: true})
		r.tell(&chat.NumberCheck{Turn: 2, Findings: json.RawMessage(`[{"Start":8,"End":10,"Verdict":"nowhere"},{"Start":17,"End":18,"Verdict":"present"}]`)})
	}
	b := newBrowser(t, f)
	b.open("/")
	b.fill(".ask textarea", "Ask")
	b.click(".ask button[type=submit]")
	b.until(`document.querySelector(".prose strong mark")?.textContent==="42"&&document.querySelectorAll(".prose mark").length===2`)
	b.clean()

	check := func() {
		b.until(`document.querySelector(".run .sources a")&&document.querySelector(".run canvas")?.height>100&&document.querySelector(".prose mark")`)
		want := []string{"12345678901234567890", "1.10", "37400068", "-0", "1e-7", "0.30000000000000004", "", "3", "4", "5"}
		if diff := cmp.Diff(want, eval[[]string](b, `[...document.querySelectorAll(".flow .table tbody td:nth-child(2) bdi")].map(x=>x.textContent)`)); diff != "" {
			t.Errorf("the record's digits (-want +got):\n%s", diff)
		}
		b.click(".both summary")
		b.click(".raw summary")
		b.until(`document.querySelector(".raw pre")?.textContent.includes("12345678901234567890")`)
		if got := eval[string](b, `document.querySelector(".force").textContent`); got != "Read me. </script><script>executed()</script><!--" {
			t.Errorf("force is %q", got)
		}
		b.clean()
	}
	b.click(".title-tools .share")
	b.click("dialog .primary")
	b.until(`document.querySelector("dialog input.link")`)
	b.shot("9-share")
	b.open(eval[string](b, `new URL(document.querySelector("dialog input.link").value).pathname`))
	check()
	b.accessible("record")
	b.looks("9-shared")

	status, file, header := do(t, newHandler(t, f), "GET", "/conversations/"+f.conversations[0].ID+"/export", "")
	if status != 200 || !strings.HasPrefix(header.Get("Content-Disposition"), "attachment") {
		t.Fatalf("export: %d %v", status, header)
	}
	path := filepath.Join(t.TempDir(), "conversation.html")
	if err := os.WriteFile(path, []byte(file), 0o600); err != nil {
		t.Fatal(err)
	}
	b.file = "file://" + path
	if err := chromedp.Do(b.ctx, chromedp.Navigate(b.file)); err != nil {
		t.Fatal(err)
	}
	check()
}
