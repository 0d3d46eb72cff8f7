//go:build browser

package web

// Records that are not whole, in a browser: both as a file that was cut and as an answer that was broken off.

import (
	"errors"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

func TestBrowserBrokenRecord(t *testing.T) {
	f := newFake()
	c := f.talk(t, 3, 2*maxPiece)
	l := &ledger{fake: f}
	s, err := newServer(Config{Chat: f, Tools: f, Store: l, Share: true})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(s.guard(s.routes()))
	t.Cleanup(server.Close)
	b := openBrowser(t, server.URL)
	b.broken = true
	said := func(language string) {
		t.Helper()
		b.until(`document.body.innerText.trim()===` + literal(unfinished[language]) + `&&getComputedStyle(document.getElementById("unfinished")).visibility==="visible"`)
	}

	status, file, _ := do(t, s.guard(s.routes()), "GET", "/conversations/"+c.ID+"/export", "", "Accept-Language", "pt")
	cut := strings.LastIndex(file, `<script type="module">`)
	if status != 200 || cut < 0 {
		t.Fatalf("export: %d", status)
	}
	path := filepath.Join(t.TempDir(), "conversation.html")
	b.file = "file://" + path
	for _, end := range []int{cut + 1000, cut - 1000, cut / 2} {
		if err := os.WriteFile(path, []byte(file[:end]), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := chromedp.Do(b.ctx, chromedp.Navigate(b.file)); err != nil {
			t.Fatal(err)
		}
		said("pt")
	}
	b.shot("10-broken")

	f.conversations[0].ShareToken = "token"
	l.fails = func(run string) error {
		if run == f.runs[2].ID {
			return errors.New("the disk is gone")
		}
		return nil
	}
	_ = chromedp.Do(b.ctx, chromedp.Navigate(b.url+"/s/token")) // the browser may call it broken, as it is
	if text := eval[string](b, `document.body?.innerText.trim()??""`); text != unfinished["en"] && text != "" {
		t.Errorf("a page that broke off says %.200q", text)
	}
	l.fails = nil
	b.open("/s/token")
	b.until(`document.querySelectorAll(".run").length===3&&!document.getElementById("unfinished")`)
	if text := eval[string](b, `document.body.innerText`); strings.Contains(text, `"events"`) {
		t.Errorf("what the script reads is shown: %.200s", text)
	}
}
