package host

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestServersGetNoKeys(t *testing.T) {
	t.Setenv("ANTHROPIC_API_KEY", "secret")
	env := Server{Env: map[string]string{"OWN": "1"}}.environment()
	for _, pair := range env {
		if strings.Contains(pair, "secret") {
			t.Errorf("a server gets %s", pair)
		}
	}
	if !slices.Contains(env, "OWN=1") || !slices.Contains(env, "PATH="+os.Getenv("PATH")) {
		t.Errorf("a server gets too little: %q", env)
	}
}

func TestReadServers(t *testing.T) {
	t.Setenv("DIPTYCH_TEST_KEY", "k")
	file := filepath.Join(t.TempDir(), "mcp.json")
	for _, c := range []struct {
		text string
		want []Server
		err  string
	}{
		{text: `{"mcpServers":{"b":{"url":"https://b.example/mcp","headers":{"K":"${DIPTYCH_TEST_KEY}"}},
			"a-1":{"command":"run","args":["${DIPTYCH_NO:-x}"],"env":{"E":"1"},"cwd":"d"}},
			"allowWithoutSources":["b","a-1__t"],"policy":{"b":"ask","a-1__t":"allow"},"timeouts":{"b":5,"a-1__t":0.5}}`,
			want: []Server{{ID: "a-1", Command: []string{"run", "x"}, Env: map[string]string{"E": "1"}, Dir: "d",
				AllowedTools: []string{"t"}, Policies: map[string]Policy{"t": Allow}, Timeouts: map[string]time.Duration{"t": 500 * time.Millisecond}},
				{ID: "b", URL: "https://b.example/mcp", Headers: map[string]string{"K": "k"}, Timeout: 5 * time.Second, AllowWithoutSources: true, Policy: Ask}}},
		{text: `{}`, err: "no mcpServers"},
		{text: `[`, err: "unexpected end"},
		{text: `{"mcpServers":{"a":{}}}`, err: "neither a command nor a url"},
		{text: `{"mcpServers":{"a":{"command":"x","url":"http://x"}}}`, err: "keep one"},
		{text: `{"mcpServers":{"a":{"url":"file:///x"}}}`, err: "not http or https"},
		{text: `{"mcpServers":{"a__b":{"command":"x"}}}`, err: "rename it"},
		{text: `{"mcpServers":{"a":{"command":"${DIPTYCH_NO}"}}}`, err: "needs DIPTYCH_NO in the environment"},
		{text: `{"mcpServers":{"a":{"command":"x"}},"allowWithoutSources":["c"]}`, err: `allowWithoutSources: "c" names no server`},
		{text: `{"mcpServers":{"a":{"command":"x"}},"policy":{"a":"perhaps"}}`, err: "none of allow, ask and deny"},
		{text: `{"mcpServers":{"a":{"command":"x"}},"timeouts":{"a":0}}`, err: "not within an hour"},
		{text: strings.Repeat(" ", 1<<20+1), err: "larger than"},
	} {
		if err := os.WriteFile(file, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		got, err := ReadServers(file)
		if c.err == "" && err != nil || c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)) {
			t.Errorf("%.80s: error %v, want %q", c.text, err, c.err)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%.80s (-want +got):\n%s", c.text, diff)
		}
	}
}
