package web

import (
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

// No text of a record can end the element that it stands in.
func TestRecordHoldsHostileText(t *testing.T) {
	f := newFake()
	const evil = `</script><script>alert(1)</script><!--`
	s := &server{Config: Config{Store: f}, record: newRecordPage(assets{script: []byte(`x="</script><!--"`), style: []byte("a{}")})}
	c, _ := f.CreateConversation(t.Context(), "local", evil)
	run, err := f.Ask(t.Context(), "local", c.ID, evil)
	if err != nil {
		t.Fatal(err)
	}
	f.waitEnded(run.ID)
	file, err := s.writeRecord(t.Context(), "en", c)
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(file), "</script"); n != 2 {
		t.Errorf("%d script elements end; want 2", n)
	}
	if strings.Contains(string(file), "<!--") || strings.Contains(string(file), "alert(1)</") {
		t.Error("the record has markup of its text")
	}
	if !strings.Contains(string(file), `x="\x3C/script>\x3C!--"`) {
		t.Error("the script is not as it should be")
	}
}
