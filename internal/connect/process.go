package connect

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A Command is a server to start.
type Command struct {
	Line   []string
	Dir    string
	Env    []string // all of it
	Limit  int      // of one message, in bytes
	Noise  bool     // lines that are no messages are left out, instead of ending the connection
	Stderr io.Writer
}

// A Process is a server that we start: a transport over its standard input and output. The SDK's own command transport
// leaves the children of the command running, waits for five seconds twice and ends with a line that is too long; this one
// ends the whole group, soon, and such a line costs its own call.
type Process struct {
	cmd   *exec.Cmd
	limit int
	noise bool
	stdin io.WriteCloser
	first *head         // of its standard output
	last  *tail         // of its standard error
	done  chan struct{} // closed when the process has ended
	once  sync.Once
}

// NewProcess prepares a command; Connect starts it.
func NewProcess(c Command) *Process {
	p := &Process{cmd: exec.Command(c.Line[0], c.Line[1:]...), limit: c.Limit, noise: c.Noise, first: &head{}, last: &tail{also: c.Stderr}, done: make(chan struct{})}
	p.cmd.Dir, p.cmd.Env = c.Dir, c.Env
	p.cmd.Stderr = p.last
	p.cmd.WaitDelay = grace
	group(p.cmd)
	return p
}

// Connect starts the command.
func (p *Process) Connect(ctx context.Context) (mcp.Connection, error) {
	stdin, err := p.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	// A pipe of our own: the one that exec offers is closed by Wait, perhaps before the last answer was read.
	stdout, theirs, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	p.cmd.Stdout = theirs
	if err := p.cmd.Start(); err != nil {
		stdout.Close()
		theirs.Close()
		return nil, err
	}
	theirs.Close()
	p.stdin = stdin
	go func() {
		_ = p.cmd.Wait()
		close(p.done)
	}()
	p.first.ReadCloser = stdout
	return (&mcp.IOTransport{Reader: newLines(p.first, p.limit, p.noise), Writer: ending{stdin, p}}).Connect(ctx)
}

// ending ends the process when the connection closes.
type ending struct {
	io.WriteCloser
	p *Process
}

func (e ending) Close() error {
	e.p.End()
	return nil
}

// End closes the input, then asks, then kills. It may be called more than once.
func (p *Process) End() {
	p.once.Do(func() {
		if p.stdin == nil {
			return
		}
		_ = p.stdin.Close()
		for _, more := range []func(*exec.Cmd){interrupt, kill} {
			select {
			case <-p.done:
				kill(p.cmd) // what the command itself started and did not end
				return
			case <-time.After(grace):
				more(p.cmd)
			}
		}
		<-p.done
	})
}

// Ended says how the process ended, or "" while it runs. The pipe closes a moment before the process is known to have
// ended: the moment is waited for.
func (p *Process) Ended() string {
	select {
	case <-p.done:
	case <-time.After(grace / 4):
	}
	return p.ended()
}

func (p *Process) ended() string {
	select {
	case <-p.done:
		return fmt.Sprint(p.cmd.ProcessState)
	default:
		return ""
	}
}

// Words are the last that the process wrote to its standard error.
func (p *Process) Words() string { return p.last.String() }

// Noise is the first line of its standard output, quoted, where that is no message; else "".
func (p *Process) Noise() string { return p.first.noise() }

// A head keeps the first line of what a server writes to its standard output.
type head struct {
	io.ReadCloser
	mu   sync.Mutex
	kept []byte
	full bool
}

func (h *head) Read(b []byte) (int, error) {
	n, err := h.ReadCloser.Read(b)
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.full {
		line, _, found := bytes.Cut(b[:n], []byte("\n"))
		h.kept = append(h.kept, line[:min(len(line), maxHead-len(h.kept))]...)
		h.full = found || len(h.kept) == maxHead
	}
	return n, err
}

func (h *head) noise() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	line := bytes.TrimSpace(h.kept)
	if len(line) == 0 && !h.full || bytes.HasPrefix(line, []byte("{")) {
		return ""
	}
	return strconv.Quote(string(line))
}

// A tail keeps the end of what a server wrote to its standard error.
type tail struct {
	mu   sync.Mutex
	kept []byte
	also io.Writer // or nil
}

func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.also != nil {
		_, _ = t.also.Write(b)
	}
	t.kept = append(t.kept, b[max(0, len(b)-maxTail):]...)
	if over := len(t.kept) - maxTail; over > 0 {
		t.kept = append(t.kept[:0], t.kept[over:]...)
	}
	return len(b), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.kept)
}
