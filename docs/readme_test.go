package docs

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych"
	"github.com/diptych-mcp/diptych/data"
)

// The code of README.md.

// City is the argument of most tools of the guide.
type City struct {
	City string `json:"city" jsonschema:"City name, as people write it."`
}

// WeatherData is what the weather is like in one place.
type WeatherData struct {
	Temperature float64 `json:"temperature" jsonschema:"Degrees Celsius."`
	Humidity    float64 `json:"humidity" jsonschema:"Relative humidity, 0 to 1." minimum:"0" maximum:"1"`
	Conditions  string  `json:"conditions"`
}

// What another service says about the weather.
var upstream = map[string]string{"London": `{"temperature": 16.2, "conditions": "Overcast"}`}

func upstreamWeather(ctx context.Context, in City) (diptych.JSON[WeatherData], error) {
	return diptych.JSON[WeatherData](upstream[in.City]), nil // as another service sent it, without the humidity
}

func readmeAnswers(t *testing.T) map[string]string {
	s := newShow(t)
	// The example that the reader runs, and the whole program of serving.md: both publish and answer alike.
	hello := build(t, "docs/hello")
	s.ask("current", build(t, "examples/weather").web(t), "get_temperature", `{"city":"London"}`)
	s.ask("plain", hello.web(t), "get_temperature", `{"city":"London"}`)
	s.ask("unknown", hello.web(t), "get_temperature", `{"city":"Atlantis"}`)
	for _, part := range []string{"", ".input"} {
		if s.said["plain"+part] != s.said["current"+part] {
			t.Errorf("the plain form says %s, the generated one %s", s.said["plain"+part], s.said["current"+part])
		}
	}
	add(s, "upstream", "get_weather", `{"city":"London"}`, upstreamWeather)
	temperature, err := host(t.Context(), hello.stdio(t))
	if err != nil || temperature != 17 {
		t.Errorf("the host got %d, %v", temperature, err)
	}
	s.call("largest", dataServer(t), "largest_cities", `{}`)
	return s.said
}

func host(ctx context.Context, session *mcp.ClientSession) (int, error) {
	res, err := diptych.Call[int](ctx, session, "get_temperature", City{"London"})
	if failed, ok := errors.AsType[*diptych.Error](err); ok {
		return 0, fmt.Errorf("the tool says: %w", failed)
	}
	return res.Value, err // a *diptych.Mismatch, or the connection's error
}

// Town is a row of a table.
type Town struct {
	City   string `json:"city"`
	People int    `json:"people"`
}

var towns = []Town{{"Tokyo", 37400068}, {"Delhi", 30290936}}

var census = data.Source{URL: "https://example.org/cities-data"}

// region data
func largestCities(ctx context.Context, _ struct{}) (data.Result, error) {
	table := data.TableOf(towns)
	return data.NewResult(data.Text(table), census, table), nil
}

// endregion

func dataServer(t *testing.T) *mcp.Server {
	server := newServer()
	if err := data.Add(data.NewRegistry(server), &mcp.Tool{Name: "largest_cities"}, largestCities); err != nil {
		t.Fatal(err)
	}
	return server
}
