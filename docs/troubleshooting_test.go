package docs

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// notInSource are texts of the page that are in no string of the sources, with where they come from.
var notInSource = []string{
	"undefined: diptych.GeneratedVersion1",                              // the compiler
	"401 Unauthorized", "403 Forbidden", "413 Request Entity Too Large", // names of status codes

	// Hosts; hosts.md has their versions.
	"Error: Function failed.", "Server-sent event exceeded the 1048576 byte limit", "SSE stream ended without a response",
	"Name must be less than 64 characters", "Only letters, numbers, '_' and '-'", "RecursionError", "Circular reference detected",
	"email-validator is not installed",
}

var (
	entry  = regexp.MustCompile("(?m)^\\* ((?:`[^`]+`(?:, | or )?)+)")
	quoted = regexp.MustCompile("`([^`]+)`")
	verb   = regexp.MustCompile(`%(\[\d\])?[-+# 0]*[vTtqsdxXwegf]`)
)

// TestTroubleshooting looks for each error text of the page in the strings of the sources, so that none goes stale. What
// "…" means on the page is a verb of fmt, or the border of a string, there.
func TestTroubleshooting(t *testing.T) {
	page, err := os.ReadFile("troubleshooting.md")
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]bool{}
	for _, line := range entry.FindAllStringSubmatch(string(page), -1) {
		for _, q := range quoted.FindAllStringSubmatch(line[1], -1) {
			texts[q[1]] = true
		}
	}
	if len(texts) < 50 {
		t.Fatalf("only %d texts were found on the page", len(texts))
	}
	said := literals(t)
	for text := range texts {
		if !slices.Contains(notInSource, text) && !saidSomewhere(said, text) {
			t.Errorf("troubleshooting.md quotes %q, which no program says", text)
		}
	}
}

func saidSomewhere(said []string, text string) bool {
	var parts []string
	for _, p := range strings.Split(text, "…") {
		if p != "" {
			parts = append(parts, regexp.QuoteMeta(p))
		}
	}
	return slices.ContainsFunc(said, regexp.MustCompile(strings.Join(parts, "(?s:.*)")).MatchString)
}

func TestSaidSomewhere(t *testing.T) {
	said := []string{"no server named …; did you mean …?"}
	for text, want := range map[string]bool{
		"no server named …; did you mean …": true,
		"no server named":                   true,
		"no server called …":                false,
		"did you mean … no server":          false,
	} {
		if saidSomewhere(said, text) != want {
			t.Errorf("%q: got %v", text, !want)
		}
	}
}

// literals are the strings in the sources of this repository, and of the two packages whose refusals the page explains.
// Verbs of fmt are "…" in them.
func literals(t *testing.T) []string {
	t.Helper()
	sdk, err := exec.CommandContext(t.Context(), "go", "list", "-f", "{{.Dir}}", "github.com/modelcontextprotocol/go-sdk/mcp", "net/http").Output()
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, folder := range append(strings.Fields(string(sdk)), "..") {
		err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case entry.IsDir() && path != folder && (folder != ".." || strings.HasPrefix(entry.Name(), ".") || slices.Contains([]string{"node_modules", "testdata"}, entry.Name())):
				return filepath.SkipDir
			case !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
				return nil
			}
			source, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			all = append(all, stringsOf(source)...)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// stringsOf reads the strings of a file. What a plus joins is one string, in which "…" is what is no literal.
func stringsOf(source []byte) []string {
	file, err := parser.ParseFile(token.NewFileSet(), "", source, parser.SkipObjectResolution)
	if err != nil {
		return nil // a file for a test of a parser
	}
	var all []string
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			if text, ok := joined(n); ok && n.Op == token.ADD {
				all = append(all, text)
				return false
			}
		case *ast.BasicLit:
			if text, ok := joined(n); ok {
				all = append(all, text)
			}
		}
		return true
	})
	return all
}

// joined is the text of a literal or of a sum with a literal in it.
func joined(e ast.Expr) (text string, ok bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		if text, err := strconv.Unquote(e.Value); e.Kind == token.STRING && err == nil {
			return verb.ReplaceAllString(text, "…"), true
		}
	case *ast.BinaryExpr:
		if e.Op == token.ADD {
			left, one := joined(e.X)
			right, other := joined(e.Y)
			return left + right, one || other
		}
	}
	return "…", false
}
