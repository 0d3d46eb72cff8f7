//go:build browser

package web

// Images of tools on the page: drawn where they can be, described where they cannot.

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/google/go-cmp/cmp"

	"github.com/diptych-mcp/diptych/gateway/chat"
	"github.com/diptych-mcp/diptych/gateway/store"
)

func TestBrowserImages(t *testing.T) {
	drawn := pictures(t)
	var blocks, read []string
	for _, kind := range drawnTypes {
		blocks = append(blocks, block(kind, drawn[kind]))
		read = append(read, "["+strings.Replace(kind, "/", ": image/", 1)+", 1 KB]")
	}
	blocks = append(blocks, block("image/svg+xml", "PHN2Zy8+"))
	read = append(read, "[image: image/svg+xml, 6 bytes]")
	plot := func(r *fakeRun, turn int) {
		call := "call" + r.Run.ID
		_ = r.SaveResult(context.Background(), r.Run.ID, call, store.Result{Content: json.RawMessage("[" + strings.Join(blocks, ",") + "]")})
		r.tell(&chat.ToolCall{ID: call, Turn: turn, Tool: "cities__largest", Title: "Plot <b>rain</b>", State: chat.Answered, Screen: true, Read: strings.Join(read, "\n"), Note: "no source given"},
			&chat.Sources{Call: call, Tool: "cities__largest", Title: "Plot <b>rain</b>", None: true})
	}
	f := newFake()
	f.scripts["q"] = func(r *fakeRun) {
		plot(r, 1)
		r.tell(&chat.Text{Turn: 2, Text: "It rained.", Final: true})
	}
	f.scripts["cities__largest"] = func(r *fakeRun) { plot(r, 0) }
	b := newBrowser(t, f)
	check := func(place string) {
		t.Helper()
		// The lossy picture is one pixel; the others are as they were made.
		b.until(`document.querySelectorAll("` + place + `").length===4&&[...document.querySelectorAll("` + place + `")].every(i=>i.complete&&i.naturalWidth>0)`)
		if diff := cmp.Diff([]string{"320 Image 1 from Plot <b>rain</b>", "320 Image 2 from Plot <b>rain</b>", "320 Image 3 from Plot <b>rain</b>", "1 Image 4 from Plot <b>rain</b>"},
			eval[[]string](b, `[...document.querySelectorAll("`+place+`")].map(i=>i.naturalWidth+" "+i.alt)`)); diff != "" {
			t.Errorf("images (-want +got):\n%s", diff)
		}
	}
	h := newHandler(t, f)
	hand := startRun(t, h, `{"tool":"cities__largest","arguments":{"country":"JP","big":1}}`)
	f.waitEnded(hand.ID)
	b.open("/c/" + hand.Conversation)
	check(".panel.model .images img")
	if said := eval[string](b, `document.querySelector(".run").innerText`); strings.Count(strings.ToLower(said), "no source given") != 1 {
		t.Errorf("a missing source is told %q", said)
	}
	b.accessible("images by hand")
	b.looks("image-hand")

	run := startRun(t, h, `{"text":"q"}`)
	f.waitEnded(run.ID)
	b.open("/c/" + run.Conversation)
	check(".call > .images img")
	b.accessible("images")
	b.looks("image")
	b.clean()

	_, file, _ := do(t, h, "GET", "/conversations/"+run.Conversation+"/export", "")
	path := filepath.Join(t.TempDir(), "conversation.html")
	if err := os.WriteFile(path, []byte(file), 0o600); err != nil {
		t.Fatal(err)
	}
	b.file = "file://" + path
	if err := chromedp.Do(b.ctx, chromedp.Navigate(b.file)); err != nil {
		t.Fatal(err)
	}
	check(".call > .images img")
	b.clean()
}
