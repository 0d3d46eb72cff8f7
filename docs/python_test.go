package docs

import (
	"context"
	"encoding/json"
	"errors"
	"os/exec"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych"
	"github.com/diptych-mcp/diptych/data"
)

// The code of from-python.md.

// region py-model

// Tide is the state of the water in a harbour.
type Tide struct {
	Height float64 `json:"height" jsonschema:"Metres above chart datum." minimum:"0"`
	Rising bool    `json:"rising"`
}

type Harbour struct {
	Harbour string `json:"harbour" jsonschema:"Its name on the chart."`
}

func getTide(ctx context.Context, in Harbour) (Tide, error) {
	return Tide{Height: 3.4, Rising: true}, nil
}

// endregion

// region py-fields

type Phase string

func (Phase) Enum() []Phase { return []Phase{"ebb", "flood", "slack"} }

type Survey struct {
	Phase   Phase                          `json:"phase"`
	Remark  string                         `json:"remark,omitempty"`
	Wind    *float64                       `json:"wind"`
	Gauge   diptych.AnyOf[int, string]     `json:"gauge"`
	Between diptych.Tuple2[string, string] `json:"between"`
	Levels  map[string]float64             `json:"levels"`
	Depth   float64                        `json:"depth" minimum:"0" maximum:"60"`
}

// endregion

func survey(context.Context, none) (Survey, error) {
	return Survey{
		Phase: "flood", Gauge: diptych.AnyOf[int, string]{B: new("east-2")}, Depth: 12.5,
		Between: diptych.Tuple2[string, string]{A: "09:00", B: "11:30"}, Levels: map[string]float64{"east-2": 3.4},
	}, nil
}

const tideDocument = `{"rising": true}`

// region py-decoded
func decoded(ctx context.Context, in Harbour) (Tide, error) {
	var tide Tide
	err := json.Unmarshal([]byte(tideDocument), &tide) // a field that is missing becomes 0 here
	return tide, err
}

// endregion

// region py-passed
func passed(ctx context.Context, in Harbour) (diptych.JSON[Tide], error) {
	return diptych.JSON[Tide](tideDocument), nil
}

// endregion

func addUnstructured(server *mcp.Server, tideTable diptych.Func[Harbour, string]) error {
	// region py-options
	return errors.Join(
		diptych.Add(server, &mcp.Tool{Name: "tide_table"}, tideTable, diptych.Unstructured()), // structured_output=False
		diptych.Add(server, &mcp.Tool{Name: "get_tide"}, getTide, diptych.RequireSchema()),    // structured_output=True
	)
	// endregion
}

// region py-opaque
type Buoy struct{ name string }

func buoy(ctx context.Context, in Harbour) (Buoy, error) { return Buoy{in.Harbour}, nil }

// endregion

// region py-errors
func soundings(ctx context.Context, in Harbour) (float64, error) {
	if in.Harbour != "Dover" {
		return 0, diptych.Errorf("no chart of %q; there is one of Dover", in.Harbour) // raise ToolError(...)
	}
	return 0, errors.New("sonar at 10.2.0.9 does not answer") // raise RuntimeError(...)
}

// endregion

func addRegistered(server *mcp.Server) error {
	// region py-registry
	registry := data.NewRegistry(server)
	return data.Add(registry, &mcp.Tool{Name: "largest_cities"}, largestCities)
	// endregion
}

func pythonAnswers(t *testing.T) map[string]string {
	s := newShow(t)
	const dover = `{"harbour":"Dover"}`
	add(s, "py-model", "get_tide", dover, getTide)
	add(s, "py-fields", "survey", `{}`, survey)
	add(s, "py-decoded", "get_tide", dover, decoded)
	add(s, "py-passed", "get_tide", dover, passed)
	refused(s, "py-opaque", "get_buoy", buoy)
	add(s, "py-deliberate", "soundings", `{"harbour":"Hull"}`, soundings)
	add(s, "py-masked", "soundings", dover, soundings)

	server := newServer()
	if err := addUnstructured(server, func(context.Context, Harbour) (string, error) { return "High water at 09:00.", nil }); err != nil {
		t.Fatal(err)
	}
	s.call("py-text", server, "tide_table", dover)

	registered := newServer()
	if err := addRegistered(registered); err != nil {
		t.Fatal(err)
	}
	s.call("py-registry", registered, "largest_cities", `{}`)

	client := exec.CommandContext(t.Context(), string(build(t, "docs/roomsclient")), string(build(t, "docs/rooms")))
	said, err := client.Output()
	if err != nil {
		t.Fatal(err)
	}
	s.said["py-rooms"] = strings.TrimSuffix(string(said), "\n")
	return s.said
}
