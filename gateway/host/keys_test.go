package host

import (
	"strings"
	"testing"
)

// A key in the wrong place is named, and so is the right place.
func TestMisplacedKeys(t *testing.T) {
	const server = `"a":{"command":"x","type":"stdio","disabled":false,"autoApprove":["t"]}`
	for text, want := range map[string]string{
		`{"mcpServers":{` + server + `}}`:                                   "",
		`{"mcpServers":{` + server + `},"$schema":"x","questions":{}}`:      "",
		`{"mcpServers":{"a":{"command":"x","allowWithoutSources":true}}}`:   `"allowWithoutSources" is inside the server "a"; put it beside mcpServers, as "allowWithoutSources": ["a"]`,
		`{"mcpServers":{"a":{"command":"x","allow_without_sources":true}}}`: `"allow_without_sources" is inside the server "a"; put it beside mcpServers, as "allowWithoutSources": ["a"]`,
		`{"mcpServers":{"a":{"command":"x","policy":"deny"}}}`:              `"policy" is inside the server "a"; put it beside mcpServers, as "policy": {"a": …}`,
		`{"mcpServers":{"a":{"command":"x","timeout":30}}}`:                 `"timeout" is inside the server "a"; put it beside mcpServers, as "timeouts": {"a": SECONDS}`,
		`{"mcpServers":{"a":{"command":"x","mcpServers":{}}}}`:              `mcpServers is inside the server "a"; put its servers beside that one`,
		`{"mcpServers":{` + server + `,"policy":{"a":"deny"}}}`:             `"policy" is inside mcpServers; put it beside mcpServers`,
		`{"mcpServers":{` + server + `,"allowWithoutSources":["a"]}}`:       `"allowWithoutSources" is inside mcpServers; put it beside mcpServers`,
		`{"mcpServers":{` + server + `},"policy":{"timeouts":{"a":1}}}`:     `"timeouts" is inside policy; put it beside mcpServers`,
		`{"mcpServers":{` + server + `},"timeouts":{"policy":1}}`:           `"policy" is inside timeouts; put it beside mcpServers`,
		`{"mcpServers":{` + server + `},"headers":{}}`:                      `"headers" is beside mcpServers; put it into a server`,
		`{"mcpServers":{` + server + `},"Policy":{"a":"deny"}}`:             `"Policy" is not read; write "policy"`,
		`{"mcpServers":{` + server + `},"allow-without-sources":["a"]}`:     `write "allowWithoutSources"`,
		`{"mcpServers":{` + server + `},"polcy":{"a":"deny"}}`:              `"polcy" is not read beside mcpServers; remove it, the keys there are mcpServers, allowWithoutSources, policy, timeouts, questions, textFromStructured`,
		`{"command":"x"}`: `"command" is beside mcpServers; put it into a server`,
	} {
		_, err := parseServers([]byte(text))
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s:\ngot  %v\nwant %s", text, err, want)
		}
	}
}

// The file of the demo has no key that is not read.
func TestDemoFile(t *testing.T) {
	t.Setenv("DIPTYCH_EXAMPLES", "x")
	if servers, err := ReadServers("../demo.json"); err != nil || len(servers) == 0 {
		t.Errorf("%d servers, %v", len(servers), err)
	}
}
