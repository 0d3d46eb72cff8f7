package docs

import (
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych"
	"github.com/diptych-mcp/diptych/docs/desks"
)

// The code of generator.md; what the generator reads is in the package desks.

func addGenerated(server *mcp.Server, office *desks.Office) error {
	// region gen-add
	return desks.AddTools(server, office, diptych.RequireSchema())
	// endregion
}

func generatorAnswers(t *testing.T) map[string]string {
	s := newShow(t)
	server := newServer()
	if err := addGenerated(server, desks.New("A1", "B2")); err != nil {
		t.Fatal(err)
	}
	s.call("gen-find", server, "find_desks", `{"day":"2026-09-17","with":["screen"]}`)
	s.call("gen-count", server, "desk_count", `{}`)
	return s.said
}
