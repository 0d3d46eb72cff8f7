package docs

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"image"
	"image/png"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

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

// region test-http
// served is a session with server over HTTP, as the program serves it.
func served(t *testing.T, server *mcp.Server, options *mcp.ClientOptions) *mcp.ClientSession {
	t.Helper()
	web := httptest.NewServer(diptych.Handler(server))
	t.Cleanup(web.Close)
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1.0.0"}, options)
	session, err := client.Connect(t.Context(), diptych.Exact(&mcp.StreamableClientTransport{Endpoint: web.URL}), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close() })
	return session
}

// endregion

// region test-asking
func TestDeleteRoomAsks(t *testing.T) {
	_, call, err := diptych.New(&mcp.Tool{Name: "delete_room"}, deleteRoom)
	if err != nil {
		t.Fatal(err)
	}
	req := &mcp.CallToolRequest{Params: &mcp.CallToolParamsRaw{Name: "delete_room", Arguments: json.RawMessage(`{"room_id":"nook"}`)}}
	res, err := call(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	question, ok := res.InputRequests["sure"].(*mcp.ElicitParams)
	if !ok || question.Message != "Delete nook and its bookings?" {
		t.Fatalf("asked %+v", res.InputRequests)
	}

	req.Params.InputResponses = mcp.InputResponseMap{"sure": &mcp.ElicitResult{Action: "decline"}}
	res, err = call(t.Context(), req)
	if err != nil || !res.IsError {
		t.Errorf("the user said no, and the answer is %+v, %v", res, err)
	}
}

// endregion

// region test-elicitation
func TestDeleteRoom(t *testing.T) {
	server := mcp.NewServer(&mcp.Implementation{Name: "rooms", Version: "1.0.0"}, nil)
	if err := diptych.Add(server, &mcp.Tool{Name: "delete_room"}, deleteRoom); err != nil {
		t.Fatal(err)
	}
	session := served(t, server, &mcp.ClientOptions{
		ElicitationHandler: func(ctx context.Context, req *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			return &mcp.ElicitResult{Action: "accept"}, nil // what the user would answer to req.Params.Message
		},
	})
	res, err := diptych.Call[string](t.Context(), session, "delete_room", Where{"nook"})
	if err != nil || res.Value != "nook is gone" {
		t.Errorf("got %q, %v", res.Value, err)
	}
}

// endregion

// region test-progress
func TestCountSlowly(t *testing.T) {
	n, err := countSlowly(t.Context(), Steps{3}) // outside of a call Progress does nothing
	if err != nil || n != 3 {
		t.Errorf("got %d, %v; want 3", n, err)
	}

	server := mcp.NewServer(&mcp.Implementation{Name: "rooms", Version: "1.0.0"}, nil)
	if err := diptych.Add(server, &mcp.Tool{Name: "count"}, countSlowly); err != nil {
		t.Fatal(err)
	}
	var reports atomic.Int64
	last := make(chan struct{})
	session := served(t, server, &mcp.ClientOptions{
		ProgressNotificationHandler: func(ctx context.Context, req *mcp.ProgressNotificationClientRequest) {
			reports.Add(1)
			if req.Params.Progress == req.Params.Total {
				close(last)
			}
		},
	})
	params := &mcp.CallToolParams{Name: "count", Arguments: Steps{3}}
	params.SetProgressToken("count") // a client that sends none gets no progress
	if _, err := session.CallTool(t.Context(), params); err != nil {
		t.Fatal(err)
	}
	select {
	case <-last:
	case <-t.Context().Done():
	case <-time.After(10 * time.Second):
	}
	if reports.Load() != 3 {
		t.Errorf("%d reports of progress, want 3", reports.Load())
	}
}

// endregion

// region test-image
func drawFloor(ctx context.Context, _ struct{}) (*mcp.ImageContent, error) {
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, 40, 30))); err != nil {
		return nil, err
	}
	return &mcp.ImageContent{MIMEType: "image/png", Data: b.Bytes()}, nil
}

func TestDrawFloor(t *testing.T) {
	server := mcp.NewServer(&mcp.Implementation{Name: "rooms", Version: "1.0.0"}, nil)
	if err := diptych.Add(server, &mcp.Tool{Name: "draw_floor"}, drawFloor); err != nil {
		t.Fatal(err)
	}
	res, err := connected(t, server).CallTool(t.Context(), &mcp.CallToolParams{Name: "draw_floor"})
	if err != nil || len(res.Content) != 1 {
		t.Fatalf("got %+v, %v; want one block", res, err)
	}
	block, ok := res.Content[0].(*mcp.ImageContent)
	if !ok || block.MIMEType != "image/png" {
		t.Fatalf("got %+v, want a PNG image", res.Content[0])
	}
	picture, err := png.Decode(bytes.NewReader(block.Data))
	if err != nil || picture.Bounds().Dx() != 40 {
		t.Errorf("got %v, %v; want a picture 40 pixels wide", picture, err)
	}
}

// endregion

// region test-hidden
func TestReadFloorHides(t *testing.T) {
	server := mcp.NewServer(&mcp.Implementation{Name: "rooms", Version: "1.0.0"}, nil)
	if err := diptych.Add(server, &mcp.Tool{Name: "read_floor"}, readFloor); err != nil {
		t.Fatal(err)
	}
	_, err := diptych.Call[string](t.Context(), connected(t, server), "read_floor", nil)
	failed, ok := errors.AsType[*diptych.Error](err)
	if !ok || failed.Error() != "Error executing tool read_floor" { // the path is in the log alone
		t.Errorf("the model reads %v", err)
	}
}

// endregion
