package validate

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/diptych-mcp/diptych/internal/jsontext"
)

// repeated is n parts, with every %d replaced by the count, joined by commas.
func repeated(n int, part string) string {
	parts := make([]string, n)
	for i := range parts {
		parts[i] = strings.ReplaceAll(part, "%d", strconv.Itoa(i))
	}
	return strings.Join(parts, ",")
}

func nested(n int, open, inside, closing string) string {
	return strings.Repeat(open, n) + inside + strings.Repeat(closing, n)
}

// manyPatterns are n patterns that compile to about 1,010 instructions each.
func manyPatterns(n int) string {
	return `{"allOf":[` + repeated(n, `{"pattern":"%d(abcdefghij){99}"}`) + `]}`
}

// TestSchemaLimits crosses every bound on a schema: what is at the bound compiles, and what is past it is refused.
func TestSchemaLimits(t *testing.T) {
	compile := func(schema []byte) error { _, err := Compile(schema); return err }
	for _, tt := range []struct {
		name     string
		judge    func(schema []byte) error
		at, past string
		want     string
	}{
		{"size on the wire", Screen,
			`{"description":"` + strings.Repeat("x", screenSize-18) + `"}`,
			`{"description":"` + strings.Repeat("x", screenSize-17) + `"}`, "larger than 64 KiB"},
		{"depth on the wire", Screen, nested(screenDepth-1, `{"items":`, `{}`, "}"), nested(screenDepth, `{"items":`, `{}`, "}"), "nested deeper than 64 levels"},
		{"depth", compile, `{"const":` + nested(jsontext.MaxDepth-1, "[", "", "]") + `}`, `{"const":` + nested(jsontext.MaxDepth, "[", "", "]") + `}`, "nested deeper than 1000 levels"},
		{"subschemas on the wire", Screen, `{"allOf":[` + repeated(screenSchemas-1, `{}`) + `]}`, `{"allOf":[` + repeated(screenSchemas, `{}`) + `]}`, "more than 2000 subschemas"},
		{"subschemas", compile, `{"allOf":[` + repeated(maxNodes-1, `{}`) + `]}`, `{"allOf":[` + repeated(maxNodes, `{}`) + `]}`, "more than 100000 subschemas"},
		{"ways on the wire", Screen, ladder(11, "anyOf"), ladder(12, "anyOf"), "16382 ways"},
		{"ways past a counter's range", Screen, ladder(11, "anyOf"), ladder(62, "anyOf"), "536870912 ways"},
		{"chain", compile, nested(maxChain-1, `{"allOf":[`, `{}`, "]}"), nested(maxChain, `{"allOf":[`, `{}`, "]}"), "more than 128 schemas in a row"},
		{"text of a pattern", compile, `{"pattern":"` + strings.Repeat("x", maxPatternText) + `"}`, `{"pattern":"` + strings.Repeat("x", maxPatternText+1) + `"}`, "pattern longer than 2048 bytes"},
		{"program of a pattern", compile, `{"pattern":"` + strings.Repeat("(abcdefghij){99}", 2) + `"}`, `{"pattern":"` + strings.Repeat("(abcdefghij){99}", 4) + `"}`, "pattern too large"},
		{"programs of all patterns", compile, manyPatterns(20), manyPatterns(40), "pattern too large"},
		{"exponent", compile, `{"maximum":1e999999}`, `{"maximum":1e1000000}`, "exponent past 1000000"},
		{"exponent below", compile, `{"minimum":1e-1000000}`, `{"minimum":1e-1000002}`, "exponent past 1000000"},
		{"digits of a divisor", compile, `{"multipleOf":0.` + strings.Repeat("1", maxDivisorDigits) + `}`, `{"multipleOf":0.` + strings.Repeat("1", maxDivisorDigits+1) + `}`, "at most 18 digits"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if err := tt.judge([]byte(tt.at)); err != nil {
				t.Errorf("at the bound: %v", err)
			}
			if err := tt.judge([]byte(tt.past)); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("past the bound: %v, want an error with %q", err, tt.want)
			}
		})
	}
}

// TestDocumentLimits crosses the bounds on documents, in the pass and in the walker.
func TestDocumentLimits(t *testing.T) {
	for name, schema := range map[string]string{"pass": `{}`, "walker": `{"if":true}`} {
		c := compiled(t, schema)
		for _, brackets := range [][3]string{{"[", "0", "]"}, {`{"a":`, "0", "}"}} {
			if at := nested(jsontext.MaxDepth, brackets[0], brackets[1], brackets[2]); !c.Check([]byte(at)) {
				t.Errorf("%s: refuses %d levels of %s", name, jsontext.MaxDepth, brackets[0])
			}
			past := []byte(nested(jsontext.MaxDepth+1, brackets[0], brackets[1], brackets[2]))
			if faults := c.Explain(past); c.Check(past) || len(faults) != 1 || faults[0].Rule != "nested deeper than 1000 levels" {
				t.Errorf("%s: %d levels of %s: %v", name, jsontext.MaxDepth+1, brackets[0], faults)
			}
		}
	}
	// Each level is looked at twice, so the work doubles with the depth of the document.
	costly := compiled(t, `{"type":"array","allOf":[{"items":{"$ref":"#"}},{"items":{"$ref":"#"}}]}`)
	if doc := []byte(nested(8, "[", "", "]")); !costly.Check(doc) {
		t.Errorf("a document of 8 levels is refused: %v", costly.Explain(doc))
	}
	doc := []byte(nested(24, "[", "", "]"))
	if faults := costly.Explain(doc); costly.Check(doc) || len(faults) != 1 || faults[0].Rule != ruleCost {
		t.Errorf("a document of 24 levels: %v, want %q", faults, ruleCost)
	}
	// Past the greatest exponent all numbers are one, and no exponent overflows.
	if small := compiled(t, `{"maximum":5}`); small.Check([]byte("1e" + strings.Repeat("9", 40))) {
		t.Error("an exponent of 40 digits passes a maximum of 5")
	}
}

// TestArgumentLimits crosses the bounds on what arguments may become.
func TestArgumentLimits(t *testing.T) {
	c := compiled(t, `{"type":"object","properties":{"n":{"type":"integer"},"s":{"type":"string"}}}`)
	at := `{"s":"` + strings.Repeat("x", maxArguments-8) + `"}`
	if _, faults := c.Arguments([]byte(at)); faults != nil {
		t.Errorf("%d bytes of arguments: %v", len(at), faults)
	}
	if _, faults := c.Arguments([]byte(at + " ")); len(faults) != 1 || faults[0].Rule != "must have at most 16 MiB" {
		t.Errorf("%d bytes of arguments: %v", len(at)+1, faults)
	}
	if out, faults := c.Arguments(fmt.Appendf(nil, `{"n":1e%d}`, maxIntegerDigits-1)); faults != nil || len(out) != maxIntegerDigits+6 {
		t.Errorf("an integer of %d digits becomes %d bytes: %v", maxIntegerDigits, len(out), faults)
	}
	if out, faults := c.Arguments(fmt.Appendf(nil, `{"n":1e%d}`, maxIntegerDigits)); faults != nil || len(out) > 20 {
		t.Errorf("an integer of %d digits becomes %d bytes: %v", maxIntegerDigits+1, len(out), faults)
	}
}

// TestToldLimits crosses the bounds on what is told of a document.
func TestToldLimits(t *testing.T) {
	integers := compiled(t, `{"items":{"type":"integer"}}`)
	for n, want := range map[int]int{maxFaults: maxFaults, maxFaults + 1: maxFaults} {
		if got := len(integers.Explain([]byte("[" + repeated(n, `"x"`) + "]"))); got != want {
			t.Errorf("%d faults: %d are told, want %d", n, got, want)
		}
	}
	flawed := []byte("[" + repeated(maxFaults+50, `"\xff"`) + "]")
	flawed = []byte(strings.ReplaceAll(string(flawed), `\xff`, "\xff"))
	if got := len(integers.Explain(flawed)); got != maxFaults {
		t.Errorf("%d flaws: %d are told, want %d", maxFaults+50, got, maxFaults)
	}
	w := walker{steps: 1 << 30}
	for range maxCollected + 1 {
		w.fault(&value{}, &place{}, "r")
	}
	if len(w.faults) != maxCollected {
		t.Errorf("%d faults are collected, want %d", len(w.faults), maxCollected)
	}

	closed := compiled(t, `{"properties":{"humidity":{}},"additionalProperties":false}`)
	hints := func(n int) (count int) {
		for _, f := range closed.Explain([]byte("{" + repeated(n, `"humidity%d":0`) + "}")) {
			if strings.Contains(f.Rule, "did you mean") {
				count++
			}
		}
		return count
	}
	if at, past := hints(10), hints(maxHints+5); at != 10 || past != maxHints {
		t.Errorf("10 unknown names get %d hints, %d get %d; want 10 and %d", at, maxHints+5, past, maxHints)
	}

	names := make([]property, maxCompared+1)
	for i := range names {
		names[i].name = fmt.Sprintf("other-%d", i)
	}
	names[maxCompared-1].name, names[maxCompared].name = "humidity", "pressure"
	if got := ruleUnknownField("humidty", names); !strings.Contains(got, `"humidity"`) {
		t.Errorf("the name at the bound: %q", got)
	}
	if got := ruleUnknownField("presure", names); got != ruleUnknown {
		t.Errorf("the name past the bound: %q", got)
	}
	deep := openNames(t)
	name := strings.Repeat("n", 60)
	for _, n := range []int{maxPath / 61, 2 * maxPath / 61} {
		faults := deep.Explain([]byte(nested(n, `{"`+name+`":`, `"x"`, "}")))
		if cut := strings.HasSuffix(faults[0].Path, "…"); len(faults) != 1 || cut != (n*61 > maxPath) || len(faults[0].Path) > maxPath+maxText+10 {
			t.Errorf("a path of %d names: %d bytes, cut %v", n, len(faults[0].Path), cut)
		}
	}
	for n, want := range map[int]bool{maxText: false, maxText + 2: true} {
		faults := deep.Explain([]byte(`{"` + strings.Repeat("n", n) + `":"x"}`))
		if cut := strings.HasSuffix(faults[0].Path, "…"); cut != want || len(faults[0].Path) > maxText+5 {
			t.Errorf("a name of %d bytes: %d bytes are told, cut %v", n, len(faults[0].Path), cut)
		}
	}
	for schema, want := range map[string]bool{
		`{"enum":[` + repeated(maxListed, `%d`) + `]}`:                           false,
		`{"enum":[` + repeated(maxListed+1, `%d`) + `]}`:                         true,
		`{"enum":["` + strings.Repeat("x", maxListing/4) + `","y"]}`:             false,
		`{"enum":[` + repeated(6, `"`+strings.Repeat("x", 60)+`%d"`) + `]}`:      true,
		`{"const":"` + strings.Repeat("x", maxText-2) + `"}`:                     false,
		`{"const":"` + strings.Repeat("x", maxText+2) + `"}`:                     true,
		`{"type":"string","pattern":"^` + strings.Repeat("x", maxText-1) + `"}`:  false,
		`{"type":"string","pattern":"^` + strings.Repeat("x", maxText+20) + `"}`: true,
	} {
		faults := compiled(t, schema).Explain([]byte(`"value"`))
		if cut := strings.HasSuffix(faults[0].Rule, "…"); cut != want || len(faults[0].Rule) > maxListing+maxText+20 {
			t.Errorf("%.60s: %q, cut %v, want %v", schema, faults[0].Rule, cut, want)
		}
	}
}

func openNames(t *testing.T) *Checker {
	return compiled(t, `{"anyOf":[{"type":"integer"},{"type":"object","additionalProperties":{"$ref":"#"}}]}`)
}

// TestKeptScratch tests that one large document does not stay in memory for the ones after it.
func TestKeptScratch(t *testing.T) {
	p := pass{scratch: make([]byte, keptScratch), gaps: make([]span, keptScratch/16)}
	if p.forget(); p.scratch == nil || p.gaps == nil {
		t.Error("working memory at the bound is dropped")
	}
	p = pass{scratch: make([]byte, keptScratch+1), gaps: make([]span, keptScratch/16+1)}
	if p.forget(); p.scratch != nil || p.gaps != nil {
		t.Error("working memory past the bound is kept")
	}
}
