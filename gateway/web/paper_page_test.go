//go:build browser

package web

// What comes out of a printer: the page as PDF, read back.

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"github.com/diptych-mcp/diptych/gateway/chat"
)

// paper prints on sheets of so many inches, and returns the text of each without blanks.
func (b *browser) paper(name string, width, height float64) []string {
	b.Helper()
	printed, err := chromedp.Call(b.ctx, page.PrintToPDF, page.PrintToPDFParams{PaperWidth: width, PaperHeight: height, PreferCSSPageSize: new(true)})
	if err != nil {
		b.Fatal(err)
	}
	folder := os.Getenv("DIPTYCH_SHOTS")
	if folder == "" {
		folder = b.TempDir()
	}
	file := filepath.Join(folder, name+".pdf")
	if err := os.WriteFile(file, printed.Data, 0o600); err != nil {
		b.Fatal(err)
	}
	text, err := exec.Command("pdftotext", "-layout", file, "-").Output()
	if err != nil {
		b.Fatalf("%v; pdftotext is in Debian's poppler-utils", err)
	}
	var sheets []string
	for sheet := range strings.SplitSeq(strings.TrimSuffix(string(text), "\f"), "\f") {
		sheets = append(sheets, strings.Join(strings.Fields(sheet), ""))
	}
	return sheets
}

// numbered is a table of n rows with a text that is on no other.
func numbered(n int) string {
	rows := []string{`["Municipality","People"]`}
	for i := range n {
		rows = append(rows, fmt.Sprintf(`["Place-%05d.",%d]`, i, 1000+i))
	}
	return "[" + strings.Join(rows, ",") + "]"
}

func missing(sheets []string, n int) (rows int) {
	all := strings.Join(sheets, "")
	for i := range n {
		if !strings.Contains(all, fmt.Sprintf("Place-%05d.", i)) {
			rows++
		}
	}
	return rows
}

func TestBrowserPaper(t *testing.T) {
	f := newFake()
	f.scripts["cities"] = func(r *fakeRun) {
		r.answer("p", 1, "Municipalities", numbered(150), largest, "")
		r.tell(&chat.Text{Turn: 2, Text: "See [the office](https://office.example/page).", Final: true})
	}
	f.scripts["many"] = func(r *fakeRun) { r.answer("q", 1, "Municipalities", numbered(1000), "", "") }
	b := newBrowser(t, f)
	b.ask("cities")
	b.until(over)
	b.fill(".settings select:last-of-type", "dark")
	for name, size := range map[string][2]float64{"a4": {8.27, 11.69}, "letter": {8.5, 11}} {
		sheets := b.paper("paper-"+name, size[0], size[1])
		if n := missing(sheets, 150); n != 0 || len(sheets) < 3 || len(sheets) > 8 {
			t.Errorf("%s: %d of 150 rows are missing on %d sheets", name, n, len(sheets))
		}
		var parts, charts, addresses int
		for i, s := range sheets {
			if strings.Contains(s, "Place-") && !strings.Contains(s, "MunicipalityPeople") {
				t.Errorf("%s: sheet %d has rows without a header", name, i+1)
			}
			if number := fmt.Sprintf("%d/%d", i+1, len(sheets)); !strings.Contains(s, number) {
				t.Errorf("%s: sheet %d does not say %s", name, i+1, number)
			}
			for _, button := range []string{"DownloadCSV", "Rename", "Useatool", "Excel", "Newconversation"} {
				if strings.Contains(s, button) {
					t.Errorf("%s: the button %s is printed", name, button)
				}
			}
			if strings.Contains(s, "40,000,000") || strings.Contains(s, "MexicoCity") {
				parts++
				if strings.Contains(s, "Sixcitiesabove21million") && strings.Contains(s, "2025Population") && strings.Contains(s, "Dhaka") {
					charts++
				}
			}
			addresses += strings.Count(s, "https://data.example/cities") + strings.Count(s, "<https://office.example/page>")
		}
		if parts != 1 || charts != 1 {
			t.Errorf("%s: %d sheets have a part of the chart, %d with its title and legend", name, parts, charts)
		}
		if addresses != 2 {
			t.Errorf("%s: %d addresses are printed", name, addresses)
		}
		if !strings.Contains(sheets[0], "Printedon") {
			t.Errorf("%s: the first sheet has no date: %.200s", name, sheets[0])
		}
	}
	if theme := eval[string](b, `document.documentElement.dataset.theme`); theme != "dark" {
		t.Errorf("after printing the theme is %s", theme)
	}

	// The browser's own command has what the page has, and says what is missing; the page's button fetches the rest.
	b.ask("many")
	b.until(over)
	sheets := b.paper("paper-part", 8.27, 11.69)
	if n := missing(sheets, 1000); n != 800 {
		t.Errorf("%d of 1000 rows are missing", n)
	}
	said := false
	for _, s := range sheets {
		said = said || strings.Contains(s, "800rowsarenotonpaper")
	}
	if !said {
		t.Error("the paper does not say how many rows are missing")
	}
	eval[bool](b, `(window.print=()=>{window.asked=true},true)`)
	b.click(".title-tools .print")
	b.until(`window.asked`)
	if n := missing(b.paper("paper-whole", 8.27, 11.69), 1000); n != 0 {
		t.Errorf("%d of 1000 rows are missing on whole paper", n)
	}
	if rows := eval[int](b, `document.querySelectorAll(".flow tbody tr").length`); rows != pageRows {
		t.Errorf("after printing the page has %d rows", rows)
	}
	b.clean()
}
