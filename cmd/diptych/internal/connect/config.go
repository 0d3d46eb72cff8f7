package connect

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/diptych-mcp/diptych/cmd/diptych/internal/nearest"
)

// An entry is one server in the mcpServers format that most hosts read.
type entry struct {
	Command string            `json:"command"`
	Args    []string          `json:"args"`
	Env     map[string]string `json:"env"`
	Dir     string            `json:"cwd"`
	URL     string            `json:"url"`
	Headers map[string]string `json:"headers"`
}

const maxConfig = 1 << 20

// Places returns the files that are looked at for a name, in order.
func Places() []string {
	places := []string{".mcp.json", "mcp.json"}
	home := os.Getenv("XDG_CONFIG_HOME")
	if home == "" {
		if dir, err := os.UserHomeDir(); err == nil {
			home = filepath.Join(dir, ".config")
		}
	}
	if home != "" {
		places = append(places, filepath.Join(home, "diptych", "mcp.json"))
	}
	return places
}

func named(name, config string) (Server, error) {
	places := Places()
	if config != "" {
		places = []string{config}
	}
	var known, read []string
	for _, place := range places {
		servers, err := load(place)
		if errors.Is(err, fs.ErrNotExist) && config == "" {
			continue
		}
		if err != nil {
			return Server{}, err
		}
		if e, ok := servers[name]; ok {
			return e.server(name, place)
		}
		read = append(read, place)
		known = append(known, slices.Sorted(maps.Keys(servers))...)
	}
	return Server{}, unknown(name, known, read)
}

var hostPort = regexp.MustCompile(`^[\w.-]+:\d+$`)

func unknown(name string, known, read []string) error {
	match, near := nearest.To(name, known)
	switch {
	case name == "":
		return errors.New("no command behind --; write the server's command there")
	case near:
		return fmt.Errorf("no server named %q in %s; did you mean %q?", name, strings.Join(read, " or "), match)
	case strings.Contains(name, "://"):
		return fmt.Errorf("%q is no http URL; give one, as in http://127.0.0.1:8080/mcp", name)
	case strings.Contains(name, "/"), hostPort.MatchString(name):
		return fmt.Errorf("no server named %q; for a URL write http:// before it, for a command --", name)
	case len(read) == 0:
		return fmt.Errorf("no server named %q, and no config file; give a command behind --, an http URL, or --config FILE", name)
	case len(known) == 0:
		return fmt.Errorf("no server named %q; %s names none", name, strings.Join(read, " and "))
	}
	return fmt.Errorf("no server named %q in %s; there is %s", name, strings.Join(read, " or "), strings.Join(known, ", "))
}

func load(path string) (map[string]entry, error) {
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
	var file struct {
		Servers map[string]entry `json:"mcpServers"`
	}
	if err := json.Unmarshal(text, &file); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if file.Servers == nil {
		return nil, fmt.Errorf(`%s: no mcpServers; write {"mcpServers": {"name": {"command": "…", "args": []}}}`, path)
	}
	return file.Servers, nil
}

func (e entry) server(name, place string) (Server, error) {
	x := expander{}
	s := Server{Label: name, Config: place, Dir: x.expand(e.Dir), URL: x.expand(e.URL), Env: x.each(e.Env), Headers: x.each(e.Headers)}
	if e.Command != "" {
		s.Command = []string{x.expand(e.Command)}
		for _, arg := range e.Args {
			s.Command = append(s.Command, x.expand(arg))
		}
	}
	switch {
	case len(x.missing) > 0:
		return Server{}, fmt.Errorf("%s: server %q needs %s in the environment; set it", place, name, strings.Join(x.missing, " and "))
	case len(s.Command) > 0 && s.URL != "":
		return Server{}, fmt.Errorf("%s: server %q has a command and a url; keep one", place, name)
	case len(s.Command) == 0 && s.URL == "":
		return Server{}, fmt.Errorf("%s: server %q has neither a command nor a url; add one", place, name)
	case s.URL != "" && !strings.HasPrefix(s.URL, "http://") && !strings.HasPrefix(s.URL, "https://"):
		return Server{}, fmt.Errorf("%s: server %q has a url that is not http or https; correct it", place, name)
	}
	return s, nil
}

// An expander replaces ${NAME} and ${NAME:-default} by the environment, as hosts that read this format do.
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
	for _, key := range slices.Sorted(maps.Keys(m)) {
		out[key] = x.expand(m[key])
	}
	return out
}

// Names returns the servers that the config files in their usual places name. What cannot be read names none.
func Names() []string {
	var names []string
	for _, place := range Places() {
		if servers, err := load(place); err == nil {
			names = append(names, slices.Collect(maps.Keys(servers))...)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}
