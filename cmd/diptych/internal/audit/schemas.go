package audit

import (
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
	root, err := tree.Parse(schema)
	if err != nil {
		a.found(side+"-refused", place, err.Error())
		return
	}
	if root.Str("type") != "object" {
		a.found(side+"-root", place, "the root is "+rootOf(root)+", not an object")
	}
	err = validate.Screen(schema)
	if err == nil {
		_, err = validate.Compile(schema)
	}
	// A pattern that is JavaScript's but not RE2's is told as a warning of its own.
	if err != nil && !strings.Contains(err.Error(), "RE2") {
		a.found(side+"-refused", place, strings.TrimPrefix(err.Error(), "schema: "))
	}
}

// rootOf names what stands at the root of a schema.
func rootOf(root *tree.Node) string {
	switch kind := root.Str("type"); {
	case root.Kind != tree.Object:
		return "a bare " + root.Kind.String()
	case kind == "integer", kind == "array":
		return "an " + kind
	case kind != "":
		return "a " + kind
	}
	for _, keyword := range []string{"$ref", "anyOf", "oneOf", "allOf", "enum"} {
		if root.Get(keyword) != nil {
			return "a bare " + keyword
		}
	}
	return "without a type"
}
