package data

import (
	"database/sql"
	"encoding/json"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// A strike has a column of each kind.
type strike struct {
	Zip     int             `json:"zip" table:"Zip,code"`
	Cost    Decimal         `json:"cost" table:"Cost,money,unit=US$,decimals=2"`
	Share   float64         `json:"share" table:"Share,percent,decimals=1,missing=n/a"`
	Height  sql.NullFloat64 `json:"height" table:"'Height, above ground',unit=m,note='measured, not said'"`
	Count   sql.Null[int64] `json:"count"`
	Day     Date            `json:"day"`
	Noted   time.Time       `json:"noted"`
	Species string          `json:"species"`
}

var strikes = []strike{
	{90210, "1234567.890", 16.882510013351133, sql.NullFloat64{Float64: 300, Valid: true}, sql.Null[int64]{V: 45571, Valid: true}, Date{2006, 1, 1}, time.Date(2013, 1, 1, 0, 0, 0, 0, time.UTC), "12345"},
	{501, "", math.NaN(), sql.NullFloat64{}, sql.Null[int64]{}, Date{}, time.Date(2013, 1, 2, 0, 0, 0, 0, time.UTC), "00501"},
}

func TestColumns(t *testing.T) {
	table := TableOf(strikes)
	doc, err := NewResult("words", Source{URL: dataURL}, table).structured()
	if err != nil {
		t.Fatal(err)
	}
	want := `{"sources":["` + dataURL + `"],"table":[["Zip","Cost","Share","Height, above ground","Count","Day","Noted","Species"],` +
		`[90210,1234567.890,16.882510013351133,300,45571,"2006-01-01","2013-01-01","12345"],[501,null,null,null,null,null,"2013-01-02","00501"]],` +
		`"columns":[{"kind":"code"},{"kind":"money","unit":"US$","decimals":2},{"kind":"percent","decimals":1},{"unit":"m","note":"measured, not said"},{},{"kind":"date"},{"kind":"date"},{}]}`
	if diff := cmp.Diff(want, string(doc)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if table.Missing("Share") != 1 || table.Missing("Zip") != 0 || table.Missing("No such column") != 0 {
		t.Error("missing cells are not counted")
	}
	text := "2 rows:\nZip | Cost, US$ | Share | Height, above ground, m | Count | Day | Noted | Species\n" +
		"90210 | 1,234,567.89 | 16.9% | 300 | 45,571 | 2006-01-01 | 2013-01-01 | 12345\n501 | – | n/a | – | – | – | 2013-01-02 | 00501"
	if diff := cmp.Diff(text, Text(table)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// Where nothing is said of a column, the structured content says nothing of columns.
func TestColumnsAbsent(t *testing.T) {
	type plain struct {
		City       string
		Population int64 `json:",string"`
	}
	table := TableOf([]plain{{"Tokyo", 37400068}})
	doc, err := NewResult("words", Source{URL: dataURL}, table).structured()
	if want := `{"sources":["` + dataURL + `"],"table":[["City","Population"],["Tokyo","37400068"]]}`; err != nil || string(doc) != want {
		t.Errorf("got %s, %v", doc, err)
	}
	if got := Text(table); got != "City (Population): Tokyo (37,400,068)." {
		t.Errorf("a number that json:\",string\" writes as text is read as %q", got)
	}
}

func TestDescribe(t *testing.T) {
	table := NewTable([]string{"City", "Zip"}, []any{"Beverly Hills", 90210})
	for options, want := range map[string]string{
		"code":                     `[{},{"kind":"code"}]`,
		"number,unit=km²":          `[{},{"kind":"number","unit":"km²"}]`,
		"decimals=0,note=it's one": `[{},{"decimals":0,"note":"it's one"}]`,
	} {
		if got := string(table.Describe("Zip", options).appendColumns(nil)); got != want {
			t.Errorf("%s: got %s, want %s", options, got, want)
		}
	}
	if table.described() {
		t.Error("Describe changes the table that it was called on")
	}
	for name, table := range map[string]Table{
		"columns: a description of a column that it does not have": table.Describe("City ", "code"),
		"columns: a column option that is unknown":                 table.Describe("Zip", "postal"),
		"columns: decimals out of range":                           table.Describe("Zip", "decimals=21"),
		"columns: a quote without an end":                          table.Describe("Zip", "note='a"),
		"columns[1].unit: 41 characters":                           table.Describe("Zip", "unit="+strings.Repeat("x", maxUnit+1)),
		"columns[1].note: 301 characters":                          table.Describe("Zip", "note="+strings.Repeat("x", maxNote+1)),
		"table[1][0]: text in a column of figures": TableOf([]struct {
			A string `table:"A,number"`
		}{{"1"}}),
		"table: the table tag of struct": TableOf([]struct {
			A string `table:"A,nmber"`
		}{{"1"}}),
	} {
		_, breaches := tableJSON(table)
		if len(breaches) != 1 || !strings.HasPrefix(breaches[0], name) {
			t.Errorf("got %q, want %q", breaches, name)
		}
	}
}

func TestCheckColumns(t *testing.T) {
	for columns, want := range map[string]string{
		`[{},{"kind":"money","unit":"€","decimals":2,"note":"n"}]`: "",
		`[{}]`:                     "columns: got 1 entries, want 2 as in the header of the table",
		`[{},{"kind":"zip"}]`:      "columns[1].kind: unknown, want one of text, code, date, number, percent, money",
		`[{},{"decimals":-1}]`:     "columns[1].decimals: out of range, want 0 to 20",
		`[{},{"decimals":0.5}]`:    "columns[1].decimals: not a whole number",
		`[{},{"title":"t"}]`:       "columns[1].title: no part of a column; leave it out",
		`[{},null]`:                "columns[1]: got null, want an object {kind, unit, decimals, note}, empty where nothing is said; leave out what is absent",
		`{}`:                       "columns: got an object, want a list that says of each column what it holds",
		`[{},{"unit":"a\u202eb"}]`: "columns[1].unit: control or bidirectional formatting character U+202E; use plain text",
	} {
		err := Check([]byte(`{"sources":["` + dataURL + `"],"columns":` + columns + `,"table":[["A","B"],["a",1]]}`))
		if got := strings.Join(said(err), "\n"); got != want {
			t.Errorf("%s: got %q, want %q", columns, got, want)
		}
	}
	if err := Check([]byte(`{"sources":["` + dataURL + `"],"columns":[]}`)); err == nil || err.Error() != "columns: columns without a table; leave them out" {
		t.Errorf("columns alone: %v", err)
	}
}

func TestDate(t *testing.T) {
	for want, d := range map[string]Date{
		`"2024-02-29"`: {2024, 2, 29}, `"2024-02"`: {2024, 2, 0}, `"0987"`: {Year: 987}, `null`: {}, "": {2023, 2, 29}, "-": {2024, 13, 1}, "--": {2024, 0, 3}, "---": {-1, 1, 1}, "----": {10000, 1, 1},
	} {
		got, err := json.Marshal(d)
		if refused := strings.Trim(want, "-") == ""; refused != (err != nil) || !refused && string(got) != want {
			t.Errorf("%v: got %s, %v; want %s", d, got, err, want)
		}
	}
	if got := DateOf(time.Date(2026, 9, 17, 23, 59, 0, 0, time.FixedZone("", -3600))).String(); got != "2026-09-17" {
		t.Errorf("got %s", got)
	}
}

func TestDecimal(t *testing.T) {
	for d, want := range map[Decimal]string{"28.980": "28.980", "12345678901234567890": "12345678901234567890", "-1e5": "-1e5", "": "null", "1,234": "", "01": "", "NaN": "", " 1": ""} {
		got, err := json.Marshal(d)
		if string(got) != want || (err != nil) != (want == "") {
			t.Errorf("%q: got %s, %v; want %s", string(d), got, err, want)
		}
	}
}

func TestRounded(t *testing.T) {
	for _, tt := range []struct{ decimals, number, want string }{
		{"1", "4269.300000000001", "4269.3"}, {"1", "16.882510013351133", "16.9"}, {"0", "0.5", "1"}, {"0", "-0.4", "0"}, {"2", "1.1", "1.1"}, {"2", "-1.005", "-1.01"},
		{"", "1.123456", "1.123456"}, {"1", "1e-999999999", "1e-999999999"}, {"20", "12345678901234567890.123456789012345678901", "12345678901234567890.12345678901234567890"},
	} {
		if got := (description{decimals: tt.decimals}).rounded(tt.number); got != tt.want {
			t.Errorf("%s with %s decimals: got %s, want %s", tt.number, tt.decimals, got, tt.want)
		}
	}
}

// A column of times is dates only where all of them are days.
func TestTimes(t *testing.T) {
	moment := time.Date(2026, 9, 17, 12, 0, 0, 0, time.UTC)
	day := time.Date(2026, 9, 18, 0, 0, 0, 0, time.UTC)
	got, breaches := tableJSON(NewTable([]string{"A", "B", "C"}, []any{day, day, &day}, []any{moment, nil, "2026-09-17T00:00:00 or so"}))
	want := `[["A","B","C"],["2026-09-18T00:00:00Z","2026-09-18","2026-09-18"],["2026-09-17T12:00:00Z",null,"2026-09-17T00:00:00 or so"]]`
	if got != want || len(breaches) > 0 {
		t.Errorf("got %s, %q", got, breaches)
	}
}
