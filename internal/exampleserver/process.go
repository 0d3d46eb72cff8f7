package exampleserver

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
)

// A Process is a server of this module that runs on its own and listens on a free port of the loopback interface.
type Process struct {
	URL    string
	cmd    *exec.Cmd
	logged chan struct{} // closed when its log has been copied
}

// Build compiles the command in pkg into dir and returns the path of the program. It does not ask git what is built.
func Build(ctx context.Context, pkg, dir string) (string, error) {
	program := filepath.Join(dir, filepath.Base(pkg))
	out, err := exec.CommandContext(ctx, "go", "build", "-buildvcs=false", "-o", program, pkg).CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("go build %s: %w\n%s", pkg, err, out)
	}
	return program, nil
}

// Start starts a program that serves with [HTTP] and waits until it listens. What it writes to stderr after that goes
// to log; the program dies with ctx.
func Start(ctx context.Context, log io.Writer, program string, args ...string) (*Process, error) {
	cmd := exec.CommandContext(ctx, program, append([]string{"-http", "127.0.0.1:0"}, args...)...)
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	cmd.Stderr = w
	err = cmd.Start()
	w.Close()
	if err != nil {
		r.Close()
		return nil, err
	}
	lines := bufio.NewReader(r)
	first, err := lines.ReadString('\n')
	url, ok := strings.CutPrefix(strings.TrimSpace(first), listening)
	if !ok {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		r.Close()
		return nil, fmt.Errorf("%s does not listen: %q (%v)", filepath.Base(program), first, err)
	}
	logged := make(chan struct{})
	go func() {
		defer close(logged)
		defer r.Close()
		_, _ = io.Copy(log, lines)
	}()
	return &Process{URL: url, cmd: cmd, logged: logged}, nil
}

// Stop ends the server as an operator would, and reports whether it ended well.
func (p *Process) Stop() error {
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		return err
	}
	err := p.cmd.Wait()
	<-p.logged
	return err
}
