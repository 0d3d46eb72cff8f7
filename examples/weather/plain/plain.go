// Package plain has the weather without a word about it, to show what the schema of a bare struct looks like. A type's
// title is its name, so this one has to live in a package of its own.
package plain

type WeatherData struct {
	Temperature float64 `json:"temperature"`
	Humidity    float64 `json:"humidity"`
	Conditions  string  `json:"conditions"`
}
