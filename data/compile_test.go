package data

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The promise of the package: what is built without a source does not compile. The compiler reads one file for each statement; those
// that want nothing must compile, or the others would prove nothing.
func TestNoSourceDoesNotCompile(t *testing.T) {
	const head = `package main

import (
	"context"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych"
	"github.com/diptych-mcp/diptych/data"
)

func f%d(r *data.Registry, t *mcp.Tool) (context.Context, *diptych.Error) {
	_ = %s
	return nil, nil
}
`
	const returns = `func(context.Context, struct{}) (data.Result, error) { return data.NewResult("words", data.Source{URL: "u"}), nil }`
	tests := []struct{ name, expression, want string }{
		{"a result with text and source", `data.NewResult("words", data.Source{URL: "u"}, data.Source{URL: "v"}, data.NewTable(nil), data.Force("f"))`, ""},
		{"a tool that returns it", `data.Add(r, t, ` + returns + `, data.Timeout(1))`, ""},
		{"a result without a source", `data.NewResult("words")`, "not enough arguments in call to data.NewResult"},
		{"a result without a text", `data.NewResult(data.Source{URL: "u"})`, "not enough arguments in call to data.NewResult"},
		{"a URL in place of a source", `data.NewResult("words", "https://example.org/d")`, "as data.Source value"},
		{"a table in place of the source", `data.NewResult("words", data.NewTable(nil))`, "as data.Source value"},
		{"a part of one's own", `data.NewResult("words", data.Source{URL: "u"}, struct{}{})`, "does not implement data.Part"},
		{"fields set by hand", `data.Result{content: "words"}`, "unexported field content"},
		{"a tool that returns a string", `data.Add(r, t, func(context.Context, struct{}) (string, error) { return "", nil })`, "data.Result"},
		{"Unstructured", `data.Add(r, t, ` + returns + `, diptych.Unstructured())`, "does not implement data.Option"},
		{"Strict for one tool", `data.Add(r, t, ` + returns + `, data.Strict())`, "does not implement data.Option"},
	}
	dir, err := os.MkdirTemp("testdata", "compile")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	for i, tt := range tests {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("f%d.go", i)), fmt.Appendf(nil, head, i, tt.expression), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	out, err := exec.Command("go", "build", "-gcflags=-e", "./"+filepath.ToSlash(dir)).CombinedOutput()
	if err == nil {
		t.Fatal("everything compiles")
	}
	for i, tt := range tests {
		said := ""
		for _, line := range strings.Split(string(out), "\n") {
			if strings.Contains(line, fmt.Sprintf("f%d.go:", i)) {
				said += line
			}
		}
		if tt.want == "" && said != "" || !strings.Contains(said, tt.want) {
			t.Errorf("%s: the compiler said %q, want %q; all of it:\n%s", tt.name, said, tt.want, out)
		}
	}
}
