//go:build unix

// Demo starts the chat gateway on the example servers with the scripted model, and says where it is and what to ask. It
// is built beside the gateway and the servers. An interrupt ends all of them, and nothing is kept.
//
//	make demo
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

const (
	config   = "gateway/demo.json"
	greeting = `
Diptych is at %s

It talks to three example servers through a scripted model: no account, no key, and nothing is kept. Ask, for example:

`
	farewell = `
or use a tool yourself and see both panels. Ctrl-C ends it.

`
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "demo:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, out io.Writer) (err error) {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	programs := filepath.Dir(self)
	questions, err := readQuestions()
	if err != nil {
		return err
	}
	data, err := os.MkdirTemp("", "diptych-demo-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(data)) }()

	gateway := exec.CommandContext(ctx, filepath.Join(programs, "diptych-gateway"),
		"--listen", address(), "--data", data, "--config", config, "--model", "scripted")
	gateway.Env = append(os.Environ(), "DIPTYCH_EXAMPLES="+programs)
	gateway.Stderr = os.Stderr
	// A terminal interrupts a whole group at once, and the gateway takes a second interrupt for impatience: in a group of
	// its own it hears of it once, from here, and ends its servers in peace.
	gateway.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	gateway.Cancel = func() error { return gateway.Process.Signal(os.Interrupt) }
	gateway.WaitDelay = 30 * time.Second
	said, err := gateway.StdoutPipe()
	if err != nil {
		return err
	}
	if err := gateway.Start(); err != nil {
		return err
	}
	for lines := bufio.NewScanner(said); lines.Scan(); {
		if url, ok := strings.CutPrefix(lines.Text(), "Listening on "); ok {
			fmt.Fprintf(out, greeting, url)
			for _, language := range slices.Sorted(maps.Keys(questions)) {
				for _, first := range questions[language][:min(1, len(questions[language]))] {
					fmt.Fprintln(out, "  "+first)
				}
			}
			fmt.Fprint(out, farewell)
		}
	}
	if err := gateway.Wait(); err != nil && !errors.Is(err, context.Canceled) {
		return fmt.Errorf("the gateway ended: %w", err)
	}
	return nil
}

// readQuestions reads what the page offers to ask, by its language.
func readQuestions() (map[string][]string, error) {
	text, err := os.ReadFile(config)
	if err != nil {
		return nil, fmt.Errorf("%w; start the demo in the repository's folder", err)
	}
	var file struct{ Questions map[string][]string }
	err = json.Unmarshal(text, &file)
	return file.Questions, err
}

// address is the gateway's usual one, or a free port where that is taken.
func address() string {
	const usual, free = "127.0.0.1:8321", "127.0.0.1:0"
	l, err := net.Listen("tcp", usual)
	if err != nil {
		return free
	}
	l.Close()
	return usual
}
