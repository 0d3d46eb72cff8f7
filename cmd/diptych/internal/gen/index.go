package gen

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
)

// An index is what the comments of one package say about its types and fields, and which constants its types have.
type index struct {
	text   map[token.Pos]string // by the position of a name
	open   map[*types.TypeName]bool
	values map[*types.TypeName][]value
}

// A value is one constant of a type.
type value struct {
	obj  *types.Const
	text string
}

// index reads a package once.
func (r *reader) index(pkg *types.Package) *index {
	if x, ok := r.indexes[pkg]; ok {
		return x
	}
	x := &index{
		text:   map[token.Pos]string{},
		open:   map[*types.TypeName]bool{},
		values: map[*types.TypeName][]value{},
	}
	r.indexes[pkg] = x
	loaded := r.all[pkg]
	if loaded == nil {
		return x
	}
	computed := map[*types.TypeName]bool{}
	for _, f := range loaded.Syntax {
		for _, d := range f.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok {
				continue
			}
			switch g.Tok {
			case token.TYPE:
				r.indexTypes(x, pkg, g)
			case token.CONST:
				r.indexConstants(x, pkg, g, computed)
			}
		}
	}
	for t, values := range x.values {
		if computed[t] || x.open[t] {
			delete(x.values, t)
			continue
		}
		x.values[t] = listed(values)
	}
	return x
}

func (r *reader) indexTypes(x *index, pkg *types.Package, g *ast.GenDecl) {
	for _, s := range g.Specs {
		spec := s.(*ast.TypeSpec)
		docs := []*ast.CommentGroup{spec.Doc, spec.Comment}
		if !g.Lparen.IsValid() {
			docs[0] = g.Doc
		}
		x.text[spec.Name.Pos()] = withoutName(text(docs...), spec.Name.Name, false)
		if tn, ok := pkg.Scope().Lookup(spec.Name.Name).(*types.TypeName); ok && len(r.directives("open", docs...)) > 0 {
			x.open[tn] = true
		}
		ast.Inspect(spec.Type, func(n ast.Node) bool {
			st, ok := n.(*ast.StructType)
			if !ok {
				return true
			}
			for _, f := range st.Fields.List {
				names := f.Names
				if id := embeddedName(f.Type); len(names) == 0 && id != nil {
					names = []*ast.Ident{id}
				}
				for _, id := range names {
					x.text[id.Pos()] = withoutName(text(f.Doc, f.Comment), id.Name, false)
				}
			}
			return true
		})
	}
}

func embeddedName(x ast.Expr) *ast.Ident {
	switch x := x.(type) {
	case *ast.Ident:
		return x
	case *ast.StarExpr:
		return embeddedName(x.X)
	case *ast.SelectorExpr:
		return x.Sel
	case *ast.IndexExpr:
		return embeddedName(x.X)
	case *ast.IndexListExpr:
		return embeddedName(x.X)
	}
	return nil
}

// indexConstants reads one group of constants. A group that lists values of a type names all that the type may be; one
// constant alone does not, nor do constants that are computed, such as flags and units.
func (r *reader) indexConstants(x *index, pkg *types.Package, g *ast.GenDecl, computed map[*types.TypeName]bool) {
	if !g.Lparen.IsValid() {
		return
	}
	found := map[*types.TypeName][]value{}
	calculates := false
	for _, s := range g.Specs {
		spec := s.(*ast.ValueSpec)
		if len(spec.Values) > 0 {
			calculates = slices.ContainsFunc(spec.Values, calculated)
		}
		for _, id := range spec.Names {
			c, ok := pkg.Scope().Lookup(id.Name).(*types.Const)
			if !ok || c.Pos() != id.Pos() {
				continue
			}
			named, ok := types.Unalias(c.Type()).(*types.Named)
			if !ok || named.Obj().Pkg() != pkg {
				continue
			}
			v := value{obj: c}
			if len(spec.Names) == 1 {
				v.text = withoutName(text(spec.Doc, spec.Comment), id.Name, false)
			}
			found[named.Obj()] = append(found[named.Obj()], v)
			if calculates {
				computed[named.Obj()] = true
			}
		}
	}
	for t, values := range found {
		if len(values) > 1 {
			x.values[t] = append(x.values[t], values...)
		}
	}
}

// calculated reports whether a constant is built from others rather than listed: flags by shifts, units by products.
func calculated(x ast.Expr) bool {
	found := false
	ast.Inspect(x, func(n ast.Node) bool {
		if b, ok := n.(*ast.BinaryExpr); ok && slices.Contains([]token.Token{token.SHL, token.SHR, token.MUL, token.OR}, b.Op) {
			found = true
		}
		return !found
	})
	return found
}

// listed keeps the values of an enumeration: in the order of the source, each once, and only exported ones where there
// are any, since the others are marks such as the number of values.
func listed(values []value) []value {
	exported := slices.ContainsFunc(values, func(v value) bool { return v.obj.Exported() })
	var out []value
	for _, v := range values {
		if exported && !v.obj.Exported() {
			continue
		}
		if slices.ContainsFunc(out, func(o value) bool { return constant.Compare(o.obj.Val(), token.EQL, v.obj.Val()) }) {
			continue
		}
		out = append(out, v)
	}
	return out
}
