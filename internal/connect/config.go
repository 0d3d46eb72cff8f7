// Package connect is what every host of this project does to have a server: it reads where servers are, starts or reaches
// one, and opens a session, within bounds of time and bytes. Nothing that a server does is trusted.
package connect

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
)

// An Entry is one server in the mcpServers format that most hosts read.
type Entry struct {
	Command string            `json:"command"`
	Args    []string          `json:"args"`
	Env     map[string]string `json:"env"`
	Dir     string            `json:"cwd"`
	URL     string            `json:"url"`
	Headers map[string]string `json:"headers"`
}

// ReadConfig reads a file that names servers.
func ReadConfig(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxConfig+1))
	if err != nil {
		return nil, err
	}
	if len(text) > maxConfig {
		return nil, fmt.Errorf("%s: larger than %d bytes", path, maxConfig)
	}
	return text, nil
}

// Entries returns the servers that a file's text names.
func Entries(text []byte) (map[string]Entry, error) {
	var file struct {
		Servers map[string]Entry `json:"mcpServers"`
	}
	if err := json.Unmarshal(text, &file); err != nil {
		return nil, err
	}
	if file.Servers == nil {
		return nil, errors.New(`no mcpServers; write {"mcpServers": {"name": {"command": "…", "args": []}}}`)
	}
	return file.Servers, nil
}

// Expand replaces ${NAME} and ${NAME:-default} by the environment, as hosts that read this format do.
func (e Entry) Expand() (Entry, error) {
	x := expander{}
	out := Entry{Command: x.expand(e.Command), Dir: x.expand(e.Dir), URL: x.expand(e.URL), Env: x.each(e.Env), Headers: x.each(e.Headers)}
	for _, arg := range e.Args {
		out.Args = append(out.Args, x.expand(arg))
	}
	if len(x.missing) > 0 {
		slices.Sort(x.missing)
		return out, fmt.Errorf("needs %s in the environment; set it", strings.Join(slices.Compact(x.missing), " and "))
	}
	return out, nil
}

// Line is the command with its arguments; nil where there is none.
func (e Entry) Line() []string {
	if e.Command == "" {
		return nil
	}
	return append([]string{e.Command}, e.Args...)
}

type expander struct{ missing []string }

func (x *expander) expand(s string) string {
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(s, "${")
		b.WriteString(before)
		if !ok {
			return b.String()
		}
		inside, after, ok := strings.Cut(rest, "}")
		if !ok {
			b.WriteString("${" + rest)
			return b.String()
		}
		name, fallback, optional := strings.Cut(inside, ":-")
		value, set := os.LookupEnv(name)
		switch {
		case set && (value != "" || !optional):
			b.WriteString(value)
		case optional:
			b.WriteString(fallback)
		default:
			x.missing = append(x.missing, name)
		}
		s = after
	}
}

func (x *expander) each(m map[string]string) map[string]string {
	if m == nil {
		return nil
	}
	out := make(map[string]string, len(m))
	for name, value := range m {
		out[name] = x.expand(value)
	}
	return out
}
