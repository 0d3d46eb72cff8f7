//go:build browser

package web

import (
	"strings"
	"testing"

	"github.com/diptych-mcp/diptych/gateway/quota"
)

// TestBrowserQuota reads in three languages what is wrong and what helps.
func TestBrowserQuota(t *testing.T) {
	f := newFake()
	f.scripts["wait"] = func(r *fakeRun) { r.wait(func() bool { return r.stops[r.Run.ID] }) }
	f.limits = quota.Limits{Live: 1}
	b := newBrowser(t, f)
	b.broken = true // the browser logs an answer of 429 by itself
	b.open("/")
	b.fill(".ask textarea", "wait")
	b.click(".ask button[type=submit]")
	b.until(`document.querySelector(".live")`)
	for language, want := range map[string]string{"en": "Wait for one of them or stop it.", "pt": "Espere por uma delas ou pare uma.", "es": "Espere a una de ellas o deténgala."} {
		b.open("/")
		b.fill(".settings select", language)
		b.until(`document.documentElement.lang==="` + language + `"&&document.querySelector(".ask textarea")`)
		b.fill(".ask textarea", "and this?")
		b.click(".ask button[type=submit]")
		b.until(`document.querySelector(".ask .wrong").textContent!==""`)
		if got := eval[string](b, `document.querySelector(".ask .wrong").textContent`); !strings.Contains(got, want) {
			t.Errorf("%s: %q", language, got)
		}
		if got := eval[string](b, `document.querySelector(".ask textarea").value`); got != "and this?" {
			t.Errorf("%s: the question became %q", language, got)
		}
		b.accessible("over the limit, " + language)
	}
	b.clean()
}
