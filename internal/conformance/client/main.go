// Command client is the host's side of this library as the official conformance suite drives it: the suite starts it
// with the address of a test server and the name of a scenario, and judges what arrives there.
//
//	conformance client --requirements 2026-07-28 --command "go run ./internal/conformance/client"
//
// What the scenarios ask for is written on the suite's side; see the npm package @modelcontextprotocol/conformance.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/signal"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Getenv("MCP_CONFORMANCE_SCENARIO"), os.Getenv("MCP_CONFORMANCE_CONTEXT")); err != nil {
		fmt.Fprintf(os.Stderr, "conformance client: %v\n", err)
		os.Exit(1)
	}
}

// run plays one scenario against the server whose address is the last argument.
func run(ctx context.Context, args []string, scenario, settings string) error {
	if len(args) == 0 || scenario == "" {
		return fmt.Errorf("no server or no scenario; let the suite start this command")
	}
	h := &host{endpoint: args[len(args)-1]}
	if settings != "" {
		if err := json.Unmarshal([]byte(settings), &h.settings); err != nil {
			return fmt.Errorf("MCP_CONFORMANCE_CONTEXT: %w", err)
		}
	}
	play, ok := scenarios[scenario]
	if family, _, found := strings.Cut(scenario, "/"); found && !ok {
		play, ok = scenarios[family+"/"]
	}
	if !ok {
		return fmt.Errorf("scenario %q is not known; add it to scenarios", scenario)
	}
	return play(ctx, h)
}

// A host is the client of one scenario.
type host struct {
	endpoint string
	settings settings
	oauth    auth.OAuthHandler
	answers  map[string]any // to every question; nil: the client cannot be asked
}

// settings is what the suite tells of some scenarios.
type settings struct {
	ClientID     string `json:"client_id"`
	ClientSecret string `json:"client_secret"`
	ToolCalls    []struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
	} `json:"toolCalls"`
}

func (h *host) connect(ctx context.Context) (*mcp.ClientSession, error) {
	opts := &mcp.ClientOptions{}
	if h.answers != nil {
		opts.ElicitationHandler = func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			return &mcp.ElicitResult{Action: "accept", Content: h.answers}, nil
		}
	}
	c := mcp.NewClient(&mcp.Implementation{Name: "diptych", Version: "0"}, opts)
	return c.Connect(ctx, diptych.Exact(&mcp.StreamableClientTransport{Endpoint: h.endpoint, OAuthHandler: h.oauth}), nil)
}
