package data

// A table: a header and rows of scalars, each cell kept digit for digit as the author gave it.

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/diptych-mcp/diptych/internal/shape"
)

// A Table is a header and rows of text, numbers, booleans and nulls, drawn as a table. Digits stay as they were given:
// 12345678901234567890 and 1.10 arrive as such. At most 5,000 rows of 60 columns; link to what is larger.
type Table struct {
	header []string
	rows   [][]value
	about  []description // of the columns; shorter than header where nothing is said of the last ones
	texts  bool          // made of text, which a description can turn into figures
	faults []breach
}

// TableOf returns the table of a slice of structs, one column for each field in the order in which encoding/json writes
// them. A column's header is the field's table tag, or its JSON name with underscores turned into spaces and each word
// capitalised; the tag table:"-" leaves the field out. After the header a tag may say what the column holds, in the words of
// [Table.Describe]: table:"Share,percent,decimals=1". A header with a comma is quoted: table:"'Area, total',unit=km²".
//
// Cells are written as encoding/json writes the field's value; a nil pointer is null, and so is a sql.Null value without one.
// A column of time.Time that holds days alone is written as dates. A field that is itself an object or a list has no cell, and
// the result that holds the table is refused.
func TableOf[T any](rows []T) Table {
	columns, problem := columnsOf(reflect.TypeFor[T]())
	w := newTableWriter(len(columns))
	for _, c := range columns {
		w.table.header = append(w.table.header, c.header)
		w.table.about = append(w.table.about, c.description)
	}
	if problem != "" {
		w.table.faults = append(w.table.faults, breach{"table", problem})
		return w.table
	}
	for i := range rows {
		row := reflect.ValueOf(&rows[i]).Elem()
		for row.Kind() == reflect.Pointer && !row.IsNil() {
			row = row.Elem()
		}
		for _, c := range columns {
			w.cell(c.of(row))
		}
		w.endRow()
	}
	return w.finish().checkKinds()
}

// checkKinds refuses text in a column that is said to hold figures: a Go string is never one.
func (t Table) checkKinds() Table {
	for column, d := range t.about {
		if figures, _ := d.quantity(); !figures || d.exact {
			continue
		}
		for i, row := range t.rows {
			if row[column].isText() {
				t.faults = append(t.faults, breach{place{"table", i + 1, column}.String(), "text in a column of figures; use a number, json.Number or data.Decimal"})
				break
			}
		}
	}
	return t
}

// NewTable returns a table made by hand. A cell is text, a number, a boolean, nil or a value that encoding/json writes as
// one of these; [json.Number] and [Decimal] keep digits as they are. Text is text, also where it is all digits.
func NewTable(header []string, rows ...[]any) Table {
	w := newTableWriter(len(header))
	for i, title := range header {
		w.table.header = append(w.table.header, title)
		w.table.faults = appendUTF8(w.table.faults, place{"table", 0, i}, title)
	}
	for _, row := range rows {
		for _, cell := range row {
			w.cell(cell)
		}
		w.endRow()
	}
	return w.finish()
}

func (t Table) addTo(r *Result) { r.tables = append(r.tables, t) }

// appendTo writes the table as a list of rows, the header first.
func (t Table) appendTo(b []byte) []byte {
	b = append(b, '[')
	if len(t.header) > 0 || len(t.rows) > 0 {
		b = append(b, '[')
		for i, title := range t.header {
			b = appendText(comma(b, i), title)
		}
		b = append(b, ']')
	}
	for _, row := range t.rows {
		b = append(b, ",["...)
		for i, cell := range row {
			b = append(comma(b, i), cell...)
		}
		b = append(b, ']')
	}
	return append(b, ']')
}

// isNumber reports whether s is written as a JSON number.
func isNumber(s string) bool {
	return s != "" && len(s) <= maxCell && value(s).isNumber() && json.Valid([]byte(s)) && s == strings.TrimSpace(s)
}

// A column is a field of a row.
type column struct {
	header string
	field  shape.Field
	description
}

// columnsOf reads the columns of a row type, or says why it has none.
func columnsOf(t reflect.Type) ([]column, string) {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	s := shape.NewReader(nil).Read(t)
	if s.Kind != shape.Struct {
		return nil, "rows of " + t.String() + " have no columns; use a slice of structs, or NewTable"
	}
	var columns []column
	for _, f := range s.Fields {
		tag := f.Tag.Get("table")
		if tag == "-" {
			continue
		}
		header, about, rule := readTag(tag)
		if rule != "" {
			return nil, "the table tag of " + t.String() + "." + f.Name + ": " + rule
		}
		if header == "" {
			header = titled(f.Name)
		}
		about.exact = f.Quoted && quantities[kindOf(f.Shape.Type)]
		if about.kind == "" && isDate(f.Shape.Type) {
			about.kind = "date"
		}
		columns = append(columns, column{header, f, about})
	}
	if len(columns) == 0 {
		return nil, "rows of " + t.String() + " have no columns; export fields"
	}
	return columns, ""
}

// quantities are the kinds of Go values that are figures, also where json:",string" writes them as text.
var quantities = map[reflect.Kind]bool{
	reflect.Int: true, reflect.Int8: true, reflect.Int16: true, reflect.Int32: true, reflect.Int64: true,
	reflect.Uint: true, reflect.Uint8: true, reflect.Uint16: true, reflect.Uint32: true, reflect.Uint64: true, reflect.Uintptr: true,
	reflect.Float32: true, reflect.Float64: true,
}

func kindOf(t reflect.Type) reflect.Kind {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t.Kind()
}

// isDate reports whether a type holds dates.
func isDate(t reflect.Type) bool {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch t {
	case reflect.TypeFor[time.Time](), reflect.TypeFor[Date](), reflect.TypeFor[sql.NullTime](), reflect.TypeFor[sql.Null[time.Time]]():
		return true
	}
	return false
}

// titled turns a JSON name into a header.
func titled(name string) string {
	words := strings.Fields(strings.ReplaceAll(name, "_", " "))
	for i, w := range words {
		r, size := utf8.DecodeRuneInString(w)
		words[i] = string(unicode.ToUpper(r)) + w[size:]
	}
	return strings.Join(words, " ")
}

// of returns the column's cell in a row.
func (c column) of(row reflect.Value) any {
	if row.Kind() == reflect.Pointer {
		return nil // a row that is nil
	}
	v, err := row.FieldByIndexErr(c.field.Index)
	if err != nil {
		return nil // in an embedded pointer that is nil
	}
	if c.field.Quoted && reflect.Indirect(v).Kind() != reflect.String {
		if v = reflect.Indirect(v); !v.IsValid() {
			return nil // a nil pointer
		}
		return quoted{v.Interface()}
	}
	if v.CanAddr() && v.Kind() != reflect.Pointer {
		return v.Addr().Interface() // for marshalers with pointer receivers
	}
	return v.Interface()
}

// quoted is a number or boolean of a field with json:",string".
type quoted struct{ any }

// A tableWriter encodes cells into one buffer.
type tableWriter struct {
	table  Table
	width  int
	buffer bytes.Buffer
	enc    *json.Encoder
	ends   []int        // of the cells so far
	starts []int        // in ends, of the rows so far
	times  map[int]bool // columns with times, and whether all of them are days
}

func newTableWriter(width int) *tableWriter {
	w := &tableWriter{width: width, times: map[int]bool{}}
	w.enc = json.NewEncoder(&w.buffer)
	w.enc.SetEscapeHTML(false)
	w.starts = append(w.starts, 0)
	return w
}

func (w *tableWriter) cell(v any) {
	start := w.buffer.Len()
	v = held(v)
	column := len(w.ends) - w.starts[len(w.starts)-1]
	if t, ok := instant(v); ok {
		days, seen := w.times[column]
		w.times[column] = (days || !seen) && isDay(t)
	}
	if w.table.of(column).nan && isNaN(v) {
		v = nil
	}
	if rule := w.write(v); rule != "" {
		w.buffer.Truncate(start)
		w.buffer.WriteString("null\n")
		row := len(w.starts)
		at := place{"table", row, column}
		w.table.faults = append(w.table.faults, breach{at.String(), rule})
	}
	w.buffer.Truncate(w.buffer.Len() - 1) // the encoder's newline
	w.ends = append(w.ends, w.buffer.Len())
}

// write encodes one cell, or says why it is none.
func (w *tableWriter) write(v any) string {
	start := w.buffer.Len()
	q, isQuoted := v.(quoted)
	if isQuoted {
		w.buffer.WriteByte('"')
		v = q.any
	}
	if rule := unwritable(reflect.ValueOf(v)); rule != "" {
		return rule
	}
	if err := w.enc.Encode(v); err != nil {
		var unsupported *json.UnsupportedValueError
		if errors.As(err, &unsupported) && strings.Contains("NaN +Inf -Inf", unsupported.Str) {
			return notFinite
		}
		return "a value that JSON cannot write; give text, a number, a boolean or null"
	}
	if isQuoted {
		w.buffer.Truncate(w.buffer.Len() - 1)
		w.buffer.WriteString("\"\n")
		return ""
	}
	switch c := w.buffer.Bytes()[start]; c {
	case '{', '[':
		return "got " + value{c}.kind() + ", want text, a number, a boolean or null; give each part a column"
	}
	return ""
}

const notFinite = "not a finite number"

// unwritable finds what encoding/json would write as something else in silence.
func unwritable(v reflect.Value) string {
	for v.Kind() == reflect.Pointer && !v.IsNil() {
		v = v.Elem()
	}
	if v.Kind() != reflect.String {
		return ""
	}
	switch s := v.String(); {
	case v.Type() == reflect.TypeFor[json.Number]() && s == "":
		return "a number without digits; give null where there is none"
	case !utf8.ValidString(s):
		return notUTF8
	}
	return ""
}

func (w *tableWriter) endRow() { w.starts = append(w.starts, len(w.ends)) }

// finish cuts the buffer into cells, now that it no longer moves.
func (w *tableWriter) finish() Table {
	all, from := w.buffer.Bytes(), 0
	w.table.rows = make([][]value, len(w.starts)-1)
	for i := range w.table.rows {
		row := make([]value, 0, w.width)
		for _, to := range w.ends[w.starts[i]:w.starts[i+1]] {
			row = append(row, value(all[from:to]))
			from = to
		}
		w.table.rows[i] = row
	}
	for column, days := range w.times {
		if days {
			w.table.shorten(column)
		}
	}
	return w.table
}

// shorten writes a column of days, which are times at midnight, as dates.
func (t Table) shorten(column int) {
	const day = len("2006-01-02")
	for _, row := range t.rows {
		if column >= len(row) || !row[column].isText() {
			continue
		}
		if t, err := time.Parse(time.RFC3339Nano, row[column].text()); err == nil && isDay(t) {
			row[column] = value(`"` + row[column].text()[:day] + `"`)
		}
	}
}

func isNaN(v any) bool {
	r := reflect.ValueOf(v)
	for r.Kind() == reflect.Pointer && !r.IsNil() {
		r = r.Elem()
	}
	return r.CanFloat() && math.IsNaN(r.Float())
}

// table checks the rows of a table, and returns its width; 0 where it has no header.
func (c *checker) table(v value) int {
	if !c.is(v, "a list", "a list of rows, the first of them the header") {
		return 0
	}
	width := 0
	rows := 0
	for i, row := range v.elements() {
		if rows++; rows > maxRows+1 {
			continue // counted for the fault
		}
		c.place = append(c.place, i)
		if i == 0 {
			width = c.header(row)
		} else {
			n := c.list(row, maxColumns, "a row, a list of cells", c.cell)
			if n >= 0 && width > 0 && n != width {
				c.fault("got " + strconv.Itoa(n) + " cells, want " + strconv.Itoa(width) + " as in the header")
			}
		}
		c.place = c.place[:len(c.place)-1]
	}
	switch {
	case rows == 0:
		c.fault("empty; the first row is the header")
	case rows > maxRows+1:
		c.fault(strconv.Itoa(rows-1) + " rows, want at most " + strconv.Itoa(maxRows) + "; link to what is larger")
	}
	return max(width, 0)
}

// header checks the first row and returns the table's width.
func (c *checker) header(row value) int {
	seen := map[string]bool{}
	n := c.list(row, maxColumns, "the header, a list of text", func(v value) {
		s, ok := c.text(v, maxHeader)
		switch title := strings.TrimSpace(s); {
		case !ok:
		case title == "":
			c.fault("a header without text; name the column")
		case seen[title]:
			c.fault("a header given twice; name the columns apart")
		default:
			seen[title] = true
		}
	})
	if n == 0 {
		c.fault("a header without columns")
	}
	return n
}

func (c *checker) cell(v value) {
	switch {
	case v.isText():
		if len(v) > maxCell { // or it cannot be too long, however it is escaped
			c.text(v, maxCell)
		}
	case v.isNumber():
		if _, err := strconv.ParseFloat(string(v), 64); c.digits(v, maxCell) && err != nil {
			c.fault("past the range of a float, which is infinity to every browser; write it as text")
		}
	case v[0] == '{' || v[0] == '[':
		c.fault("got " + v.kind() + ", want text, a number, a boolean or null")
	}
}

// digits bounds how a number is written, so that a reader can compute with it exactly: 1e999999999 is ten characters and a
// gigabyte.
func (c *checker) digits(v value, limit int) bool {
	if len(v) > limit {
		c.fault("a number of " + strconv.Itoa(len(v)) + " characters, want at most " + strconv.Itoa(limit))
		return false
	}
	if e := bytes.IndexAny(v, "eE"); e >= 0 && len(bytes.TrimLeft(v[e+1:], "+-0")) > 3 {
		c.fault("a number with an exponent past 999")
		return false
	}
	return true
}
