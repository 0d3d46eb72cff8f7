package host

// Keys of the servers' file in the wrong place. Other hosts' keys inside a server are ignored; a key that this gateway reads
// elsewhere is an error, because a denial in the wrong object must not be ignored.

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

var (
	fileKeys  = []string{"mcpServers", "allowWithoutSources", "policy", "timeouts", "questions", "textFromStructured"}
	entryKeys = []string{"command", "args", "env", "cwd", "url", "headers"}
)

// misplaced says which key of a file is in the wrong place, and where it belongs.
func misplaced(text []byte) error {
	top := membersOf(text)
	for _, key := range slices.Sorted(maps.Keys(top)) {
		switch {
		case slices.Contains(fileKeys, key) || strings.HasPrefix(key, "$"):
		case known(key, entryKeys) != "":
			return fmt.Errorf(`%q is beside mcpServers; put it into a server, as {"mcpServers": {"name": {%q: …}}}`, key, known(key, entryKeys))
		case known(key, fileKeys) != "":
			return fmt.Errorf("%q is not read; write %q", key, known(key, fileKeys))
		default:
			return fmt.Errorf("%q is not read beside mcpServers; remove it, the keys there are %s", key, strings.Join(fileKeys, ", "))
		}
	}
	servers := membersOf(top["mcpServers"])
	for _, id := range slices.Sorted(maps.Keys(servers)) {
		if known(id, fileKeys) != "" {
			return fmt.Errorf("%q is inside mcpServers; put it beside mcpServers", id)
		}
		for _, key := range slices.Sorted(maps.Keys(membersOf(servers[id]))) {
			where := fmt.Sprintf("%q is inside the server %q; put it beside mcpServers, as ", key, id)
			switch known(key, append([]string{"timeout"}, fileKeys...)) {
			case "allowWithoutSources":
				return fmt.Errorf(`%s"allowWithoutSources": [%q]`, where, id)
			case "policy":
				return fmt.Errorf(`%s"policy": {%q: …}`, where, id)
			case "timeouts", "timeout":
				return fmt.Errorf(`%s"timeouts": {%q: SECONDS}`, where, id)
			case "mcpServers":
				return fmt.Errorf("mcpServers is inside the server %q; put its servers beside that one", id)
			}
		}
	}
	for _, in := range []string{"policy", "timeouts", "questions"} {
		for _, key := range slices.Sorted(maps.Keys(membersOf(top[in]))) {
			if known(key, fileKeys) != "" {
				return fmt.Errorf("%q is inside %s; put it beside mcpServers", key, in)
			}
		}
	}
	return nil
}

// membersOf returns the members of an object; none of any other value: decoding reports that.
func membersOf(text json.RawMessage) map[string]json.RawMessage {
	var m map[string]json.RawMessage
	if json.Unmarshal(text, &m) != nil {
		return nil
	}
	return m
}

// known is the key that was meant: the same but for case, dashes and underscores.
func known(key string, keys []string) string {
	plain := func(s string) string {
		return strings.ToLower(strings.NewReplacer("-", "", "_", "").Replace(s))
	}
	for _, k := range keys {
		if plain(k) == plain(key) {
			return k
		}
	}
	return ""
}
