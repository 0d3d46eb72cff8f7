package docs

import (
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych"
	"github.com/diptych-mcp/diptych/docs/rooms"
)

// The code of generator.md; what the generator reads is in the package rooms.

func addGenerated(server *mcp.Server, floor *rooms.Floor) error {
	// region gen-add
	return rooms.AddTools(server, floor, diptych.RequireSchema())
	// endregion
}

func generatorAnswers(t *testing.T) map[string]string {
	s := newShow(t)
	server := newServer()
	if err := addGenerated(server, rooms.New("atrium", "nook")); err != nil {
		t.Fatal(err)
	}
	s.call("gen-slots", server, "find_slots", `{"room_id":"nook","day":"2026-09-17","with":["screen"]}`)
	s.call("gen-count", server, "room_count", `{}`)
	return s.said
}
