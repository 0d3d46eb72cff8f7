package audit

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
)

// This file reads the table of hosts: what each refuses or loses, where that is known from, and since when. A host is a
// program that gives tools to a model, a framework that does, or the API of a model.

//go:embed hosts.json
var hostTable []byte

// A Host is one line of the table.
type Host struct {
	ID      string `json:"id"`
	Name    string `json:"name"`
	Family  string `json:"family"`
	Version string `json:"version"` // that was measured, or ""
}

// A Loss is what some hosts do with what a rule finds.
type Loss struct {
	Rule   string   `json:"rule"`
	Hosts  []string `json:"hosts"`
	What   string   `json:"what"`
	Source string   `json:"source"` // "measured", "reports" or an address
	Date   string   `json:"date"`
	Limit  int      `json:"limit"` // in characters, for a rule that measures
}

type table struct {
	Hosts  []Host `json:"hosts"`
	Losses []Loss `json:"losses"`
}

// hosts is the table. What is embedded was read by a test.
var hosts = sync.OnceValue(func() table {
	var t table
	if err := json.Unmarshal(hostTable, &t); err != nil {
		panic(err)
	}
	return t
})

// Hosts returns the hosts that words such as "claude" or "gemini-cli" mean: each is an id or a family. No words mean all.
func Hosts(words []string) (map[string]bool, error) {
	chosen := make(map[string]bool)
	for _, word := range words {
		word = strings.ToLower(strings.TrimSpace(word))
		known := false
		for _, h := range hosts().Hosts {
			if h.ID == word || h.Family == word {
				chosen[h.ID], known = true, true
			}
		}
		if !known {
			return nil, fmt.Errorf("unknown host %q; there is %s", word, strings.Join(HostWords(), ", "))
		}
	}
	return chosen, nil
}

// HostWords are the words that Hosts knows, in the order of the table.
func HostWords() []string {
	var words []string
	for _, h := range hosts().Hosts {
		for _, word := range []string{h.Family, h.ID} {
			if !slices.Contains(words, word) {
				words = append(words, word)
			}
		}
	}
	return words
}

// losers are the ids of the hosts that lose something by a rule, in the order of the table. Size is what was measured, where
// the rule measures.
func losers(rule string, size int) []string {
	var ids []string
	for _, h := range hosts().Hosts {
		if slices.ContainsFunc(hosts().Losses, func(l Loss) bool { return l.Rule == rule && size >= l.Limit && slices.Contains(l.Hosts, h.ID) }) {
			ids = append(ids, h.ID)
		}
	}
	return ids
}

// named are the names of hosts.
func named(ids []string) []string {
	var names []string
	for _, h := range hosts().Hosts {
		if slices.Contains(ids, h.ID) {
			names = append(names, h.Name)
		}
	}
	return names
}
