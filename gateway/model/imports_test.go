package model_test

import (
	"os/exec"
	"strings"
	"testing"
)

// What speaks to models cannot import what knows structured content: nothing of this project but itself and the
// scanner of JSON text, nothing of MCP.
func TestImports(t *testing.T) {
	const here = "github.com/diptych-mcp/diptych/gateway/model"
	out, err := exec.Command("go", "list", "-deps", "./...").Output()
	if err != nil {
		t.Fatal(err)
	}
	deps := strings.Fields(string(out))
	seen := map[string]bool{}
	for _, dep := range deps {
		seen[dep] = true
		if dep == here || dep == "github.com/diptych-mcp/diptych/internal/jsontext" || strings.HasPrefix(dep, here+"/") {
			continue
		}
		if strings.HasPrefix(dep, "github.com/diptych-mcp/") || strings.Contains(dep, "modelcontextprotocol") {
			t.Errorf("imports %s", dep)
		}
	}
	for _, name := range []string{"", "/openai", "/anthropic", "/scripted", "/internal/wire"} {
		if !seen[here+name] {
			t.Errorf("%s was not looked at", here+name)
		}
	}
}
