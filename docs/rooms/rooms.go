// Package rooms is the example of docs/generator.md: methods, comments and constants that diptych gen reads.
package rooms

import (
	"context"

	"github.com/diptych-mcp/diptych"
)

// region gen-constants

// Equipment is what stands in a room.
type Equipment string

const (
	Screen     Equipment = "screen"     // with cables for everything
	Whiteboard Equipment = "whiteboard" // and pens that write
)

// endregion

// region gen-type

// A Slot is a stretch of time in which a room can be booked.
type Slot struct {
	RoomID  string `json:"room_id"` // The room this slot is in.
	Start   string `json:"start"`   // Local start time, as YYYY-MM-DDTHH:MM.
	Minutes int    `json:"minutes"` // How long the slot runs.
}

// endregion

// region gen-method

// A Floor has bookable rooms.
type Floor struct{ rooms []string }

// FindSlots lists free slots in a room on a given day.
//
//diptych:tool readonly idempotent openworld=false
//diptych:tool enum minutes=30,60,120 default minutes=60
func (f *Floor) FindSlots(
	ctx context.Context,
	roomID string, // The room to look at.
	day string, // The date, as YYYY-MM-DD.
	minutes int, // How long the slot must be.
	with ...Equipment, // What the room must have.
) ([]Slot, error) {
	if len(f.rooms) == 0 {
		return nil, diptych.Errorf("the floor has no rooms")
	}
	return []Slot{{roomID, day + "T09:00", minutes}}, nil
}

// endregion

// region gen-small

// RoomCount says how many bookable rooms the floor has.
//
//diptych:tool readonly
func (f *Floor) RoomCount() int { return len(f.rooms) }

// endregion

// New returns a floor of rooms.
func New(rooms ...string) *Floor { return &Floor{rooms} }
