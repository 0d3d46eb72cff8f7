package gen

import (
	"cmp"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// A doc is one entry of the Docs literal: what the source says about a type or a field.
type doc struct {
	pkg    *types.Package
	name   string // Type or Type.Field
	text   string
	values []enumValue
	order  token.Pos
}

// An enumValue is a constant in an entry: a Go literal, or the constant itself where a marshaler decides how it is
// written.
type enumValue struct {
	literal string
	obj     *types.Const
	text    string
}

// A walker visits the types of all tools of a package and notes what is said about them.
type walker struct {
	*reader
	seen map[types.Type]bool
	docs []*doc
	done map[string]bool
}

func (w *walker) tool(t *tool) {
	for _, p := range t.parameters {
		w.walk(p.typ)
	}
	if t.out != nil && !t.data {
		w.walk(t.out)
	}
}

func (w *walker) walk(t types.Type) {
	t = types.Unalias(t)
	if w.seen[t] {
		return
	}
	w.seen[t] = true
	inner, _ := parts(t)
	if named, ok := t.(*types.Named); ok && !w.foreign(named.Obj().Pkg()) && named.Obj().Parent() == named.Obj().Pkg().Scope() {
		w.note(named, inner)
	}
	for _, p := range inner {
		w.walk(p.typ)
	}
}

// note adds what is said about a named type and its fields.
func (w *walker) note(named *types.Named, inner []part) {
	obj := named.Obj()
	x := w.index(obj.Pkg())
	w.add(&doc{pkg: obj.Pkg(), name: obj.Name(), text: x.text[obj.Pos()], values: w.enum(named, x), order: obj.Pos()})
	for _, p := range inner {
		if p.field == nil || p.tag.Get("jsonschema") != "" {
			continue
		}
		// A type declared as another struct has that one's fields, and their comments are there.
		text := w.index(p.field.Pkg()).text[p.field.Pos()]
		w.add(&doc{pkg: obj.Pkg(), name: obj.Name() + "." + p.field.Name(), text: text, order: p.field.Pos()})
	}
}

// add keeps an entry that says something. The instances of a generic type share theirs.
func (w *walker) add(d *doc) {
	key := d.pkg.Path() + "." + d.name
	if d.text == "" && len(d.values) == 0 || w.done[key] {
		return
	}
	if w.done == nil {
		w.done = map[string]bool{}
	}
	w.done[key] = true
	w.docs = append(w.docs, d)
}

// enum lists the constants of a text or integer type.
func (w *walker) enum(named *types.Named, x *index) []enumValue {
	basic, ok := named.Underlying().(*types.Basic)
	if !ok || basic.Info()&(types.IsString|types.IsInteger) == 0 {
		return nil
	}
	own := named.Obj().Pkg() == w.here
	var out []enumValue
	for _, v := range x.values[named.Obj()] {
		e := enumValue{text: v.text}
		switch {
		case !marshals(named):
			e.literal = literal(v.obj.Val())
		case own || v.obj.Exported() && !internal(v.obj.Pkg().Path()):
			e.obj = v.obj
		default:
			return nil // the expression does not show how the value is written
		}
		if e.text == "" && basic.Info()&types.IsInteger != 0 && e.obj == nil {
			e.text = v.obj.Name() // a number alone says nothing
		}
		out = append(out, e)
	}
	return out
}

// internal reports whether other packages may be refused an import.
func internal(path string) bool {
	return slices.Contains(strings.Split(path, "/"), "internal")
}

// literal writes a constant so that it has the same value in an any, on every system.
func literal(v constant.Value) string {
	text := v.ExactString()
	if v.Kind() != constant.Int {
		return quote(constant.StringVal(v))
	}
	if n, ok := constant.Int64Val(v); !ok {
		return "uint64(" + text + ")"
	} else if int64(int32(n)) != n {
		return "int64(" + text + ")"
	}
	return text
}

// sorted puts the package's own types first, then those of others by import path; types by name, fields as declared.
func (w *walker) sorted(own *types.Package) []*doc {
	slices.SortFunc(w.docs, func(a, b *doc) int {
		if (a.pkg == own) != (b.pkg == own) {
			if a.pkg == own {
				return -1
			}
			return 1
		}
		typeOf := func(d *doc) string { name, _, _ := strings.Cut(d.name, "."); return name }
		isField := func(d *doc) int { return strings.Count(d.name, ".") }
		return cmp.Or(strings.Compare(a.pkg.Path(), b.pkg.Path()), strings.Compare(typeOf(a), typeOf(b)),
			cmp.Compare(isField(a), isField(b)), cmp.Compare(a.order, b.order), strings.Compare(a.name, b.name))
	})
	return w.docs
}
