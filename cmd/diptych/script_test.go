package main

import (
	"errors"
	"flag"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"strconv"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "write the golden files anew")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"diptych": main, "fixture": fixture})
}

// TestScripts runs the command as a person does. $URL is the good fixture over HTTP in the newest protocol revision, $OLD the
// same with sessions.
func TestScripts(t *testing.T) {
	serve := func(stateless bool) string {
		s := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return fixtureServer(goodTools) },
			&mcp.StreamableHTTPOptions{Stateless: stateless}))
		t.Cleanup(s.Close)
		return s.URL
	}
	newest, old := serve(true), serve(false)
	testscript.Run(t, testscript.Params{
		Dir:           "testdata/script",
		UpdateScripts: *update,
		Cmds:          map[string]func(*testscript.TestScript, bool, []string){"status": status},
		Setup: func(e *testscript.Env) error {
			e.Setenv("URL", newest)
			e.Setenv("OLD", old)
			e.Setenv("HOME", e.WorkDir)
			return nil
		},
	})
}

// status CODE COMMAND… runs a command that must end with that exit code.
func status(ts *testscript.TestScript, neg bool, args []string) {
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec(args[1], args[2:]...)
	got := 0
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		got = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if neg || got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}
