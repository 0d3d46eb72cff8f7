package web

// Hostile text, as data: what is in testdata/hostile.json goes through every place that shows what others wrote.

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"io"
	"os"
	"strings"
	"testing"
	"unicode"

	"github.com/xuri/excelize/v2"

	"github.com/diptych-mcp/diptych/gateway/chat"
)

// A payload is text that does harm where it is taken for something else. Kinds are script, load, markdown, deceive and
// formula; {{canary}} is an origin that must not be asked for anything.
type payload struct{ Kind, Text string }

// readPayloads gives all of them, made for one canary. Fewer than were promised is a failure.
func readPayloads(t *testing.T, canary string) []payload {
	t.Helper()
	raw, err := os.ReadFile("testdata/hostile.json")
	if err != nil {
		t.Fatal(err)
	}
	var all []payload
	if err := json.Unmarshal(raw, &all); err != nil {
		t.Fatal(err)
	}
	kinds, seen := map[string]int{}, map[string]bool{}
	for i := range all {
		if seen[all[i].Text] {
			t.Errorf("payload %d appears twice", i)
		}
		seen[all[i].Text] = true
		kinds[all[i].Kind]++
		all[i].Text = strings.ReplaceAll(all[i].Text, "{{canary}}", canary)
	}
	for kind, least := range map[string]int{"script": 60, "load": 20, "markdown": 30, "deceive": 20, "formula": 40} {
		if kinds[kind] < least {
			t.Errorf("%d payloads of kind %s, want at least %d", kinds[kind], kind, least)
		}
	}
	return all
}

// cellsOf reads a file as a spreadsheet would that is set to a separator, quotes or not.
func cellsOf(t *testing.T, file string, separator rune) []string {
	t.Helper()
	r := csv.NewReader(strings.NewReader(strings.TrimPrefix(file, "\uFEFF")))
	r.Comma, r.LazyQuotes, r.FieldsPerRecord = separator, true, -1
	var cells []string
	for {
		row, err := r.Read()
		if errors.Is(err, io.EOF) {
			return cells
		}
		if err != nil {
			t.Fatal(err)
		}
		cells = append(cells, row...)
	}
}

// live holds for a cell that a spreadsheet may run.
func live(cell string) bool {
	if isNumber(cell) || strings.Trim(cell, "+-0123456789.,%") == "" && strings.LastIndexAny(cell, "+-") == 0 {
		return false // a number, which runs nothing
	}
	seen := strings.TrimLeftFunc(cell, func(r rune) bool { return unicode.IsSpace(r) || unicode.In(r, unicode.Z, unicode.Cc, unicode.Cf) })
	for _, sign := range []string{"=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20", "\ufe66", "\ufe62", "\ufe63", "\ufe6b"} {
		if strings.HasPrefix(seen, sign) {
			return true
		}
	}
	return false
}

// quiet fails where a file for spreadsheets has a formula, whatever the separator is.
func quiet(t *testing.T, file string) {
	t.Helper()
	for _, separator := range ",;\t" {
		for _, cell := range cellsOf(t, file, separator) {
			if live(cell) {
				t.Errorf("with %q a cell is live: %q", separator, cell)
			}
		}
	}
}

func TestNoFormulaIsLeftLive(t *testing.T) {
	found := 0
	for _, p := range readPayloads(t, "https://canary.example") {
		text := p.Text
		cells := table{header: []string{text, "n"}, rows: [][]cell{{{&text, true}, {&text, true}}}}
		quiet(t, cells.spreadsheetCSV())
		cells.language = "es"
		quiet(t, cells.spreadsheetCSV())
		for _, separator := range ",;\t" {
			for _, cell := range cellsOf(t, cells.exactCSV(), separator) {
				if live(cell) {
					found++ // so that this test can fail
				}
			}
		}
	}
	if found < 100 {
		t.Errorf("only %d cells of the exact files are live", found)
	}
}

// Markdown of whatever kind becomes known elements, and links that lead to the web and say where.
func TestPayloadsAsMarkdown(t *testing.T) {
	for _, p := range readPayloads(t, "https://canary.example") {
		check(t, p.Text, prose(p.Text), 0)
	}
}

// A browser looks up the hosts of links ahead of time, which shows them that the page is read. A header turns that off.
func TestNoHostIsLookedUpAhead(t *testing.T) {
	f := newFake()
	_, _, header := do(t, newHandler(t, f), "GET", "/", "")
	if got := header.Get("X-DNS-Prefetch-Control"); got != "off" {
		t.Errorf("the page says %q", got)
	}
	c, err := f.CreateConversation(t.Context(), "local", "x")
	if err != nil {
		t.Fatal(err)
	}
	var file strings.Builder
	err = recorder(t, f).writeRecord(t.Context(), &file, "en", c)
	if err != nil || !strings.Contains(file.String(), `<meta http-equiv="x-dns-prefetch-control" content="off">`) {
		t.Errorf("the record does not say it (%v)", err)
	}
}

// In a workbook every payload is the text that it is.
func TestNoPayloadIsAFormulaInAWorkbook(t *testing.T) {
	payloads := readPayloads(t, "https://canary.example")
	cells := table{header: []string{"a"}}
	for _, p := range payloads {
		cells.rows = append(cells.rows, []cell{{&p.Text, true}})
	}
	var file bytes.Buffer
	if err := (tableFile{table: cells, sources: []chat.Source{{Title: "=1+1", URL: payloads[0].Text}}}).writeWorkbook(&file); err != nil {
		t.Fatal(err)
	}
	book, err := excelize.OpenReader(&file)
	if err != nil {
		t.Fatal(err)
	}
	defer book.Close()
	for _, sheet := range book.GetSheetList() {
		rows, err := book.GetRows(sheet)
		if err != nil {
			t.Fatal(err)
		}
		for r, row := range rows {
			for c := range row {
				at, err := excelize.CoordinatesToCellName(c+1, r+1)
				if err != nil {
					t.Fatal(err)
				}
				if formula, err := book.GetCellFormula(sheet, at); formula != "" || err != nil {
					t.Errorf("%s of %s is the formula %q, %v", at, sheet, formula, err)
				}
				if link, target, _ := book.GetCellHyperLink(sheet, at); link {
					t.Errorf("%s of %s leads to %s", at, sheet, target)
				}
			}
		}
		if len(rows) < 2 {
			t.Errorf("%s has %d rows", sheet, len(rows))
		}
	}
}
