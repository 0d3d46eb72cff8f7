package schema

import (
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// readKeys are the keys of struct tags that say something here, besides those in keywords.
var readKeys = []string{"json", "jsonschema", "enum", "const", "title", "deprecated", "examples", "default", "header"}

// unreadKeys are the other keywords of JSON Schema. An author who writes one on a field means it. Keys that are no
// keyword belong to other libraries and are passed over.
var unreadKeys = []string{
	"additionalProperties", "allOf", "anyOf", "contains", "contentEncoding", "contentMediaType", "contentSchema",
	"dependentRequired", "dependentSchemas", "description", "else", "if", "items", "maxContains", "maxProperties",
	"minContains", "minProperties", "not", "oneOf", "patternProperties", "prefixItems", "properties", "propertyNames",
	"readOnly", "required", "then", "type", "unevaluatedItems", "unevaluatedProperties", "writeOnly",
}

// foreignWords are what the jsonschema tag of other libraries begins with where they mean a keyword.
var foreignWords = []string{"required", "optional", "nullable", "omitempty", "-"}

var word = regexp.MustCompile(`^[^ \t\n]*=`)

// Word is what a text begins with that may not begin a description, or nothing. It is the official SDK's rule: such a
// word may become a keyword one day.
func Word(text string) string { return cut(word.FindString(text), 40) }

// judgeKeys refuses keys that would be passed over in silence although they seem to say something about the schema. What
// the schema says all the same is no fault: the tag may be another library's.
func (t *tagReader) judgeKeys(kind string, required, hasDefault bool) error {
	if word := Word(t.f.Tag.Get("jsonschema")); word != "" {
		return t.b.fail("tag jsonschema begins with %q, as no description may; write the description alone, and each keyword as a tag of its own", word)
	}
	if foreign, _, _ := strings.Cut(t.f.Tag.Get("jsonschema"), ","); slices.Contains(foreignWords, foreign) {
		return t.b.fail("tag jsonschema:%q would be published as the description; remove it: a field is required unless it has omitempty, omitzero or a default, and nullable if it is a pointer without omitempty", t.f.Tag.Get("jsonschema"))
	}
	for key, value := range tagKeys(t.f.Tag) {
		if what, ok := strings.CutPrefix(key, "jsonschema_"); ok {
			if what == "description" {
				return t.b.fail("tag %s is not read; write jsonschema:%q", key, value)
			}
			return t.b.fail("tag %s is not read; write the description as jsonschema:\"…\", and each keyword as a tag of its own", key)
		}
		if meant := misspelt(key); meant != "" {
			return t.b.fail("tag %s is not read; write %s", key, meant)
		}
		if !slices.Contains(unreadKeys, key) {
			continue
		}
		switch {
		case key == "description":
			if t.f.Tag.Get("jsonschema") == "" {
				return t.b.fail(`tag description is not read; write jsonschema:"…"`)
			}
		case key == "type":
			if isType(value) && kind != "" && value != kind && (value != "number" || kind != "integer") {
				return t.b.fail("tag type:%q is not read, and the type is %s; remove the tag or change the type", value, kind)
			}
		case key != "required":
			return t.b.fail("tag %s is not read; remove it, or give the field a type whose method JSONSchema says it", key)
		default:
			says, err := strconv.ParseBool(value)
			switch {
			case err != nil:
			case !says && required:
				return t.b.fail("tag required:%q is not read, and the field is required; add omitempty or omitzero, or remove the tag", value)
			case says && !required && !hasDefault: // with a default the function gets a value all the same
				return t.b.fail("tag required:%q is not read, and the field is not required; remove the tag, or what makes the field optional", value)
			}
		}
	}
	return nil
}

// misspelt is the key that differs from this one in case alone, or nothing.
func misspelt(key string) string {
	if slices.Contains(readKeys, key) {
		return ""
	}
	for _, k := range keywords {
		switch {
		case k.name == key:
			return ""
		case strings.EqualFold(k.name, key):
			return k.name
		}
	}
	for _, k := range readKeys {
		if strings.EqualFold(k, key) {
			return k
		}
	}
	return ""
}

func isType(name string) bool {
	return slices.Contains([]string{"array", "boolean", "integer", "null", "number", "object", "string"}, name)
}

// tagKeys goes over the pairs of a struct tag in the way of [reflect.StructTag.Lookup], which knows no list of them.
func tagKeys(tag reflect.StructTag) func(yield func(key, value string) bool) {
	return func(yield func(key, value string) bool) {
		for rest := string(tag); ; {
			key, after, found := strings.Cut(strings.TrimLeft(rest, " "), ":")
			quoted, err := strconv.QuotedPrefix(after)
			if !found || err != nil || quoted[0] != '"' {
				return
			}
			value, err := strconv.Unquote(quoted)
			if err != nil || !yield(key, value) {
				return
			}
			rest = after[len(quoted):]
		}
	}
}

// cut shortens s to n bytes and an ellipsis.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "") + "…"
}
