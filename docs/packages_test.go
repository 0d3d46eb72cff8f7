package docs

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	below = regexp.MustCompile("^\\| [^|]*, under `([^`]+)` \\|")
	named = regexp.MustCompile("`([a-z/-]+)`")
)

// TestPackages compares the table of packages in CONTRIBUTING.md with the packages of the repository. Programs, the guide
// and the examples are not in it.
func TestPackages(t *testing.T) {
	text, err := os.ReadFile("../CONTRIBUTING.md")
	if err != nil {
		t.Fatal(err)
	}
	var mapped []string
	prefix := ""
	for line := range strings.Lines(string(text)) {
		if head := below.FindStringSubmatch(line); head != nil {
			prefix = head[1]
			continue
		}
		first, _, ok := strings.Cut(strings.TrimPrefix(line, "| "), " |")
		if !ok || !strings.HasPrefix(line, "| `") {
			continue
		}
		for _, pkg := range named.FindAllStringSubmatch(first, -1) {
			mapped = append(mapped, path.Join(prefix, pkg[1]))
		}
	}
	for _, pkg := range mapped {
		if _, err := os.Stat(filepath.Join("..", pkg)); err != nil {
			t.Errorf("CONTRIBUTING.md has %s, which does not exist", pkg)
		}
	}
	for _, pkg := range packages(t) {
		if !slices.Contains(mapped, pkg) {
			t.Errorf("CONTRIBUTING.md lacks %s", pkg)
		}
	}
}

var inFile = regexp.MustCompile("`([a-z/-]+\\.(?:go|ts))`")

// TestFiles checks that the files to which CONTRIBUTING.md leads exist.
func TestFiles(t *testing.T) {
	text, err := os.ReadFile("../CONTRIBUTING.md")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, file := range inFile.FindAllStringSubmatch(string(text), -1) {
		found++
		if _, err := os.Stat(filepath.Join("..", file[1])); err != nil {
			t.Errorf("CONTRIBUTING.md leads to %s, which does not exist", file[1])
		}
	}
	if found < 8 {
		t.Errorf("only %d files were found in CONTRIBUTING.md", found)
	}
}

// packages are the folders with a package that others may import.
func packages(t *testing.T) []string {
	t.Helper()
	var all []string
	err := filepath.WalkDir("..", func(file string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := entry.Name()
		switch {
		case entry.IsDir() && len(name) > 2 && (name[0] == '.' || slices.Contains([]string{"testdata", "node_modules", "docs", "examples"}, name)):
			return filepath.SkipDir
		case !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		pkg := strings.TrimPrefix(filepath.ToSlash(filepath.Dir(file)), "../")
		if pkg == ".." || slices.Contains(all, pkg) {
			return nil
		}
		source, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.PackageClauseOnly)
		if err == nil && source.Name.Name != "main" {
			all = append(all, pkg)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}
