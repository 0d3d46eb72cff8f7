//go:build browser

package web

import (
	"fmt"
	"strings"
	"testing"
)

// The files of a table hold what is filtered and sorted on the page, in its language, and the caption says so.
func TestBrowserFilesHoldWhatIsChosen(t *testing.T) {
	f := newFake()
	f.scripts["months"] = func(r *fakeRun) {
		r.answer("m", 1, "Receita", numbered(40), "", "")
	}
	b := newBrowser(t, f)
	b.open("/")
	b.fill(".settings select", "es")
	b.until(`document.documentElement.lang==="es"&&document.querySelector(".ask textarea")`)
	b.ask("months")
	b.until(over)
	b.fill(".filter input", "place-0002")
	b.until(`document.querySelectorAll(".flow tbody tr").length===10`)
	b.click(".flow thead th:nth-child(2) button")
	b.click(".flow thead th:nth-child(2) button")
	b.until(`document.querySelector(".flow tbody th").textContent==="Place-00029."&&document.querySelector(".flow caption").textContent.includes("10 visibles")`)
	read := func(link int) string {
		return eval[string](b, fmt.Sprintf(`fetch(document.querySelectorAll(".downloads a")[%d].href).then(async r=>decodeURIComponent(r.headers.get("content-disposition"))+"\n"+await r.text())`, link))
	}
	exact, spreadsheet := read(0), read(1)
	if !strings.HasPrefix(exact, "attachment; filename=\"Receita place-0002.csv\"\nMunicipality,People\r\nPlace-00029.,1029\r\nPlace-00028.,1028\r\n") || strings.Count(exact, "\r\n") != 11 {
		t.Errorf("CSV: %q", exact)
	}
	if !strings.Contains(spreadsheet, "Municipality;People\r\nPlace-00029.;1029\r\n") {
		t.Errorf("for spreadsheets: %q", spreadsheet)
	}
	if workbook := read(2); !strings.Contains(workbook, "Receita place-0002.xlsx") {
		t.Errorf("workbook: %.80q", workbook)
	}
	b.accessible("table")
	b.clean()
}
