package main

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/diptych-mcp/diptych"
)

//go:embed readings.json
var readings []byte

// A Station knows the weather of a few cities. Its instruments are a file.
type Station struct {
	readings map[string]reading
}

// A reading is what is known about one city.
type reading struct {
	Thermometer int             `json:"thermometer"` // whole degrees, read by a person
	Weather     WeatherData     `json:"weather"`
	Outlook     string          `json:"outlook"`
	Upstream    json.RawMessage `json:"upstream"` // what another service says, kept as it came
}

func newStation() (*Station, error) {
	s := &Station{}
	if err := json.Unmarshal(readings, &s.readings); err != nil {
		return nil, fmt.Errorf("readings.json: %w", err)
	}
	return s, nil
}

// reading returns what is known about a city. An unknown one is an error that the model can act on, not a zero.
func (s *Station) reading(city string) (reading, error) {
	r, ok := s.readings[city]
	if !ok {
		known := slices.Sorted(maps.Keys(s.readings))
		return reading{}, diptych.Errorf("no readings for %q; ask for one of %s", city, strings.Join(known, ", "))
	}
	return r, nil
}
