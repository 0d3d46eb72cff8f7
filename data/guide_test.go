package data_test

// The code of the guide, docs/data.md, as it compiles and runs.

import (
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych"
	"github.com/diptych-mcp/diptych/data"
	"github.com/diptych-mcp/diptych/data/datatest"
)

// A Lake is a row of the table: one column for each field.
type Lake struct {
	Lake      string `json:"lake"`
	Continent string `json:"continent"`
	Depth     int    `json:"depth" table:"Depth in m"`
}

var lakes = []Lake{{"Baikal", "Asia", 1642}, {"Tanganyika", "Africa", 1470}, {"Vostok", "Antarctica", 1067}}

var survey = data.Source{URL: "https://example.org/lakes"}

func deepLakes(ctx context.Context, in struct{}) (data.Result, error) {
	table := data.TableOf(lakes)
	return data.NewResult(data.Text(table), survey, table), nil
}

func addLakes(s *mcp.Server) error {
	r := data.NewRegistry(s)
	return errors.Join(
		data.Add(r, &mcp.Tool{Name: "deep_lakes", Description: "The deepest lakes of the world."}, deepLakes),
		data.Add(r, &mcp.Tool{Name: "find_lakes", Description: "The deepest lakes of a continent."}, findLakes),
	)
}

// Where is the argument of find_lakes.
type Where struct {
	Continent string `json:"continent" jsonschema:"Its English name."`
}

func findLakes(ctx context.Context, in Where) (data.Result, error) {
	var found []Lake
	for _, l := range lakes {
		if l.Continent == in.Continent {
			found = append(found, l)
		}
	}
	if len(found) == 0 && !known(in.Continent) {
		return data.Result{}, diptych.Errorf("no continent %q; there are Africa, Antarctica, Asia, Europe", in.Continent)
	}
	table := data.TableOf(found)
	if len(found) == 0 {
		return data.NewResult("None of the deepest lakes is in "+in.Continent+".", survey, table), nil
	}
	return data.NewResult(data.Text(table), survey, table, depths(found)), nil
}

func known(continent string) bool { return continent == "Europe" }

func (l Lake) name() string    { return l.Lake }
func (l Lake) meters() float64 { return float64(l.Depth) }

func depths(lakes []Lake) data.Chart {
	return data.Bar(lakes, Lake.name, data.Series[Lake]{Label: "Depth in m", Value: Lake.meters}).
		Title("The deepest lakes").Horizontal().Alt("Bars: the depth of each lake.")
}

func TestLakes(t *testing.T) {
	s := mcp.NewServer(&mcp.Implementation{Name: "lakes", Version: "1.0.0"}, nil)
	if err := addLakes(s); err != nil {
		t.Fatal(err)
	}
	datatest.Run(t, s,
		datatest.Call{Tool: "find_lakes", Arguments: Where{"Asia"}},
		datatest.Call{Tool: "find_lakes", Arguments: Where{"Europe"}}, // finds nothing, and says so
	)
}

func ExampleSource() {
	source := data.Source{
		URL:         "https://example.org/lakes",
		Title:       "Survey of the deep lakes",
		Publisher:   "Example Institute",
		License:     "CC0-1.0",
		RetrievedAt: "2026-09-17",
		Period:      "2025",
	}
	res := data.NewResult("Baikal is the deepest lake.", source, data.Source{URL: "https://example.org/method"})
	structured, err := res.MarshalJSON()
	fmt.Println(string(structured), err)
	// Output:
	// {"sources":[{"url":"https://example.org/lakes","title":"Survey of the deep lakes","publisher":"Example Institute","license":"CC0-1.0","retrieved_at":"2026-09-17","period":"2025"},"https://example.org/method"]} <nil>
}

func ExampleText() {
	type depth struct {
		Lake  string `json:"lake"`
		Depth int    `json:"depth" table:"m"`
	}
	table := data.TableOf([]depth{{"Baikal", 1642}, {"Challenger Deep", 10935}})
	fmt.Println(data.Text(table))
	fmt.Println(data.Text(table, data.Lead("The deepest waters are")))
	fmt.Println(data.Text(table, data.Portuguese))
	// Output:
	// Lake (m): Baikal (1642) and Challenger Deep (10,935).
	// The deepest waters are Baikal (1642) and Challenger Deep (10,935).
	// Lake (m): Baikal (1642) e Challenger Deep (10.935).
}

func ExampleNewTable() {
	table := data.NewTable([]string{"Lake", "Depth in m"}, []any{"Baikal", 1642}, []any{"Challenger Deep", nil})
	res := data.NewResult(data.Text(table), data.Source{URL: "https://example.org/lakes"}, table)
	structured, err := res.MarshalJSON()
	fmt.Println(string(structured), err)
	// Output:
	// {"sources":["https://example.org/lakes"],"table":[["Lake","Depth in m"],["Baikal",1642],["Challenger Deep",null]]} <nil>
}

func ExampleRegistry_AddTool() {
	s := mcp.NewServer(&mcp.Implementation{Name: "lakes", Version: "1.0.0"}, nil)
	r := data.NewRegistry(s)
	foreign := &mcp.Tool{Name: "lake_photo", InputSchema: map[string]any{"type": "object"}} // promises nothing
	err := r.AddTool(foreign, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return &mcp.CallToolResult{}, nil
	})
	if refused, ok := errors.AsType[*data.RefusedError](err); ok {
		fmt.Println(refused.Tool, "is not served:", refused.Reason)
	}
	for _, refused := range r.Refused() { // for a health page
		fmt.Println(refused)
	}
	// Output:
	// lake_photo is not served: no output schema; publish "sources" as a required list with minItems 1, or return data.Result
	// tool "lake_photo" refused: no output schema; publish "sources" as a required list with minItems 1, or return data.Result
}

func serveOwnView(s *mcp.Server) (*data.Registry, error) {
	page, err := os.ReadFile("view.html")
	if err != nil {
		return nil, err
	}
	return data.NewRegistry(s, data.View(page)), nil
}

// Every piece of Go in the guide is, line for line, in this file, and so does what it prints.
func TestGuide(t *testing.T) {
	guide, err := os.ReadFile("../docs/data.md")
	if err != nil {
		t.Fatal(err)
	}
	source, err := os.ReadFile("guide_test.go")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := serveOwnView(newServer()); err == nil {
		t.Error("there is a view.html here; the guide's last piece is read, not run")
	}
	blocks := regexp.MustCompile("(?ms)^```(.*?)\n(.*?)^```$").FindAllStringSubmatch(string(guide), -1)
	if len(blocks) < 10 {
		t.Errorf("%d blocks in the guide", len(blocks))
	}
	lines := func(prefix, block string) string {
		block = "\n" + prefix + strings.ReplaceAll(strings.TrimSuffix(block, "\n"), "\n", "\n"+prefix) + "\n"
		return strings.ReplaceAll(block, "\n\t\n", "\n\n")
	}
	for _, b := range blocks {
		prefixes := []string{"", "\t"} // of Go at the top and in a function
		if b[1] == "" {
			prefixes = []string{"\t// "} // of what an example prints
		}
		if !slices.ContainsFunc(prefixes, func(p string) bool { return strings.Contains(string(source), lines(p, b[2])) }) {
			t.Errorf("the guide shows what is not in guide_test.go:\n%s", b[2])
		}
	}
}
