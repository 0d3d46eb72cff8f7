package exampleserver_test

import (
	"bytes"
	"testing"

	"github.com/diptych-mcp/diptych/internal/exampleserver"
	"github.com/diptych-mcp/diptych/internal/wiretest"
)

// A real server starts on a free port, answers, and ends by itself when it is told to.
func TestProcess(t *testing.T) {
	program, err := exampleserver.Build(t.Context(), "github.com/diptych-mcp/diptych/examples/rooms", t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	p, err := exampleserver.Start(t.Context(), &bytes.Buffer{}, program)
	if err != nil {
		t.Fatal(err)
	}
	res, err := wiretest.HTTP(p.URL, wiretest.Modern).Call(t.Context(), "room_count", nil)
	if err != nil || string(res.StructuredContent) != `{"result":3}` {
		t.Errorf("got %s and error %v, want the count", res.StructuredContent, err)
	}
	if err := p.Stop(); err != nil {
		t.Errorf("stopped with %v", err)
	}
	if _, err := exampleserver.Start(t.Context(), &bytes.Buffer{}, program, "-http", "no address"); err == nil {
		t.Error("a server listens on no address")
	}
}
