package host

// Where a server is, and the mcpServers file that says so.

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych/internal/connect"
)

// A Server is an MCP server: a command to start, a URL, or a transport of this process.
type Server struct {
	ID      string // letters, digits and hyphens: the first part of the names of its tools
	Command []string
	Env     map[string]string // on top of a few names of our own environment, such as PATH and HOME
	Dir     string
	URL     string
	Headers map[string]string
	// Transport opens a connection, where there is neither a command nor a URL.
	Transport func() (mcp.Transport, error)

	Timeout             time.Duration            // of one call; 0 for Options.Timeout
	Timeouts            map[string]time.Duration // of one call, by the server's name of the tool
	AllowWithoutSources bool                     // every tool of it, whether it promises sources or not
	AllowedTools        []string                 // the server's names of tools that are allowed without sources
	TextFromStructured  bool                     // its models read structured content where a tool answers nothing else
	Policy              Policy                   // of every tool
	Policies            map[string]Policy        // by the server's name of the tool, above Policy
}

// separator is between a server's id and a tool's name.
const separator = "__"

var serverID = regexp.MustCompile(`^[A-Za-z0-9]+(-[A-Za-z0-9]+)*$`)

func (s Server) check() error {
	ways := 0
	for _, given := range []bool{len(s.Command) > 0, s.URL != "", s.Transport != nil} {
		if given {
			ways++
		}
	}
	switch {
	case len(s.ID) > maxServerID || !serverID.MatchString(s.ID):
		return fmt.Errorf("server %q: the name is not made of letters, digits and single hyphens, at most %d; rename it", s.ID, maxServerID)
	case ways == 0:
		return fmt.Errorf("server %q: neither a command nor a url; add one", s.ID)
	case ways > 1:
		return fmt.Errorf("server %q: a command and a url; keep one", s.ID)
	case s.URL != "" && !strings.HasPrefix(s.URL, "http://") && !strings.HasPrefix(s.URL, "https://"):
		return fmt.Errorf("server %q: the url is not http or https; correct it", s.ID)
	}
	for _, p := range append([]Policy{s.Policy}, valuesOf(s.Policies)...) {
		if !slices.Contains([]Policy{ByHints, Allow, Ask, Deny}, p) {
			return fmt.Errorf("server %q: policy %q is none of allow, ask and deny", s.ID, p)
		}
	}
	return nil
}

func valuesOf(m map[string]Policy) (all []Policy) {
	for _, p := range m {
		all = append(all, p)
	}
	return all
}

// A file is what this gateway adds to the mcpServers format.
type file struct {
	// Servers, or tools as server__tool, that are allowed without sources.
	AllowWithoutSources []string `json:"allowWithoutSources"`
	// Servers whose structured content a model reads where there is nothing else.
	TextFromStructured []string `json:"textFromStructured"`
	// By server, or by tool as server__tool: allow, ask or deny.
	Policy map[string]Policy `json:"policy"`
	// Seconds of one call, by server or by tool as server__tool.
	Timeouts map[string]float64 `json:"timeouts"`
}

// ReadServers reads the servers that a file names, sorted by name. ${NAME} and ${NAME:-default} are taken from the environment.
// Beside mcpServers the file may have allowWithoutSources, a list of servers or tools (server__tool) that may answer
// without sources, textFromStructured, a list of servers whose structured content a model may read where they answer nothing
// else, policy, an object from servers or tools to "allow", "ask" or "deny", and timeouts, an object from servers
// or tools to the seconds that a call may take.
func ReadServers(path string) ([]Server, error) {
	text, err := connect.ReadConfig(path)
	if err != nil {
		return nil, err
	}
	servers, err := parseServers(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return servers, nil
}

func parseServers(text []byte) ([]Server, error) {
	if err := misplaced(text); err != nil {
		return nil, err
	}
	var config file
	if err := json.Unmarshal(text, &config); err != nil {
		return nil, err
	}
	entries, err := connect.Entries(text)
	if err != nil {
		return nil, err
	}
	var servers []Server
	for id, e := range entries {
		e, err := e.Expand()
		if err != nil {
			return nil, fmt.Errorf("server %q %w", id, err)
		}
		servers = append(servers, Server{ID: id, Command: e.Line(), Env: e.Env, Dir: e.Dir, URL: e.URL, Headers: e.Headers})
	}
	slices.SortFunc(servers, func(a, b Server) int { return strings.Compare(a.ID, b.ID) })
	find := func(name string) (*Server, string, error) {
		id, tool, _ := strings.Cut(name, separator)
		for i := range servers {
			if servers[i].ID == id {
				return &servers[i], tool, nil
			}
		}
		return nil, "", fmt.Errorf("%q names no server of mcpServers; write a server or server%stool", name, separator)
	}
	for _, name := range config.AllowWithoutSources {
		s, tool, err := find(name)
		switch {
		case err != nil:
			return nil, fmt.Errorf("allowWithoutSources: %w", err)
		case tool == "":
			s.AllowWithoutSources = true
		default:
			s.AllowedTools = append(s.AllowedTools, tool)
		}
	}
	for _, name := range config.TextFromStructured {
		s, tool, err := find(name)
		switch {
		case err != nil:
			return nil, fmt.Errorf("textFromStructured: %w", err)
		case tool != "":
			return nil, fmt.Errorf("textFromStructured: %q is a tool; name its server", name)
		}
		s.TextFromStructured = true
	}
	for name, policy := range config.Policy {
		s, tool, err := find(name)
		switch {
		case err != nil:
			return nil, fmt.Errorf("policy: %w", err)
		case tool == "":
			s.Policy = policy
		default:
			if s.Policies == nil {
				s.Policies = make(map[string]Policy)
			}
			s.Policies[tool] = policy
		}
	}
	for name, seconds := range config.Timeouts {
		s, tool, err := find(name)
		switch d := time.Duration(seconds * float64(time.Second)); {
		case err != nil:
			return nil, fmt.Errorf("timeouts: %w", err)
		case seconds <= 0 || seconds > maxTimeout.Seconds():
			return nil, fmt.Errorf("timeouts: %q is not within an hour; give seconds", name)
		case tool == "":
			s.Timeout = d
		default:
			if s.Timeouts == nil {
				s.Timeouts = make(map[string]time.Duration)
			}
			s.Timeouts[tool] = d
		}
	}
	for _, s := range servers {
		if err := s.check(); err != nil {
			return nil, err
		}
	}
	return servers, nil
}
