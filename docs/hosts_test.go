package docs

import (
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestHosts compares the versions on hosts.md with those of the table that diptych check reads.
func TestHosts(t *testing.T) {
	page, err := os.ReadFile("hosts.md")
	if err != nil {
		t.Fatal(err)
	}
	table, err := os.ReadFile("../cmd/diptych/internal/audit/hosts.json")
	if err != nil {
		t.Fatal(err)
	}
	var known struct {
		Hosts []struct{ Name, Version string }
	}
	if err := json.Unmarshal(table, &known); err != nil {
		t.Fatal(err)
	}
	measured := 0
	for _, h := range known.Hosts {
		if h.Version == "" {
			continue
		}
		measured++
		if !strings.Contains(string(page), " | "+h.Version+" | ") {
			t.Errorf("hosts.md does not have %s %s", h.Name, h.Version)
		}
	}
	if measured < 15 {
		t.Errorf("hosts.json has versions of %d hosts only", measured)
	}
}

var jsonBlock = regexp.MustCompile("(?ms)^```json\n(.*?)^```$")

// TestConfigurations parses the configuration files on hosts.md.
func TestConfigurations(t *testing.T) {
	page, err := os.ReadFile("hosts.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := jsonBlock.FindAllStringSubmatch(string(page), -1)
	if len(blocks) < 5 {
		t.Fatalf("found %d blocks", len(blocks))
	}
	for _, b := range blocks {
		var file map[string]map[string]struct {
			Command any
			URL     string
			HTTPURL string `json:"httpUrl"`
		}
		if err := json.Unmarshal([]byte(b[1]), &file); err != nil {
			t.Errorf("%v in\n%s", err, b[1])
			continue
		}
		for _, servers := range file {
			for name, s := range servers {
				if s.Command == nil && s.URL == "" && s.HTTPURL == "" {
					t.Errorf("%s has neither a command nor an address in\n%s", name, b[1])
				}
			}
		}
	}
}
