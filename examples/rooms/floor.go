package main

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/diptych-mcp/diptych"
)

//go:embed rooms.json
var roomsFile []byte

// A Floor has bookable rooms, with the same bookings on every weekday. At weekends it is closed.
type Floor struct{ rooms []room }

type room struct {
	ID          string   `json:"id"`
	Name        string   `json:"name"`
	Utilisation float64  `json:"utilisation"` // yesterday, 0 to 1
	Free        []window `json:"free"`
}

// A window is a stretch of free hours, in whole hours of the day.
type window struct {
	From int `json:"from"`
	To   int `json:"to"`
}

// The hours in which rooms can be booked.
const opens, noon, closes = 9, 12, 17

func newFloor() (*Floor, error) {
	f := &Floor{}
	if err := json.Unmarshal(roomsFile, &f.rooms); err != nil {
		return nil, fmt.Errorf("rooms.json: %w", err)
	}
	return f, nil
}

// room finds a room. An unknown one is an error that the model can act on.
func (f *Floor) room(id string) (room, error) {
	var known []string
	for _, r := range f.rooms {
		if r.ID == id {
			return r, nil
		}
		known = append(known, r.ID)
	}
	return room{}, diptych.Errorf("no room %q; the floor has %s", id, strings.Join(known, ", "))
}

func parseDay(s string) (time.Time, error) {
	day, err := time.Parse(time.DateOnly, s)
	if err != nil {
		return day, diptych.Errorf("%q is no date; write it as YYYY-MM-DD", s)
	}
	return day, nil
}

func closed(day time.Time) bool {
	return day.Weekday() == time.Saturday || day.Weekday() == time.Sunday
}

// starts lists when a booking of so many minutes could begin.
func (r room) starts(day time.Time, minutes int) []time.Time {
	if closed(day) {
		return nil
	}
	var all []time.Time
	length := time.Duration(minutes) * time.Minute
	for _, w := range r.Free {
		end := day.Add(time.Duration(w.To) * time.Hour)
		for at := day.Add(time.Duration(w.From) * time.Hour); !at.Add(length).After(end); at = at.Add(length) {
			all = append(all, at)
		}
	}
	return all
}

// describe says how the floor looks on a day, the busiest room first.
func (f *Floor) describe(day time.Time) string {
	if closed(day) {
		return "The floor is closed at weekends."
	}
	var parts []string
	for _, r := range f.rooms {
		parts = append(parts, r.Name+" "+r.state())
	}
	return strings.Join(parts, "; ") + "."
}

// state is a room's day in a few words.
func (r room) state() string {
	for _, w := range r.Free {
		switch {
		case w.From <= opens && w.To >= closes:
			return "is unbooked"
		case w.From <= noon && w.To >= closes:
			return "has the afternoon free"
		}
	}
	if len(r.Free) == 0 {
		return "is full"
	}
	return "is nearly full"
}
