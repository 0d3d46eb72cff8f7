package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych/cmd/diptych/internal/notation"
	"github.com/diptych-mcp/diptych/cmd/diptych/internal/peer"
	"github.com/diptych-mcp/diptych/cmd/diptych/internal/terminal"
)

type lsCommand struct {
	target `embed:""`
	Tools  []string `arg:"" optional:"" name:"tool" help:"Only these tools."`
	Json   bool     `help:"Print the tools as JSON, schemas as they were published."`
}

func (*lsCommand) Help() string {
	return `A tool reads like a function:

    find_slots(room_id: string, day: string, minutes?: 30|60|120 = 60) -> [Slot{room_id: string, start: string}]

"?" marks what may be left out, "= 60" what it then is; "text" stands where a tool promises no structure.

    diptych ls -- python server.py
    diptych ls rooms find_slots --json`
}

func (l *lsCommand) Run(ctx context.Context, c *console) error {
	session, server, err := l.open(ctx, c, mcp.ClientOptions{})
	if err != nil {
		return err
	}
	defer session.Close()
	tools, err := l.list(ctx, server, session)
	if err != nil {
		return err
	}
	if len(l.Tools) > 0 {
		var chosen []peer.Tool
		for _, name := range l.Tools {
			tool, err := find(tools, name)
			if err != nil {
				return err
			}
			chosen = append(chosen, tool)
		}
		tools = chosen
	}
	if l.Json {
		return printTools(c, tools)
	}
	width, live := terminal.Columns(c.stdout)
	fmt.Fprintln(c.stdout, heading(c.style, session, len(tools)))
	for _, tool := range tools {
		fmt.Fprintln(c.stdout)
		if live {
			listWrapped(c, tool, min(width, 120))
		} else {
			listPlain(c, tool)
		}
	}
	return nil
}

// heading is the server's name, version, protocol revision and number of tools.
func heading(style terminal.Style, session *peer.Session, tools int) string {
	var name, era string
	if r := session.InitializeResult(); r != nil {
		era = r.ProtocolVersion
		if r.ServerInfo != nil {
			name = terminal.Short(strings.TrimSpace(r.ServerInfo.Name+" "+r.ServerInfo.Version), 60)
		}
	}
	if name == "" {
		name = "a server without a name"
	}
	count := fmt.Sprintf("%d tools", tools)
	if tools == 1 {
		count = "1 tool"
	}
	return style.Bold(name) + style.Dim("  "+terminal.Short(era, 20)+"  "+count)
}

func listPlain(c *console, tool peer.Tool) {
	fmt.Fprintln(c.stdout, terminal.Line(notation.Signature(tool.Name, tool.Input, tool.Output)))
	if text := terminal.Line(tool.Description); text != "" {
		fmt.Fprintln(c.stdout, "    "+text)
	}
}

func listWrapped(c *console, tool peer.Tool, width int) {
	name := terminal.Line(tool.Name)
	parameters, result := terminal.Line(notation.Parameters(tool.Input)), terminal.Line(notation.Result(tool.Output))
	paintName := func(line string) string { return strings.Replace(line, name, c.style.Bold(name), 1) }
	if line := name + parameters + " -> " + result; terminal.Width(line) <= width {
		fmt.Fprintln(c.stdout, paintName(name)+parameters+c.style.Dim(" -> ")+c.style.Cyan(result))
	} else {
		for i, line := range terminal.Wrap(name+parameters, width-4) {
			if i == 0 {
				line = paintName(line)
			} else {
				line = "    " + line
			}
			fmt.Fprintln(c.stdout, line)
		}
		for i, line := range terminal.Wrap(result, width-7) {
			arrow := "    " + c.style.Dim("-> ")
			if i > 0 {
				arrow = "       "
			}
			fmt.Fprintln(c.stdout, arrow+c.style.Cyan(line))
		}
	}
	for i, line := range terminal.Wrap(terminal.Short(tool.Description, 4*width), width-4) {
		if i == 3 {
			fmt.Fprintln(c.stdout, c.style.Dim("    …"))
			break
		}
		if line != "" {
			fmt.Fprintln(c.stdout, c.style.Dim("    "+line))
		}
	}
}

// printTools writes the tools as the server published them: key order and digits are its own.
func printTools(c *console, tools []peer.Tool) error {
	type published struct {
		Name         string               `json:"name"`
		Title        string               `json:"title,omitempty"`
		Description  string               `json:"description,omitempty"`
		InputSchema  json.RawMessage      `json:"inputSchema,omitempty"`
		OutputSchema json.RawMessage      `json:"outputSchema,omitempty"`
		Annotations  *mcp.ToolAnnotations `json:"annotations,omitempty"`
		Meta         mcp.Meta             `json:"_meta,omitempty"`
	}
	list := make([]published, len(tools))
	for i, t := range tools {
		list[i] = published{t.Name, t.Title, t.Description, t.Input, t.Output, t.Annotations, t.Meta}
	}
	return printJSON(c, list)
}

func printJSON(c *console, v any) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(v); err != nil {
		return err
	}
	_, err := c.stdout.Write(b.Bytes())
	return err
}
