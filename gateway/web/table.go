package web

// Tables as the page asks for them: filtered, sorted and cut into pages here, over the digits that the tool gave.

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/diptych-mcp/diptych/gateway/chat"
	"github.com/diptych-mcp/diptych/gateway/store"
)

// A cell is text as it is shown; nil is null. isText tells "1.10" from 1.10.
type cell struct {
	text   *string
	isText bool
}

type table struct {
	header []string
	rows   [][]cell
}

// readTable reads the rows of a table event. What is not as data.Check left it is an error.
func readTable(raw json.RawMessage) (table, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var lists [][]any
	if err := d.Decode(&lists); err != nil {
		return table{}, err
	}
	if len(lists) == 0 {
		return table{}, errors.New("a table without a header")
	}
	t := table{rows: make([][]cell, len(lists)-1)}
	for _, name := range lists[0] {
		t.header = append(t.header, fmt.Sprint(name))
	}
	for i, list := range lists[1:] {
		if len(list) != len(t.header) {
			return table{}, fmt.Errorf("row %d is not as long as the header", i+1)
		}
		t.rows[i] = make([]cell, len(list))
		for c, value := range list {
			var text string
			switch value := value.(type) {
			case nil:
				continue
			case string:
				text = value
			case json.Number:
				text = value.String()
			case bool:
				text = strconv.FormatBool(value)
			default:
				return table{}, fmt.Errorf("row %d has a cell that is no cell", i+1)
			}
			_, isText := value.(string)
			t.rows[i][c] = cell{&text, isText}
		}
	}
	return t, nil
}

// numeric holds for a column of numbers, or of text in the form of JSON numbers, and nulls.
func (t table) numeric(column int) bool {
	seen := false
	for _, row := range t.rows {
		if text := row[column].text; text != nil {
			if !isNumber(*text) {
				return false
			}
			seen = true
		}
	}
	return seen
}

// filter keeps the rows of which a cell contains one of the texts, in whatever case: what was typed, and what it means
// where a language groups its digits.
func (t table) filter(texts ...string) table {
	sought := slices.DeleteFunc(slices.Clone(texts), func(text string) bool { return text == "" })
	if len(sought) == 0 {
		return t
	}
	for i, text := range sought {
		sought[i] = strings.ToLower(text)
	}
	holds := func(c cell) bool {
		if c.text == nil {
			return false
		}
		shown := strings.ToLower(*c.text)
		return slices.ContainsFunc(sought, func(text string) bool { return strings.Contains(shown, text) })
	}
	kept := table{header: t.header}
	for _, row := range t.rows {
		if slices.ContainsFunc(row, holds) {
			kept.rows = append(kept.rows, row)
		}
	}
	return kept
}

// sort orders by a column: numbers by their exact value, text without regard to case; null comes last either way and
// equals keep their place.
func (t table) sort(column int, numeric, descending bool) table {
	type keyed struct {
		row    []cell
		null   bool
		number decimal
		text   string
	}
	keys := make([]keyed, len(t.rows))
	for i, row := range t.rows {
		keys[i] = keyed{row: row, null: row[column].text == nil}
		switch {
		case keys[i].null:
		case numeric:
			keys[i].number = readDecimal(*row[column].text)
		default:
			keys[i].text = strings.ToLower(*row[column].text)
		}
	}
	sign := 1
	if descending {
		sign = -1
	}
	slices.SortStableFunc(keys, func(a, b keyed) int {
		switch {
		case a.null || b.null:
			return cmp.Compare(btoi(a.null), btoi(b.null))
		case numeric:
			return sign * a.number.compare(b.number)
		}
		return sign * strings.Compare(a.text, b.text)
	})
	sorted := table{header: t.header, rows: make([][]cell, len(keys))}
	for i, k := range keys {
		sorted.rows[i] = k.row
	}
	return sorted
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// tablePage is a page of a table on its way to the browser. Cells are text, so that no digit is lost there.
type tablePage struct {
	Columns []tableColumn `json:"columns"`
	Rows    [][]*string   `json:"rows"`
	Total   int           `json:"total"`   // rows in the table
	Matched int           `json:"matched"` // rows that the filter left
	Page    int           `json:"page"`    // from 0 on
	Size    int           `json:"size"`    // rows of a full page
}

type tableColumn struct {
	Name    string `json:"name"`
	Numeric bool   `json:"numeric,omitempty"`
}

// page answers with one page; sort is a column or -1.
func (t table) page(number, size, sort int, descending bool, filter ...string) tablePage {
	p := tablePage{Total: len(t.rows), Size: size, Columns: make([]tableColumn, len(t.header))}
	for c, name := range t.header {
		p.Columns[c] = tableColumn{name, t.numeric(c)}
	}
	t = t.filter(filter...)
	p.Matched = len(t.rows)
	if sort >= 0 && sort < len(t.header) {
		t = t.sort(sort, p.Columns[sort].Numeric, descending)
	}
	p.Page = max(0, min(number, (p.Matched-1)/size))
	shown := t.rows[min(p.Page*size, p.Matched):min((p.Page+1)*size, p.Matched)]
	p.Rows = make([][]*string, len(shown))
	for i, row := range shown {
		p.Rows[i] = make([]*string, len(row))
		for c := range row {
			p.Rows[i][c] = row[c].text
		}
	}
	return p
}

func (s *server) showTable(w http.ResponseWriter, r *http.Request, owner string) error {
	q := r.URL.Query()
	number, _ := strconv.Atoi(q.Get("page")) // what is no number is the first page
	column, err := strconv.Atoi(q.Get("sort"))
	if err != nil {
		column = -1
	}
	filter, digits := q.Get("filter"), q.Get("digits")
	if max(len(filter), len(digits)) > maxSearch {
		return invalid(fmt.Sprintf("the filter is longer than %d bytes; shorten it", maxSearch))
	}
	var page tablePage
	err = s.table(r, owner, func(t table) { page = t.page(number, pageRows, column, q.Has("descending"), filter, digits) })
	if err != nil {
		return err
	}
	sendJSON(w, http.StatusOK, page)
	return nil
}

func (s *server) sendCSV(w http.ResponseWriter, r *http.Request, owner string) error {
	name, write := "table.csv", table.exactCSV
	if r.URL.Query().Has("spreadsheet") {
		name, write = "table-spreadsheet.csv", table.spreadsheetCSV
	}
	var text string
	if err := s.table(r, owner, func(t table) { text = write(t) }); err != nil {
		return err
	}
	w.Header().Set("Content-Type", "text/csv; charset=utf-8")
	w.Header().Set("Content-Disposition", `attachment; filename="`+name+`"`)
	_, err := io.WriteString(w, text)
	return err
}

// table has the table event that the path names read.
func (s *server) table(r *http.Request, owner string, read func(table)) error {
	run, err := s.Store.Run(r.Context(), owner, r.PathValue("run"))
	if err != nil {
		return err
	}
	seq, err := strconv.ParseInt(r.PathValue("seq"), 10, 64)
	if err != nil || seq < 1 {
		return store.ErrNotFound
	}
	s.drawing <- struct{}{}
	defer func() { <-s.drawing }()
	events, err := s.Store.Events(r.Context(), run.ID, seq-1, 1)
	if err != nil {
		return err
	}
	if len(events) != 1 || events[0].Seq != seq {
		return store.ErrNotFound
	}
	event, err := chat.Decode(events[0])
	if err != nil {
		return err
	}
	drawn, ok := event.(*chat.Table)
	if !ok || drawn.Rows == nil {
		return store.ErrNotFound
	}
	t, err := readTable(drawn.Rows)
	if err != nil {
		return err
	}
	read(t)
	return nil
}
