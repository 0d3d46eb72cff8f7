package docs

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestFigures compares the figures that other pages take from speed.md with its tables.
func TestFigures(t *testing.T) {
	text, err := os.ReadFile("speed.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range []struct {
		page, sentence       string
		section, row, column string
	}{
		{"../README.md", "10,000 rows over HTTP takes %s of the CPU time", "The whole call over HTTP", "10,000 rows", "diptych"},
		{"choosing.md", "10,000 rows cost %s of the CPU time", "The whole call over HTTP", "10,000 rows", "diptych"},
		{"choosing.md", "its typed path, which does, costs %s of that", "The whole call over HTTP", "10,000 rows", "official, typed"},
	} {
		page, err := os.ReadFile(f.page)
		if err != nil {
			t.Fatal(err)
		}
		ratio, err := strconv.ParseFloat(cell(string(text), f.section, f.row, f.column), 64)
		if err != nil {
			t.Fatal(err)
		}
		want := fmt.Sprintf(f.sentence, fmt.Sprintf("%.0f %%", 100*ratio))
		if !strings.Contains(strings.ReplaceAll(string(page), "\n", " "), want) {
			t.Errorf("%s does not say %q, as speed.md does under %q", f.page, want, f.section)
		}
	}
}

// cell reads one cell of the table below a heading. It is empty where the table has no such cell.
func cell(page, section, row, column string) string {
	_, under, _ := strings.Cut(page, "\n### "+section+"\n")
	at := -1
	for line := range strings.Lines(under) {
		cells := strings.Split(strings.TrimSpace(line), " | ")
		switch first := strings.TrimPrefix(cells[0], "| "); {
		case strings.HasPrefix(line, "#"):
			return ""
		case at < 0 && len(cells) > 1:
			cells[len(cells)-1] = strings.TrimSuffix(cells[len(cells)-1], " |")
			at = slices.Index(cells, column)
		case first == row && at < len(cells):
			return strings.TrimSuffix(cells[at], " |")
		}
	}
	return ""
}
