// Package connect is what every host of this project does to have a server: it reads where servers are, starts or reaches
// one, and opens a session, within bounds of time and bytes. Nothing that a server does is trusted.
package connect

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/diptych-mcp/diptych/internal/jsontext"
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
		Editor  map[string]Entry `json:"servers"` // as VS Code has it
	}
	if err := json.Unmarshal(plainJSON(text), &file); err != nil {
		return nil, err
	}
	switch {
	case file.Servers != nil:
		return file.Servers, nil
	case file.Editor != nil:
		return file.Editor, nil
	}
	return nil, errors.New(`no mcpServers and no servers; write {"mcpServers": {"name": {"command": "…", "args": []}}}`)
}

// plainJSON blanks the comments and the commas before a closing bracket that editors allow in such a file. Positions stay.
func plainJSON(text []byte) []byte {
	out := bytes.Clone(text)
	comma := -1 // the latest one, while nothing but white space and comments follows
	blank := func(from, to int) {
		for i := from; i < to; i++ {
			if out[i] != '\n' {
				out[i] = ' '
			}
		}
	}
	for i := 0; i < len(out); i++ {
		switch c := out[i]; {
		case c == '"':
			comma = -1
			end := jsontext.SkipString(out, i)
			if end < 0 {
				return out // the decoder says what is wrong
			}
			i = end - 1
		case bytes.HasPrefix(out[i:], []byte("//")):
			end := bytes.IndexByte(out[i:], '\n')
			if end < 0 {
				end = len(out) - i
			}
			blank(i, i+end)
			i += end - 1
		case bytes.HasPrefix(out[i:], []byte("/*")):
			end := bytes.Index(out[i+2:], []byte("*/"))
			if end < 0 {
				return out
			}
			blank(i, i+end+4)
			i += end + 3
		case c == ',':
			comma = i
		case (c == '}' || c == ']') && comma >= 0:
			blank(comma, comma+1)
			comma = -1
		case c != ' ' && c != '\t' && c != '\r' && c != '\n':
			comma = -1
		}
	}
	return out
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
		name = strings.TrimPrefix(name, "env:") // as VS Code has it
		value, set := os.LookupEnv(name)
		if name == "workspaceFolder" && !set {
			dir, err := os.Getwd()
			value, set = dir, err == nil
		}
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
