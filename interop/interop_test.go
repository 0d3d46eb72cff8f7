//go:build interop

// Package interop calls the example servers with other people's clients, which validate results by themselves. `make
// interop` installs the clients and runs these tests. Each client is a small script with one contract: a task on stdin,
// a report on stdout.
package interop

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych"
	"github.com/diptych-mcp/diptych/internal/conformance"
	"github.com/diptych-mcp/diptych/internal/exampleserver"
	"github.com/diptych-mcp/diptych/internal/wiretest"
)

// The clients, and the protocol revisions that they speak.
var clients = []struct {
	name      string
	script    []string
	revisions []string
}{
	{"python mcp", []string{"python", "python_mcp.py"}, []string{wiretest.Modern, wiretest.Legacy}},
	{"python fastmcp", []string{"python", "python_fastmcp.py"}, []string{wiretest.Modern, wiretest.Legacy}},
	{"typescript client 2", []string{"node", "typescript_client.mjs"}, []string{wiretest.Modern, wiretest.Legacy}},
	{"typescript sdk 1.32", []string{"node", "typescript_sdk.mjs", "@modelcontextprotocol/sdk"}, []string{wiretest.Legacy}},
	{"typescript sdk 1.25", []string{"node", "typescript_sdk.mjs", "sdk-1.25"}, []string{wiretest.Legacy}},
	{"inspector strict", []string{"node", "inspector.mjs"}, []string{wiretest.Modern, wiretest.Legacy}},
}

// A task is what a client is told to do: connect, list the tools, make the calls.
type task struct {
	URL      string `json:"url,omitempty"`
	Command  string `json:"command,omitempty"`
	Revision string `json:"revision"`
	Modern   bool   `json:"modern"`
	Calls    []call `json:"calls"`
}

type call struct {
	Tool      string          `json:"tool"`
	Arguments json.RawMessage `json:"arguments"`
}

// A report is what the client found.
type report struct {
	Revision string
	Tools    []wiretest.Tool
	Results  []struct {
		wiretest.Result
		Refused string // why the client did not accept the result
	}
}

func TestExamples(t *testing.T) {
	for name, tools := range map[string][]string{
		"weather": conformance.Weather, "rooms": conformance.Rooms, "cities": conformance.Data,
	} {
		program, err := exampleserver.Build(t.Context(), "github.com/diptych-mcp/diptych/examples/"+name, t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		server, err := exampleserver.Start(t.Context(), io.Discard, program)
		if err != nil {
			t.Fatal(err)
		}
		cases, err := conformance.Cases(tools...)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(name, func(t *testing.T) { // ends when every client has
			everyClient(t, func(t *testing.T, script []string, revision string) {
				t.Run("http", func(t *testing.T) { check(t, script, cases, task{URL: server.URL, Revision: revision}) })
				t.Run("stdio", func(t *testing.T) { check(t, script, cases, task{Command: program, Revision: revision}) })
			})
		})
		if err := server.Stop(); err != nil {
			t.Errorf("%s ended with %v", name, err)
		}
	}
}

// everyClient runs f for each client and revision, and returns when all are done.
func everyClient(t *testing.T, f func(t *testing.T, script []string, revision string)) {
	for _, c := range clients {
		for _, revision := range c.revisions {
			t.Run(c.name+" "+revision, func(t *testing.T) {
				t.Parallel()
				f(t, c.script, revision)
			})
		}
	}
}

func check(t *testing.T, script []string, cases []conformance.Case, todo task) {
	for _, c := range cases {
		todo.Calls = append(todo.Calls, call{c.Tool, c.Arguments})
	}
	got := run(t, script, todo)
	if len(got.Results) != len(cases) {
		t.Fatalf("the client reports %d results of %d calls", len(got.Results), len(cases))
	}
	for i, c := range cases {
		c.InputSchema, c.Schema, c.Structured = sorted(t, c.InputSchema), sorted(t, c.Schema), sorted(t, c.Structured)
		at := slices.IndexFunc(got.Tools, func(tool wiretest.Tool) bool { return tool.Name == c.Tool })
		if at < 0 {
			t.Errorf("%s: not listed", c.Tool)
			continue
		}
		tool, res := got.Tools[at], got.Results[i]
		if res.Refused != "" {
			t.Errorf("%s: the client refused the result: %s", c.Tool, res.Refused)
			continue
		}
		tool.InputSchema, tool.OutputSchema = sorted(t, tool.InputSchema), sorted(t, tool.OutputSchema)
		res.StructuredContent = sorted(t, res.StructuredContent)
		c.CheckTool(t, tool)
		c.CheckResult(t, res.Result)
	}
}

// sorted takes the order of keys out of a comparison: it is the clients' own, who decode and encode what they get.
func sorted(t *testing.T, raw json.RawMessage) json.RawMessage {
	if raw == nil {
		return nil
	}
	var v any
	if err := json.Unmarshal(raw, &v); err != nil {
		t.Fatal(err)
	}
	out, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// Clients that did not validate would prove nothing: each must refuse a result that breaks its own schema, and accept
// one from the same server that does not.
func TestClientsRefuseALie(t *testing.T) {
	server := mcp.NewServer(&mcp.Implementation{Name: "liar", Version: "1.0.0"}, nil)
	for name, structured := range map[string]string{"truth": `{"result":17}`, "lie": `{"result":"seventeen"}`} {
		server.AddTool(&mcp.Tool{
			Name:         name,
			InputSchema:  json.RawMessage(`{"type":"object"}`),
			OutputSchema: json.RawMessage(`{"type":"object","properties":{"result":{"type":"integer"}},"required":["result"]}`),
		}, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return &mcp.CallToolResult{
				Content:           []mcp.Content{&mcp.TextContent{Text: structured}},
				StructuredContent: json.RawMessage(structured),
			}, nil
		})
	}
	web := httptest.NewServer(diptych.Handler(server))
	t.Cleanup(web.Close) // after the parallel subtests
	calls := []call{{"truth", json.RawMessage("{}")}, {"lie", json.RawMessage("{}")}}
	everyClient(t, func(t *testing.T, script []string, revision string) {
		got := run(t, script, task{URL: web.URL + "/mcp", Revision: revision, Calls: calls})
		if len(got.Results) != len(calls) {
			t.Fatalf("the client reports %d results of %d calls", len(got.Results), len(calls))
		}
		if truth := got.Results[0]; truth.Refused != "" || string(sorted(t, truth.StructuredContent)) != `{"result":17}` {
			t.Errorf("the client got %s and refused what is true: %s", truth.StructuredContent, truth.Refused)
		}
		if lie := got.Results[1]; lie.Refused == "" {
			t.Errorf("the client accepted what the schema forbids: %s", lie.StructuredContent)
		}
	})
}

// The Inspector finds the page of every data tool and reads it, as a host that draws answers would.
func TestInspectorFindsTheView(t *testing.T) {
	program, err := exampleserver.Build(t.Context(), "github.com/diptych-mcp/diptych/examples/cities", t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, era := range []string{"modern", "legacy"} {
		out := execute(t, nil, filepath.Join(folder(t, "DIPTYCH_INTEROP_NODE"), "mcp-inspector"),
			"--cli", program, "--protocol-era", era, "--quiet", "--method", "tools/list", "--app-info")
		found := 0
		for d := json.NewDecoder(bytes.NewReader(out)); ; found++ {
			var tool struct {
				HasApp        bool   `json:"hasApp"`
				ResourceError string `json:"resourceError"`
			}
			if err := d.Decode(&tool); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatalf("%v in %s", err, out)
			}
			if !tool.HasApp || tool.ResourceError != "" {
				t.Errorf("%s: no page for a tool (was make assets run?): %s", era, out)
			}
		}
		if found != 5 {
			t.Errorf("%s: the Inspector speaks of %d tools, want 5: %s", era, found, out)
		}
	}
}

// patience is how long a client may take for a task.
const patience = 3 * time.Minute

// run gives a client its task.
func run(t *testing.T, script []string, todo task) report {
	t.Helper()
	todo.Modern = todo.Revision >= wiretest.Modern
	input, err := json.Marshal(todo)
	if err != nil {
		t.Fatal(err)
	}
	folders := map[string]string{"node": folder(t, "DIPTYCH_INTEROP_NODE"), "python": folder(t, "DIPTYCH_INTEROP_PYTHON")}
	program := filepath.Join(folders[script[0]], script[0])
	out := execute(t, input, program, append([]string{filepath.Join("clients", script[1])}, script[2:]...)...)
	var r report
	if err := json.Unmarshal(out, &r); err != nil {
		t.Fatalf("%s: %v\n%s", script[1], err, out)
	}
	if r.Revision != todo.Revision {
		t.Errorf("the client speaks revision %s, want %s", r.Revision, todo.Revision)
	}
	return r
}

// execute runs a program of the clients' with a scratch home and returns what it wrote.
func execute(t *testing.T, input []byte, program string, args ...string) []byte {
	t.Helper()
	node := folder(t, "DIPTYCH_INTEROP_NODE")
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.WaitDelay = time.Second
	cmd.Env = append(os.Environ(), "HOME="+t.TempDir(), "PATH="+node+string(os.PathListSeparator)+os.Getenv("PATH"))
	cmd.Stdin = bytes.NewReader(input)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", filepath.Base(program), args[0], err, stderr.Bytes())
	}
	return out
}

func folder(t *testing.T, variable string) string {
	t.Helper()
	name := os.Getenv(variable)
	if name == "" {
		t.Fatalf("%s does not name the folder of the clients; run make interop", variable)
	}
	return name
}
