package web

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/diptych-mcp/diptych/gateway/quota"
)

// TestQuota tests status, header and code of an exceeded quota, and that each user has one of their own.
func TestQuota(t *testing.T) {
	f := newFake()
	f.scripts["wait"] = func(r *fakeRun) { r.wait(func() bool { return r.stops[r.Run.ID] }) }
	h, err := New(Config{Chat: f, Tools: f, Store: f, Quota: quota.New(quota.Limits{Requests: 40, Live: 1}, f),
		Owner: func(r *http.Request) (string, bool) { return r.Header.Get("User"), true }})
	if err != nil {
		t.Fatal(err)
	}
	ask := func(user, method, path, body string) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		r := httptest.NewRequest(method, "http://localhost"+path, strings.NewReader(body))
		r.Header.Set("User", user)
		r.Header.Set("Content-Type", "application/json")
		h.ServeHTTP(w, r)
		return w
	}
	if w := ask("ann", "POST", "/runs", `{"text":"wait"}`); w.Code != http.StatusCreated {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	w := ask("ann", "POST", "/runs", `{"text":"wait"}`)
	if want := `{"error":"quota_live","message":"1 questions are being answered already; wait for one of them or stop it"}` + "\n"; w.Code != http.StatusTooManyRequests || w.Header().Get("Retry-After") != "5" || w.Body.String() != want {
		t.Errorf("%d, after %q: %s", w.Code, w.Header().Get("Retry-After"), w.Body)
	}
	if len(f.conversations) != 1 {
		t.Errorf("%d conversations were made", len(f.conversations))
	}
	for range 11 {
		w = ask("ann", "GET", "/tools", "")
	}
	if w.Code != http.StatusTooManyRequests || w.Header().Get("Retry-After") != "2" || !strings.Contains(w.Body.String(), `"quota_requests"`) {
		t.Errorf("%d: %s", w.Code, w.Body)
	}
	var got []int
	for _, r := range []*httptest.ResponseRecorder{ask("ann", "POST", "/runs/"+f.runs[0].ID+"/stop", "{}"), ask("ben", "GET", "/tools", ""), ask("ann", "GET", "/", ""), ask("ann", "GET", "/tools", "")} {
		got = append(got, r.Code)
	}
	page := http.StatusOK
	if built, err := readAssets(); err != nil || built.script == nil {
		page = http.StatusServiceUnavailable
	}
	if diff := cmp.Diff([]int{http.StatusNoContent, http.StatusOK, page, http.StatusTooManyRequests}, got); diff != "" {
		t.Errorf("stopping, another user, the page and another request (-want +got):\n%s", diff)
	}
	for range 11 {
		w = ask("ben", "GET", "/s/guess", "")
	}
	if w.Code != http.StatusTooManyRequests || ask("ben", "GET", "/tools", "").Code != http.StatusOK {
		t.Errorf("strangers guess without a limit: %d", w.Code)
	}
}
