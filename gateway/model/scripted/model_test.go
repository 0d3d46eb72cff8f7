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
	tool("weather__get_temperature", "Current temperature in a city, in whole degrees Celsius.", `"city":{"type":"string","description":"City name, as people write it."}`, "city"),
	tool("weather__get_weather", "Current weather for a city.", `"city":{"type":"string"}`, "city"),
	tool("weather__get_forecast", "Daily forecast for a city.", `"city":{"type":"string"},"days":{"type":"integer","minimum":1,"maximum":7}`, "city", "days"),
	tool("weather__get_temperatures", "Current temperature for each city, in degrees Celsius.", `"cities":{"type":"array","items":{"type":"string"},"minItems":1}`, "cities"),
	tool("weather__weather_report", "A human-readable weather report for a city.", `"city":{"type":"string"}`, "city"),
	tool("rooms__find_slots", "Free slots in a room on a given day.", `"room_id":{"type":"string"},"day":{"type":"string"},"minutes":{"type":"integer","enum":[30,60,120],"default":60}`, "room_id", "day"),
	tool("rooms__room_count", "How many bookable rooms the floor has.", ``),
	tool("rooms__utilisation", "Yesterday's utilisation, per room.", ``),
	tool("rooms__floor_summary", "A short readable summary of how the floor looks on a given day.", `"day":{"type":"string","description":"The date, as YYYY-MM-DD."}`, "day"),
	tool("cities__list_cities", "Return the top 3 cities by population.", ``),
	tool("cities__find_cities", "Large cities of a country or region, with their people in 2023 and 2015, the largest first.",
		`"country":{"type":"string","description":"Only cities of this country, by its English name."},"region":{"type":"string","description":"Only cities of this region, such as Europe or South Asia."},"people":{"type":"integer","minimum":0,"description":"Only cities with at least so many people."},"most":{"type":"integer","minimum":1,"maximum":50,"default":10}`),
	tool("cities__compare_cities", "How the people of two to six large cities changed from 2015 to 2023.", `"cities":{"type":"array","items":{"type":"string"},"minItems":2,"maxItems":6}`, "cities"),
	tool("cities__cities_by_region", "How many large cities each region of the world has, and how many people live in them.", ``),
	tool("cities__urban_countries", "The share of each country's people that lives in towns, beside its largest city.", `"region":{"type":"string","description":"Only countries of this region; left out: all."}`),
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
	if text.String() != turn.Text {
		t.Errorf("deltas %q, turn %q", text.String(), turn.Text)
	}
	if !told(messages) && !strings.Contains(turn.Text, "follow a script") && !strings.Contains(turn.Text, "Sigo un guion") && !strings.Contains(turn.Text, "Sigo um roteiro") {
		t.Errorf("%q does not say that it is scripted", turn.Text)
	}
	for _, c := range turn.Calls {
		if !json.Valid(c.Arguments) {
			t.Errorf("arguments %s", c.Arguments)
		}
	}
	return turn
}

// told reports whether the script has answered in this run: it introduces itself only once.
func told(messages []model.Message) bool {
	return len(messages) > 0 && messages[len(messages)-1].Role == model.ToolRole
}

func user(text string) model.Message {
	return model.Message{Role: model.User, Parts: []model.Part{{Text: text}}}
}

func TestQuestions(t *testing.T) {
	for question, want := range map[string]string{
		"What is the temperature in London?":                             `weather__get_temperature {"city":"London"}`,
		"How warm is it in New York right now?":                          `weather__get_temperature {"city":"New York"}`,
		"Weather in Lisbon":                                              `weather__get_weather {"city":"Lisbon"}`,
		"Give me the forecast for Paris for 5 days":                      `weather__get_forecast {"city":"Paris","days":5}`,
		"a weather report for oslo, please":                              `weather__weather_report {"city":"oslo"}`,
		"Qual é a temperatura em São Paulo?":                             `weather__get_temperature {"city":"São Paulo"}`,
		"Qual é a previsão do tempo para o Cairo para 3 dias?":           `weather__get_forecast {"city":"Cairo","days":3}`,
		"¿Qué temperatura hace en Londres?":                              `weather__get_temperature {"city":"London"}`,
		"¿Qué tiempo hace en Madrid?":                                    `weather__get_weather {"city":"Madrid"}`,
		"temperatures of London, Paris and Tokyo":                        `weather__get_temperatures {"cities":["London","Paris","Tokyo"]}`,
		"How many rooms are there?":                                      `rooms__room_count {}`,
		"Quantas salas há?":                                              `rooms__room_count {}`,
		"free slots in room nook on 2026-03-02 for 30 minutes":           `rooms__find_slots {"room_id":"nook","day":"2026-03-02","minutes":30}`,
		"Which slots are free in the nook on 2026-03-02?":                `rooms__find_slots {"room_id":"nook","day":"2026-03-02"}`,
		"Summarise the floor on 2026-03-02":                              `rooms__floor_summary {"day":"2026-03-02"}`,
		"Show the utilization per room":                                  `rooms__utilisation {}`,
		"top 3 cities by population":                                     `cities__list_cities {}`,
		"Find the largest cities in Brazil with at least 1000000 people": `cities__find_cities {"country":"Brazil","people":1000000}`,
		"Find large cities in Europe":                                    `cities__find_cities {"region":"Europe"}`,
		"Quais são as maiores cidades do Brasil?":                        `cities__find_cities {"country":"Brazil"}`,
		"¿Cuáles son las ciudades más grandes de España?":                `cities__find_cities {"country":"Spain"}`,
		"Compare Tokyo, Delhi and Mexico City":                           `cities__compare_cities {"cities":["Tokyo","New Delhi","Mexico City"]}`,
		"Compare Tóquio e a Cidade do México":                            `cities__compare_cities {"cities":["Tokyo","Mexico City"]}`,
		"How many large cities does each region of the world have?":      `cities__cities_by_region {}`,
		"¿Cuántas ciudades grandes hay en cada región del mundo?":        `cities__cities_by_region {}`,
		"What share of people lives in towns in each country of Africa?": `cities__urban_countries {"region":"Africa"}`,
		`weather__get_forecast {"city": "Oslo", "days": 99}`:             `weather__get_forecast {"city": "Oslo", "days": 99}`,
		`the weather in "st. john's"`:                                    `weather__get_weather {"city":"st. john's"}`,
	} {
		turn := ask(t, demo, user(question))
		got := turn.Text
		if len(turn.Calls) == 1 && turn.Reason == model.ToolCalls && turn.Calls[0].ID == "scripted_1" {
			got = turn.Calls[0].Name + " " + string(turn.Calls[0].Arguments)
		}
		if got != want {
			t.Errorf("%q:\ngot  %s\nwant %s", question, got, want)
		}
	}
}

func TestWithoutCall(t *testing.T) {
	const which = "There are **get temperature**, **get weather**, "
	for question, want := range map[string]string{
		"the temperature, please":     "leads me to **get temperature**, but for that I still need this: city (City name, as people write it).",
		"Qual é a temperatura?":       "ele me leva a **get temperature**, mas para isso ainda me falta: city (City name, as people write it).",
		"¿Qué temperatura hace?":      "me lleva a **get temperature**, pero para eso todavía me falta: city (City name, as people write it).",
		"forecast for Rio de Janeiro": "**get forecast**, but for that I still need this: days.", // no number is made up
		"Sing a song":                 which,
		"":                            which,
	} {
		if turn := ask(t, demo, user(question)); len(turn.Calls) > 0 || turn.Reason != model.Stop || !strings.Contains(turn.Text, want) {
			t.Errorf("%q: %+v, want %q", question, turn, want)
		}
	}
}

// What the script asked back may be answered in a word.
func TestAnswerToTheScript(t *testing.T) {
	for answer, test := range map[string]struct{ question, want string }{
		"london":  {"the temperature, please", `weather__get_temperature {"city":"london"}`},
		"5":       {"Previsão para o Cairo", `weather__get_forecast {"city":"Cairo","days":5}`},
		"Londres": {"¿Qué temperatura hace?", `weather__get_temperature {"city":"London"}`},
	} {
		back := ask(t, demo, user(test.question))
		turn := ask(t, demo, user(test.question), model.Message{Role: model.Assistant, Parts: []model.Part{{Text: back.Text}}}, user(answer))
		if len(turn.Calls) != 1 || turn.Calls[0].Name+" "+string(turn.Calls[0].Arguments) != test.want {
			t.Errorf("%q, %q: %+v, want %s", test.question, answer, turn, test.want)
		}
		if back, now := strings.Fields(back.Text)[0], strings.Fields(turn.Text)[0]; back != now {
			t.Errorf("%q, %q: the language changes from %s to %s", test.question, answer, back, now)
		}
	}
}

func TestAnswers(t *testing.T) {
	called := model.Message{Role: model.Assistant, Calls: []model.Call{{ID: "a", Name: "weather__get_temperature"}}}
	long := strings.Repeat("One sentence more. ", 100)
	var many []model.Part
	wide := "Rows:\nCity | People\n"
	for range 15 {
		many = append(many, model.Part{Text: `{"city":"Tokyo","people":37400068}`})
		wide += "Tokyo | 37,400,068\n"
	}
	rows := strings.Repeat("| Tokyo | 37400068 |\n", 10)
	for name, test := range map[string]struct {
		parts  []model.Part
		failed bool
		want   string
	}{
		"sentence": {parts: []model.Part{{Text: "London: 17 degrees, *overcast*."}}, want: `**get temperature** says: London: 17 degrees, \*overcast\*.`},
		"figure":   {parts: []model.Part{{Text: "1.10"}}, want: "**get temperature** says: **1.10** (Current temperature in a city, in whole degrees Celsius.)"},
		"object": {parts: []model.Part{{Text: `{"people_2023": 37400068, "share": 1.10, "big": 12345678901234567890, "name": "To|kyo", "none": null}`}},
			want: "**get temperature** says:\n\n- people 2023: 37400068\n- share: 1.10\n- big: 12345678901234567890\n- name: To|kyo\n- none: null"},
		"objects": {parts: []model.Part{{Text: `{"a_b":"x|y"}`}, {Text: `{"a_b":-0}`}}, want: "**get temperature** says:\n\n| a b |\n| --- |\n| x\\|y |\n| -0 |"},
		"a list":  {parts: []model.Part{{Text: `[{"a":1},{"a":2}]`}}, want: "**get temperature** says:\n\n| a |\n| --- |\n| 1 |\n| 2 |"},
		"many":    {parts: many, want: "**get temperature** says:\n\n| city | people |\n| --- | --- |\n" + rows + "\n… and more than is repeated here."},
		"table":   {parts: []model.Part{{Text: wide}}, want: "**get temperature** says:\n\nRows:\n\n| City | People |\n| --- | --- |\n" + strings.ReplaceAll(rows, "37400068", "37,400,068") + "\n… and more than is repeated here."},
		"between": {parts: []model.Part{{Text: "a | b\n1 | 2\nNote.\nc | d"}}, want: "**get temperature** says:\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n\n```\nNote.\nc | d\n```"},
		"lines":   {parts: []model.Part{{Text: "a\n```\n  b"}}, want: "**get temperature** says:\n\n````\na\n```\n  b\n````"},
		"nested":  {parts: []model.Part{{Text: `{"a":[1]}`}}, want: `**get temperature** says: {"a":\[1\]}`},
		"failed":  {parts: []model.Part{{Text: "no such city"}}, failed: true, want: "**get temperature** failed: no such city"},
		"nothing": {want: "**get temperature** answered without a word."},
		"image":   {parts: []model.Part{{MIMEType: "image/png", Data: []byte("x")}}, want: "**get temperature** says: Something that is no text (image/png)."},
		"long":    {parts: []model.Part{{Text: long}}, want: "**get temperature** says: " + strings.TrimSpace(long[:19*21]) + " …"},
		"broken":  {parts: []model.Part{{Text: `{"a":`}}, want: `**get temperature** says: {"a":`},
	} {
		turn := ask(t, demo, user("Weather?"), called, model.Message{Role: model.ToolRole, CallID: "a", Parts: test.parts, Failed: test.failed})
		if d := cmp.Diff(test.want, turn.Text); d != "" || turn.Calls != nil || turn.Reason != model.Stop {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
	}
	turn := ask(t, demo, user("¿Qué temperatura hace?"), called, model.Message{Role: model.ToolRole, CallID: "a", Parts: []model.Part{{Text: "17"}}})
	if !strings.HasPrefix(turn.Text, "**get temperature** dice: **17** (") {
		t.Error(turn.Text)
	}
}

// A server's name alone does not choose between its tools.
func TestServerName(t *testing.T) {
	shop := []model.Tool{
		tool("sales__bad_chart", "Draws a chart.", ``),
		tool("sales__monthly_sales", "Revenue.", `"region":{"type":"string"}`, "region"),
	}
	for question, want := range map[string]string{
		"monthly sales south":    "**monthly sales**, but for that I still need this: region.",
		"monthly sales in South": "**monthly sales**, with region: South.",
		"a chart of the sales":   "**bad chart**.",
		"Sales, please":          "**monthly sales**, but for that I still need this: region.",
	} {
		if turn := ask(t, shop, user(question)); !strings.Contains(turn.Text, want) {
			t.Errorf("%q: %q, want %q", question, turn.Text, want)
		}
	}
	// Where nothing fits better, the server's name is enough.
	if turn := ask(t, shop[:1], user("Sales, please")); !strings.Contains(turn.Text, "**bad chart**.") {
		t.Errorf("%q", turn.Text)
	}
}

func TestOtherTools(t *testing.T) {
	odd := []model.Tool{
		{Name: "paint", Description: "Paint a wall.", Parameters: json.RawMessage(`{"properties":{"colour":{"enum":["red","deep blue"]},"shiny":{"type":"boolean"},"litres":{"type":["number","null"]},"any":true},"required":["colour"]}`)},
		{Name: "broken", Parameters: json.RawMessage(`{"properties":[`)},
	}
	for question, want := range map[string]string{
		"Paint it deep blue and shiny": `paint {"colour":"deep blue","shiny":true}`,
		"Paint it red, 2.5 litres":     `paint {"colour":"red","litres":2.5}`,
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
