package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
	"github.com/google/go-cmp/cmp"

	"github.com/diptych-mcp/diptych/gateway/host"
)

var update = flag.Bool("update", false, "rewrite the blocks of docs/gateway.md")

const guide = "../../../docs/gateway.md"

// block returns the text of a named block of the guide.
func block(t *testing.T, page, name string) string {
	t.Helper()
	found := regexp.MustCompile("(?s)\n```[a-z]+ " + name + "\n(.*?)```\n").FindStringSubmatch(page)
	if found == nil {
		t.Fatalf("the guide has no block %s", name)
	}
	return found[1]
}

// TestGuide checks the operator's guide against the actual flags, metrics and servers' file.
func TestGuide(t *testing.T) {
	text, err := os.ReadFile(guide)
	if err != nil {
		t.Fatal(err)
	}
	page := string(text)
	for name, want := range map[string]string{"flags": flags(t), "metrics": metrics(t)} {
		had := block(t, page, name)
		if *update {
			page = strings.Replace(page, " "+name+"\n"+had+"```", " "+name+"\n"+want+"```", 1)
		} else if diff := cmp.Diff(want, had); diff != "" {
			t.Errorf("the block %s is out of date; run go test ./gateway/cmd/... -run Guide -update (-want +got):\n%s", name, diff)
		}
	}
	if *update {
		if err := os.WriteFile(guide, []byte(page), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	file := filepath.Join(t.TempDir(), "servers.json")
	if err := os.WriteFile(file, []byte(block(t, page, "servers")), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("CITIES_KEY", "x")
	t.Setenv("ROOMS_TOKEN", "x")
	servers, err := host.ReadServers(file)
	if err != nil || len(servers) != 2 || servers[1].Policies["delete_room"] != host.Deny {
		t.Errorf("the guide's servers: %+v, %v", servers, err)
	}
}

// TestGuideCommands checks that the program understands the guide's commands.
func TestGuideCommands(t *testing.T) {
	text, err := os.ReadFile(guide)
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	if err := os.WriteFile("servers.json", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	lines := regexp.MustCompile(`(?m)^(?:[A-Z_]+=… )?bin/diptych-gateway (.+)$`).FindAllStringSubmatch(string(text), -1)
	if len(lines) < 5 {
		t.Fatalf("the guide has %d commands", len(lines))
	}
	for _, line := range lines {
		var c commandLine
		if _, err := kong.Must(&c).Parse(strings.Fields(line[1])); err != nil {
			t.Errorf("%s: %v", line[0], err)
		} else if m, err := openModel(c.Settings); err != nil || m == nil {
			t.Errorf("%s: %v, %v", line[0], m, err)
		}
	}
}

// flags is what the program says of its flags.
func flags(t *testing.T) string {
	cmd := exec.CommandContext(t.Context(), os.Args[0], "--help")
	cmd.Env = append(os.Environ(), variable+"=1")
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	_, said, _ := strings.Cut(string(out), "      --listen")
	said, _, _ = strings.Cut(said, "      --version")
	var b strings.Builder
	for line := range strings.Lines("      --listen" + said) {
		b.WriteString(strings.TrimPrefix(line, "      "))
	}
	return b.String()
}

var described = regexp.MustCompile(`\b(counter|gauge|histogram|describe)\("([a-z_]+)", "([^"]+)"`)

// metrics lists the metrics, from where they are made: most of them are exported only once something happened.
func metrics(t *testing.T) string {
	var b strings.Builder
	for _, file := range []string{"meter.go", "server.go"} {
		text, err := os.ReadFile(filepath.Join("..", "..", "meter", file))
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range described.FindAllStringSubmatch(string(text), -1) {
			name := "diptych_" + found[2]
			if found[1] == "describe" {
				name = "diptych_server_" + found[2]
			}
			fmt.Fprintf(&b, "%s\n    %s\n", name, found[3])
		}
	}
	return b.String()
}
