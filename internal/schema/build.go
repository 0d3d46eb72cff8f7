package schema

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/diptych-mcp/diptych/internal/shape"
)

// A builder writes one schema document.
type builder struct {
	cfg       Config
	input     bool     // objects are closed
	bounded   bool     // 64-bit integers carry their bounds, and integer keys their form
	unbounded bool     // either was met
	path      []string // to the type being written, for errors
	defs      []*def
	byType    map[reflect.Type]*def
	inPlace   bool                 // definitions are written where they are used
	within    map[reflect.Type]int // how often a type is being written
	written   int                  // definitions written in place
	presets   []preset
}

// A preset is a default whose schema refers to definitions, which are written last.
type preset struct {
	schema, value []byte
	fault         error
}

func newBuilder(cfg Config, input bool) *builder {
	return &builder{cfg: cfg, input: input, byType: map[reflect.Type]*def{}, within: map[reflect.Type]int{}}
}

// fail is an error at the current path.
func (b *builder) fail(format string, args ...any) error {
	path := strings.Join(b.path, ".")
	if path == "" {
		path = "the struct"
	}
	return errors.New(path + ": " + fmt.Sprintf(format, args...))
}

// at runs f with the path one step longer.
func (b *builder) at(step string, f func() error) error {
	b.path = append(b.path, step)
	err := f()
	b.path = b.path[:len(b.path)-1]
	return err
}

// value writes the schema of s for one value of it: a reference for what is in $defs.
func (b *builder) value(s *shape.Shape) (*object, error) {
	d := b.byType[s.Type]
	switch {
	case d == nil, s.Kind == shape.Invalid:
		return b.inline(s)
	case b.inPlace && b.written < maxInPlace:
		return b.writeInPlace(d)
	}
	o := &object{reference: true}
	o.setString("$ref", "#/$defs/"+d.name)
	return o, nil
}

// writeInPlace writes a definition where it is used. It counts as a reference: its title and its rules are the type's.
func (b *builder) writeInPlace(d *def) (*object, error) {
	b.written++
	t := d.shape.Type
	if b.within[t] == maxLevels {
		o := &object{reference: true}
		switch d.shape.Kind {
		case shape.Struct, shape.Map:
			o.setString("type", "object")
		case shape.List, shape.Array, shape.Tuple:
			o.setString("type", "array")
		}
		return o, nil
	}
	b.within[t]++
	defer func() { b.within[t]-- }()
	o, err := b.definition(d)
	if err == nil {
		o.reference = true
	}
	return o, err
}

// definition writes the schema of a type that is in $defs.
func (b *builder) definition(d *def) (*object, error) {
	if d.known != nil {
		return parse(d.known)
	}
	return b.inline(d.shape)
}

// inline writes the schema of s in full.
func (b *builder) inline(s *shape.Shape) (*object, error) {
	if s.Kind == shape.Invalid {
		return nil, b.fail("%s", s.Problem)
	}
	if len(b.typeDoc(s.Type).Default) > 0 {
		return nil, b.fail("Docs give a default to a type; give it to a field of arguments")
	}
	if o, ok, err := b.given(s); ok || err != nil {
		return o, err
	}
	o := new(object)
	switch s.Kind {
	case shape.Bool:
		o.setString("type", "boolean")
	case shape.Int, shape.Uint:
		o.setString("type", "integer")
		b.setBounds(o, s.Type)
	case shape.Float, shape.Number:
		o.setString("type", "number")
	case shape.String, shape.Text:
		o.setString("type", "string")
	case shape.Bytes:
		o.setString("type", "string")
		o.setString("contentEncoding", "base64")
	case shape.Any, shape.Raw:
		if s.Type == reflect.TypeFor[error]() {
			return nil, b.fail("an error is written as {}, without its text; use a string")
		}
		return o, nil
	case shape.JSON:
		if b.cfg.Lenient {
			return o, nil
		}
		if shape.Foreign(s.Type) {
			return nil, b.fail("its MarshalJSON hides what it writes; say what it looks like with the option diptych.Schema[%s]", s.Type)
		}
		return nil, b.fail("its MarshalJSON hides what it writes; give %s the method JSONSchema() json.RawMessage", typeName(s.Type))
	case shape.Struct:
		return b.object(s)
	case shape.Pointer, shape.Promise:
		return b.value(s.Elem)
	case shape.List, shape.Array:
		o.setString("type", "array")
		if s.Kind == shape.Array {
			n := strconv.AppendInt(nil, int64(s.Type.Len()), 10)
			o.set("minItems", n)
			o.set("maxItems", n)
		}
		items, err := b.value(s.Elem)
		if err != nil {
			return nil, err
		}
		o.set("items", items.json())
	case shape.Map:
		return b.dict(s)
	case shape.Tuple:
		o.setString("type", "array")
		n := strconv.AppendInt(nil, int64(len(s.Parts)), 10)
		o.set("minItems", n)
		o.set("maxItems", n)
		var parts []*object
		for _, p := range s.Parts {
			part, err := b.value(p)
			if err != nil {
				return nil, err
			}
			parts = append(parts, part)
		}
		o.set("prefixItems", list(parts))
	case shape.Optional, shape.Union:
		return b.choice(s, false)
	}
	if d := b.typeDoc(s.Type); d.Text != "" {
		o.setString("description", d.Text)
	}
	return o, nil
}

// choice writes the alternatives of s, nested ones flat, null last and once; a type without alternatives is its own
// only one.
func (b *builder) choice(s *shape.Shape, null bool) (*object, error) {
	var arms []*object
	var walk func(s *shape.Shape) error
	walk = func(s *shape.Shape) error {
		switch s.Kind {
		case shape.Pointer, shape.Promise:
			if b.byType[s.Type] == nil {
				return walk(s.Elem)
			}
		case shape.Optional:
			null = true
			return walk(s.Elem)
		case shape.Union:
			for _, p := range s.Parts {
				if err := walk(p); err != nil {
					return err
				}
			}
			return nil
		}
		o, err := b.value(s)
		if err == nil {
			arms = append(arms, o)
		}
		return err
	}
	if err := walk(s); err != nil {
		return nil, err
	}
	o := &object{reference: null && len(arms) == 1 && arms[0].reference}
	if null {
		arms = append(arms, nullSchema())
	}
	o.set("anyOf", list(arms))
	return o, nil
}

func nullSchema() *object {
	o := new(object)
	o.setString("type", "null")
	return o
}

func (b *builder) dict(s *shape.Shape) (*object, error) {
	o := new(object)
	o.setString("type", "object")
	values, err := b.value(s.Elem)
	if err != nil {
		return nil, err
	}
	raw := values.json()
	if string(raw) == "{}" {
		raw = []byte("true")
	}
	o.set("additionalProperties", raw)
	names, err := b.keyNames(s.Key)
	if err != nil {
		return nil, err
	}
	if names != nil {
		o.set("propertyNames", names.json())
	}
	return o, nil
}

// The patterns of integer keys, in the one form that means each integer.
const (
	integerKey = `^(0|-?[1-9][0-9]*)$`
	countKey   = `^(0|[1-9][0-9]*)$`
)

// keyNames is what a map's keys must look like, or nil where any string is a key. A builder for checking asks for integers
// in one form, since "1" and "01" would be one key.
func (b *builder) keyNames(k *shape.Key) (*object, error) {
	o := new(object)
	if k.Kind == shape.Int || k.Kind == shape.Uint {
		if b.unbounded = true; b.bounded {
			o.setString("pattern", map[shape.Kind]string{shape.Int: integerKey, shape.Uint: countKey}[k.Kind])
			return o, nil
		}
		return nil, nil
	}
	values, err := b.enum(k.Type, k.Kind)
	if err != nil || values != nil {
		o.set("enum", values)
		return o, err
	}
	if k.Kind == shape.Text {
		if known, ok := standard(k.Type); ok {
			if f := known.get("format"); f != nil {
				o.set("format", f)
				return o, nil
			}
		}
	}
	return nil, nil
}

// object writes a struct.
func (b *builder) object(s *shape.Shape) (*object, error) {
	o := new(object)
	o.setString("type", "object")
	if s.Type == reflect.TypeFor[struct{}]() && !b.input {
		return o, nil
	}
	if len(s.Fields) == 0 && s.Type.NumField() > 0 || len(s.Fields) == 0 && s.Type.Name() != "" {
		remedy := "export its fields, or return a type of your own with the data"
		switch {
		case shape.Foreign(s.Type):
			remedy = "put a type of your own in its place, or say with diptych.Schema what the type around it looks like"
		case !b.input && b.byType[s.Type] == nil && isStringer(s.Type):
			remedy = "export its fields, or use Unstructured, which answers with its String method"
		case b.byType[s.Type] != nil:
			remedy = "export its fields, or put a type of your own in its place"
		case b.input:
			remedy = "export its fields, or use struct{} for no arguments"
		}
		return nil, b.fail("no exported fields, so it has no schema; %s", remedy)
	}
	if len(b.typeDoc(s.Type).Enum) > 0 {
		return nil, b.fail("Docs list values for a struct; list values of a bool, a number or a string")
	}
	var (
		p        properties
		required []string
	)
	for i := range s.Fields {
		f := &s.Fields[i]
		err := b.at(f.GoName, func() error {
			field, hasDefault, err := b.field(f)
			if err != nil {
				return err
			}
			p.add(f.Name, field)
			if !f.Optional() && !hasDefault {
				required = append(required, f.Name)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	o.set("properties", p.json())
	if len(required) > 0 {
		raw, err := marshal(required)
		if err != nil {
			return nil, err
		}
		o.set("required", raw)
	}
	if s.Type.Name() != "" {
		o.setString("title", typeName(s.Type))
	}
	if d := b.typeDoc(s.Type); d.Text != "" {
		o.setString("description", d.Text)
	}
	if b.input {
		o.set("additionalProperties", []byte("false"))
	}
	return o, nil
}

var stringerType = reflect.TypeFor[fmt.Stringer]()

func isStringer(t reflect.Type) bool {
	return t.Implements(stringerType) || reflect.PointerTo(t).Implements(stringerType)
}

// given is a schema that does not follow from the type's kind: its own JSONSchema method, its declared values, or a
// type of the standard library whose marshaler is known.
func (b *builder) given(s *shape.Shape) (*object, bool, error) {
	if o, ok, err := b.own(s.Type); ok || err != nil {
		return o, ok, err
	}
	values, err := b.enum(s.Type, s.Kind)
	if err != nil {
		return nil, false, err
	}
	if values != nil {
		o := new(object)
		o.set("enum", values)
		if t := enumType(s, values); t != "" {
			o.setString("type", t)
		}
		if s.Type.Name() != "" {
			o.setString("title", typeName(s.Type))
		}
		if text := b.enumText(s.Type); text != "" {
			o.setString("description", text)
		}
		return o, true, nil
	}
	if b.cfg.Known != nil {
		if raw, _, ok := b.cfg.Known(s.Type); ok {
			o, err := parse(raw)
			return o, true, err
		}
	}
	o, ok := standard(s.Type)
	if ok && s.Kind == shape.Int {
		b.setBounds(o, s.Type)
	}
	return o, ok, nil
}

// schemer is a type that says its own schema.
type schemer interface{ JSONSchema() json.RawMessage }

var schemerType = reflect.TypeFor[schemer]()

// saysOwn reports whether the schema of t was given, or t has the method, with either receiver.
func (b *builder) saysOwn(t reflect.Type) bool {
	if b.cfg.Given != nil {
		if _, ok := b.cfg.Given(t); ok {
			return true
		}
	}
	return t.Kind() != reflect.Pointer && t.Kind() != reflect.Interface && reflect.PointerTo(t).Implements(schemerType)
}

// own is the schema that was given for a type, or what its JSONSchema method returns on the zero value.
func (b *builder) own(t reflect.Type) (o *object, ok bool, err error) {
	if !b.saysOwn(t) {
		return nil, false, nil
	}
	b.asked(t)
	if b.cfg.Given != nil {
		if raw, ok := b.cfg.Given(t); ok {
			o, err := b.screened(raw, "diptych.Schema["+t.String()+"]")
			return o, err == nil, err
		}
	}
	if !t.Implements(schemerType) {
		return nil, false, b.fail("JSONSchema of %s has a pointer receiver; give it a value receiver, since it is called on the zero value", t)
	}
	defer func() {
		if r := recover(); r != nil {
			err = b.fail("JSONSchema of %s panics on the zero value; return the schema without looking at the value", t)
		}
	}()
	o, err = b.screened(reflect.Zero(t).Interface().(schemer).JSONSchema(), "JSONSchema of "+t.String())
	return o, err == nil, err
}

// screened reads a schema that somebody wrote, named from for errors.
func (b *builder) screened(raw json.RawMessage, from string) (*object, error) {
	if b.cfg.Screen != nil {
		if err := b.cfg.Screen(raw); err != nil {
			return nil, b.fail("%s: %v", from, err)
		}
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, raw); err != nil {
		return nil, b.fail("%s is no JSON; write one JSON object", from)
	}
	o, err := parse(compact.Bytes())
	if err != nil {
		return nil, b.fail("%s is no JSON object; write one JSON object", from)
	}
	if bytes.Contains(raw, []byte(`"$ref"`)) {
		return nil, b.fail("%s uses $ref, which leads nowhere inside another schema; write it out, or give the tool an OutputSchema", from)
	}
	return o, nil
}

// parse reads a schema object so that keys can be added to it. The author's values stay as they are.
func parse(raw []byte) (*object, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil, fmt.Errorf("no JSON object")
	}
	o := new(object)
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return nil, err
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return nil, err
		}
		o.set(key.(string), value)
	}
	return o, nil
}

// asked tells that t has a method that says what its schema is.
func (b *builder) asked(t reflect.Type) {
	if b.cfg.Asked != nil {
		b.cfg.Asked(t)
	}
}

func (b *builder) typeDoc(t reflect.Type) Doc { return b.doc(docKey(t)) }

func (b *builder) doc(key string) Doc {
	if b.cfg.Doc == nil || key == "" {
		return Doc{}
	}
	d, _ := b.cfg.Doc(key)
	return d
}

// docKey is the key of a named type in Docs: its import path and its name, without a generic's arguments.
func docKey(t reflect.Type) string {
	if t.Name() == "" || t.PkgPath() == "" {
		return ""
	}
	name, _, _ := strings.Cut(t.Name(), "[")
	return t.PkgPath() + "." + name
}
