package host

// A server that we start: a transport over its standard input and output. The SDK's own command transport leaves the
// children of the command running and ends with a line that is too long; this one ends the whole group, and such a line costs
// its own call.

import (
	"context"
	"io"
	"os"
	"os/exec"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

type process struct {
	cmd   *exec.Cmd
	limit int // of one message, in bytes
	stdin io.WriteCloser
	words *tail
	done  chan struct{} // closed when the process has ended
	once  sync.Once
}

// inherited is what a server gets of our environment. The rest may hold the keys of models and of other servers: what a
// server needs of it stands in its configuration.
var inherited = [...]string{
	"HOME", "LANG", "LC_ALL", "LOGNAME", "PATH", "SHELL", "TERM", "TMPDIR", "TZ", "USER",
	"APPDATA", "COMSPEC", "HOMEDRIVE", "HOMEPATH", "LOCALAPPDATA", "PATHEXT", "PROGRAMDATA", "PROGRAMFILES", "SYSTEMDRIVE", "SYSTEMROOT", "TEMP", "TMP", "USERNAME", "USERPROFILE",
}

// grace is how long a server may take to end when its input closes, and again when it is asked to.
const grace = time.Second

func newProcess(s Server, limit int) *process {
	p := &process{cmd: exec.Command(s.Command[0], s.Command[1:]...), limit: limit, words: &tail{}, done: make(chan struct{})}
	p.cmd.Dir = s.Dir
	for _, name := range inherited {
		if value, ok := os.LookupEnv(name); ok {
			p.cmd.Env = append(p.cmd.Env, name+"="+value)
		}
	}
	for name, value := range s.Env {
		p.cmd.Env = append(p.cmd.Env, name+"="+value)
	}
	p.cmd.Stderr = p.words
	p.cmd.WaitDelay = grace
	group(p.cmd)
	return p
}

// Connect starts the command.
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
		return nil, err
	}
	theirs.Close()
	p.stdin = stdin
	go func() {
		_ = p.cmd.Wait()
		close(p.done)
	}()
	return (&mcp.IOTransport{Reader: newLines(stdout, p.limit), Writer: ending{stdin, p}}).Connect(ctx)
}

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
				kill(p.cmd) // what the command itself left behind
				return
			case <-time.After(grace):
				more(p.cmd)
			}
		}
		<-p.done
	})
}

// A tail keeps the end of what a server wrote to its standard error.
type tail struct {
	mu   sync.Mutex
	kept []byte
}

const maxTail = 4096

func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
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
