package gen

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/packages"
)

// A tool is a function that has the directive.
type tool struct {
	fn          *types.Func
	pos         token.Pos
	receiver    *types.TypeName // of a method
	pointer     bool            // the receiver is a pointer
	name        string
	title       string
	description string
	flags       map[string]bool
	context     bool // takes a context.Context first
	whole       bool // its only argument is the struct of all arguments
	variadic    bool
	parameters  []*parameter
	out         types.Type // nil: no value
	outPos      token.Pos
	err         bool // returns an error last
	data        bool // returns a data.Result
	options     []option
}

// A parameter is one argument of a tool.
type parameter struct {
	name string // in Go
	json string
	pos  token.Pos
	typ  types.Type
	text string
	tags []tag
}

// tool reads a function, or returns nil where it is none or has a fault.
func (r *reader) tool(pkg *packages.Package, file *ast.File, decl *ast.FuncDecl) *tool {
	lines := r.directives("tool", decl.Doc)
	if len(lines) == 0 {
		if pos, ok := spaced(decl.Doc); ok {
			r.faults.add(pos, "a directive has no space behind the slashes; write %stool", marker)
		}
		return nil
	}
	before := len(r.faults.list)
	name := decl.Name.Name
	fn := r.function(pkg, decl)
	t := &tool{pos: decl.Name.Pos(), fn: fn}
	o := r.orders(lines)
	switch {
	case !decl.Name.IsExported():
		r.faults.add(t.pos, "%s is not exported, and a tool is; rename it with a capital letter", name)
		return nil
	case decl.Type.TypeParams != nil:
		r.faults.add(decl.Type.TypeParams.Pos(), "%s is generic, and a tool has one type of arguments and results; make a tool of a function that calls it with the types you mean", name)
		return nil
	case fn == nil:
		r.faults.add(t.pos, "%s is declared twice; keep one", name)
		return nil
	}
	if !r.receiver(t, decl) {
		return nil
	}
	t.flags = o.flags
	t.name = snake(name)
	if o.name != nil {
		t.name = o.name.value
	}
	r.prefix(t, o)
	r.tried[t.name] = true
	if o.title != nil {
		t.title = o.title.value
	}
	t.description = withoutName(text(decl.Doc), name, true)
	r.toolName(t, o)
	r.results(t, decl)
	r.parameters(t, file, decl)
	if !t.whole {
		r.assignTags(t, o.tags)
	} else if len(o.tags) > 0 {
		r.faults.add(o.tags[0].pos, "%s takes one struct, and its fields say more themselves; write `%s:\"%s\"` into the tag of the field", name, o.tags[0].keyword, o.tags[0].value)
	}
	if t.data && t.flags["unstructured"] {
		r.faults.add(lines[0].pos, "a data tool always publishes data; remove unstructured")
	}
	if len(r.faults.list) > before {
		return nil
	}
	return t
}

// function finds the object of a declaration.
func (r *reader) function(pkg *packages.Package, decl *ast.FuncDecl) *types.Func {
	var obj types.Object
	if decl.Recv == nil {
		obj = pkg.Types.Scope().Lookup(decl.Name.Name)
	} else if base := receiverName(decl); base != "" {
		if tn, ok := pkg.Types.Scope().Lookup(base).(*types.TypeName); ok {
			obj, _, _ = types.LookupFieldOrMethod(types.NewPointer(tn.Type()), false, pkg.Types, decl.Name.Name)
		}
	}
	fn, ok := obj.(*types.Func)
	if !ok || fn.Pos() != decl.Name.Pos() {
		return nil
	}
	return fn
}

// receiverName is the type that a method belongs to.
func receiverName(decl *ast.FuncDecl) string {
	if len(decl.Recv.List) == 0 {
		return ""
	}
	x := decl.Recv.List[0].Type
	for {
		switch y := x.(type) {
		case *ast.StarExpr:
			x = y.X
		case *ast.ParenExpr:
			x = y.X
		case *ast.IndexExpr:
			x = y.X
		case *ast.IndexListExpr:
			x = y.X
		case *ast.Ident:
			return y.Name
		default:
			return ""
		}
	}
}

func (r *reader) receiver(t *tool, decl *ast.FuncDecl) bool {
	recv := t.fn.Signature().Recv()
	if recv == nil {
		return true
	}
	typ := types.Unalias(recv.Type())
	if p, ok := typ.(*types.Pointer); ok {
		t.pointer, typ = true, types.Unalias(p.Elem())
	}
	named, ok := typ.(*types.Named)
	if !ok {
		r.faults.add(t.pos, "the receiver of %s has no name; make a tool of a function that calls it", decl.Name.Name)
		return false
	}
	if named.TypeParams().Len() > 0 {
		r.faults.add(decl.Recv.Pos(), "%s is a method of the generic type %s; make a tool of a function that calls it with the types you mean", decl.Name.Name, named.Obj().Name())
		return false
	}
	t.receiver = named.Obj()
	return true
}

// prefix puts the receiver's name, or the given one, before a tool's name: two receivers of one server may have methods of one
// name.
func (r *reader) prefix(t *tool, o orders) {
	switch {
	case o.prefix == nil:
	case o.name != nil:
		r.faults.add(o.prefix.pos, "prefix and name are both given; write the whole name, or the prefix alone")
	case o.prefix.value != "":
		t.name = strings.TrimSuffix(o.prefix.value, "_") + "_" + t.name
	case o.prefix.given:
		r.faults.add(o.prefix.pos, "prefix has no value; write prefix=desk, or prefix alone for the name of the receiver")
	case t.receiver == nil:
		r.faults.add(o.prefix.pos, "%s has no receiver whose name could be the prefix; write prefix=desk", t.fn.Name())
	default:
		t.name = snake(t.receiver.Name()) + "_" + t.name
	}
}

// toolName checks the name against what every host accepts, as the library does.
func (r *reader) toolName(t *tool, o orders) {
	pos, remedy := t.pos, "; give the tool another one, as in "+marker+"tool name=my_tool"
	if o.name != nil {
		pos, remedy = o.name.pos, ""
	}
	if len(t.name) > 128 {
		r.faults.add(pos, "the tool's name has %d characters and may have 128%s", len(t.name), remedy)
	}
	for _, c := range t.name {
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
		if !letter && c != '_' && c != '-' && c != '.' {
			r.faults.add(pos, "the tool's name %q contains %q, and hosts accept ASCII letters, digits, _, - and dots%s", t.name, c, remedy)
			return
		}
	}
}

// results reads func … (Out[, error]), func … error and func … without a result.
func (r *reader) results(t *tool, decl *ast.FuncDecl) {
	res := t.fn.Signature().Results()
	n := res.Len()
	if n > 0 && isError(res.At(n-1).Type()) {
		t.err = true
		n--
	}
	switch n {
	case 0:
		return
	case 1:
		t.out = res.At(0).Type()
	default:
		r.faults.add(decl.Type.Results.Pos(), "%s returns %d values, and a tool returns one, with or without an error; put them into a struct, or return an error last", t.fn.Name(), res.Len())
		return
	}
	pos := decl.Type.Results.List[0].Type.Pos()
	t.outPos = pos
	if isError(t.out) {
		r.faults.add(pos, "%s returns two errors; return a value and an error", t.fn.Name())
		return
	}
	t.data = isNamed(t.out, dataPath, "Result")
	if p, ok := types.Unalias(t.out).(*types.Pointer); ok && isNamed(p.Elem(), dataPath, "Result") {
		r.faults.add(pos, "%s returns a pointer to a data.Result; return the Result itself", t.fn.Name())
		return
	}
	if problem := r.unnameable(t.out); problem != "" {
		r.faults.add(pos, "the result of %s %s", t.fn.Name(), problem)
		return
	}
	if problem := r.unfit(t.out); problem != "" {
		r.faults.add(pos, "the result of %s has type %s", t.fn.Name(), problem)
		return
	}
	if isInterface(t.out) && !t.flags["unstructured"] && !isNamed(t.out, sdkPath+"/mcp", "Content") {
		r.faults.add(pos, "the result of %s has type %s, an interface, which has no schema; return a type with fields, or write %stool unstructured for text alone",
			t.fn.Name(), r.typeName(t.out), marker)
	}
}

func isError(t types.Type) bool { return types.Identical(t, types.Universe.Lookup("error").Type()) }

// isNamed reports whether t is the type of this name, in the package with this path.
func isNamed(t types.Type, path, name string) bool {
	named, ok := types.Unalias(t).(*types.Named)
	return ok && named.Obj().Name() == name && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == path
}

// unnameable says why generated code cannot write down a type, or nothing.
func (r *reader) unnameable(t types.Type) string {
	own := r.here
	var problem string
	seen := map[types.Type]bool{}
	var walk func(t types.Type)
	walk = func(t types.Type) {
		if seen[t] || problem != "" {
			return
		}
		seen[t] = true
		switch t := t.(type) {
		case *types.Alias:
			problem = hidden(t.Obj(), own)
			for a := range t.TypeArgs().Types() {
				walk(a)
			}
		case *types.Named:
			problem = hidden(t.Obj(), own)
			for a := range t.TypeArgs().Types() {
				walk(a)
			}
		case *types.Pointer:
			walk(t.Elem())
		case *types.Slice:
			walk(t.Elem())
		case *types.Array:
			walk(t.Elem())
		case *types.Map:
			walk(t.Key())
			walk(t.Elem())
		case *types.Struct:
			for f := range t.Fields() {
				walk(f.Type())
			}
		}
	}
	walk(t)
	return problem
}

func hidden(obj *types.TypeName, own *types.Package) string {
	if obj.Pkg() == nil || obj.Pkg() == own || obj.Exported() {
		return ""
	}
	return "has type " + obj.Pkg().Name() + "." + obj.Name() + ", which is not exported there; use an exported type"
}

func isInterface(t types.Type) bool {
	_, ok := t.Underlying().(*types.Interface)
	return ok
}

func isPointer(t types.Type) bool {
	_, ok := types.Unalias(t).(*types.Pointer)
	return ok
}
