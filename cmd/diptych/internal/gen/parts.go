package gen

import (
	"fmt"
	"go/types"
	"reflect"
	"strings"
)

// A part is a type inside another one, as the encoder goes through it.
type part struct {
	field *types.Var // of a struct, else nil
	tag   reflect.StructTag
	typ   types.Type
}

// parts lists what the encoder would write of t, one step down: nothing where a marshaler decides. The problem says why
// t has no JSON form.
func parts(t types.Type) (inner []part, problem string) {
	t = types.Unalias(t)
	if named, ok := t.(*types.Named); ok {
		obj := named.Obj()
		if obj.Pkg() != nil && (obj.Pkg().Path() == libraryPath || obj.Pkg().Path() == dataPath) {
			for a := range named.TypeArgs().Types() {
				inner = append(inner, part{typ: a})
			}
			return inner, ""
		}
		if obj.Pkg() != nil && (obj.Pkg().Path() == sdkPath || strings.HasPrefix(obj.Pkg().Path(), sdkPath+"/")) {
			return nil, ""
		}
	}
	if marshals(t) {
		return nil, ""
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch {
		case u.Kind() == types.Invalid:
			return nil, "that cannot be read; make its package compile"
		case u.Info()&types.IsComplex != 0, u.Kind() == types.UnsafePointer:
			return nil, "which JSON cannot carry; use numbers or text"
		}
	case *types.Chan:
		return nil, "which JSON cannot carry; use a list, or leave it out"
	case *types.Signature:
		return nil, "which JSON cannot carry; use data, or leave it out"
	case *types.Pointer:
		return []part{{typ: u.Elem()}}, ""
	case *types.Slice:
		return []part{{typ: u.Elem()}}, ""
	case *types.Array:
		return []part{{typ: u.Elem()}}, ""
	case *types.Map:
		if !isKey(u.Key()) {
			return nil, "whose keys JSON cannot carry; use text or integers as keys, or a type with MarshalText"
		}
		return []part{{typ: u.Key()}, {typ: u.Elem()}}, ""
	case *types.Struct:
		for i := range u.NumFields() {
			f, tag := u.Field(i), reflect.StructTag(u.Tag(i))
			if tag.Get("json") == "-" || !f.Exported() && !isEmbeddedStruct(f) {
				continue
			}
			inner = append(inner, part{field: f, tag: tag, typ: f.Type()})
		}
	}
	return inner, ""
}

func isEmbeddedStruct(f *types.Var) bool {
	if !f.Embedded() {
		return false
	}
	t := f.Type()
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	_, ok := t.Underlying().(*types.Struct)
	return ok
}

// marshals reports whether a method of t decides what is written, by JSON or as text.
func marshals(t types.Type) bool {
	if _, ok := t.Underlying().(*types.Interface); ok {
		return false
	}
	if _, ok := types.Unalias(t).(*types.Pointer); !ok {
		t = types.NewPointer(t)
	}
	set := types.NewMethodSet(t)
	return set.Lookup(nil, "MarshalJSON") != nil || set.Lookup(nil, "MarshalText") != nil
}

func isKey(t types.Type) bool {
	if b, ok := t.Underlying().(*types.Basic); ok && b.Info()&(types.IsString|types.IsInteger) != 0 {
		return true
	}
	return types.NewMethodSet(t).Lookup(nil, "MarshalText") != nil
}

// unfit describes the type inside t that has no JSON form, with the way to it and the remedy, or nothing.
func (r *reader) unfit(t types.Type) string {
	seen := map[types.Type]bool{}
	var walk func(t types.Type, path string) string
	walk = func(t types.Type, path string) string {
		if seen[t] {
			return ""
		}
		seen[t] = true
		inner, problem := parts(t)
		if problem != "" {
			return fmt.Sprintf("%s%s, %s", path, r.typeName(t), problem)
		}
		for _, p := range inner {
			way := path
			if p.field != nil {
				way += r.typeName(t) + ", whose field " + p.field.Name() + " has type "
			} else if path == "" && types.Unalias(t) != types.Unalias(p.typ) {
				way = r.typeName(t) + ", which holds the type "
			}
			if found := walk(p.typ, way); found != "" {
				return found
			}
		}
		return ""
	}
	return walk(t, "")
}

// typeName writes a type as the package being read would.
func (r *reader) typeName(t types.Type) string {
	return types.TypeString(t, func(p *types.Package) string {
		if p == r.here {
			return ""
		}
		return p.Name()
	})
}
