// Command diptych lists, calls and checks any MCP server from a terminal, and generates tools from Go source.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"syscall"

	"github.com/alecthomas/kong"

	"github.com/diptych-mcp/diptych/cmd/diptych/internal/terminal"
)

// cli is the command line. A command is a struct with a Run method that may ask for a *console.
type cli struct {
	Ls     lsCommand     `cmd:"" help:"List the tools of a server: what goes in, what comes out."`
	Call   callCommand   `cmd:"" help:"Call one tool and show both panels of its answer."`
	Check  checkCommand  `cmd:"" help:"Audit a server: a verdict for every tool, a remedy for every finding."`
	Diff   diffCommand   `cmd:"" help:"Compare two versions of a server: what breaks its clients."`
	Client clientCommand `cmd:"" help:"Write a typed Go client for the tools of a server."`
	Gen    genCommand    `cmd:"" help:"Write tools_gen.go: functions marked //diptych:tool become tools."`

	Completion completionCommand `cmd:"" help:"Print a completion script for a shell."`

	Color   string           `enum:"auto,always,never" default:"auto" help:"Colours: ${enum}. NO_COLOR is heeded." placeholder:"WHEN"`
	Version kong.VersionFlag `help:"Print the version."`
}

const description = `The author's eye on an MCP server.

SERVER is a URL, a name from .mcp.json, mcp.json or diptych/mcp.json in the user's config folder, or, behind --, a
command that speaks over standard input and output:

    diptych ls -- python server.py
    diptych call find_slots room_id=A1 day=2026-03-02 -- python server.py
    diptych check http://127.0.0.1:8080/mcp
    diptych diff contract.json -- python server.py

Exit codes: 0 good, 1 failed, 2 usage, 3 server not reached or silent, 4 result breaks its schema, 5 tool error,
130 interrupted.`

// Exit codes, as the help tells them.
const (
	exitFailed      = 1
	exitUsage       = 2
	exitUnreachable = 3
	exitMismatch    = 4
	exitToolError   = 5
	exitInterrupted = 130
)

// A failure is how a command ends when it does not end well. An empty text has been said already.
type failure struct {
	code int
	text string
	tail string // the server's last words
}

func (f *failure) Error() string { return f.text }

func fail(code int, format string, args ...any) error {
	return &failure{code: code, text: fmt.Sprintf(format, args...)}
}

// A console is where a command reads and writes.
type console struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	style, errors  terminal.Style // of stdout, of stderr
	command        []string       // the words after --
	parser         *kong.Kong
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // the second one ends the process at once
	code := run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	c := &console{stdin: stdin, stdout: stdout, stderr: stderr}
	c.errors = terminal.NewStyle("auto", stderr)
	args, c.command = cut(args)
	var grammar cli
	exited, code := false, 0
	parser, err := kong.New(&grammar,
		kong.Name("diptych"), kong.Description(description), kong.Vars{"version": "diptych " + version()},
		kong.Writers(stdout, stderr), kong.ConfigureHelp(kong.HelpOptions{Compact: true, WrapUpperBound: 100}),
		kong.Exit(func(n int) { exited, code = true, n }),
		kong.BindTo(ctx, (*context.Context)(nil)), kong.Bind(c),
	)
	if err != nil {
		return c.report(err)
	}
	c.parser = parser
	if len(args) == 0 {
		args = []string{"--help"}
	}
	parsed, err := parser.Parse(args)
	if exited {
		return code
	}
	if err != nil {
		return c.report(c.usage(err))
	}
	c.style, c.errors = terminal.NewStyle(grammar.Color, stdout), terminal.NewStyle(grammar.Color, stderr)
	err = parsed.Run()
	if err != nil && ctx.Err() != nil {
		err = fail(exitInterrupted, "interrupted")
	}
	return c.report(err)
}

// cut removes the server's command, after --, and leaves its words as the SERVER argument, which comes first, except in diff.
func cut(args []string) (rest, command []string) {
	for i, arg := range args {
		if arg != "--" {
			continue
		}
		head, command := args[:i:i], args[i+1:]
		for j, word := range head {
			switch word {
			case "diff": // the command is the new version, and comes second
				return append(head, strings.TrimLeft(strings.Join(command, " "), "-")), command
			case "ls", "call", "check", "client":
				rest = append(rest, head[:j+1]...)
				rest = append(rest, strings.TrimLeft(strings.Join(command, " "), "-"))
				return append(rest, head[j+1:]...), command
			}
		}
		break
	}
	return args, nil
}

// usage says what is wrong with the command line, and what would be right.
func (c *console) usage(err error) error {
	text := err.Error()
	var parse *kong.ParseError
	if !errors.As(err, &parse) {
		return fail(exitUsage, "%s", text)
	}
	name, summary := "diptych", " <command>"
	if node := parse.Context.Selected(); node != nil {
		name, summary = node.FullPath(), strings.TrimPrefix(node.Summary(), node.Path())
	}
	switch {
	case strings.Contains(text, `"<server>`) && len(c.command) == 0:
		text = "which server? give a URL, a name from a config file, or a command behind --"
	case strings.Contains(text, `"<old>`), strings.Contains(text, `"<new>`):
		text = "which versions? give two of: a file that diptych ls --json wrote, a URL, a name from a config file, and for the new one a command behind --"
	case strings.Contains(text, `"<tool>`):
		text = "which tool? diptych ls lists them"
	case strings.HasPrefix(text, "unexpected argument") && len(c.command) == 0 && (strings.HasPrefix(name, "diptych ls") || strings.HasPrefix(name, "diptych check") || strings.HasPrefix(name, "diptych client")):
		text += "; a server's command stands behind --: " + name + " -- " + strings.Join(positional(parse.Context.Args), " ")
	}
	return fail(exitUsage, "%s\nusage: %s %s\nmore:  %s --help", text, name, strings.TrimSpace(summary), name)
}

// positional returns the words that a person wrote after the command's name.
func positional(args []string) []string {
	var words []string
	for _, arg := range args[min(1, len(args)):] {
		if !strings.HasPrefix(arg, "-") {
			words = append(words, arg)
		}
	}
	return words
}

// report prints an error, if there is one, and returns the exit code.
func (c *console) report(err error) int {
	if err == nil {
		return 0
	}
	var f *failure
	if !errors.As(err, &f) {
		f = &failure{code: exitFailed, text: err.Error()}
	}
	if f.text != "" {
		fmt.Fprintf(c.stderr, "%s %s\n", c.errors.Red("diptych:"), terminal.Clean(f.text))
	}
	if tail := strings.TrimSpace(terminal.Clean(f.tail)); tail != "" {
		fmt.Fprintln(c.stderr, c.errors.Dim("the server's last words:"))
		for _, line := range lastLines(tail, maxTail) {
			fmt.Fprintln(c.stderr, c.errors.Dim("  "+line))
		}
	}
	return f.code
}

func lastLines(text string, n int) []string {
	lines := strings.Split(text, "\n")
	return lines[max(0, len(lines)-n):]
}

// version is that of the module, or the revision that this was built from.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	return versionOf(info)
}

func versionOf(info *debug.BuildInfo) string {
	if v := info.Main.Version; v != "" && v != "(devel)" && !strings.HasPrefix(v, "v0.0.0-0") && v != "v0.0.0" {
		return v
	}
	revision, changed := "", ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			revision = s.Value
		case s.Key == "vcs.modified" && s.Value == "true":
			changed = "+dirty"
		}
	}
	if revision == "" {
		return "devel"
	}
	return revision[:min(len(revision), 12)] + changed
}
