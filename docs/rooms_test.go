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

// TestRooms holds the map in CONTRIBUTING.md to the packages that there are. Programs are found by their folders; the
// guide and the examples speak for themselves.
func TestRooms(t *testing.T) {
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
		for _, room := range named.FindAllStringSubmatch(first, -1) {
			mapped = append(mapped, path.Join(prefix, room[1]))
		}
	}
	for _, room := range mapped {
		if _, err := os.Stat(filepath.Join("..", room)); err != nil {
			t.Errorf("the map has %s, which is not there", room)
		}
	}
	for _, room := range packages(t) {
		if !slices.Contains(mapped, room) {
			t.Errorf("the map in CONTRIBUTING.md lacks %s", room)
		}
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
		room := strings.TrimPrefix(filepath.ToSlash(filepath.Dir(file)), "../")
		if room == ".." || slices.Contains(all, room) {
			return nil
		}
		source, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.PackageClauseOnly)
		if err == nil && source.Name.Name != "main" {
			all = append(all, room)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}
