//go:build browser

package web

// Hostile text in a real browser: in every place it is text and nothing else.

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/google/go-cmp/cmp"

	"github.com/diptych-mcp/diptych/gateway/chat"
	"github.com/diptych-mcp/diptych/gateway/host"
	"github.com/diptych-mcp/diptych/gateway/store"
)

// A canary is an origin of its own that counts who asks it for anything.
func canary(t *testing.T) (origin string, asked *atomic.Int64) {
	asked = new(atomic.Int64)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		w.Header().Set("Access-Control-Allow-Origin", "*")
		_, _ = w.Write([]byte("executed()"))
	}))
	t.Cleanup(s.Close)
	t.Cleanup(s.CloseClientConnections)
	return s.URL, asked
}

// Without what the page does against them the payloads execute and load: what proves the page is able to fail.
func TestBrowserPayloadsAreLive(t *testing.T) {
	origin, asked := canary(t)
	b := newBrowser(t, newFake())
	bare := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write([]byte("<!doctype html><body>"))
	}))
	t.Cleanup(bare.Close)
	tab, cancel := chromedp.NewContext(b.ctx)
	defer cancel()
	if err := chromedp.Do(tab); err != nil {
		t.Fatal(err)
	}
	if _, err := chromedp.Call(tab, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: watchViolations}); err != nil {
		t.Fatal(err)
	}
	if err := chromedp.Do(tab, chromedp.Navigate(bare.URL)); err != nil {
		t.Fatal(err)
	}
	var texts []string
	for _, p := range readPayloads(t, origin) {
		if (p.Kind == "script" || p.Kind == "load") && !strings.Contains(p.Text, "<meta") && !strings.Contains(p.Text, "<base") {
			texts = append(texts, p.Text)
		}
	}
	list, err := json.Marshal(texts)
	if err != nil {
		t.Fatal(err)
	}
	live := &browser{fake: b.fake, T: t, url: bare.URL, ctx: tab}
	eval[bool](live, `(`+string(list)+`.forEach(x=>{const d=document.createElement("div");d.innerHTML=x;document.body.append(d)}),true)`)
	live.until(`violations.filter(v=>v==="executed").length>=8`)
	live.until(`performance.getEntriesByType("resource").length>=5`)
	if asked.Load() < 5 {
		t.Errorf("the canary was asked %d times", asked.Load())
	}
}

// hostileRun tells one payload through every event of a run that has ended.
func hostileRun(p string, i int) func(*fakeRun) {
	return func(r *fakeRun) {
		one, _ := json.Marshal([][]string{{p}, {p}})
		title := map[string]any{"display": true, "text": p}
		config, _ := json.Marshal(map[string]any{"type": "bar", "alt": p,
			"data":    map[string]any{"labels": []string{p}, "datasets": []any{map[string]any{"label": p, "data": []int{i + 1}, "stack": "s"}, map[string]any{"label": p, "data": []int{2}}}},
			"options": map[string]any{"plugins": map[string]any{"title": title, "subtitle": title}, "scales": map[string]any{"x": map[string]any{"title": title}, "y": map[string]any{"title": title}}}})
		broken, _ := json.Marshal(map[string]any{"type": "bar", "data": map[string]any{"labels": []string{p}, "datasets": []any{map[string]any{"label": p, "data": []string{p}, "backgroundColor": p}}}})
		arguments, _ := json.Marshal(map[string]string{p: p})
		call := fmt.Sprintf("%s-%d", r.Run.ID, i)
		structured, _ := json.Marshal(p)
		_ = r.SaveResult(context.Background(), r.Run.ID, call, store.Result{Structured: structured})
		r.tell(&chat.ToolCall{ID: call, Turn: 1, Tool: p, Title: p, Arguments: arguments, State: chat.Answered, Read: p, Note: p, Screen: true},
			&chat.Force{Call: call, Tool: p, Text: p}, &chat.Table{Call: call, Tool: p, Rows: one}, &chat.Chart{Call: call, Tool: p, Config: config}, &chat.Chart{Call: call, Tool: p, Config: broken},
			&chat.Sources{Call: call, Title: p, Tool: p, None: true, Sources: []chat.Source{{URL: "https://data.example/", Title: p, Publisher: p, License: p, Period: p, RetrievedAt: p}, {URL: p}}},
			&chat.Text{Turn: 1, Text: p, Final: true}, &chat.Error{Fault: "unknown", Message: p})
	}
}

// readRuns gives what a page shows of runs: for each place the texts that must all be the payload.
const readRuns = `(async()=>{
	for(const d of document.querySelectorAll(".run details"))d.open=true;
	const end=Date.now()+60000;
	while(Date.now()<end&&[...document.querySelectorAll(".run figure details,.run .panel .raw")].some(d=>!d.querySelector("table,pre")))await new Promise(r=>setTimeout(r,25));
	return [...document.querySelectorAll(".run")].map(r=>{
		const t=s=>[...r.querySelectorAll(s)].map(x=>x.textContent);
		return {question:t(".question bdi"),call:t(".call h3 bdi, .call header code, .arguments bdi"),read:t(".panel.model pre"),note:t(".note bdi"),force:t(".force bdi"),
			cells:t(".flow > .table bdi, .flow > div > .table bdi"),chart:t("figure .title bdi, figure .subtitle bdi, figure .legend bdi, figure tbody th bdi, figure thead th:nth-child(n+2) bdi"),
			alt:[...r.querySelectorAll("canvas")].map(c=>c.getAttribute("aria-label")),raw:t(".panel .raw pre").map(x=>JSON.parse(x)),
			refused:t(".flow > div > .raw pre").flatMap(x=>{const d=JSON.parse(x).data;return [d.labels[0],d.datasets[0].label]}),
			sources:t(".sources li:nth-child(1) a bdi, .sources li:nth-child(2) > bdi, .sources li:nth-child(2) a bdi"),facts:t(".sources li:nth-child(1) .facts bdi").slice(1,4),fault:t(".fault bdi")}
	})})()`

// places says how often each of them has the payload.
var places = map[string]int{"question": 1, "call": 4, "read": 1, "note": 1, "force": 1, "cells": 2, "chart": 7, "alt": 1, "raw": 1, "refused": 2, "sources": 2, "facts": 3, "fault": 1}

func (b *browser) checkRuns(texts []string) {
	b.Helper()
	got := eval[[]map[string][]string](b, readRuns)
	if len(got) != len(texts) {
		b.Fatalf("%d runs, want %d", len(got), len(texts))
	}
	for i, text := range texts {
		for place, n := range places {
			want := make([]string, n)
			for k := range want {
				want[k] = text
			}
			if place == "alt" {
				want[0] = strings.Trim(text, " \t\r\n\u00a0\u2028\u2029\u3000\ufeff")
			}
			if diff := cmp.Diff(want, got[i][place]); diff != "" {
				b.Errorf("payload %q in %s (-want +got):\n%s", text, place, diff)
			}
		}
	}
	b.onlyText()
}

// onlyText fails where an element came from text, a link leads elsewhere than to the web, or something executed.
func (b *browser) onlyText() {
	b.Helper()
	if n := eval[int](b, `document.querySelectorAll("main script,main style,main link,img,svg,math,iframe,object,embed,video,audio,base,body template,meta[http-equiv=refresh],[style*=url],[onload],[onerror],[srcdoc],[ping]").length`); n != 0 {
		b.Errorf("%d elements came from text", n)
	}
	for _, link := range eval[[]string](b, `[...document.querySelectorAll("a[href]")].filter(a=>!/^(https?|blob):$/.test(a.protocol)&&!(location.protocol==="file:"&&a.getAttribute("href").startsWith("#"))).map(a=>a.outerHTML)`) {
		b.Errorf("a link leads to no page: %s", link)
	}
	for _, link := range eval[[]string](b, `[...document.querySelectorAll(".prose a")].filter(a=>{const at=new URL(a.href);return !(a.textContent+(a.nextElementSibling?.textContent??"")).includes(at.host)||a.rel!=="noopener noreferrer"}).map(a=>a.outerHTML)`) {
		b.Errorf("a link does not say where it leads: %s", link)
	}
	b.clean()
}

func TestBrowserHostileAnswers(t *testing.T) {
	origin, asked := canary(t)
	f := newFake()
	b := newBrowser(t, f)
	b.size(420, 800) // small canvases are drawn faster
	all := readPayloads(t, origin)
	const group = 25
	for start := 0; start < len(all); start += group {
		c, err := f.CreateConversation(t.Context(), "local", all[start].Text)
		if err != nil {
			t.Fatal(err)
		}
		var texts []string
		for i, p := range all[start:min(start+group, len(all))] {
			texts = append(texts, p.Text)
			f.scripts[p.Text] = hostileRun(p.Text, i)
			run, err := f.Ask(t.Context(), "local", c.ID, p.Text)
			if err != nil {
				t.Fatal(err)
			}
			f.waitEnded(run.ID)
		}
		shown := fmt.Sprintf(`document.querySelectorAll(".run").length===%d&&document.querySelectorAll(".run .fault").length===%[1]d`, len(texts))
		b.open("/c/" + c.ID)
		b.until(shown)
		b.checkRuns(texts)
		files := eval[[]string](b, `Promise.all([...document.querySelectorAll(".downloads a[href*=spreadsheet]")].map(a=>fetch(a.href).then(r=>r.text())))`)
		for _, file := range files {
			quiet(t, file)
		}
		if len(files) != len(texts) {
			t.Errorf("%d files, want %d", len(files), len(texts))
		}

		status, file, _ := do(t, newHandler(t, f), "GET", "/conversations/"+c.ID+"/export", "")
		if status != http.StatusOK {
			t.Fatalf("export: %d %s", status, file)
		}
		path := filepath.Join(t.TempDir(), "conversation.html")
		if err := os.WriteFile(path, []byte(file), 0o600); err != nil {
			t.Fatal(err)
		}
		b.file = "file://" + path
		if err := chromedp.Do(b.ctx, chromedp.Navigate(b.file)); err != nil {
			t.Fatal(err)
		}
		b.until(shown)
		if got := eval[string](b, `document.querySelector("h1").textContent`); got != texts[0] {
			t.Errorf("the record's title is %q, want %q", got, texts[0])
		}
		b.checkRuns(texts)
		for _, file := range eval[[]string](b, savedFiles(`[...document.querySelectorAll(".downloads")].map(d=>d.querySelectorAll("button")[1])`)) {
			quiet(t, file)
		}
	}
	if n := asked.Load(); n != 0 {
		t.Errorf("the canary was asked %d times", n)
	}
}

// savedFiles clicks buttons that save a file, and returns the files' texts instead.
func savedFiles(buttons string) string {
	return `(async()=>{const kept=[];const make=URL.createObjectURL,click=HTMLAnchorElement.prototype.click;
		URL.createObjectURL=b=>{kept.push(b);return "#"};HTMLAnchorElement.prototype.click=()=>{};
		for(const x of ` + buttons + `)x.click();
		URL.createObjectURL=make;HTMLAnchorElement.prototype.click=click;
		return Promise.all(kept.map(b=>b.arrayBuffer().then(x=>new TextDecoder("utf-8",{ignoreBOM:true}).decode(x))))})()`
}

// What moves while a run goes on: questions for consent, and progress.
func TestBrowserHostileCalls(t *testing.T) {
	origin, asked := canary(t)
	f := newFake()
	var texts []string
	for _, p := range readPayloads(t, origin) {
		texts = append(texts, p.Text)
	}
	b := newBrowser(t, f)
	const group = 20 // open questions pile up
	for start := 0; start < len(texts); start += group {
		b.hostileCalls(start, texts[start:min(start+group, len(texts))])
	}
	if n := asked.Load(); n != 0 {
		t.Errorf("the canary was asked %d times", n)
	}
}

func (b *browser) hostileCalls(start int, texts []string) {
	b.Helper()
	id := func(i int) string { return fmt.Sprint("c", start+i) }
	on, end := fmt.Sprint("on", start), fmt.Sprint("end", start)
	b.scripts[on] = func(r *fakeRun) {
		var before, after []chat.Event
		for i, text := range texts {
			arguments, _ := json.Marshal(map[string]string{text: text})
			call := chat.ToolCall{ID: id(i), Turn: 1, Tool: text, Title: text, State: chat.Waiting}
			ask := chat.Consent{Call: id(i), Tool: text, Title: text, Arguments: arguments, State: chat.Asked}
			running, given := call, ask
			running.State, given.State = chat.Running, chat.Given
			put := chat.Question{ID: id(i), Call: id(i), Server: text, Message: text, State: chat.QuestionAsked,
				Fields: []host.Field{{Name: text, Title: text, Description: text, Kind: host.OneOf, Choices: []host.Choice{{Value: text, Title: text}}, Default: []string{text}}}}
			visit, taken := put, put
			visit.ID, visit.Fields, visit.URL, taken.State = "v"+id(i), nil, text, chat.QuestionAccepted
			before = append(before, &call, &ask, &put, &visit)
			after = append(after, &given, &running, &taken, &chat.Progress{Call: id(i), Done: 1, Total: 2, Message: text})
		}
		r.tell(before...)
		r.wait(func() bool { return r.answers[on] })
		r.tell(after...)
		r.wait(func() bool { return r.answers[end] })
	}
	c, _ := b.CreateConversation(b.Context(), "local", "x")
	run, err := b.Ask(b.Context(), "local", c.ID, on)
	if err != nil {
		b.Fatal(err)
	}
	b.open("/c/" + c.ID)
	b.until(fmt.Sprintf(`document.querySelectorAll("dialog.consent[open]").length===%d`, len(texts)))
	var want [][]string
	for _, text := range texts {
		want = append(want, []string{"The model wants to use " + text + ", which may change something.", text, text, text})
	}
	if diff := cmp.Diff(want, eval[[][]string](b, `[...document.querySelectorAll("dialog.consent")].map(d=>[...d.querySelectorAll("bdi,code")].map(x=>x.textContent))`)); diff != "" {
		b.Errorf("questions (-want +got):\n%s", diff)
	}
	want = nil
	for _, text := range texts {
		want = append(want, []string{text, text, text, optionText(text)})
	}
	if diff := cmp.Diff(want, eval[[][]string](b, `[...document.querySelectorAll(".asks")].filter(q=>q.querySelector("select")).map(q=>[...q.querySelectorAll(".told bdi,label bdi,.hint bdi")].map(x=>x.textContent).concat(q.querySelector("select").selectedOptions[0].text))`)); diff != "" {
		b.Errorf("a server's questions (-want +got):\n%s", diff)
	}
	if n := eval[int](b, `document.querySelectorAll(".asks").length`); n != 2*len(texts) {
		b.Errorf("%d questions of servers, want %d", n, 2*len(texts))
	}
	b.onlyText()
	_ = b.Answer(b.Context(), "local", run.ID, on, true)
	b.until(fmt.Sprintf(`document.querySelectorAll(".progress bdi").length===%d&&!document.querySelector("dialog")`, len(texts)))
	if diff := cmp.Diff(texts, eval[[]string](b, `[...document.querySelectorAll(".progress bdi")].map(x=>x.textContent)`)); diff != "" {
		b.Errorf("progress (-want +got):\n%s", diff)
	}
	b.onlyText()
	_ = b.Answer(b.Context(), "local", run.ID, end, true)
	b.until(`!document.querySelector(".live")`)
}

// optionText is a text as a browser tells an option's: without blanks round it, and each run of them as one.
func optionText(text string) string {
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" \t\n\f\r", r) }), " ")
}

// inside is a text as it is within the quotes of JSON.
func inside(text string) string { quoted := literal(text); return quoted[1 : len(quoted)-1] }

// Tools and servers name and describe themselves, and a form is made of what they say.
func TestBrowserHostileTools(t *testing.T) {
	origin, asked := canary(t)
	f := newFake()
	f.model = ""
	f.tools = nil
	var texts []string
	for _, p := range readPayloads(t, origin) {
		texts = append(texts, p.Text)
		f.tools = append(f.tools, host.Tool{Name: p.Text, Server: p.Text, Original: p.Text, Title: p.Text, Description: p.Text, Note: p.Text,
			// In this order, which a map would not keep.
			Input: json.RawMessage(strings.NewReplacer("P", inside(p.Text), "R", inside(strings.NewReplacer("~", "~0", "/", "~1").Replace(p.Text))).Replace(`{"type":"object","title":"P","description":"P","required":["aP"],"$defs":{"P":{"type":"string","title":"P","default":"P"}},"properties":{
				"aP":{"$ref":"#/$defs/R","description":"P"},
				"bP":{"enum":["P",1],"default":"P","title":"P","description":"P"},
				"cP":{"type":"array","default":["P"],"title":"P","description":"P"},
				"dP":{"const":"P","title":"P","description":"P"},
				"P":{"type":"P","description":"P"}}}`))})
	}
	f.health = func() []host.Health {
		var list []host.Health
		for _, text := range texts {
			list = append(list, host.Health{Server: text, State: host.Down, Name: text, Protocol: text, Fault: text, Refused: []host.Refusal{{Tool: text, Reason: text}}})
		}
		return list
	}
	b := newBrowser(t, f)
	b.open("/")
	b.until(fmt.Sprintf(`document.querySelectorAll(".tool").length===%d`, len(texts)))
	for _, place := range []string{"h3.server bdi", ".tool strong bdi"} {
		if diff := cmp.Diff(texts, eval[[]string](b, `[...document.querySelectorAll(`+literal(place)+`)].map(x=>x.textContent)`)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", place, diff)
		}
	}
	b.onlyText()
	forms := eval[[]map[string][]string](b, `(async()=>{const all=[];
		for(let i=0;i<`+fmt.Sprint(len(texts))+`;i++){
			document.querySelectorAll(".tool")[i].click();
			const p=document.querySelector(".picker"),t=s=>[...p.querySelectorAll(s)].map(x=>x.textContent);
			all.push({head:t("h2 bdi, code.name, .told bdi, .note bdi"),labels:t("label bdi"),hints:t(".hint bdi").map(x=>x.replace(" Written as JSON: […]","").replace(" Written as JSON: {…}","")),
				values:[p.querySelector("input").defaultValue||p.querySelector("input").value,p.querySelector("select").selectedOptions[0].text,JSON.parse(p.querySelector("textarea").value)[0],p.querySelectorAll("select")[1].options[1].text]});
			p.querySelector(".back").click()}
		return all})()`)
	line := strings.NewReplacer("\r", "", "\n", "") // as a control of one line keeps its value
	for i, text := range texts {
		one := line.Replace(text)
		option := optionText(text)
		for place, want := range map[string][]string{"head": {text, text, text, text}, "labels": {text, text, text, text, text}, "hints": {text, text, text, text, text}, "values": {one, option, text, option}} {
			if diff := cmp.Diff(want, forms[i][place]); diff != "" {
				t.Errorf("payload %q in the form's %s (-want +got):\n%s", text, place, diff)
			}
		}
	}
	b.onlyText()

	// The same servers and tools on their own page.
	b.open("/servers")
	b.until(fmt.Sprintf(`document.querySelectorAll(".servers > li").length===%d`, len(texts)))
	for i, said := range eval[[][]string](b, `[...document.querySelectorAll(".servers > li")].map(l=>[...l.querySelectorAll("bdi")].filter(x=>!/^Jan 1, 1,/.test(x.textContent)).map(x=>x.textContent))`) {
		for _, text := range said {
			if text != texts[i] && text != texts[i]+texts[i] {
				t.Errorf("payload %q on the servers' page is %q", texts[i], text)
			}
		}
		if len(said) < 7 {
			t.Errorf("payload %q appears %d times on the servers' page", texts[i], len(said))
		}
	}
	b.onlyText()
	b.open("/")

	// What the gateway says of arguments names what the tool wrote.
	b.broken = true // the console tells each refusal
	b.click(".tool")
	b.fill(".field textarea", `["refuse me"]`)
	for _, text := range texts[:len(texts)/6] { // the answers have shown them all as errors
		f.mu.Lock()
		f.refusal = text
		f.mu.Unlock()
		b.click("form button[type=submit]")
		b.until(`document.querySelector("form > .wrong").textContent===` + literal(text) + `&&!document.querySelector("form button[type=submit]").disabled`)
	}
	b.onlyText()
	if n := asked.Load(); n != 0 {
		t.Errorf("the canary was asked %d times", n)
	}
}

func TestBrowserHostileTitles(t *testing.T) {
	origin, asked := canary(t)
	f := newFake()
	var texts []string
	for _, p := range readPayloads(t, origin) {
		texts = append(texts, p.Text)
		if _, err := f.CreateConversation(t.Context(), "local", p.Text); err != nil {
			t.Fatal(err)
		}
	}
	c, _ := f.CreateConversation(t.Context(), "local", "first")
	b := newBrowser(t, f)
	b.open("/c/" + c.ID)
	for n := 51; n <= len(texts)+1; n += 50 {
		b.until(fmt.Sprintf(`document.querySelectorAll(".history a").length===%d`, n-1))
		b.click(".history .older button")
	}
	b.until(fmt.Sprintf(`document.querySelectorAll(".history a").length===%d`, len(texts)+1))
	got := eval[[]string](b, `[...document.querySelectorAll(".history a bdi")].map(x=>x.textContent).reverse()`)
	if diff := cmp.Diff(append(append([]string{}, texts...), "first"), got); diff != "" {
		t.Errorf("titles in the list (-want +got):\n%s", diff)
	}
	for _, text := range texts[:len(texts)/6] { // the list has shown them all
		if err := f.RenameConversation(t.Context(), "local", c.ID, text); err != nil {
			t.Fatal(err)
		}
		b.until(`(new BroadcastChannel("diptych").postMessage(` + literal(c.ID) + `),document.querySelector("h1").textContent===` + literal(text) + `)`)
	}
	b.onlyText()
	if n := asked.Load(); n != 0 {
		t.Errorf("the canary was asked %d times", n)
	}
}
