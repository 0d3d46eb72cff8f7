package data

import (
	"fmt"
	"strings"
	"testing"
)

// TestLimits crosses bounds by one: what reaches a bound is accepted, and what passes it is refused.
func TestLimits(t *testing.T) {
	source := func(key string) func(int) string {
		return func(n int) string {
			return fmt.Sprintf(`{"sources":[{"url":"https://example.org/d",%q:%q}]}`, key, strings.Repeat("x", n))
		}
	}
	chart := func(kind, labels, datasets, more string) string {
		return fmt.Sprintf(`{"sources":["https://example.org/d"],"charts":[{"type":%q,"data":{"labels":%s,"datasets":[%s]}%s}]}`, kind, labels, datasets, more)
	}
	for name, c := range map[string]struct {
		limit int
		doc   func(n int) string
	}{
		"title":        {maxTitle, source("title")},
		"publisher":    {maxPublisher, source("publisher")},
		"retrieved_at": {maxRetrievedAt, source("retrieved_at")},
		"period":       {maxPeriod, source("period")},
		"rings": {maxSliceSets, func(n int) string {
			return chart("pie", `["a"]`, strings.TrimSuffix(strings.Repeat(`{"label":"l","data":[1]},`, n), ","), "")
		}},
		"digits": {maxDigits, func(n int) string {
			return chart("bar", `["a"]`, `{"label":"l","data":[1.`+strings.Repeat("0", n-2)+`]}`, "")
		}},
		"digits of a label": {maxLabelDigits, func(n int) string {
			return chart("bar", `[1.`+strings.Repeat("0", n-2)+`]`, `{"label":"l","data":[1]}`, "")
		}},
		"series": {maxSeries, func(n int) string {
			return chart("bar", `["a"]`, `{"label":"`+strings.Repeat("x", n)+`","data":[1]}`, "")
		}},
		"stack": {maxStack, func(n int) string {
			return chart("bar", `["a"]`, `{"label":"l","data":[1],"stack":"`+strings.Repeat("x", n)+`"}`, "")
		}},
		"title of a chart": {maxChartTitle, func(n int) string {
			return chart("bar", `["a"]`, `{"label":"l","data":[1]}`, `,"options":{"plugins":{"title":{"display":true,"text":"`+strings.Repeat("x", n)+`"}}}`)
		}},
	} {
		if err := Check([]byte(c.doc(c.limit))); err != nil {
			t.Errorf("%s of %d: %v", name, c.limit, err)
		}
		if Check([]byte(c.doc(c.limit+1))) == nil {
			t.Errorf("%s of %d is accepted", name, c.limit+1)
		}
	}
}

// An object of too many members is not read to its end, and says so once.
func TestMembersLimit(t *testing.T) {
	members := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, `,"m%d":1`, i)
		}
		return `{"sources":["https://example.org/d"]` + b.String() + "}"
	}
	var reached, passed checker
	reached.document([]byte(members(maxMembers - 1)))
	passed.document([]byte(members(5 * maxMembers)))
	if n := len(reached.first) + reached.more; n != maxMembers-1 {
		t.Errorf("%d breaches of an object of %d members, want one for each that is unknown", n, maxMembers)
	}
	if n := len(passed.first) + passed.more; n != maxMembers+1 {
		t.Errorf("%d breaches of an object of %d members, want %d: what is past the limit is not read", n, 5*maxMembers, maxMembers+1)
	}
}

// Text says the first rows of a large table, and cuts what is long.
func TestTextLimits(t *testing.T) {
	rows := func(n int, cell string) Table {
		table := NewTable([]string{"A", "B", "C"})
		for range n {
			table.rows = append(table.rows, []value{value(`"` + cell + `"`), value("1"), value("2")})
		}
		return table
	}
	lines := func(text string) int { return strings.Count(text, "\n") - 1 } // without the header
	if a, b := lines(Text(rows(listedRows, "x"))), lines(Text(rows(listedRows+1, "x"))); a != listedRows || b != listedRows {
		t.Errorf("%d and %d rows are listed, want %d", a, b, listedRows)
	}
	long := strings.Repeat("x", saidCell+1)
	if text := Text(rows(1, long)); strings.Contains(text, long) || !strings.Contains(text, long[1:]) {
		t.Error("a cell is not cut to its limit")
	}
	wide := NewTable(make([]string, 40))
	for range listedRows {
		row := make([]value, 40)
		for i := range row {
			row[i] = value(`"` + long + `"`)
		}
		wide.rows = append(wide.rows, row)
	}
	if text := Text(wide); lines(text) != 1 {
		t.Errorf("%d rows of %d bytes are listed, want one", lines(text), 40*saidCell)
	}
	pairs := NewTable([]string{"A", "B"})
	for range sentenceRows + 1 {
		pairs.rows = append(pairs.rows, []value{value(`"x"`), value("1")})
	}
	if text := Text(pairs); !strings.Contains(text, "11 rows") {
		t.Errorf("%d rows are a sentence", sentenceRows+1)
	}
}
