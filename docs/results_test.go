package docs

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/netip"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych"
)

// The code of results.md.

// region scalar
func temperature(ctx context.Context, in City) (int, error) { return 17, nil }

// endregion

// region uint
func floors(ctx context.Context, _ struct{}) (uint8, error) { return 3, nil }

// endregion

// region enum
type Sky string

func (Sky) Enum() []Sky { return []Sky{"clear", "overcast"} }

func sky(ctx context.Context, in City) (Sky, error) { return "overcast", nil }

// endregion

// region bytes
func checksum(ctx context.Context, _ struct{}) ([]byte, error) { return []byte("hi"), nil }

// endregion

// region nothing
func reset(ctx context.Context, _ struct{}) (struct{}, error) { return struct{}{}, nil }

// endregion

// region struct
type Reading struct {
	Temperature float64 `json:"temperature" jsonschema:"Degrees Celsius." minimum:"-90" maximum:"60"`
	Conditions  string  `json:"conditions"`
	Station     string  `json:"station,omitempty"`
}

func reading(ctx context.Context, in City) (Reading, error) {
	return Reading{Temperature: 16.2, Conditions: "Overcast"}, nil
}

// endregion

// region pointer
func find(ctx context.Context, in City) (*Reading, error) {
	return nil, nil // a mistake: there is neither a value nor an error
}

// endregion

// region embedded
type Place struct {
	City string `json:"city"`
}

type Station struct {
	Place
	ID int `json:"id"`
}

func station(ctx context.Context, _ struct{}) (Station, error) {
	return Station{Place{"London"}, 7}, nil
}

// endregion

// region fields
type Fields struct {
	Note     *string               `json:"note"`               // a string or null, always there
	Hint     *string               `json:"hint,omitempty"`     // a string, or not there
	Limit    diptych.Optional[int] `json:"limit"`              // a number or null, always there
	Offset   diptych.Optional[int] `json:"offset,omitzero"`    // a number, or not there
	Since    time.Time             `json:"since,omitzero"`     // omitempty would have no effect: Add refuses it
	Revision int64                 `json:"revision,string"`    // a number in quotes
	Kind     string                `json:"kind" default:"day"` // not required; the schema names the default
	Any      any                   `json:"any"`                // no promise
	Raw      json.RawMessage       `json:"raw"`                // no promise, every digit kept
	Hidden   string                `json:"-"`                  // not published
}

func fields(ctx context.Context, _ struct{}) (Fields, error) {
	return Fields{Revision: 12, Kind: "day", Raw: json.RawMessage(`{"b":1.10,"a":[]}`)}, nil
}

// endregion

// region late
type Late struct {
	Since time.Time `json:"since,omitempty"`
}

// endregion

func late(context.Context, none) (Late, error) { return Late{}, nil }

// region map
func temperatures(ctx context.Context, _ struct{}) (map[string]float64, error) {
	return map[string]float64{"London": 16.2, "Cairo": 34.1}, nil
}

// endregion

// region map-int
func floorsByNumber(ctx context.Context, _ struct{}) (map[int]string, error) {
	return map[int]string{0: "lobby", 1: "studios"}, nil
}

// endregion

// region list
func forecast(ctx context.Context, in City) ([]Reading, error) {
	return []Reading{{Temperature: 16.2, Conditions: "Overcast"}, {Temperature: 17.2, Conditions: "Rain"}}, nil
}

// endregion

// region empty
func noStations(ctx context.Context, _ struct{}) ([]string, error) { return nil, nil }

// endregion

// region one-block
func corners(ctx context.Context, _ struct{}) ([][2]float64, error) {
	return [][2]float64{{51.5, -0.1}, {48.9, 2.4}}, nil
}

func publishCorners(server *mcp.Server, opts ...diptych.Option) error {
	opts = append(opts, diptych.OneBlock(), diptych.Compact())
	return diptych.Add(server, &mcp.Tool{Name: "list_corners"}, corners, opts...)
}

// endregion

// region array
func corner(ctx context.Context, _ struct{}) ([2]float64, error) { return [2]float64{51.5, -0.1}, nil }

// endregion

// region tuple
func warmest(ctx context.Context, _ struct{}) (diptych.Tuple2[string, float64], error) {
	return diptych.Tuple2[string, float64]{A: "Cairo", B: 34.1}, nil
}

// endregion

// region optional
func nextTrain(ctx context.Context, in City) (diptych.Optional[time.Time], error) {
	if in.City == "London" {
		return diptych.Some(time.Date(2026, 9, 17, 9, 0, 0, 0, time.UTC)), nil
	}
	return diptych.Optional[time.Time]{}, nil // no train is an answer too
}

// endregion

// region any-of
func temperatureOrReason(ctx context.Context, in City) (diptych.AnyOf[float64, string], error) {
	if in.City == "London" {
		return diptych.AnyOf[float64, string]{A: new(16.2)}, nil
	}
	return diptych.AnyOf[float64, string]{B: new("the station is off")}, nil
}

// endregion

// region time
func sunrise(ctx context.Context, in City) (time.Time, error) {
	return time.Date(2026, 9, 17, 6, 38, 0, 0, time.UTC), nil
}

// endregion

// region duration
func daylight(ctx context.Context, in City) (time.Duration, error) { return 12 * time.Hour, nil }

// endregion

// region text-marshaler
func gateway(ctx context.Context, _ struct{}) (netip.Addr, error) {
	return netip.MustParseAddr("::1"), nil
}

// endregion

// region own-schema
type Money struct{ cents int64 }

func (m Money) MarshalJSON() ([]byte, error) {
	return fmt.Appendf(nil, `"%d.%02d"`, m.cents/100, m.cents%100), nil
}

func (Money) JSONSchema() json.RawMessage {
	return json.RawMessage(`{"type": "string", "pattern": "^[0-9]+\\.[0-9]{2}$"}`)
}

func price(ctx context.Context, _ struct{}) (Money, error) { return Money{1250}, nil }

// endregion

// opaque is Money without the second method.
type opaque struct{}

func (opaque) MarshalJSON() ([]byte, error) { return []byte(`"12.50"`), nil }

func opaquePrice(context.Context, none) (opaque, error) { return opaque{}, nil }

// region json-value
func observe(ctx context.Context, in City) (Reading, error) {
	upstream := diptych.JSON[Reading](`{"conditions": "Overcast"}`)
	reading, err := upstream.Value()
	if err != nil {
		return Reading{}, err
	}
	reading.Station = "buoy 7"
	return reading, nil
}

// endregion

// region foreign-schema
type Alarm struct {
	Level slog.Level `json:"level"`
	Text  string     `json:"text"`
}

func lastAlarm(ctx context.Context, _ struct{}) (Alarm, error) {
	return Alarm{slog.LevelWarn, "door open"}, nil
}

func publishAlarm(server *mcp.Server, opts ...diptych.Option) error {
	level := json.RawMessage(`{"type": "string", "enum": ["DEBUG", "INFO", "WARN", "ERROR"]}`)
	opts = append(opts, diptych.Schema[slog.Level](level))
	return diptych.Add(server, &mcp.Tool{Name: "last_alarm"}, lastAlarm, opts...)
}

// endregion

// region json
func passOn(ctx context.Context, in City) (diptych.JSON[Reading], error) {
	return diptych.JSON[Reading](`{"conditions": "Overcast", "temperature": 16.20, "source": "buoy"}`), nil
}

// endregion

// region result
func described(ctx context.Context, in City) (diptych.Result[Reading], error) {
	return diptych.Result[Reading]{
		Value:   Reading{Temperature: 16.2, Conditions: "Overcast"},
		Content: []mcp.Content{&mcp.TextContent{Text: "Sixteen degrees under an overcast sky."}},
		Meta:    mcp.Meta{"example.com/station": 7},
	}, nil
}

// endregion

func addWithText(server *mcp.Server) error {
	// region with-text
	inWords := func(r Reading) string { return fmt.Sprintf("%.0f degrees, %s.", r.Temperature, r.Conditions) }
	return diptych.Add(server, &mcp.Tool{Name: "get_reading"}, diptych.WithText(reading, inWords))
	// endregion
}

// region whole
func whole(ctx context.Context, _ struct{}) (*mcp.CallToolResult, error) {
	return &mcp.CallToolResult{
		Content:           []mcp.Content{&mcp.TextContent{Text: "By hand."}},
		StructuredContent: map[string]any{"anything": 1},
	}, nil
}

// endregion

// region media
func chart(ctx context.Context, _ struct{}) (*mcp.ImageContent, error) {
	return &mcp.ImageContent{Data: []byte("not a real picture"), MIMEType: "image/png"}, nil
}

// endregion

// region blocks
func captioned(ctx context.Context, _ struct{}) (diptych.Tuple2[string, *mcp.ImageContent], error) {
	return diptych.Tuple2[string, *mcp.ImageContent]{
		A: "Temperatures of the week:",
		B: &mcp.ImageContent{Data: []byte("not a real picture"), MIMEType: "image/png"},
	}, nil
}

// endregion

// region any
func whatever(ctx context.Context, _ struct{}) (any, error) {
	return map[string]any{"b": 1, "a": nil}, nil
}

// endregion

// region unstructured
func summary(ctx context.Context, _ struct{}) (string, error) {
	return "Studio B is nearly full; the Atrium has the afternoon free.", nil
}

// endregion

func addSummary(server *mcp.Server) error {
	// region unstructured-add
	return diptych.Add(server, &mcp.Tool{Name: "floor_summary"}, summary, diptych.Unstructured())
	// endregion
}

func addGiven(server *mcp.Server) error {
	// region given
	tool := &mcp.Tool{
		Name: "get_reading",
		OutputSchema: json.RawMessage(`{"type": "object", "title": "Reading", "required": ["temperature"],
			"properties": {"temperature": {"type": "number", "maximum": 60}}}`),
	}
	return diptych.Add(server, tool, reading)
	// endregion
}

// region recursive
type Folder struct {
	Name    string   `json:"name"`
	Folders []Folder `json:"folders"`
}

func tree(ctx context.Context, _ struct{}) (Folder, error) {
	return Folder{"root", []Folder{{Name: "leaf"}}}, nil
}

// endregion

// region generic
type Page[T any] struct {
	Items []T    `json:"items"`
	Next  string `json:"next,omitempty"`
}

func firstPage(ctx context.Context, _ struct{}) (Page[Place], error) {
	return Page[Place]{Items: []Place{{"London"}}}, nil
}

// endregion

// region no-fields
type Sensor struct{ name string }

func sensor(ctx context.Context, _ struct{}) (Sensor, error) { return Sensor{"attic"}, nil }

// endregion

func nilElement(context.Context, none) ([]*Place, error) { return []*Place{{"London"}, nil}, nil }

func resultsAnswers(t *testing.T) map[string]string {
	s := newShow(t)
	const london, nowhere, nothing = `{"city":"London"}`, `{"city":"Nowhere"}`, `{}`
	add(s, "scalar", "get_temperature", london, temperature)
	add(s, "uint", "floors", nothing, floors)
	add(s, "enum", "sky", london, sky)
	add(s, "bytes", "checksum", nothing, checksum)
	add(s, "nothing", "reset", nothing, reset)
	add(s, "struct", "get_reading", london, reading)
	add(s, "pointer", "find", london, find)
	add(s, "embedded", "station", nothing, station)
	add(s, "fields", "fields", nothing, fields)
	refused(s, "late", "late", late)
	add(s, "map", "temperatures", nothing, temperatures)
	add(s, "map-int", "floors", nothing, floorsByNumber)
	add(s, "list", "get_forecast", london, forecast)
	add(s, "empty", "stations", nothing, noStations)
	add(s, "array", "corner", nothing, corner)
	alarms := newServer()
	if err := publishAlarm(alarms); err != nil {
		t.Fatal(err)
	}
	s.call("foreign-schema", alarms, "last_alarm", nothing)
	add(s, "json-value", "observe", london, observe)
	oneBlock := newServer()
	if err := publishCorners(oneBlock); err != nil {
		t.Fatal(err)
	}
	s.call("one-block", oneBlock, "list_corners", nothing)
	add(s, "tuple", "warmest", nothing, warmest)
	add(s, "optional", "next_train", london, nextTrain)
	add(s, "optional-null", "next_train", nowhere, nextTrain)
	add(s, "any-of", "temperature", london, temperatureOrReason)
	add(s, "any-of-other", "temperature", nowhere, temperatureOrReason)
	add(s, "time", "sunrise", london, sunrise)
	add(s, "duration", "daylight", london, daylight)
	add(s, "text-marshaler", "gateway", nothing, gateway)
	add(s, "own-schema", "price", nothing, price)
	refused(s, "opaque", "price", opaquePrice)
	add(s, "json", "pass_on", london, passOn)
	add(s, "result", "described", london, described)
	add(s, "whole", "whole", nothing, whole)
	add(s, "media", "chart", nothing, chart)
	add(s, "media-schema", "chart", nothing, chart, diptych.RequireSchema())
	add(s, "blocks", "captioned", nothing, captioned)
	add(s, "any", "whatever", nothing, whatever)
	refused(s, "any-required", "whatever", whatever, diptych.RequireSchema())
	add(s, "recursive", "tree", nothing, tree)
	add(s, "generic", "first_page", nothing, firstPage)
	refused(s, "no-fields", "get_sensor", sensor)
	add(s, "nil-element", "places", nothing, nilElement)
	for name, publish := range map[string]func(*mcp.Server) error{"with-text": addWithText, "unstructured": addSummary, "given": addGiven} {
		server := newServer()
		if err := publish(server); err != nil {
			t.Fatal(err)
		}
		tool := map[string]string{"with-text": "get_reading", "unstructured": "floor_summary", "given": "get_reading"}[name]
		args := map[string]string{"with-text": london, "unstructured": nothing, "given": london}[name]
		s.call(name, server, tool, args)
	}
	return s.said
}
