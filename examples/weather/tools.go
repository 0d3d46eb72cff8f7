package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych"
	"github.com/diptych-mcp/diptych/examples/weather/plain"
)

// WeatherData is what the weather is like in one place. The tags describe the fields in the published schema.
type WeatherData struct {
	Temperature float64 `json:"temperature" jsonschema:"Degrees Celsius."`
	Humidity    float64 `json:"humidity" jsonschema:"Relative humidity, 0 to 1."`
	Conditions  string  `json:"conditions"`
}

// City is the argument of most tools.
type City struct {
	City string `json:"city" jsonschema:"City name, as people write it."`
}

// Cities asks for several at once.
type Cities struct {
	Cities []string `json:"cities" jsonschema:"City names, as people write them." minItems:"1"`
}

// Days asks for a forecast.
type Days struct {
	City string `json:"city" jsonschema:"City name, as people write it."`
	Days int    `json:"days" jsonschema:"How many days, today included." minimum:"1" maximum:"7"`
}

// addTools publishes the weather tools. Each return type is the tool's output schema.
func addTools(s *mcp.Server) error {
	st, err := newStation()
	if err != nil {
		return err
	}
	return errors.Join(
		diptych.Add(s, tool("get_temperature", "Current temperature in a city, in whole degrees Celsius."), st.temperature),
		diptych.Add(s, tool("get_weather", "Current weather for a city."), st.weather),
		diptych.Add(s, tool("get_weather_plain", "Current weather for a city, in a type whose fields nobody described."), st.weatherPlain),
		diptych.Add(s, tool("get_forecast", "Daily forecast for a city."), st.forecast),
		diptych.Add(s, tool("get_temperatures", "Current temperature for each city, in degrees Celsius."), st.temperatures),
		diptych.Add(s, tool("get_weather_upstream", "Current weather for a city, as the upstream service sends it."), st.upstream),
		diptych.Add(s, tool("weather_report", "A human-readable weather report for a city."), st.report, diptych.Unstructured()),
	)
}

// tool describes a tool that only reads, from data that ships with the server.
func tool(name, description string) *mcp.Tool {
	no := false
	return &mcp.Tool{Name: name, Description: description, Annotations: &mcp.ToolAnnotations{
		ReadOnlyHint: true, DestructiveHint: &no, IdempotentHint: true, OpenWorldHint: &no,
	}}
}

// A number is no object: it is published and sent as {"result": 17}.
func (s *station) temperature(ctx context.Context, in City) (int, error) {
	r, err := s.reading(in.City)
	return r.Thermometer, err
}

// A struct is its own schema.
func (s *station) weather(ctx context.Context, in City) (WeatherData, error) {
	r, err := s.reading(in.City)
	return r.Weather, err
}

// The same struct without descriptions: Go converts the one into the other.
func (s *station) weatherPlain(ctx context.Context, in City) (plain.WeatherData, error) {
	r, err := s.reading(in.City)
	return plain.WeatherData(r.Weather), err
}

// A list is wrapped like a number, and becomes one text block for each item.
func (s *station) forecast(ctx context.Context, in Days) ([]plain.WeatherData, error) {
	r, err := s.reading(in.City)
	if err != nil {
		return nil, err
	}
	days := make([]plain.WeatherData, in.Days)
	for i := range days {
		days[i] = plain.WeatherData(r.Weather)
		days[i].Temperature += float64(i)
	}
	return days, nil
}

// A map with string keys is an object already.
func (s *station) temperatures(ctx context.Context, in Cities) (map[string]float64, error) {
	all := map[string]float64{}
	for _, city := range in.Cities {
		r, err := s.reading(city)
		if err != nil {
			return nil, err
		}
		all[city] = r.Weather.Temperature
	}
	return all, nil
}

// A document from elsewhere that promises to be a WeatherData. It is checked before it leaves, and London's breaks its
// promise: upstream stopped sending the humidity.
func (s *station) upstream(ctx context.Context, in City) (diptych.JSON[plain.WeatherData], error) {
	r, err := s.reading(in.City)
	return diptych.JSON[plain.WeatherData](r.Upstream), err
}

// Text for people alone: published as Unstructured, it has no schema.
func (s *station) report(ctx context.Context, in City) (string, error) {
	r, err := s.reading(in.City)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%s: %d degrees, %s.", in.City, r.Thermometer, r.Outlook), nil
}
