package schema

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"

	"github.com/diptych-mcp/diptych/internal/shape"
)

// enum lists the values that a named type may take, as JSON, or nil: from its method Enum() []T, else from the
// constants that the generator found.
func (b *builder) enum(t reflect.Type) ([]byte, error) {
	if t.Name() == "" || t.PkgPath() == "" {
		return nil, nil
	}
	if m, ok := t.MethodByName("Enum"); ok && m.Type.NumIn() == 1 && m.Type.NumOut() == 1 &&
		m.Type.Out(0).Kind() == reflect.Slice && m.Type.Out(0).Elem() == t {
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
	raw, err := marshal(values)
	if err != nil {
		return nil, b.fail("a constant of %s has no JSON form: %v", t, err)
	}
	return raw, nil
}

func (b *builder) callEnum(t reflect.Type, m reflect.Method) (raw []byte, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = b.fail("Enum of %s panics on the zero value; return the values without looking at the receiver", t)
		}
	}()
	values := m.Func.Call([]reflect.Value{reflect.Zero(t)})[0]
	if values.Len() == 0 {
		return nil, b.fail("Enum of %s lists no value; list every value it may take", t)
	}
	raw, err = marshal(values.Interface())
	if err != nil {
		return nil, b.fail("Enum of %s has a value without a JSON form: %v", t, err)
	}
	return raw, nil
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
