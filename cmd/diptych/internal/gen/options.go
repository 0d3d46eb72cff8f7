package gen

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/packages"
)

// An option is a function or variable of the package that gives further options to a tool.
type option struct {
	obj  types.Object
	call bool // a function
	many bool // a list
}

// options reads the //diptych:option directives and hands each option to the tools that it names.
func (r *reader) options(pkg *packages.Package, s *source) {
	for _, f := range pkg.Syntax {
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Recv == nil {
					r.option(pkg, s, d.Name, d.Doc)
				}
			case *ast.GenDecl:
				if d.Tok != token.VAR {
					continue
				}
				for _, spec := range d.Specs {
					spec := spec.(*ast.ValueSpec)
					docs := []*ast.CommentGroup{spec.Doc, spec.Comment}
					if !d.Lparen.IsValid() {
						docs[0] = d.Doc
					}
					r.option(pkg, s, spec.Names[0], docs...)
				}
			}
		}
	}
}

func (r *reader) option(pkg *packages.Package, s *source, id *ast.Ident, docs ...*ast.CommentGroup) {
	for _, d := range r.directives("option", docs...) {
		if len(d.words) == 0 {
			r.faults.add(d.pos, "%soption names no tool; write the names of the tools that %s is for", marker, id.Name)
			continue
		}
		obj := pkg.Types.Scope().Lookup(id.Name)
		if obj == nil {
			r.faults.add(d.pos, "%s cannot be referred to; give it a name", id.Name)
			continue
		}
		for _, w := range d.words {
			i := slices.IndexFunc(s.tools, func(t *tool) bool { return t.name == w.key && !w.given })
			if i < 0 {
				if !r.tried[w.key] {
					r.faults.add(w.pos, "no tool of this package is called %q; write the name as it is published", w.key)
				}
				continue
			}
			t := s.tools[i]
			path := libraryPath
			if t.data {
				path = dataPath
			}
			o, ok := asOption(obj, path)
			if !ok {
				r.faults.add(id.Pos(), "%s gives no options for %s; make it a variable of type %s, a list of them, or a function without parameters that returns either",
					id.Name, t.name, optionType(path))
				continue
			}
			t.options = append(t.options, o)
		}
	}
}

func optionType(path string) string {
	if path == dataPath {
		return "data.Option"
	}
	return "diptych.Option"
}

func asOption(obj types.Object, path string) (option, bool) {
	o := option{obj: obj}
	typ := obj.Type()
	if fn, ok := obj.(*types.Func); ok {
		sig := fn.Signature()
		if sig.Params().Len() != 0 || sig.Results().Len() != 1 || sig.TypeParams().Len() != 0 {
			return option{}, false
		}
		o.call, typ = true, sig.Results().At(0).Type()
	}
	if list, ok := types.Unalias(typ).(*types.Slice); ok {
		o.many, typ = true, list.Elem()
	}
	return o, isNamed(typ, path, "Option") || !o.many && path == libraryPath && isNamed(typ, path, "Docs")
}
