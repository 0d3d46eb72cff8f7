package web

// What of a table leaves: the rows that were chosen, in the reader's form, with every digit, under a name of its own.

import (
	"bytes"
	"encoding/json"
	"fmt"
	"mime"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/xuri/excelize/v2"

	"github.com/diptych-mcp/diptych/gateway/chat"
)

// months are rows with everything that spreadsheets take for something else.
const months = `[["mês","valor","id","dia","taxa","certo"],["março",1.50,"007","2026-11-30","-3%",true],["Março 10",12345678901234567,"1.10","2026-11-29","=1+1",false],["abril",-0.25,"a;b",null,"5,6%",null]]`

func sortedColumn(t table, column int, descending bool) []string {
	var list []string
	for _, row := range t.sort(column, descending).rows {
		if row[column].text == nil {
			list = append(list, "null")
			continue
		}
		list = append(list, *row[column].text)
	}
	return list
}

func TestSortsByValue(t *testing.T) {
	for _, tt := range []struct {
		language, cells string
		up, down        string
	}{
		{"en", `[100],[9],["n/a"],[20],[null],[3]`, "3 9 20 100 n/a null", "100 20 9 3 n/a null"},
		{"en", `["1,234"],["999"],["5.6%"],["-3%"],["+7"]`, "-3% 5.6% +7 999 1,234", "1,234 999 +7 5.6% -3%"},
		{"es", `["1.234,5"],["1.235"],["5,6%"],["0,5"],["\u22127"]`, "\u22127 0,5 1.235 5,6% 1.234,5", "1.234,5 5,6% 1.235 0,5 \u22127"},
		{"es", `["zeta"],["árbol"],["Arena"],["ñu"],["nube"],["item 10"],["item 9"]`, "árbol Arena item 9 item 10 nube ñu zeta", "zeta ñu nube item 10 item 9 Arena árbol"},
	} {
		table, err := readTable(json.RawMessage(`[["n"],` + tt.cells + `]`))
		if err != nil {
			t.Fatal(err)
		}
		table.language = tt.language
		if diff := cmp.Diff(tt.up, strings.Join(sortedColumn(table, 0, false), " ")); diff != "" {
			t.Errorf("%s ascending (-want +got):\n%s", tt.cells, diff)
		}
		if diff := cmp.Diff(tt.down, strings.Join(sortedColumn(table, 0, true), " ")); diff != "" {
			t.Errorf("%s descending (-want +got):\n%s", tt.cells, diff)
		}
	}
}

func TestFilterIgnoresAccents(t *testing.T) {
	table, err := readTable(json.RawMessage(months))
	if err != nil {
		t.Fatal(err)
	}
	for _, typed := range []string{"MARCO", "março", "março"} {
		if n := len(table.filter(typed).rows); n != 2 {
			t.Errorf("%q finds %d rows", typed, n)
		}
	}
}

// monthsRun is a run with the months, and where its table is.
func monthsRun(t *testing.T) (http.Handler, string) {
	t.Helper()
	f := newFake()
	f.scripts["months"] = func(r *fakeRun) { r.answer("m", 1, "Receita / mês: 2026", months, "", "") }
	run, err := f.start(t.Context(), "local", must(f.CreateConversation(t.Context(), "local", "")).ID, "months", chat.Input{Text: "months"})
	if err != nil {
		t.Fatal(err)
	}
	f.waitEnded(run.ID)
	return newHandler(t, f), "/runs/" + run.ID + "/tables/3"
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func TestSpreadsheetFileHasTheFormOfTheLanguage(t *testing.T) {
	h, path := monthsRun(t)
	for language, want := range map[string]string{
		"en": "\uFEFFmês,valor,id,dia,taxa,certo\r\nmarço,1.50,007,2026-11-30,-3%,true\r\nMarço 10,12345678901234567,1.10,2026-11-29,'=1+1,false\r\nabril,-0.25,a;b,,\"5,6%\",\r\n",
		"pt": "\uFEFFmês;valor;id;dia;taxa;certo\r\nmarço;1,50;007;2026-11-30;-3%;true\r\nMarço 10;12345678901234567;1,10;2026-11-29;'=1+1;false\r\nabril;-0,25;\"a;b\";;5,6%;\r\n",
	} {
		_, csv, _ := do(t, h, "GET", path+"/csv?spreadsheet", "", "Accept-Language", language)
		if diff := cmp.Diff(want, csv); diff != "" {
			t.Errorf("%s (-want +got):\n%s", language, diff)
		}
	}
}

func TestWhatIsChosenLeaves(t *testing.T) {
	h, path := monthsRun(t)
	_, csv, header := do(t, h, "GET", path+"/csv?filter=marco&sort=1&descending", "")
	want := "mês,valor,id,dia,taxa,certo\r\nMarço 10,12345678901234567,1.10,2026-11-29,=1+1,false\r\nmarço,1.50,007,2026-11-30,-3%,true\r\n"
	if diff := cmp.Diff(want, csv); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	_, given, err := mime.ParseMediaType(header.Get("Content-Disposition"))
	if diff := cmp.Diff(map[string]string{"filename": "Receita mês 2026 marco.csv"}, given); diff != "" || err != nil {
		t.Errorf("name (-want +got):\n%s%v", diff, err)
	}
	if status, _, _ := do(t, h, "GET", path+"/csv?filter="+strings.Repeat("x", maxSearch+1), ""); status != http.StatusBadRequest {
		t.Errorf("a filter that is too long answers %d", status)
	}
}

func TestNamesOfFiles(t *testing.T) {
	for title, want := range map[string]string{
		"../../etc/passwd": "etc passwd.csv", "": "table.csv", "\u202egpj.exe": "gpj exe.csv", "a\r\nb": "a b.csv", "<b>\"x\"": "b x.csv",
		strings.Repeat("é", maxFileName+1): strings.Repeat("é", maxFileName) + ".csv",
	} {
		if got := (tableFile{title: title}).name(".csv"); got != want {
			t.Errorf("%q becomes %q", title, got)
		}
	}
}

func TestWorkbook(t *testing.T) {
	h, path := monthsRun(t)
	status, body, header := do(t, h, "GET", path+"/xlsx", "", "Accept-Language", "pt")
	if status != http.StatusOK || !strings.Contains(header.Get("Content-Disposition"), "xlsx") {
		t.Fatalf("%d %s", status, header.Get("Content-Disposition"))
	}
	book, err := excelize.OpenReader(bytes.NewReader([]byte(body)))
	if err != nil {
		t.Fatal(err)
	}
	defer book.Close()
	if diff := cmp.Diff([]string{"Tabela", "Fontes"}, book.GetSheetList()); diff != "" {
		t.Errorf("sheets (-want +got):\n%s", diff)
	}
	// As it is shown, and what it is.
	want := map[string]string{
		"A2": "março text", "B2": "1.50 number", "C2": "007 text", "D2": "2026-11-30 number", "E2": "-3% text", "F2": "TRUE bool",
		"B3": "12345678901234567 text", "C3": "1.10 text", "E3": "=1+1 text", "B4": "-0.25 number", "D4": " number",
	}
	got := map[string]string{}
	for at := range want {
		text, err := book.GetCellValue("Tabela", at)
		if err != nil {
			t.Fatal(err)
		}
		if formula, _ := book.GetCellFormula("Tabela", at); formula != "" {
			t.Errorf("%s is the formula %s", at, formula)
		}
		kind, err := book.GetCellType("Tabela", at)
		if err != nil {
			t.Fatal(err)
		}
		names := map[excelize.CellType]string{excelize.CellTypeBool: "bool", excelize.CellTypeInlineString: "text", excelize.CellTypeSharedString: "text", excelize.CellTypeUnset: "number", excelize.CellTypeNumber: "number"}
		got[at] = text + " " + names[kind]
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("cells (-want +got):\n%s", diff)
	}
	if address, err := book.GetCellValue("Fontes", "F2"); address != "https://data.example/cities" || err != nil {
		t.Errorf("source: %q %v", address, err)
	}
}

// A number is one in the workbook where it comes back digit for digit, and text where it would not.
func TestSpreadsheetNumbers(t *testing.T) {
	for text, want := range map[string]string{
		"1.10": "0.00", "0": "0", "-0": "", "123456789012345": "0", "1234567890123456": "", "1000000000000000000000": "0", "0.30000000000000004": "",
		"1e-7": "0.##############E+0", "1e999": "", "0.000": "0.000",
	} {
		value, format, ok := spreadsheetNumber(text)
		if ok != (want != "") || format != want {
			t.Errorf("%s: %q %v", text, format, ok)
		}
		if ok && readDecimal(text) != readDecimal(fmt.Sprint(value)) && readDecimal(text).compare(readDecimal(strings.Replace(fmt.Sprint(value), "e+", "e", 1))) != 0 {
			t.Errorf("%s became %v", text, value)
		}
	}
}
