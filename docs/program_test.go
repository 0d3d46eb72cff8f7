package docs

import (
	"io"
	"os/exec"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych"
	"github.com/diptych-mcp/diptych/internal/serve"
	"github.com/diptych-mcp/diptych/internal/wire"
)

// A program is one that the pages show or tell the reader to run: the path of what was built of it.
type program string

func build(t *testing.T, folder string) program {
	t.Helper()
	path, err := serve.Build(t.Context(), "github.com/diptych-mcp/diptych/"+folder, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return program(path)
}

// web is a peer of the program as it serves HTTP.
func (p program) web(t *testing.T) *wire.Peer {
	t.Helper()
	server, err := serve.Start(t.Context(), io.Discard, string(p))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Stop() }) // the test's context has ended it already
	return wire.HTTP(server.URL, wire.Modern)
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
