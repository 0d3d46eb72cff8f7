//go:build browser

package web

import (
	"testing"

	"github.com/diptych-mcp/diptych/gateway/quota"
)

// A conversation of 500 answers opens in two requests, again and again, within the quota of requests.
func TestBrowserLongConversation(t *testing.T) {
	f := newFake()
	f.limits = quota.Limits{Requests: 60}
	c := f.talk(t, 500, 200)
	b := newBrowser(t, f)
	for range 4 {
		b.open("/c/" + c.ID)
		b.until(`document.querySelectorAll(".run .force").length===500`)
		asked := eval[[]string](b, `performance.getEntriesByType("resource").map(e=>new URL(e.name).pathname).filter(p=>/^.(runs|conversations.)/.test(p))`)
		if len(asked) != 2 {
			t.Errorf("asked for %v", asked)
		}
	}
	b.clean()
}
