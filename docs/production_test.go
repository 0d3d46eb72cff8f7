package docs

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// productionFiles are the configurations on production.md, and the answers that the tests of its program received.
func productionFiles(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	for name, file := range map[string]string{
		"nginx": "nginx.conf", "caddy": "Caddyfile", "container": "Containerfile", "socket-unit": "rooms.socket", "service": "rooms.service",
		"unauthorized": "testdata/unauthorized.txt", "forbidden": "testdata/forbidden.txt", "resource": "testdata/metadata.json",
	} {
		text, err := os.ReadFile(filepath.Join("..", "examples", "production", filepath.FromSlash(file)))
		if err != nil {
			t.Fatal(err)
		}
		all["production-"+name] = strings.TrimSpace(string(text))
	}
	return all
}
