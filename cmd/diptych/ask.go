package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych/cmd/diptych/internal/arguments"
	"github.com/diptych-mcp/diptych/cmd/diptych/internal/terminal"
	"github.com/diptych-mcp/diptych/cmd/diptych/internal/tree"
	"github.com/diptych-mcp/diptych/internal/countdown"
)

// An asker puts a server's questions to the person at the terminal, one after the other.
type asker struct {
	c        *console
	clock    *countdown.Timer
	bar      *terminal.Bar
	mu       sync.Mutex
	lines    chan string // what the person types; closed at its end
	readOnly bool        // the tool only reads, so that an empty line agrees
}

func newAsker(c *console, clock *countdown.Timer, bar *terminal.Bar) *asker {
	return &asker{c: c, clock: clock, bar: bar}
}

var errNoAnswer = errors.New("no answer")

func (a *asker) answer(ctx context.Context, req *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.clock.Pause()
	defer a.clock.Resume()
	a.bar.Clear()
	message := terminal.Clean(req.Params.Message)
	if !terminal.IsTerminal(a.c.stdin) {
		a.say("%s %s", a.c.errors.Yellow("the server asks, and nobody is at the terminal; declined:"), terminal.Line(message))
		return &mcp.ElicitResult{Action: "decline"}, nil
	}
	a.say("%s %s", a.c.errors.Bold("The server asks:"), message)
	var res *mcp.ElicitResult
	var err error
	if req.Params.URL != "" || req.Params.Mode == "url" {
		res, err = a.visit(ctx, req.Params.URL)
	} else {
		res, err = a.form(ctx, req.Params.RequestedSchema)
	}
	if errors.Is(err, errNoAnswer) {
		a.say("%s", a.c.errors.Dim("cancelled"))
		return &mcp.ElicitResult{Action: "cancel"}, nil
	}
	return res, err
}

// visit shows a URL. It is never opened: the person sees where it leads first.
func (a *asker) visit(ctx context.Context, url string) (*mcp.ElicitResult, error) {
	a.say("  %s", a.c.errors.Cyan(terminal.Line(url)))
	return a.confirm(ctx, "Open it in a browser if you trust it. Done?", nil)
}

func (a *asker) confirm(ctx context.Context, question string, content map[string]any) (*mcp.ElicitResult, error) {
	choice := " [y/N] "
	if a.readOnly {
		choice = " [Y/n] "
	}
	line, err := a.read(ctx, question+choice)
	if err != nil {
		return nil, err
	}
	line = strings.ToLower(strings.TrimSpace(line))
	if agreed := line == "y" || line == "yes" || line == "" && a.readOnly; !agreed {
		return &mcp.ElicitResult{Action: "decline"}, nil
	}
	return &mcp.ElicitResult{Action: "accept", Content: content}, nil
}

// form asks field by field, and once more before the answers leave.
func (a *asker) form(ctx context.Context, schema any) (*mcp.ElicitResult, error) {
	raw, err := json.Marshal(schema)
	if err != nil {
		return nil, err
	}
	root, err := tree.Parse(raw)
	if err != nil {
		return nil, err
	}
	content := make(map[string]any)
	for _, name := range fields(root) {
		value, given, err := a.field(ctx, root, name)
		if err != nil {
			return nil, err
		}
		if given {
			content[name] = value
		}
	}
	if len(content) == 0 {
		return a.confirm(ctx, "Agree?", content)
	}
	return a.confirm(ctx, "Send?", content)
}

// fields is the order of the questions: what is required as the schema lists it, then the rest. The order of properties
// does not survive the SDK's decoding.
func fields(root *tree.Node) []string {
	rest := make(map[string]bool)
	if properties := root.Get("properties"); properties != nil {
		for _, m := range properties.Members {
			rest[m.Name] = true
		}
	}
	var names []string
	for _, n := range root.List("required") {
		if rest[n.Text] {
			names = append(names, n.Text)
			delete(rest, n.Text)
		}
	}
	return append(names, slices.Sorted(maps.Keys(rest))...)
}

// field asks one question until the answer fits.
func (a *asker) field(ctx context.Context, root *tree.Node, name string) (value any, given bool, err error) {
	schema, required := root.Get("properties").Get(name), root.Has("required", name)
	label := terminal.Line(name)
	if text := terminal.Line(schema.Str("description")); text != "" {
		a.say("  %s", a.c.errors.Dim(text))
	}
	hint := arguments.Hint(schema)
	fallback := schema.Get("default")
	if fallback != nil {
		hint += " = " + terminal.Line(string(fallback.Raw))
	} else if !required {
		hint += ", may be left out"
	}
	for {
		line, err := a.read(ctx, fmt.Sprintf("  %s %s ", label, a.c.errors.Dim("("+hint+"):")))
		if err != nil {
			return nil, false, err
		}
		var raw json.RawMessage
		switch line = strings.TrimSpace(line); {
		case line == "" && fallback != nil:
			raw = fallback.Raw
		case line == "" && !required:
			return nil, false, nil
		case line == "":
			a.say("  %s", a.c.errors.Yellow("it is needed"))
			continue
		default:
			if raw, err = arguments.Answer(schema, line); err != nil {
				a.say("  %s", a.c.errors.Yellow(terminal.Line(err.Error())))
				continue
			}
		}
		err = json.Unmarshal(raw, &value)
		return value, err == nil, err
	}
}

func (a *asker) say(format string, args ...any) { fmt.Fprintf(a.c.stderr, format+"\n", args...) }

// read prompts for one line.
func (a *asker) read(ctx context.Context, prompt string) (string, error) {
	if a.lines == nil {
		a.lines = make(chan string)
		go func() {
			defer close(a.lines)
			in := bufio.NewScanner(io.LimitReader(a.c.stdin, maxTyped))
			for in.Scan() {
				a.lines <- in.Text()
			}
		}()
	}
	fmt.Fprint(a.c.stderr, prompt)
	select {
	case line, ok := <-a.lines:
		if !ok {
			fmt.Fprintln(a.c.stderr)
			return "", errNoAnswer
		}
		return line, nil
	case <-ctx.Done():
		fmt.Fprintln(a.c.stderr)
		return "", errNoAnswer
	}
}
