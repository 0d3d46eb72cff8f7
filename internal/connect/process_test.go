//go:build unix

package connect

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// variable makes the test binary a server.
const variable = "DIPTYCH_CONNECT_TEST"

func TestMain(m *testing.M) {
	mode := os.Getenv(variable)
	if mode == "" {
		os.Exit(m.Run())
	}
	switch mode {
	case "sleeping":
		time.Sleep(time.Hour)
	case "stubborn":
		signal.Ignore(syscall.SIGTERM)
	case "leaving":
		child := exec.Command(os.Args[0])
		child.Env, child.Stderr, child.SysProcAttr = append(os.Environ(), variable+"=sleeping"), os.Stderr, &syscall.SysProcAttr{Setsid: true}
		if child.Start() == nil {
			fmt.Fprintln(os.Stderr, child.Process.Pid)
		}
		return
	}
	fmt.Fprintln(os.Stderr, "ready")
	fmt.Println("Hello.")
	_, _ = io.Copy(io.Discard, os.Stdin)
	if mode != "polite" {
		time.Sleep(time.Minute)
	}
}

// start starts the test binary as a server, and returns what it wrote first to its standard error.
func start(t *testing.T, mode string) (p *Process, wrote string) {
	t.Helper()
	ready := make(chan string, 10)
	p = NewProcess(Command{Line: []string{os.Args[0]}, Env: append(os.Environ(), variable+"="+mode, "GORACE=atexit_sleep_ms=0"), Limit: 1000, Noise: true, Stderr: channel(ready)})
	c, err := p.Connect(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		kill(p.cmd)
		_ = c.Close()
	})
	select {
	case wrote = <-ready:
	case <-time.After(time.Minute):
		t.Fatal("the server does not start")
	}
	return p, wrote
}

type channel chan string

func (c channel) Write(b []byte) (int, error) {
	c <- string(b)
	return len(b), nil
}

// TestEnd ends servers that heed the end of their input, a signal, or neither.
func TestEnd(t *testing.T) {
	for mode, c := range map[string]struct {
		least time.Duration
		how   string
	}{
		"polite":   {0, "exit status 0"},
		"deaf":     {grace, "signal: terminated"},
		"stubborn": {2 * grace, "signal: killed"},
	} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			p, _ := start(t, mode)
			if how := p.ended(); how != "" {
				t.Fatalf("ended before its time: %s", how)
			}
			within(t, func() {
				for p.Noise() == "" {
					time.Sleep(time.Millisecond)
				}
			})
			if took := within(t, p.End); took < c.least {
				t.Errorf("took %v, want no less than %v", took, c.least)
			}
			within(t, p.End)
			if how := p.Ended(); how != c.how {
				t.Errorf("ended with %q, want %q", how, c.how)
			}
			if p.Words() != "ready\n" || p.Noise() != `"Hello."` {
				t.Errorf("wrote %q and %q", p.Words(), p.Noise())
			}
		})
	}
}

// TestEndWithoutTheGroup ends a server whose child has left its process group and keeps the standard error open.
func TestEndWithoutTheGroup(t *testing.T) {
	t.Parallel()
	p, wrote := start(t, "leaving")
	pid, err := strconv.Atoi(strings.TrimSpace(wrote))
	if err != nil {
		t.Fatalf("the child did not start: %v", err)
	}
	t.Cleanup(func() { _ = syscall.Kill(pid, syscall.SIGKILL) })
	within(t, p.End)
	if how := p.Ended(); how != "exit status 0" {
		t.Errorf("ended with %q", how)
	}
}

// TestEndBeforeStart ends a process that was not started.
func TestEndBeforeStart(t *testing.T) {
	p := NewProcess(Command{Line: []string{"/no/such/program"}})
	if _, err := p.Connect(t.Context()); err == nil || !strings.Contains(err.Error(), "no such file") {
		t.Errorf("started: %v", err)
	}
	within(t, p.End)
}

// TestEndedInTime does not wait for a server that runs on.
func TestEndedInTime(t *testing.T) {
	t.Parallel()
	p, _ := start(t, "stubborn")
	if how := ""; within(t, func() { how = p.Ended() }) < grace/4 || how != "" {
		t.Errorf("ended: %q", how)
	}
	if took := within(t, p.End); took < 2*grace {
		t.Errorf("ended after %v", took)
	}
}
