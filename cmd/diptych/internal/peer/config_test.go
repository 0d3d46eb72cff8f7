package peer

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestLocate(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	t.Setenv("XDG_CONFIG_HOME", filepath.Join(dir, "home"))
	t.Setenv("WHO", "ann")
	write := func(path, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := Locate("rooms", nil, ""); err == nil || !strings.Contains(err.Error(), "no config file") {
		t.Errorf("no file: got %v", err)
	}
	write("mcp.json", `{"mcpServers":{"rooms":{"command":"run","args":["${WHO}","${NONE:-x}","$WHO","${"],"env":{"A":"${WHO}"},"cwd":"d"},
		"both":{"command":"a","url":"http://x"},"neither":{},"ftp":{"url":"ftp://x"},"unset":{"command":"${NONE}","args":["${NADA}"]}}}`)
	write("home/diptych/mcp.json", `{"mcpServers":{"far":{"type":"http","url":"https://example.com/mcp","headers":{"Authorization":"Bearer ${WHO}"}},"rooms":{"command":"other"}}}`)

	for address, want := range map[string]Server{
		"rooms":            {Label: "rooms", Config: "mcp.json", Command: []string{"run", "ann", "x", "$WHO", "${"}, Env: map[string]string{"A": "ann"}, Dir: "d"},
		"far":              {Label: "far", Config: filepath.Join(dir, "home/diptych/mcp.json"), URL: "https://example.com/mcp", Headers: map[string]string{"Authorization": "Bearer ann"}},
		"http://u:p@h/mcp": {Label: "http://u:xxxxx@h/mcp", URL: "http://u:p@h/mcp"},
	} {
		got, err := Locate(address, nil, "")
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("%s: %v (-want +got):\n%s", address, err, diff)
		}
	}
	for address, want := range map[string]string{
		"both":    "has a command and a url; keep one",
		"neither": "has neither a command nor a url; add one",
		"ftp":     "not http or https; correct it",
		"unset":   "needs NADA and NONE in the environment; set it",
		"romos":   `did you mean "rooms"?`,
		"zzz":     "there is both, ftp, neither, rooms, unset, far, rooms",
		"http://": "is not a URL",
	} {
		if _, err := Locate(address, nil, ""); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", address, err, want)
		}
	}
	write("vscode.json", "{\n// servers of the editor\n\"servers\": {\"rooms\": {\"type\": \"stdio\", \"command\": \"run\", /* all */ \"args\": [\"${env:WHO}\", \"//x\", \"a,]\",],},},\n\"inputs\": [],}")
	if got, err := Locate("rooms", nil, "vscode.json"); err != nil || !slices.Equal(got.Command, []string{"run", "ann", "//x", "a,]"}) {
		t.Errorf("the editor's file: %v, %v", got.Command, err)
	}
	write("bad.json", `{"other":{}}`)
	for path, want := range map[string]string{"bad.json": "no mcpServers", "gone.json": "no such file"} {
		if _, err := Locate("x", nil, path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", path, err, want)
		}
	}
	if diff := cmp.Diff([]string{"both", "far", "ftp", "neither", "rooms", "unset"}, Names()); diff != "" {
		t.Error(diff)
	}
}

func TestOverlayAndSecrets(t *testing.T) {
	s := Server{Env: map[string]string{"MODE": "verbose-mode"}}
	if err := s.Overlay([]string{"API_TOKEN=0123456789=", "SHORT_KEY=x"}, []string{"Authorization: Bearer abcdefghij", "X-Plain: nothing-secret"}); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(s.Secrets(), " "); got != "0123456789= abcdefghij" {
		t.Errorf("got %q", got)
	}
	if s.Overlay([]string{"x"}, nil) == nil || s.Overlay(nil, []string{"x"}) == nil {
		t.Error("malformed pairs were taken")
	}
}
