package main

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite testdata")

// What differs from run to run: the port, and the time before each record of the log.
var (
	port = regexp.MustCompile(`127\.0\.0\.1:\d+`)
	when = regexp.MustCompile(`\d{4}/\d\d/\d\d \d\d:\d\d:\d\d`)
)

func TestDemo(t *testing.T) {
	var out bytes.Buffer
	if err := run(t.Context(), &out, false); err != nil {
		t.Fatal(err)
	}
	got := when.ReplaceAllString(port.ReplaceAllString(out.String(), "127.0.0.1:8080"), "2026/07/28 12:00:00")
	golden := filepath.Join("testdata", "demo.txt")
	if *update {
		if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("the demo prints (-want +got):\n%s", diff)
	}
	for _, l := range strings.Split(out.String(), "\n") {
		if n := len([]rune(l)); n > 80 {
			t.Errorf("%d columns: %s", n, l)
		}
	}
}

// What the demo says about Go is in the source that it runs.
func TestScenesNameTheirTypes(t *testing.T) {
	source, err := os.ReadFile(filepath.Join("..", "..", "examples", "weather", "tools.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range scenes {
		function := strings.ReplaceAll(s.tool, "_", "")
		signature := regexp.MustCompile(`(?i)func \(s \*Station\) ` + function + `\([^)]*\) \((.*), error\) \{`).FindSubmatch(source)
		switch {
		case signature == nil:
			t.Errorf("tool %s is not in tools.go", s.tool)
		case string(signature[1]) != s.returns:
			t.Errorf("the function of tool %s returns %s, not %s", s.tool, signature[1], s.returns)
		}
	}
}
