package watchdog

import (
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// A test that waits for ever is run in a process of its own, which has to end with a failure.
func TestWaiting(t *testing.T) {
	const variable = "DIPTYCH_TEST_WAITS"
	if os.Getenv(variable) != "" {
		Start(t, 10*time.Millisecond)
		select {}
	}
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestWaiting$")
	cmd.Env = append(os.Environ(), variable+"=1")
	out, err := cmd.CombinedOutput()
	if err == nil || !strings.Contains(string(out), "TestWaiting: still waiting after 10ms") {
		t.Errorf("%v: %s", err, out)
	}
}

func TestDone(t *testing.T) {
	t.Run("in time", func(t *testing.T) { Start(t, 20*time.Millisecond) })
	time.Sleep(40 * time.Millisecond)
}
