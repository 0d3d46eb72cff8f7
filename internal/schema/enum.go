package schema

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/diptych-mcp/diptych/internal/shape"
)

// enum lists the values that a named type may take, as JSON, or nil: from its method Enum() []T, else from the
// constants that the generator found.
func (b *builder) enum(t reflect.Type, kind shape.Kind) ([]byte, error) {
	if t.Name() == "" || t.PkgPath() == "" {
		return nil, nil
	}
	if m, ok := t.MethodByName("Enum"); ok && m.Type.NumIn() == 1 && m.Type.NumOut() == 1 &&
		m.Type.Out(0).Kind() == reflect.Slice && m.Type.Out(0).Elem() == t {
		b.asked(t)
		return b.callEnum(t, m)
	}
	d := b.typeDoc(t)
	if len(d.Enum) == 0 {
		return nil, nil
	}
	values := make([]any, len(d.Enum))
	for i, c := range d.Enum {
		values[i] = c.Value
	}
	all, err := b.constants("Docs", t, values)
	if err != nil {
		return nil, err
	}
	for _, raw := range all {
		if !fits(raw, kind, t) {
			return nil, b.fail("Docs: the constant %s is no %s; give values that the type has", raw, t)
		}
	}
	return marshal(all)
}

func (b *builder) callEnum(t reflect.Type, m reflect.Method) (raw []byte, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = b.fail("Enum of %s panics on the zero value; return the values without looking at the receiver", t)
		}
	}()
	list := m.Func.Call([]reflect.Value{reflect.Zero(t)})[0]
	if list.Len() == 0 {
		return nil, b.fail("Enum of %s lists no value; list every value it may take", t)
	}
	values := make([]any, list.Len())
	for i := range values {
		values[i] = list.Index(i).Addr().Interface()
	}
	all, err := b.constants(fmt.Sprintf("Enum of %s", t), t, values)
	if err != nil {
		return nil, err
	}
	return marshal(all)
}

// constants writes the values that source lists for t.
func (b *builder) constants(source string, t reflect.Type, values []any) ([]json.RawMessage, error) {
	all := make([]json.RawMessage, len(values))
	for i, v := range values {
		raw, err := marshal(v)
		if err != nil {
			return nil, b.fail("%s: a value of %s has no JSON form: %v", source, t, err)
		}
		// The encoder writes what is no UTF-8 as U+FFFD.
		if at := reflect.Indirect(reflect.ValueOf(v)); at.Kind() == reflect.String && !utf8.ValidString(at.String()) {
			return nil, b.fail("%s: a value of %s is not valid UTF-8; write it in UTF-8", source, t)
		}
		all[i] = raw
	}
	if twice := repeated(all); twice != nil {
		return nil, b.fail("%s: the value %s is listed twice; list each value once", source, twice)
	}
	return all, nil
}

// fits reports whether a value is one that a type with constants may have. What a MarshalJSON writes may be anything.
func fits(raw []byte, kind shape.Kind, t reflect.Type) bool {
	switch kind {
	case shape.Bool:
		return string(raw) == "true" || string(raw) == "false"
	case shape.Int:
		_, err := strconv.ParseInt(string(raw), 10, t.Bits())
		return err == nil
	case shape.Uint:
		_, err := strconv.ParseUint(string(raw), 10, t.Bits())
		return err == nil
	case shape.Float:
		_, err := strconv.ParseFloat(string(raw), t.Bits())
		return err == nil
	case shape.Number:
		return number(string(raw)) == ""
	case shape.String, shape.Text:
		return raw[0] == '"'
	}
	return kind == shape.JSON
}

// repeated finds a value that a list has twice, which some validators refuse together with its schema.
func repeated(values []json.RawMessage) json.RawMessage {
	seen := make(map[string]bool, len(values))
	for _, raw := range values {
		key := string(raw)
		if number(key) == "" && strings.ContainsAny(key, ".eE") {
			if f, err := strconv.ParseFloat(key, 64); err == nil {
				key = strconv.FormatFloat(f, 'f', -1, 64)
			}
		}
		if seen[key] {
			return raw
		}
		seen[key] = true
	}
	return nil
}

// enumText is the type's comment followed by those of its values.
func (b *builder) enumText(t reflect.Type) string {
	d := b.typeDoc(t)
	lines := []string{}
	if d.Text != "" {
		lines = append(lines, d.Text)
	}
	for _, c := range d.Enum {
		if c.Text == "" {
			continue
		}
		value, err := marshal(c.Value)
		if err != nil {
			continue
		}
		lines = append(lines, strings.Trim(string(value), `"`)+": "+c.Text)
	}
	return strings.Join(lines, "\n")
}

// enumType is the JSON type of the values of s.
func enumType(s *shape.Shape, values []byte) string {
	switch s.Kind {
	case shape.Int, shape.Uint:
		return "integer"
	case shape.Float, shape.Number:
		return "number"
	case shape.String, shape.Text:
		return "string"
	case shape.Bool:
		return "boolean"
	}
	var all []json.RawMessage
	if json.Unmarshal(values, &all) != nil {
		return ""
	}
	for _, v := range all {
		if !bytes.HasPrefix(v, []byte(`"`)) {
			return ""
		}
	}
	return "string"
}
