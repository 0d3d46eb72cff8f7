//go:build conformance

package conformance

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"

	"github.com/diptych-mcp/diptych/internal/exampleserver"
)

// The protocol's official suite judges the fixture server and the fixture client. `make conformance` installs it and
// runs these tests.

func TestSuiteServer(t *testing.T) {
	program, err := exampleserver.Build(t.Context(), "./server", t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		revision  string
		scenarios int
		flags     []string
	}{
		{revision: "2026-07-28", scenarios: 37},
		{revision: "2025-11-25", scenarios: 30, flags: []string{"-sessions"}},
	} {
		t.Run(test.revision, func(t *testing.T) {
			server, err := exampleserver.Start(t.Context(), t.Output(), program, test.flags...)
			if err != nil {
				t.Fatal(err)
			}
			judge(t, test.scenarios, "server", "--url", server.URL, "--requirements", test.revision)
			if err := server.Stop(); err != nil {
				t.Errorf("the server ended with %v", err)
			}
		})
	}
}

func TestSuiteClient(t *testing.T) {
	program, err := exampleserver.Build(t.Context(), "./client", t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		revision  string
		scenarios int
	}{
		{"2026-07-28", 32},
		{"2025-11-25", 18},
	} {
		t.Run(test.revision, func(t *testing.T) {
			judge(t, test.scenarios, "client", "--command", program, "--requirements", test.revision)
		})
	}
}

var (
	verdict   = regexp.MustCompile(`(?m)^([✓✗]) (\S+): (\d+) passed, (\d+) failed`)
	notScored = regexp.MustCompile(`(?m)^  [✓✗] (\S+) \(`)
)

// judge runs the suite and requires that so many scenarios count and that each of them passes.
func judge(t *testing.T, scenarios int, args ...string) {
	bin := os.Getenv("DIPTYCH_INTEROP_NODE")
	if bin == "" {
		t.Fatal("DIPTYCH_INTEROP_NODE does not name the folder of the suite; run make conformance")
	}
	cmd := exec.CommandContext(t.Context(), filepath.Join(bin, "conformance"), args...)
	cmd.Env = append(os.Environ(), "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"), "HOME="+t.TempDir())
	// The suite's exit code speaks of scenarios that do not count as well, so its report is read instead.
	out, err := cmd.CombinedOutput()
	uncounted := map[string]bool{}
	for _, m := range notScored.FindAllStringSubmatch(string(out), -1) {
		uncounted[m[1]] = true
	}
	passed, failed := 0, 0
	for _, m := range verdict.FindAllStringSubmatch(string(out), -1) {
		name := m[2]
		if uncounted[name] {
			continue
		}
		if checks, err := strconv.Atoi(m[3]); err != nil || checks == 0 || m[1] != "✓" || m[4] != "0" {
			t.Errorf("scenario %s: %s checks passed, %s failed", name, m[3], m[4])
			failed++
			continue
		}
		passed++
	}
	if failed > 0 || passed != scenarios {
		t.Errorf("%d of %d scenarios passed (the suite ended with %v):\n%s", passed, scenarios, err, out)
		return
	}
	fmt.Fprintf(t.Output(), "%d/%d scenarios passed\n", passed, scenarios)
}
