package host

// A server with a tool for each way to behave, in this process or as a process of its own.

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych/gateway/internal/watchdog"
)

// variable makes the test binary a server on its standard input and output.

const variable = "DIPTYCH_HOST_TEST_SERVER"

func TestMain(m *testing.M) {
	if mode := os.Getenv(variable); mode != "" {
		serve(mode)
		return
	}
	os.Exit(m.Run())
}

// serve is a server of one kind or another.
func serve(mode string) {
	switch mode {
	case "dies":
		fmt.Fprintln(os.Stderr, "no database")
		os.Exit(3)
	case "silent":
		select {}
	case "garbage":
		fmt.Println("Welcome to the server!")
		select {}
	case "endless":
		line := bytes.Repeat([]byte("x"), 1<<16)
		for {
			if _, err := os.Stdout.Write(line); err != nil {
				return
			}
		}
	case "old", "careful, old": // ends at the first question of the newest revision
		in := bufio.NewReader(os.Stdin)
		first, err := in.ReadBytes('\n')
		if err != nil || bytes.Contains(first, []byte("server/discover")) {
			os.Exit(1)
		}
		rest := io.NopCloser(io.MultiReader(bytes.NewReader(first), in))
		s := server()
		if mode == "careful, old" {
			s = careful()
		}
		_ = s.Run(context.Background(), &mcp.IOTransport{Reader: rest, Writer: os.Stdout})
	case "rude":
		rude()
	case "careful":
		_ = careful().Run(context.Background(), &mcp.StdioTransport{})
	default:
		_ = server().Run(context.Background(), &mcp.StdioTransport{})
	}
}

const (
	exactPanel = `{"sources":["https://a.example/"],"table":[["z","a"],[12345678901234567890,1.10],[-0,1e-7]],"force":"f"}`
	demands    = `{"type":"object","properties":{"sources":{"type":"array","minItems":1}},"required":["sources"]}`
)

// server has a tool for each way to behave.
func server() *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "test", Version: "1.2"}, nil)
	seen := make(chan struct{}, 1)
	add := func(name, output string, f func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error)) {
		t := &mcp.Tool{Name: name, Description: "d", InputSchema: json.RawMessage(`{"type":"object","properties":{"n":{"type":"integer"}}}`)}
		if output != "" {
			t.OutputSchema = json.RawMessage(output)
		}
		s.AddTool(t, f)
	}
	says := func(structured string) func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			res := &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "t"}}}
			if structured != "" {
				res.StructuredContent = json.RawMessage(structured)
			}
			return res, nil
		}
	}
	add("data", demands, says(exactPanel))
	add("lies", demands, says(`{"sources":["javascript:secret"],"secret":1}`))
	add("empty", demands, says(""))
	add("plain", "", says(""))
	add("unschooled", "", says(`{"n":12345678901234567890}`))
	add("typed", `{"type":"object","properties":{"n":{"type":"integer"}}}`, says(`{"n":12345678901234567890}`))
	add("mistyped", `{"type":"object","properties":{"n":{"type":"integer"}}}`, says(`{"n":"secret"}`))
	add("odd.name/é", demands, says(exactPanel))
	add("huge", demands, says(`{"sources":["https://a.example/"],"force":"`+strings.Repeat("x", 2<<20)+`"}`))
	add("mountain", "", func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: strings.Repeat("x", 20<<20)}}}, nil
	})
	add("hangs", demands, func(ctx context.Context, _ *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	})
	add("exits", demands, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		os.Exit(4)
		return nil, nil
	})
	add("fails", demands, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: "no such station"}}}, nil
	})
	add("counts", demands, func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		for i := range 3 {
			p := &mcp.ProgressNotificationParams{ProgressToken: req.Params.GetProgressToken(), Progress: float64(i + 1), Total: 3, Message: "step"}
			if err := req.Session.NotifyProgress(ctx, p); err != nil {
				return nil, err
			}
		}
		select { // an answer may overtake the progress before it: give none until the test has seen it
		case <-seen:
			return says(exactPanel)(ctx, req)
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	})
	add("seen", demands, func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		seen <- struct{}{}
		return says(exactPanel)(ctx, req)
	})
	addAsking(s)
	return s
}

// spawn starts the test binary as a server.
func spawn(id, mode string) Server {
	return Server{ID: id, Command: []string{os.Args[0]}, Env: map[string]string{variable: mode}, AllowWithoutSources: true}
}

func start(t *testing.T, o Options, servers ...Server) *Host {
	t.Helper()
	watchdog.Start(t, watchdog.Limit)
	o.Logger = slog.New(slog.DiscardHandler)
	h, err := Open(servers, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(h.Close)
	if err := h.Ready(t.Context()); err != nil {
		t.Fatal(err)
	}
	return h
}

// ways are the ways to reach the same server.

// recovers waits until a tool answers.

// TestMountainOverHTTP has 100 MB sent: the call fails, the session goes on.
