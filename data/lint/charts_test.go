package lint

import (
	"strings"
	"testing"
)

func TestCharts(t *testing.T) {
	many := func(n int, item string) string { return strings.TrimSuffix(strings.Repeat(item+",", n), ",") }
	for name, c := range map[string]struct{ chart, want string }{
		"plain bars":            {`{"type":"bar","data":{"labels":["a"],"datasets":[{"data":[5]}]}}`, ""},
		"plain line":            {`{"type":"line","data":{"labels":["a","b"],"datasets":[{"data":[5,6]}]},"options":{"scales":{"y":{"min":4}}}}`, ""},
		"bars from 4":           {`{"type":"bar","data":{"labels":["a"],"datasets":[{"data":[5]}]},"options":{"scales":{"y":{"min":4}}}}`, "bars that do not start at zero"},
		"bars on their side":    {`{"type":"bar","data":{"labels":["a"],"datasets":[{"data":[5]}]},"options":{"indexAxis":"y","scales":{"x":{"beginAtZero":false}}}}`, "bars that do not start at zero"},
		"bars of negatives":     {`{"type":"bar","data":{"labels":["a"],"datasets":[{"data":[-5]}]},"options":{"scales":{"y":{"min":-9}}}}`, ""},
		"bars on a log axis":    {`{"type":"bar","data":{"labels":["a"],"datasets":[{"data":[5]}]},"options":{"scales":{"y":{"type":"logarithmic"}}}}`, "bars on a logarithmic axis"},
		"a cut axis":            {`{"type":"line","data":{"labels":["a","b"],"datasets":[{"data":[5,60]}]},"options":{"scales":{"y":{"max":50}}}}`, "an axis that is cut"},
		"two zeros":             {`{"type":"line","data":{"labels":["a"],"datasets":[{"data":[5]},{"data":[6],"yAxisID":"y1"}]},"options":{"scales":{"y":{"beginAtZero":true}}}}`, "two axes with different zeros"},
		"two axes from zero":    {`{"type":"line","data":{"labels":["a"],"datasets":[{"data":[5]},{"data":[6],"yAxisID":"y1"}]},"options":{"scales":{"y":{"beginAtZero":true},"y1":{"beginAtZero":true}}}}`, ""},
		"slices":                {`{"type":"pie","data":{"labels":[` + many(13, `"a"`) + `],"datasets":[{"data":[` + many(13, "1") + `]}]}}`, "more slices"},
		"twelve slices":         {`{"type":"pie","data":{"labels":[` + many(12, `"a"`) + `],"datasets":[{"data":[` + many(12, "1") + `]}]}}`, ""},
		"series":                {`{"type":"line","data":{"labels":["a"],"datasets":[` + many(13, `{"data":[1]}`) + `]}}`, "more series"},
		"a stack of means":      {`{"type":"bar","data":{"labels":["a"],"datasets":[{"label":"Mean age","data":[5]}]},"options":{"scales":{"y":{"stacked":true}}}}`, "a stack of means"},
		"an area below zero":    {`{"type":"line","data":{"labels":["a"],"datasets":[{"data":[-5],"fill":true}]}}`, "an area of negative values"},
		"an area that is cut":   {`{"type":"line","data":{"labels":["a"],"datasets":[{"data":[5],"fill":true}]},"options":{"scales":{"y":{"min":4}}}}`, "an area that does not start at zero"},
		"gaps and no values":    {`{"type":"bar","data":{"labels":["a"],"datasets":[{"data":[null]}]},"options":{"scales":{"y":{"min":4}}}}`, ""},
		"points are left alone": {`{"type":"scatter","data":{"datasets":[{"data":[{"x":1,"y":5}]}]},"options":{"scales":{"y":{"min":4}}}}`, ""},
	} {
		structured := `{"sources":["https://example.org/d"],"charts":[` + c.chart + `]}`
		var got []string
		for _, f := range Result([]string{"It is 5, 6, 60, 1."}, []byte(structured), 0) {
			if f.Rule != Orphan && f.Rule != Blind {
				got = append(got, f.String())
			}
		}
		text := strings.Join(got, "\n")
		if c.want == "" && text != "" || !strings.Contains(text, c.want) || c.want != "" && !strings.HasPrefix(text, "misleading: charts[0]: ") {
			t.Errorf("%s: got %q, want %q", name, text, c.want)
		}
	}
}

func TestColumns(t *testing.T) {
	for name, c := range map[string]struct{ header, cells, columns, want string }{
		"grouped text":     {"Flow", `"45,571,090" "-566,000"`, `[{}]`, "numbers written as text"},
		"decimals as text": {"Flow", `"1.5" "2.25"`, `[{}]`, "numbers written as text"},
		"digits as text":   {"Population", `"37400068" "30290936"`, `[{}]`, ""},
		"versions":         {"Version", `"1.10" "1.10.2"`, `[{}]`, ""},
		"text by its kind": {"Flow", `"1.5" "2.25"`, `[{"kind":"text"}]`, ""},
		"large ids":        {"Tweet id", `12345678901234567890 1`, `[{}]`, "ids as numbers past 2^53"},
		"large figures":    {"Population", `12345678901234567890 1`, `[{}]`, ""},
		"codes":            {"Zip", `90210 10001`, `[{}]`, "codes as numbers"},
		"codes, as said":   {"Zip", `90210 10001`, `[{"kind":"code"}]`, ""},
		"years":            {"Year", `1999 2024`, `[{"kind":"number"}]`, "years said to be quantities"},
		"years, unsaid":    {"Year", `1999 2024`, `[{}]`, ""},
		"a long mean":      {"Mean (%)", `16.882510013351133 1`, `[{}]`, "figures of sixteen digits"},
		"a rounded mean":   {"Mean (%)", `16.882510013351133 1`, `[{"decimals":1}]`, ""},
		"no unit":          {"Depth", `1.5 2.5`, `[{}]`, "without a unit"},
		"unit in header":   {"Depth in m", `1.5 2.5`, `[{}]`, ""},
		"unit of column":   {"Depth", `1.5 2.5`, `[{"unit":"m"}]`, ""},
		"counts need none": {"Cities", `1 2`, `[{}]`, ""},
		"identity is none": {"Idle hours", `90210 10001`, `[{}]`, ""},
	} {
		cells := strings.Fields(c.cells)
		structured := `{"sources":["https://example.org/d"],"table":[["` + c.header + `"],[` + cells[0] + `],[` + cells[1] + `]],"columns":` + c.columns + `}`
		var got []string
		for _, f := range Result([]string{"words"}, []byte(structured), 0) {
			if f.Rule != Orphan && f.Rule != Blind {
				got = append(got, f.String())
			}
		}
		text := strings.Join(got, "\n")
		if c.want == "" && text != "" || !strings.Contains(text, c.want) {
			t.Errorf("%s: got %q, want %q", name, text, c.want)
		}
	}
}
