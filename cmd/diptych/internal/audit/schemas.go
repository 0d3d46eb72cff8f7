package audit

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/diptych-mcp/diptych/cmd/diptych/internal/peer"
	"github.com/diptych-mcp/diptych/cmd/diptych/internal/tree"
	"github.com/diptych-mcp/diptych/internal/validate"
)

// This file checks whether the published schemas can be used at all.

func (a *auditor) schemas(t peer.Tool) {
	a.usable("input", t.Input)
	if t.Output == nil {
		a.found("output-missing", "outputSchema", "there is no output schema")
		return
	}
	a.usable("output", t.Output)
}

func (a *auditor) usable(side string, schema []byte) {
	place := side + "Schema"
	if len(schema) > maxSchema {
		a.found(side+"-refused", place, fmt.Sprintf("larger than %d KiB", maxSchema>>10), "make it smaller; hosts refuse larger ones")
		return
	}
	root, err := tree.Parse(schema)
	if err != nil {
		a.found(side+"-refused", place, err.Error())
		return
	}
	if n := unreadable(root); n != "" {
		a.found(side+"-refused", place, "the number "+cut(n)+" is larger than hosts can read", "use a smaller number: some hosts lose the whole list")
		return
	}
	if root.Str("type") != "object" {
		a.found(side+"-root", place, "the root is "+rootOf(root)+", not an object")
	}
	err = validate.Screen(schema)
	if err == nil {
		_, err = validate.Compile(schema)
	}
	// A pattern that is JavaScript's but not RE2's is reported as a warning of its own.
	if err != nil && !strings.Contains(err.Error(), "RE2") {
		a.found(side+"-refused", place, strings.TrimPrefix(err.Error(), "schema: "))
	}
}

// rootOf names the kind of schema at the root.
func rootOf(root *tree.Node) string {
	switch kind := root.Str("type"); {
	case root.Kind != tree.Object:
		return "a bare " + root.Kind.String()
	case kind == "integer", kind == "array":
		return "an " + kind
	case kind != "":
		return "a " + kind
	case root.Get("type").Is(tree.Array):
		var kinds []string
		for _, k := range root.List("type") {
			kinds = append(kinds, cut(k.Text))
		}
		return "one of several types (" + several(kinds) + ")"
	}
	for _, keyword := range []string{"$ref", "anyOf", "oneOf", "allOf", "enum"} {
		if root.Get(keyword) != nil {
			return "a bare " + keyword
		}
	}
	return "without a type"
}

// read is a schema as a tree, or nil: of none, of one that is no JSON, and of one that is too large to be looked at.
func read(schema []byte) *tree.Node {
	if len(schema) > maxSchema {
		return nil
	}
	root, err := tree.Parse(schema)
	if err != nil {
		return nil
	}
	return root
}

// unreadable is a number of a schema that is outside of what decoders take, or "".
func unreadable(n *tree.Node) string {
	if n.Is(tree.Number) {
		if _, err := strconv.ParseFloat(n.Text, 64); err != nil {
			return n.Text
		}
	}
	for _, m := range n.Members {
		if text := unreadable(m.Value); text != "" {
			return text
		}
	}
	for _, item := range n.Items {
		if text := unreadable(item); text != "" {
			return text
		}
	}
	return ""
}
