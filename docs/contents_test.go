package docs

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// contentsPrefix begins the paragraph that lists the sections of a long page.
const contentsPrefix = "On this page: "

// TestContents checks that pages of more than 120 lines list their sections after their first paragraph.
func TestContents(t *testing.T) {
	guide, err := filepath.Glob("*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range guide {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		if page == "README.md" || strings.Count(string(text), "\n") <= 120 {
			continue
		}
		if first := strings.Split(string(text), "\n\n")[1]; !strings.HasSuffix(first, ".") {
			t.Errorf("%s: the first paragraph does not end with a full stop; the contents come after it", page)
		}
		want := withContents(string(text))
		if *update {
			if err := os.WriteFile(page, []byte(want), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if want != string(text) {
			t.Errorf("%s: the contents are out of date; run go test ./docs -update", page)
		}
	}
}

// withContents puts the contents of a page after its first paragraph, in place of those that it has.
func withContents(page string) string {
	paragraphs := slices.DeleteFunc(strings.Split(page, "\n\n"), func(p string) bool { return strings.HasPrefix(p, contentsPrefix) })
	return strings.Join(slices.Insert(paragraphs, 2, contentsPrefix+contents(page)), "\n\n")
}

// contents links the sections of a page, one after the other.
func contents(page string) string {
	var links []string
	for _, h := range headings(page) {
		if title, ok := strings.CutPrefix(h, "## "); ok {
			links = append(links, "["+title+"](#"+anchor(title)+")")
		}
	}
	return strings.Join(links, " ·\n")
}

// headings are the lines of a page, outside of its blocks, that begin a section.
func headings(page string) []string {
	var all []string
	for line := range strings.Lines(block.ReplaceAllString(page, "")) {
		if strings.HasPrefix(line, "#") {
			all = append(all, strings.TrimSpace(line))
		}
	}
	return all
}

var dropped = regexp.MustCompile(`[^\pL\pN _-]`)

// anchor is what GitHub makes of a heading.
func anchor(title string) string {
	return strings.ReplaceAll(dropped.ReplaceAllString(strings.ToLower(title), ""), " ", "-")
}

// TestIndex checks that the guide's first page lists every other page.
func TestIndex(t *testing.T) {
	index, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	guide, err := filepath.Glob("*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range guide {
		if page != "README.md" && !strings.Contains(string(index), "]("+page+")") {
			t.Errorf("docs/README.md does not list %s", page)
		}
	}
	decisions, err := os.ReadFile("adr/README.md")
	if err != nil {
		t.Fatal(err)
	}
	pages, err := filepath.Glob("adr/0*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		title, _, _ := strings.Cut(string(text), "\n")
		number, name, _ := strings.Cut(strings.TrimPrefix(title, "# "), ". ")
		file := filepath.Base(page)
		if strings.TrimLeft(file[:4], "0") != number {
			t.Errorf("%s has the number %s in its title", page, number)
		}
		if entry := "* [" + file[:4] + "](" + file + ") " + name + "\n"; !strings.Contains(string(decisions), entry) {
			t.Errorf("adr/README.md has no line %q", entry)
		}
	}
}

var ornament = regexp.MustCompile(`(?i)\b(stands?|whoever|nobody|in vain|furnished|have the word|has the word|says? yes or no)\b`)

// TestWords looks in all pages for words that have a plain equivalent.
func TestWords(t *testing.T) {
	for _, page := range pages(t) {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(code.ReplaceAllString(block.ReplaceAllString(string(text), ""), "")) {
			if word := ornament.FindString(line); word != "" {
				t.Errorf("%s has %q; write who does what: %s", page, word, line)
			}
		}
	}
}

// TestWorkflow checks that what runs on a server is .ci/run alone, so that what is red there can be run here.
func TestWorkflow(t *testing.T) {
	text, err := os.ReadFile("../.github/workflows/ci.yml")
	if err != nil {
		t.Fatal(err)
	}
	var steps []string
	for _, s := range regexp.MustCompile(`(?m)^ *-? *(run: .*|uses: [^@]*)`).FindAllStringSubmatch(string(text), -1) {
		steps = append(steps, s[1])
	}
	if want := []string{"uses: actions/checkout", "run: .ci/run"}; !slices.Equal(steps, want) {
		t.Errorf("the steps are %q, want %q", steps, want)
	}
}
