package data

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestTablesFromOrigins(t *testing.T) {
	csv := func(text string) Table { return FromCSV(strings.NewReader(text)) }
	for name, c := range map[string]struct {
		table Table
		want  string
		said  []string
	}{
		"maps":            {FromMaps([]map[string]any{{"b": 1, "a": "x"}, {"b": nil, "c": true}}), `[["a","b","c"],["x",1,null],[null,null,true]]`, nil},
		"maps, in order":  {FromMaps([]map[string]any{{"b": 1, "a": "x"}}, "b", "a"), `[["b","a"],[1,"x"]]`, nil},
		"strings":         {FromStrings([][]string{{"Zip", "N"}, {"00501", "1.10"}}), `[["Zip","N"],["00501","1.10"]]`, nil},
		"strings, said":   {FromStrings([][]string{{"Zip", "N"}, {"00501", "1.10"}, {"", " "}, {"1", "NA"}}).Describe("N", "number,missing=NA"), `[["Zip","N"],["00501",1.10],["",null],["1",null]]`, nil},
		"no number":       {FromStrings([][]string{{"N"}, {"1,234"}}).Describe("N", "number"), `[["N"],["1,234"]]`, []string{"table[1][0]: " + notFigure}},
		"csv":             {csv("\ufeffA,B\r\n1,\"x, y\"\r\n"), `[["A","B"],["1","x, y"]]`, nil},
		"csv, semicolons": {csv("A;\"B,C,D\"\n1,5;x\n"), `[["A","B,C,D"],["1,5","x"]]`, nil},
		"csv, tabs":       {csv("A\tB\n1\t2\n"), `[["A","B"],["1","2"]]`, nil},
		"csv, ragged":     {csv("A,B\n1\n"), `[["A","B"],["1"]]`, []string{"table[1]: got 1 cells, want 2 as in the header"}},
		"csv, broken":     {csv("A\n\"1"), `[]`, []string{"table: not a CSV file"}},
		"csv, unreadable": {FromCSV(iotest.ErrReader(errors.New("gone"))), `[]`, []string{"table: the CSV file cannot be read: gone; give one that can"}},
		"csv, no end":     {FromCSV(endless{}), `[]`, []string{"table: a CSV file of more than 64 MiB; select from it first"}},
		"nothing":         {FromStrings(nil), `[]`, []string{"table: empty; the first row is the header"}},
	} {
		got, breaches := tableJSON(c.table)
		if got != c.want {
			t.Errorf("%s: got %s, want %s", name, got, c.want)
		}
		for i := range breaches {
			if strings.HasPrefix(breaches[i], "table: not a CSV file: ") {
				breaches[i] = "table: not a CSV file" // the rest is the parser's
			}
		}
		if diff := cmp.Diff(append([]string{}, c.said...), breaches); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", name, diff)
		}
	}
}

type endless struct{}

func (endless) Read(p []byte) (int, error) { return copy(p, "1,2\n"), nil }

// A query is a driver of one query, whose rows it has.
type query struct{ rows [][]driver.Value }

func (q query) Connect(context.Context) (driver.Conn, error) { return q, nil }
func (q query) Driver() driver.Driver                        { return nil }
func (q query) Prepare(string) (driver.Stmt, error)          { return q, nil }
func (q query) Close() error                                 { return nil }
func (q query) Begin() (driver.Tx, error)                    { return nil, errors.ErrUnsupported }
func (q query) NumInput() int                                { return 0 }
func (q query) Exec([]driver.Value) (driver.Result, error)   { return nil, errors.ErrUnsupported }
func (q query) Query([]driver.Value) (driver.Rows, error)    { return &cursor{q.rows}, nil }

type cursor struct{ rows [][]driver.Value }

func (c *cursor) Columns() []string { return []string{"name", "price", "day", "count"} }
func (c *cursor) Close() error      { return nil }
func (c *cursor) ColumnTypeDatabaseTypeName(i int) string {
	return []string{"TEXT", "DECIMAL(10,2)", "DATE", "INTEGER"}[i]
}
func (c *cursor) Next(row []driver.Value) error {
	if len(c.rows) == 0 {
		return io.EOF
	}
	if c.rows[0] == nil {
		return errors.New("connection lost")
	}
	copy(row, c.rows[0])
	c.rows = c.rows[1:]
	return nil
}

func TestFromRows(t *testing.T) {
	day := time.Date(2026, 9, 17, 0, 0, 0, 0, time.UTC)
	ask := func(rows ...[]driver.Value) (Table, error) {
		db := sql.OpenDB(query{rows})
		defer db.Close()
		r, err := db.Query("")
		if err != nil {
			t.Fatal(err)
		}
		return FromRows(r)
	}
	table, err := ask([]driver.Value{[]byte("00501"), []byte("28.980"), day, int64(3)}, []driver.Value{nil, nil, nil, nil})
	got, breaches := tableJSON(table)
	if want := `[["name","price","day","count"],["00501",28.980,"2026-09-17",3],[null,null,null,null]]`; err != nil || got != want || len(breaches) > 0 {
		t.Errorf("got %s, %q, %v; want %s", got, breaches, err, want)
	}
	if _, err := ask([]driver.Value{"a", "1", day, int64(1)}, nil); err == nil || err.Error() != "after row 1: connection lost" {
		t.Errorf("rows that end early: %v", err)
	}
}

func TestTop(t *testing.T) {
	sum := func(rest []float64) (n float64) {
		for _, v := range rest {
			n += v
		}
		return n
	}
	by := func(v float64) float64 { return v }
	rows := []float64{1, 5, 3, 4, 2}
	for n, want := range map[int][]float64{2: {5, 4, 6}, 5: {5, 4, 3, 2, 1}, 9: {5, 4, 3, 2, 1}, 0: {15}, -1: {15}} {
		if diff := cmp.Diff(want, Top(rows, n, by, sum)); diff != "" {
			t.Errorf("the top %d (-want +got)\n%s", n, diff)
		}
	}
	if rows[0] != 1 {
		t.Error("the rows of the caller are sorted")
	}
}
