package notation

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/diptych-mcp/diptych/cmd/diptych/internal/tree"
)

var update = flag.Bool("update", false, "write the golden file anew")

// TestResult reads schemas from a JSON file, name by name, and writes their notation beside the names.
func TestResult(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("testdata", "schemas.json"))
	if err != nil {
		t.Fatal(err)
	}
	root, err := tree.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	for _, m := range root.Members {
		out.WriteString(m.Name + "\n    " + Result(m.Value.Raw) + "\n    " + Parameters(m.Value.Raw) + "\n")
	}
	golden := filepath.Join("testdata", "notation.golden")
	if *update {
		if err := os.WriteFile(golden, []byte(out.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(out.String(), "\n")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestSignature(t *testing.T) {
	for want, schemas := range map[string][2]string{
		"f() -> text":           {`{"type":"object"}`, ""},
		"f(?) -> ?":             {`[`, `[`},
		"f(a?: any) -> integer": {`{"properties":{"a":{}}}`, `{"type":"object","properties":{"result":{"type":"integer"}},"required":["result"]}`},
	} {
		if got := Signature("f", []byte(schemas[0]), []byte(schemas[1])); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// A hostile schema makes a short text, soon.
func TestBounded(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"$defs":{`)
	for i := range 60 {
		next := string(rune('A'+(i+1)%60)) + "x"
		b.WriteString(`"` + string(rune('A'+i)) + `x":{"type":"object","properties":{"l":{"$ref":"#/$defs/` + next + `"},"r":{"$ref":"#/$defs/` + next + `"}}},`)
	}
	b.WriteString(`"z":{}},"$ref":"#/$defs/Ax"}`)
	deep := strings.Repeat(`{"items":`, 100) + `{}` + strings.Repeat(`}`, 100)
	wide := `{"anyOf":[` + strings.Repeat(`{"anyOf":[{"type":"string"},{"type":"null"}]},`, 5000) + `{}]}`
	for _, schema := range []string{b.String(), deep, wide, `{"$ref":"#"}`, `{"anyOf":[{"$ref":"#"}]}`, `{"allOf":[{"$ref":"#"},{"$ref":"#"},{"$ref":"#"}]}`} {
		if got := Result([]byte(schema)); len(got) > maxLength+10 {
			t.Errorf("%.40s: %d bytes", schema, len(got))
		}
	}
}

func FuzzSignature(f *testing.F) {
	f.Add([]byte(`{"type":"object","properties":{"a":{"enum":[1,"x",null]},"b":{"$ref":"#/$defs/B"}},"$defs":{"B":{"anyOf":[{"$ref":"#"},{"type":["string","null"]}]}}}`))
	f.Add([]byte(`{"prefixItems":[true,false],"minimum":1}`))
	f.Fuzz(func(t *testing.T, schema []byte) {
		if got := Signature("f", schema, schema); len(got) > 2*maxLength+50 {
			t.Fatalf("%d bytes", len(got))
		}
	})
}
