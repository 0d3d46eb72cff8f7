//go:build browser

package web

// Where the reader looks while an answer comes and once it is there.

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/diptych-mcp/diptych/gateway/chat"
)

// A question is at the top, long and short answers below it, and a reader who goes elsewhere stays there.
func TestBrowserQuestionStandsAtTheTop(t *testing.T) {
	f := newFake()
	f.scripts["long"] = func(r *fakeRun) {
		r.answer("l"+r.Run.ID, 1, "Largest cities", long(450), pie, "Estimates of 2025.")
		r.tell(&chat.Text{Turn: 2, Text: "These are the cities.", Final: true})
	}
	f.scripts["short"] = func(r *fakeRun) { r.tell(&chat.Text{Turn: 1, Text: "Yes.", Final: true}) }
	f.scripts["silent"] = func(r *fakeRun) { r.wait(func() bool { return r.answers["say it"+r.Run.ID] }) }
	f.scripts["slow"] = func(r *fakeRun) {
		r.answer("s"+r.Run.ID, 1, "Largest cities", long(450), pie, "")
		r.wait(func() bool { return r.answers["go on"+r.Run.ID] })
		r.answer("t"+r.Run.ID, 1, "Largest cities", exact, pie, "")
	}
	b := newBrowser(t, f)
	ask := func(question string, runs int) {
		t.Helper()
		b.fill(".ask textarea", question)
		b.click(".ask button[type=submit]")
		b.until(fmt.Sprintf(`document.querySelectorAll(".run").length===%d`, runs))
	}
	over := func() {
		t.Helper()
		b.until(`!document.querySelector(".live")&&!document.querySelector(".composer").hidden&&document.activeElement.tagName==="TEXTAREA"`)
	}
	stands := func(question string) {
		t.Helper()
		// Below the bar, and not far below it.
		b.until(`(q=>q.querySelector("bdi").textContent===` + literal(question) + `&&(d=>d>=0&&d<64)(q.getBoundingClientRect().top-document.querySelector(".bar").getBoundingClientRect().bottom))([...document.querySelectorAll(".question")].at(-1))`)
	}
	for _, width := range []int64{1280, 390} {
		b.size(width, 900)
		b.open("/")
		b.until(fmt.Sprintf(`innerWidth===%d`, width))
		ask("long", 1)
		over()
		stands("long")
		b.shot(fmt.Sprintf("a-long-%d", width))
		ask("long", 2)
		over()
		stands("long")
		ask("short", 3)
		over()
		stands("short")
		b.shot(fmt.Sprintf("b-short-%d", width))

		ask("silent", 4)
		b.until(`document.querySelector(".live")&&document.querySelector(".composer").hidden`)
		stands("silent")
		last := f.runs[len(f.runs)-1].ID
		f.Answer(t.Context(), "local", last, "say it"+last, true)
		over()
		stands("silent")

		ask("slow", 5)
		b.until(`[...document.querySelectorAll(".run")].at(-1).querySelector(".sources")`)
		stands("slow")
		if !eval[bool](b, `(r=>r.top>=0&&r.bottom<=innerHeight)(document.querySelector(".live .stop").getBoundingClientRect())`) {
			t.Errorf("at %d the button that stops is out of sight", width)
		}
		place := eval[json.Number](b, `(scrollTo(0,scrollY-250),scrollY)`)
		last = f.runs[len(f.runs)-1].ID
		f.Answer(t.Context(), "local", last, "go on"+last, true)
		over()
		if now := eval[json.Number](b, `scrollY`); now != place {
			t.Errorf("at %d the page went from %s to %s while it was read", width, place, now)
		}
	}
	b.clean()
}
