package main

import (
	"context"
	"os"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych/cmd/diptych/internal/contract"
	"github.com/diptych-mcp/diptych/cmd/diptych/internal/peer"
	"github.com/diptych-mcp/diptych/cmd/diptych/internal/report"
	"github.com/diptych-mcp/diptych/cmd/diptych/internal/terminal"
)

type diffCommand struct {
	Old string `arg:"" help:"The old version: a file that diptych ls --json wrote, a URL, or a name from a config file."`
	New string `arg:"" help:"The new version, likewise; or nothing when a command stands behind --."`

	way    `embed:""`
	FailOn string `enum:"breaking,unsure" default:"breaking" help:"What makes the exit code 1: ${enum}." placeholder:"KIND"`
	Json   bool   `help:"Print the changes as JSON." xor:"output"`
	Sarif  bool   `help:"Print the changes as SARIF 2.1.0." xor:"output"`
}

func (*diffCommand) Help() string {
	return `What a client of the old version sends, the new one has to take; what the new one answers, the old schema has to take. A
change is breaking where it does not, safe where it does, and unsure where no rule decides it. A value that shows it is
printed where one is found.

    diptych ls rooms --json > contract.json
    diptych diff contract.json -- python server.py
    diptych diff http://127.0.0.1:8080/mcp http://127.0.0.1:8081/mcp --fail-on unsure`
}

func (k *diffCommand) Run(ctx context.Context, c *console) error {
	before, old, err := k.contract(ctx, c, k.Old, nil)
	if err != nil {
		return err
	}
	after, now, err := k.contract(ctx, c, k.New, c.command)
	if err != nil {
		return err
	}
	changes := contract.Compare(before, after)
	if err := k.print(c, old, now, changes); err != nil {
		return err
	}
	for _, change := range changes {
		if change.Kind == contract.Breaking || change.Kind == contract.Unsure && k.FailOn == "unsure" {
			return &failure{code: exitFailed}
		}
	}
	return nil
}

func (k *diffCommand) print(c *console, old, now string, changes []contract.Change) error {
	switch {
	case k.Json:
		return report.ChangesJSON(c.stdout, old, now, changes)
	case k.Sarif:
		return report.ChangesSARIF(c.stdout, changes, version(), artifact(peer.Server{Config: k.Old}))
	}
	width, live := terminal.Columns(c.stdout)
	if !live {
		width = 0
	}
	return report.Changes(c.stdout, old, now, changes, width, c.style)
}

// contract is what one version publishes, and what it is called: a saved file, or a server.
func (k *diffCommand) contract(ctx context.Context, c *console, word string, command []string) ([]peer.Tool, string, error) {
	if info, err := os.Stat(word); len(command) == 0 && err == nil && info.Mode().IsRegular() {
		f, err := os.Open(word)
		if err != nil {
			return nil, "", fail(exitUsage, "%v", err)
		}
		text, err := readAll(f)
		f.Close()
		var tools []peer.Tool
		if err == nil {
			tools, err = contract.Read(text)
		}
		if err != nil {
			return nil, "", fail(exitUsage, "%s: %v", word, err)
		}
		return tools, word, nil
	}
	if len(command) == 0 && strings.HasSuffix(word, ".json") {
		return nil, "", fail(exitUsage, "no file %s; save one: diptych ls SERVER --json > %[1]s", word)
	}
	server, err := k.locate(word, command)
	if err != nil {
		return nil, "", err
	}
	session, err := k.dial(ctx, c, server, mcp.ClientOptions{})
	if err != nil {
		return nil, "", err
	}
	defer session.Close()
	tools, err := k.list(ctx, server, session)
	return tools, server.Label, err
}
