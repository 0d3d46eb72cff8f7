package scripted

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/diptych-mcp/diptych/gateway/model"
)

// demo is what the examples publish, under the names that the gateway gives them.
var demo = []model.Tool{
	tool("weather_get_temperature", "Current temperature in a city, in whole degrees Celsius.", `"city":{"type":"string","description":"City name, as people write it."}`, "city"),
	tool("weather_get_weather", "Current weather for a city.", `"city":{"type":"string"}`, "city"),
	tool("weather_get_forecast", "Daily forecast for a city.", `"city":{"type":"string"},"days":{"type":"integer","minimum":1,"maximum":7}`, "city", "days"),
	tool("weather_get_temperatures", "Current temperature for each city, in degrees Celsius.", `"cities":{"type":"array","items":{"type":"string"},"minItems":1}`, "cities"),
	tool("weather_weather_report", "A human-readable weather report for a city.", `"city":{"type":"string"}`, "city"),
	tool("rooms_find_slots", "Free slots in a room on a given day.", `"room_id":{"type":"string"},"day":{"type":"string"},"minutes":{"type":"integer","enum":[30,60,120],"default":60}`, "room_id", "day"),
	tool("rooms_room_count", "How many bookable rooms the floor has.", ``),
	tool("rooms_utilisation", "Yesterday's utilisation, per room.", ``),
	tool("rooms_floor_summary", "A short readable summary of how the floor looks on a given day.", `"day":{"type":"string","description":"The date, as YYYY-MM-DD."}`, "day"),
	tool("cities_list_cities", "Return the top 3 cities by population.", ``),
	tool("cities_find_cities", "Large cities of a country or region, with their people in 2023 and 2015, the largest first.",
		`"country":{"type":"string","description":"Only cities of this country, by its English name."},"region":{"type":"string","description":"Only cities of this region, such as Europe or South Asia."},"people":{"type":"integer","minimum":0,"description":"Only cities with at least so many people."},"most":{"type":"integer","minimum":1,"maximum":50,"default":10}`),
	tool("cities_compare_cities", "How the people of two to six large cities changed from 2015 to 2023.", `"cities":{"type":"array","items":{"type":"string"},"minItems":2,"maxItems":6}`, "cities"),
	tool("cities_cities_by_region", "How many large cities each region of the world has, and how many people live in them.", ``),
	tool("cities_urban_countries", "The share of each country's people that lives in towns, beside its largest city.", `"region":{"type":"string","description":"Only countries of this region; left out: all."}`),
}

func tool(name, description, properties string, required ...string) model.Tool {
	need, _ := json.Marshal(required)
	return model.Tool{Name: name, Description: description, Parameters: json.RawMessage(`{"type":"object","properties":{` + properties + `},"required":` + string(need) + `}`)}
}

func ask(t *testing.T, tools []model.Tool, messages ...model.Message) model.Turn {
	t.Helper()
	var text strings.Builder
	req := model.Request{Messages: messages, Tools: tools}
	turn, err := Model{}.Stream(t.Context(), req, func(d model.Delta) error {
		text.WriteString(d.Text)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if text.String() != turn.Text || !strings.HasPrefix(turn.Text, "I follow a script") {
		t.Errorf("deltas %q, turn %q", text.String(), turn.Text)
	}
	for _, c := range turn.Calls {
		if !json.Valid(c.Arguments) {
			t.Errorf("arguments %s", c.Arguments)
		}
	}
	return turn
}

func user(text string) model.Message {
	return model.Message{Role: model.User, Parts: []model.Part{{Text: text}}}
}

func TestQuestions(t *testing.T) {
	for question, want := range map[string]string{
		"What is the temperature in London?":                             `weather_get_temperature {"city":"London"}`,
		"How warm is it in New York right now?":                          `weather_get_temperature {"city":"New York"}`,
		"Weather in Lisbon":                                              `weather_get_weather {"city":"Lisbon"}`,
		"Give me the forecast for Paris for 5 days":                      `weather_get_forecast {"city":"Paris","days":5}`,
		"forecast for Rio de Janeiro":                                    `weather_get_forecast {"city":"Rio de Janeiro","days":3}`,
		"a weather report for oslo, please":                              `weather_weather_report {"city":"oslo"}`,
		"Qual é a temperatura em São Paulo?":                             `weather_get_temperature {"city":"São Paulo"}`,
		"¿Qué tiempo hace en Madrid?":                                    `weather_get_weather {"city":"Madrid"}`,
		"temperatures of London, Paris and Tokyo":                        `weather_get_temperatures {"cities":["London","Paris","Tokyo"]}`,
		"How many rooms are there?":                                      `rooms_room_count {}`,
		"free slots in room nook on 2026-03-02 for 30 minutes":           `rooms_find_slots {"room_id":"nook","day":"2026-03-02","minutes":30}`,
		"Summarise the floor: floor summary for 2026-03-02":              `rooms_floor_summary {"day":"2026-03-02"}`,
		"Show the utilization per room":                                  `rooms_utilisation {}`,
		"top 3 cities by population":                                     `cities_list_cities {}`,
		"Find the largest cities in Brazil with at least 1000000 people": `cities_find_cities {"country":"Brazil","people":1000000}`,
		"Find large cities in Europe":                                    `cities_find_cities {"region":"Europe"}`,
		"Compare Tokyo, Delhi and Mexico City":                           `cities_compare_cities {"cities":["Tokyo","Delhi","Mexico City"]}`,
		"How many large cities does each region of the world have?":      `cities_cities_by_region {}`,
		"What share of people lives in towns in each country of Africa?": `cities_urban_countries {"region":"Africa"}`,
		`weather_get_forecast {"city": "Oslo", "days": 99}`:              `weather_get_forecast {"city": "Oslo", "days": 99}`,
		`the weather in "st. john's"`:                                    `weather_get_weather {"city":"st. john's"}`,
		"the temperature, please":                                        "lacks city",
		"Sing a song":                                                    "knows weather_get_temperature",
		"":                                                               "knows weather_get_temperature",
	} {
		turn := ask(t, demo, user(question))
		got := ""
		switch {
		case len(turn.Calls) == 1 && turn.Reason == model.ToolCalls && turn.Calls[0].ID == "scripted_1":
			got = turn.Calls[0].Name + " " + string(turn.Calls[0].Arguments)
		case strings.Contains(turn.Text, "does not say this: city."):
			got = "lacks city"
		case strings.Contains(turn.Text, "I know weather_get_temperature, "):
			got = "knows weather_get_temperature"
		}
		if got != want {
			t.Errorf("%q:\ngot  %s (%s)\nwant %s", question, got, turn.Text, want)
		}
	}
}

func TestAnswers(t *testing.T) {
	called := model.Message{Role: model.Assistant, Calls: []model.Call{{ID: "a", Name: "get_weather"}}}
	long := strings.Repeat("One sentence more. ", 100)
	for name, test := range map[string]struct {
		parts  []model.Part
		failed bool
		want   string
	}{
		"text":    {parts: []model.Part{{Text: "17 degrees."}}, want: "get_weather answered: 17 degrees."},
		"object":  {parts: []model.Part{{Text: `{"people_2023": 37400068, "share": 1.10, "big": 12345678901234567890, "name": "Tokyo", "list": [1, 2]}`}}, want: "get_weather answered: people 2023 37400068, share 1.10, big 12345678901234567890, name Tokyo, list [1,2]."},
		"list":    {parts: []model.Part{{Text: "1"}, {Text: "2"}, {Text: "3"}, {Text: "4"}, {Text: "5"}, {Text: "6"}, {Text: "7"}}, want: "get_weather answered: 1; 2; 3; 4; 5; and 2 more."},
		"failed":  {parts: []model.Part{{Text: "no such city"}}, failed: true, want: "get_weather failed: no such city."},
		"nothing": {want: "get_weather answered without a word."},
		"image":   {parts: []model.Part{{MIMEType: "image/png", Data: []byte("x")}}, want: "get_weather answered: something that is no text (image/png)."},
		"long":    {parts: []model.Part{{Text: long}}, want: "get_weather answered: " + strings.TrimSpace(long[:19*21])},
		"broken":  {parts: []model.Part{{Text: `{"a":`}}, want: `get_weather answered: {"a":.`},
	} {
		turn := ask(t, demo, user("Weather?"), called, model.Message{Role: model.ToolRole, CallID: "a", Parts: test.parts, Failed: test.failed})
		if d := cmp.Diff("I follow a script. "+test.want, turn.Text); d != "" || turn.Calls != nil || turn.Reason != model.Stop {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
	}
}

func TestOtherTools(t *testing.T) {
	odd := []model.Tool{
		{Name: "paint", Description: "Paint a wall.", Parameters: json.RawMessage(`{"properties":{"colour":{"enum":["red","deep blue"]},"shiny":{"type":"boolean"},"litres":{"type":["number","null"]},"any":true},"required":["colour","shiny"]}`)},
		{Name: "broken", Parameters: json.RawMessage(`{"properties":[`)},
	}
	for question, want := range map[string]string{
		"Paint it deep blue and shiny": `paint {"colour":"deep blue","shiny":true}`,
		"Paint it red, 2.5 litres":     `paint {"colour":"red","shiny":false,"litres":2.5}`,
		"broken":                       `broken {}`,
	} {
		turn := ask(t, odd, user(question))
		if len(turn.Calls) != 1 || turn.Calls[0].Name+" "+string(turn.Calls[0].Arguments) != want {
			t.Errorf("%q: %+v, want %s", question, turn, want)
		}
	}
	if turn := ask(t, nil, user("Hi")); !strings.Contains(turn.Text, "no tools") {
		t.Error(turn.Text)
	}
	if turn := ask(t, nil); turn.Reason != model.Stop {
		t.Error(turn)
	}
}

func TestPaceAndStop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		words := 0
		start := time.Now()
		_, err := Model{Pace: time.Second}.Stream(ctx, model.Request{}, func(model.Delta) error {
			if words++; words == 3 {
				cancel()
			}
			return nil
		})
		if !errors.Is(err, context.Canceled) || words != 3 || time.Since(start) != 3*time.Second {
			t.Error(err, words, time.Since(start))
		}
	})
	full := errors.New("disk full")
	if _, err := (Model{}).Stream(t.Context(), model.Request{}, func(model.Delta) error { return full }); err != full {
		t.Error(err)
	}
}

// Whatever is asked, the script ends, and what it asks for is JSON.
func FuzzQuestion(f *testing.F) {
	f.Add("Weather in Lisbon for 3 days", `{"properties":{"city":{"type":"string"}}}`)
	f.Add(`t {"a":1} "x" “y” 2024-01-01 -5`, `{"properties":{"a":{"type":["array"],"items":{"type":"string"}},"b":{"enum":[1,"x"]}},"required":["zz"]}`)
	f.Fuzz(func(t *testing.T, question, schema string) {
		ask(t, append(demo, model.Tool{Name: "t", Parameters: json.RawMessage(schema)}), user(question))
	})
}
