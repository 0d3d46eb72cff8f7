package client

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/diptych-mcp/diptych/cmd/diptych/internal/contract"
	"github.com/diptych-mcp/diptych/cmd/diptych/internal/peer"
)

var update = flag.Bool("update", false, "write the golden files anew")

func read(t *testing.T, name string) []peer.Tool {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	tools, err := contract.Read(text)
	if err != nil {
		t.Fatal(err)
	}
	return tools
}

// folder is one in which the module compiles packages, and which is gone in the end.
func folder(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("testdata", "generated")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	return dir
}

func write(t *testing.T, path string, text []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
}

// Everything that schemas say in a way of its own, in one contract: its client is the golden file, and compiles.
func TestOdd(t *testing.T) {
	got, err := Generate("odd", "odd server", read(t, "odd.json"))
	if err != nil {
		t.Fatal(err)
	}
	golden := filepath.Join("testdata", "odd.go.golden")
	if *update {
		write(t, golden, got)
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(string(got), "\n")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	dir := folder(t)
	write(t, filepath.Join(dir, "odd.go"), got)
	if out, err := exec.CommandContext(t.Context(), "go", "vet", "./"+filepath.ToSlash(dir)).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

var (
	digest = regexp.MustCompile(`Contract = "[0-9a-f]{64}"`)
	about  = regexp.MustCompile(`(?m)^// \w+: .*\n`)
)

// What our own servers publish becomes types, and a server that publishes these types again has a client with the same types.
func TestFixedPoint(t *testing.T) {
	for _, name := range []string{"rooms", "weather", "cities"} {
		t.Run(name, func(t *testing.T) {
			dir := folder(t)
			first, calls, err := generate("api", name, read(t, name+".json"))
			if err != nil {
				t.Fatal(err)
			}
			write(t, filepath.Join(dir, "api", "api.go"), first)
			path := "github.com/diptych-mcp/diptych/cmd/diptych/internal/client/" + filepath.ToSlash(dir)
			write(t, filepath.Join(dir, "main.go"), server(path, calls, read(t, name+".json")))
			cmd := exec.CommandContext(t.Context(), "go", "run", "./"+filepath.ToSlash(dir))
			cmd.Stderr = os.Stderr
			published, err := cmd.Output()
			if err != nil {
				t.Fatal(err)
			}
			tools, err := contract.Read(published)
			if err != nil {
				t.Fatal(err)
			}
			second, err := Generate("api", name, tools)
			if err != nil {
				t.Fatal(err)
			}
			// What a type itself says of itself is in no type of Go, but in diptych.Docs.
			without := func(text []byte) []string {
				return strings.Split(about.ReplaceAllString(digest.ReplaceAllString(string(text), ""), ""), "\n")
			}
			if diff := cmp.Diff(without(first), without(second)); diff != "" {
				t.Errorf("(-first +second):\n%s", diff)
			}
		})
	}
}

// server is a program that publishes tools of the types that a client calls them with, and prints the list.
func server(path string, calls []call, tools []peer.Tool) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "package main\n\nimport (\n\t\"context\"\n\t\"encoding/json\"\n\t\"fmt\"\n\t\"log\"\n\n\t\"github.com/modelcontextprotocol/go-sdk/mcp\"\n\n\t\"github.com/diptych-mcp/diptych\"\n\t. %q\n)\n\n", path+"/api")
	b.WriteString("func show[In, Out any](name, description string, promises bool) map[string]any {\n\tvar opts []diptych.Option\n\tif !promises {\n\t\topts = append(opts, diptych.Unstructured())\n\t}\n" +
		"\ttool, _, err := diptych.New(&mcp.Tool{Name: name, Description: description}, func(context.Context, In) (out Out, err error) { return }, opts...)\n" +
		"\tif err != nil {\n\t\tlog.Fatal(err)\n\t}\n\tlisted := map[string]any{\"name\": name, \"description\": description, \"inputSchema\": tool.InputSchema}\n\tif tool.OutputSchema != nil {\n\t\tlisted[\"outputSchema\"] = tool.OutputSchema\n\t}\n\treturn listed\n}\n\n")
	b.WriteString("var _ Unused\n\nfunc main() {\n\tlist := []any{\n")
	for _, c := range calls {
		in := c.in
		if in == "" {
			in = "struct{}"
		}
		for _, t := range tools {
			if t.Name == c.tool {
				fmt.Fprintf(&b, "\t\tshow[%s, %s](%q, %q, %v),\n", in, c.out, c.tool, t.Description, t.Output != nil)
			}
		}
	}
	b.WriteString("\t}\n\ttext, err := json.Marshal(list)\n\tif err != nil {\n\t\tlog.Fatal(err)\n\t}\n\tfmt.Println(string(text))\n}\n")
	return []byte(strings.Replace(b.String(), "var _ Unused\n\n", "", 1))
}

func TestNames(t *testing.T) {
	for name, want := range map[string]string{
		"find_cities": "FindCities", "a.b-c": "ABC", "3d": "N3d", "größe": "Größe", "名前": "X名前", "": "Tool", "--": "Tool", "type": "Type",
	} {
		if got := exported(name, "Tool"); got != want {
			t.Errorf("%q: got %q, want %q", name, got, want)
		}
	}
	if got := comment("a\n/*b*/\u202e c\x00" + strings.Repeat("x", maxComment)); strings.ContainsAny(got, "\n\u202e\x00") || len([]rune(got)) != maxComment {
		t.Errorf("got %q", got)
	}
}

// The generated Check computes the digest from what the SDK decodes; it has to be this one.
func TestDigest(t *testing.T) {
	tools := []peer.Tool{{Tool: read(t, "rooms.json")[0].Tool, Input: json.RawMessage(`{"b":1.0,"a":[9007199254740993]}`)}}
	again := []peer.Tool{{Tool: tools[0].Tool, Input: json.RawMessage(`{ "a": [9007199254740992], "b": 1 }`)}}
	a, err := Digest(tools)
	if err != nil {
		t.Fatal(err)
	}
	if b, err := Digest(again); err != nil || a != b {
		t.Errorf("%s, %s, %v", a, b, err)
	}
	tools[0].Input = json.RawMessage(`{"b":2}`)
	if b, _ := Digest(tools); a == b {
		t.Error("another schema has the same digest")
	}
}

const caller = `package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"os"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych"
	%q
)

func main() {
	text, err := os.ReadFile("testdata/rooms.json")
	if err != nil {
		log.Fatal(err)
	}
	var list []struct {
		Name                      string
		InputSchema, OutputSchema json.RawMessage
	}
	if err := json.Unmarshal(text, &list); err != nil {
		log.Fatal(err)
	}
	server := mcp.NewServer(&mcp.Implementation{Name: "rooms", Version: "1"}, nil)
	for _, t := range list {
		tool := &mcp.Tool{Name: t.Name, InputSchema: t.InputSchema}
		if t.OutputSchema != nil {
			tool.OutputSchema = t.OutputSchema
		}
		server.AddTool(tool, func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: string(req.Params.Arguments)}},
				StructuredContent: json.RawMessage(` + "`" + `{"result":[{"room_id":"A","start":"09:00","minutes":30}]}` + "`" + `)}, nil
		})
	}
	ctx := context.Background()
	near, far := mcp.NewInMemoryTransports()
	if _, err := server.Connect(ctx, far, nil); err != nil {
		log.Fatal(err)
	}
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(ctx, diptych.Exact(near), nil)
	if err != nil {
		log.Fatal(err)
	}
	rooms := api.NewRooms(session)
	fmt.Println(rooms.Check(ctx))
	found, err := rooms.FindSlots(ctx, api.FindSlotsArguments{RoomId: "A", Day: "2026-03-02"})
	fmt.Println(found.Value, found.Content[0].(*mcp.TextContent).Text, err)
	server.RemoveTools("broken")
	fmt.Println(rooms.Check(ctx))
}
`

// A generated client calls, and tells whether the server still is the one that it was made for.
func TestCalls(t *testing.T) {
	dir := folder(t)
	text, err := Generate("api", "rooms", read(t, "rooms.json"))
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "api", "api.go"), text)
	write(t, filepath.Join(dir, "main.go"), fmt.Appendf(nil, caller, "github.com/diptych-mcp/diptych/cmd/diptych/internal/client/"+filepath.ToSlash(dir)+"/api"))
	out, err := exec.CommandContext(t.Context(), "go", "run", "./"+filepath.ToSlash(dir)).CombinedOutput()
	want := `<nil>
[{A 09:00 30}] {"room_id":"A","day":"2026-03-02"} <nil>
the server publishes other tools than this client was generated from; run diptych client again
`
	if diff := cmp.Diff(want, string(out)); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}
