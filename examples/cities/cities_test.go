package main

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych"
	"github.com/diptych-mcp/diptych/data"
	"github.com/diptych-mcp/diptych/data/datatest"
	"github.com/diptych-mcp/diptych/internal/conformance"
	"github.com/diptych-mcp/diptych/internal/wiretest"
)

func newServer(t *testing.T) *mcp.Server {
	t.Helper()
	s := mcp.NewServer(&mcp.Implementation{Name: "cities", Version: "1.0.0"}, nil)
	if err := publish(s); err != nil {
		t.Fatal(err)
	}
	return s
}

func TestContract(t *testing.T) {
	args := func(pairs ...any) map[string]any {
		m := map[string]any{}
		for i := 0; i < len(pairs); i += 2 {
			m[pairs[i].(string)] = pairs[i+1]
		}
		return m
	}
	datatest.Run(t, newServer(t),
		datatest.Call{Tool: "list_cities"},
		datatest.Call{Tool: "find_cities"},
		datatest.Call{Tool: "find_cities", Arguments: args("country", "japan")},
		datatest.Call{Tool: "find_cities", Arguments: args("region", "South Asia", "most", 50)},
		datatest.Call{Tool: "find_cities", Arguments: args("country", "Norway", "people", 20_000_000)}, // nothing
		datatest.Call{Tool: "compare_cities", Arguments: args("cities", []string{"Tokyo", "São Paulo"})},
		datatest.Call{Tool: "compare_cities", Arguments: args("cities", []string{"Osaka", "Guangzhou"})}, // without 2015
		datatest.Call{Tool: "cities_by_region"},
		datatest.Call{Tool: "urban_countries"},
		datatest.Call{Tool: "urban_countries", Arguments: args("region", "Europe")},
	)
}

// The documentation's tool, on both protocol eras.
func TestDocumentation(t *testing.T) {
	cases, err := conformance.Cases(conformance.Data...)
	if err != nil {
		t.Fatal(err)
	}
	for _, revision := range []string{wiretest.Modern, wiretest.Legacy} {
		peer, err := wiretest.Pipe(t.Context(), newServer(t), revision)
		if err != nil {
			t.Fatal(err)
		}
		published, err := peer.Tools(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, tool := range published {
			if len(tool.Annotations) != 4 {
				t.Errorf("%s says %v of itself", tool.Name, tool.Annotations)
			}
		}
		for _, c := range cases {
			c.CheckTool(t, published[slices.IndexFunc(published, func(tool wiretest.Tool) bool { return tool.Name == c.Tool })])
			res, err := peer.Call(t.Context(), c.Tool, c.Arguments)
			if err != nil {
				t.Fatal(err)
			}
			c.CheckResult(t, res)
		}
	}
}

func TestAnswers(t *testing.T) {
	a, err := newAtlas()
	if err != nil {
		t.Fatal(err)
	}
	answer := func(res data.Result, err error) string {
		t.Helper()
		if err != nil {
			return err.Error()
		}
		raw, err := json.Marshal(res)
		if err != nil {
			t.Fatal(err)
		}
		return string(raw)
	}
	for _, tt := range []struct {
		name, got, want string
	}{
		{"filtered", answer(a.FindCities(Wish{Country: "JAPAN", Region: "East and Southeast Asia", People: 9_000_000, Most: 10})),
			`"table":[["City","Country","Capital","People 2023","People 2015"],["Tokyo","Japan",true,37194000,38001000],["Osaka","Japan",false,19013000,null],["Nagoya","Japan",false,9569000,9406000]]`},
		{"cut", answer(a.FindCities(Wish{Most: 1})), `["Tokyo","Japan",true,37194000,38001000]],"charts":`},
		{"nothing", answer(a.FindCities(Wish{Country: "Norway", People: 9_000_000, Most: 10})),
			`"table":[["City","Country","Capital","People 2023","People 2015"]]}`},
		{"bars", answer(a.FindCities(Wish{Country: "Norway", Most: 10})), `{"type":"bar","data":{"labels":["Oslo"],"datasets":[{"label":"People 2023","data":[1086000]}]}`},
		{"compared", answer(a.CompareCities([]string{"Delhi"})), `no city "Delhi"; those with D are Da Nang, Daegu, `},
		{"changes", answer(a.CompareCities([]string{"new delhi", "Osaka"})),
			`[["City","Country","People 2015","People 2023","Change in percent"],["New Delhi","India",25703000,32941000,28.2],["Osaka","Japan",null,19013000,null]]`},
		{"lines", answer(a.CompareCities([]string{"new delhi", "Osaka"})),
			`{"type":"line","data":{"labels":["2015","2023"],"datasets":[{"label":"New Delhi","data":[25703000,32941000]},{"label":"Osaka","data":[null,19013000]}]}`},
		{"for people alone", answer(a.CompareCities([]string{"Cairo", "Lima"})), `"force":"Figures are estimates`},
		{"summed", answer(a.CitiesByRegion()), `["Region","Cities","People 2023"],["East and Southeast Asia",`},
		{"slices", answer(a.CitiesByRegion()), `"type":"doughnut"`},
		{"small region", answer(a.UrbanCountries(diptych.Some("north america"))),
			`["Canada","North America",81.9,"Toronto",6372000]`},
		{"points", answer(a.UrbanCountries(diptych.Some("North America"))), `{"type":"scatter","data":{"datasets":[{"label":"North America","data":[{"x":`},
		{"unknown country", answer(a.FindCities(Wish{Country: "Freedonia"})), `no country "Freedonia"; those with F are Finland, France`},
		{"no letter", answer(a.FindCities(Wish{Country: "!"})), `no country "!"; there are Afghanistan, Angola, `},
		{"unknown region", answer(a.UrbanCountries(diptych.Some("Oceania"))),
			`no region "Oceania"; there are Africa, Australia and Oceania, Central America and the Caribbean, Central Asia, East and Southeast Asia, Europe, Middle East, North America, South America, South Asia`},
	} {
		if !strings.Contains(tt.got, tt.want) {
			t.Errorf("%s: got %s, want %s in it", tt.name, tt.got, tt.want)
		}
	}
}

// Every country has a largest city, and no name is that of two cities.
func TestAtlas(t *testing.T) {
	a, err := newAtlas()
	if err != nil {
		t.Fatal(err)
	}
	if len(a.cities) != 291 || len(a.countries) != 123 {
		t.Errorf("%d cities of %d countries", len(a.cities), len(a.countries))
	}
	for _, c := range a.countries {
		if c.largest.City == "" || c.region == "" || c.urban <= 0 || c.urban > 100 {
			t.Errorf("%+v", c)
		}
	}
	if names := column(a.cities, City.name); len(names) != len(a.cities) {
		t.Errorf("%d names for %d cities", len(names), len(a.cities))
	}
	var mismatched []string
	for _, c := range a.cities {
		if before, ok := c.People2015.Get(); c.People2023 < 1_000_000 || ok && (before < c.People2023/2 || before > 2*c.People2023) {
			mismatched = append(mismatched, c.City)
		}
	}
	if diff := cmp.Diff([]string(nil), mismatched); diff != "" {
		t.Errorf("implausible figures (-want +got)\n%s", diff)
	}
	if err := a.addCity([]string{"Freedonia City", "Freedonia", "true", "1000000", ""}); err == nil {
		t.Error("a city of no country was taken")
	}
}

// What is not known is said to the model, and not masked.
func TestUnknownIsForTheModel(t *testing.T) {
	a, err := newAtlas()
	if err != nil {
		t.Fatal(err)
	}
	_, city := a.city("Atlantis")
	_, country := a.country("Atlantis")
	_, region := a.region("Atlantis")
	for _, err := range []error{city, country, region} {
		if _, ok := errors.AsType[*diptych.Error](err); !ok {
			t.Errorf("%v is a %T", err, err)
		}
	}
}

// TestNullIsAbsence sends what frameworks make of a call with its required arguments alone: null for every other one.
func TestNullIsAbsence(t *testing.T) {
	peer, err := wiretest.Pipe(t.Context(), newServer(t), wiretest.Legacy)
	if err != nil {
		t.Fatal(err)
	}
	answer := func(tool, args string) string {
		t.Helper()
		raw, err := peer.Request(t.Context(), "tools/call", map[string]any{"name": tool, "arguments": json.RawMessage(args)})
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(raw), `"isError":true`) {
			t.Errorf("%s %s: %s", tool, args, raw)
		}
		return string(raw)
	}
	for _, tt := range []struct{ tool, without, with string }{
		{"find_cities", `{"country":"Norway"}`, `{"country":"Norway","region":null,"people":null,"most":null}`},
		{"find_cities", `{}`, `{"country":null,"region":null,"people":null,"most":null}`},
		{"urban_countries", `{}`, `{"region":null}`},
	} {
		if with, without := answer(tt.tool, tt.with), answer(tt.tool, tt.without); with != without {
			t.Errorf("%s %s: %s\nwant %s", tt.tool, tt.with, with, without)
		}
	}
}
