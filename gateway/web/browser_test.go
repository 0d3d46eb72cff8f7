//go:build browser

package web

// The page in a real browser: Debian's chromium against a handler on the loopback. Needs the built assets.

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	cdplog "github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/google/go-cmp/cmp"
)

// A browser is one chromium for a test, and what it must not do.
type browser struct {
	*fake
	*testing.T
	url string
	ctx context.Context

	server *httptest.Server
	file   string // the only URL beside url that may be opened
	broken bool   // lost connections are meant

	mu     sync.Mutex
	faults []string
}

// watchViolations runs in every page before its own script.
const watchViolations = `window.violations=[];addEventListener("securitypolicyviolation",e=>violations.push(e.violatedDirective+" "+e.blockedURI));
window.alert=()=>violations.push("alert");window.executed=()=>violations.push("executed");`

func newBrowser(t *testing.T, f *fake) *browser {
	server := httptest.NewServer(newHandler(t, f))
	t.Cleanup(server.Close)
	b := openBrowser(t, server.URL)
	b.fake, b.server = f, server
	return b
}

// openBrowser starts a browser that may ask one origin alone. A test has one, and waits mostly: two run at a time.
func openBrowser(t *testing.T, url string) *browser {
	t.Helper()
	t.Parallel()
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath("/usr/bin/chromium"), chromedp.NoSandbox, chromedp.DisableGPU, chromedp.WindowSize(1280, 900),
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-background-networking", true), chromedp.Flag("disable-component-update", true),
		chromedp.Flag("disable-sync", true), chromedp.Flag("no-first-run", true), chromedp.UserDataDir(t.TempDir()))
	allocator, cancel := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(cancel)
	limited, cancel := context.WithTimeout(allocator, 8*time.Minute)
	t.Cleanup(cancel)
	ctx, cancel := chromedp.NewContext(limited)
	t.Cleanup(cancel)
	b := &browser{T: t, url: url, ctx: ctx}
	b.watch(ctx)
	t.Cleanup(func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		for _, fault := range b.faults {
			t.Error(fault)
		}
	})
	return b
}

// watch notes console errors, refused requests and whatever is asked of another origin.
func (b *browser) watch(ctx context.Context) {
	b.Helper()
	if err := chromedp.Do(ctx); err != nil {
		b.Fatal(err)
	}
	note := func(format string, args ...any) {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.faults = append(b.faults, fmt.Sprintf(format, args...))
	}
	err := chromedp.Listen(ctx, func(ev any) {
		switch ev := ev.(type) {
		case *runtime.EventConsoleAPICalled:
			if ev.Type == runtime.ConsoleAPICalledTypeError || ev.Type == runtime.ConsoleAPICalledTypeWarning {
				note("console: %v", ev.Args)
			}
		case *runtime.EventExceptionThrown:
			note("exception: %v", ev.ExceptionDetails)
		case *cdplog.EventEntryAdded:
			if b.broken && ev.Entry.Source == cdplog.EntrySourceNetwork {
				return
			}
			if ev.Entry.Level == cdplog.EntryLevelError || ev.Entry.Source == cdplog.EntrySourceSecurity {
				note("log: %s %s", ev.Entry.Text, ev.Entry.URL)
			}
		case *network.EventRequestWillBeSent:
			// Chromium draws its own controls with pictures in data: URLs; the page's policy has none of its own.
			if !strings.HasPrefix(ev.Request.URL, b.url+"/") && !strings.HasPrefix(ev.Request.URL, "data:") && (b.file == "" || ev.Request.URL != b.file) {
				note("a foreign request: %s", ev.Request.URL)
			}
		}
	})
	if err != nil {
		b.Fatal(err)
	}
	if _, err := chromedp.Call(ctx, cdplog.Enable, cdp.Empty{}); err != nil {
		b.Fatal(err)
	}
	if _, err := chromedp.Call(ctx, network.Enable, network.EnableParams{}); err != nil {
		b.Fatal(err)
	}
	if _, err := chromedp.Call(ctx, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: watchViolations}); err != nil {
		b.Fatal(err)
	}
}

// tab opens a second page beside the first; its faults count like those of the first.
func (b *browser) tab() *browser {
	b.Helper()
	ctx, cancel := chromedp.NewContext(b.ctx)
	b.Cleanup(cancel)
	tab := &browser{fake: b.fake, T: b.T, url: b.url, ctx: ctx, server: b.server, broken: b.broken}
	tab.watch(ctx)
	b.Cleanup(func() {
		tab.mu.Lock()
		defer tab.mu.Unlock()
		for _, fault := range tab.faults {
			b.Errorf("another tab: %s", fault)
		}
	})
	return tab
}

func (b *browser) open(path string) {
	b.Helper()
	if err := chromedp.Do(b.ctx, chromedp.Navigate(b.url+path)); err != nil {
		b.Fatal(err)
	}
}

// eval returns what an expression gives; a promise is awaited.
func eval[T any](b *browser, expression string) T {
	b.Helper()
	value, err := chromedp.Run(b.ctx, chromedp.Evaluate[T](expression, await))
	if err != nil {
		b.Fatalf("%s: %v", expression, err)
	}
	return value
}

// until waits for a condition in the page, or in the one that it leads to.
func (b *browser) until(condition string) {
	b.Helper()
	look := `new Promise(done=>{const end=Date.now()+60000;const look=()=>{let ok=false;try{ok=!!(` + condition + `)}catch{}
		if(ok||Date.now()>end)done(ok);else setTimeout(look,25)};look()})`
	ok, err := chromedp.Run(b.ctx, chromedp.Evaluate[bool](look, await))
	for err != nil && strings.Contains(err.Error(), "navigated") {
		ok, err = chromedp.Run(b.ctx, chromedp.Evaluate[bool](look, await))
	}
	if err != nil || !ok {
		b.shot("failed")
		b.Fatalf("never true: %s (%v)\npage: %s", condition, err, eval[string](b, `document.body.innerText.slice(0,2000)`))
	}
}

func await(p *runtime.EvaluateParams) { yes := true; p.AwaitPromise = &yes }

func (b *browser) click(selector string) {
	b.Helper()
	b.until(quote(selector) + `&&!` + quote(selector) + `.disabled`)
	eval[bool](b, `(`+quote(selector)+`.click(),true)`)
}

func (b *browser) fill(selector, text string) {
	b.Helper()
	b.until(quote(selector))
	eval[bool](b, `(e=>{e.value=`+literal(text)+`;e.dispatchEvent(new Event("input",{bubbles:true}));e.dispatchEvent(new Event("change",{bubbles:true}));return true})(`+quote(selector)+`)`)
}

func quote(selector string) string { return `document.querySelector(` + literal(selector) + `)` }

func literal(text string) string {
	b, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// accessible fails on what axe-core finds serious.
func (b *browser) accessible(where string) {
	b.Helper()
	axe, err := os.ReadFile("ui/node_modules/axe-core/axe.min.js")
	if err != nil {
		b.Fatal(err)
	}
	eval[bool](b, string(axe)+`;true`)
	found := eval[[]string](b, `axe.run(document,{resultTypes:["violations"]}).then(r=>r.passes.length<5?["almost nothing was checked"]:r.violations.filter(v=>v.impact==="serious"||v.impact==="critical").map(v=>v.id+": "+v.nodes.map(n=>n.target+" "+n.failureSummary).slice(0,3).join(" | ")))`)
	for _, fault := range found {
		b.Errorf("%s: %s", where, fault)
	}
}

// clean fails where the page's policy was broken or something executed.
func (b *browser) clean() {
	b.Helper()
	if diff := cmp.Diff([]string{}, eval[[]string](b, `violations`)); diff != "" {
		b.Errorf("violations (-want +got):\n%s", diff)
	}
}

// shot keeps a picture where DIPTYCH_SHOTS names a folder.
func (b *browser) shot(name string) {
	b.Helper()
	folder := os.Getenv("DIPTYCH_SHOTS")
	if folder == "" {
		return
	}
	// As it is seen, and whole: the whole has what sticks to an edge in odd places.
	seen, err := chromedp.Run(b.ctx, chromedp.CaptureScreenshot())
	if err != nil {
		b.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, name+"-seen.png"), seen, 0o600); err != nil {
		b.Fatal(err)
	}
	picture, err := chromedp.Run(b.ctx, chromedp.FullScreenshot(100))
	if err != nil {
		b.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, name+".png"), picture, 0o600); err != nil {
		b.Fatal(err)
	}
}

func (b *browser) size(width, height int64) {
	b.Helper()
	if err := chromedp.Do(b.ctx, chromedp.EmulateViewport(width, height)); err != nil {
		b.Fatal(err)
	}
}

// looks takes pictures of the page as it is: wide and narrow, light and dark.
func (b *browser) looks(name string) {
	b.Helper()
	if os.Getenv("DIPTYCH_SHOTS") == "" || !eval[bool](b, `!!document.querySelector(".settings")`) {
		b.shot(name)
		return
	}
	for _, theme := range []string{"light", "dark"} {
		b.fill(".settings select:last-of-type", theme)
		b.size(1280, 900)
		b.shot(name + "-" + theme)
		b.size(360, 780)
		b.shot(name + "-phone-" + theme)
	}
	b.fill(".settings select:last-of-type", "light")
	b.size(1280, 900)
	b.until(`innerWidth===1280`)
}
