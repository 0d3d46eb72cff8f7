// Rooms is a whole MCP server about bookable rooms, on standard input and output.
package main

import (
	"context"
	"errors"
	"log"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych"
)

// A Slot is a time at which a room is free.
type Slot struct {
	RoomID  string `json:"room_id" jsonschema:"The free room."`
	Start   string `json:"start" jsonschema:"When it begins, as YYYY-MM-DDTHH:MM in local time."`
	Minutes int    `json:"minutes" jsonschema:"How long the room stays free."`
}

type FindSlots struct {
	RoomID  string `json:"room_id"`
	Day     string `json:"day" format:"date"`
	Minutes int    `json:"minutes" enum:"30,60,120" default:"60"`
}

var free = map[string][]string{"studio-b": {"09:00", "14:00"}, "atrium": {"13:00"}, "nook": {"09:00", "11:00", "15:00"}}

func findSlots(ctx context.Context, in FindSlots) ([]Slot, error) {
	times, ok := free[in.RoomID]
	if !ok {
		return nil, diptych.Errorf("there is no room %q; the rooms are atrium, nook and studio-b", in.RoomID)
	}
	var slots []Slot
	for _, at := range times {
		slots = append(slots, Slot{in.RoomID, in.Day + "T" + at, in.Minutes})
	}
	return slots, nil
}

func roomCount(ctx context.Context, _ struct{}) (int, error) { return len(free), nil }

func utilisation(ctx context.Context, _ struct{}) (map[string]float64, error) {
	return map[string]float64{"atrium": 0.62, "studio-b": 0.91, "nook": 0.25}, nil
}

type Day struct {
	Day string `json:"day" format:"date"`
}

func floorSummary(ctx context.Context, in Day) (string, error) {
	return "On " + in.Day + " the nook is nearly empty and studio-b nearly full.", nil
}

// broken promises a Slot and sends something else.
func broken(ctx context.Context, _ struct{}) (diptych.JSON[Slot], error) {
	return diptych.JSON[Slot](`{"room_id": "nook"}`), nil
}

func main() {
	log.SetFlags(0) // the log goes to standard error
	server := mcp.NewServer(&mcp.Implementation{Name: "rooms", Version: "1.0.0"}, nil)
	err := errors.Join(
		diptych.Add(server, &mcp.Tool{Name: "find_slots", Description: "Times at which a room is free on a day."}, findSlots),
		diptych.Add(server, &mcp.Tool{Name: "room_count", Description: "The number of rooms that can be booked."}, roomCount),
		diptych.Add(server, &mcp.Tool{Name: "utilisation", Description: "The share of yesterday for which each room was used."}, utilisation),
		diptych.Add(server, &mcp.Tool{Name: "floor_summary", Description: "A day on the floor, in words."}, floorSummary, diptych.Unstructured()),
		diptych.Add(server, &mcp.Tool{Name: "broken", Description: "Breaks its own schema."}, broken),
	)
	if err != nil {
		log.Fatal(err)
	}
	if err := diptych.Run(context.Background(), server, &mcp.StdioTransport{}); err != nil {
		log.Fatal(err)
	}
}
