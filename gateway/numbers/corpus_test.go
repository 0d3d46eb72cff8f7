package numbers

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
)

// A corpus is tables and sentences about them, of which one figure is true or false.
type corpus struct {
	Tables []struct {
		Name    string
		Columns [][]string
	}
	Sentences []struct {
		Table                        int
		Language, Text, Figure, Kind string
		True                         bool
	}
}

func readCorpus(t *testing.T) corpus {
	raw, err := os.ReadFile("testdata/corpus.json")
	if err != nil {
		t.Fatal(err)
	}
	var c corpus
	if err := json.Unmarshal(raw, &c); err != nil {
		t.Fatal(err)
	}
	return c
}

// A rate is how many of some sentences have a verdict.
type rate struct{ have, of int }

func (r rate) String() string { return fmt.Sprintf("%d of %d (%.1f %%)", r.have, r.of, r.part()) }

func (r rate) part() float64 { return 100 * float64(r.have) / float64(max(r.of, 1)) }

// True figures are marked at most one time in twenty, and false ones are found at most one time in ten. A figure of another row
// or year is in the data, and no check of figures alone can tell; how many there are is in docs/numbers.md.
func TestCorpus(t *testing.T) {
	c := readCorpus(t)
	if len(c.Tables) < 12 || len(c.Sentences) < 300 {
		t.Errorf("%d tables and %d sentences", len(c.Tables), len(c.Sentences))
	}
	var marked, found, told rate
	kinds := map[string]rate{}
	for _, s := range c.Sentences {
		verdict := Verdict("missing")
		for _, f := range Check(t.Context(), s.Text, c.Tables[s.Table].Columns...) {
			if s.Text[f.Start:f.End] == s.Figure || strings.HasPrefix(s.Figure, s.Text[f.Start:f.End]) {
				verdict = f.Verdict
			}
		}
		k := kinds[s.Kind]
		k.of++
		switch {
		case verdict == "missing":
			t.Errorf("%q: %q is no figure", s.Text, s.Figure)
		case s.True:
			marked.of++
			told.of++
			if verdict == Nowhere {
				marked.have++
				k.have++
				t.Logf("%s: true, and found nowhere: %s", c.Tables[s.Table].Name, s.Text)
			} else if verdict != Unclear {
				told.have++
			}
		default:
			found.of++
			if verdict != Nowhere && verdict != Unclear {
				found.have++
				k.have++
				t.Logf("%s: false (%s), and found as %s: %s", c.Tables[s.Table].Name, s.Kind, verdict, s.Text)
			}
		}
		kinds[s.Kind] = k
	}
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		t.Logf("%-18s %v", kind, kinds[kind])
	}
	t.Logf("true ones marked: %v; false ones found: %v; true ones that are told from where: %v", marked, found, told)
	inDocs(t, marked, found, told)
	if marked.part() > 5 || found.part() > 10 || told.part() < 60 {
		t.Errorf("true ones marked: %v, want 5 %% at most; false ones found: %v, want 10 %% at most; true ones told: %v, want 60 %% at least", marked, found, told)
	}
}

// inDocs checks that the page about the check has what is measured.
func inDocs(t *testing.T, rates ...rate) {
	t.Helper()
	page, err := os.ReadFile("../../docs/numbers.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rates {
		if !strings.Contains(string(page), "| "+r.String()+" |") {
			t.Errorf("docs/numbers.md does not have %v", r)
		}
	}
}

// A random figure is in the data one time in a hundred at most, and derived one time in twenty.
func TestRandomFigures(t *testing.T) {
	c := readCorpus(t)
	r := rand.New(rand.NewPCG(1, 2))
	var present, derived rate
	for range 1500 {
		table := c.Tables[r.IntN(len(c.Tables))]
		text := fmt.Sprintf("It is %d.%d %%.", 10+r.IntN(90), r.IntN(10))
		switch r.IntN(3) {
		case 1:
			text = fmt.Sprintf("It is %d.%d million.", 1+r.IntN(40), r.IntN(10))
		case 2:
			text = fmt.Sprintf("It is %d.", 100_000+r.IntN(40_000_000))
		}
		for _, f := range Check(t.Context(), text, table.Columns...) {
			present.of++
			derived.of++
			switch f.Verdict {
			case Present:
				present.have++
			case Sum, Difference, Ratio, Share:
				derived.have++
			}
		}
	}
	t.Logf("in the data: %v; derived: %v", present, derived)
	inDocs(t, present, derived)
	if present.part() > 1 || derived.part() > 5 {
		t.Errorf("random figures in the data: %v, want 1 %% at most; derived: %v, want 5 %% at most", present, derived)
	}
}
