package main

import (
	"context"
	"errors"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych"
)

// A Slot is a stretch of time in which a room can be booked.
type Slot struct {
	RoomID  string `json:"room_id" jsonschema:"The room this slot is in."`
	Start   string `json:"start" jsonschema:"Local start time, as YYYY-MM-DDTHH:MM."`
	Minutes int    `json:"minutes" jsonschema:"How long the slot runs."`
}

// Wish is what to look for. A field with a default may be left out.
type Wish struct {
	RoomID  string `json:"room_id"`
	Day     string `json:"day"`
	Minutes int    `json:"minutes" enum:"30,60,120" default:"60"`
}

// Day is a date.
type Day struct {
	Day string `json:"day" jsonschema:"The date, as YYYY-MM-DD."`
}

// publish puts the tools and the plan of the floor on s.
func publish(s *mcp.Server) error {
	f, err := newFloor()
	if err != nil {
		return err
	}
	addPlan(s)
	return errors.Join(
		diptych.Add(s, tool("find_slots", "Free slots in a room on a given day."), f.findSlots),
		diptych.Add(s, tool("room_count", "How many bookable rooms the floor has."), f.roomCount),
		diptych.Add(s, tool("utilisation", "Yesterday's utilisation, per room."), f.utilisation),
		diptych.Add(s, tool("floor_summary", "A short readable summary of how the floor looks on a given day."), f.summary, diptych.Unstructured()),
		diptych.Add(s, tool("broken", "Return the wrong shape on purpose."), broken),
	)
}

// tool describes a tool that only reads, from data that ships with the server.
func tool(name, description string) *mcp.Tool {
	no := false
	return &mcp.Tool{Name: name, Description: description, Annotations: &mcp.ToolAnnotations{
		ReadOnlyHint: true, DestructiveHint: &no, IdempotentHint: true, OpenWorldHint: &no,
	}}
}

func (f *floor) findSlots(ctx context.Context, in Wish) ([]Slot, error) {
	r, err := f.room(in.RoomID)
	if err != nil {
		return nil, err
	}
	day, err := parseDay(in.Day)
	if err != nil {
		return nil, err
	}
	var slots []Slot // without a free one: [], not null
	for _, start := range r.starts(day, in.Minutes) {
		slots = append(slots, Slot{RoomID: r.ID, Start: start.Format("2006-01-02T15:04"), Minutes: in.Minutes})
	}
	return slots, nil
}

func (f *floor) roomCount(ctx context.Context, _ struct{}) (int, error) { return len(f.rooms), nil }

func (f *floor) utilisation(ctx context.Context, _ struct{}) (map[string]float64, error) {
	share := map[string]float64{}
	for _, r := range f.rooms {
		share[r.ID] = r.Utilisation
	}
	return share, nil
}

func (f *floor) summary(ctx context.Context, in Day) (string, error) {
	day, err := parseDay(in.Day)
	if err != nil {
		return "", err
	}
	return f.describe(day), nil
}

// broken promises a Slot and sends something else. The caller hears which fields are missing; what was sent stays here.
func broken(ctx context.Context, _ struct{}) (diptych.JSON[Slot], error) {
	return diptych.JSON[Slot](`{"room_id": "nook"}`), nil
}
