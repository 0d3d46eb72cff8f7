package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych"
)

// A floor knows which rooms are taken, and by whom.
type floor struct {
	mu    sync.Mutex
	taken map[string]string // user by room
}

var rooms = []string{"atrium", "nook"}

// A Room is one on the floor.
type Room struct {
	ID   string `json:"id"`
	Free bool   `json:"free"`
}

// Which names a room.
type Which struct {
	Room string `json:"room" enum:"atrium,nook"`
}

// Wait says for what to wait.
type Wait struct {
	Room    string `json:"room" enum:"atrium,nook"`
	Seconds int    `json:"seconds" minimum:"1" maximum:"50" default:"10"`
}

// addTools publishes the tools. Each has its scope in the table of scopes.
func addTools(s *mcp.Server, opts ...diptych.Option) error {
	f := &floor{taken: make(map[string]string)}
	return errors.Join(
		diptych.Add(s, tool("list_rooms", "All rooms, and whether they are free."), f.list, opts...),
		diptych.Add(s, tool("await_room", "Wait until a room is free, and say whether it is."), f.await, opts...),
		diptych.Add(s, tool("book_room", "Book a room for the caller."), f.book, opts...),
	)
}

func (f *floor) list(context.Context, struct{}) ([]Room, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	all := make([]Room, len(rooms))
	for i, id := range rooms {
		all[i] = Room{id, f.taken[id] == ""}
	}
	return all, nil
}

func (f *floor) await(ctx context.Context, in Wait) (bool, error) {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for waited := range in.Seconds {
		if f.isFree(in.Room) {
			return true, nil
		}
		diptych.Progress(ctx, float64(waited), float64(in.Seconds), "waiting")
		select {
		case <-ctx.Done():
			return false, ctx.Err()
		case <-tick.C:
		}
	}
	return f.isFree(in.Room), nil
}

func (f *floor) isFree(room string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.taken[room] == ""
}

func (f *floor) book(ctx context.Context, in Which) (string, error) {
	user := diptych.Request(ctx).Extra.TokenInfo.UserID
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.taken[in.Room] != "" {
		return "", diptych.Errorf("%s is taken; wait with await_room, or book %s", in.Room, rooms[1-slices.Index(rooms, in.Room)])
	}
	f.taken[in.Room] = user
	return fmt.Sprintf("%s is booked for %s", in.Room, user), nil
}
