package chat

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// TestImports checks the direction of the gateway's imports: cmd to web to chat to host, model and store; and what speaks to
// models knows nothing of this project, of MCP or of structured content.
func TestImports(t *testing.T) {
	const gateway = "github.com/diptych-mcp/diptych/gateway/"
	may := map[string][]string{
		"cmd":      {"web", "chat", "host", "model", "store", "numbers", "meter", "quota"},
		"web":      {"chat", "host", "store", "numbers", "quota"},
		"meter":    {"chat", "host", "model", "store"},
		"chat":     {"host", "model", "store"},
		"host":     nil,
		"model":    nil,
		"store":    nil,
		"numbers":  nil,
		"quota":    {"store"},
		"internal": nil,
	}
	cmd := exec.CommandContext(t.Context(), "go", "list", "-f", `{{.ImportPath}} {{join .Imports " "}}`, "./...")
	cmd.Dir = ".."
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	seen := make(map[string]bool)
	for _, line := range strings.Split(strings.TrimSpace(string(out)), "\n") {
		path, imports, _ := strings.Cut(line, " ")
		pkg, _, _ := strings.Cut(strings.TrimPrefix(path, gateway), "/")
		seen[pkg] = true
		allowed, known := may[pkg]
		if !known {
			t.Errorf("%s: package %q has no rule", path, pkg)
		}
		for _, imported := range strings.Fields(imports) {
			other, ours := strings.CutPrefix(imported, gateway)
			other, _, _ = strings.Cut(other, "/")
			switch {
			case ours && other != pkg && !slices.Contains(allowed, other):
				t.Errorf("%s imports %s", path, imported)
			case pkg == "model" && imported == "github.com/diptych-mcp/diptych/internal/jsontext": // text alone
			case pkg == "model" && (!ours && strings.Contains(imported, "diptych-mcp") || strings.Contains(imported, "modelcontextprotocol")):
				t.Errorf("%s imports %s; what speaks to models knows neither this project nor MCP", path, imported)
			case pkg == "chat" && (strings.Contains(imported, "database/sql") || imported == "net/http"):
				t.Errorf("%s imports %s; chat knows no HTTP and no SQL", path, imported)
			}
		}
	}
	for _, pkg := range []string{"chat", "host", "model", "store", "web"} {
		if !seen[pkg] {
			t.Errorf("package %q was not looked at", pkg)
		}
	}
}
