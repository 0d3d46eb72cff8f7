// Package desks is the example of docs/generator.md: methods, comments and constants that diptych gen reads.
package desks

import (
	"context"

	"github.com/diptych-mcp/diptych"
)

//go:generate go tool diptych gen

// region gen-constants

// Equipment is what a desk has.
type Equipment string

const (
	Screen Equipment = "screen" // with cables for everything
	Lamp   Equipment = "lamp"   // that can be dimmed
)

// endregion

// region gen-type

// A Desk is a place to work at.
type Desk struct {
	DeskID string `json:"desk_id"` // The number on the desk.
	From   string `json:"from"`    // Local time, as YYYY-MM-DDTHH:MM.
	Hours  int    `json:"hours"`   // How long it is free.
}

// endregion

// region gen-method

// An Office has desks that can be booked.
type Office struct{ desks []string }

// FindDesks lists the desks that are free on a given day.
//
//diptych:tool readonly idempotent openworld=false
//diptych:tool enum hours=2,4,8 default hours=4
func (o *Office) FindDesks(
	ctx context.Context,
	day string, // The date, as YYYY-MM-DD.
	hours int, // How long the desk must be free.
	room *string, // Only desks in this room.
	with ...Equipment, // What the desk must have.
) ([]Desk, error) {
	if len(o.desks) == 0 {
		return nil, diptych.Errorf("the office has no desks")
	}
	return []Desk{{o.desks[0], day + "T09:00", hours}}, nil
}

// endregion

// region gen-small

// DeskCount says how many desks the office has.
//
//diptych:tool readonly
func (o *Office) DeskCount() int { return len(o.desks) }

// endregion

// New returns an office with desks.
func New(desks ...string) *Office { return &Office{desks} }
