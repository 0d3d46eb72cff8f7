package web

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// A text that is never done is shown as it was written, and costs the others a slot and no more.
func TestRenderingHasATime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		goOn := make(chan struct{})
		r := newProseRenderer()
		r.slots = make(chan struct{}, 2)
		r.prose = func(text string, marked ...span) []proseNode {
			if text == "*never*" {
				<-goOn
			}
			return prose(text, marked...)
		}
		began := time.Now()
		if got := string(r.whole("*never*")); got != `["*never*"]` || time.Since(began) != renderTimeout {
			t.Errorf("%s after %v", got, time.Since(began))
		}
		if got := string(r.piece("*b*")); !strings.Contains(got, `"em"`) {
			t.Errorf("another text: %s", got)
		}
		_ = r.piece("*never*")
		if got := string(r.piece("*b*")); got != `["*b*"]` {
			t.Errorf("without a slot: %s", got)
		}
		close(goOn)
		synctest.Wait()
		if got := string(r.whole("*never*")); !strings.Contains(got, `"em"`) {
			t.Errorf("the time's end was kept: %s", got)
		}
	})
}

func TestRenderedOnce(t *testing.T) {
	r := newProseRenderer()
	n := 0
	r.prose = func(text string, marked ...span) []proseNode {
		if n++; strings.HasPrefix(text, "panic") {
			panic(text)
		}
		return []proseNode{text}
	}
	for range 3 {
		r.whole("a")
		r.whole("a", span{0, 1})
	}
	if n != 2 {
		t.Errorf("rendered %d times, want 2", n)
	}
	if got := string(r.whole("panic <b>")); got != `["panic \u003cb\u003e"]` {
		t.Errorf("after a panic: %s", got)
	}
	large := strings.Repeat("x", maxRemembered/4)
	for _, c := range []string{"1", "2", "3", "4", "5", "6"} {
		r.whole(c + large)
	}
	if r.bytes > maxRemembered || len(r.kept) != 3 || len(r.order) != len(r.kept) {
		t.Errorf("%d texts of %d bytes are kept", len(r.kept), r.bytes)
	}
	n = 0
	r.whole("6" + large)
	r.whole("a")
	if n != 1 {
		t.Errorf("%d of the newest and the oldest were rendered again, want the oldest", n)
	}
}

func TestRenderedSize(t *testing.T) {
	var b limitedBuffer
	if _, err := b.Write(make([]byte, maxRendered)); err != nil {
		t.Error(err)
	}
	if _, err := b.Write([]byte{0}); err == nil {
		t.Error("one byte more is taken")
	}
}
