// Package conformance checks this library against judges that it does not own: the documentation's examples as data, and the
// protocol's official suite.
package conformance

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
)

//go:embed testdata/documentation.json
var documentation []byte

// Who answers which of the documentation's tools.
var (
	Weather = []string{"get_temperature", "get_weather", "get_weather_plain", "get_forecast", "get_temperatures", "get_weather_upstream", "weather_report"}
	Refused = []string{"get_station"} // never published: adding it is an error
	Rooms   = []string{"find_slots", "room_count", "utilisation", "floor_summary", "broken"}
	Data    = []string{"list_cities"}
)

// A Case is one of the documentation's examples. A member that is absent is nil and not looked at; null says that there
// must be none.
type Case struct {
	Tool        string          `json:"tool"`
	Note        string          `json:"note,omitempty"`
	Description string          `json:"description,omitempty"`
	Arguments   json.RawMessage `json:"arguments,omitempty"`

	InputSchema    json.RawMessage `json:"input_schema,omitempty"`
	Schema         json.RawMessage `json:"schema,omitempty"`
	SchemaContains json.RawMessage `json:"schema_contains,omitempty"`

	Structured      json.RawMessage `json:"structured,omitempty"`
	IsError         bool            `json:"is_error,omitempty"`
	Content         []Block         `json:"content,omitempty"`
	ContentContains []string        `json:"content_contains,omitempty"`
	ContentLacks    []string        `json:"content_lacks,omitempty"`

	RegistrationErrorContains []string `json:"registration_error_contains,omitempty"`
}

// A Block is a part of the text panel.
type Block struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

// Cases returns the documentation's cases for the tools. A tool without one is an error, and so is a member that a Case
// does not know: nothing may go unchecked.
func Cases(tools ...string) ([]Case, error) {
	var all struct {
		About string
		Cases []Case
	}
	d := json.NewDecoder(bytes.NewReader(documentation))
	d.DisallowUnknownFields()
	if err := d.Decode(&all); err != nil {
		return nil, fmt.Errorf("documentation.json: %w", err)
	}
	missing := slices.Clone(tools)
	var cases []Case
	for _, c := range all.Cases {
		if slices.Contains(tools, c.Tool) {
			cases = append(cases, c)
			missing = slices.DeleteFunc(missing, func(tool string) bool { return tool == c.Tool })
		}
	}
	if len(missing) > 0 {
		return nil, fmt.Errorf("documentation.json: no case for %q", missing)
	}
	return cases, nil
}
