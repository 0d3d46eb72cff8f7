package gen

import (
	"go/constant"
	"go/types"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/diptych-mcp/diptych/internal/schema"
	"github.com/diptych-mcp/diptych/internal/shape"
	"github.com/diptych-mcp/diptych/internal/validate"
)

// assignTags gives the keywords of a tool's directives to its parameters.
func (r *reader) assignTags(t *tool, tags []tag) {
	for _, k := range tags {
		i := slices.IndexFunc(t.parameters, func(p *parameter) bool { return p.name == k.parameter })
		if i < 0 {
			r.faults.add(k.pos, "%s has no parameter %q; name one of its parameters as it is called in Go", t.fn.Name(), k.parameter)
			continue
		}
		p := t.parameters[i]
		if slices.ContainsFunc(p.tags, func(o tag) bool { return o.keyword == k.keyword }) {
			r.faults.add(k.pos, "%s %s is given twice; keep one", k.keyword, k.parameter)
			continue
		}
		p.tags = append(p.tags, k)
		fault := r.misfitEnum(p.typ, k)
		if fault == "" {
			fault = misfit(p.typ, k)
		}
		if fault != "" {
			r.faults.add(k.pos, "%s %s: %s", k.keyword, k.parameter, fault)
		}
	}
}

// misfitEnum says what is wrong with a keyword for an argument whose type lists its values.
func (r *reader) misfitEnum(t types.Type, k tag) string {
	named, ok := types.Unalias(t).(*types.Named)
	if !ok || r.foreign(named.Obj().Pkg()) {
		return ""
	}
	values := r.index(named.Obj().Pkg()).values[named.Obj()]
	switch {
	case len(values) == 0:
		return ""
	case slices.Contains([]string{"examples", "deprecated", "header"}, k.keyword):
		return ""
	case k.keyword != "default":
		return "the constants of " + r.typeName(t) + " say already what it may be; remove the keyword"
	case marshals(t) || slices.ContainsFunc(values, func(v value) bool { return plainValue(v.obj) == k.value }):
		return ""
	}
	return strconv.Quote(k.value) + " is no constant of " + r.typeName(t) + "; use one of its values"
}

// plainValue is a constant as a directive writes it.
func plainValue(c *types.Const) string {
	if c.Val().Kind() == constant.String {
		return constant.StringVal(c.Val())
	}
	return c.Val().ExactString()
}

// misfit asks the library itself what it would say about a struct tag on a field of type t.
func misfit(t types.Type, k tag) string {
	if _, list := t.Underlying().(*types.Slice); list && k.keyword == "enum" {
		return "enum is for one value, and this is a list; give its items a type of their own with constants (type Kind string), and take []Kind"
	}
	typ, ok := plainType(t)
	if !ok {
		return "" // the library says so at registration
	}
	st := reflect.StructOf([]reflect.StructField{{Name: "Field", Type: typ, Tag: reflect.StructTag(k.keyword + ":" + strconv.Quote(k.value))}})
	_, err := schema.ForInput(shape.NewReader(nil).Read(st), schema.Config{
		Accepts: func(schema, doc []byte) bool {
			c, err := validate.Compile(schema)
			return err == nil && c.Check(doc)
		},
	})
	if err == nil {
		return ""
	}
	_, fault, _ := strings.Cut(err.Error(), "Field: ")
	return strings.NewReplacer("the field", "the argument", "the tag", "the keyword").Replace(strings.TrimPrefix(fault, "tag "))
}

// plainType is the type at run time of what is built from Go's own types alone. A name makes no difference to a tag as
// long as no marshaler comes with it.
func plainType(t types.Type) (reflect.Type, bool) {
	if marshals(t) {
		return nil, false
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		typ, ok := basicTypes[u.Kind()]
		return typ, ok
	case *types.Pointer:
		elem, ok := plainType(u.Elem())
		if !ok {
			return nil, false
		}
		return reflect.PointerTo(elem), true
	case *types.Slice:
		elem, ok := plainType(u.Elem())
		if !ok {
			return nil, false
		}
		return reflect.SliceOf(elem), true
	}
	return nil, false
}

var basicTypes = map[types.BasicKind]reflect.Type{
	types.Bool: reflect.TypeFor[bool](), types.String: reflect.TypeFor[string](),
	types.Int: reflect.TypeFor[int](), types.Int8: reflect.TypeFor[int8](), types.Int16: reflect.TypeFor[int16](),
	types.Int32: reflect.TypeFor[int32](), types.Int64: reflect.TypeFor[int64](),
	types.Uint: reflect.TypeFor[uint](), types.Uint8: reflect.TypeFor[uint8](), types.Uint16: reflect.TypeFor[uint16](),
	types.Uint32: reflect.TypeFor[uint32](), types.Uint64: reflect.TypeFor[uint64](), types.Uintptr: reflect.TypeFor[uintptr](),
	types.Float32: reflect.TypeFor[float32](), types.Float64: reflect.TypeFor[float64](),
}
