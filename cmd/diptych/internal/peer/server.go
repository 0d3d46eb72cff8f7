// Package peer finds an MCP server by what a person wrote, starts or reaches it, and speaks to it within bounds: of
// time, of bytes, of pages.
package peer

import (
	"fmt"
	"net/url"
	"strings"
)

// A Server is where a server is: a command to start, or a URL.
type Server struct {
	Label   string // what the person wrote
	Command []string
	Env     map[string]string // on top of our own
	Dir     string
	URL     string
	Headers map[string]string
	Config  string // the file that named it, or ""
}

// Locate returns the server that address means: the command after --, an http or https URL, or a name in a config file.
// config is a file given by the person, or "" for the usual places.
func Locate(address string, command []string, config string) (Server, error) {
	if len(command) > 0 {
		return Server{Label: strings.Join(command, " "), Command: command}, nil
	}
	if strings.HasPrefix(address, "http://") || strings.HasPrefix(address, "https://") {
		u, err := url.Parse(address)
		if err != nil || u.Host == "" {
			return Server{}, fmt.Errorf("%q is not a URL; write it as http://127.0.0.1:8080/mcp", address)
		}
		return Server{Label: u.Redacted(), URL: address}, nil
	}
	return named(address, config)
}

// Overlay sets environment variables (KEY=value) and headers ("Name: value") over what the config file says.
func (s *Server) Overlay(env, headers []string) error {
	for _, pair := range env {
		name, value, ok := strings.Cut(pair, "=")
		if !ok || name == "" {
			return fmt.Errorf("--env %q; write it as NAME=value", pair)
		}
		s.Env = with(s.Env, name, value)
	}
	for _, pair := range headers {
		name, value, ok := strings.Cut(pair, ":")
		if !ok || strings.TrimSpace(name) == "" {
			return fmt.Errorf("--header %q; write it as 'Name: value'", pair)
		}
		s.Headers = with(s.Headers, strings.TrimSpace(name), strings.TrimSpace(value))
	}
	return nil
}

func with(m map[string]string, key, value string) map[string]string {
	if m == nil {
		m = make(map[string]string)
	}
	m[key] = value
	return m
}

// Secrets returns the values that only the server should know: what its environment and headers were given, where the
// name says so. A server's answer must not hold one.
func (s Server) Secrets() []string {
	var secrets []string
	for name, value := range s.Env {
		if secretive(name) && len(value) >= 8 {
			secrets = append(secrets, value)
		}
	}
	for name, value := range s.Headers {
		value = strings.TrimSpace(strings.TrimPrefix(value, "Bearer "))
		if (secretive(name) || strings.EqualFold(name, "authorization")) && len(value) >= 8 {
			secrets = append(secrets, value)
		}
	}
	return secrets
}

func secretive(name string) bool {
	name = strings.ToUpper(name)
	for _, word := range []string{"KEY", "TOKEN", "SECRET", "PASSWORD", "PASSWD", "CREDENTIAL", "COOKIE"} {
		if strings.Contains(name, word) {
			return true
		}
	}
	return false
}
