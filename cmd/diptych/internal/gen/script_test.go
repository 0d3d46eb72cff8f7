package gen_test

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "write the golden files in testdata")

// TestScripts runs the scenarios. Each is a module of its own, in a folder of its own, that generates, compiles, runs and
// compares what a client sees with a golden list.
func TestScripts(t *testing.T) {
	diptych := buildCommand(t)
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		Setup: func(e *testscript.Env) error {
			e.Setenv("PATH", filepath.Dir(diptych)+string(os.PathListSeparator)+e.Getenv("PATH"))
			return module(e.WorkDir, e.Setenv)
		},
	})
}

// buildCommand builds the command as its users have it. Under the race detector the test itself would read source several times slower.
func buildCommand(t *testing.T) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "diptych")
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", name, "../..").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return name
}

// module puts a go.mod, a go.sum and the package that prints tools into a scenario's folder. Everything comes from the
// repository and the module cache: no network.
func module(dir string, setenv func(key, value string)) error {
	root, err := filepath.Abs("../../../..")
	if err != nil {
		return err
	}
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		return err
	}
	const library = "github.com/diptych-mcp/diptych"
	requires := regexp.MustCompile(`(?s)require \(.*`).FindString(string(mod))
	text := fmt.Sprintf("module example.com/scenario\n\ngo 1.26\n\nrequire %s v0.0.0\n\nreplace %s => %s\n\n%s", library, library, root, requires)
	sum, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		return err
	}
	published, err := os.ReadFile("testdata/published.go.txt")
	if err != nil {
		return err
	}
	out, err := exec.Command("go", "env", "GOCACHE", "GOMODCACHE", "GOPATH", "GOROOT").Output()
	if err != nil {
		return err
	}
	env := strings.Split(strings.TrimSpace(string(out)), "\n")
	setenv("GOCACHE", env[0])
	setenv("GOMODCACHE", env[1])
	setenv("GOPATH", env[2])
	setenv("GOROOT", env[3])
	setenv("GOPROXY", "off")
	setenv("GOWORK", "off")
	setenv("GOGC", "400") // memory for time: each scenario starts a dozen short programs
	setenv("GOFLAGS", "-mod=mod -ldflags=-w")
	setenv("HOME", dir)
	return errors.Join(
		writeFile(filepath.Join(dir, "go.mod"), []byte(text)),
		writeFile(filepath.Join(dir, "go.sum"), sum),
		writeFile(filepath.Join(dir, "published", "published.go"), published),
	)
}

func writeFile(path string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, data, 0o644)
}
