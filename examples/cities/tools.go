package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"github.com/diptych-mcp/diptych"
	"github.com/diptych-mcp/diptych/data"
)

// caveat is for people: it appears on the screen as it is here.
const caveat = data.Force("Figures are estimates for urban areas, rounded to a thousand. Their borders can differ between the editions.")

// Return the top 3 cities by population.
//
//diptych:tool title="The three largest cities" readonly destructive=false idempotent openworld=false
func ListCities() (data.Result, error) {
	type row struct { // the documentation's figures are text, and stay text
		City       string `json:"city"`
		Population string `json:"population"`
	}
	type figure struct { // the sentence is for people, who read figures in groups of digits
		City       string
		Population json.Number
	}
	var rows []row
	var figures []figure
	if err := read("documentation.csv", func(cell []string) error {
		rows = append(rows, row{cell[0], cell[1]})
		figures = append(figures, figure{cell[0], json.Number(cell[1])})
		return nil
	}); err != nil {
		return data.Result{}, err
	}
	table := data.TableOf(rows)
	lead := data.Lead(fmt.Sprintf("The %d most populated cities are", len(rows)))
	return data.NewResult(data.Text(data.TableOf(figures), lead), data.Source{URL: "https://example.org/cities-data"}, table), nil
}

// A Wish narrows the cities down. What is left out narrows nothing.
type Wish struct {
	Country string `json:"country,omitempty"`                          // Only cities of this country, by its English name.
	Region  string `json:"region,omitempty"`                           // Only cities of this region, such as Europe or South Asia.
	People  int    `json:"people,omitempty" minimum:"0"`               // Only cities with at least so many people.
	Most    int    `json:"most" minimum:"1" maximum:"50" default:"10"` // How many to list, the largest first.
}

// Large cities of a country or region, with their people in 2023 and 2015, the largest first.
//
//diptych:tool title="Find cities" readonly destructive=false idempotent openworld=false
func (a *Atlas) FindCities(in Wish) (data.Result, error) {
	where := "the world"
	found := a.cities
	keep := func(ok func(City) bool) {
		found = slices.DeleteFunc(slices.Clone(found), func(c City) bool { return !ok(c) })
	}
	if in.Region != "" {
		region, err := a.region(in.Region)
		if err != nil {
			return data.Result{}, err
		}
		where = region
		keep(func(c City) bool { return c.region == region })
	}
	if in.Country != "" {
		country, err := a.country(in.Country)
		if err != nil {
			return data.Result{}, err
		}
		where = country.name
		keep(func(c City) bool { return c.Country == country.name })
	}
	keep(func(c City) bool { return c.People2023 >= in.People })
	found = found[:min(in.Most, len(found))]

	table := data.TableOf(found)
	if len(found) == 0 { // an answer too, and it has its sources
		return data.NewResult("No large city in "+where+" has so many people. Ask for fewer.", factbook, olderFactbook, table), nil
	}
	title := "The largest cities of " + where
	chart := data.Bar(found, City.name, data.Series[City]{Label: "People 2023", Value: City.people}).Horizontal().
		Title(title).Alt("Bars: the people of each city.")
	return data.NewResult(data.Text(table, data.Lead(title+".")), factbook, olderFactbook, table, chart), nil
}

// A change is a row of a comparison.
type change struct {
	City       string                    `json:"city"`
	Country    string                    `json:"country"`
	People2015 diptych.Optional[int]     `json:"people_2015"`
	People2023 int                       `json:"people_2023"`
	Change     diptych.Optional[float64] `json:"change" table:"Change in percent"`
}

func (c change) people(year string) (people int, known bool) {
	if year == "2015" {
		return c.People2015.Get()
	}
	return c.People2023, true
}

// How the people of two to six large cities changed from 2015 to 2023.
//
//diptych:tool title="Compare cities" readonly destructive=false idempotent openworld=false
//diptych:tool minItems cities=2 maxItems cities=6
func (a *Atlas) CompareCities(cities []string /* City names in English. */) (data.Result, error) {
	var rows []change
	var lines []data.Series[string]
	for _, name := range cities {
		c, err := a.city(name)
		if err != nil {
			return data.Result{}, err
		}
		row := change{City: c.City, Country: c.Country, People2015: c.People2015, People2023: c.People2023}
		if before, ok := c.People2015.Get(); ok {
			row.Change = diptych.Some(math.Round(1000*(float64(c.People2023)/float64(before)-1)) / 10)
		}
		rows = append(rows, row)
		lines = append(lines, data.Series[string]{
			Label:   c.City,
			Value:   func(year string) float64 { people, _ := row.people(year); return float64(people) },
			Missing: func(year string) bool { _, known := row.people(year); return !known }, // a gap in the line
		})
	}
	table := data.TableOf(rows)
	years := []string{"2015", "2023"}
	chart := data.Line(years, func(year string) string { return year }, lines...).
		Title("People of the cities").Axes("Year", "People").Alt("Lines: the people of each city in two years.")
	return data.NewResult(data.Text(table), factbook, olderFactbook, table, chart, caveat), nil
}

// A share is a region's row.
type share struct {
	Region string `json:"region"`
	Cities int    `json:"cities"`
	People int    `json:"people_2023"`
}

// How many large cities each region of the world has, and how many people live in them.
//
//diptych:tool title="Cities by region" readonly destructive=false idempotent openworld=false
func (a *Atlas) CitiesByRegion() (data.Result, error) {
	var rows []share
	for _, c := range a.cities {
		i := slices.IndexFunc(rows, func(s share) bool { return s.Region == c.region })
		if i < 0 {
			i = len(rows)
			rows = append(rows, share{Region: c.region})
		}
		rows[i].Cities++
		rows[i].People += c.People2023
	}
	slices.SortFunc(rows, func(x, y share) int { return cmp.Compare(y.People, x.People) })
	table := data.TableOf(rows)
	chart := data.Doughnut(rows, func(s share) string { return s.Region }, func(s share) float64 { return float64(s.People) }).
		Title("People in large cities, by region").Alt("Doughnut: each region's share.")
	return data.NewResult(data.Text(table, data.Lead("Large cities, by region.")), factbook, table, chart), nil
}

// A town is a country's row.
type town struct {
	Country string  `json:"country"`
	Region  string  `json:"region"`
	Urban   float64 `json:"urban" table:"Percent in towns 2023"`
	Largest string  `json:"largest_city"`
	People  int     `json:"people" table:"People of that city 2023"`
}

// The share of each country's people that lives in towns, beside its largest city.
//
//diptych:tool title="Life in towns, by country" readonly destructive=false idempotent openworld=false
func (a *Atlas) UrbanCountries(
	region diptych.Optional[string], // Only countries of this region; left out: all.
) (data.Result, error) {
	only, filtered := region.Get()
	if filtered {
		var err error
		if only, err = a.region(only); err != nil {
			return data.Result{}, err
		}
	}
	var rows []town
	for _, c := range a.countries {
		if filtered && c.region != only {
			continue
		}
		rows = append(rows, town{c.name, c.region, c.urban, c.largest.City, c.largest.People2023})
	}
	slices.SortStableFunc(rows, func(x, y town) int { return cmp.Compare(y.Urban, x.Urban) })
	table := data.TableOf(rows)
	chart := data.Scatter(rows, func(t town) string { return t.Region },
		func(t town) float64 { return t.Urban }, func(t town) float64 { return float64(t.People) }).
		Title("Life in towns and the largest city").Axes("Percent of the people in towns", "People of the largest city").
		Alt("Points: each country by its share of people in towns and the size of its largest city.")
	lead := data.Lead("Countries by the share of their people in towns, with their largest city.")
	return data.NewResult(data.Text(table, lead), urbanization, factbook, table, chart), nil
}
