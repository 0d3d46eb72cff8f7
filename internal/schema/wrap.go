package schema

import (
	"reflect"

	"github.com/diptych-mcp/diptych/internal/shape"
)

// outputRoot is the root of an output schema, and reports whether it wraps the value. Only an object may be a root: hosts of older revisions
// lose the whole list of tools over any other.
func (b *builder) outputRoot(tool string, s *shape.Shape) (*object, bool, error) {
	switch {
	case s.Type == reflect.TypeFor[struct{}]():
		null := new(object)
		null.setString("title", "Result")
		null.setString("type", "null")
		return b.wrap(tool, null), true, nil
	case b.saysOwn(s.Type), s.Kind == shape.JSON, s.Kind == shape.Any:
		root, err := b.inline(s)
		if err != nil {
			return nil, false, err
		}
		if string(root.get("type")) == `"object"` {
			if root.get("title") == nil {
				root.setString("title", titleFor(s.Type, tool+"Output"))
			}
			return root, false, nil
		}
	case s.Kind == shape.Struct:
		root, err := b.object(s)
		if err == nil && s.Type.Name() == "" {
			root.setString("title", tool+"Output")
		}
		return root, false, err
	case s.Kind == shape.Map && s.Key.Kind == shape.String:
		root, err := b.inline(s)
		if err == nil {
			root.setString("title", tool+"DictOutput")
		}
		return root, false, err
	}
	value, err := b.value(s)
	if err != nil {
		return nil, false, err
	}
	if !value.reference {
		value.setDefault("title", quote("Result"))
	}
	return b.wrap(tool, value), true, nil
}

// wrap puts a value that is not an object under "result".
func (b *builder) wrap(tool string, value *object) *object {
	var p properties
	p.add("result", value)
	root := new(object)
	root.set("properties", p.json())
	root.set("required", []byte(`["result"]`))
	root.setString("title", tool+"Output")
	root.setString("type", "object")
	return root
}
