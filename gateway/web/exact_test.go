//go:build browser

package web

// Digits in the browser: those of a form on their way to the tool, and those of an answer on the screen and in files.

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/diptych-mcp/diptych/gateway/chat"
	"github.com/diptych-mcp/diptych/gateway/host"
)

// hard are digits that a browser's own numbers change.
var hard = []string{"12345678901234567890", "1.10", "37400068", "-0", "1e-7", "0.1000000000000000055511151231257827"}

func TestBrowserFormKeepsDigits(t *testing.T) {
	numbers := "[" + strings.Join(hard, ",") + "]"
	f := newFake()
	f.model = ""
	f.tools = []host.Tool{{Name: "t__digits", Server: "t", Original: "digits", Title: "Digits", Input: json.RawMessage(`{"type":"object",
		"$defs":{"Big":{"type":"integer","default":12345678901234567890}},
		"properties":{
			"typed":{"type":"integer","minimum":-12345678901234567890,"maximum":12345678901234567890},
			"real":{"type":"number","default":1.10},
			"choice":{"enum":` + numbers + `,"default":12345678901234567890},
			"other":{"enum":[1,"1",1.10,12345678901234567891],"default":1.1},
			"only":{"const":12345678901234567890,"default":12345678901234567890},
			"list":{"type":"array","items":{"type":"number"},"default":` + numbers + `},
			"object":{"type":"object","default":{"a":{"b":` + numbers + `}}},
			"behind":{"anyOf":[{"$ref":"#/$defs/Big"},{"type":"null"}]},
			"free":{"default":1.10},
			"small":{"type":"number","default":1e-7},
			"text":{"type":"string","default":"1.10"},
			"lines":{"type":"string","default":"a\r\nb"}}}`)}}
	b := newBrowser(t, f)
	b.open("/")
	b.click(".tool")
	b.until(`document.querySelectorAll(".field").length===12`)
	if got := eval[string](b, `document.querySelector(".field .kind").textContent`); !strings.Contains(got, "-12345678901234567890 – 12345678901234567890") {
		t.Errorf("the limits read %q", got)
	}
	if diff := cmp.Diff(hard, eval[[]string](b, `[...document.querySelectorAll(".field:nth-child(3) option")].slice(1).map(o=>o.text)`)); diff != "" {
		t.Errorf("choices (-want +got):\n%s", diff)
	}
	b.fill(".field:nth-child(1) input", "12345678901234567890")
	b.click("form button[type=submit]")
	b.until(`location.pathname.startsWith("/c/")`)
	compact := strings.ReplaceAll(numbers, "\n", "")
	want := `{"typed":12345678901234567890,"real":1.10,"choice":12345678901234567890,"other":1.10,"only":12345678901234567890,"list":` + compact +
		`,"object":{"a":{"b":` + compact + `}},"behind":12345678901234567890,"free":1.10,"small":1e-7,"text":"1.10","lines":"a\r\nb"}`
	var asked chat.Input
	if err := json.Unmarshal(f.runs[0].Input, &asked); err != nil {
		t.Fatal(err)
	}
	if got := strings.NewReplacer(" ", "", "\n", "").Replace(string(asked.Arguments)); got != want {
		t.Errorf("the tool was asked\n%s, want\n%s", got, want)
	}
	b.clean()
}

// Sorting and filtering go by the exact digits, and columns stay where the tool put them.
func TestBrowserTableKeepsDigits(t *testing.T) {
	given := []string{"12345678901234567891", "12345678901234567890", "1.10", "-0", "1e-7", "37400068", "0.1000000000000000055511151231257827", "0.1", "-1e400", "1e400", "1.1000000000000000000001", "-12345678901234567890", "2", "10"}
	sorted := []string{"-1e400", "-12345678901234567890", "-0", "1e-7", "0.1", "0.1000000000000000055511151231257827", "1.10", "1.1000000000000000000001", "2", "10", "37400068", "12345678901234567890", "12345678901234567891", "1e400", ""}
	rows := `[["z","10","2","a"]`
	for i, digits := range given {
		rows += `,["row ` + string(rune('a'+i)) + `",` + digits + `,"` + digits + `",true]`
	}
	rows += `,["none",null,"0.1+0.2",false]]`
	f := newFake()
	f.scripts["q"] = func(r *fakeRun) { r.answer("c", 1, "T", rows, "", "") }
	b := newBrowser(t, f)
	run := startRun(t, newHandler(t, f), `{"text":"q"}`)
	f.waitEnded(run.ID)
	b.open("/c/" + run.Conversation)
	column := func(n string) string {
		return `[...document.querySelectorAll(".flow > .table tbody tr")].map(r=>r.cells[` + n + `].textContent)`
	}
	shown := func(n string, want []string) {
		t.Helper()
		list, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		b.until(`JSON.stringify(` + column(n) + `)===` + literal(string(list)))
	}
	shown("1", append(append([]string{}, given...), ""))
	shown("2", append(append([]string{}, given...), "0.1+0.2"))
	if diff := cmp.Diff([]string{"z", "10", "2", "a"}, eval[[]string](b, `[...document.querySelectorAll(".flow > .table thead bdi")].map(x=>x.textContent)`)); diff != "" {
		t.Errorf("columns (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"", "number", "", ""}, eval[[]string](b, `[...document.querySelectorAll(".flow > .table thead th")].map(x=>x.className)`)); diff != "" {
		t.Errorf("columns of numbers (-want +got):\n%s", diff)
	}
	b.click(".flow > .table th:nth-child(2) button")
	shown("1", sorted)
	b.click(".flow > .table th:nth-child(2) button")
	falling := append([]string{}, sorted[:len(sorted)-1]...)
	for i, j := 0, len(falling)-1; i < j; i, j = i+1, j-1 {
		falling[i], falling[j] = falling[j], falling[i]
	}
	shown("1", append(falling, ""))
	b.fill(".flow > .table input", "01234567890")
	shown("1", []string{"12345678901234567890", "-12345678901234567890"})
	b.fill(".flow > .table input", "1.10")
	shown("1", []string{"1.1000000000000000000001", "1.10"})
	b.fill(".flow > .table input", "-12,345,678")
	shown("1", []string{"-12345678901234567890"})
	b.fill(".flow > .table input", "0.1+0.2")
	shown("2", []string{"0.1+0.2"})

	// Where nothing is chosen any more, the files hold the whole table as it came.
	b.fill(".flow > .table input", "")
	b.click(".flow > .table th:nth-child(2) button")
	shown("1", append(append([]string{}, given...), ""))
	files := eval[[]string](b, `Promise.all([...document.querySelectorAll(".downloads a[href*=csv]")].map(a=>fetch(a.href).then(r=>r.text())))`)
	for _, file := range files {
		lines := strings.Split(strings.TrimSpace(file), "\r\n")
		if len(lines) != len(given)+2 || lines[0] != "z,10,2,a" {
			t.Fatalf("a file has %d lines and begins with %q", len(lines), lines[0])
		}
		for i, digits := range given {
			if got := strings.Split(lines[i+1], ","); got[1] != digits || got[2] != digits {
				t.Errorf("a file has %q, want %s twice", lines[i+1], digits)
			}
		}
	}
	b.clean()
}

// People see digits in groups, with the marks of their language; what is copied, saved or sent to a program has digits alone.
func TestBrowserDigitsInGroups(t *testing.T) {
	f := newFake()
	f.scripts["q"] = func(r *fakeRun) {
		r.answer("c", 1, "T", `[["year","people","price"],[2023,37400068,-12345.10],[1642,9999,1.5e400],[10000,12345678901234567890,0.12345]]`,
			`{"type":"line","data":{"labels":["a","b"],"datasets":[{"data":[37400068,9999.50]}]}}`, "")
	}
	b := newBrowser(t, f)
	run := startRun(t, newHandler(t, f), `{"text":"q"}`)
	f.waitEnded(run.ID)
	given := [][]string{{"2023", "37400068", "-12345.10"}, {"1642", "9999", "1.5e400"}, {"10000", "12345678901234567890", "0.12345"}}
	english := [][]string{{"2023", "37,400,068", "-12,345.10"}, {"1642", "9999", "1.5e400"}, {"10,000", "12,345,678,901,234,567,890", "0.12345"}}
	other := [][]string{{"2023", "37.400.068", "-12.345,10"}, {"1642", "9999", "1,5e400"}, {"10.000", "12.345.678.901.234.567.890", "0,12345"}}
	// What is drawn: the texts that have a size, and the marks before them.
	const seen = `(function seen(n){if(n.nodeType===3)return getComputedStyle(n.parentNode).fontSize==="0px"?"":n.data;` +
		`const mark=getComputedStyle(n,"::before").content;return(mark==="none"||mark==="normal"?"":JSON.parse(mark.split(" / ")[0]))+[...n.childNodes].map(seen).join("")})`
	cells := func(read string) [][]string {
		return eval[[][]string](b, `[...document.querySelectorAll(".flow > .table tbody tr")].map(r=>[...r.cells].map(`+read+`))`)
	}
	for _, c := range []struct {
		language, low, high string
		seen                [][]string
	}{{"en", "9999.50", "37,400,068", english}, {"pt", "9999,50", "37.400.068", other}, {"es", "9999,50", "37.400.068", other}} {
		b.open("/")
		eval[bool](b, `(document.cookie="language=`+c.language+`; path=/",true)`)
		b.open("/c/" + run.Conversation)
		b.until(`document.documentElement.lang===` + literal(c.language) + `&&document.querySelector(".flow > .table tbody")&&document.querySelector("figure .notes p")`)
		if diff := cmp.Diff(c.seen, cells(seen)); diff != "" {
			t.Errorf("in %s is drawn (-want +got):\n%s", c.language, diff)
		}
		for name, read := range map[string]string{"the text": `c=>c.textContent`,
			"what is copied": `c=>{getSelection().selectAllChildren(c);return getSelection().toString()}`} {
			if diff := cmp.Diff(given, cells(read)); diff != "" {
				t.Errorf("in %s %s is (-want +got):\n%s", c.language, name, diff)
			}
		}
		if got := eval[string](b, `document.querySelector("figure .notes p").textContent`); !strings.Contains(got, " "+c.low+" (b)") || !strings.Contains(got, " "+c.high+" (a)") {
			t.Errorf("in %s the chart says %q", c.language, got)
		}
		b.accessible("digits in " + c.language)
		b.shot("digits-" + c.language)
	}
	b.clean()
}
