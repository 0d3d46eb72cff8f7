package release

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
)

// The go lines of the modules are the older of the two Go releases that CI runs, which follow each other, and the pages
// name the same two.
func TestGoReleases(t *testing.T) {
	read := func(file string) string {
		t.Helper()
		text, err := os.ReadFile("../../" + file)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	var older, newer int
	line := regexp.MustCompile(`(?m)^releases=.*$`).FindString(read(".ci/run"))
	if n, err := fmt.Sscanf(regexp.MustCompile(`(1\.\d+)\.\d+`).ReplaceAllString(line, "$1"), "releases=(go1.%d go1.%d)", &older, &newer); n != 2 {
		t.Fatalf(".ci/run has %q and not the two releases: %v", line, err)
	}
	if newer != older+1 {
		t.Errorf(".ci/run tests Go 1.%d and 1.%d, which do not follow each other", older, newer)
	}
	for _, file := range []string{"go.mod", "go.work", "gateway/go.mod", "bench/go.mod", ".ci/tools/go.mod"} {
		if want := fmt.Sprintf("\ngo 1.%d.0\n", older); !strings.Contains("\n"+read(file), want) {
			t.Errorf("%s has another go line than%q", file, want)
		}
	}
	if want := fmt.Sprintf("Go 1.%d or 1.%d", older, newer); !strings.Contains(read("CONTRIBUTING.md"), want) {
		t.Errorf("CONTRIBUTING.md does not say %q", want)
	}
}
