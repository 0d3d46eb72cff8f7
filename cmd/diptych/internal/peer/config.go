package peer

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/diptych-mcp/diptych/internal/connect"
	"github.com/diptych-mcp/diptych/internal/nearest"
)

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
			return located(name, place, e)
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

func load(path string) (map[string]connect.Entry, error) {
	text, err := connect.ReadConfig(path)
	if err != nil {
		return nil, err
	}
	entries, err := connect.Entries(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return entries, nil
}

func located(name, place string, e connect.Entry) (Server, error) {
	e, err := e.Expand()
	s := Server{Label: name, Config: place, Command: e.Line(), Dir: e.Dir, URL: e.URL, Env: e.Env, Headers: e.Headers}
	switch {
	case err != nil:
		return Server{}, fmt.Errorf("%s: server %q %w", place, name, err)
	case len(s.Command) > 0 && s.URL != "":
		return Server{}, fmt.Errorf("%s: server %q has a command and a url; keep one", place, name)
	case len(s.Command) == 0 && s.URL == "":
		return Server{}, fmt.Errorf("%s: server %q has neither a command nor a url; add one", place, name)
	case s.URL != "" && !strings.HasPrefix(s.URL, "http://") && !strings.HasPrefix(s.URL, "https://"):
		return Server{}, fmt.Errorf("%s: server %q has a url that is not http or https; correct it", place, name)
	}
	return s, nil
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
