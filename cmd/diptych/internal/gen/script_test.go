package gen_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/diptych-mcp/diptych/cmd/diptych/internal/gen"
)

var update = flag.Bool("update", false, "write the golden files in testdata")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"diptych": diptych})
}

// diptych is the command as a script sees it: diptych gen [--check] [--tags=…] [packages].
func diptych() {
	flags := flag.NewFlagSet("diptych gen", flag.ExitOnError)
	check := flags.Bool("check", false, "")
	tags := flags.String("tags", "", "")
	if len(os.Args) < 2 || os.Args[1] != "gen" {
		fmt.Fprintln(os.Stderr, "not a command of these scripts")
		os.Exit(2)
	}
	_ = flags.Parse(os.Args[2:]) // exits by itself
	err := gen.Run(context.Background(), gen.Config{
		Patterns: flags.Args(), Tags: *tags, Check: *check, Out: os.Stdout, // progress depends on the machine
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// TestScripts runs the scenarios. Each is a module of its own, in a folder of its own, that generates, compiles, runs and
// compares what a client sees with a golden list.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		Setup:               func(e *testscript.Env) error { return module(e.WorkDir, e.Setenv) },
	})
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
