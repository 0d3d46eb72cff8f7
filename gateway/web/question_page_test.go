//go:build browser

package web

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/diptych-mcp/diptych/gateway/chat"
	"github.com/diptych-mcp/diptych/gateway/host"
)

func TestBrowserQuestion(t *testing.T) {
	f := newFake()
	answered := func(r *fakeRun, id string) { r.wait(func() bool { _, ok := r.replies[id]; return ok }) }
	f.scripts["Book a room"] = func(r *fakeRun) {
		call := chat.ToolCall{ID: "c", Turn: 1, Tool: "rooms__book", Title: "Book a room", State: chat.Running}
		form, visit, plain := orderQuestion("q1"), visitQuestion("q2"), &chat.Question{ID: "q3", Call: "c", Server: "rooms", Message: "Go on?", State: chat.QuestionAsked}
		r.tell(&call, form)
		answered(r, "q1")
		r.tell(closed(form, chat.QuestionAccepted), visit)
		answered(r, "q2")
		r.tell(closed(visit, chat.QuestionDeclined), plain)
		answered(r, "q3")
		r.wait(func() bool { return r.answers["tell"] })
		last := *plain
		last.ID = "q4"
		r.tell(closed(plain, chat.QuestionCancelled), &last)
		r.wait(func() bool { return r.stops[r.Run.ID] })
	}
	b := newBrowser(t, f)
	b.open("/")
	b.fill(".ask textarea", "Book a room")
	b.click(".ask button[type=submit]")
	b.until(`document.querySelectorAll(".asks .field").length===8`)
	if got := eval[[]string](b, `[document.querySelector(".asks h3").textContent,document.querySelector(".asks .told").textContent,document.querySelector("#status").textContent]`); got[0] != "rooms asks you" || got[1] != "What <b>shall</b> it be?\nChoose." || got[2] != "rooms asks you" {
		t.Errorf("asked as %q", got)
	}
	if got := eval[[]string](b, `[...document.querySelectorAll(".asks :is(input:not([type=checkbox]),select)")].map(x=>x.value)`); cmp.Diff([]string{"prefilled", "", "1.10", "c1", "", "", ""}, got) != "" {
		t.Errorf("filled in with %q", got)
	}
	b.accessible("question")
	b.looks("question")

	// What is missing or no number is said before anything is sent; what the server refuses, after.
	b.click(".asks button[type=submit]")
	b.until(`document.querySelectorAll(".asks .field .wrong:not(:empty)").length===1&&document.activeElement===document.querySelector(".asks .field:nth-child(2) input")`)
	b.fill(".asks .field:nth-child(2) input", "12345678901234567890")
	b.fill(".asks .field:nth-child(1) input", "refuse me")
	b.broken = true // a refusal is an error to the browser's log
	b.click(".asks button[type=submit]")
	b.until(`document.querySelector(".asks form > .wrong").textContent==="zip: must have at most 5 characters"`)
	b.broken = false
	b.accessible("refused answer")

	// After a refresh it is asked again, as it was at first.
	b.open(eval[string](b, `location.pathname`))
	b.until(`document.querySelector(".asks .field input")?.value==="prefilled"`)
	b.fill(".asks .field:nth-child(1) input", "00000")
	b.fill(".asks .field:nth-child(2) input", "12345678901234567890")
	b.fill(".asks .field:nth-child(5) select", "c1")
	b.click(".asks .field:nth-child(6) input")
	b.fill(".asks .field:nth-child(8) input", "2026-11-30")
	b.click(".asks button[type=submit]")
	b.until(`document.querySelector(".asked")?.textContent.includes("Answered")`)
	if got := string(f.replies["q1"].Content); got != `{"zip":"00000","amount":12345678901234567890,"price":1.10,"gift":false,"colour":"","extras":["x","y"],"day":"2026-11-30"}` {
		t.Errorf("answered %s", got)
	}

	// A page to visit is shown whole and opened by the user alone.
	b.until(`document.querySelector(".asks .visit a")`)
	link := eval[[]string](b, `(a=>[a.href,a.rel,a.target,document.querySelector(".visit strong").textContent,document.querySelector(".visit .address").textContent])(document.querySelector(".visit a"))`)
	if diff := cmp.Diff([]string{"https://login.example/start?token=prefilled", "noopener noreferrer", "_blank", "login.example", "https://login.example/start?token=prefilled"}, link); diff != "" {
		t.Errorf("the link (-want +got):\n%s", diff)
	}
	b.accessible("page to visit")
	b.looks("visit")
	b.click(".asks .actions .button:not(.primary)")
	b.until(`document.querySelectorAll(".asked").length===2&&document.querySelectorAll(".asked")[1].textContent.includes("Declined")`)
	if got := f.replies["q2"]; got.Action != host.Decline || strings.Contains(string(got.Content), "token") {
		t.Errorf("answered %+v", got)
	}

	// Another tab answers: this one is refused, and then sees it closed.
	b.until(`document.querySelector(".asks .primary")?.textContent==="Accept"`)
	if err := f.Reply(t.Context(), "local", f.runs[0].ID, "q3", host.Answer{Action: host.Cancel}); err != nil {
		t.Fatal(err)
	}
	b.broken = true
	b.click(".asks .primary")
	b.until(`document.querySelector(".asks form > .wrong").textContent==="Nothing waits for this answer any more."`)
	b.broken = false
	f.mu.Lock()
	f.answers["tell"] = true
	f.wake()
	f.mu.Unlock()
	b.until(`document.querySelectorAll(".asked")[2]?.textContent.includes("Put away")`)

	// Stopping closes what is open.
	b.until(`document.querySelector(".asks .primary")?.textContent==="Accept"`)
	b.click(".stop")
	b.until(`!document.querySelector(".asks")&&document.querySelectorAll(".asked")[3].textContent.includes("Not answered")`)
	b.open(eval[string](b, `location.pathname`))
	b.until(`document.querySelectorAll(".asked").length===4`)
	b.accessible("closed questions")
	b.looks("asked")
	b.clean()
}
