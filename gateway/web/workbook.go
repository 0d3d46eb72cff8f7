package web

// A table as a workbook (XLSX). Numbers that a spreadsheet holds exactly are numbers with as many decimals as the tool gave;
// all others, and texts such as ids, are text. Columns of dates are dates. Texts are never formulas there.

import (
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/xuri/excelize/v2"
)

// sheetNames are those of the table and of its sources.
var sheetNames = map[string][2]string{"en": {"Table", "Sources"}, "pt": {"Tabela", "Fontes"}, "es": {"Tabla", "Fuentes"}}

var sourceColumns = map[string][]any{
	"en": {"Title", "Publisher", "Period", "License", "Retrieved", "Address"},
	"pt": {"Título", "Publicador", "Período", "Licença", "Obtido", "Endereço"},
	"es": {"Título", "Editor", "Período", "Licencia", "Obtenido", "Dirección"},
}

func (f tableFile) writeWorkbook(w io.Writer) error {
	names, ok := sheetNames[f.language]
	if !ok {
		names = sheetNames["en"]
	}
	book := excelize.NewFile()
	defer book.Close()
	if err := book.SetSheetName("Sheet1", names[0]); err != nil {
		return err
	}
	if _, err := book.NewSheet(names[1]); err != nil {
		return err
	}
	sheet, err := book.NewStreamWriter(names[0])
	if err != nil {
		return err
	}
	if err := f.writeRows(book, sheet); err != nil {
		return err
	}
	if err := sheet.Flush(); err != nil {
		return err
	}
	if err := f.writeSources(book, names[1]); err != nil {
		return err
	}
	return book.Write(w)
}

// writeRows writes the header, which stays in view, and the rows; what is below the last row of a sheet is left out, and
// the last row says so.
func (f tableFile) writeRows(book *excelize.File, sheet *excelize.StreamWriter) error {
	if err := sheet.SetPanes(&excelize.Panes{Freeze: true, YSplit: 1, TopLeftCell: "A2", ActivePane: "bottomLeft"}); err != nil {
		return err
	}
	bold, err := book.NewStyle(&excelize.Style{Font: &excelize.Font{Bold: true}})
	if err != nil {
		return err
	}
	header := make([]any, min(len(f.header), excelize.MaxColumns))
	for c := range header {
		header[c] = excelize.Cell{StyleID: bold, Value: short(f.header[c])}
	}
	if err := sheet.SetRow("A1", header); err != nil {
		return err
	}
	styles := formats{book: book, known: map[string]int{}}
	dates := make([]bool, len(f.header))
	for c := range dates {
		dates[c] = f.isDates(c)
	}
	for i, row := range f.rows {
		at := "A" + strconv.Itoa(i+2)
		if i+2 == excelize.TotalRows && i+1 < len(f.rows) {
			return sheet.SetRow(at, []any{fmt.Sprintf("… %d", len(f.rows)-i)})
		}
		cells := make([]any, len(header))
		for c := range cells {
			if cells[c], err = styles.cell(row[c], dates[c]); err != nil {
				return err
			}
		}
		if err := sheet.SetRow(at, cells); err != nil {
			return err
		}
	}
	return nil
}

func (f tableFile) writeSources(book *excelize.File, sheet string) error {
	head, ok := sourceColumns[f.language]
	if !ok {
		head = sourceColumns["en"]
	}
	if err := book.SetSheetRow(sheet, "A1", &head); err != nil {
		return err
	}
	for i, s := range f.sources {
		row := []any{short(s.Title), short(s.Publisher), short(s.Period), short(s.License), short(s.RetrievedAt), short(s.URL)}
		if err := book.SetSheetRow(sheet, "A"+strconv.Itoa(i+2), &row); err != nil {
			return err
		}
	}
	return nil
}

// formats are the styles of a workbook, by the format of numbers.
type formats struct {
	book  *excelize.File
	known map[string]int
}

func (s formats) style(format string) (int, error) {
	if id, ok := s.known[format]; ok {
		return id, nil
	}
	id, err := s.book.NewStyle(&excelize.Style{CustomNumFmt: &format})
	s.known[format] = id
	return id, err
}

func (s formats) cell(c cell, date bool) (any, error) {
	switch {
	case c.text == nil:
		return nil, nil
	case c.isText && date:
		day, _ := time.Parse(time.DateOnly, *c.text) // isDates read it
		id, err := s.style("yyyy-mm-dd")
		return excelize.Cell{StyleID: id, Value: day.Sub(time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC)).Hours() / 24}, err
	case c.isText:
		return short(*c.text), nil
	case *c.text == "true" || *c.text == "false":
		return *c.text == "true", nil
	}
	value, format, ok := spreadsheetNumber(*c.text)
	if !ok {
		return *c.text, nil
	}
	id, err := s.style(format)
	return excelize.Cell{StyleID: id, Value: value}, err
}

var plainNumber = regexp.MustCompile(`^-?[0-9]+(?:\.([0-9]+))?$`)

// spreadsheetNumber reads a JSON number that a spreadsheet holds and shows digit for digit: it shows fifteen digits at most.
func spreadsheetNumber(text string) (value float64, format string, ok bool) {
	d := readDecimal(text)
	if len(d.digits) > 15 {
		return 0, "", false
	}
	value, err := strconv.ParseFloat(text, 64)
	if err != nil || value == 0 && (d.digits != "" || d.negative || strings.HasPrefix(text, "-")) {
		return 0, "", false
	}
	parts := plainNumber.FindStringSubmatch(text)
	switch {
	case parts == nil:
		return value, "0.##############E+0", true
	case parts[1] == "":
		return value, "0", true
	case len(parts[1]) > 15:
		return 0, "", false
	}
	return value, "0." + strings.Repeat("0", len(parts[1])), true
}

// isDates holds for a column of days and nulls. Spreadsheets take 1900 for a leap year, so earlier days stay text.
func (t table) isDates(column int) bool {
	seen := false
	for _, row := range t.rows {
		c := row[column]
		if c.text == nil {
			continue
		}
		day, err := time.Parse(time.DateOnly, *c.text)
		if !c.isText || err != nil || day.Before(time.Date(1900, 3, 1, 0, 0, 0, 0, time.UTC)) {
			return false
		}
		seen = true
	}
	return seen
}

// short is a text that a cell holds.
func short(text string) string {
	text = strings.ToValidUTF8(text, "\uFFFD")
	if utf8.RuneCountInString(text) <= excelize.TotalCellChars {
		return text
	}
	return string([]rune(text)[:excelize.TotalCellChars-1]) + "…"
}
