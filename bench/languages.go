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
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
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
		add("TypeScript server", "node", filepath.Join(dir, "server.mjs"), folder)
	}
	works := []work{b.house.work("number"), b.house.work("reading"), b.house.work("rows_10000")}
	t := table{head: []string{"server"}}
	for _, w := range works {
		t.head = append(t.head, w.name, "ratio")
	}
	var first []time.Duration
	for _, c := range commands {
		s, err := start(ctx, c.name, c.argv)
		if err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
		row := []string{c.name}
		for i, w := range works {
			cost, err := s.cost(w, b.rounds)
			if err != nil {
				s.stop()
				return fmt.Errorf("%s: %s: %w", c.name, w.name, err)
			}
			if len(first) == i {
				first = append(first, cost)
			}
			row = append(row, duration(cost), figure(float64(cost)/float64(first[i])))
		}
		s.stop()
		t.add(row...)
	}
	b.title("Servers in other languages", "CPU time of the server's process for one call over HTTP, stateless, each with its SDK's own validation of results; this library = 1.")
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

// longEnoughApart is how much CPU time another process uses at least, whose clock ticks a hundred times a second.
const longEnoughApart = 200 * time.Millisecond

// cost is the CPU time of one call, the median of rounds.
func (s *stranger) cost(w work, rounds int) (time.Duration, error) {
	run := w.call(s.url)
	batch := func() (time.Duration, error) {
		before, err := s.cpu()
		if err != nil {
			return 0, err
		}
		for runs, step := 0, 1; ; step *= 2 {
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
			if now-before >= longEnoughApart {
				return (now - before) / time.Duration(runs), nil
			}
		}
	}
	if _, err := batch(); err != nil { // compilers need to warm up
		return 0, err
	}
	times := make([]time.Duration, rounds)
	for i := range times {
		var err error
		if times[i], err = batch(); err != nil {
			return 0, err
		}
	}
	slices.Sort(times)
	return times[rounds/2], nil
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
	h, err := furnished()
	if err != nil {
		return err
	}
	for _, d := range h.handlers() {
		if d.name == name {
			return http.ListenAndServe("127.0.0.1:"+port, d.handler)
		}
	}
	return fmt.Errorf("no peer is called %q", name)
}
