package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych/cmd/diptych/internal/audit"
	"github.com/diptych-mcp/diptych/cmd/diptych/internal/peer"
	"github.com/diptych-mcp/diptych/cmd/diptych/internal/report"
	"github.com/diptych-mcp/diptych/cmd/diptych/internal/terminal"
	"github.com/diptych-mcp/diptych/cmd/diptych/internal/tree"
)

type checkCommand struct {
	target `embed:""`

	Call    string   `enum:"readonly,all,none" default:"readonly" help:"Which tools to call: those marked readOnlyHint, all, or none." placeholder:"WHICH"`
	Example []string `type:"path" sep:"none" help:"Arguments to call tools with: {\"tool\": {…}}, or a list of {\"tool\": …, \"arguments\": {…}}." placeholder:"FILE"`
	For     []string `help:"Tell only what matters to these hosts: claude, openai, gemini, vscode, cursor, … or one, such as codex." placeholder:"HOST,…"`
	FailOn  string   `enum:"error,warning" default:"error" help:"What makes the exit code 1: ${enum}." placeholder:"SEVERITY"`
	Json    bool     `help:"Print the report as JSON." xor:"output"`
	Sarif   bool     `help:"Print the report as SARIF 2.1.0." xor:"output"`
	Junit   bool     `help:"Print the report as JUnit XML." xor:"output"`
}

func (*checkCommand) Help() string {
	return `Every tool's name, descriptions and schemas are read. Tools that are marked read-only are called too, with arguments
from --example files, from the schema's examples and defaults, or made from the schema; and once with an argument of the
wrong type, to read what the error says.

    diptych check -- python server.py
    diptych check http://127.0.0.1:8080/mcp --call all --example examples.json
    diptych check rooms --for claude,gemini
    diptych check rooms --fail-on warning --sarif > diptych.sarif`
}

func (k *checkCommand) Run(ctx context.Context, c *console) error {
	server, err := k.locate(c)
	if err != nil {
		return err
	}
	examples, err := k.examples()
	if err != nil {
		return err
	}
	hosts, err := audit.Hosts(k.For)
	if err != nil {
		return fail(exitUsage, "--for: %v", err)
	}
	bar := terminal.NewBar(c.stderr, c.errors)
	o := audit.Options{
		Dial: func(ctx context.Context, client mcp.ClientOptions) (*peer.Session, error) {
			return k.dial(ctx, c, server, client)
		},
		Timeout: k.Timeout, Call: k.Call, Examples: examples, Secrets: server.Secrets(), For: hosts,
	}
	if terminal.IsTerminal(c.stderr) {
		o.Step = func(tool string, done, all int) { bar.Set(float64(done), float64(all), tool) }
	}
	r, err := audit.Run(ctx, o)
	bar.Clear()
	if err != nil {
		return k.unfinished(server, err)
	}
	r.Server = server.Label
	if err := k.print(c, server, r); err != nil {
		return err
	}
	if r.Count(audit.Error) > 0 || k.FailOn == "warning" && r.Count(audit.Warning) > 0 {
		return &failure{code: exitFailed}
	}
	return nil
}

func (k *checkCommand) fails(s audit.Severity) bool {
	return s == audit.Error || s == audit.Warning && k.FailOn == "warning"
}

func (k *checkCommand) print(c *console, server peer.Server, r *audit.Report) error {
	switch {
	case k.Json:
		return report.JSON(c.stdout, r)
	case k.Sarif:
		return report.SARIF(c.stdout, r, version(), artifact(server))
	case k.Junit:
		return report.JUnit(c.stdout, r, k.fails)
	}
	width, live := terminal.Columns(c.stdout)
	if !live {
		width = 0
	}
	return report.Human(c.stdout, r, width, c.style)
}

// unfinished is an audit that could not be carried out.
func (k *checkCommand) unfinished(server peer.Server, err error) error {
	u, ok := errors.AsType[*audit.Unlisted](err)
	if !ok {
		return err // it could not be reached, or the person has had enough
	}
	if e, ok := peer.Refused(u.Err); ok {
		return fail(exitFailed, "%s refuses to list its tools: %s", server.Label, e.Message)
	}
	return lost(server, u.Err, u.Late, u.How, u.Words)
}

// artifact is the file that represents a server in SARIF: the config file that names it, or the first file on its command
// line.
func artifact(s peer.Server) string {
	for _, word := range append([]string{s.Config}, s.Command...) {
		if info, err := os.Stat(word); err == nil && info.Mode().IsRegular() && filepath.IsLocal(word) {
			return filepath.ToSlash(word)
		}
	}
	return ""
}

// examples reads the --example files.
func (k *checkCommand) examples() (map[string][]json.RawMessage, error) {
	all := make(map[string][]json.RawMessage)
	for _, path := range k.Example {
		f, err := os.Open(path)
		if err != nil {
			return nil, fail(exitUsage, "%v", err)
		}
		text, err := readAll(f)
		f.Close()
		if err != nil {
			return nil, fail(exitUsage, "%s: %v", path, err)
		}
		root, err := tree.Parse(text)
		if err == nil {
			err = addExamples(all, root)
		}
		if err != nil {
			return nil, fail(exitUsage, "%s: %v", path, err)
		}
	}
	return all, nil
}

func addExamples(all map[string][]json.RawMessage, root *tree.Node) error {
	add := func(tool string, args *tree.Node) error {
		if tool == "" || !args.Is(tree.Object) {
			return fmt.Errorf(`tool %q has no object of arguments; write {"tool": {"key": "value"}}`, tool)
		}
		all[tool] = append(all[tool], args.Raw)
		return nil
	}
	switch root.Kind {
	case tree.Object:
		for _, m := range root.Members {
			sets := []*tree.Node{m.Value}
			if m.Value.Is(tree.Array) {
				sets = m.Value.Items
			}
			for _, args := range sets {
				if err := add(m.Name, args); err != nil {
					return err
				}
			}
		}
	case tree.Array:
		for _, item := range root.Items {
			if err := add(item.Str("tool"), item.Get("arguments")); err != nil {
				return err
			}
		}
	default:
		return fmt.Errorf(`not an object or a list; write {"tool": {"key": "value"}}`)
	}
	return nil
}
