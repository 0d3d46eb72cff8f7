//go:build interop

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// These tests run check on servers of other projects. The goldens in testdata/interop were read finding by finding;
// each of them is true. The servers are found through two environment variables:
//
//	DIPTYCH_INTEROP_NODE    a node_modules/.bin folder with the servers from npm
//	DIPTYCH_INTEROP_PYTHON  the bin folder of a virtual environment with those from PyPI

func folder(t *testing.T, variable string) string {
	t.Helper()
	path := os.Getenv(variable)
	if path == "" {
		t.Fatalf("%s is not set; install the pinned servers and point it at their folder (make interop does)", variable)
	}
	return path
}

// A stranger is a server and how to run it in a folder of its own.
type stranger struct {
	name     string
	command  func(t *testing.T, work string) []string
	http     func(t *testing.T, work, port string) ([]string, string) // the command and the path of its endpoint, or nil
	eras     []string                                                 // that it speaks, the newest first
	examples func(work string) map[string]map[string]any
	flags    []string
}

func strangers() []stranger {
	node := func(t *testing.T, name string) string { return filepath.Join(folder(t, "DIPTYCH_INTEROP_NODE"), name) }
	python := func(t *testing.T, name string) string {
		return filepath.Join(folder(t, "DIPTYCH_INTEROP_PYTHON"), name)
	}
	return []stranger{
		{
			name:    "everything",
			command: func(t *testing.T, _ string) []string { return []string{node(t, "mcp-server-everything"), "stdio"} },
			http: func(t *testing.T, _, port string) ([]string, string) {
				return []string{"env", "PORT=" + port, node(t, "mcp-server-everything"), "streamableHttp"}, "/mcp"
			},
			eras: []string{"2025-11-25"},
			examples: func(string) map[string]map[string]any {
				return map[string]map[string]any{"trigger-long-running-operation": {"duration": 1, "steps": 2}}
			},
		},
		{
			name: "filesystem",
			command: func(t *testing.T, work string) []string {
				return []string{node(t, "mcp-server-filesystem"), work}
			},
			eras: []string{"2025-11-25"},
			examples: func(work string) map[string]map[string]any {
				file := filepath.Join(work, "greeting.txt")
				return map[string]map[string]any{
					"read_file": {"path": file}, "read_text_file": {"path": file}, "read_media_file": {"path": file}, "read_multiple_files": {"paths": []string{file}},
					"list_directory": {"path": work}, "list_directory_with_sizes": {"path": work}, "directory_tree": {"path": work},
					"search_files": {"path": work, "pattern": "*.txt"}, "get_file_info": {"path": file},
				}
			},
		},
		{
			name: "memory",
			command: func(t *testing.T, work string) []string {
				return []string{"env", "MEMORY_FILE_PATH=" + filepath.Join(work, "memory.json"), node(t, "mcp-server-memory")}
			},
			eras:  []string{"2025-11-25"},
			flags: []string{"--call", "all"},
		},
		{
			name:    "time",
			command: func(t *testing.T, _ string) []string { return []string{python(t, "mcp-server-time")} },
			eras:    []string{"2026-07-28", "2025-11-25"},
		},
		{
			name: "git",
			command: func(t *testing.T, work string) []string {
				return []string{python(t, "mcp-server-git"), "-r", work}
			},
			eras: []string{"2026-07-28", "2025-11-25"},
			examples: func(work string) map[string]map[string]any {
				return map[string]map[string]any{
					"git_status": {"repo_path": work}, "git_log": {"repo_path": work}, "git_diff": {"repo_path": work, "target": "HEAD"},
					"git_diff_staged": {"repo_path": work}, "git_diff_unstaged": {"repo_path": work}, "git_show": {"repo_path": work, "revision": "HEAD"},
					"git_branch": {"repo_path": work, "branch_type": "local"},
				}
			},
		},
		{
			name: "fastmcp",
			command: func(t *testing.T, _ string) []string {
				return []string{python(t, "python"), absolute(t, "testdata/interop/rooms.py")}
			},
			http: func(t *testing.T, _, port string) ([]string, string) {
				return []string{python(t, "python"), absolute(t, "testdata/interop/rooms.py"), port}, "/mcp"
			},
			eras: []string{"2026-07-28", "2025-11-25"},
		},
	}
}

func TestInterop(t *testing.T) {
	for _, s := range strangers() {
		t.Run(s.name, func(t *testing.T) {
			work := workspace(t)
			flags := append([]string{"--timeout", "60s"}, s.flags...)
			if s.examples != nil {
				flags = append(flags, "--example", written(t, s.examples(work)))
			}
			golden := filepath.Join("testdata", "interop", s.name+".golden")
			for i, era := range s.eras {
				got := checked(t, work, append(append([]string{"check", "--protocol", era}, flags...), append([]string{"--"}, s.command(t, work)...)...))
				compare(t, golden, strings.Replace(got, era, "ERA", 1), *update && i == 0)
			}
			if s.http == nil {
				return
			}
			port := free(t)
			command, path := s.http(t, work, port)
			start(t, command, port)
			for _, era := range s.eras {
				got := checked(t, work, append([]string{"check", "http://127.0.0.1:" + port + path, "--protocol", era}, flags...))
				compare(t, golden, strings.Replace(got, era, "ERA", 1), false)
			}
		})
	}
}

// workspace is a folder with a file in it, under version control.
func workspace(t *testing.T) string {
	work := t.TempDir()
	if err := os.WriteFile(filepath.Join(work, "greeting.txt"), []byte("hello\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"init", "-q"}, {"add", "."}, {"-c", "user.name=Ann", "-c", "user.email=ann@example.com", "commit", "-q", "-m", "Greet"}} {
		cmd := exec.Command("git", args...)
		cmd.Dir = work
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git: %v\n%s", err, out)
		}
	}
	return work
}

func written(t *testing.T, examples map[string]map[string]any) string {
	text, err := json.Marshal(examples)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "examples.json")
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// checked runs the command and returns its report, without what differs from one machine to the next.
func checked(t *testing.T, work string, args []string) string {
	t.Helper()
	var stdout, stderr bytes.Buffer
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	if code := run(ctx, args, strings.NewReader(""), &stdout, &stderr); code > exitFailed {
		t.Fatalf("exit code %d\n%s%s", code, stdout.String(), stderr.String())
	}
	return strings.ReplaceAll(stdout.String(), work, "WORK")
}

func compare(t *testing.T, golden, got string, write bool) {
	t.Helper()
	if write {
		if err := os.WriteFile(golden, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); diff != "" {
		t.Errorf("findings differ from %s (-want +got):\n%s", golden, diff)
	}
}

func absolute(t *testing.T, path string) string {
	full, err := filepath.Abs(path)
	if err != nil {
		t.Fatal(err)
	}
	return full
}

func free(t *testing.T) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return strconv.Itoa(l.Addr().(*net.TCPAddr).Port)
}

// start runs a server over HTTP until the test ends, and returns when its port answers.
func start(t *testing.T, command []string, port string) {
	t.Helper()
	var words bytes.Buffer
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Stdout, cmd.Stderr = &words, &words
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		_ = cmd.Wait()
		close(ended)
	}()
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		<-ended
	})
	deadline, tick := time.After(time.Minute), time.NewTicker(100*time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-ended:
			t.Fatalf("the server ended:\n%s", regexp.MustCompile(`[^\n -~]`).ReplaceAllString(words.String(), ""))
		case <-deadline:
			t.Fatal("the server does not listen")
		case <-tick.C:
			if conn, err := net.DialTimeout("tcp", "127.0.0.1:"+port, time.Second); err == nil {
				_ = conn.Close()
				return
			}
		}
	}
}
