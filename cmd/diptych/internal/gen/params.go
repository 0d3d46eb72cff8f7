package gen

import (
	"bytes"
	"go/ast"
	"go/token"
	"go/types"
	"os"
	"strconv"

	"github.com/diptych-mcp/diptych/internal/schema"
)

// parameters reads the parameter list. A context comes first and is no argument.
func (r *reader) parameters(t *tool, file *ast.File, decl *ast.FuncDecl) {
	sig := t.fn.Signature()
	t.variadic = sig.Variadic()
	var notes []string // lazily: most lists have no comment
	i := 0
	names := map[string]string{}
	for _, field := range decl.Type.Params.List {
		idents := field.Names
		if len(idents) == 0 {
			idents = []*ast.Ident{nil}
		}
		for _, id := range idents {
			v := sig.Params().At(i)
			if i == 0 && isNamed(v.Type(), "context", "Context") {
				t.context = true
				i++
				continue
			}
			if notes == nil {
				notes = r.notes(file, decl)
			}
			p := &parameter{pos: field.Type.Pos(), typ: v.Type(), text: withoutName(notes[i], v.Name(), false)}
			i++
			if id != nil {
				p.pos, p.name, p.json = id.Pos(), id.Name, snake(id.Name)
			}
			if t.whole = sig.Params().Len()-i == 0 && len(t.parameters) == 0 && !sig.Variadic() && r.isArguments(p.typ); t.whole {
				p.name, p.json = "", ""
			}
			t.parameters = append(t.parameters, p)
			if !r.parameter(t, p) {
				continue
			}
			if other, ok := names[p.json]; ok {
				r.faults.add(p.pos, "parameters %s and %s would both be the argument %q; rename one of them", other, p.name, p.json)
			}
			names[p.json] = p.name
		}
	}
}

// isArguments reports whether the only parameter of a tool is the struct of all its arguments: a struct that is written
// field by field.
func (r *reader) isArguments(t types.Type) bool {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	_, ok := t.Underlying().(*types.Struct)
	return ok && !marshals(t)
}

// parameter checks one parameter and reports whether it can be an argument.
func (r *reader) parameter(t *tool, p *parameter) bool {
	name := t.fn.Name()
	switch {
	case isNamed(p.typ, "context", "Context"):
		r.faults.add(p.pos, "%s takes a context.Context that is not its first parameter; put it first", name)
		return false
	case !t.whole && (p.name == "" || p.name == "_" || p.json == ""):
		r.faults.add(p.pos, "a parameter of %s has no name, and an argument needs one; name it", name)
		return false
	}
	what := "parameter " + quoteName(p.name)
	if t.whole {
		what = "the parameter of " + name
	}
	if problem := r.unnameable(p.typ); problem != "" {
		r.faults.add(p.pos, "%s %s", what, problem)
		return false
	}
	if isError(p.typ) || isFilledInterface(p.typ) {
		r.faults.add(p.pos, "%s has type %s, an interface, which JSON cannot fill; use a type with fields, or any", what, r.typeName(p.typ))
		return false
	}
	if problem := r.unfit(p.typ); problem != "" {
		r.faults.add(p.pos, "%s has type %s", what, problem)
		return false
	}
	if word := schema.Word(p.text); word != "" && !t.whole {
		r.faults.add(p.pos, "the comment on %s begins with %s, as no description may; begin it with another word", what, strconv.Quote(word))
	}
	return !t.whole
}

func quoteName(s string) string { return `"` + s + `"` }

func isFilledInterface(t types.Type) bool {
	i, ok := t.Underlying().(*types.Interface)
	return ok && !i.Empty()
}

// notes are the comments of a parameter list, one text for each parameter. A comment belongs to the parameter before it
// when it ends a line or precedes the comma, else to the one after it. A comment on a group belongs to each of the
// group that has none of its own.
func (r *reader) notes(file *ast.File, decl *ast.FuncDecl) []string {
	type item struct {
		group    int
		pos, end token.Pos
		own      []*ast.CommentGroup
	}
	var items []item
	shared := map[int][]*ast.CommentGroup{}
	for g, f := range decl.Type.Params.List {
		if len(f.Names) == 0 {
			items = append(items, item{group: g, pos: f.Type.Pos(), end: f.Type.End()})
		}
		for i, id := range f.Names {
			end := id.End()
			if i == len(f.Names)-1 {
				end = f.Type.End()
			}
			items = append(items, item{group: g, pos: id.Pos(), end: end})
		}
	}
	open, closing := decl.Type.Params.Opening, decl.Type.Params.Closing
	var src []byte
	for _, c := range file.Comments {
		if c.Pos() < open || c.End() > closing || len(items) == 0 {
			continue
		}
		if src == nil {
			src, _ = os.ReadFile(r.fset.PositionFor(open, false).Filename) // without it, line ends decide alone
		}
		next := 0
		for next < len(items) && items[next].pos < c.Pos() {
			next++
		}
		before := next - 1
		belongs := before
		if before < 0 || c.Pos() >= items[before].end && next < len(items) && !r.trails(src, items[before].end, c, items[next].pos) {
			belongs = next
		}
		it := &items[belongs]
		f := decl.Type.Params.List[it.group]
		first, last := belongs == next && it.pos == f.Pos(), belongs == before && c.Pos() >= f.Type.End()
		if len(f.Names) > 1 && (last || first && r.line(c.End()) < r.line(it.pos)) {
			shared[it.group] = append(shared[it.group], c)
			continue
		}
		it.own = append(it.own, c)
	}
	texts := make([]string, len(items))
	for i, it := range items {
		own := it.own
		if len(own) == 0 {
			own = shared[it.group]
		}
		texts[i] = text(own...)
	}
	return texts
}

// trails reports whether a comment between two parameters speaks of the first.
func (r *reader) trails(src []byte, end token.Pos, c *ast.CommentGroup, next token.Pos) bool {
	if r.line(c.Pos()) != r.line(end) {
		return false
	}
	if r.line(c.End()) < r.line(next) {
		return true
	}
	f := r.fset.File(end)
	from, to := f.Offset(end), f.Offset(c.Pos())
	return to <= len(src) && !bytes.ContainsRune(src[from:to], ',')
}

func (r *reader) line(pos token.Pos) int { return r.fset.PositionFor(pos, false).Line }
