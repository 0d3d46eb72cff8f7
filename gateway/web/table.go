package web

// Tables as the page asks for them: filtered, sorted and cut into pages here, over the digits that the tool gave.

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/collate"
	tags "golang.org/x/text/language"
	"golang.org/x/text/unicode/norm"

	"github.com/diptych-mcp/diptych/gateway/chat"
	"github.com/diptych-mcp/diptych/gateway/store"
)

// A cell is text as it is shown; nil is null. isText tells "1.10" from 1.10.
type cell struct {
	text   *string
	isText bool
}

type table struct {
	header   []string
	rows     [][]cell
	language string // of the reader, by which texts are sorted
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

// filter keeps the rows of which a cell contains one of the texts, whatever its case and accents: what was typed, and what
// it means where a language groups its digits.
func (t table) filter(texts ...string) table {
	sought := slices.DeleteFunc(slices.Clone(texts), func(text string) bool { return text == "" })
	if len(sought) == 0 {
		return t
	}
	for i, text := range sought {
		sought[i] = fold(text)
	}
	holds := func(c cell) bool {
		if c.text == nil {
			return false
		}
		shown := fold(*c.text)
		return slices.ContainsFunc(sought, func(text string) bool { return strings.Contains(shown, text) })
	}
	kept := table{header: t.header, language: t.language}
	for _, row := range t.rows {
		if slices.ContainsFunc(row, holds) {
			kept.rows = append(kept.rows, row)
		}
	}
	return kept
}

// fold is a text without case and accents.
func fold(text string) string {
	ascii := true
	for i := range len(text) {
		ascii = ascii && text[i] < utf8.RuneSelf
	}
	if !ascii {
		text = norm.NFD.String(text)
		text = strings.Map(func(r rune) rune {
			if unicode.Is(unicode.Mn, r) {
				return -1
			}
			return r
		}, text)
	}
	return strings.ToLower(text)
}

// sort orders by a column: numbers first and by their exact value, then texts in the order of the language, in which
// digits count as numbers; null comes last. Descending turns the order within numbers and within texts. Equals keep their
// place.
func (t table) sort(column int, descending bool) table {
	type keyed struct {
		row    []cell
		class  int // numbers, texts, nulls
		number decimal
		text   []byte
	}
	order := collate.New(tags.Make(t.language), collate.IgnoreCase, collate.Numeric)
	var buffer collate.Buffer
	keys := make([]keyed, len(t.rows))
	for i, row := range t.rows {
		keys[i] = keyed{row: row, class: 2}
		if row[column].text == nil {
			continue
		}
		if number, ok := readShown(*row[column].text); ok {
			keys[i].class, keys[i].number = 0, number
		} else {
			keys[i].class, keys[i].text = 1, order.KeyFromString(&buffer, *row[column].text)
		}
	}
	sign := 1
	if descending {
		sign = -1
	}
	slices.SortStableFunc(keys, func(a, b keyed) int {
		switch {
		case a.class != b.class:
			return cmp.Compare(a.class, b.class)
		case a.class == 0:
			return sign * a.number.compare(b.number)
		}
		return sign * bytes.Compare(a.text, b.text)
	})
	sorted := table{header: t.header, language: t.language, rows: make([][]cell, len(keys))}
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
	t = t.selected(selection{sort, descending, filter})
	p.Matched = len(t.rows)
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

// A selection is what a reader chose of a table.
type selection struct {
	sort       int // a column, or -1
	descending bool
	filter     []string
}

func readSelection(q url.Values) (selection, error) {
	column, err := strconv.Atoi(q.Get("sort"))
	if err != nil {
		column = -1
	}
	filter, digits := q.Get("filter"), q.Get("digits")
	if max(len(filter), len(digits)) > maxSearch {
		return selection{}, invalid(fmt.Sprintf("the filter is longer than %d bytes; shorten it", maxSearch))
	}
	return selection{column, q.Has("descending"), []string{filter, digits}}, nil
}

// selected is the part of the table that a selection shows, in its order.
func (t table) selected(sel selection) table {
	t = t.filter(sel.filter...)
	if sel.sort >= 0 && sel.sort < len(t.header) {
		t = t.sort(sel.sort, sel.descending)
	}
	return t
}

func (s *server) showTable(w http.ResponseWriter, r *http.Request, owner string) error {
	q := r.URL.Query()
	number, _ := strconv.Atoi(q.Get("page")) // what is no number is the first page
	sel, err := readSelection(q)
	if err != nil {
		return err
	}
	size := pageRows
	if q.Has("paper") {
		size = paperRows
	}
	var page tablePage
	err = s.table(r, owner, func(_ store.Run, _ *chat.Table, t table) error {
		page = t.page(number, size, sel.sort, sel.descending, sel.filter...)
		return nil
	})
	if err != nil {
		return err
	}
	sendJSON(w, http.StatusOK, page)
	return nil
}

// table has the table event that the path names read.
func (s *server) table(r *http.Request, owner string, read func(store.Run, *chat.Table, table) error) error {
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
	t.language = language(r)
	return read(run, drawn, t)
}
