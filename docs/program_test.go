package docs

import (
	"io"
	"os/exec"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych"
	"github.com/diptych-mcp/diptych/internal/exampleserver"
	"github.com/diptych-mcp/diptych/internal/wiretest"
)

// A program is one that the pages show or tell the reader to run: the path of what was built of it.
type program string

func build(t *testing.T, folder string) program {
	t.Helper()
	path, err := exampleserver.Build(t.Context(), "github.com/diptych-mcp/diptych/"+folder, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return program(path)
}

// web is a peer of the program as it serves HTTP.
func (p program) web(t *testing.T) *wiretest.Peer {
	t.Helper()
	server, err := exampleserver.Start(t.Context(), io.Discard, string(p))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Stop() }) // the test's context has ended it already
	return wiretest.HTTP(server.URL, wiretest.Modern)
}

// stdio is a session with the program as hosts start it.
func (p program) stdio(t *testing.T) *mcp.ClientSession {
	t.Helper()
	client := mcp.NewClient(&mcp.Implementation{Name: "host", Version: "1.0.0"}, nil)
	session, err := client.Connect(t.Context(), diptych.Exact(&mcp.CommandTransport{Command: exec.Command(string(p))}), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close() })
	return session
}
