package connect

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestEntries(t *testing.T) {
	t.Setenv("DIPTYCH_TEST_WHO", "ann")
	entries, err := Entries([]byte(`{"mcpServers":{"a":{"command":"run","args":["${DIPTYCH_TEST_WHO}","${DIPTYCH_NO:-x}","$WHO","${"],"env":{"E":"${DIPTYCH_TEST_WHO}"},"cwd":"d"},
		"b":{"url":"https://b.example/${DIPTYCH_TEST_WHO}","headers":{"K":"Bearer ${DIPTYCH_TEST_WHO}"}},"c":{"command":"${DIPTYCH_NO}","args":["${DIPTYCH_NADA}","${DIPTYCH_NO}"]}}}`))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]Entry{
		"a": {Command: "run", Args: []string{"ann", "x", "$WHO", "${"}, Env: map[string]string{"E": "ann"}, Dir: "d"},
		"b": {URL: "https://b.example/ann", Headers: map[string]string{"K": "Bearer ann"}},
	} {
		got, err := entries[name].Expand()
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("%s: %v (-want +got):\n%s", name, err, diff)
		}
	}
	if _, err := entries["c"].Expand(); err == nil || err.Error() != "needs DIPTYCH_NADA and DIPTYCH_NO in the environment; set it" {
		t.Errorf("what is not set: %v", err)
	}
	if diff := cmp.Diff([]string{"run", "x"}, Entry{Command: "run", Args: []string{"x"}}.Line()); diff != "" || (Entry{URL: "x"}).Line() != nil {
		t.Errorf("lines (-want +got):\n%s", diff)
	}
	for text, want := range map[string]string{`{}`: "no mcpServers", `[`: "unexpected end", `{"mcpServers":7}`: "cannot unmarshal"} {
		if _, err := Entries([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

func TestReadConfig(t *testing.T) {
	path := filepath.Join(t.TempDir(), "mcp.json")
	for size, fits := range map[int]bool{0: true, maxConfig: true, maxConfig + 1: false} {
		if err := os.WriteFile(path, make([]byte, size), 0o600); err != nil {
			t.Fatal(err)
		}
		if text, err := ReadConfig(path); (err == nil) != fits || fits && len(text) != size {
			t.Errorf("%d bytes: read %d, %v", size, len(text), err)
		}
	}
	if _, err := ReadConfig(path + "x"); err == nil {
		t.Error("a file that is not there is read")
	}
}
