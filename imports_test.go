package diptych_test

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"strings"
	"testing"
)

const sdk = "github.com/modelcontextprotocol/go-sdk"

// The command and the tests of this module need more modules than its users do. What users import, and all that it imports in
// turn, is the standard library, this module, the official SDK and what the SDK itself imports.
func TestUsersImportTheStandardLibraryAndTheSDK(t *testing.T) {
	allowed := map[string]bool{"": true, "github.com/diptych-mcp/diptych": true}
	for _, pkg := range dependencies(t, sdk+"/...") {
		allowed[pkg.Module.Path] = true
	}
	if !allowed[sdk] {
		t.Fatal("the SDK's own packages are not listed")
	}
	users := []string{".", "./data", "./data/lint", "./data/datatest"}
	seen := make(map[string]bool)
	for _, pkg := range dependencies(t, users...) {
		seen[pkg.ImportPath] = true
		if !allowed[pkg.Module.Path] {
			t.Errorf("%s of %s is imported; leave it to the command or to tests", pkg.ImportPath, pkg.Module.Path)
		}
		if inside, ok := strings.CutPrefix(pkg.ImportPath, "github.com/diptych-mcp/diptych/cmd/"); ok {
			t.Errorf("the library imports a package of the command: %s", inside)
		}
	}
	for _, path := range []string{sdk + "/mcp", "github.com/diptych-mcp/diptych/internal/validate", "encoding/json"} {
		if !seen[path] {
			t.Errorf("%s is not listed, so the list is not that of what is imported", path)
		}
	}
}

type dependency struct {
	ImportPath string
	Module     struct{ Path string }
}

// dependencies are the packages that match, and all that they import.
func dependencies(t *testing.T, patterns ...string) []dependency {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", append([]string{"list", "-deps", "-json=ImportPath,Module"}, patterns...)...)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v", cmd, err)
	}
	var all []dependency
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var next dependency
		if err := d.Decode(&next); errors.Is(err, io.EOF) {
			return all
		} else if err != nil {
			t.Fatal(err)
		}
		all = append(all, next)
	}
}
