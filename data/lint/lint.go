// Package lint looks at what a data tool answered and says what its author would want to know before a user finds out: a
// content without the figures of the table, figures that are in no cell, an empty result without an explanation. It needs the two panels alone, so it judges any server's
// tools.
package lint

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/big"
	"strconv"
	"strings"
	"unicode"

	"github.com/diptych-mcp/diptych/data"
)

// The rules that a [Finding] names.
const (
	Contract = "contract" // the structured content is not a data tool's
	Blind    = "blind"    // the model reads none of the figures that the screen shows
	Orphan   = "orphan"   // the model reads a figure that the screen does not show
	Silent   = "silent"   // nothing was found, and no word says so
	Long     = "long"     // the content costs more tokens than it may
	Column   = "column"   // a column of the table is read as something else than it is
	// Misleading is a chart of true figures that misleads the eye.
	Misleading = "misleading"
)

// A Finding is one thing to mend: the rule, and what to do about it.
type Finding struct{ Rule, Text string }

func (f Finding) String() string { return f.Rule + ": " + f.Text }

// Result judges one result: the texts of its content blocks and its structured content as it came. A budget of 0 is [Budget].
//
// Figures are compared by value, digit grouping and decimal marks in either fashion ignored. Counts of rows, columns, sources
// and charts are known figures, and so are ranks up to twenty within the table. Figures in headers, labels, titles and sources
// are known too.
func Result(content []string, structured []byte, budget int) []Finding {
	var findings []Finding
	find := func(rule, format string, args ...any) {
		findings = append(findings, Finding{rule, fmt.Sprintf(format, args...)})
	}
	if err := data.Check(structured); err != nil {
		for _, line := range strings.Split(err.Error(), "\n") {
			find(Contract, "%s", line)
		}
		return findings
	}
	text := strings.Join(content, "\n")
	s := screenOf(structured)
	for _, c := range s.columns {
		c.look(find)
	}
	for i, c := range s.charts {
		c.look(i, find)
	}
	said := numbers(text)
	if (s.rows == 0 && s.hasTable || strings.TrimSpace(text) == "") && words(text) < 3 {
		find(Silent, "the result is empty and the content does not say so; say in words that nothing was found, and why")
	}
	if s.blind(text, said) {
		find(Blind, "the content repeats nothing of what the screen shows; name the figures in it, or compose it with data.Text")
	}
	orphans := 0
	for _, n := range said {
		if s.has(n) {
			continue
		}
		if orphans++; orphans <= maxOrphans {
			find(Orphan, "%s is in no cell, chart or source; put the figure on the screen or take it out of the content", n.text)
		}
	}
	if orphans > maxOrphans {
		find(Orphan, "and %d more", orphans-maxOrphans)
	}
	if budget == 0 {
		budget = Budget
	}
	if n := tokens(text); n > budget {
		find(Long, "the content has about %d tokens, want at most %d; summarise, and leave the rows to the table", n, budget)
	}
	return findings
}

// tokens estimates: four bytes are about one token in most languages.
func tokens(text string) int { return (len(text) + 3) / 4 }

func words(text string) int {
	n := 0
	for _, w := range strings.Fields(text) {
		if strings.IndexFunc(w, unicode.IsLetter) >= 0 {
			n++
		}
	}
	return n
}

// A screen is what structured content shows.
type screen struct {
	hasTable bool
	rows     int
	known    map[string]bool // every figure of cells, labels, titles and sources
	figures  map[string]bool // those in cells and charts, which the model must not be blind to
	names    []string        // the words in cells and labels, in lower case
	columns  []column
	charts   []chart
}

func screenOf(structured []byte) *screen {
	var doc struct {
		Sources []any
		Table   [][]any
		Columns []column
		Charts  []chart
		Force   string
	}
	var options struct {
		Charts []struct{ Options any }
	}
	decode(structured, &doc)
	decode(structured, &options)
	s := &screen{hasTable: len(doc.Table) > 0, rows: max(0, len(doc.Table)-1), known: map[string]bool{}, figures: map[string]bool{}}
	for i, row := range doc.Table {
		for _, cell := range row {
			if i == 0 {
				s.know(cell)
			} else {
				s.show(cell)
			}
		}
	}
	s.columns, s.charts = columnsOf(doc.Table, doc.Columns), doc.Charts
	for _, c := range s.columns {
		for _, cell := range c.cells {
			s.rounded(cell, c.Decimals)
		}
	}
	for i, c := range doc.Charts {
		for _, l := range c.Data.Labels {
			s.know(l)
			if name, ok := l.(string); ok {
				s.name(name)
			}
		}
		for _, d := range c.Data.Datasets {
			s.know(d.Label)
			for _, point := range d.Data {
				s.show(point)
			}
			s.count(len(d.Data))
		}
		s.know(options.Charts[i].Options)
		s.know(c.Alt)
	}
	for _, src := range doc.Sources {
		s.know(src)
	}
	s.know(doc.Force)
	s.count(s.rows)
	s.count(len(doc.Sources))
	s.count(len(doc.Charts))
	if s.hasTable {
		s.count(len(doc.Table[0]))
	}
	for rank := range min(s.rows, maxRanks) {
		s.count(rank + 1)
	}
	return s
}

// decode reads structured content that data.Check has accepted.
func decode(structured []byte, into any) {
	d := json.NewDecoder(bytes.NewReader(structured))
	d.UseNumber()
	_ = d.Decode(into)
}

// rounded keeps a cell as its column says that it is shown, which the content may repeat.
func (s *screen) rounded(cell any, decimals *int) {
	n, ok := cell.(json.Number)
	if !ok || decimals == nil {
		return
	}
	if r, ok := new(big.Rat).SetString(canonical(n.String())); ok {
		shown := canonical(r.FloatString(*decimals))
		s.known[shown], s.figures[shown] = true, true
	}
}

func (s *screen) count(n int) { s.known[canonical(strconv.Itoa(n))] = true }

// know keeps every figure in v, at any depth.
func (s *screen) know(v any) {
	switch v := v.(type) {
	case json.Number:
		s.known[canonical(v.String())] = true
	case string:
		for _, n := range numbers(v) {
			for _, r := range n.readings {
				s.known[r] = true
			}
		}
	case []any:
		for _, e := range v {
			s.know(e)
		}
	case map[string]any:
		for _, e := range v {
			s.know(e)
		}
	}
}

// show keeps a cell or a point.
func (s *screen) show(v any) {
	s.know(v)
	switch v := v.(type) {
	case json.Number:
		s.figures[canonical(v.String())] = true
	case string:
		if f := strings.TrimPrefix(v, "-"); f != "" && digit(f[0]) && json.Valid([]byte(v)) {
			s.figures[canonical(v)] = true
			s.known[canonical(v)] = true
		} else {
			s.name(v)
		}
	case map[string]any:
		for _, e := range v {
			s.show(e)
		}
	}
}

func (s *screen) name(text string) {
	if words(text) > 0 {
		s.names = append(s.names, strings.ToLower(text))
	}
}

func (s *screen) has(n number) bool {
	for _, r := range n.readings {
		if s.known[r] {
			return true
		}
	}
	return false
}

// blind reports whether the content repeats no figure that is shown; where none is shown, no name.
func (s *screen) blind(text string, said []number) bool {
	if len(s.figures) > 0 {
		for _, n := range said {
			for _, r := range n.readings {
				if s.figures[r] {
					return false
				}
			}
		}
		return true
	}
	text = strings.ToLower(text)
	for _, name := range s.names {
		if strings.Contains(text, name) {
			return false
		}
	}
	return len(s.names) > 0
}
