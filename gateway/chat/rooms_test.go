package chat

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// TestImports holds the gateway's rooms to their direction: cmd to web to chat to host, model and store; and what speaks to
// models knows nothing of this project, of MCP or of structured content.
func TestImports(t *testing.T) {
	const gateway = "github.com/diptych-mcp/diptych/gateway/"
	may := map[string][]string{
		"cmd":     {"web", "chat", "host", "model", "store", "numbers", "meter", "quota"},
		"web":     {"chat", "host", "store", "numbers", "quota"},
		"meter":   {"chat", "host", "model", "store"},
		"chat":    {"host", "model", "store"},
		"host":    nil,
		"model":   nil,
		"store":   nil,
		"numbers": nil,
		"quota":   {"store"},
	}
	cmd := exec.CommandContext(t.Context(), "go", "list", "-f", `{{.ImportPath}} {{join .Imports " "}}`, "./...")
	cmd.Dir = ".."
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	rooms := make(map[string]bool)
	for _, line := range strings.Split(strings.TrimSpace(string(out)), "\n") {
		pkg, imports, _ := strings.Cut(line, " ")
		room, _, _ := strings.Cut(strings.TrimPrefix(pkg, gateway), "/")
		rooms[room] = true
		allowed, known := may[room]
		if !known {
			t.Errorf("%s: room %q has no rule", pkg, room)
		}
		for _, path := range strings.Fields(imports) {
			other, ours := strings.CutPrefix(path, gateway)
			other, _, _ = strings.Cut(other, "/")
			switch {
			case ours && other != room && !slices.Contains(allowed, other):
				t.Errorf("%s imports %s", pkg, path)
			case room == "model" && (!ours && strings.Contains(path, "diptych-mcp") || strings.Contains(path, "modelcontextprotocol")):
				t.Errorf("%s imports %s; what speaks to models knows neither this project nor MCP", pkg, path)
			case room == "chat" && (strings.Contains(path, "database/sql") || path == "net/http"):
				t.Errorf("%s imports %s; chat knows no HTTP and no SQL", pkg, path)
			}
		}
	}
	for _, room := range []string{"chat", "host", "model", "store", "web"} {
		if !rooms[room] {
			t.Errorf("room %q was not looked at", room)
		}
	}
}
