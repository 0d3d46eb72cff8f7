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
	case strings.Contains(t.Name, "."):
		a.found("name-dot", "name", "there is a dot in the name")
	}
	switch n := len(t.Name); {
	case n > maxName:
	case n >= maxNarrow:
		a.found("name-long", "name", fmt.Sprintf("%d characters are more than some hosts allow", n))
	case n > maxNarrow-prefix:
		a.found("name-prefix", "name", fmt.Sprintf("%d characters, with about %d that hosts put before it, are more than some of them allow", n, prefix))
	}
	if twice {
		a.found("name-twice", "name", fmt.Sprintf("%q is listed twice", cut(t.Name)))
	}
	if strings.TrimSpace(t.Description) == "" {
		a.found("description-missing", "description", "there is no description")
	}
	root := read(t.Input)
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
