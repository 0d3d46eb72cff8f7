package main

import (
	"fmt"

	"github.com/diptych-mcp/diptych"
	"github.com/diptych-mcp/diptych/examples/weather/plain"
)

type WeatherData struct {
	Temperature float64 `json:"temperature"` // Degrees Celsius.
	Humidity    float64 `json:"humidity"`    // Relative humidity, 0 to 1.
	Conditions  string  `json:"conditions"`
}

// region generated

// Current temperature in a city, in whole degrees Celsius.
//
//diptych:tool title="Temperature" readonly destructive=false idempotent openworld=false
func (s *Station) GetTemperature(city string /* City name, as people write it. */) (int, error) {
	r, err := s.reading(city)
	return r.Thermometer, err // a number is no object: it is sent as {"result": 17}
}

// endregion

// Current weather for a city.
//
//diptych:tool title="Weather" readonly destructive=false idempotent openworld=false
func (s *Station) GetWeather(city string /* City name, as people write it. */) (WeatherData, error) {
	r, err := s.reading(city)
	return r.Weather, err // a struct is its own schema
}

// Current weather for a city, in a type whose fields have no descriptions.
//
//diptych:tool title="Weather, undescribed" readonly destructive=false idempotent openworld=false
func (s *Station) GetWeatherPlain(city string /* City name, as people write it. */) (plain.WeatherData, error) {
	r, err := s.reading(city)
	return plain.WeatherData(r.Weather), err
}

// Daily forecast for a city.
//
//diptych:tool title="Forecast" readonly destructive=false idempotent openworld=false
//diptych:tool minimum days=1 maximum days=7
func (s *Station) GetForecast(
	city string, // City name, as people write it.
	days int, // How many days, today included.
) ([]plain.WeatherData, error) {
	r, err := s.reading(city)
	if err != nil {
		return nil, err
	}
	forecast := make([]plain.WeatherData, days) // a list is wrapped like a number, and each item is a block of text
	for i := range forecast {
		forecast[i] = plain.WeatherData(r.Weather)
		forecast[i].Temperature += float64(i)
	}
	return forecast, nil
}

// Current temperature for each city, in degrees Celsius.
//
//diptych:tool title="Temperatures of several cities" readonly destructive=false idempotent openworld=false minItems cities=1
func (s *Station) GetTemperatures(cities []string /* City names, as people write them. */) (map[string]float64, error) {
	all := map[string]float64{} // a map with string keys is an object already
	for _, city := range cities {
		r, err := s.reading(city)
		if err != nil {
			return nil, err
		}
		all[city] = r.Weather.Temperature
	}
	return all, nil
}

// Current weather for a city, as the upstream service sends it.
//
//diptych:tool title="Weather from upstream" readonly destructive=false idempotent openworld=false
func (s *Station) GetWeatherUpstream(city string /* City name, as people write it. */) (diptych.JSON[plain.WeatherData], error) {
	r, err := s.reading(city)
	// It promises to be a WeatherData, and is checked before it leaves. London's breaks the promise: upstream stopped
	// sending the humidity.
	return diptych.JSON[plain.WeatherData](r.Upstream), err
}

// A human-readable weather report for a city.
//
//diptych:tool title="Weather report" readonly destructive=false idempotent openworld=false unstructured
func (s *Station) WeatherReport(city string /* City name, as people write it. */) (string, error) {
	r, err := s.reading(city)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%s: %d degrees, %s.", city, r.Thermometer, r.Outlook), nil
}
