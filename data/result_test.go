package data

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
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

// The promise of the package: what names no source does not compile. Each program differs from the first, which does, in one
// place.
func TestNoSourceDoesNotCompile(t *testing.T) {
	const head = `package main

import (
	"context"

	"github.com/diptych-mcp/diptych"
	"github.com/diptych-mcp/diptych/data"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

var _ = diptych.Errorf
var _ context.Context

func main() {
	r := data.NewRegistry(mcp.NewServer(&mcp.Implementation{Name: "s"}, nil))
	_ = r
`
	tests := []struct{ name, body, want string }{
		{"a result with text and source", `_ = data.Add(r, &mcp.Tool{Name: "t"}, func(context.Context, struct{}) (data.Result, error) {
		return data.NewResult("words", data.Source{URL: "https://example.org/d"}), nil })`, ""},
		{"a result without a source", `_ = data.NewResult("words")`, "not enough arguments in call to data.NewResult"},
		{"a result without a text", `_ = data.NewResult(data.Source{URL: "https://example.org/d"})`, "not enough arguments in call to data.NewResult"},
		{"a table in place of the source", `_ = data.NewResult("words", data.NewTable(nil))`, "cannot use data.NewTable"},
		{"a part of one's own", `type own struct{}; _ = data.NewResult("words", data.Source{}, own{})`, "does not implement data.Part"},
		{"fields set by hand", `_ = data.Result{content: "words"}`, "unknown field content"},
		{"a tool that returns a string", `_ = data.Add(r, &mcp.Tool{Name: "t"}, func(context.Context, struct{}) (string, error) { return "", nil })`, "does not match diptych.Func[In, data.Result]"},
		{"Unstructured", `_ = data.Add(r, &mcp.Tool{Name: "t"}, func(context.Context, struct{}) (data.Result, error) { return data.Result{}, nil }, diptych.Unstructured())`, "does not implement data.Option"},
		{"Strict for one tool", `_ = data.Add(r, &mcp.Tool{Name: "t"}, func(context.Context, struct{}) (data.Result, error) { return data.Result{}, nil }, data.Strict())`, "does not implement data.Option"},
	}
	dir, err := os.MkdirTemp(".", "testdata/compile")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	for i, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			file := filepath.Join(dir, string(rune('a'+i))+".go")
			if err := os.WriteFile(file, []byte(head+tt.body+"\n}\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			out, err := exec.Command("go", "vet", file).CombinedOutput()
			switch {
			case tt.want == "" && err != nil:
				t.Errorf("does not compile: %s", out)
			case tt.want != "" && (err == nil || !strings.Contains(string(out), tt.want)):
				t.Errorf("got %v, want %q in\n%s", err, tt.want, out)
			}
		})
	}
}
