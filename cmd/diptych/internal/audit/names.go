package audit

import (
	"fmt"
	"strings"

	"github.com/diptych-mcp/diptych/cmd/diptych/internal/peer"
	"github.com/diptych-mcp/diptych/cmd/diptych/internal/tree"
)

// This file checks names and descriptions: what a model chooses a tool by.

func (a *auditor) names(t peer.Tool, twice bool) {
	switch {
	case !spelt(t.Name, "_-.", maxName):
		a.found("name-invalid", "name", fmt.Sprintf("%q is outside what the protocol allows", cut(t.Name)))
	case !spelt(t.Name, "_-", maxNarrow):
		fault := "a dot is more than some hosts allow"
		if len(t.Name) > maxNarrow {
			fault = fmt.Sprintf("%d characters are more than some hosts allow", len(t.Name))
		}
		a.found("name-narrow", "name", fault)
	}
	if twice {
		a.found("name-twice", "name", fmt.Sprintf("%q is listed twice", cut(t.Name)))
	}
	if strings.TrimSpace(t.Description) == "" {
		a.found("description-missing", "description", "there is no description")
	}
	root, err := tree.Parse(t.Input)
	if err != nil {
		return
	}
	var bare []string
	if properties := root.Get("properties"); properties != nil {
		for _, m := range properties.Members {
			target, _ := tree.Follow(root, m.Value)
			if m.Value.Str("description") == "" && target.Str("description") == "" {
				bare = append(bare, m.Name)
			}
		}
	}
	if len(bare) > 0 {
		a.found("parameter-undescribed", "inputSchema", "no description for "+several(bare))
	}
}

// spelt reports whether name is 1 to most letters, digits and those others.
func spelt(name, others string, most int) bool {
	for i := range len(name) {
		c := name[i]
		if !(c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || strings.IndexByte(others, c) >= 0) {
			return false
		}
	}
	return name != "" && len(name) <= most
}

// several is "a, b and 3 more".
func several(names []string) string {
	for i := range names {
		names[i] = cut(names[i])
	}
	if len(names) > maxListed {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:maxListed], ", "), len(names)-maxListed)
	}
	return strings.Join(names, ", ")
}

func cut(s string) string {
	if r := []rune(s); len(r) > maxShown {
		return string(r[:maxShown-1]) + "…"
	}
	return s
}
