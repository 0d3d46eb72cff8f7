package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/diptych-mcp/diptych/gateway/store/sqlite"
)

func TestBackupCommand(t *testing.T) {
	folder := t.TempDir()
	s, err := sqlite.Open(t.Context(), filepath.Join(folder, "gateway.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for _, c := range []struct {
		args string
		code int
		said string
	}{
		{"backup --data " + folder + " " + folder + "/copy.db", 0, ""},
		{"backup --data " + folder + " " + folder + "/copy.db", 1, "name a file that does not exist"},
		{"backup", wrongLine, "see diptych-gateway backup --help"},
		{"backup --data " + folder + "/none " + folder + "/other.db", 1, "no such file"},
	} {
		cmd := exec.CommandContext(t.Context(), os.Args[0], strings.Fields(c.args)...)
		cmd.Env = append(os.Environ(), variable+"=1")
		out, _ := cmd.CombinedOutput()
		if code := cmd.ProcessState.ExitCode(); code != c.code || !strings.Contains(string(out), c.said) {
			t.Errorf("%s: %d, %s", c.args, code, out)
		}
	}
}
