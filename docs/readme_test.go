package docs

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych"
	"github.com/diptych-mcp/diptych/data"
	"github.com/diptych-mcp/diptych/docs/weather"
)

// The code of README.md.

// City is the argument of most tools of the guide.
type City struct {
	City string `json:"city" jsonschema:"City name, as people write it."`
}

func addPlain(server *mcp.Server) error {
	// region plain
	type City struct {
		City string `json:"city" jsonschema:"City name, as people write it."`
	}
	temperature := func(ctx context.Context, in City) (int, error) {
		return weather.CurrentTemperature(ctx, in.City)
	}
	err := diptych.Add(server, &mcp.Tool{Name: "current_temperature"}, temperature)
	// endregion
	return err
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
	generated := newServer()
	if err := weather.AddTools(generated); err != nil {
		t.Fatal(err)
	}
	s.call("current", generated, "current_temperature", `{"city":"London"}`)
	plain := newServer()
	if err := addPlain(plain); err != nil {
		t.Fatal(err)
	}
	s.call("plain", plain, "current_temperature", `{"city":"London"}`)
	for _, part := range []string{"", ".input"} {
		if s.said["plain"+part] != s.said["current"+part] {
			t.Errorf("the plain form says %s, the generated one %s", s.said["plain"+part], s.said["current"+part])
		}
	}
	s.call("unknown", plain, "current_temperature", `{"city":"Atlantis"}`)
	add(s, "upstream", "get_weather", `{"city":"London"}`, upstreamWeather)
	temperature, err := host(t.Context(), connected(t, plain))
	if err != nil || temperature != 17 {
		t.Errorf("the host got %d, %v", temperature, err)
	}
	s.call("largest", dataServer(t), "largest_cities", `{}`)
	return s.said
}

func host(ctx context.Context, session *mcp.ClientSession) (int, error) {
	// region host
	res, err := diptych.Call[int](ctx, session, "current_temperature", City{"London"})
	if failed, ok := errors.AsType[*diptych.Error](err); ok {
		return 0, fmt.Errorf("the tool says: %w", failed)
	}
	return res.Value, err // a *diptych.Mismatch, or the connection's error
	// endregion
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

// connected is a client's session with server, over which raw bytes are kept.
func connected(t *testing.T, server *mcp.Server) *mcp.ClientSession {
	t.Helper()
	here, there := mcp.NewInMemoryTransports()
	if _, err := server.Connect(t.Context(), there, nil); err != nil {
		t.Fatal(err)
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "host", Version: "1.0.0"}, nil)
	session, err := client.Connect(t.Context(), diptych.Exact(here), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close() })
	return session
}
