package docs

import (
	"context"
	"encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych"
)

// The code of tools.md.

// region slot-arguments
type FindSlots struct {
	RoomID  string    `json:"room_id" jsonschema:"The room to look at."`
	Day     string    `json:"day" jsonschema:"The date." format:"date"`
	Minutes int       `json:"minutes" jsonschema:"How long the slot must be." enum:"30,60,120" default:"60"`
	After   time.Time `json:"after,omitzero" jsonschema:"Only slots that begin later than this."`
	Tags    []string  `json:"tags,omitempty" jsonschema:"What the room must have." maxItems:"5" uniqueItems:"true"`
}

// endregion

// region slot-result
type Slot struct {
	RoomID  string `json:"room_id"`
	Start   string `json:"start" jsonschema:"Local time, as YYYY-MM-DDTHH:MM."`
	Minutes int    `json:"minutes"`
}

func findSlots(ctx context.Context, in FindSlots) ([]Slot, error) {
	return []Slot{{in.RoomID, in.Day + "T09:00", in.Minutes}}, nil
}

// endregion

// region no-arguments
func roomCount(ctx context.Context, _ struct{}) (int, error) {
	return 3, nil
}

// endregion

func addSlots(server *mcp.Server) error {
	// region describe
	return errors.Join(
		diptych.Add(server, &mcp.Tool{
			Name:        "find_slots",
			Title:       "Find free slots",
			Description: "Free slots in a room on a given day.",
			Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true, OpenWorldHint: new(false)},
		}, findSlots),
		diptych.Add(server, &mcp.Tool{Name: "room_count"}, roomCount),
	)
	// endregion
}

// region pointer-argument
type Search struct {
	Text  string `json:"text"`
	Limit *int   `json:"limit,omitempty"` // nil: the caller did not say
}

// endregion

func search(ctx context.Context, in Search) ([]string, error) { return []string{in.Text}, nil }

// region hand-given-input
var anyFilter = &mcp.Tool{
	Name:        "count",
	InputSchema: json.RawMessage(`{"type": "object", "properties": {"filter": {"type": "object"}}}`),
}

func count(ctx context.Context, in struct {
	Filter map[string]any `json:"filter"`
}) (int, error) {
	return len(in.Filter), nil
}

// endregion

func addTwice(one, other *mcp.Server) error {
	// region new
	tool, handler, err := diptych.New(&mcp.Tool{Name: "room_count"}, roomCount)
	if err != nil {
		return err
	}
	one.AddTool(tool, handler)
	other.AddTool(tool, handler)
	return nil
	// endregion
}

// region docs
type Level int

var docs = diptych.Docs{
	"example.com/lights.Level": {
		Text: "How bright.",
		Enum: []diptych.Constant{{Value: 0, Text: "off"}, {Value: 1, Text: "dimmed"}, {Value: 2, Text: "full"}},
	},
}

// endregion

// docsHere is docs with the path that this package really has.
var docsHere = diptych.Docs{"github.com/diptych-mcp/diptych/docs.Level": docs["example.com/lights.Level"]}

func level(context.Context, struct{}) (Level, error) { return 1, nil }

// badDefault is an argument whose tags contradict each other.
type badDefault struct {
	Minutes int `json:"minutes" enum:"30,60,120" default:"45"`
}

func wrongDefault(context.Context, badDefault) (int, error) { return 0, nil }

func toolsAnswers(t *testing.T) map[string]string {
	s := newShow(t)
	server := newServer()
	if err := addSlots(server); err != nil {
		t.Fatal(err)
	}
	s.call("slots", server, "find_slots", `{"room_id":"nook","day":"2026-09-17"}`)
	s.call("slots-meant", server, "find_slots", `{"room_id":"nook","day":"2026-09-17","minutes":"120","tags":"[\"screen\"]"}`)
	s.call("slots-wrong", server, "find_slots", `{"room":"nook","day":"tomorrow","minutes":45,"tags":["a","a"]}`)
	add(s, "search", "search", `{"text":"x"}`, search)
	publish(s, "count", anyFilter, `{"filter":{"a":1}}`, count)
	if err := addTwice(newServer(), newServer()); err != nil {
		t.Error(err)
	}
	add(s, "level", "level", `{}`, level, docsHere)
	refused(s, "wrong-default", "find_slots", wrongDefault)
	return s.said
}
