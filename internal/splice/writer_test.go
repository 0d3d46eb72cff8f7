package splice

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// TestWrite gives the writer messages of every layout.
func TestWrite(t *testing.T) {
	const mark = "MARKMARKMARK"
	event := func(message string) string { return "event: message\ndata: " + message + "\n\n" }
	refused := `{"jsonrpc":"2.0","id":7,"error":{"code":-32603,"message":"` + errLayout.Error() + `"}}`
	for name, c := range map[string]struct {
		writes []string
		want   string
		fails  bool
	}{
		"stream":           {[]string{event(`{"id":7,"result":{"splice":"` + mark + `"}}`)}, event(`{"id":7,"result":{"tools":[]}}`), false},
		"document":         {[]string{`{"id":7,"result":{"splice":"` + mark + `"}}`}, `{"id":7,"result":{"tools":[]}}`, false},
		"behind meta":      {[]string{`{"id":7,"result":{"_meta":{},"splice":"` + mark + `"}}`}, `{"id":7,"result":{"_meta":{},"tools":[]}}`, false},
		"notification":     {[]string{event(`{"method":"n"}`), event(`{"id":7,"result":{"splice":"` + mark + `"}}`)}, event(`{"method":"n"}`) + event(`{"id":7,"result":{"tools":[]}}`), false},
		"another":          {[]string{`{"id":7,"result":{"splice":"other"}}`}, `{"id":7,"result":{"splice":"other"}}`, false},
		"twice":            {[]string{event(`{"id":7,"result":{"splice":"` + mark + `","splice":"` + mark + `"}}`)}, event(refused), false},
		"again":            {[]string{`{"id":7,"result":{"splice":"` + mark + `"}}`, `{"id":7,"result":{"splice":"` + mark + `"}}`}, `{"id":7,"result":{"tools":[]}}` + refused, false},
		"quoted":           {[]string{event(`{"id":7,"result":"{\"splice\":\"` + mark + `\"}"}`)}, event(refused), false},
		"spaced":           {[]string{`{"id":7,"result":{"splice": "` + mark + `"}}`}, refused, false},
		"without an id":    {[]string{`{"result":"` + mark + `"}`}, "", true},
		"an id of no kind": {[]string{`{"id":[],"result":"` + mark + `"}`}, "", true},
		"no message":       {[]string{mark}, "", true},
		"torn":             {[]string{`{"id":7,"result":{"spli`, `ce":"` + mark + `"}}`}, "", true},
		"torn in the mark": {[]string{`{"id":7,"result":{"splice":"` + mark[:5], mark[5:] + `"}}`}, "", true},
	} {
		t.Run(name, func(t *testing.T) {
			w := httptest.NewRecorder()
			s := &slot{ResponseWriter: w, place: place{keeper: new(keeper)}}
			s.kept.Store(&kept{body: body{members: [][]byte{[]byte(`"tools":`), []byte(`[]`)}}, mark: mark})
			var failed bool
			for _, p := range c.writes {
				n, err := s.Write([]byte(p))
				if failed = err != nil; !failed && n != len(p) {
					t.Errorf("wrote %d of %d", n, len(p))
				}
			}
			if got := w.Body.String(); got != c.want || failed != c.fails {
				t.Errorf("wrote %q, failed: %v", got, failed)
			}
			if strings.Contains(w.Body.String(), mark[:5]) {
				t.Error("a mark left")
			}
		})
	}
}

// TestBrokenConnection holds that the error of the connection is the error of the write.
func TestBrokenConnection(t *testing.T) {
	s := &slot{ResponseWriter: broken{}, place: place{keeper: new(keeper)}}
	s.kept.Store(&kept{body: body{members: [][]byte{make([]byte, 2*room)}}, mark: "M"})
	for range 2 {
		if n, err := s.Write([]byte(`{"splice":"M"}`)); n != 0 || err != http.ErrHandlerTimeout {
			t.Errorf("wrote %d, %v", n, err)
		}
	}
}

type broken struct{ http.ResponseWriter }

func (broken) Write([]byte) (int, error) { return 0, http.ErrHandlerTimeout }

// TestFlush holds that the controller finds the connection behind the writer.
func TestFlush(t *testing.T) {
	w := httptest.NewRecorder()
	if err := http.NewResponseController(&slot{ResponseWriter: w}).Flush(); err != nil || !w.Flushed {
		t.Errorf("flushed: %v, %v", w.Flushed, err)
	}
}
