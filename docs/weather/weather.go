// Package weather is the first example of the README: an ordinary function that diptych gen makes a tool of.
package weather

import (
	"context"

	"github.com/diptych-mcp/diptych"
)

//go:generate go tool diptych gen

var readings = map[string]int{"London": 17, "Cairo": 34}

// region generated

// CurrentTemperature reports the temperature in a city, in whole degrees Celsius.
//
//diptych:tool readonly
func CurrentTemperature(ctx context.Context, city string /* City name, as people write it. */) (int, error) {
	celsius, ok := readings[city]
	if !ok {
		return 0, diptych.Errorf("no readings for %q; ask for London or Cairo", city)
	}
	return celsius, nil
}

// endregion
