package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych/cmd/diptych/internal/arguments"
	"github.com/diptych-mcp/diptych/cmd/diptych/internal/peer"
	"github.com/diptych-mcp/diptych/cmd/diptych/internal/terminal"
	"github.com/diptych-mcp/diptych/internal/countdown"
)

type callCommand struct {
	target `embed:""`
	Tool   string   `arg:"" help:"The tool's name."`
	Words  []string `arg:"" optional:"" name:"key=value" help:"Arguments, typed by the tool's schema; or - to read them as JSON from standard input."`

	Args       string `help:"Arguments as one JSON object, sent as they are; or the file that holds it." placeholder:"JSON|@FILE" xor:"arguments"`
	Json       bool   `help:"Print the whole result as JSON." xor:"output"`
	Content    bool   `help:"Print what the model reads." xor:"output"`
	Structured bool   `help:"Print the structured content, byte for byte." xor:"output"`
}

func (*callCommand) Help() string {
	return `The left panel is what the model reads, the right one what the application gets. The result is held against the
schema that the tool publishes.

    diptych call rooms find_slots room_id=A1 minutes=30
    diptych call http://127.0.0.1:8080/mcp find_slots room_id=A1
    diptych call add a=2 b=3 -- python server.py
    echo '{"a": 2, "b": 3}' | diptych call add - --structured -- python server.py

A key given twice makes a list. What is an object is written as JSON: filter='{"open": true}'. After := the value is JSON
whatever the schema says: code:='"007"'. A question of the server is answered with no unless you say yes, where the tool
is not marked read-only.`
}

func (l *callCommand) Run(ctx context.Context, c *console) error {
	if len(c.command) == 0 && isURL(l.Tool) && !isURL(l.Server) {
		return fail(exitUsage, "the server comes before the tool; write diptych call %s %s", l.Tool, l.Server)
	}
	typed, err := l.given(c)
	if err != nil {
		return err
	}
	calling, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	clock := countdown.New(l.Timeout, func() { cancel(errTimeout) })
	defer clock.Stop()
	bar := terminal.NewBar(c.stderr, c.errors)
	asker := newAsker(c, clock, bar)
	session, server, err := l.open(ctx, c, mcp.ClientOptions{
		ElicitationHandler: asker.answer,
		ProgressNotificationHandler: func(_ context.Context, r *mcp.ProgressNotificationClientRequest) {
			bar.Set(r.Params.Progress, r.Params.Total, r.Params.Message)
		},
	})
	if err != nil {
		return err
	}
	defer session.Close()
	tools, err := l.list(ctx, server, session)
	if err != nil {
		return err
	}
	tool, err := find(tools, l.Tool)
	if err != nil {
		return err
	}
	asker.readOnly = tool.Annotations != nil && tool.Annotations.ReadOnlyHint
	if typed == nil {
		if typed, err = arguments.Parse(tool.Input, l.Words); err != nil {
			return fail(exitUsage, "%s: %v", tool.Name, err)
		}
	}
	clock.Resume()
	result, err := session.Call(calling, tool.Name, typed, "diptych")
	bar.Clear()
	if err != nil {
		if e, ok := peer.Refused(err); ok {
			return fail(exitFailed, "%s refuses the call: %s (%d)", server.Label, e.Message, e.Code)
		}
		return silent(calling, server, session, err)
	}
	return l.show(c, server, tool, result)
}

func isURL(s string) bool { return strings.HasPrefix(s, "http://") || strings.HasPrefix(s, "https://") }

// given is what --args or standard input holds, or nil when the arguments are words.
func (l *callCommand) given(c *console) (json.RawMessage, error) {
	text, from := l.Args, "--args"
	if path, ok := strings.CutPrefix(l.Args, "@"); ok {
		f, err := os.Open(path)
		if err != nil {
			return nil, fail(exitUsage, "--args: %v", err)
		}
		read, err := readAll(f)
		f.Close()
		if err != nil {
			return nil, fail(exitUsage, "%s: %v", path, err)
		}
		text, from = string(read), path
	}
	switch {
	case len(l.Words) == 1 && l.Words[0] == "-" && l.Args == "":
		read, err := readAll(c.stdin)
		if err != nil {
			return nil, fail(exitUsage, "standard input: %v", err)
		}
		text, from = string(read), "standard input"
	case l.Args == "":
		return nil, nil
	case len(l.Words) > 0:
		return nil, fail(exitUsage, "--args and %s; give one of them", l.Words[0])
	}
	var object map[string]json.RawMessage
	if err := json.Unmarshal([]byte(text), &object); err != nil || object == nil {
		return nil, fail(exitUsage, `%s: not a JSON object; write {"key": "value"}`, from)
	}
	return json.RawMessage(strings.TrimSpace(text)), nil
}

// show prints the answer and says how it ended.
func (l *callCommand) show(c *console, server peer.Server, tool peer.Tool, result peer.Result) error {
	verdict := tool.Judge(result)
	switch {
	case l.Json:
		if err := printResult(c, result); err != nil {
			return err
		}
	case l.Content:
		fmt.Fprintln(c.stdout, blocks(result.Content, false))
	case l.Structured:
		if result.Structured != nil {
			_, _ = c.stdout.Write(append(result.Structured, '\n'))
		}
	default:
		showPanels(c, result, verdict)
	}
	switch {
	case result.IsError:
		more := l.whereToLook(server, tool.Name, result)
		if l.Structured {
			return fail(exitToolError, "%s failed: %s%s", tool.Name, blocks(result.Content, false), more)
		}
		return fail(exitToolError, "%s failed%s", tool.Name, more)
	case verdict.Broken():
		return fail(exitMismatch, "the result breaks the schema that %s publishes\n  %s", tool.Name, strings.Join(verdict.Faults, "\n  "))
	case verdict.Unverified != nil:
		fmt.Fprintf(c.stderr, "%s not held against the schema: %s\n", c.errors.Yellow("diptych:"), terminal.Clean(verdict.Unverified.Error()))
	}
	return nil
}

// whereToLook says who knows more of a failure than the answer tells: why, where it is masked, and the remedy of a result
// that broke its promise.
func (l *callCommand) whereToLook(server peer.Server, tool string, result peer.Result) string {
	said := strings.TrimSpace(blocks(result.Content, false))
	switch {
	case said != "" && said != "Error executing tool "+tool && !strings.HasPrefix(said, "Error executing tool "+tool+": the tool "):
		return ""
	case server.URL != "":
		return "; the server's own log says more"
	case l.Verbose:
		return "; the server's log above says more"
	}
	return "; --verbose shows the server's log"
}

// printResult writes the result as it came; its structured content stays digit for digit.
func printResult(c *console, r peer.Result) error {
	out := struct {
		Content    []mcp.Content   `json:"content"`
		Structured json.RawMessage `json:"structuredContent,omitempty"`
		IsError    bool            `json:"isError,omitempty"`
		Meta       mcp.Meta        `json:"_meta,omitempty"`
	}{r.Content, r.Structured, r.IsError, r.Meta}
	if out.Content == nil {
		out.Content = []mcp.Content{}
	}
	return printJSON(c, out)
}

var errTimeout = errors.New("timeout")
