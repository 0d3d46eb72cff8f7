package host

// Each limit on what a server sends is crossed by one.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych/internal/validate"
)

// inProcess is a server in this process.
func inProcess(s *mcp.Server) Server {
	return Server{ID: "s", AllowWithoutSources: true, Transport: func() (mcp.Transport, error) {
		here, there := mcp.NewInMemoryTransports()
		_, err := s.Connect(context.Background(), there, nil)
		return here, err
	}}
}

func texts(n int) []mcp.Content {
	content := make([]mcp.Content, n)
	for i := range content {
		content[i] = &mcp.TextContent{Text: "t"}
	}
	return content
}

func TestAnswerLimits(t *testing.T) {
	large := strings.Repeat("x", 1000)
	for _, c := range []struct {
		name string
		res  *mcp.CallToolResult
		most int
		ok   bool
	}{
		{"blocks that are as many as may be", &mcp.CallToolResult{Content: texts(maxBlocks)}, defaultMaxResult, true},
		{"one block more", &mcp.CallToolResult{Content: texts(maxBlocks + 1)}, defaultMaxResult, false},
		{"content that is as large as may be", &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: large}}}, 1100, true},
		{"content that is larger", &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: large}}}, 1000, false},
		{"structured content that is larger", &mcp.CallToolResult{Content: []mcp.Content{}, StructuredContent: json.RawMessage(`"` + large + `"`)}, 1000, false},
	} {
		if got := (Tool{}).read(c.res, c.most); got.IsError == c.ok || !c.ok && !strings.Contains(got.Blocks[0].Text, "larger than the gateway takes") {
			t.Errorf("%s: %.200v", c.name, got.Blocks)
		}
	}
}

func TestListLimits(t *testing.T) {
	tool := func(i int) *mcp.Tool {
		return &mcp.Tool{Name: fmt.Sprint("t", i), InputSchema: json.RawMessage(`{"type":"object"}`)}
	}
	answer := func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return &mcp.CallToolResult{}, nil
	}
	for _, c := range []struct {
		tools, page int
		fault       string
	}{
		{maxTools, maxTools, ""},
		{maxTools + 1, maxTools + 1, fmt.Sprintf("it lists more than %d tools", maxTools)},
		{maxPages, 1, ""},
		{maxPages + 1, 1, fmt.Sprintf("it lists its tools on more than %d pages", maxPages)},
	} {
		t.Run(fmt.Sprint(c.tools, " tools, ", c.page, " a page"), func(t *testing.T) {
			s := mcp.NewServer(&mcp.Implementation{Name: "long"}, &mcp.ServerOptions{PageSize: c.page})
			for i := range c.tools {
				s.AddTool(tool(i), answer)
			}
			h := start(t, Options{}, inProcess(s))
			if health := h.Health()[0]; !strings.Contains(health.Fault, c.fault) || (health.State == Up) != (c.fault == "") || c.fault == "" && health.Tools != c.tools {
				t.Errorf("%d tools, %s, %q", health.Tools, health.State, health.Fault)
			}
		})
	}
}

func TestRoundLimit(t *testing.T) {
	s := mcp.NewServer(&mcp.Implementation{Name: "busy"}, nil)
	calls := 0
	s.AddTool(&mcp.Tool{Name: "asks", InputSchema: json.RawMessage(`{"type":"object"}`)}, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		calls++
		return &mcp.CallToolResult{InputRequests: mcp.InputRequestMap{"a": &mcp.ElicitParams{Message: "Again?"}}}, nil
	})
	h := start(t, Options{}, inProcess(s))
	got, err := h.Call(t.Context(), "s__asks", nil, Callbacks{Ask: func(context.Context, Question) Answer { return Answer{Action: Decline} }})
	if err != nil || calls != maxRounds || got.Blocks[0].Text != "The tool asked again and again and was stopped." {
		t.Errorf("%d rounds: %+v, %v", calls, got.Blocks, err)
	}
}

// What a server says of a tool, of itself and of its faults is cut before it is kept.
func TestTextLimits(t *testing.T) {
	long := strings.Repeat("x", 5000)
	open := json.RawMessage(`{"type":"object"}`)
	s := Server{ID: "s", AllowWithoutSources: true}
	tools, _ := s.screen([]*mcp.Tool{
		{Name: "t", Title: long, Description: long, InputSchema: open},
		{Name: long, InputSchema: open},
		{Name: "odd", InputSchema: json.RawMessage(`{"type":"string","pattern":"(` + long + `"}`)},
	})
	for _, c := range []struct {
		what      string
		got, most int
	}{
		{"title", len(tools[0].Title), maxTitle}, {"description", len(tools[0].Description), maxDescription}, {"name", len(tools[1].Name), maxName},
		{"note", len(tools[2].Note), maxSchemaFault + 100},
	} {
		if c.got > c.most+len("…") {
			t.Errorf("%s: %d bytes, at most %d", c.what, c.got, c.most)
		}
	}
	_, refused := Server{ID: "s"}.screen([]*mcp.Tool{{Name: long, InputSchema: open}})
	if len(refused[0].Tool) > maxTitle+len("…") || len(refused[0].Reason) > maxRefusal+len("…") {
		t.Errorf("a refusal of %d and %d bytes", len(refused[0].Tool), len(refused[0].Reason))
	}
	if got := withheld(long); len(got.Note) > maxNote+len("…") {
		t.Errorf("a note of %d bytes", len(got.Note))
	}
	x := &exchange{callbacks: Callbacks{Progress: func(p Progress) {
		if len(p.Message) > maxFault+len("…") {
			t.Errorf("a progress message of %d bytes", len(p.Message))
		}
	}}}
	x.progressed(&mcp.ProgressNotificationParams{Message: long})
	l := newLink(s, Options{Logger: discard})
	l.down(errors.New(long), 0)
	if len(l.fault) > maxFault+len("…") {
		t.Errorf("a fault of %d bytes", len(l.fault))
	}
}

func TestFaultLimits(t *testing.T) {
	var required []string
	for i := range 50 {
		required = append(required, fmt.Sprintf("%q", fmt.Sprint("p", i)))
	}
	schema := `{"type":"object","required":[` + strings.Join(required, ",") + `]}`
	c, err := validate.Compile([]byte(schema))
	if err != nil {
		t.Fatal(err)
	}
	if lines := strings.Split(faults(c, []byte(`{}`)), "\n"); len(lines) != maxFaults+1 || lines[maxFaults] != "and more" {
		t.Errorf("an answer's faults: %d lines", len(lines))
	}
	tool := &Tool{in: c}
	if _, err := tool.arguments(json.RawMessage(`{}`)); err == nil || strings.Count(err.Error(), "\n") != maxArgumentFaults || !strings.HasSuffix(err.Error(), "\nand 30 more") {
		t.Errorf("an argument's faults: %v", err)
	}
}

// A form has a bounded number of fields and choices, and its texts are cut.
func TestFormLimits(t *testing.T) {
	fields := func(n int) json.RawMessage {
		var all []string
		for i := range n {
			all = append(all, fmt.Sprintf(`"p%d":{"type":"string"}`, i))
		}
		return json.RawMessage(`{"type":"object","properties":{` + strings.Join(all, ",") + `}}`)
	}
	choices := func(n int) json.RawMessage {
		return json.RawMessage(`{"type":"object","properties":{"p":{"type":"string","enum":[` + strings.TrimSuffix(strings.Repeat(`"a",`, n), ",") + `]}}}`)
	}
	for _, c := range []struct {
		what   string
		schema json.RawMessage
		ok     bool
	}{
		{"fields", fields(maxFields), true}, {"one field more", fields(maxFields + 1), false},
		{"choices", choices(maxChoices), true}, {"one choice more", choices(maxChoices + 1), false},
	} {
		if _, err := readForm(c.schema); (err == nil) != c.ok {
			t.Errorf("%s: %v", c.what, err)
		}
	}
	long := strings.Repeat("x", 5000)
	got, err := readForm(json.RawMessage(`{"type":"object","properties":{"p":{"type":"string","title":"` + long + `","description":"` + long + `","format":"` + long + `"}}}`))
	if err != nil || len(got[0].Title) > maxTitle+3 || len(got[0].Description) > maxFieldText+3 || len(got[0].Format) > maxTitle+3 {
		t.Errorf("texts of a field are not cut, %v", err)
	}
	q, err := readQuestion("s", &mcp.ElicitParams{Message: long})
	if err != nil || len(q.Message) > maxQuestionText+3 {
		t.Errorf("a message of %d bytes, %v", len(q.Message), err)
	}
}

func TestTimeoutLimit(t *testing.T) {
	s := newSession()
	for range maxTimeouts - 1 {
		s.unanswered(true)
	}
	s.unanswered(false)
	for range maxTimeouts - 1 {
		s.unanswered(true)
	}
	select {
	case err := <-s.lost:
		t.Errorf("given up too soon: %v", err)
	default:
	}
	s.unanswered(true)
	select {
	case <-s.lost:
	default:
		t.Error("a session that answers nothing is kept")
	}
}

var discard = slog.New(slog.DiscardHandler)

// One call more than may be made at once waits for another to end.
func TestConcurrencyLimit(t *testing.T) {
	s := mcp.NewServer(&mcp.Implementation{Name: "slow"}, nil)
	begun, goOn := make(chan struct{}, maxCalls+1), make(chan struct{})
	s.AddTool(&mcp.Tool{Name: "t", InputSchema: json.RawMessage(`{"type":"object"}`)}, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		begun <- struct{}{}
		<-goOn
		return &mcp.CallToolResult{Content: texts(1)}, nil
	})
	h := start(t, Options{}, inProcess(s))
	var wg sync.WaitGroup
	for range maxCalls + 1 {
		wg.Go(func() {
			if got, err := h.Call(t.Context(), "s__t", nil, Callbacks{}); err != nil || got.IsError {
				t.Errorf("%+v, %v", got.Blocks, err)
			}
		})
	}
	for range maxCalls {
		<-begun
	}
	select {
	case <-begun:
		t.Errorf("more than %d calls go on", maxCalls)
	case <-time.After(50 * time.Millisecond):
	}
	close(goOn)
	wg.Wait()
}

func TestConfigurationLimits(t *testing.T) {
	for config, ok := range map[string]bool{
		`{"mcpServers":{"` + strings.Repeat("a", maxServerID) + `":{"command":"x"}}}`:   true,
		`{"mcpServers":{"` + strings.Repeat("a", maxServerID+1) + `":{"command":"x"}}}`: false,
		`{"mcpServers":{"a":{"command":"x"}},"timeouts":{"a":3600}}`:                    true,
		`{"mcpServers":{"a":{"command":"x"}},"timeouts":{"a":3601}}`:                    false,
		`{"mcpServers":{"a":{"command":"x"}},"timeouts":{"a":1e300}}`:                   false,
		`{"mcpServers":{"a":{"command":"x"}},"timeouts":{"a":-1}}`:                      false,
	} {
		if _, err := parseServers([]byte(config)); (err == nil) != ok {
			t.Errorf("%s: %v", config, err)
		}
	}
}
