package data

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/diptych-mcp/diptych/internal/jsontext"
)

// checkCase is a document and what the check says of it, one line for each breach; none: it is accepted.
type checkCase struct {
	Name string
	Doc  json.RawMessage
	Want []string
	// Stricter marks what is refused although the schema allows it: what JSON Schema cannot say, or says only in part.
	Stricter bool
}

func checkCases(t testing.TB) []checkCase {
	raw, err := os.ReadFile("testdata/check.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []checkCase
	if err := json.Unmarshal(raw, &cases); err != nil {
		t.Fatal(err)
	}
	return cases
}

// said splits a check's error into its lines.
func said(err error) []string {
	if err == nil {
		return []string{}
	}
	return strings.Split(err.Error(), "\n")
}

func TestCheck(t *testing.T) {
	for _, c := range checkCases(t) {
		t.Run(c.Name, func(t *testing.T) {
			if diff := cmp.Diff(c.Want, said(Check(c.Doc))); diff != "" {
				t.Errorf("%s\n(-want +got)\n%s", c.Doc, diff)
			}
		})
	}
}

// The sizes that DATA.md bounds: the largest that is accepted, and what is said of one more.
func TestCheckSizes(t *testing.T) {
	const sources = `"sources":["https://example.org/d"]`
	repeat := func(n int, s string) string { return strings.TrimSuffix(strings.Repeat(s+",", n), ",") }
	table := func(rows int) string {
		return `{` + sources + `,"table":[["A"],` + repeat(rows, `[1]`) + `]}`
	}
	columns := func(n int) string {
		names := make([]string, n)
		for i := range names {
			names[i] = fmt.Sprintf(`"C%d"`, i)
		}
		return `{` + sources + `,"table":[[` + strings.Join(names, ",") + `]]}`
	}
	charts := func(n int) string {
		return `{` + sources + `,"charts":[` + repeat(n, `{"type":"bar","data":{"labels":["a"],"datasets":[{"data":[1]}]}}`) + `]}`
	}
	chart := func(kind string, datasets, points int) string {
		return `{` + sources + `,"charts":[{"type":"` + kind + `","data":{"labels":[` + repeat(points, `"a"`) + `],"datasets":[` +
			repeat(datasets, `{"data":[`+repeat(points, "1")+`]}`) + `]}}]}`
	}
	tests := []struct {
		name     string
		doc, bad string
		want     []string
	}{
		{"sources", `{"sources":[` + repeat(50, `"https://example.org/d"`) + `]}`, `{"sources":[` + repeat(51, `"https://example.org/d"`) + `]}`,
			[]string{"sources: 51 entries, want at most 50"}},
		{"url", `{"sources":["https://example.org/` + strings.Repeat("x", 2028) + `"]}`, `{"sources":["https://example.org/` + strings.Repeat("x", 2029) + `"]}`,
			[]string{"sources[0]: 2049 characters, want at most 2048"}},
		{"rows", table(5000), table(5001), []string{"table: 5001 rows, want at most 5000; link to what is larger"}},
		{"columns", columns(60), columns(61), []string{"table[0]: 61 entries, want at most 60"}},
		{"charts", charts(8), charts(9), []string{"charts: 9 entries, want at most 8"}},
		{"datasets", chart("line", 24, 1), chart("line", 25, 1), []string{"charts[0].data.datasets: 25 entries, want at most 24"}},
		{"points of a dataset", chart("line", 1, 2000), chart("line", 1, 2001), []string{
			"charts[0].data.labels: 2001 entries, want at most 2000",
			"charts[0].data.datasets[0].data: 2001 entries, want at most 2000",
		}},
		{"points of a chart", chart("line", 5, 2000), chart("line", 6, 1999), []string{"charts[0].data.datasets: 11994 points, want at most 10000 in a chart"}},
		{"slices", chart("pie", 1, 60), chart("pie", 1, 61), []string{
			"charts[0].data.labels: 61 entries, want at most 60",
			"charts[0].data.datasets[0].data: 61 entries, want at most 60",
		}},
		{"force", `{` + sources + `,"force":"` + strings.Repeat("é", 4000) + `"}`, `{` + sources + `,"force":"` + strings.Repeat("é", 4001) + `"}`,
			[]string{"force: 4001 characters, want at most 4000"}},
		{"the whole", `{` + sources + strings.Repeat(" ", maxBytes-len(sources)-2) + `}`, `{` + sources + strings.Repeat(" ", maxBytes-len(sources)-1) + `}`,
			[]string{"structured content of 1048577 bytes, want at most 1 MiB; link to what is larger"}},
		{"members", `{` + sources + `}`, `{` + sources + `,` + numbered(200) + `}`, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if err := Check([]byte(tt.doc)); err != nil {
				t.Errorf("the largest is refused: %v", err)
			}
			err := Check([]byte(tt.bad))
			if err == nil {
				t.Fatal("one more is accepted")
			}
			if diff := cmp.Diff(tt.want, said(err)); tt.want != nil && diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func numbered(n int) string {
	members := make([]string, n)
	for i := range members {
		members[i] = fmt.Sprintf(`"k%d":1`, i)
	}
	return strings.Join(members, ",")
}

func TestCheckNotJSON(t *testing.T) {
	for doc, want := range map[string]string{
		"":                         "no structured content; return sources, and a table or charts if there are any",
		"{":                        "structured content is not valid JSON",
		`{"sources":[NaN]}`:        "structured content is not valid JSON",
		"{\"sources\":[\"\xff\"]}": "structured content is not valid UTF-8",
		`{"a":` + strings.Repeat("[", jsontext.MaxDepth) + strings.Repeat("]", jsontext.MaxDepth) + `}`: "structured content is nested more than 1000 deep",
		`{"sources":["https://example.org/d"]} {}`:                                                      "structured content is not valid JSON",
	} {
		if diff := cmp.Diff([]string{want}, said(Check([]byte(doc)))); diff != "" {
			t.Errorf("%q (-want +got)\n%s", doc, diff)
		}
	}
}

// judge compiles what JSON Schema can say of the rules.
func judge(t testing.TB) *jsonschema.Schema {
	raw, err := os.ReadFile("testdata/datatool.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return compiled(t, raw)
}

func compiled(t testing.TB, schema []byte) *jsonschema.Schema {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(schema))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("schema.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// accepts asks the judge about a document that the check accepted or that is small.
func accepts(t testing.TB, s *jsonschema.Schema, doc []byte) bool {
	v, err := jsonschemaValue(doc)
	return err == nil && s.Validate(v) == nil
}

func jsonschemaValue(doc []byte) (any, error) { return jsonschema.UnmarshalJSON(bytes.NewReader(doc)) }

// What the check accepts the judge accepts. Where the check refuses more, the case says so: every difference is meant.
func TestCheckAgainstJudge(t *testing.T) {
	s := judge(t)
	for _, c := range checkCases(t) {
		if strings.Contains(c.Name, "exponent") {
			continue // the judge would compute it
		}
		ours, theirs := Check(c.Doc) == nil, accepts(t, s, c.Doc)
		switch {
		case ours && !theirs:
			t.Errorf("%s: accepted, but the judge refuses it", c.Name)
		case !ours && theirs && !c.Stricter:
			t.Errorf("%s: refused, but the judge accepts it", c.Name)
		case c.Stricter && (ours || !theirs):
			t.Errorf("%s: no longer a difference", c.Name)
		}
	}
}

func FuzzCheck(f *testing.F) {
	for _, c := range checkCases(f) {
		f.Add([]byte(c.Doc))
	}
	s := judge(f)
	f.Fuzz(func(t *testing.T, doc []byte) {
		if Check(doc) == nil && !accepts(t, s, doc) {
			t.Errorf("accepted, but the judge refuses it: %s", doc)
		}
	})
}
