package docs

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// commandAnswers are the files in the command's own test scripts, which compare them with what the command prints:
// "ls.txtar/tools.txt".
func commandAnswers(t *testing.T) map[string]string {
	said := map[string]string{}
	for _, script := range []string{"ls.txtar", "call.txtar", "check.txtar", "diff.txtar"} {
		text, err := os.ReadFile(filepath.Join("..", "cmd", "diptych", "testdata", "script", script))
		if err != nil {
			t.Fatal(err)
		}
		maps.Copy(said, archived(script, string(text)))
	}
	return said
}

// archived splits a script into its files.
func archived(script, text string) map[string]string {
	files := map[string]string{}
	name := ""
	for line := range strings.Lines(text) {
		if inner, ok := strings.CutPrefix(line, "-- "); ok && strings.HasSuffix(inner, " --\n") {
			name = script + "/" + strings.TrimSuffix(inner, " --\n")
			continue
		}
		if name != "" {
			files[name] += line
		}
	}
	for name := range files {
		files[name] = strings.TrimRight(files[name], "\n")
	}
	return files
}
