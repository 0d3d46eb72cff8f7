package encode

import (
	"encoding"
	"encoding/json"
	"reflect"
	"slices"
)

// Anything writes what an interface holds.
type anything struct {
	c    *compiler
	text *node // set where the interface asks for MarshalText: encoding/json then calls it whatever else there is
}

func (c *compiler) anything(t reflect.Type) anything {
	a := anything{c: c}
	if t.Implements(reflect.TypeFor[encoding.TextMarshaler]()) && !t.Implements(reflect.TypeFor[json.Marshaler]()) {
		a.text = &node{write: writeMarshalText}
	}
	return a
}

// held returns what is inside the interface v and the node that writes it; no node means null.
func (a anything) held(v reflect.Value) (reflect.Value, *node) {
	v = v.Elem()
	if !v.IsValid() {
		return v, nil
	}
	if a.text != nil {
		if v.Kind() == reflect.Pointer && v.IsNil() {
			return v, nil
		}
		return v, a.text
	}
	return v, a.c.inside(v.Type())
}

func (a anything) write(dst []byte, v reflect.Value, depth int) ([]byte, *fault) {
	if v.NumMethod() == 0 && v.CanInterface() {
		return a.value(dst, v.Interface(), depth)
	}
	v, n := a.held(v)
	if n == nil {
		return append(dst, "null"...), nil
	}
	return n.write(dst, v, depth)
}

func (a anything) split(dst []byte, blocks []Block, v reflect.Value, depth int) ([]byte, []Block, *fault) {
	v, n := a.held(v)
	if n == nil {
		return markNull(dst, blocks)
	}
	return n.mark(dst, blocks, v, depth)
}

// value writes the types that fill untyped documents without asking what they are a second time.
func (a anything) value(dst []byte, x any, depth int) ([]byte, *fault) {
	switch x := x.(type) {
	case nil:
		return append(dst, "null"...), nil
	case string:
		return AppendString(dst, x), nil
	case bool:
		return appendBool(dst, x), nil
	case int:
		return appendInt(dst, int64(x)), nil
	case float64:
		return AppendFloat(dst, x, 64), nil
	case []any:
		return a.items(dst, x, depth)
	case map[string]any:
		return a.members(dst, x, depth)
	}
	v := reflect.ValueOf(x)
	return a.c.inside(v.Type()).write(dst, v, depth)
}

func (a anything) items(dst []byte, items []any, depth int) ([]byte, *fault) {
	if depth == maxDepth {
		return dst, tooDeep(reflect.ValueOf(items))
	}
	dst = append(dst, '[')
	for i, x := range items {
		if i > 0 {
			dst = append(dst, ',')
		}
		var f *fault
		if dst, f = a.value(dst, x, depth+1); f != nil {
			return dst, f.item(i).passing(reflect.ValueOf(items))
		}
	}
	return append(dst, ']'), nil
}

func (a anything) members(dst []byte, members map[string]any, depth int) ([]byte, *fault) {
	if depth == maxDepth {
		return dst, tooDeep(reflect.ValueOf(members))
	}
	keys := slices.Grow(make([]string, 0, 8), len(members)) // eight fit on the stack
	for key := range members {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	dst = append(dst, '{')
	for i, key := range keys {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(AppendString(dst, key), ':')
		var f *fault
		if dst, f = a.value(dst, members[key], depth+1); f != nil {
			return dst, f.member(key).passing(reflect.ValueOf(members))
		}
	}
	return append(dst, '}'), nil
}
