package web

import (
	"bufio"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/diptych-mcp/diptych/gateway/chat"
)

// do asks the handler and returns status and body.
func do(t *testing.T, h http.Handler, method, path, body string, headers ...string) (int, string, http.Header) {
	t.Helper()
	r := httptest.NewRequest(method, "http://localhost"+path, strings.NewReader(body))
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i < len(headers); i += 2 {
		if headers[i] == "Host" {
			r.Host = headers[i+1]
		} else {
			r.Header.Set(headers[i], headers[i+1])
		}
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w.Code, w.Body.String(), w.Header()
}

func startRun(t *testing.T, h http.Handler, body string) runView {
	t.Helper()
	status, answer, _ := do(t, h, "POST", "/runs", body)
	if status != http.StatusCreated {
		t.Fatalf("POST /runs: %d %s", status, answer)
	}
	var run runView
	if err := json.Unmarshal([]byte(answer), &run); err != nil {
		t.Fatal(err)
	}
	return run
}

func (f *fake) waitEnded(id string) {
	f.wait(func() bool {
		events := f.events[id]
		return len(events) > 0 && events[len(events)-1].Type == "done"
	})
}

func TestRefusals(t *testing.T) {
	f := newFake()
	h := newHandler(t, f)
	for name, c := range map[string]struct {
		method, path, body string
		headers            []string
		status             int
		has                string
	}{
		"a foreign host name":      {method: "GET", path: "/", headers: []string{"Host", "evil.example"}, status: 421},
		"a foreign host and port":  {method: "GET", path: "/tools", headers: []string{"Host", "evil.example:80"}, status: 421},
		"another site's request":   {method: "POST", path: "/runs", body: `{"text":"x"}`, headers: []string{"Sec-Fetch-Site", "cross-site"}, status: 403},
		"another site's reading":   {method: "GET", path: "/conversations", headers: []string{"Sec-Fetch-Site", "cross-site"}, status: 403, has: `"foreign"`},
		"another port's reading":   {method: "GET", path: "/conversations", headers: []string{"Sec-Fetch-Site", "same-site"}, status: 403, has: `"foreign"`},
		"another origin":           {method: "POST", path: "/runs", body: `{"text":"x"}`, headers: []string{"Origin", "https://evil.example"}, status: 403},
		"a form's content type":    {method: "POST", path: "/runs", body: `{"text":"x"}`, headers: []string{"Content-Type", "text/plain"}, status: 400, has: `"invalid"`},
		"no JSON":                  {method: "POST", path: "/runs", body: `{"text"`, status: 400, has: `"invalid"`},
		"an unknown field":         {method: "POST", path: "/runs", body: `{"owner":"x"}`, status: 400, has: `"invalid"`},
		"two documents":            {method: "POST", path: "/runs", body: `{"text":"x"} {}`, status: 400, has: `"invalid"`},
		"a large body":             {method: "POST", path: "/runs", body: `{"text":"` + strings.Repeat("x", maxBody) + `"}`, status: 413, has: `"large"`},
		"an unknown tool":          {method: "POST", path: "/runs", body: `{"tool":"x","arguments":{}}`, status: 404, has: `"no_tool"`},
		"arguments that break it":  {method: "POST", path: "/runs", body: `{"tool":"rooms__book","arguments":{"room":"refuse me"}}`, status: 422, has: `city: not one`},
		"an unknown conversation":  {method: "GET", path: "/conversations/x", status: 404, has: `"not_found"`},
		"an unknown run":           {method: "GET", path: "/runs/x", status: 404, has: `"not_found"`},
		"an unknown run's events":  {method: "GET", path: "/runs/x/events", status: 404, has: `"not_found"`},
		"a table of no run":        {method: "GET", path: "/runs/x/tables/1", status: 404, has: `"not_found"`},
		"a call nobody made":       {method: "GET", path: "/calls/x", status: 404, has: `"not_found"`},
		"a title that is too long": {method: "POST", path: "/conversations/x/title", body: `{"title":"` + strings.Repeat("x", 201) + `"}`, status: 400, has: `"invalid"`},
		"an empty title":           {method: "POST", path: "/conversations/x/title", body: `{"title":" "}`, status: 400, has: `"invalid"`},
		"a path that is none":      {method: "GET", path: "/assets/README.md", status: 404},
	} {
		t.Run(name, func(t *testing.T) {
			status, body, header := do(t, h, c.method, c.path, c.body, c.headers...)
			if status != c.status || !strings.Contains(body, c.has) {
				t.Errorf("got %d %.200s; want %d with %q", status, body, c.status, c.has)
			}
			if header.Get("Content-Security-Policy") != contentPolicy || header.Get("X-Content-Type-Options") != "nosniff" {
				t.Errorf("headers are missing: %v", header)
			}
		})
	}
	if list, _ := f.Conversations(t.Context(), "local", "", 0, 10); len(list) != 0 {
		t.Errorf("refused runs left %d conversations", len(list))
	}
}

func TestLanguageOfThePage(t *testing.T) {
	h := newHandler(t, newFake())
	for _, c := range [][]string{
		{"en"}, {"en", "Accept-Language", "de, fr;q=0.9"}, {"pt", "Accept-Language", "de, pt-BR;q=0.8, en;q=0.5"}, {"es", "Accept-Language", "en;q=0.1,es-419"},
		{"pt", "Cookie", "language=pt", "Accept-Language", "es"}, {"es", "Cookie", "language=<x>", "Accept-Language", "es"},
	} {
		_, body, _ := do(t, h, "GET", "/", "", c[1:]...)
		if !strings.Contains(body, `<html lang="`+c[0]+`"`) {
			t.Errorf("%v: %.60s", c, body)
		}
	}
}

func TestToolByHandIsStoredAndReadBack(t *testing.T) {
	f := newFake()
	f.scripts["cities__largest"] = func(r *fakeRun) { r.answer("call1", 0, "Largest cities", exact, pie, "Read me.") }
	h := newHandler(t, f)
	run := startRun(t, h, `{"conversation":"","tool":"cities__largest","arguments":{"country":"JP","big":12345678901234567890}}`)
	f.waitEnded(run.ID)

	if _, body, _ := do(t, h, "GET", "/conversations/"+run.Conversation, ""); !strings.Contains(body, `"big":12345678901234567890`) {
		t.Errorf("the conversation lost its arguments' digits: %s", body)
	}
	_, body, _ := do(t, h, "GET", "/runs/"+run.ID, "")
	var told struct {
		Ended  bool
		Events []struct{ Type string }
	}
	if err := json.Unmarshal([]byte(body), &told); err != nil {
		t.Fatal(err)
	}
	var types []string
	for _, e := range told.Events {
		types = append(types, e.Type)
	}
	if diff := cmp.Diff([]string{"tool_call", "tool_call", "force", "chart", "table", "sources", "done"}, types); diff != "" || !told.Ended {
		t.Errorf("events (-want +got):\n%s", diff)
	}
	if _, body, _ := do(t, h, "GET", "/calls/call1", ""); !strings.Contains(body, "12345678901234567890") || !strings.Contains(body, "1.10") {
		t.Errorf("the structured content lost digits: %s", body)
	}
}

func TestTableKeepsEveryDigit(t *testing.T) {
	f := newFake()
	f.scripts["q"] = func(r *fakeRun) { r.answer("call1", 1, "T", exact, "", "") }
	h := newHandler(t, f)
	run := startRun(t, h, `{"text":"q"}`)
	f.waitEnded(run.ID)
	path := "/runs/" + run.ID + "/tables/3"
	_, body, _ := do(t, h, "GET", path, "")
	var page tablePage
	if err := json.Unmarshal([]byte(body), &page); err != nil {
		t.Fatal(err)
	}
	want := []string{"12345678901234567890", "1.10", "37400068", "-0", "1e-7", "0.30000000000000004", "<nil>", "3", "4", "5"}
	var digits []string
	for _, row := range page.Rows {
		if row[1] == nil {
			digits = append(digits, "<nil>")
		} else {
			digits = append(digits, *row[1])
		}
	}
	if diff := cmp.Diff(want, digits); diff != "" {
		t.Errorf("digits (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]tableColumn{{"name", false}, {"digits", true}, {"as text", false}}, page.Columns); diff != "" {
		t.Errorf("columns (-want +got):\n%s", diff)
	}

	rest := "people,37400068,37400068\r\nzero,-0,-0\r\nsmall,1e-7,1e-7\r\nsum,0.30000000000000004,0.1+0.2\r\nnone,,\r\nempty,3,\"\"\r\n"
	head := "name,digits,as text\r\nbig,12345678901234567890,12345678901234567890\r\nprice,1.10,1.10\r\n"
	_, csv, header := do(t, h, "GET", path+"/csv", "")
	if diff := cmp.Diff(head+rest+"formula,4,=1+1\r\ncomma,5,\"a,\"\"b\"\"\nc\"\r\n", csv); diff != "" || !strings.Contains(header.Get("Content-Disposition"), "attachment") {
		t.Errorf("exact CSV (-want +got):\n%s", diff)
	}
	_, csv, _ = do(t, h, "GET", path+"/csv?spreadsheet", "")
	if diff := cmp.Diff("\uFEFF"+head+rest+"formula,4,'=1+1\r\ncomma,5,\"a,\"\"b\"\"\nc\"\r\n", csv); diff != "" {
		t.Errorf("spreadsheet CSV (-want +got):\n%s", diff)
	}
	if status, _, _ := do(t, h, "GET", "/runs/"+run.ID+"/tables/2", ""); status != http.StatusNotFound {
		t.Errorf("an event that is no table answers %d", status)
	}
}

func TestPagesSortsAndFilters(t *testing.T) {
	table, err := readTable(json.RawMessage(long(450)))
	if err != nil {
		t.Fatal(err)
	}
	p := table.page(0, pageRows, 1, true, "")
	if len(p.Rows) != 200 || *p.Rows[0][1] != "449" || *p.Rows[199][1] != "250" {
		t.Errorf("first page: %d rows from %s to %s", len(p.Rows), *p.Rows[0][1], *p.Rows[199][1])
	}
	if p := table.page(9, pageRows, 1, false, ""); p.Page != 2 || len(p.Rows) != 50 || *p.Rows[49][1] != "449" {
		t.Errorf("past the end: page %d with %d rows", p.Page, len(p.Rows))
	}
	if p := table.page(0, pageRows, -1, false, "city 44"); p.Matched != 11 || p.Total != 450 {
		t.Errorf("filter: %d of %d", p.Matched, p.Total)
	}
	if p := table.page(0, pageRows, -1, false, "4,48", "448"); p.Matched != 2 {
		t.Errorf("digits with a mark between them find %d rows", p.Matched)
	}
	if p := table.page(0, pageRows, 0, false, "no such"); p.Matched != 0 || len(p.Rows) != 0 {
		t.Errorf("a filter that keeps nothing keeps %d", p.Matched)
	}
	table, err = readTable(json.RawMessage(`[["n"],[10],["9"],[null],[-1e400],[12345678901234567891],[12345678901234567890],[0.1],[1e-1],[-0],[1e99999999999999999999]]`))
	if err != nil {
		t.Fatal(err)
	}
	var sorted []string
	for _, row := range table.sort(0, false).rows {
		if row[0].text == nil {
			sorted = append(sorted, "null")
		} else {
			sorted = append(sorted, *row[0].text)
		}
	}
	if diff := cmp.Diff([]string{"-1e400", "-0", "0.1", "1e-1", "9", "10", "12345678901234567890", "12345678901234567891", "1e99999999999999999999", "null"}, sorted); diff != "" {
		t.Errorf("sorted (-want +got):\n%s", diff)
	}
}

func TestFormulasAreFound(t *testing.T) {
	for text, want := range map[string]bool{
		"=1": true, "+1+1": true, "-A1": true, "@x": true, " =1": true, "\t=1": true, "\u200b=1": true, "\uff1d1": true, "\ufeff=1": true, "\tx": true, "\r": true,
		"\u00a0=1": true, "\u00ad=1": true, "\ufe661": true, "-1": false, "-1.5e3": false, "-3%": false, "+1.234,5 %": false, "-1-1": true, "-3%+A1": true, "1=1": false, "a": false, "": false, "'=1": false,
	} {
		if got := isFormula(text); got != want {
			t.Errorf("isFormula(%q) is %v", text, got)
		}
	}
}

// A spreadsheet that is set to another separator cuts a text into cells of its own.
func TestNoPartOfATextIsAFormula(t *testing.T) {
	for text, want := range map[string]string{
		"a;=1": "a;'=1", "a\t=1": "a\t'=1", "a\n-b": "a\n'-b", "a; \u200b@x;+y": "a; \u200b'@x;'+y", "=1;=2": "'=1;'=2", "a\r\n\t=1": "a\r\n\t'=1",
		"a,=1": "a,=1", "a=1;b": "a=1;b", "a;'=1": "a;'=1", "-1": "-1",
	} {
		if got := harmless(text); got != want {
			t.Errorf("harmless(%q) is %q, want %q", text, got, want)
		}
	}
}

// read returns the events of a stream until done, or n of them.
func read(t *testing.T, body io.Reader, n int) (ids []string, events []viewEvent) {
	t.Helper()
	lines := bufio.NewScanner(body)
	lines.Buffer(nil, 4<<20)
	for lines.Scan() {
		if id, ok := strings.CutPrefix(lines.Text(), "id: "); ok {
			ids = append(ids, id)
		}
		if data, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
			var e viewEvent
			if err := json.Unmarshal([]byte(data), &e); err != nil {
				t.Fatal(err)
			}
			events = append(events, e)
			if len(events) == n {
				return ids, events
			}
		}
	}
	return ids, events
}

func TestStreamResumesBehindTheLastEvent(t *testing.T) {
	f := newFake()
	go_on := make(chan struct{})
	f.scripts["q"] = func(r *fakeRun) {
		r.tell(&chat.Text{Turn: 1, Text: "**one"}, &chat.ToolCall{ID: "c", State: chat.Running})
		<-go_on
		r.tell(&chat.Text{Turn: 2, Text: "two "}, &chat.Text{Turn: 2, Text: "three"}, &chat.Text{Turn: 2, Text: "two three", Final: true})
	}
	server := httptest.NewServer(newHandler(t, f))
	defer server.Close()
	run := startRun(t, newHandler(t, f), `{"text":"q"}`)
	get := func(last string) *http.Response {
		r, _ := http.NewRequestWithContext(t.Context(), "GET", server.URL+"/runs/"+run.ID+"/events", nil)
		r.Header.Set("Last-Event-ID", last)
		response, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { response.Body.Close() })
		return response
	}
	first := get("")
	if kind := first.Header.Get("Content-Type"); kind != "text/event-stream" {
		t.Errorf("content type %s", kind)
	}
	ids, _ := read(t, first.Body, 2)
	if diff := cmp.Diff([]string{"1", "2"}, ids); diff != "" {
		t.Errorf("first events (-want +got):\n%s", diff)
	}
	second := get("2")
	close(go_on)
	ids, events := read(t, second.Body, -1)
	if len(ids) < 2 || ids[len(ids)-2] != "5" || ids[len(ids)-1] != "6" || events[len(events)-1].Type != "done" {
		t.Errorf("behind 2 came %v", ids)
	}
	if got, _ := json.Marshal(events[len(events)-2].Data); string(got) != `{"final":true,"prose":[["p",{},"two three"],"\n"],"turn":2}` {
		t.Errorf("the last text is %s", got)
	}
	if third := get("6"); third.StatusCode != http.StatusNoContent {
		t.Errorf("behind the end: %d", third.StatusCode)
	}
}

func TestOthersSeeNothing(t *testing.T) {
	f := newFake()
	owner := "a"
	h, err := New(Config{Chat: f, Tools: f, Store: f, Owner: func(*http.Request) (string, bool) { return owner, owner != "" }})
	if err != nil {
		t.Fatal(err)
	}
	run := startRun(t, h, `{"text":"q"}`)
	f.waitEnded(run.ID)
	paths := []string{"/conversations/" + run.Conversation, "/runs/" + run.ID, "/runs/" + run.ID + "/events", "/runs/" + run.ID + "/tables/1"}
	owner = "b"
	for _, path := range paths {
		if status, _, _ := do(t, h, "GET", path, ""); status != http.StatusNotFound {
			t.Errorf("%s answers another owner %d", path, status)
		}
	}
	owner = ""
	for _, path := range append(paths, "/tools", "/conversations") {
		if status, _, _ := do(t, h, "GET", path, ""); status != http.StatusUnauthorized {
			t.Errorf("%s answers nobody %d", path, status)
		}
	}
}
