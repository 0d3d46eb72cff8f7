package main

import (
	"net"
	"os"
	"os/exec"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/diptych-mcp/diptych"
)

// startOn starts the server on a socket that was opened before, as systemd does.
func startOn(t *testing.T, i *issuer, socket *os.File) *program {
	t.Helper()
	p := newProgram(t, i)
	cmd := exec.Command("/bin/sh", append([]string{"-c", `LISTEN_FDS=1 LISTEN_PID=$$ exec "$0" "$@"`, os.Args[0]},
		append(p.flags(), "-drain", "0s", "-listen", "no address")...)...)
	cmd.ExtraFiles = []*os.File{socket}
	p.runs(cmd)
	return p
}

// TestSocket replaces the program under load. Its callers do not notice: their connections wait in the socket.
func TestSocket(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	socket, err := listener.(*net.TCPListener).File()
	if err != nil {
		t.Fatal(err)
	}
	defer socket.Close()
	i := newIssuer(t)
	first := startOn(t, i, socket)
	if first.listen != listener.Addr().String() {
		t.Fatalf("it listens on %s, not on the socket", first.listen)
	}
	var answers atomic.Int64
	var callers sync.WaitGroup
	done := make(chan struct{})
	for range 4 {
		callers.Go(func() {
			client := first.session(i.token(address, nil))
			for {
				select {
				case <-done:
					return
				default:
				}
				if _, err := diptych.Call[[]Room](t.Context(), client, "list_rooms", nil); err != nil {
					t.Errorf("after %d answers: %v", answers.Load(), err)
					return
				}
				answers.Add(1)
			}
		})
	}
	first.eventually("load", func() bool { return answers.Load() > 50 })
	if err := first.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := first.cmd.Wait(); err != nil {
		t.Errorf("the server ended with %v", err)
	}
	second := startOn(t, i, socket)
	before := answers.Load()
	first.eventually("answers of the second", func() bool { return answers.Load() > before+50 })
	close(done)
	callers.Wait()
	second.eventually("the log", func() bool { return second.logs(`"tool":"list_rooms"`) > 50 })
}
