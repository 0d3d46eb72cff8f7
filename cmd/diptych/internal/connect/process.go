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

// A process is a server that we started: a transport over its standard input and output. The SDK's own command transport
// leaves the children of the command running and waits for five seconds twice; this one ends the whole group.
type process struct {
	cmd   *exec.Cmd
	stdin io.WriteCloser
	first *head         // of its standard output
	last  *tail         // of its standard error
	done  chan struct{} // closed when the process has ended
	once  sync.Once
}

// grace is how long a server may take to end when its input closes, and again when it is asked to.
const grace = time.Second

func (s Server) process(stderr io.Writer) *process {
	p := &process{cmd: exec.Command(s.Command[0], s.Command[1:]...), first: &head{}, last: &tail{also: stderr}, done: make(chan struct{})}
	p.cmd.Dir = s.Dir
	p.cmd.Env = os.Environ()
	for name, value := range s.Env {
		p.cmd.Env = append(p.cmd.Env, name+"="+value)
	}
	p.cmd.Stderr = p.last
	p.cmd.WaitDelay = grace
	group(p.cmd)
	return p
}

func (p *process) Connect(ctx context.Context) (mcp.Connection, error) {
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
		return nil, &startError{err}
	}
	theirs.Close()
	p.stdin = stdin
	go func() {
		_ = p.cmd.Wait()
		close(p.done)
	}()
	p.first.ReadCloser = stdout
	return (&mcp.IOTransport{Reader: p.first, Writer: ending{stdin, p}}).Connect(ctx)
}

// A startError is a command that could not be started at all.
type startError struct{ cause error }

func (e *startError) Error() string { return e.cause.Error() }
func (e *startError) Unwrap() error { return e.cause }

// ending ends the process when the connection closes.
type ending struct {
	io.WriteCloser
	p *process
}

func (e ending) Close() error {
	e.p.end()
	return nil
}

// end closes the input, then asks, then kills. It may be called more than once.
func (p *process) end() {
	p.once.Do(func() {
		if p.stdin == nil {
			return
		}
		_ = p.stdin.Close()
		for _, more := range []func(*exec.Cmd){interrupt, kill} {
			select {
			case <-p.done:
				more = kill // what the command itself left behind
				more(p.cmd)
				return
			case <-time.After(grace):
				more(p.cmd)
			}
		}
		<-p.done
	})
}

// exited says how the process ended, if it has.
func (p *process) exited() string {
	select {
	case <-p.done:
		return fmt.Sprint(p.cmd.ProcessState)
	default:
		return ""
	}
}

// A head keeps the first line of what a server writes to its standard output.
type head struct {
	io.ReadCloser
	mu   sync.Mutex
	kept []byte
	full bool
}

const maxHead = 200

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

// noise is the first line where it is no message of the protocol.
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

const maxTail = 4096

func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.also != nil {
		_, _ = t.also.Write(b)
	}
	t.kept = append(t.kept, b...)
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
