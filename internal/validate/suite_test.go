package validate

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Out of scope, and refused by Compile: what reaches past the one document that a tool publishes.
var outOfScope = map[string][]string{
	"references lead out of the document": {
		"refRemote.json",
		"defs.json: validate definition against metaschema",
		"dynamicRef.json: strict-tree schema, guards against misspelled properties",
		"dynamicRef.json: tests for implementation dynamic anchor and reference link",
		"dynamicRef.json: $ref and $dynamicAnchor are independent of order - $defs first",
		"dynamicRef.json: $ref and $dynamicAnchor are independent of order - $ref first",
		"dynamicRef.json: $ref to $dynamicRef finds detached $dynamicAnchor",
		"ref.json: remote ref, containing refs itself",
	},
	"a document with its own $id within the document": {
		"anchor.json: Location-independent identifier with absolute URI",
		"anchor.json: Location-independent identifier with base URI change in subschema",
		"anchor.json: same $anchor with different base uri",
		"dynamicRef.json: A $dynamicRef resolves to the first $dynamicAnchor still in scope that is encountered when the schema is evaluated",
		"dynamicRef.json: A $dynamicRef without anchor in fragment behaves identical to $ref",
		"dynamicRef.json: A $dynamicRef with intermediate scopes that don't include a matching $dynamicAnchor does not affect dynamic scope resolution",
		"dynamicRef.json: An $anchor with the same name as a $dynamicAnchor is not used for dynamic scope resolution",
		"dynamicRef.json: A $dynamicRef without a matching $dynamicAnchor in the same schema resource behaves like a normal $ref to $anchor",
		"dynamicRef.json: A $dynamicRef with a non-matching $dynamicAnchor in the same schema resource behaves like a normal $ref to $anchor",
		"dynamicRef.json: A $dynamicRef that initially resolves to a schema with a matching $dynamicAnchor resolves to the first $dynamicAnchor in the dynamic scope",
		"dynamicRef.json: A $dynamicRef that initially resolves to a schema without a matching $dynamicAnchor behaves like a normal $ref to $anchor",
		"dynamicRef.json: multiple dynamic paths to the $dynamicRef keyword",
		"dynamicRef.json: after leaving a dynamic scope, it is not used by a $dynamicRef",
		"dynamicRef.json: $dynamicRef skips over intermediate resources - direct reference",
		"ref.json: Recursive references between schemas",
		"ref.json: refs with relative uris and defs",
		"ref.json: relative refs with absolute uris and defs",
		"ref.json: $id must be resolved against nearest parent, not just immediate parent",
		"ref.json: order of evaluation: $id and $ref",
		"ref.json: order of evaluation: $id and $anchor and $ref",
		"ref.json: URN ref with nested pointer ref",
		"ref.json: ref to if",
		"ref.json: ref to then",
		"ref.json: ref to else",
		"ref.json: ref with absolute-path-reference",
		"unevaluatedItems.json: unevaluatedItems with $dynamicRef",
		"unevaluatedProperties.json: unevaluatedProperties with $dynamicRef",
	},
}

// TestSuite runs the JSON-Schema-Test-Suite for draft 2020-12, as the module of google/jsonschema-go carries it.
func TestSuite(t *testing.T) {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/google/jsonschema-go").Output()
	dir := strings.TrimSpace(string(out))
	if err != nil || dir == "" {
		t.Fatalf("the suite is not in the module cache (%v); run go mod download github.com/google/jsonschema-go", err)
	}
	files, err := filepath.Glob(filepath.Join(dir, "jsonschema", "testdata", "draft2020-12", "*.json"))
	if err != nil || len(files) < 40 {
		t.Fatalf("found %d files of the suite (%v)", len(files), err)
	}
	skip := make(map[string]bool) // name: not met yet
	for _, names := range outOfScope {
		for _, name := range names {
			skip[name] = true
		}
	}
	ran := 0
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var groups []struct {
			Description string
			Schema      json.RawMessage
			Tests       []struct {
				Description string
				Data        json.RawMessage
				Valid       bool
			}
		}
		if err := json.Unmarshal(data, &groups); err != nil {
			t.Fatal(err)
		}
		base := filepath.Base(file)
		for _, g := range groups {
			name := base + ": " + g.Description
			c, err := Compile(g.Schema)
			if _, out := skip[base]; out {
				skip[base] = false
				continue
			}
			if _, out := skip[name]; out {
				skip[name] = false
				if err == nil {
					t.Errorf("%s: compiles, so it is in scope", name)
				}
				continue
			}
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			for _, test := range g.Tests {
				ran++
				if got := c.Check(test.Data); got != test.Valid {
					t.Errorf("%s: %s: Check says %t on %s under %s", name, test.Description, got, test.Data, g.Schema)
				}
				if _, _, got, known := raw(c, test.Data); known && got != test.Valid {
					t.Errorf("%s: %s: read raw, it says %t", name, test.Description, got)
				}
				if got := c.accepts(test.Data); got != test.Valid {
					t.Errorf("%s: %s: the walker says %t", name, test.Description, got)
				}
				if got := c.Explain(test.Data); (got == nil) != test.Valid {
					t.Errorf("%s: %s: Explain says %v", name, test.Description, got)
				}
			}
		}
	}
	for name, missing := range skip {
		if missing {
			t.Errorf("out of scope is %q, which is not in the suite", name)
		}
	}
	if ran < 990 {
		t.Errorf("ran %d tests", ran)
	}
}
