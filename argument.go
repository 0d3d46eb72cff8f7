package diptych

import (
	"encoding"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych/internal/shape"
)

// readable finds what encoding/json writes but cannot read, and what nobody sends, anywhere in a type of arguments: such a
// tool could be listed, and never called.
func readable(s *shape.Shape) error {
	seen := map[*shape.Shape]bool{}
	var walk func(s *shape.Shape, path string) error
	walk = func(s *shape.Shape, path string) error {
		if seen[s] {
			return nil
		}
		seen[s] = true
		if fault := unreadableType(s); fault != "" {
			return fmt.Errorf("%s: %s", path, fault)
		}
		if s.Elem != nil {
			if err := walk(s.Elem, path); err != nil {
				return err
			}
		}
		for _, p := range s.Parts {
			if err := walk(p, path); err != nil {
				return err
			}
		}
		for i := range s.Fields {
			f := &s.Fields[i]
			at := strings.TrimPrefix(path+"."+f.GoName, ".")
			if hidden := hiddenPointer(s.Type, f.Index); hidden != "" {
				return fmt.Errorf("%s: arguments cannot be read through the embedded pointer to %s, which is unexported; embed the struct itself or export the type", at, hidden)
			}
			if err := walk(f.Shape, at); err != nil {
				return err
			}
		}
		return nil
	}
	return walk(s, nameOf(s.Base().Type))
}

// unreadableType is why values of a type cannot be read, or nothing.
func unreadableType(s *shape.Shape) string {
	pointer := reflect.PointerTo(s.Type)
	byJSON, byText := pointer.Implements(reflect.TypeFor[json.Unmarshaler]()), pointer.Implements(reflect.TypeFor[encoding.TextUnmarshaler]())
	switch t := s.Type; {
	case isBlock(t):
		return "a content block is part of an answer, and no argument; take what would be in it: a string, or []byte and its media type"
	case t == reflect.TypeFor[mcp.CallToolResult](), isCarrier(t), isDataResult(t):
		return fmt.Sprintf("%s is an answer, and no argument; take the data that it would carry", t)
	case s.Kind == shape.JSON && !byJSON:
		return fmt.Sprintf("type %s has MarshalJSON and no UnmarshalJSON, so it cannot be read; add UnmarshalJSON", s.Type)
	case s.Kind == shape.Text && !byJSON && !byText:
		return fmt.Sprintf("type %s has MarshalText and no UnmarshalText, so it cannot be read; add UnmarshalText", s.Type)
	case s.Kind == shape.Any && s.Type.NumMethod() > 0:
		return fmt.Sprintf("interface %s cannot be read; use a concrete type, AnyOf or any", s.Type)
	case s.Kind == shape.Map && s.Key.Kind == shape.Text && !reflect.PointerTo(s.Key.Type).Implements(reflect.TypeFor[encoding.TextUnmarshaler]()):
		return fmt.Sprintf("map key type %s has MarshalText and no UnmarshalText, so it cannot be read; add UnmarshalText or use a string", s.Key.Type)
	}
	return ""
}

// hiddenPointer names the unexported struct that a field is reached through by an embedded pointer.
func hiddenPointer(t reflect.Type, index []int) string {
	for _, i := range index[:len(index)-1] {
		if t.Kind() == reflect.Pointer {
			t = t.Elem()
		}
		f := t.Field(i)
		if f.Type.Kind() == reflect.Pointer && !f.IsExported() {
			return f.Type.Elem().String()
		}
		t = f.Type
	}
	return ""
}
