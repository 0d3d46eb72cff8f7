package diptych

import (
	"fmt"
	"reflect"
	"regexp"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych/internal/shape"
)

// misplaced finds what belongs beside a value and stands inside of it, where it would be published as ordinary data: a
// Result, a whole CallToolResult and, unless blocksToo, content blocks. At the root, and in lists and choices there,
// blocks are presentation. A data tool's result has no place at all.
func misplaced(s *shape.Shape, blocksToo bool) error {
	seen := map[*shape.Shape]bool{}
	var walk func(s *shape.Shape, path string, shown bool) error
	walk = func(s *shape.Shape, path string, shown bool) error {
		switch t := s.Type; {
		case isDataResult(t):
			return fmt.Errorf("%s: a data.Result goes out through a registry alone; publish its tool with data.Add", path)
		case isCarrier(t):
			return fmt.Errorf("%s: a Result stands around the whole answer and not inside of it; put its value type here", path)
		case t == reflect.TypeFor[mcp.CallToolResult]():
			return fmt.Errorf("%s: a CallToolResult is a whole answer; return *mcp.CallToolResult alone, or put the data itself here", path)
		case isBlock(t):
			if shown || blocksToo {
				return nil
			}
			return fmt.Errorf("%s: a content block inside of data is shown to nobody; return a Result with the blocks in its Content, or publish their wire shape with RequireSchema", path)
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

// isDataResult says whether t is the result of package data, which imports this one.
func isDataResult(t reflect.Type) bool {
	return t.Name() == "Result" && t.PkgPath() == reflect.TypeFor[config]().PkgPath()+"/data"
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
