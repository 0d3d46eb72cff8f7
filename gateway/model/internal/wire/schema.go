package wire

// Schemas of tools as a provider takes them. One tool whose schema a provider refuses would fail every question: so what it
// refuses is rewritten, never more narrowly than it was. The tool's host checks the arguments by the schema as published.

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/diptych-mcp/diptych/gateway/model"
)

// A Dialect says what a provider wants of schemas.
type Dialect int

// The wants.
const (
	NoRootUnion    Dialect = 1 << iota // no oneOf, anyOf, allOf, not or enum at the root
	NeedProperties                     // an object has properties, if none
	StringEnums                        // an enum has strings alone, and none that is empty
	NeedTypes                          // a property has a type

	// Careful is for servers that are not known. A property of any type stays one: given "string", a model writes strings.
	Careful = NoRootUnion | NeedProperties | StringEnums
)

const noParameters = `{"type":"object","properties":{}}`

// Adapt is a tool's schema in a dialect; as it was published where nothing has to change.
func Adapt(t model.Tool, d Dialect) json.RawMessage {
	if len(bytes.TrimSpace(t.Parameters)) == 0 {
		return json.RawMessage(noParameters)
	}
	dec := json.NewDecoder(bytes.NewReader(t.Parameters))
	dec.UseNumber()
	var root map[string]any
	if dec.Decode(&root) != nil || root == nil {
		return json.RawMessage(noParameters)
	}
	a := adapter{dialect: d, defs: root}
	a.root(root)
	a.schema(root, 0)
	if !a.changed {
		return t.Parameters
	}
	raw, err := json.Marshal(root)
	if err != nil {
		return json.RawMessage(noParameters)
	}
	return raw
}

type adapter struct {
	dialect Dialect
	defs    map[string]any // the root, in which references lead
	changed bool
}

// root makes the root an object without a union: it takes what any of the alternatives takes.
func (a *adapter) root(s map[string]any) {
	if s["type"] != "object" { // MCP allows nothing else
		s["type"] = "object"
		a.changed = true
	}
	if a.dialect&NoRootUnion == 0 {
		return
	}
	properties, _ := s["properties"].(map[string]any)
	required := names(s["required"])
	merged := false
	for _, union := range []string{"oneOf", "anyOf", "allOf"} {
		arms, ok := s[union].([]any)
		if !ok {
			continue
		}
		var common []string
		for i, arm := range arms {
			of := a.resolve(arm)
			own, _ := of["properties"].(map[string]any)
			for _, name := range slices.Sorted(maps.Keys(own)) {
				if properties == nil {
					properties = map[string]any{}
				}
				properties[name] = either(properties[name], own[name])
			}
			needs := names(of["required"])
			switch {
			case union == "allOf":
				common = append(common, needs...)
			case i == 0:
				common = needs
			default:
				common = slices.DeleteFunc(common, func(name string) bool { return !slices.Contains(needs, name) })
			}
		}
		required = append(required, common...)
		delete(s, union)
		merged = true
	}
	for _, key := range []string{"not", "enum", "const", "if", "then", "else"} {
		if _, ok := s[key]; ok {
			delete(s, key)
			merged = true
		}
	}
	if !merged {
		return
	}
	a.changed = true
	if properties != nil {
		s["properties"] = properties
	}
	slices.Sort(required)
	if required = slices.Compact(required); len(required) > 0 {
		s["required"] = required
	}
	if s["additionalProperties"] == false { // it spoke of the properties beside the union
		delete(s, "additionalProperties")
	}
}

// resolve follows a reference to the root's definitions, once.
func (a *adapter) resolve(schema any) map[string]any {
	s, _ := schema.(map[string]any)
	ref, ok := s["$ref"].(string)
	if !ok {
		return s
	}
	at := any(a.defs)
	for _, step := range strings.Split(strings.TrimPrefix(ref, "#/"), "/") {
		in, _ := at.(map[string]any)
		at = in[strings.NewReplacer("~1", "/", "~0", "~").Replace(step)]
	}
	found, _ := at.(map[string]any)
	return found
}

// either is a property that two alternatives have.
func either(a, b any) any {
	if a == nil {
		return b
	}
	x, errX := json.Marshal(a)
	y, errY := json.Marshal(b)
	if errX == nil && errY == nil && bytes.Equal(x, y) {
		return a
	}
	return map[string]any{"anyOf": []any{a, b}}
}

func names(list any) (out []string) {
	all, _ := list.([]any)
	for _, name := range all {
		if s, ok := name.(string); ok {
			out = append(out, s)
		}
	}
	return out
}

// schema mends a schema and those in it.
func (a *adapter) schema(s map[string]any, depth int) {
	if depth > maxSchemaDepth {
		return
	}
	properties, _ := s["properties"].(map[string]any)
	if a.dialect&NeedProperties != 0 && s["type"] == "object" && properties == nil {
		s["properties"] = map[string]any{}
		a.changed = true
	}
	if a.dialect&StringEnums != 0 {
		a.enum(s)
	}
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		if of, ok := properties[name].(map[string]any); ok {
			a.property(of)
			a.schema(of, depth+1)
		} else if a.dialect&NeedTypes != 0 { // true: anything
			properties[name] = map[string]any{"type": "string"}
			a.changed = true
		}
	}
	for _, key := range []string{"items", "additionalProperties"} {
		if of, ok := s[key].(map[string]any); ok {
			a.schema(of, depth+1)
		}
	}
	for _, key := range []string{"$defs", "definitions"} {
		defs, _ := s[key].(map[string]any)
		for _, name := range slices.Sorted(maps.Keys(defs)) {
			if of, ok := defs[name].(map[string]any); ok {
				a.schema(of, depth+1)
			}
		}
	}
	for _, key := range []string{"oneOf", "anyOf", "allOf", "prefixItems"} {
		arms, _ := s[key].([]any)
		for _, arm := range arms {
			if of, ok := arm.(map[string]any); ok {
				a.schema(of, depth+1)
			}
		}
	}
}

// property gives a type to a property that has none.
func (a *adapter) property(s map[string]any) {
	if a.dialect&NeedTypes == 0 {
		return
	}
	for _, key := range []string{"type", "$ref", "anyOf", "oneOf", "allOf"} {
		if _, ok := s[key]; ok {
			return
		}
	}
	s["type"] = "string"
	if _, ok := s["properties"]; ok {
		s["type"] = "object"
	} else if _, ok := s["items"]; ok {
		s["type"] = "array"
	}
	a.changed = true
}

// enum leaves only strings in an enum; the description lists its other values.
func (a *adapter) enum(s map[string]any) {
	all, ok := s["enum"].([]any)
	if !ok {
		return
	}
	var kept []any
	var told []string
	for _, v := range all {
		if text, ok := v.(string); ok && text != "" {
			kept = append(kept, text)
		}
		raw, err := json.Marshal(v)
		if err == nil {
			told = append(told, string(raw))
		}
	}
	if kind, _ := s["type"].(string); len(kept) == len(all) && (kind == "string" || kind == "") {
		return
	}
	a.changed = true
	delete(s, "enum")
	if said, _ := s["description"].(string); len(told) <= maxToldEnum {
		s["description"] = strings.TrimSpace(fmt.Sprintf("%s One of %s.", said, strings.Join(told, ", ")))
	}
}
