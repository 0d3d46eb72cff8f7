package data

import (
	"encoding/json"
	"math"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

const dataURL = "https://example.org/d"

// tableJSON writes a table alone, and the breaches of a result that holds it.
func tableJSON(t Table) (string, []string) {
	_, err := NewResult("words", Source{URL: dataURL}, t).structured()
	return string(t.appendTo(nil)), said(err)
}

type base struct {
	ID int `json:"id"`
}

type everything struct {
	base
	*extra
	Text    string
	Big     uint64      `json:"big_number"`
	Exact   json.Number `json:"exact"`
	Float   float64     `table:"Share (%)"`
	Quoted  int64       `json:"population,string"`
	Pointer *int        `json:"pointer,omitempty"`
	Yes     bool        `json:"yes"`
	When    time.Time   `json:"when"`
	Huge    big.Int     `json:"huge"`
	Kind    kind        `json:"kind"`
	Hidden  string      `table:"-"`
	Absent  string      `json:"-"`
	secret  string
}

type extra struct {
	Note string `json:"note"`
}

type kind string

func TestTableOf(t *testing.T) {
	seven := 7
	var huge big.Int
	huge.SetString("123456789012345678901234567890", 10)
	rows := []everything{
		{base{1}, &extra{"n"}, "<b> & \"q\"", math.MaxUint64, "1.10", 1.5, 37400068, &seven, true, time.Date(2026, 9, 17, 0, 0, 0, 0, time.UTC), huge, "k", "h", "a", "s"},
		{Exact: "0"},
	}
	got, breaches := tableJSON(TableOf(rows))
	want := `[["Id","Note","Text","Big Number","Exact","Share (%)","Population","Pointer","Yes","When","Huge","Kind"],` +
		`[1,"n","<b> & \"q\"",18446744073709551615,1.10,1.5,"37400068",7,true,"2026-09-17",123456789012345678901234567890,"k"],` +
		`[0,null,"",0,0,0,"0",null,false,"0001-01-01",0,""]]`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if len(breaches) > 0 {
		t.Errorf("refused: %q", breaches)
	}
	_ = rows[0].secret
}

func TestTables(t *testing.T) {
	tests := []struct {
		name  string
		table Table
		want  string
		said  []string
	}{
		{"by hand", NewTable([]string{"City", "Population"}, []any{"Tokyo", 37400068}, []any{"Delhi", nil}),
			`[["City","Population"],["Tokyo",37400068],["Delhi",null]]`, nil},
		{"no rows", TableOf([]base{}), `[["Id"]]`, nil},
		{"pointers to rows", TableOf([]*base{{ID: 1}, nil}), `[["Id"],[1],[null]]`, nil},
		{"zero", Table{}, `[]`, []string{"table: empty; the first row is the header"}},
		{"no header", NewTable(nil, []any{1}), `[[],[1]]`, []string{"table[0]: a header without columns"}},
		{"not a number", NewTable([]string{"A"}, []any{math.NaN()}), `[["A"],[null]]`, []string{"table[1][0]: not a finite number"}},
		{"infinite, in a quoted field", TableOf([]struct {
			A float64 `json:"a,string"`
		}{{math.Inf(1)}}), `[["A"],[null]]`, []string{"table[1][0]: not a finite number"}},
		{"a list in a cell", TableOf([]struct{ A []int }{{[]int{1}}}), `[["A"],[null]]`,
			[]string{"table[1][0]: got a list, want text, a number, a boolean or null; give each part a column"}},
		{"number without digits", NewTable([]string{"A"}, []any{json.Number("")}), `[["A"],[null]]`,
			[]string{"table[1][0]: a number without digits; give null where there is none"}},
		{"invalid UTF-8 in a cell", NewTable([]string{"A"}, []any{"\xff"}), `[["A"],[null]]`, []string{"table[1][0]: not valid UTF-8"}},
		{"invalid UTF-8 in a header", NewTable([]string{"\xff"}), "[[\"\ufffd\"]]", []string{"table[0][0]: not valid UTF-8"}},
		{"a channel in a cell", NewTable([]string{"A"}, []any{make(chan int)}), `[["A"],[null]]`,
			[]string{"table[1][0]: a value that JSON cannot write; give text, a number, a boolean or null"}},
		{"rows without columns", TableOf([]int{1}), `[]`, []string{"table: rows of int have no columns; use a slice of structs, or NewTable"}},
		{"rows without exported fields", TableOf([]struct{ a int }{{1}}), `[]`, nil},
		{"ragged", NewTable([]string{"A", "B"}, []any{1}), `[["A","B"],[1]]`, []string{"table[1]: got 1 cells, want 2 as in the header"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, breaches := tableJSON(tt.table)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
			if tt.name == "rows without exported fields" {
				if len(breaches) != 1 || !strings.Contains(breaches[0], "export fields") {
					t.Errorf("got %q", breaches)
				}
				if told := (breach{"table", "rows of struct { a int; b int } have no columns; export fields"}).told(); told != "table: rows of struct { a int; b int } have no columns" {
					t.Errorf("the model reads %q", told)
				}
				return
			}
			if diff := cmp.Diff(append([]string{}, tt.said...), breaches); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// A table made by hand arrives cell for cell, whatever it holds.
func TestTableKeepsCells(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		width := rapid.IntRange(1, 4).Draw(t, "width")
		header := []string{"A", "B", "C", "D"}[:width]
		cell := rapid.OneOf(
			rapid.Map(rapid.String(), func(s string) any { return s }),
			rapid.Map(rapid.Int64(), func(n int64) any { return n }),
			rapid.Map(rapid.Float64(), func(f float64) any { return f }),
			rapid.Map(rapid.Bool(), func(b bool) any { return b }),
			rapid.Just[any](nil),
		)
		rows := rapid.SliceOfN(rapid.SliceOfN(cell, width, width), 0, 8).Draw(t, "rows")
		want := []any{header}
		for _, row := range rows {
			want = append(want, row)
		}
		wantJSON, err := marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		got, breaches := tableJSON(NewTable(header, rows...))
		if diff := cmp.Diff(string(wantJSON), got); diff != "" {
			t.Errorf("(-want +got)\n%s", diff)
		}
		if len(breaches) > 0 {
			t.Errorf("refused: %q", breaches)
		}
	})
}
