package data_test

import (
	"context"
	"fmt"
	"log"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych"
	"github.com/diptych-mcp/diptych/data"
)

type city struct {
	City       string
	Country    string                `json:"country"`
	Population int                   `json:"population"`
	Density    diptych.Optional[int] `json:"density" table:"People per km²"`
}

func (c city) name() string { return c.City }

func (c city) people() float64 { return float64(c.Population) }

type search struct {
	Country string `json:"country"`
}

// A data tool: the rows are typed once, and the text, the table and the chart are made of them.
func ExampleAdd() {
	cities := []city{{"Tokyo", "JP", 37400068, diptych.Some(6158)}, {"Osaka", "JP", 19281000, diptych.Optional[int]{}}}
	find := func(_ context.Context, in search) (data.Result, error) {
		table := data.TableOf(cities)
		chart := data.Bar(cities, city.name, data.Series[city]{Label: "Population", Value: city.people}).Title("Largest cities of " + in.Country)
		return data.NewResult(data.Text(table), data.Source{URL: "https://example.org/cities", License: "CC0-1.0"}, table, chart), nil
	}

	s := mcp.NewServer(&mcp.Implementation{Name: "cities", Version: "1"}, nil)
	r := data.NewRegistry(s)
	if err := data.Add(r, &mcp.Tool{Name: "find_cities", Description: "The largest cities of a country."}, find); err != nil {
		log.Fatal(err)
	}

	res, _ := find(context.Background(), search{"JP"})
	structured, err := res.MarshalJSON()
	fmt.Println(string(structured), err)
	fmt.Println(data.Text(data.TableOf(cities)))
	// Output:
	// {"sources":[{"url":"https://example.org/cities","license":"CC0-1.0"}],"table":[["City","Country","Population","People per km²"],["Tokyo","JP",37400068,6158],["Osaka","JP",19281000,null]],"charts":[{"type":"bar","data":{"labels":["Tokyo","Osaka"],"datasets":[{"label":"Population","data":[37400068,19281000]}]},"options":{"plugins":{"title":{"display":true,"text":"Largest cities of JP"}}}}]} <nil>
	// 2 rows:
	// City | Country | Population | People per km²
	// Tokyo | JP | 37,400,068 | 6158
	// Osaka | JP | 19,281,000 | –
}
