package main

import "github.com/diptych-mcp/diptych"

type Slot struct {
	RoomID  string `json:"room_id"` // The room this slot is in.
	Start   string `json:"start"`   // Local start time, as YYYY-MM-DDTHH:MM.
	Minutes int    `json:"minutes"` // How long the slot runs.
}

// Free slots in a room on a given day.
//
//diptych:tool title="Free slots" readonly destructive=false idempotent openworld=false
//diptych:tool enum minutes=30,60,120 default minutes=60
func (f *Floor) FindSlots(roomID, day string, minutes int) ([]Slot, error) {
	r, err := f.room(roomID)
	if err != nil {
		return nil, err
	}
	date, err := parseDay(day)
	if err != nil {
		return nil, err
	}
	var slots []Slot // without a free one: [], not null
	for _, start := range r.starts(date, minutes) {
		slots = append(slots, Slot{r.ID, start.Format("2006-01-02T15:04"), minutes})
	}
	return slots, nil
}

// How many bookable rooms the floor has.
//
//diptych:tool title="Number of rooms" readonly destructive=false idempotent openworld=false
func (f *Floor) RoomCount() int { return len(f.rooms) }

// Yesterday's utilisation, per room.
//
//diptych:tool title="Utilisation of the rooms" readonly destructive=false idempotent openworld=false
func (f *Floor) Utilisation() map[string]float64 {
	share := map[string]float64{}
	for _, r := range f.rooms {
		share[r.ID] = r.Utilisation
	}
	return share
}

// A short readable summary of how the floor looks on a given day.
//
//diptych:tool title="Summary of the floor" readonly destructive=false idempotent openworld=false unstructured
func (f *Floor) FloorSummary(day string /* The date, as YYYY-MM-DD. */) (string, error) {
	date, err := parseDay(day)
	if err != nil {
		return "", err
	}
	return f.describe(date), nil
}

// Return the wrong shape on purpose.
//
//diptych:tool title="A broken answer" readonly destructive=false idempotent openworld=false
func Broken() diptych.JSON[Slot] {
	return diptych.JSON[Slot](`{"room_id": "nook"}`) // the caller hears which fields are missing; what was sent stays here
}
