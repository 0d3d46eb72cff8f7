package docs

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych"
)

// The code of errors.md.

// region errorf
func bookRoom(ctx context.Context, in Room) (Booking, error) {
	if !known(in.RoomID) {
		return Booking{}, diptych.Errorf("no room %q; the floor has atrium, nook, studio-b", in.RoomID)
	}
	return store(in)
}

// endregion

// Room is the argument of book_room.
type Room struct {
	RoomID string `json:"room_id"`
}

// Booking is what book_room answers with.
type Booking struct {
	Number int `json:"number"`
}

func known(room string) bool { return room == "nook" }

// store is a database that is down.
func store(Room) (Booking, error) {
	return Booking{}, errors.New("dial tcp 10.0.0.7:5432: connection refused")
}

var errFull = errors.New("the room is full")

func cancelBooking(ctx context.Context, in Room) (struct{}, error) {
	// region wrap
	err := diptych.Errorf("cannot cancel: %w", errFull)          // the model reads "cannot cancel: the room is full"
	return struct{}{}, fmt.Errorf("row 17 of bookings: %w", err) // and this stays in the log
	// endregion
}

func detailed(context.Context, Room) (Booking, error) {
	// region own-content
	return Booking{}, &diptych.Error{
		Message: "no such room",
		Content: []mcp.Content{&mcp.TextContent{Text: "No such room. Call list_rooms and choose one of them."}},
		Meta:    mcp.Meta{"example.com/rooms": "floor://plan"},
	}
	// endregion
}

func panics(context.Context, Room) (Booking, error) {
	var bookings map[string]int
	//lint:ignore SA5000 the panic is what is shown
	bookings["nook"] = 1
	return Booking{}, nil
}

// region own-goroutine
func parallel(ctx context.Context, in Room) (Booking, error) {
	failed := make(chan error, 1)
	go func() {
		defer func() {
			if r := recover(); r != nil {
				failed <- fmt.Errorf("panic: %v", r)
			}
		}()
		failed <- work(in)
	}()
	return Booking{}, <-failed
}

// endregion

func work(Room) error { panic("no index") }

func addSlow(server *mcp.Server, fn diptych.Func[Room, Booking], opts ...diptych.Option) error {
	// region timeout
	return diptych.Add(server, &mcp.Tool{Name: "book_room"}, fn,
		append(opts, diptych.Timeout(20*time.Millisecond))...)
	// endregion
}

// region reveal
func publishFloor(server *mcp.Server, opts ...diptych.Option) error {
	opts = append(opts, diptych.Reveal(func(err error) (string, bool) {
		return "the floor plan is missing", errors.Is(err, fs.ErrNotExist)
	}))
	return diptych.Add(server, &mcp.Tool{Name: "read_floor"}, readFloor, opts...)
}

func readFloor(ctx context.Context, _ struct{}) (string, error) {
	return "", &fs.PathError{Op: "open", Path: "/srv/plans/3.txt", Err: fs.ErrNotExist}
}

// endregion

// region confirm
type Recipient struct {
	Name string `json:"name" minLength:"1"`
	Mail string `json:"mail" format:"email"`
}

func handOver(ctx context.Context, in Room) (string, error) {
	if err := diptych.Confirm(ctx, "sure", "Give "+in.RoomID+" away?"); err != nil {
		return "", err
	}
	to, err := diptych.Ask[Recipient](ctx, "to", "Who gets it?")
	if err != nil {
		return "", err
	}
	return in.RoomID + " is now of " + to.Name, nil
}

// endregion

// region need-input
func deleteRoom(ctx context.Context, in Room) (string, error) {
	answer, _ := diptych.Request(ctx).Params.InputResponses["sure"].(*mcp.ElicitResult)
	if answer == nil {
		return "", diptych.NeedInput(mcp.InputRequestMap{"sure": &mcp.ElicitParams{
			Message:         "Delete " + in.RoomID + " and its bookings?",
			RequestedSchema: map[string]any{"type": "object", "properties": map[string]any{}},
		}}, "")
	}
	if answer.Action != "accept" {
		return "", diptych.Errorf("the user said no; leave the room as it is")
	}
	return in.RoomID + " is gone", nil
}

// endregion

func protocolError(context.Context, Room) (Booking, error) {
	// region protocol-error
	return Booking{}, &jsonrpc.Error{Code: -32050, Message: "the licence has run out"}
	// endregion
}

// Measured has every way to be wrong.
type Measured struct {
	Share float64 `json:"share" minimum:"0" maximum:"1"`
	Kind  string  `json:"kind" enum:"day,night"`
	Note  string  `json:"note"`
}

func wrongValue(context.Context, none) (Measured, error) {
	return Measured{Share: math.NaN(), Kind: "noon", Note: "\xff"}, nil
}

func addLogged(server *mcp.Server, log *bytes.Buffer) error {
	logger := quiet(log)
	// region logger
	return diptych.Add(server, &mcp.Tool{Name: "book_room"}, bookRoom, diptych.Logger(logger))
	// endregion
}

func errorsAnswers(t *testing.T) map[string]string {
	s := newShow(t)
	const nook = `{"room_id":"nook"}`
	add(s, "errorf", "book_room", `{"room_id":"attic"}`, bookRoom)
	add(s, "masked", "book_room", nook, bookRoom)
	plans := newServer()
	if err := publishFloor(plans); err != nil {
		t.Fatal(err)
	}
	s.call("reveal", plans, "read_floor", `{}`)
	add(s, "wrap", "cancel_booking", nook, cancelBooking)
	add(s, "own-content", "book_room", nook, detailed)
	add(s, "panics", "book_room", nook, panics)
	add(s, "own-goroutine", "book_room", nook, parallel)
	add(s, "protocol-error", "book_room", nook, protocolError)
	add(s, "wrong-value", "measure", `{}`, wrongValue)
	add(s, "bad-arguments", "book_room", `{"room":"nook"}`, bookRoom)
	add(s, "no-value", "find", `{"city":"London"}`, find)

	var log bytes.Buffer
	server := newServer()
	free := make(chan struct{})
	defer close(free)
	stuck := func(context.Context, Room) (Booking, error) { <-free; return Booking{}, nil }
	if err := addSlow(server, stuck, diptych.Logger(quiet(&log))); err != nil {
		t.Fatal(err)
	}
	s.call("timeout", server, "book_room", nook)
	s.said["timeout.log"] = strings.TrimSuffix(log.String(), "\n")

	logged := newServer()
	if err := addLogged(logged, &log); err != nil {
		t.Fatal(err)
	}

	// The user is asked, says yes, and the call goes on.
	asked := newServer()
	if err := diptych.Add(asked, &mcp.Tool{Name: "hand_over"}, handOver); err != nil {
		t.Fatal(err)
	}
	if err := diptych.Add(asked, &mcp.Tool{Name: "delete_room"}, deleteRoom); err != nil {
		t.Fatal(err)
	}
	here, there := mcp.NewInMemoryTransports()
	if _, err := asked.Connect(t.Context(), there, nil); err != nil {
		t.Fatal(err)
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "host", Version: "1.0.0"}, &mcp.ClientOptions{
		ElicitationHandler: func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			return &mcp.ElicitResult{Action: "accept"}, nil
		},
	})
	session, err := client.Connect(t.Context(), here, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	res, err := diptych.Call[string](t.Context(), session, "delete_room", Room{"nook"})
	if err != nil || res.Value != "nook is gone" {
		t.Errorf("asking got %q, %v", res.Value, err)
	}
	return s.said
}
