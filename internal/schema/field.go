package schema

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/diptych-mcp/diptych/internal/shape"
)

// field writes the schema of one property, and reports whether it has a default, which makes it not required.
func (b *builder) field(f *shape.Field) (*object, bool, error) {
	base, null := f.Shape, false
	for base.Kind == shape.Pointer || base.Kind == shape.Optional {
		base, null = base.Elem, true
	}
	// A field that is left out instead of being null never is null.
	if f.OmitEmpty || f.OmitZero {
		null = false
	}
	o, err := b.value(base)
	if err != nil {
		return nil, false, err
	}
	if f.Quoted {
		o = quoted(base)
	}
	doc := b.fieldDoc(f)
	if len(doc.Enum) > 0 {
		return nil, false, b.fail("Docs list values for a field; list them for its type, or use an enum tag")
	}
	tags := tagReader{b: b, f: f, base: base, schema: o, null: null}
	if err := tags.constrain(); err != nil {
		return nil, false, err
	}
	kind := strings.Trim(string(o.get("type")), `"`)
	switch {
	case null && base.Kind == shape.Union:
		if o, err = b.choice(base, true); err != nil {
			return nil, false, err
		}
	case null:
		outer := &object{reference: o.reference}
		if text := o.get("description"); text != nil && !o.reference {
			// What describes the type describes the property as well.
			outer.set("description", text)
			o.remove("description")
		}
		outer.set("anyOf", list([]*object{o, nullSchema()}))
		o = outer
	}
	if !o.reference {
		o.setString("title", titleOf(f.Name))
	}
	if text := doc.Text; text != "" {
		if own := o.get("description"); own != nil && o.reference {
			text += "\n" + unquote(own)
		}
		o.setString("description", text)
	}
	tags.schema = o
	if err := tags.annotate(); err != nil {
		return nil, false, err
	}
	hasDefault := o.get("default") != nil
	if len(doc.Default) > 0 && !hasDefault {
		if err := tags.preset(doc.Default, "the default in Docs"); err != nil {
			return nil, false, err
		}
		hasDefault = true
	}
	return o, hasDefault, tags.judgeKeys(kind, !f.Optional() && !hasDefault, hasDefault)
}

// fieldDoc is the field's comment; the jsonschema tag wins over it.
func (b *builder) fieldDoc(f *shape.Field) Doc {
	d := Doc{}
	if key := docKey(f.Owner); key != "" {
		d = b.doc(key + "." + f.GoName)
	}
	if tag := f.Tag.Get("jsonschema"); tag != "" {
		d.Text = tag
	}
	return d
}

// quoted is a bool, number or string written inside a string by json:",string".
func quoted(s *shape.Shape) *object {
	pattern := map[shape.Kind]string{
		shape.Bool:   `^(true|false)$`,
		shape.Int:    `^-?(0|[1-9][0-9]*)$`,
		shape.Uint:   `^(0|[1-9][0-9]*)$`,
		shape.Float:  `^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$`,
		shape.Number: `^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$`,
		shape.String: `^"[\s\S]*"$`,
	}[s.Kind]
	o := new(object)
	o.setString("type", "string")
	if pattern != "" {
		o.setString("pattern", pattern)
	}
	return o
}

// A tagReader turns a field's struct tags into keywords.
type tagReader struct {
	b      *builder
	f      *shape.Field
	base   *shape.Shape // without pointers
	schema *object
	null   bool
}

// formats are those that validation asserts; a format that is not checked would be a promise without a guard.
var formats = []string{"date", "date-time", "duration", "email", "hostname", "ipv4", "ipv6", "time", "uri", "uri-reference", "uuid"}

// A keyword is a constraint that a struct tag can carry, and the kinds it fits.
type keyword struct {
	name  string
	kinds []shape.Kind
	check func(value string) string // "" or what is wrong with it
}

var (
	numbers = []shape.Kind{shape.Int, shape.Uint, shape.Float, shape.Number}
	texts   = []shape.Kind{shape.String, shape.Text}
	lists   = []shape.Kind{shape.List}
)

var keywords = []keyword{
	{"minimum", numbers, number},
	{"maximum", numbers, number},
	{"exclusiveMinimum", numbers, number},
	{"exclusiveMaximum", numbers, number},
	{"multipleOf", numbers, positive},
	{"minLength", texts, count},
	{"maxLength", texts, count},
	{"pattern", texts, pattern},
	{"format", texts, format},
	{"minItems", lists, count},
	{"maxItems", lists, count},
	{"uniqueItems", lists, boolean},
}

// constrain sets what binds the value itself, before null comes beside it.
func (t *tagReader) constrain() error {
	for _, k := range keywords {
		value, ok := t.f.Tag.Lookup(k.name)
		if !ok {
			continue
		}
		if t.f.Quoted || t.schema.reference || !slices.Contains(k.kinds, t.base.Kind) {
			return t.unfit(k.name)
		}
		if fault := k.check(value); fault != "" {
			return t.b.fail("tag %s:%q %s", k.name, value, fault)
		}
		if k.name == "pattern" || k.name == "format" {
			t.schema.setString(k.name, value)
		} else {
			t.schema.set(k.name, []byte(value))
		}
	}
	for _, name := range []string{"enum", "const"} {
		value, ok := t.f.Tag.Lookup(name)
		if !ok {
			continue
		}
		if t.schema.reference || !t.scalar() {
			return t.unfit(name)
		}
		if name == "const" {
			raw, err := t.value(value)
			if err != nil {
				return err
			}
			t.schema.set(name, raw)
			continue
		}
		raw, err := t.values(name, value)
		if err != nil {
			return err
		}
		if twice := repeated(raw); twice != nil {
			return t.b.fail("tag enum:%q lists %s twice; list each value once", value, twice)
		}
		if err := t.set(name, raw); err != nil {
			return err
		}
	}
	return nil
}

// annotate sets what describes the property as a whole.
func (t *tagReader) annotate() error {
	if value, ok := t.f.Tag.Lookup("title"); ok {
		t.schema.setString("title", value)
	}
	if value, ok := t.f.Tag.Lookup("deprecated"); ok {
		if fault := boolean(value); fault != "" {
			return t.b.fail("tag deprecated:%q %s", value, fault)
		}
		t.schema.set("deprecated", []byte(value))
	}
	if value, ok := t.f.Tag.Lookup("examples"); ok {
		raw, err := t.values("examples", value)
		if err != nil {
			return err
		}
		if err := t.set("examples", raw); err != nil {
			return err
		}
	}
	if value, ok := t.f.Tag.Lookup("default"); ok {
		raw, err := t.value(value)
		if err != nil {
			return err
		}
		if err := t.preset(raw, fmt.Sprintf("tag default:%q", value)); err != nil {
			return err
		}
	}
	if value, ok := t.f.Tag.Lookup("header"); ok {
		if !t.b.input || !t.scalar() {
			return t.b.fail("tag header:%q does not fit; only arguments that are a string, an integer or a boolean travel in a header", value)
		}
		t.schema.setString("x-mcp-header", value)
	}
	return nil
}

func (t *tagReader) unfit(name string) error {
	return t.b.fail("tag %s does not fit type %s; remove the tag or change the type", name, t.f.Shape.Type)
}

func (t *tagReader) scalar() bool {
	switch t.base.Kind {
	case shape.Bool, shape.Int, shape.Uint, shape.Float, shape.Number, shape.String, shape.Text:
		return !t.f.Quoted
	}
	return false
}

// preset sets a default that the property's own schema accepts. A schema that points elsewhere is asked at the end.
func (t *tagReader) preset(raw []byte, source string) error {
	schema := t.schema.json()
	fault := t.b.fail("%s does not match the field's own schema; make them agree", source)
	switch {
	case !json.Valid(raw):
		return fault
	case strings.Contains(string(schema), `"$ref"`):
		t.b.presets = append(t.b.presets, preset{schema, raw, fault})
	case t.b.cfg.Accepts != nil && !t.b.cfg.Accepts(schema, raw):
		return fault
	}
	t.schema.set("default", raw)
	return nil
}

func (t *tagReader) set(name string, values []json.RawMessage) error {
	raw, err := marshal(values)
	if err == nil {
		t.schema.set(name, raw)
	}
	return err
}

// value reads one value from a tag: text for a string, JSON for everything else.
func (t *tagReader) value(text string) (json.RawMessage, error) {
	switch {
	case t.null && text == "null":
		return []byte("null"), nil
	case t.f.Quoted || t.base.Kind == shape.String || t.base.Kind == shape.Text || t.base.Kind == shape.JSON && !json.Valid([]byte(text)):
		return quote(text), nil
	case !json.Valid([]byte(text)):
		return nil, t.b.fail("tag value %q is no JSON, and the field is no string; write the value as JSON", text)
	}
	return []byte(text), t.fitsField([]byte(text))
}

// fitsField refuses a value that a field of a scalar kind cannot have.
func (t *tagReader) fitsField(raw []byte) error {
	switch {
	case t.null && string(raw) == "null":
	case t.f.Quoted && raw[0] == '"':
	case t.f.Quoted, t.scalar() && !fits(raw, t.base.Kind, t.base.Type):
		return t.b.fail("tag value %q does not fit type %s; write a value of that type", strings.Trim(string(raw), `"`), t.base.Type)
	}
	return nil
}

// values reads a list from a tag: a JSON array, or values separated by commas.
func (t *tagReader) values(name, text string) ([]json.RawMessage, error) {
	var all []json.RawMessage
	if strings.HasPrefix(text, "[") {
		if err := json.Unmarshal([]byte(text), &all); err != nil || len(all) == 0 {
			return nil, t.b.fail("tag %s:%q is no JSON array with values; write [1, 2] or 1,2", name, text)
		}
		for _, raw := range all {
			if err := t.fitsField(raw); err != nil {
				return nil, err
			}
		}
		return all, nil
	}
	for part := range strings.SplitSeq(text, ",") {
		raw, err := t.value(strings.TrimSpace(part))
		if err != nil {
			return nil, err
		}
		all = append(all, raw)
	}
	return all, nil
}

var jsonNumber = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]{1,3})?$`)

func number(s string) string {
	if !jsonNumber.MatchString(s) {
		return "is no number; write one as JSON does"
	}
	return ""
}

func positive(s string) string {
	if f, err := strconv.ParseFloat(s, 64); err != nil || f <= 0 || number(s) != "" {
		return "is no number above 0; write one as JSON does"
	}
	return ""
}

func count(s string) string {
	if _, err := strconv.ParseUint(s, 10, 31); err != nil {
		return "is no count; write a whole number from 0 on"
	}
	return ""
}

func boolean(s string) string {
	if s != "true" && s != "false" {
		return "is neither true nor false; write one of them"
	}
	return ""
}

func pattern(s string) string {
	if _, err := regexp.Compile(s); err != nil {
		return fmt.Sprintf("is no pattern that RE2 can read (%v); write it without lookaround and backreferences", err)
	}
	return ""
}

func format(s string) string {
	if !slices.Contains(formats, s) {
		return "is no format that is checked; use one of " + strings.Join(formats, ", ")
	}
	return ""
}
