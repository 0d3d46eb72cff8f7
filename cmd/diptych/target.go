package main

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych/cmd/diptych/internal/peer"
	"github.com/diptych-mcp/diptych/internal/nearest"
)

// A target is the server that a command is about, and how to speak to it.
type target struct {
	Server string `arg:"" help:"A URL, a name from a config file, or nothing when a command stands behind --."`

	way `embed:""`
}

// A way is how servers are reached.
type way struct {
	Config   string        `short:"c" type:"path" help:"Config file in the mcpServers format." placeholder:"FILE"`
	Timeout  time.Duration `short:"t" default:"30s" help:"How long the server may take to answer." placeholder:"DURATION"`
	Protocol string        `help:"Speak this protocol revision (2025-11-25, …) instead of the newest that both know." placeholder:"DATE"`
	Env      []string      `short:"e" sep:"none" help:"Set an environment variable of the server's command." placeholder:"NAME=VALUE"`
	Header   []string      `short:"H" sep:"none" help:"Send an HTTP header." placeholder:"'NAME: VALUE'"`
	Verbose  bool          `short:"v" help:"Show what the server writes to its standard error."`
}

// locate finds the server.
func (t *target) locate(c *console) (peer.Server, error) { return t.way.locate(t.Server, c.command) }

func (t *way) locate(address string, command []string) (peer.Server, error) {
	if t.Timeout <= 0 {
		return peer.Server{}, fail(exitUsage, "--timeout %s; give a time such as 30s", t.Timeout)
	}
	server, err := peer.Locate(address, command, t.Config)
	if err == nil {
		err = server.Overlay(t.Env, t.Header)
	}
	if err != nil {
		return server, fail(exitUsage, "%v", err)
	}
	return server, nil
}

// dial reaches the server.
func (t *way) dial(ctx context.Context, c *console, server peer.Server, client mcp.ClientOptions) (*peer.Session, error) {
	o := peer.Options{Client: client, Version: version(), Protocol: t.Protocol, Timeout: t.Timeout}
	if t.Verbose {
		o.Stderr = &cleanWriter{c.stderr}
	}
	session, err := server.Dial(ctx, o)
	if err != nil {
		return nil, unreachable(server, err)
	}
	return session, nil
}

// open is locate and dial.
func (t *target) open(ctx context.Context, c *console, client mcp.ClientOptions) (*peer.Session, peer.Server, error) {
	server, err := t.locate(c)
	if err != nil {
		return nil, server, err
	}
	session, err := t.dial(ctx, c, server, client)
	return session, server, err
}

// list is the server's tools.
func (t *way) list(ctx context.Context, server peer.Server, session *peer.Session) ([]peer.Tool, error) {
	ctx, cancel := context.WithTimeout(ctx, t.Timeout)
	defer cancel()
	tools, err := session.Tools(ctx)
	if err == nil {
		return tools, nil
	}
	if e, ok := peer.Refused(err); ok {
		return nil, fail(exitFailed, "%s refuses to list its tools: %s", server.Label, e.Message)
	}
	return nil, silent(ctx, server, session, err)
}

// find is one tool by name.
func find(tools []peer.Tool, name string) (peer.Tool, error) {
	var names []string
	for _, tool := range tools {
		if tool.Name == name {
			return tool, nil
		}
		names = append(names, tool.Name)
	}
	if match, ok := nearest.To(name, names); ok {
		return peer.Tool{}, fail(exitUsage, "no tool %q; did you mean %q?", name, match)
	}
	if len(names) > maxNames {
		names = append(names[:maxNames:maxNames], "…")
	}
	if len(names) == 0 {
		return peer.Tool{}, fail(exitUsage, "no tool %q; the server has none", name)
	}
	return peer.Tool{}, fail(exitUsage, "no tool %q; there is %s", name, strings.Join(names, ", "))
}

func unreachable(server peer.Server, err error) error {
	u, ok := errors.AsType[*peer.Unreachable](err)
	if !ok {
		return err
	}
	f := &failure{code: exitUnreachable, text: u.Error(), tail: u.Words}
	switch {
	case strings.Contains(u.Cause, "executable file not found"), strings.Contains(u.Cause, "no such file"):
		f.text += "; is it installed, and spelt right?"
	case strings.Contains(u.Cause, "connection refused"):
		f.text += "; is it running?"
	case strings.Contains(u.Cause, "Unauthorized"), strings.Contains(u.Cause, "Forbidden"):
		f.text += "; pass its key: --header 'Authorization: Bearer …'"
	case strings.Contains(u.Cause, "Not Found"), strings.Contains(u.Cause, "Method Not Allowed"),
		strings.Contains(u.Cause, "unsupported content type"), strings.Contains(u.Cause, "failed to decode"):
		f.text += "; is that where it speaks MCP? the path is often /mcp"
	case strings.Contains(u.Cause, "HTTP response to HTTPS client"):
		f.text += "; write http:// instead of https://"
	case u.Cause == "it does not answer" && len(server.Command) > 0:
		f.text += "; does it speak MCP on standard output? a longer --timeout gives it more time"
	}
	return f
}

// silent is a server that was reached but does not answer: it is too slow, too long, or gone.
func silent(ctx context.Context, server peer.Server, session *peer.Session, err error) error {
	how, words := session.Ended()
	return lost(server, err, ctx.Err() != nil, how, words)
}

// lost is why a server that was reached has not answered: it was late, its process ended in some way, or err says it.
func lost(server peer.Server, err error, late bool, how, words string) error {
	f := &failure{code: exitUnreachable, tail: words}
	switch {
	case late:
		f.text = server.Label + " does not answer in time; give it more: --timeout 2m"
	case peer.TooDeep(err):
		f.text = server.Label + " answers with a value that is nested deeper than 1000 levels; send it flatter"
	case strings.Contains(err.Error(), "maximum line length"), strings.Contains(err.Error(), "larger than"):
		f.text = server.Label + " answers with more than 16 MiB; send a link instead"
	case strings.Contains(err.Error(), "cannot unmarshal"):
		f.text = server.Label + " answers with JSON of another shape than the protocol's; correct what it sends"
	case strings.Contains(err.Error(), "invalid character"):
		f.text = server.Label + " writes what is not JSON-RPC to its standard output; print to standard error instead"
	case how != "":
		f.text = server.Label + " ended before it answered (" + how + ")"
	default:
		f.text = server.Label + " broke off: " + err.Error()
	}
	return f
}
