package data

// Tables from what people have: maps, lists of text, CSV, rows of a database; and the largest rows of many.

import (
	"bytes"
	"cmp"
	"database/sql"
	"encoding/csv"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// FromMaps returns a table of maps, with the columns in the order given; without columns it has all keys in the order of the
// alphabet. A key that a map lacks is null.
func FromMaps(rows []map[string]any, columns ...string) Table {
	if len(columns) == 0 {
		keys := map[string]bool{}
		for _, row := range rows {
			for key := range row {
				keys[key] = true
			}
		}
		columns = slices.Sorted(maps.Keys(keys))
	}
	cells := make([][]any, len(rows))
	for i, row := range rows {
		cells[i] = make([]any, len(columns))
		for j, column := range columns {
			cells[i][j] = row[column]
		}
	}
	return NewTable(columns, cells...)
}

// FromStrings returns a table of text, of which the first row is the header. Nothing is guessed: every cell is text until
// [Table.Describe] says that a column holds numbers, and which mark stands for a missing value.
func FromStrings(rows [][]string) Table {
	if len(rows) == 0 {
		return Table{texts: true}
	}
	cells := make([][]any, len(rows)-1)
	for i, row := range rows[1:] {
		cells[i] = make([]any, len(row))
		for j, text := range row {
			cells[i][j] = text
		}
	}
	t := NewTable(rows[0], cells...)
	t.texts = true
	return t
}

// FromCSV returns the table that a CSV file holds, as [FromStrings] does. A byte order mark is left out; the separator is the one of
// comma, semicolon and tab that the header has most of. The file is read to its end.
func FromCSV(file io.Reader) Table {
	raw, err := io.ReadAll(io.LimitReader(file, maxCSV+1))
	switch {
	case err != nil:
		return Table{faults: []breach{{"table", "the CSV file cannot be read: " + err.Error() + "; give one that can"}}}
	case len(raw) > maxCSV:
		return Table{faults: []breach{{"table", fmt.Sprintf("a CSV file of more than %d MiB; select from it first", maxCSV>>20)}}}
	}
	raw = bytes.TrimPrefix(raw, []byte("\ufeff"))
	r := csv.NewReader(bytes.NewReader(raw))
	r.Comma = separator(raw)
	r.FieldsPerRecord = -1 // a row of another length is named by Check
	rows, err := r.ReadAll()
	if err != nil {
		return Table{faults: []breach{{"table", "not a CSV file: " + err.Error() + "; mend the file"}}}
	}
	return FromStrings(rows)
}

// separator is the mark that the first line of a CSV file has most of, outside of quotes.
func separator(raw []byte) rune {
	count := map[rune]int{}
	quoted := false
	for _, r := range string(raw) {
		if r == '\n' && !quoted {
			break
		}
		if r == '"' {
			quoted = !quoted
		}
		if !quoted {
			count[r]++
		}
	}
	return slices.MaxFunc([]rune{'\t', ';', ','}, func(a, b rune) int { return cmp.Compare(count[a], count[b]) })
}

// FromRows returns the table of a query's rows, and closes them. Columns of exact decimals, which drivers give as text, keep their
// digits. Rows beyond those that a table can have are not read; the result that holds the table is refused.
func FromRows(rows *sql.Rows) (Table, error) {
	defer rows.Close()
	types, err := rows.ColumnTypes()
	if err != nil {
		return Table{}, fmt.Errorf("columns of the rows: %w", err)
	}
	header := make([]string, len(types))
	for i, c := range types {
		header[i] = c.Name()
	}
	var cells [][]any
	for rows.Next() && len(cells) <= maxRows {
		row, into := make([]any, len(types)), make([]any, len(types))
		for i := range row {
			into[i] = &row[i]
		}
		if err := rows.Scan(into...); err != nil {
			return Table{}, fmt.Errorf("row %d: %w", len(cells)+1, err)
		}
		for i, cell := range row {
			if text, ok := cell.([]byte); ok {
				row[i] = string(text)
			}
			if text, ok := row[i].(string); ok && isExact(types[i].DatabaseTypeName()) && isNumber(text) {
				row[i] = Decimal(text)
			}
		}
		cells = append(cells, row)
	}
	if err := rows.Err(); err != nil {
		return Table{}, fmt.Errorf("after row %d: %w", len(cells), err)
	}
	return NewTable(header, cells...), nil
}

// isExact reports whether a database type is one of exact decimals.
func isExact(name string) bool {
	name = strings.ToUpper(name)
	return strings.HasPrefix(name, "DECIMAL") || strings.HasPrefix(name, "NUMERIC")
}

// Top keeps the n rows of the largest figures, largest first, and puts one row after them for all others, which rest makes of
// them. It keeps a table and a chart of many rows readable:
//
//	data.Top(species, 12, Species.strikes, func(others []Species) Species { return Species{"Others", total(others)} })
func Top[T any](rows []T, n int, by func(T) float64, rest func([]T) T) []T {
	sorted := slices.Clone(rows)
	slices.SortStableFunc(sorted, func(a, b T) int { return cmp.Compare(by(b), by(a)) })
	n = max(n, 0)
	if len(sorted) <= n {
		return sorted
	}
	return append(slices.Clip(sorted[:n]), rest(sorted[n:]))
}
