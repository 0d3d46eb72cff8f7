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
			"text":{"type":"string","default":"1.10"}}}`)}}
	b := newBrowser(t, f)
	b.open("/")
	b.click(".tool")
	b.until(`document.querySelectorAll(".field").length===11`)
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
		`,"object":{"a":{"b":` + compact + `}},"behind":12345678901234567890,"free":1.10,"small":1e-7,"text":"1.10"}`
	var asked chat.Input
	if err := json.Unmarshal(f.runs[0].Input, &asked); err != nil {
		t.Fatal(err)
	}
	if got := strings.NewReplacer(" ", "", "\n", "").Replace(string(asked.Arguments)); got != want {
		t.Errorf("the tool was asked\n%s, want\n%s", got, want)
	}
	b.clean()
}
