package diptych

import (
	"encoding"
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych/internal/shape"
)

// readable finds what encoding/json writes but cannot read, and what no client sends, anywhere in a type of arguments:
// such a tool could be listed, and never called.
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
	case t == reflect.TypeFor[mcp.CallToolResult](), isCarrier(t), shape.IsReserved(t):
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

// misplaced finds what belongs beside a value and is inside of it, where it would be published as ordinary data: a
// Result, a whole CallToolResult and, unless blocksToo, content blocks. At the root, and in lists and choices there,
// blocks are presentation. A data tool's result has no place at all.
func misplaced(s *shape.Shape, blocksToo bool) error {
	seen := map[*shape.Shape]bool{}
	var walk func(s *shape.Shape, path string, shown bool) error
	walk = func(s *shape.Shape, path string, shown bool) error {
		switch t := s.Type; {
		case isError(t):
			return fmt.Errorf("%s: an error is not data; return a failure as the function's error, or its text as a string", path)
		case shape.IsReserved(t):
			return fmt.Errorf("%s: a data.Result goes out through a registry alone; publish its tool with data.Add", path)
		case isCarrier(t):
			return fmt.Errorf("%s: a Result goes around the whole answer and not inside of it; put its value type here", path)
		case t == reflect.TypeFor[mcp.CallToolResult]():
			return fmt.Errorf("%s: a CallToolResult is a whole answer; return *mcp.CallToolResult alone, or put the data itself here", path)
		case isBlock(t):
			if shown || blocksToo {
				return nil
			}
			return fmt.Errorf("%s: a content block inside of data is not shown; return a Result with the blocks in its Content, or publish their wire shape with RequireSchema", path)
		}
		if seen[s] {
			return nil
		}
		seen[s] = true
		shown = shown && s.Kind != shape.Map && s.Kind != shape.Promise
		if s.Elem != nil {
			if err := walk(s.Elem, path, shown); err != nil {
				return err
			}
		}
		for _, p := range s.Parts {
			if err := walk(p, path, shown); err != nil {
				return err
			}
		}
		for i := range s.Fields {
			f := &s.Fields[i]
			if err := walk(f.Shape, strings.TrimPrefix(path+"."+f.GoName, "."), false); err != nil {
				return err
			}
		}
		return nil
	}
	if isBlock(s.Type) || s.Type == reflect.TypeFor[mcp.CallToolResult]() {
		return nil
	}
	return walk(s, nameOf(s.Type), true)
}

var errorType = reflect.TypeFor[error]()

// isError reports whether values of t, or pointers to them, are errors.
func isError(t reflect.Type) bool {
	return t.Implements(errorType) || t.Kind() != reflect.Interface && t.Kind() != reflect.Pointer && reflect.PointerTo(t).Implements(errorType)
}

var folders = regexp.MustCompile(`[\w.~-]+/`)

// nameOf is a type as errors call it, without the folders of its packages; nothing for a struct without a name.
func nameOf(t reflect.Type) string {
	switch {
	case t.Name() == "" && t.Kind() == reflect.Struct:
		return ""
	case t.Name() != "" && !strings.Contains(t.Name(), "["):
		return t.Name()
	}
	return folders.ReplaceAllString(t.String(), "")
}
