package lint

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const cities = `{"sources":["https://example.org/2024"],"table":[["City","Population","Share (%)"],["Tokyo","37400068",1.10],["Delhi",30290936,null]]}`

func TestResult(t *testing.T) {
	table := func(rows string) string {
		return `{"sources":["https://example.org/d"],"table":[["City","Population"]` + rows + `]}`
	}
	tests := []struct {
		name, content, structured string
		want                      []string
	}{
		{"facts repeated", "Tokyo has 37,400,068 people (1.1 %), Delhi 30290936.", cities, nil},
		{"other marks", "Tóquio: 37.400.068; parte 1,10", cities, nil},
		{"spaces that do not break", "37\u202f400\u202f068", cities, nil},
		{"Indian groups", "Tokyo 3,74,00,068", cities, nil},
		{"counts and ranks are known", "The 2 largest of 3 columns: number 1 is Tokyo with 37,400,068.", cities, nil},
		{"a year in the source is known", "In 2024 Tokyo had 37,400,068.", cities, nil},
		{"digits in words are none", "In Q3 the CO2 of Tokyo (37,400,068) rose.", cities, nil},
		{"rounded", "Tokyo has 37.4 million people, to be exact 37,400,068.", cities,
			[]string{"orphan: 37.4 is in no cell, chart or source; put the figure on the screen or take it out of the content"}},
		{"blind", "Here is the table of cities.", cities,
			[]string{"blind: the content repeats nothing of what the screen shows; name the figures in it, or compose it with data.Text"}},
		{"only a rank is blind", "The first 2 cities are shown.", cities,
			[]string{"blind: the content repeats nothing of what the screen shows; name the figures in it, or compose it with data.Text"}},
		{"names without figures", "Found Tokyo.", `{"sources":["https://example.org/d"],"table":[["City"],["Tokyo"]]}`, nil},
		{"blind to names", "Found something.", `{"sources":["https://example.org/d"],"table":[["City"],["Tokyo"]]}`,
			[]string{"blind: the content repeats nothing of what the screen shows; name the figures in it, or compose it with data.Text"}},
		{"chart", "The peak was 12.5 in 2021.", `{"sources":["https://example.org/d"],"charts":[{"type":"line","data":{"labels":[2020,"2021"],"datasets":[{"data":[10,12.5]}]}}]}`, nil},
		{"blind to a chart", "A line.", `{"sources":["https://example.org/d"],"charts":[{"type":"line","data":{"labels":["2021"],"datasets":[{"data":[12.5]}]}}]}`,
			[]string{"blind: the content repeats nothing of what the screen shows; name the figures in it, or compose it with data.Text"}},
		{"points", "One stands at 3, 4.", `{"sources":["https://example.org/d"],"charts":[{"type":"scatter","data":{"datasets":[{"data":[{"x":3,"y":4}]}]}}]}`, nil},
		{"nothing found, in words", "No city matches the filter.", table(""), nil},
		{"nothing found, in silence", "[]", table(""),
			[]string{"silent: the result is empty and the content does not say so; say in words that nothing was found, and why"}},
		{"no content", "", `{"sources":["https://example.org/d"]}`,
			[]string{"silent: the result is empty and the content does not say so; say in words that nothing was found, and why"}},
		{"sources alone", "Yes.", `{"sources":["https://example.org/d"]}`, nil},
		{"no contract", "Tokyo", `{"sources":[],"x":1}`, []string{
			"contract: sources: empty; name at least one source",
			"contract: x: no part of a data tool's result; put what a view needs besides into _meta"}},
		{"as the column is shown", "The mean is 16.9 %.", `{"sources":["https://example.org/d"],"table":[["Mean (%)"],[16.882510013351133]],"columns":[{"kind":"percent","decimals":1}]}`, nil},
		{"long", "Tokyo 37,400,068 " + strings.Repeat("and so on ", 800), cities,
			[]string{"long: the content has about 2005 tokens, want at most 2000; summarise, and leave the rows to the table"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, f := range Result([]string{tt.content}, []byte(tt.structured), 0) {
				got = append(got, f.String())
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestManyOrphans(t *testing.T) {
	text := "37400068"
	for i := range 15 {
		text += fmt.Sprint(" ", 1000+i)
	}
	got := Result([]string{text}, []byte(cities), 0)
	if len(got) != 11 || got[10].Text != "and 5 more" {
		t.Errorf("got %v", got)
	}
}

func TestNumbers(t *testing.T) {
	tests := []struct {
		text string
		want []number
	}{
		{"1,234", []number{{"1,234", []string{"1234", "617/500"}}}},
		{"1,234.50", []number{{"1,234.50", []string{"2469/2"}}}},
		{"1.234,50", []number{{"1.234,50", []string{"2469/2"}}}},
		{"1.234.567", []number{{"1.234.567", []string{"1234567"}}}},
		{"29.11.2026", []number{{"29", []string{"29"}}, {"11", []string{"11"}}, {"2026", []string{"2026"}}}},
		{"-5, 6.", []number{{"5", []string{"5"}}, {"6", []string{"6"}}}},
		{"1.5e+21", []number{{"1.5e+21", []string{"1500000000000000000000"}}}},
		{"2026-09-17", []number{{"2026", []string{"2026"}}, {"09", []string{"9"}}, {"17", []string{"17"}}}},
		{"CO2 r_2 é3", nil},
		{"10km", []number{{"10", []string{"10"}}}},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, numbers(tt.text), cmp.AllowUnexported(number{})); diff != "" {
			t.Errorf("%q (-want +got)\n%s", tt.text, diff)
		}
	}
}

func FuzzNumbers(f *testing.F) {
	f.Add("Tokyo (37,400,068) 1e9 1e999999999")
	f.Fuzz(func(t *testing.T, text string) {
		for _, n := range numbers(text) {
			if !strings.Contains(text, n.text) || len(n.readings) == 0 {
				t.Errorf("%q: found %q as %q", text, n.text, n.readings)
			}
		}
	})
}
