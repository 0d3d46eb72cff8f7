package data

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func ExampleText() {
	type city struct {
		City       string
		Population int64 `json:",string"`
	}
	cities := TableOf([]city{{"Tokyo", 37400068}, {"Delhi", 30290936}, {"Shanghai", 27058479}})
	fmt.Println(Text(cities))
	fmt.Println(Text(cities, Lead("The 3 most populated cities are")))
	fmt.Println(Text(cities, Lead("As 3 cidades mais populosas são"), Portuguese))
	// Output:
	// City (Population): Tokyo (37,400,068), Delhi (30,290,936) and Shanghai (27,058,479).
	// The 3 most populated cities are Tokyo (37,400,068), Delhi (30,290,936) and Shanghai (27,058,479).
	// As 3 cidades mais populosas são Tokyo (37.400.068), Delhi (30.290.936) e Shanghai (27.058.479).
}

func TestText(t *testing.T) {
	numbered := func(n int) Table {
		rows := make([][]any, n)
		for i := range rows {
			rows[i] = []any{fmt.Sprintf("r%d", i+1), i + 1, 10000 * (i + 1)}
		}
		return NewTable([]string{"Row", "N", "Figure"}, rows...)
	}
	tests := []struct {
		name  string
		table Table
		how   []TextOption
		want  string
	}{
		{"no rows", NewTable([]string{"City", "Population"}), nil, "No rows (columns: City, Population)."},
		{"no rows, in Spanish, with a lead", NewTable([]string{"Ciudad"}), []TextOption{Spanish, Lead("Son")}, "Ninguna fila (columnas: Ciudad)."},
		{"one row", NewTable([]string{"City"}, []any{"Tokyo"}), nil, "City: Tokyo."},
		{"two rows", NewTable([]string{"City"}, []any{"Tokyo"}, []any{"Delhi"}), nil, "City: Tokyo and Delhi."},
		{"kinds of cells", NewTable([]string{"A", "B"}, []any{"a", true}, []any{"b", nil}, []any{"", false}), []TextOption{Spanish}, "A (B): a (sí), b (–) y – (no)."},
		{"three columns", numbered(2), nil, "2 rows:\nRow | N | Figure\nr1 | 1 | 10,000\nr2 | 2 | 20,000"},
		{"more rows than are listed", numbered(12345), []TextOption{Portuguese, Lead("Do maior ao menor.")},
			"Do maior ao menor. 12.345 linhas; as primeiras 20:\nRow | N | Figure" + func() string {
				var b strings.Builder
				for i := 1; i <= 20; i++ {
					fmt.Fprintf(&b, "\nr%d | %d | %d0.000", i, i, i)
				}
				return b.String()
			}()},
		{"text of digits is text", NewTable([]string{"Zip", "City"}, []any{"90209", "Beverly Hills"}, []any{"00501", "Holtsville"}), nil, "Zip (City): 90209 (Beverly Hills) and 00501 (Holtsville)."},
		{"one row of three columns", numbered(1), nil, "1 row:\nRow | N | Figure\nr1 | 1 | 10,000"},
		{"one row in Portuguese", numbered(1), []TextOption{Portuguese}, "1 linha:\nRow | N | Figure\nr1 | 1 | 10.000"},
		{"a cell of many lines", NewTable([]string{"A"}, []any{"a\n\tb"}), nil, "A: a b."},
		{"a column of mixed text is left alone", NewTable([]string{"A", "B"}, []any{"x", "12345"}, []any{"y", "n/a"}), nil, "A (B): x (12345) and y (n/a)."},
		{"zero", Table{}, nil, "No rows (columns: )."},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, Text(tt.table, tt.how...)); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestTextStaysShort(t *testing.T) {
	rows := make([][]any, 50)
	header := make([]string, 60)
	for i := range header {
		header[i] = fmt.Sprint("Column ", i)
	}
	for i := range rows {
		rows[i] = make([]any, 60)
		for j := range rows[i] {
			rows[i][j] = strings.Repeat("x", 2000)
		}
	}
	if n := len(Text(NewTable(header, rows...))); n > 20000 {
		t.Errorf("%d bytes of text", n)
	}
}

func TestNumbersForPeople(t *testing.T) {
	tests := []struct{ number, english, portuguese string }{
		{"0", "0", "0"},
		{"2026", "2026", "2026"},
		{"12345", "12,345", "12.345"},
		{"-37400068", "-37,400,068", "-37.400.068"},
		{"12345678901234567890", "12,345,678,901,234,567,890", "12.345.678.901.234.567.890"},
		{"1.10", "1.10", "1,10"},
		{"1234567.125", "1,234,567.125", "1.234.567,125"},
		{"1.5e+21", "1.5e+21", "1,5e+21"},
	}
	for _, tt := range tests {
		table := NewTable([]string{"A"}, []any{json.Number(tt.number)})
		if got, want := Text(table), "A: "+tt.english+"."; got != want {
			t.Errorf("%s in English: got %q, want %q", tt.number, got, want)
		}
		if got, want := Text(table, Portuguese), "A: "+tt.portuguese+"."; got != want {
			t.Errorf("%s in Portuguese: got %q, want %q", tt.number, got, want)
		}
	}
}
