package main

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"time"
)

// The servers in other languages. They are inside the program, and written to a scratch folder when they are asked for.
var (
	//go:embed languages/server.py
	pythonServer []byte
	//go:embed languages/server.mjs
	nodeServer []byte
)

// A stranger is a server in a process of its own.
type stranger struct {
	name string
	url  string
	cmd  *exec.Cmd
}

// languages measures whole servers in processes of their own by the CPU time that each uses for a call. The client's
// work is not in it.
func (b *bench) languages() error {
	if b.python == "" && b.node == "" {
		return nil
	}
	dir, err := os.MkdirTemp("", "bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := errors.Join(
		os.WriteFile(filepath.Join(dir, "server.py"), pythonServer, 0o600),
		os.WriteFile(filepath.Join(dir, "server.mjs"), nodeServer, 0o600),
	); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Minute)
	defer cancel()
	self, err := os.Executable()
	if err != nil {
		return err
	}
	commands := []struct {
		name string
		argv []string
	}{
		{ours, []string{self, "-serve", ours}},
		{typed, []string{self, "-serve", typed}},
	}
	add := func(name string, argv ...string) {
		commands = append(commands, struct {
			name string
			argv []string
		}{name, argv})
	}
	if b.python != "" {
		add("Python mcp", b.python, filepath.Join(dir, "server.py"), "mcp")
		add("Python fastmcp", b.python, filepath.Join(dir, "server.py"), "fastmcp")
	}
	if b.node != "" {
		folder, err := filepath.Abs(b.node)
		if err != nil {
			return err
		}
		program := filepath.Join(folder, "node_modules", ".bin", "node")
		if _, err := os.Stat(program); err != nil {
			program = "node"
		}
		add("TypeScript server", program, filepath.Join(dir, "server.mjs"), folder)
	}
	var strangers []*stranger
	defer func() {
		for _, s := range strangers {
			s.stop()
		}
	}()
	for _, c := range commands {
		s, err := start(ctx, c.name, c.argv)
		if err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
		strangers = append(strangers, s)
		if _, err := s.cost(b.candidates.work("number").call(s.url), warmingUp); err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
	}
	t := table{head: []string{"answer"}}
	for _, tool := range []string{"number", "reading", "rows_10000"} {
		w := b.candidates.work(tool)
		scores, err := b.race(w, strangers)
		if err != nil {
			return fmt.Errorf("%s: %w", w.name, err)
		}
		t.compare(scores, w.name)
	}
	b.title("Servers in other languages", "CPU time of the server's process for one call over HTTP, stateless, each with its SDK's own validation of results, in the set-up that its documentation gives for production; this library = 1.")
	t.print(b.out)
	return nil
}

// start runs a server on a free port, which is its last argument, and waits until it answers.
func start(ctx context.Context, name string, argv []string) (*stranger, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	addr := l.Addr().(*net.TCPAddr)
	l.Close()
	cmd := exec.CommandContext(ctx, argv[0], append(slices.Clone(argv[1:]), strconv.Itoa(addr.Port))...)
	var said bytes.Buffer
	cmd.Stderr = &said
	cmd.Env = append(os.Environ(), "NODE_ENV=production")
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	s := &stranger{name, fmt.Sprintf("http://127.0.0.1:%d/", addr.Port), cmd}
	ask := post(s.url, "tools/list", "", listBody, nil)
	for tries := 0; ; tries++ {
		if err = ask(); err == nil {
			return s, nil
		}
		if tries == 300 {
			s.stop()
			return nil, fmt.Errorf("the server does not answer: %w\n%s", err, said.Bytes())
		}
		select {
		case <-ctx.Done():
		case <-time.After(100 * time.Millisecond):
		}
	}
}

func (s *stranger) stop() {
	_ = s.cmd.Process.Kill()
	_ = s.cmd.Wait()
}

// race calls a tool of each server in turn, batch by batch.
func (b *bench) race(w work, strangers []*stranger) ([]score, error) {
	scores, times := make([]score, len(strangers)), make([][]time.Duration, len(strangers))
	for i, s := range strangers {
		scores[i].name = s.name
		if _, err := s.cost(w.call(s.url), warmingUp/12); err != nil {
			return nil, fmt.Errorf("%s: %w", s.name, err)
		}
	}
	for range b.rounds {
		for i, s := range strangers {
			used, err := s.cost(w.call(s.url), longEnoughApart)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", s.name, err)
			}
			times[i] = append(times[i], used)
		}
	}
	settle(scores, times)
	return scores, nil
}

const (
	// longEnoughApart is how much CPU time a batch in another process uses at least: its clock ticks a hundred times a second.
	longEnoughApart = 200 * time.Millisecond
	// warmingUp is the CPU time of thousands of calls, by when Node's compiler, the slowest, has settled: its first calls cost
	// four times as much as those after. A tool that is called for the first time then needs a twelfth of it.
	warmingUp = 12 * time.Second
)

// cost is the CPU time of one call, of as many as need enough of it.
func (s *stranger) cost(run func() error, enough time.Duration) (time.Duration, error) {
	before, err := s.cpu()
	if err != nil {
		return 0, err
	}
	for runs, step := 0, 1; ; step = min(2*step, 64) {
		for range step {
			if err := run(); err != nil {
				return 0, err
			}
		}
		runs += step
		now, err := s.cpu()
		if err != nil {
			return 0, err
		}
		if now-before >= enough {
			return (now - before) / time.Duration(runs), nil
		}
	}
}

// cpu reads the process's user and system time.
func (s *stranger) cpu() (time.Duration, error) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", s.cmd.Process.Pid))
	if err != nil {
		return 0, err
	}
	// The name, in parentheses, may hold spaces; user and system time are fields 14 and 15.
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	var ticks int64
	for _, f := range fields[11:13] {
		n, err := strconv.ParseInt(string(f), 10, 64)
		if err != nil {
			return 0, err
		}
		ticks += n
	}
	return time.Duration(ticks) * (time.Second / 100), nil
}

// serveOne serves one peer for a bench in another process.
func serveOne(name, port string) error {
	h, err := publishedCandidates()
	if err != nil {
		return err
	}
	for _, d := range append(h.handlers(), endpoint{name: fixed, handler: h.fixedHTTP()}) {
		if d.name == name {
			return http.ListenAndServe("127.0.0.1:"+port, d.handler)
		}
	}
	return fmt.Errorf("no peer is called %q", name)
}
