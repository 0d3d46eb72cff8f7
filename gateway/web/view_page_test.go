//go:build browser

package web

// Every page and state of it: in three languages, in light and dark, wide and narrow, by axe-core and by the keyboard.

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/google/go-cmp/cmp"

	"github.com/diptych-mcp/diptych/gateway/chat"
	"github.com/diptych-mcp/diptych/gateway/host"
)

const cities = `[["City","Country","Population","Growth, %","Capital"],["Tokyo","Japan",37400068,-0.21,true],["Delhi","India",30290936,2.84,true],` +
	`["Shanghai","China",27058479,1.10,false],["S\u00e3o Paulo","Brazil",22043028,0.90,false],["Mexico City","Mexico",21782378,null,true],["Dhaka","Bangladesh",21005860,3.56,true]]`

const largest = `{"type":"bar","data":{"labels":["Tokyo","Delhi","Shanghai","S\u00e3o Paulo","Mexico City","Dhaka"],"datasets":[{"label":"Population","data":[37400068,30290936,27058479,22043028,21782378,21005860]}]},` +
	`"options":{"indexAxis":"y","plugins":{"title":{"text":"Six cities above 21 million"},"subtitle":{"text":"People in the urban agglomeration, 2025"}}}}`

// showcase is a chat with a run for each thing that can be seen.
func showcase() *fake {
	f := newFake()
	booking := chat.ToolCall{ID: "w", Turn: 1, Tool: "rooms__book", Title: "Book a room", Arguments: json.RawMessage(`{"room":"4"}`), Hints: host.Hints{Destructive: true, OpenWorld: true}, State: chat.Waiting}
	question := chat.Consent{Call: "w", Tool: booking.Tool, Title: booking.Title, Arguments: booking.Arguments, Hints: booking.Hints, State: chat.Asked}
	f.scripts["Which cities are largest?"] = func(r *fakeRun) {
		r.answer("c1", 1, "Largest cities", cities, largest, "Figures for 2025 are provisional.")
		r.tell(&chat.Table{Call: "c1", Tool: "cities__largest", Same: &chat.Ref{Run: r.Run.ID, Seq: 1}}, &chat.Sources{Call: "w", Tool: "rooms__book", Title: "Book a room", None: true})
		text := "**Tokyo** has 37,400,068 people, ahead of [Delhi](https://data.example/delhi), and grows by 9.9 %.\n\n| City | People |\n|---|--:|\n| Tokyo | 37,400,068 |\n\n> Figures are provisional.\n\n1. one\n2. `two`"
		r.tell(&chat.Text{Turn: 2, Text: text, Final: true})
		at := strings.Index(text, "9.9")
		r.tell(&chat.NumberCheck{Turn: 2, Findings: json.RawMessage(fmt.Sprintf(`[{"Start":%d,"End":%d,"Verdict":"nowhere"}]`, at, at+3))})
	}
	f.scripts["cities__largest"] = func(r *fakeRun) {
		r.answer("c2", 0, "Largest cities", cities, largest, "Figures for 2025 are provisional.")
	}
	f.scripts["Book room 4"] = func(r *fakeRun) {
		waiting, ask := booking, question
		r.tell(&waiting, &ask)
		r.wait(func() bool { _, answered := r.answers["w"]; return answered })
		r.mu.Lock()
		allowed := r.answers["w"]
		r.mu.Unlock()
		decided, call := question, booking
		if decided.State, call.State = chat.Refused, chat.Declined; allowed {
			decided.State, call.State = chat.Given, chat.Running
		}
		r.tell(&decided, &call)
		if !allowed {
			r.tell(&chat.Text{Turn: 2, Text: "Then I do not.", Final: true})
			return
		}
		r.tell(&chat.Progress{Call: "w", Done: 3, Total: 10, Message: "Opening the door"})
		r.wait(func() bool { return r.answers["go on"] })
		call.State, call.Read = chat.Answered, "Booked."
		r.tell(&call, &chat.Sources{Call: "w", Tool: booking.Tool, Title: booking.Title, None: true})
	}
	f.scripts["Break"] = func(r *fakeRun) {
		r.tell(&chat.ToolCall{ID: "x", Turn: 1, Tool: "cities__largest", Title: "Largest cities", State: chat.Failed, Read: "The data are being renewed.", Note: "the server did not answer"},
			&chat.Error{Fault: chat.ModelFault, Message: "The model could not be reached, broke off or refused."}, &chat.Done{Reason: chat.ByError})
	}
	f.scripts["Where from?"] = func(r *fakeRun) { // sources under an answer that is text alone
		r.tell(&chat.ToolCall{ID: "s", Turn: 1, Tool: "cities__largest", Title: "Largest cities", State: chat.Answered, Read: "From the office.", Screen: true, Verified: true},
			&chat.Sources{Call: "s", Tool: "cities__largest", Title: "Largest cities", Sources: []chat.Source{{URL: "https://data.example/cities", Title: "City population", Publisher: "Statistics office", License: "CC0-1.0", RetrievedAt: "2026-11-01", Period: "2025"}, {URL: "https://data.example/plain"}}},
			&chat.Text{Turn: 2, Text: "From the statistics office.", Final: true})
	}
	return f
}

// A state is how a page is brought to where it is looked at.
type state struct {
	name string
	set  func(b *browser)
}

func (b *browser) ask(text string) {
	b.Helper()
	b.open("/")
	b.fill(".ask textarea", text)
	b.click(".ask button[type=submit]")
	b.until(`document.querySelector(".run")&&location.pathname.startsWith("/c/")`)
}

const over = `document.querySelector(".run")&&!document.querySelector(".live")&&!document.querySelector(".composer").hidden&&document.querySelector(".title-tools button")`

// chatStates are those of a page with a model. Each begins where the one before it ended.
var chatStates = []state{
	{"empty", func(b *browser) {
		b.open("/")
		b.until(`document.querySelector(".ask")&&document.querySelector(".history li")`)
	}},
	{"tools", func(b *browser) {
		b.click(".ask .actions button")
		b.until(`document.querySelectorAll(".tool").length===2`)
	}},
	{"answer", func(b *browser) {
		b.ask("Which cities are largest?")
		b.until(over + `&&document.querySelector(".prose mark")`)
		eval[bool](b, `(document.querySelectorAll("details").forEach(d=>{d.open=true}),true)`)
		b.until(`document.querySelector(".raw pre")&&document.querySelector("figure details table")`)
	}},
	{"consent", func(b *browser) { b.ask("Book room 4"); b.until(`document.querySelector("dialog.consent[open]")`) }},
	{"progress", func(b *browser) { b.click("dialog.consent .primary"); b.until(`document.querySelector("progress")`) }},
	{"sources", func(b *browser) {
		b.Answer(b.Context(), "local", b.runs[len(b.runs)-1].ID, "go on", true)
		b.until(over)
		b.ask("Where from?")
		b.until(over)
	}},
	{"error", func(b *browser) { b.ask("Break"); b.until(over + `&&document.querySelector(".fault")`) }},
	{"rename", func(b *browser) {
		b.click(".title-tools .rename")
		b.until(`document.querySelector("dialog[open] input")`)
	}},
	{"share", func(b *browser) {
		b.click("dialog[open] .actions button")
		b.click(".title-tools .share")
		b.click("dialog[open] .primary")
		b.until(`document.querySelector("dialog[open] input.link")&&document.querySelectorAll("dialog").length===1`)
	}},
	{"delete", func(b *browser) {
		b.click("dialog[open] .actions button")
		b.click(".title-tools .remove")
		b.until(`document.querySelector("dialog[open] .danger")`)
	}},
	{"history", func(b *browser) {
		b.open("/")
		b.fill(".history input", "nothing like this")
		b.until(`document.querySelector(".history li.quiet")&&document.querySelectorAll(".history li").length===1`)
	}},
	{"missing", func(b *browser) { b.open("/c/nothing"); b.until(`document.querySelector(".fault")`) }},
	{"record", func(b *browser) {
		b.open(sharedPath(b))
		b.until(`document.querySelector(".run .sources a")&&document.querySelector("canvas")?.height>100`)
	}},
}

// handStates are those of a page without one.
var handStates = []state{
	{"choose", func(b *browser) { b.open("/"); b.until(`document.querySelectorAll(".tool").length===2`) }},
	{"form", func(b *browser) {
		b.click(".tool")
		b.click("form button[type=submit]")
		b.until(`document.querySelectorAll(".field .wrong:not(:empty)").length===2`)
	}},
	{"panels", func(b *browser) {
		b.fill(".field:nth-child(1) select", `"JP"`)
		b.fill(".field:nth-child(2) input", "7")
		b.click("form button[type=submit]")
		b.until(over + `&&document.querySelector(".run .sources a")&&document.querySelector(".history a")`)
	}},
	{"none", func(b *browser) {
		b.tools = nil
		b.open("/")
		b.until(`document.querySelector(".picker .quiet")`)
		b.tools = testTools
	}},
}

// sharedPath shares the first conversation that has a table.
func sharedPath(b *browser) string {
	for _, r := range b.runs {
		if strings.Contains(string(r.Input), "Which cities") {
			token, err := b.ShareConversation(b.Context(), "local", r.Conversation, true)
			if err != nil {
				b.Fatal(err)
			}
			return "/s/" + token
		}
	}
	b.Fatal("no conversation to share")
	return ""
}

func (b *browser) colours(scheme string) {
	b.Helper()
	_, err := chromedp.Call(b.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}})
	if err != nil {
		b.Fatal(err)
	}
	b.until(`document.documentElement.dataset.theme===` + literal(scheme))
}

// everyView looks at a state in light and dark, wide and narrow.
func (b *browser) everyView(name string) {
	b.Helper()
	for _, width := range []int64{1280, 390} {
		b.size(width, 900)
		b.until(fmt.Sprintf(`innerWidth===%d`, width))
		for _, scheme := range []string{"light", "dark"} {
			b.colours(scheme)
			b.accessible(fmt.Sprintf("%s, %s, %d wide", name, scheme, width))
			b.shot(fmt.Sprintf("%s-%d-%s", name, width, scheme))
		}
		if wide := eval[int](b, `document.documentElement.scrollWidth`); wide > int(width) {
			b.Errorf("%s is %d wide on a screen of %d", name, wide, width)
		}
	}
	b.size(1280, 900)
	b.colours("light")
	b.clean()
}

func TestBrowserEveryView(t *testing.T) {
	f := showcase()
	b := newBrowser(t, f)
	b.broken = true // a conversation that is missing is an error in the console
	for _, s := range chatStates {
		s.set(b)
		b.everyView(s.name)
	}
	b.open("/")
	b.size(390, 900)
	b.click(".bar .menu")
	b.until(`document.querySelector("aside.open")`)
	b.accessible("menu")
	b.shot("menu-390-light")
	b.clean()
}

func TestBrowserEveryViewWithoutModel(t *testing.T) {
	f := showcase()
	f.model = ""
	b := newBrowser(t, f)
	for _, s := range handStates {
		s.set(b)
		b.everyView(s.name)
	}
}

// spoken are the page's own words: what others wrote is in bdi, code, pre and prose.
const spoken = `(()=>{const own=new Set(),add=x=>{x=x?.trim();if(x&&/\p{L}{2}/u.test(x))own.add(x.replace(/[\d.,:]+/g,"#"))};
	const skip="bdi,code,pre,.prose > *:not(.marks),.brand,script,style,noscript,option[lang],option[value^='\"'],#status,[lang=en]:not(html)";
	const walk=document.createTreeWalker(document.body,NodeFilter.SHOW_ALL);
	for(let n=walk.nextNode();n;n=walk.nextNode()){
		if(n.nodeType===3&&!n.parentElement.closest(skip))add(n.data);
		if(n.nodeType===1&&!n.closest(skip))for(const a of ["placeholder","title","aria-label"])if(!(n.tagName==="CANVAS"||n.tagName==="PROGRESS"||n.tagName==="A"))add(n.getAttribute(a));
	}
	return [...own]})()`

// alike are words that two of the languages share.
var alike = []string{"Excel", "Link", "No"}

// A view says nothing in English where another language is chosen, and has as much to say in each.
func TestBrowserEveryLanguage(t *testing.T) { everyLanguage(t, "scripted", chatStates) }

func TestBrowserEveryLanguageWithoutModel(t *testing.T) { everyLanguage(t, "", handStates) }

func everyLanguage(t *testing.T, model string, states []state) {
	f := showcase()
	f.model = model
	b := newBrowser(t, f)
	b.broken = true
	said := map[string]map[string][]string{}
	for _, language := range []string{"en", "pt", "es"} {
		f.mu.Lock()
		f.conversations, f.runs, f.answers = nil, nil, map[string]bool{}
		f.mu.Unlock()
		b.open("/")
		b.fill(".settings select", language)
		b.until(`document.documentElement.lang===` + literal(language))
		for _, s := range states {
			s.set(b)
			if got := eval[string](b, `document.documentElement.lang`); got != language {
				t.Errorf("%s is in %s, want %s", s.name, got, language)
			}
			if said[s.name] == nil {
				said[s.name] = map[string][]string{}
			}
			said[s.name][language] = eval[[]string](b, spoken)
		}
		b.clean()
	}
	for name, by := range said {
		for _, other := range []string{"pt", "es"} {
			if len(by["en"]) < 3 || len(by[other]) != len(by["en"]) {
				t.Errorf("%s: %d words in en, %d in %s: %q and %q", name, len(by["en"]), len(by[other]), other, by["en"], by[other])
			}
			for _, word := range by[other] {
				if slices.Contains(by["en"], word) && !slices.Contains(alike, word) {
					t.Errorf("%s: %q is in en and %s", name, word, other)
				}
			}
		}
	}
}

// press sends real keys.
func (b *browser) press(keys string, modifiers ...chromedp.Modifier) {
	b.Helper()
	if err := chromedp.Do(b.ctx, chromedp.KeyEvent(keys, chromedp.KeyModifiers(modifiers...))); err != nil {
		b.Fatal(err)
	}
}

// at names what has the focus.
const at = `(e=>(e.getAttribute("aria-label")||e.placeholder||(e.labels?.[0]??e).textContent||e.tagName).trim().slice(0,40))(document.activeElement)`

// Nothing needs a mouse: the order of Tab, what Enter and Escape do, and where the focus is afterwards.
func TestBrowserKeyboard(t *testing.T) {
	f := showcase()
	b := newBrowser(t, f)
	b.open("/")
	b.until(`document.querySelector(".ask")&&document.querySelector(".history li")`)
	var order []string
	for range 10 {
		b.press(kb.Tab)
		order = append(order, eval[string](b, at))
		if !eval[bool](b, `document.activeElement.matches(":focus-visible")&&!!(s=>s.outlineStyle!=="none"&&parseFloat(s.outlineWidth)>=2||document.activeElement.closest(".ask"))(getComputedStyle(document.activeElement))`) {
			t.Errorf("nothing shows that %q has the focus", order[len(order)-1])
		}
	}
	if diff := cmp.Diff([]string{"Skip to the conversation", "Diptych", "New conversation", "Search conversations", "Tool servers", "Language", "Appearance", "Ask a question", "Use a tool", "Ask"}, order); diff != "" {
		t.Errorf("the order of Tab (-want +got):\n%s", diff)
	}
	b.open("/")
	b.until(`document.querySelector(".ask")`)
	b.press(kb.Tab)
	b.press(kb.Enter)
	b.until(`document.activeElement.id==="main"`)

	// Asked and refused by keys alone.
	b.press(kb.Tab)
	b.until(at + `==="Ask a question"`)
	b.press("Book room 4")
	b.press(kb.Enter)
	b.until(`document.querySelector("dialog.consent[open]")&&` + at + `==="Do not allow"`)
	b.press(kb.Tab)
	b.until(at + `==="Allow"`)
	b.press(kb.Escape)
	b.until(`!document.querySelector("dialog")&&document.querySelector(".state.declined")&&` + over)
	b.until(at + `==="Ask a question"`)
	if allowed, answered := f.answers["w"]; allowed || !answered {
		t.Errorf("the call was allowed: %v, answered: %v", allowed, answered)
	}
	// And allowed.
	f.mu.Lock()
	delete(f.answers, "w")
	f.mu.Unlock()
	b.press("Book room 4")
	b.press(kb.Enter)
	b.until(`document.querySelector("dialog.consent[open]")`)
	b.press(kb.Tab)
	b.press(kb.Enter)
	b.until(`document.querySelector("progress")?.value===3&&document.activeElement.classList.contains("run")`)
	f.Answer(t.Context(), "local", f.runs[1].ID, "go on", true)
	b.until(over + `&&` + at + `==="Ask a question"`)

	// A dialog gives the focus back to the button that led to it, though that is drawn anew.
	for _, name := range []string{"rename", "share", "remove"} {
		eval[bool](b, `(document.querySelector(".title-tools .`+name+`").focus(),true)`)
		b.press(kb.Enter)
		b.until(`document.querySelector("dialog[open]")?.contains(document.activeElement)`)
		b.press(kb.Escape)
		b.until(`!document.querySelector("dialog")&&document.activeElement===document.querySelector(".title-tools .` + name + `")`)
	}
	eval[bool](b, `(document.querySelector(".title-tools .rename").focus(),true)`)
	b.press(kb.Enter)
	b.until(`document.querySelector("dialog[open] input")===document.activeElement`)
	b.press("A name")
	b.press(kb.Enter)
	b.until(`!document.querySelector("dialog")&&document.querySelector("h1").textContent==="A name"&&document.activeElement===document.querySelector(".title-tools .rename")`)

	// The tools: to them, into a form, back to the same tool, back to the question.
	eval[bool](b, `(document.querySelector(".ask .actions button").focus(),true)`)
	b.press(kb.Enter)
	b.until(at + `==="Choose a tool"`)
	b.press(kb.Tab)
	b.press(kb.Tab)
	b.until(`document.activeElement===document.querySelectorAll(".tool")[1]`)
	b.press(kb.Enter)
	b.until(at + `==="Book a room"`)
	b.press(kb.Tab, chromedp.ModifierShift)
	b.press(kb.Enter)
	b.until(`document.activeElement===document.querySelectorAll(".tool")[1]`)
	eval[bool](b, `(document.querySelector(".to-ask").focus(),true)`)
	b.press(kb.Enter)
	b.until(at + `==="Ask a question"`)

	// On a phone the menu takes the focus and gives it back.
	b.size(390, 800)
	eval[bool](b, `(document.querySelector(".bar .menu").focus(),true)`)
	b.press(kb.Enter)
	b.until(`document.querySelector("aside.open").contains(document.activeElement)&&document.querySelector("main").inert`)
	b.press(kb.Escape)
	b.until(`!document.querySelector("aside.open")&&document.activeElement===document.querySelector(".bar .menu")`)
	b.clean()
}

// Sources are under an answer that is text alone, with the host that each leads to, and open by themselves in no way.
func TestBrowserSourcesUnderText(t *testing.T) {
	b := newBrowser(t, showcase())
	b.ask("Where from?")
	b.until(over)
	if n := eval[int](b, `document.querySelectorAll(".flow .table, figure").length`); n != 0 {
		t.Errorf("%d tables and charts, want none", n)
	}
	if diff := cmp.Diff([]string{"City population data.example \u00b7 Statistics office \u00b7 2025 \u00b7 CC0-1.0 \u00b7 retrieved 2026-11-01", "https://data.example/plain"},
		eval[[]string](b, `[...document.querySelectorAll(".run > .sources li")].map(x=>x.textContent)`)); diff != "" {
		t.Errorf("sources (-want +got):\n%s", diff)
	}
	if !eval[bool](b, `document.querySelector(".prose").compareDocumentPosition(document.querySelector(".sources"))===Node.DOCUMENT_POSITION_FOLLOWING`) {
		t.Error("the sources are not under the answer")
	}
	opened := eval[[]string](b, `(()=>{const seen=[];window.open=(...a)=>{seen.push(a.join(" "));return null};document.querySelector(".sources a").click();return seen})()`)
	if diff := cmp.Diff([]string{"https://data.example/cities _blank noopener,noreferrer"}, opened); diff != "" {
		t.Errorf("opened (-want +got):\n%s", diff)
	}
	b.clean()
}

// The exported file, opened without any network: all rows, the chart, the sources, and both files, digit for digit.
func TestBrowserRecordOffline(t *testing.T) {
	f := newFake()
	f.scripts["Ask"] = func(r *fakeRun) { r.answer("call1", 1, "Largest cities", exact, pie, "Read me.") }
	f.scripts["Long"] = func(r *fakeRun) { r.answer("call2", 1, "Largest cities", long(450), "", "") }
	b := newBrowser(t, f)
	c, _ := f.CreateConversation(t.Context(), "local", "Offline")
	for _, text := range []string{"Ask", "Long"} {
		run, err := f.Ask(t.Context(), "local", c.ID, text)
		if err != nil {
			t.Fatal(err)
		}
		f.waitEnded(run.ID)
	}
	_, file, _ := do(t, newHandler(t, f), "GET", "/conversations/"+c.ID+"/export", "")
	path := t.TempDir() + "/conversation.html"
	if err := os.WriteFile(path, []byte(file), 0o600); err != nil {
		t.Fatal(err)
	}
	b.server.Close() // the gateway has gone
	b.file = "file://" + path
	if err := chromedp.Do(b.ctx, chromedp.Navigate(b.file)); err != nil {
		t.Fatal(err)
	}
	b.until(`document.querySelectorAll(".run .sources a").length===2&&document.querySelector("canvas")?.height>100`)
	if charts := b.charts(); len(charts) != 1 || charts[0].Inked < 1000 || cmp.Diff([][]any{{map[string]any{"x": 0.0, "y": 1.1}, map[string]any{"x": 1.0, "y": 20.0}}}, charts[0].Parsed) != "" {
		t.Errorf("the chart: %+v", charts)
	}
	files := eval[[]string](b, savedFiles(`document.querySelector(".downloads").querySelectorAll("button")`))
	rows, err := readTable(json.RawMessage(exact))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{rows.exactCSV(), rows.spreadsheetCSV()}, files); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	last := `document.querySelectorAll(".flow > div > .table")[1]`
	b.until(last + `.querySelectorAll("tbody tr").length===200`)
	eval[bool](b, `(`+last+`.querySelectorAll("th button")[1].click(),true)`)
	b.until(last + `.querySelector("tbody tr").innerText.endsWith("0")`)
	for range 2 {
		eval[bool](b, `(`+last+`.querySelector(".pages button:last-child").click(),true)`)
	}
	b.until(last + `.querySelectorAll("tbody tr").length===50&&` + last + `.querySelector("tbody tr:last-child").innerText.endsWith("449")`)
	b.accessible("the record offline")
	b.clean()
}
