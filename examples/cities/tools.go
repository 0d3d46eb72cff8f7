package main

import (
	"errors"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych/data"
)

// Wish narrows the cities down. What is left out narrows nothing.
type Wish struct {
	Country string `json:"country,omitempty" jsonschema:"Only cities of this country, by its English name."`
	Region  string `json:"region,omitempty" jsonschema:"Only cities of this region, such as Europe or South Asia."`
	People  int    `json:"people,omitempty" jsonschema:"Only cities with at least so many people." minimum:"0"`
	Most    int    `json:"most" jsonschema:"How many to list, the largest first." minimum:"1" maximum:"50" default:"10"`
}

// Pair names the cities to hold side by side.
type Pair struct {
	Cities []string `json:"cities" jsonschema:"City names in English." minItems:"2" maxItems:"6"`
}

// Place is a region, or the whole world.
type Place struct {
	Region string `json:"region,omitempty" jsonschema:"Only countries of this region; left out: all."`
}

// publish puts the tools on s, through the one door that asks for sources.
func publish(s *mcp.Server) error {
	a, err := newAtlas()
	if err != nil {
		return err
	}
	r := data.NewRegistry(s)
	return errors.Join(
		data.Add(r, tool("list_cities", "Return the top 3 cities by population."), list),
		data.Add(r, tool("find_cities", "Large cities of a country or region, with their people in 2023 and 2015, the largest first."), a.find),
		data.Add(r, tool("compare_cities", "How the people of two to six large cities changed from 2015 to 2023."), a.compare),
		data.Add(r, tool("cities_by_region", "How many large cities each region of the world has, and how many people live in them."), a.regions),
		data.Add(r, tool("urban_countries", "The share of each country's people that lives in towns, beside its largest city."), a.urban),
	)
}

// tool describes a tool that only reads, from data that ships with the server.
func tool(name, description string) *mcp.Tool {
	no := false
	return &mcp.Tool{Name: name, Description: description, Annotations: &mcp.ToolAnnotations{
		ReadOnlyHint: true, DestructiveHint: &no, IdempotentHint: true, OpenWorldHint: &no,
	}}
}
