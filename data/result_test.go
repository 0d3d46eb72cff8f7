package data

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestResult(t *testing.T) {
	src := Source{URL: dataURL}
	chart := Pie([]int{1}, func(int) string { return "one" }, func(n int) float64 { return float64(n) })
	tests := []struct {
		name   string
		result Result
		want   string
		said   []string
	}{
		{"source alone", NewResult("words", src), `{"sources":["https://example.org/d"]}`, nil},
		{"everything, in one order", NewResult("words", src, Force("<as it stands> & so"), chart, NewTable([]string{"A"}), Meta{"k": 1},
			Source{"https://example.org/e?a=1&b=2", "Title", "Publisher", "CC0-1.0", "2026-09-17", "2025"}),
			`{"sources":["https://example.org/d",{"url":"https://example.org/e?a=1&b=2","title":"Title","publisher":"Publisher","license":"CC0-1.0","retrieved_at":"2026-09-17","period":"2025"}],` +
				`"table":[["A"]],"charts":[{"type":"pie","data":{"labels":["one"],"datasets":[{"data":[1]}]}}],"force":"<as it stands> & so"}`, nil},
		{"empty force is absent", NewResult("words", src, Force("")), `{"sources":["https://example.org/d"]}`, nil},
		{"nil part", NewResult("words", src, nil), `{"sources":["https://example.org/d"]}`, nil},
		{"zero", Result{}, "", []string{"content: no text; say in words what the data says", "sources: empty; name at least one source"}},
		{"blank text", NewResult(" \n", src), "", []string{"content: no text; say in words what the data says"}},
		{"text is not UTF-8", NewResult("\xff", src), "", []string{"content: not valid UTF-8"}},
		{"zero source", NewResult("words", Source{}), "", []string{"sources[0]: empty; give the http or https URL of the data"}},
		{"source with a title alone", NewResult("words", Source{Title: "T"}), "", []string{"sources[0].url: empty; give the http or https URL of the data"}},
		{"source is not UTF-8", NewResult("words", Source{URL: dataURL + "/\xff"}), "", []string{"sources[0]: not valid UTF-8"}},
		{"force is not UTF-8", NewResult("words", src, Force("\xff")), "", []string{"force: not valid UTF-8"}},
		{"label is not UTF-8", NewResult("words", src, Pie([]int{1}, func(int) string { return "\xff" }, func(int) float64 { return 1 })), "",
			[]string{"charts[0].data.labels[0]: not valid UTF-8"}},
		{"two tables", NewResult("words", src, NewTable([]string{"A"}), NewTable([]string{"B"})), "", []string{"table: given 2 times; a result has one table"}},
		{"two forces", NewResult("words", src, Force("a"), Force("b")), "", []string{"force: given 2 times; a result has one"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := tt.result.MarshalJSON()
			if diff := cmp.Diff(append([]string{}, tt.said...), said(err)); diff != "" {
				t.Fatalf("(-want +got)\n%s", diff)
			}
			if diff := cmp.Diff(tt.want, string(got)); tt.said == nil && diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestResultThroughEncodingJSON(t *testing.T) {
	got, err := json.Marshal(map[string]Result{"r": NewResult("words", Source{URL: dataURL})})
	if err != nil || string(got) != `{"r":{"sources":["https://example.org/d"]}}` {
		t.Errorf("got %s, %v", got, err)
	}
	if _, err := json.Marshal(Result{}); err == nil || !strings.Contains(err.Error(), "sources: empty") {
		t.Errorf("the zero result: got %v", err)
	}
}

// Meta is copied: the SDK writes into a result's _meta.
func TestMetaIsCopied(t *testing.T) {
	mine := Meta{"k": 1}
	r := NewResult("words", Source{URL: dataURL}, mine, Meta{"k": 2})
	if mine["k"] != 1 || r.meta["k"] != 2 {
		t.Errorf("author's %v, result's %v", mine, r.meta)
	}
}
