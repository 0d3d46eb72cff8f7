package docs

import (
	"context"
	"errors"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych"
)

// The code of testing.md.

// region test-tool
var seats = map[string]int{"atrium": 40, "nook": 4}

type Where struct {
	RoomID string `json:"room_id"`
}

func countSeats(ctx context.Context, in Where) (int, error) {
	n, ok := seats[in.RoomID]
	if !ok {
		return 0, diptych.Errorf("no room %q; the floor has atrium and nook", in.RoomID)
	}
	return n, nil
}

// endregion

// region test-connect
// connected is a session with server in this process: nothing listens, and nothing has to be stopped.
func connected(t *testing.T, server *mcp.Server) *mcp.ClientSession {
	t.Helper()
	here, there := mcp.NewInMemoryTransports()
	if _, err := server.Connect(t.Context(), there, nil); err != nil {
		t.Fatal(err)
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1.0.0"}, nil)
	session, err := client.Connect(t.Context(), diptych.Exact(here), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close() })
	return session
}

// endregion

// region test
func TestCountSeats(t *testing.T) {
	server := mcp.NewServer(&mcp.Implementation{Name: "rooms", Version: "1.0.0"}, nil)
	if err := diptych.Add(server, &mcp.Tool{Name: "count_seats"}, countSeats); err != nil {
		t.Fatal(err) // a type or a tag that cannot be published
	}
	session := connected(t, server)

	res, err := diptych.Call[int](t.Context(), session, "count_seats", Where{"nook"})
	if err != nil || res.Value != 4 {
		t.Errorf("got %d, %v; want 4 seats", res.Value, err)
	}

	_, err = diptych.Call[int](t.Context(), session, "count_seats", Where{"attic"})
	failed, ok := errors.AsType[*diptych.Error](err)
	if !ok {
		t.Fatalf("got %v, want an error that the model reads", err)
	}
	const want = `Error executing tool count_seats: no room "attic"; the floor has atrium and nook`
	if got := failed.Error(); got != want {
		t.Errorf("the model reads %q, want %q", got, want)
	}
}

// endregion
