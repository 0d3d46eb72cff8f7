package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// The fixture is the server of the scripts: `fixture good`, `fixture lying`, … over standard input and output. It is built
// on the SDK's low-level AddTool, so that it can say anything, true or not.

// a tool of the fixture: schemas as text, and what it answers.
type fixtureTool struct {
	name, description, input, output string
	readOnly                         bool
	answer                           func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error)
}

const slotsInput = `{"type":"object","additionalProperties":false,"required":["room_id","day"],"properties":{
	"room_id":{"type":"string","description":"The room."},
	"day":{"type":"string","format":"date","description":"The day."},
	"minutes":{"enum":[30,60,120],"default":60,"description":"How long."}}}`

const slotsOutput = `{"$defs":{"Slot":{"type":"object","title":"Slot","required":["room_id","start","minutes"],"properties":{
	"room_id":{"type":"string"},"start":{"type":"string"},"minutes":{"type":"integer"}}}},
	"type":"object","title":"find_slotsOutput","required":["result"],"properties":{"result":{"type":"array","items":{"$ref":"#/$defs/Slot"}}}}`

const noInput = `{"type":"object","additionalProperties":false,"properties":{}}`

var goodTools = []fixtureTool{
	{name: "find_slots", description: "Finds free slots in a room.", input: slotsInput, output: slotsOutput, readOnly: true, answer: findSlots},
	{name: "digits", description: "Answers with numbers that must not change.", input: noInput, readOnly: true,
		output: `{"type":"object","properties":{"zeta":{"type":"number"},"alpha":{"type":"number"}},"required":["zeta","alpha"]}`,
		answer: says(`{"zeta": 1.10, "alpha": 9007199254740993}`, `{"zeta":1.10,"alpha":9007199254740993}`)},
	{name: "remark", description: "Answers with text alone.", input: noInput, readOnly: true, answer: says("Good morning,\nthe café 日本 opens at nine.", "")},
	{name: "slow", description: "Counts to three and tells how far it is.", input: noInput, readOnly: true, answer: slow},
	{name: "book", description: "Asks before it books.", input: noInput, answer: book},
	{name: "visit", description: "Sends the user to a page first.", input: noInput, answer: visit},
	{name: "fail", description: "Always fails.", input: noInput, readOnly: true, answer: fails("the room is closed")},
}

var lyingTools = []fixtureTool{
	{name: "wrong_type", description: "d", input: noInput, output: `{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}`, readOnly: true, answer: says("x", `{"n":"many"}`)},
	{name: "missing", description: "d", input: noInput, output: `{"type":"object"}`, readOnly: true, answer: says("x", "")},
	{name: "never", description: "d", input: noInput, answer: func(ctx context.Context, _ *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		<-ctx.Done()
		select {}
	}},
	{name: "closing", description: "d", input: noInput, answer: func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		fmt.Fprint(os.Stdout, `{"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"te`)
		fmt.Fprintln(os.Stderr, "fixture: out of memory\x1b[31m")
		os.Exit(7)
		return nil, nil
	}},
	{name: "huge", description: "d", input: noInput, answer: func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		// Past the SDK, which would need many seconds to write it.
		fmt.Fprint(os.Stdout, `{"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"`)
		for range 100 {
			if _, err := fmt.Fprint(os.Stdout, strings.Repeat("x", 1<<20)); err != nil {
				break
			}
		}
		fmt.Fprintln(os.Stdout, `"}]}}`)
		return text("x"), nil
	}},
	{name: "garbage", description: "d", input: noInput, answer: func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		fmt.Fprintln(os.Stdout, "Server ready!")
		return text("x"), nil
	}},
	{name: "controls", description: "a\x1b[2Jb\u202ec", input: noInput, answer: says("red \x1b[31m and \x07 and \u202eback", "")},
	{name: "protocol", description: "d", input: noInput, answer: func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return nil, errors.New("no such thing")
	}},
	{name: "cycle", description: "d", input: noInput, output: `{"type":"object","allOf":[{"$ref":"#"}]}`, answer: says("x", `{"n":1}`)},
}

func text(s string) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: s}}}
}

func says(content, structured string) func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	return func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		r := text(content)
		if structured != "" {
			r.StructuredContent = json.RawMessage(structured)
		}
		return r, nil
	}
}

func fails(content string) func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	return func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		r := text(content)
		r.IsError = true
		return r, nil
	}
}

func findSlots(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	var in struct {
		Room    string `json:"room_id"`
		Day     string `json:"day"`
		Minutes *int   `json:"minutes"`
	}
	if err := json.Unmarshal(req.Params.Arguments, &in); err != nil {
		return fails("arguments: a field has the wrong type")(nil, nil)
	}
	minutes := 60
	if in.Minutes != nil {
		minutes = *in.Minutes
	}
	slot := fmt.Sprintf(`{"room_id":%q,"start":"%sT09:00","minutes":%d}`, in.Room, in.Day, minutes)
	return says(slot, `{"result":[`+slot+`]}`)(nil, nil)
}

func slow(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	for i := range 3 {
		_ = req.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{
			ProgressToken: req.Params.GetProgressToken(), Progress: float64(i + 1), Total: 3, Message: fmt.Sprintf("step %d", i+1),
		})
	}
	return text("done"), nil
}

func book(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	if req.Params.InputResponses == nil {
		r := &mcp.CallToolResult{RequestState: "asked", InputRequests: mcp.InputRequestMap{"who": &mcp.ElicitParams{
			Mode: "form", Message: "Who books the room?",
			RequestedSchema: json.RawMessage(`{"type":"object","required":["name"],"properties":{
				"name":{"type":"string","description":"Your name"},"seats":{"type":"integer","default":2},"floor":{"type":"string","enum":["low","high"]}}}`),
		}}}
		return r, nil
	}
	answer, _ := req.Params.InputResponses["who"].(*mcp.ElicitResult)
	if answer == nil || answer.Action != "accept" {
		return fails("nobody agreed")(nil, nil)
	}
	told, _ := json.Marshal(answer.Content)
	return text("booked " + string(told)), nil
}

func visit(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	if req.Params.InputResponses == nil {
		return &mcp.CallToolResult{InputRequests: mcp.InputRequestMap{"page": &mcp.ElicitParams{
			Mode: "url", Message: "Please log in.", URL: "https://example.com/login", ElicitationID: "1",
		}}}, nil
	}
	if answer, _ := req.Params.InputResponses["page"].(*mcp.ElicitResult); answer == nil || answer.Action != "accept" {
		return fails("nobody went")(nil, nil)
	}
	return text("visited"), nil
}

// fixtureServer is a server with these tools.
func fixtureServer(tools []fixtureTool) *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "fixture", Version: "1.0.0"}, nil)
	for _, t := range tools {
		tool := &mcp.Tool{Name: t.name, Description: t.description, InputSchema: json.RawMessage(t.input)}
		if t.output != "" {
			tool.OutputSchema = json.RawMessage(t.output)
		}
		if t.readOnly {
			tool.Annotations = &mcp.ToolAnnotations{ReadOnlyHint: true}
		}
		s.AddTool(tool, t.answer)
	}
	return s
}

// bare is a server without the SDK, which would not let it list what it lists: it ends before it lists its tools, does not
// list them, or lists one whose bound no decoder takes.
func bare(mode string) {
	answer := func(line, result string) {
		var m struct{ ID json.RawMessage }
		_ = json.Unmarshal([]byte(line), &m) // the client of this project wrote it
		fmt.Printf(`{"jsonrpc":"2.0","id":%s,"result":%s}`+"\n", m.ID, result)
	}
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		switch line := in.Text(); {
		case strings.Contains(line, `"initialize"`):
			answer(line, `{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"fixture","version":"1.0.0"}}`)
		case strings.Contains(line, `"server/discover"`):
			os.Exit(2) // as servers do that know only initialize
		case !strings.Contains(line, `"tools/list"`):
		case mode == "leaves":
			fmt.Fprintln(os.Stderr, "fixture: the database is gone")
			os.Exit(6)
		case mode == "numbers":
			answer(line, `{"tools":[{"name":"fine","description":"d","inputSchema":{"type":"object","properties":{}},"outputSchema":{"type":"object"}},`+
				`{"name":"huge","description":"d","inputSchema":{"type":"object","properties":{"a":{"type":"number","description":"d","minimum":1e100000}}},"outputSchema":{"type":"object"}}]}`)
		}
	}
}

// fixture is the program.
func fixture() {
	mode := "good"
	if len(os.Args) > 1 {
		mode = os.Args[1]
	}
	switch mode {
	case "silent": // reads and says nothing, until its input ends
		_, _ = io.Copy(io.Discard, os.Stdin)
		return
	case "deaf": // does not even end when it is asked to
		for {
			time.Sleep(time.Hour)
		}
	case "chatty":
		fmt.Println("Listening on port 3000")
		_, _ = io.Copy(io.Discard, os.Stdin)
	case "leaves", "listless", "numbers":
		bare(mode)
		return
	case "dead":
		fmt.Fprintln(os.Stderr, "fixture: no configuration")
		os.Exit(3)
	}
	tools := map[string][]fixtureTool{"good": goodTools, "lying": lyingTools, "flawed": flawedTools, "hosts": hostTools}[mode]
	if err := fixtureServer(tools).Run(context.Background(), &mcp.StdioTransport{}); err != nil {
		os.Exit(1)
	}
}
