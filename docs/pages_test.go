// Package docs is the guide, and its tests compare the guide with the code: each block of Go on a page is in a file
// that compiles, and each answer on a page was received over the wire in the same run.
package docs

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the blocks of the pages")

// sources are where the Go of the pages comes from. A region begins with a line "// region NAME" and ends with
// "// endregion".
var sources = []string{"*_test.go", "hello/main.go", "desks/desks.go", "../examples/weather/tools.go", "../examples/production/*.go"}

// shownWhole are programs that a page shows from the first line to the last, as regions of these names.
var shownWhole = []string{"hello", "rooms", "roomsclient"}

// keptElsewhere are pages with a test of their own.
var keptElsewhere = []string{"data.md", "gateway.md"}

// TestPages compares the blocks of each page with their sources. The word after a block's language is its name: of a
// region where the language is Go, else of what a tool answered.
func TestPages(t *testing.T) {
	regions := regions(t)
	answers := answers(t)
	used := map[string]bool{}
	for _, page := range pages(t) {
		if slices.Contains(keptElsewhere, filepath.Base(page)) {
			continue
		}
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		want, err := refill(string(text), func(language, name string) (string, error) {
			from := answers
			if language == "go" {
				from = regions
				used[name] = true
			}
			block, ok := from[name]
			if !ok {
				return "", errors.New("nothing is called " + name)
			}
			return block, nil
		})
		if err != nil {
			t.Errorf("%s: %v", page, err)
			continue
		}
		if *update {
			if err := os.WriteFile(page, []byte(want), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if diff := cmp.Diff(want, string(text)); diff != "" {
			t.Errorf("%s is out of date; run go test ./docs -update (-want +got):\n%s", page, diff)
		}
	}
	for name := range regions {
		if !used[name] {
			t.Errorf("region %s is on no page", name)
		}
	}
}

var fence = regexp.MustCompile("^```([a-z]*) ?(.*)$")

// refill returns a page with the content of each named block replaced.
func refill(page string, content func(language, name string) (string, error)) (string, error) {
	var out []string
	lines := strings.Split(page, "\n")
	for i := 0; i < len(lines); i++ {
		out = append(out, lines[i])
		open := fence.FindStringSubmatch(lines[i])
		if open == nil {
			continue
		}
		end := slices.Index(lines[i+1:], "```")
		if end < 0 {
			return "", errors.New("a block has no end")
		}
		language, name := open[1], open[2]
		block := lines[i+1 : i+1+end]
		switch {
		case name != "":
			text, err := content(language, name)
			if err != nil {
				return "", err
			}
			block = strings.Split(text, "\n")
		case language == "go":
			return "", errors.New("a block of Go does not name its region: " + strings.Join(block, " "))
		}
		out = append(append(out, block...), "```")
		i += end + 1
	}
	return strings.Join(out, "\n"), nil
}

func TestRefillRefusesUnnamedGo(t *testing.T) {
	if _, err := refill("```go\nfoo\n```", nil); err == nil {
		t.Error("a block without a name passed")
	}
}

var (
	regionStart = regexp.MustCompile(`^\s*// region ([a-z-]+)$`)
	regionMark  = regexp.MustCompile(`(?m)^// (region .*|endregion)\n\n`)
)

// regions reads the regions of all sources.
func regions(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, name := range shownWhole {
		program, err := os.ReadFile(filepath.Join(name, "main.go"))
		if err != nil {
			t.Fatal(err)
		}
		all[name] = strings.TrimSpace(regionMark.ReplaceAllString(string(program), ""))
	}
	for _, pattern := range sources {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("no source %s: %v", pattern, err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			lines := strings.Split(string(text), "\n")
			for i, line := range lines {
				start := regionStart.FindStringSubmatch(line)
				if start == nil {
					continue
				}
				name := start[1]
				end := slices.IndexFunc(lines[i:], func(l string) bool { return strings.TrimSpace(l) == "// endregion" })
				if end < 0 {
					t.Fatalf("%s: region %s has no end", file, name)
				}
				if all[name] != "" {
					t.Fatalf("%s: a second region %s", file, name)
				}
				all[name] = dedent(lines[i+1 : i+end])
			}
		}
	}
	return all
}

// dedent takes away the indentation that all lines share, and the blank lines around them.
func dedent(lines []string) string {
	text := strings.Trim(strings.Join(lines, "\n"), "\n")
	indent := text[:len(text)-len(strings.TrimLeft(text, "\t"))]
	return strings.TrimPrefix(strings.ReplaceAll(text, "\n"+indent, "\n"), indent)
}

// pages lists every page of the guide, the README among them.
func pages(t *testing.T) []string {
	t.Helper()
	all := []string{"../README.md", "../CONTRIBUTING.md", "../CHANGELOG.md", "../SECURITY.md"}
	err := filepath.WalkDir(".", func(path string, _ fs.DirEntry, err error) error {
		if strings.HasSuffix(path, ".md") {
			all = append(all, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

var (
	code  = regexp.MustCompile("`[^`\n]*`")
	block = regexp.MustCompile("(?ms)^```.*?^```$")
	link  = regexp.MustCompile(`\]\(([^)#:]*)(?:#([^)]*))?\)`)
)

// TestLinks follows the links between the pages, and to the sections of a page.
func TestLinks(t *testing.T) {
	for _, page := range pages(t) {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range link.FindAllStringSubmatch(code.ReplaceAllString(block.ReplaceAllString(string(text), ""), ""), -1) {
			target := page
			if l[1] != "" {
				target = filepath.Join(filepath.Dir(page), l[1])
			}
			switch _, err := os.Stat(target); {
			case err != nil:
				t.Errorf("%s: there is no %s", page, l[1])
			case l[2] != "" && !hasSection(t, target, l[2]):
				t.Errorf("%s: %s has no section #%s", page, target, l[2])
			}
		}
	}
}

func hasSection(t *testing.T, page, section string) bool {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	return slices.ContainsFunc(headings(string(text)), func(h string) bool {
		return anchor(strings.TrimLeft(h, "# ")) == section
	})
}

// TestLengths checks that the README and the decisions keep to a page each.
func TestLengths(t *testing.T) {
	limits := map[string]int{"../README.md": 120}
	decisions, err := filepath.Glob("adr/0*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range decisions {
		limits[d] = 40
	}
	for page, limit := range limits {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(string(text), "\n"); n > limit {
			t.Errorf("%s has %d lines; at most %d are allowed", page, n, limit)
		}
	}
}

// answers puts together what the tools of all pages answered.
func answers(t *testing.T) map[string]string {
	all := map[string]string{"api": exported(t)}
	for _, page := range []func(*testing.T) map[string]string{
		readmeAnswers, toolsAnswers, resultsAnswers, errorsAnswers, callingAnswers, servingAnswers, migratingAnswers, generatorAnswers, edgesAnswers, commandAnswers, productionFiles, pythonAnswers,
	} {
		maps.Copy(all, page(t))
	}
	return all
}

// TestVersions compares the versions that the README names with the module file.
func TestVersions(t *testing.T) {
	page, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	module, err := os.ReadFile("../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	language := regexp.MustCompile(`(?m)^go (\d+\.\d+)`).FindSubmatch(module)
	sdk := regexp.MustCompile(`go-sdk (v\S+)`).FindSubmatch(module)
	if language == nil || sdk == nil {
		t.Fatalf("the module file names no versions:\n%s", module)
	}
	want := fmt.Sprintf("Go %s or later, and go-sdk %s:", language[1], sdk[1])
	if !strings.Contains(string(page), want) {
		t.Errorf("README.md does not say %q", want)
	}
}
