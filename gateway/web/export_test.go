package web

import (
	"log/slog"
	"net/http"
	"strings"
	"testing"
)

func TestSharing(t *testing.T) {
	f := newFake()
	h := newHandler(t, f)
	run := startRun(t, h, `{"text":"q"}`)
	f.waitEnded(run.ID)
	path := "/conversations/" + run.Conversation
	shared := func() int { status, _, _ := do(t, h, "GET", "/s/token-of-"+run.Conversation, ""); return status }
	if got := shared(); got != http.StatusNotFound {
		t.Errorf("before it is shared: %d", got)
	}
	if status, body, _ := do(t, h, "POST", path+"/share", `{"share":true}`); status != http.StatusOK || !strings.Contains(body, `"share":"/s/token-of-`) {
		t.Errorf("sharing: %d %s", status, body)
	}
	if got := shared(); got != http.StatusOK && got != http.StatusServiceUnavailable { // the latter where the script is not built
		t.Errorf("while it is shared: %d", got)
	}
	closed, err := New(Config{Chat: f, Tools: f, Store: f})
	if err != nil {
		t.Fatal(err)
	}
	if status, _, _ := do(t, closed, "POST", path+"/share", `{"share":true}`); status != http.StatusForbidden {
		t.Errorf("where sharing is not allowed: %d", status)
	}
	if status, _, _ := do(t, closed, "GET", "/s/token-of-"+run.Conversation, ""); status != http.StatusNotFound {
		t.Errorf("an old link where sharing is not allowed: %d", status)
	}
	do(t, h, "POST", path+"/share", `{"share":false}`)
	if got := shared(); got != http.StatusNotFound {
		t.Errorf("after sharing ended: %d", got)
	}
}

// recorder is a server that could send a record where no page is built.
func recorder(t *testing.T, f *fake) *server {
	t.Helper()
	s, err := newServer(Config{Chat: f, Tools: f, Store: f, Share: true, Logger: slog.New(slog.NewTextHandler(t.Output(), nil))})
	if err != nil {
		t.Fatal(err)
	}
	s.record = newRecordPage(assets{script: []byte(`x="</script><!--"`), style: []byte("a{}")})
	return s
}

// No text of a record can end the element that it is in.
func TestRecordHoldsHostileText(t *testing.T) {
	f := newFake()
	const evil = `</script><script>alert(1)</script><!--`
	f.scripts[evil] = func(r *fakeRun) { r.answer("call1", 1, evil, `[["`+evil+`"]]`, "", evil) }
	c, _ := f.CreateConversation(t.Context(), "local", evil)
	run, err := f.Ask(t.Context(), "local", c.ID, evil)
	if err != nil {
		t.Fatal(err)
	}
	f.waitEnded(run.ID)
	var file strings.Builder
	if err := recorder(t, f).writeRecord(t.Context(), &file, "en", c); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(file.String(), "</script"); n != 3 {
		t.Errorf("%d script elements end; want 3", n)
	}
	if strings.Contains(file.String(), "<!--") || strings.Contains(file.String(), "alert(1)</") {
		t.Error("the record has markup of its text")
	}
	if !strings.Contains(file.String(), `x="\x3C/script>\x3C!--"`) {
		t.Error("the script is not as it should be")
	}
}
