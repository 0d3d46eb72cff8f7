package gen

import (
	"bytes"
	"fmt"
	"go/format"
	"go/types"
	"path"
	"slices"
	"strconv"
	"strings"
)

// A printer writes the file of one package.
type printer struct {
	*names
	bytes.Buffer
}

// printPackage is the third step. It returns the whole file, formatted, or nil for a package without tools.
func printPackage(src *source, n *names) []byte {
	if len(src.tools) == 0 {
		return nil
	}
	body := &printer{names: n}
	body.add(false)
	body.add(true)
	for _, t := range src.tools {
		body.arguments(t)
	}
	body.docs()

	file := &printer{names: n}
	library := n.library() // before the list of imports is complete
	file.put("%s\n", header)
	if src.constraint != "" {
		file.put("//go:build %s\n\n", src.constraint)
	}
	file.put("package %s\n\n", src.types.Name())
	file.importList()
	file.put("// Where this line does not compile, file and library disagree. Update the library with\n")
	file.put("// go get %s@latest, then run diptych gen again.\n", libraryPath)
	file.put("const _ = %s.GeneratedVersion1\n\n", library)
	file.Write(body.Bytes())
	out, err := format.Source(file.Bytes())
	if err != nil {
		return file.Bytes() // not reached; should it be, the compiler shows what is wrong
	}
	return out
}

func (p *printer) put(format string, args ...any) { fmt.Fprintf(p, format, args...) }

// importList writes Go's own packages first, then everything else.
func (p *printer) importList() {
	paths := make([]string, 0, len(p.imports))
	for importPath := range p.imports {
		paths = append(paths, importPath)
	}
	slices.Sort(paths)
	p.put("import (\n")
	for _, own := range []bool{true, false} {
		for _, importPath := range paths {
			i := p.imports[importPath]
			if i.standard != own {
				continue
			}
			name := ""
			if i.name != path.Base(importPath) {
				name = i.name + " "
			}
			p.put("\t%s%q\n", name, importPath)
		}
		p.put("\n")
	}
	p.put(")\n\n")
}

// add writes AddTools, or AddDataTools for the data tools.
func (p *printer) add(data bool) {
	tools := slices.DeleteFunc(slices.Clone(p.src.tools), func(t *tool) bool { return t.data != data })
	if len(tools) == 0 {
		return
	}
	name, what, target, options := addTools, "tools", "s *"+p.mcp()+".Server", p.library()+".Option"
	if data {
		name, what, target, options = addDataTools, "data tools", "r *"+p.data()+".Registry", p.data()+".Option"
	}
	p.put("// %s publishes the %s of this package on %s. The options apply to each of them.\n", name, what, target[:1])
	if !data && len(tools) < len(p.src.tools) {
		p.put("// On one server with %s it is called first, and the registry has to name these tools in data.AllowWithoutSources.\n", addDataTools)
	}
	p.put("func %s(%s%s, opts ...%s) error {\n", name, target, p.receiverList(tools), options)
	if len(p.src.docs) > 0 {
		docs := docsFunc + "()"
		if data {
			docs = p.data() + ".Docs(" + docs + ")"
		}
		p.put("opts = append(%s.Clip(opts), %s)\n", p.use("slices", "slices", true), docs)
	} else if slices.ContainsFunc(tools, func(t *tool) bool { return t.flags["unstructured"] || len(t.options) > 0 }) {
		p.put("opts = %s.Clip(opts) // the caller's stay as they are\n", p.use("slices", "slices", true))
	}
	if len(tools) == 1 && !data {
		p.put("return ")
		p.tool(tools[0])
		p.put("\n}\n\n")
		return
	}
	p.put("return %s.Join(\n", p.use("errors", "errors", true))
	for _, t := range tools {
		p.tool(t)
		p.put(",\n")
	}
	if data {
		p.put("r.Check(),\n")
	}
	p.put(")\n}\n\n")
}

// receiverList are the parameters for the receivers of methods, in the order of the tools. A type is passed by pointer
// where one of its methods needs that.
func (p *printer) receiverList(tools []*tool) string {
	var list strings.Builder
	for i, t := range tools {
		same := func(o *tool) bool { return o.receiver == t.receiver }
		if t.receiver == nil || slices.ContainsFunc(tools[:i], same) {
			continue
		}
		star := ""
		if slices.ContainsFunc(tools, func(o *tool) bool { return same(o) && o.pointer }) {
			star = "*"
		}
		fmt.Fprintf(&list, ", %s %s%s", p.receivers[t.receiver], star, t.receiver.Name())
	}
	return list.String()
}

// tool writes the call that publishes one tool.
func (p *printer) tool(t *tool) {
	pkg, target := p.library(), "s"
	if t.data {
		pkg, target = p.data(), "r"
	}
	mcp := p.mcp()
	p.put("%s.Add(%s, &%s.Tool{\n", pkg, target, mcp)
	p.put("Name: %q,\n", t.name)
	if t.title != "" {
		p.put("Title: %s,\n", quote(t.title))
	}
	if t.description != "" {
		p.put("Description: %s,\n", quote(t.description))
	}
	if hints := hints(t); hints != "" {
		p.put("Annotations: &%s.ToolAnnotations{%s},\n", mcp, hints)
	}
	p.put("}, ")
	p.function(t)
	p.put(", %s...)", p.options(t))
}

func hints(t *tool) string {
	var all []string
	for _, h := range []struct {
		flag, field string
		pointer     bool
	}{
		{"readonly", "ReadOnlyHint", false},
		{"destructive", "DestructiveHint", true},
		{"idempotent", "IdempotentHint", false},
		{"openworld", "OpenWorldHint", true},
	} {
		on, given := t.flags[h.flag]
		switch {
		case given && h.pointer:
			all = append(all, fmt.Sprintf("%s: new(%v)", h.field, on))
		case on:
			all = append(all, h.field+": true")
		}
	}
	return strings.Join(all, ", ")
}

// function writes the typed function: the author's own where it has the shape already, else one around it.
func (p *printer) function(t *tool) {
	called := t.fn.Name()
	if t.receiver != nil {
		called = p.receivers[t.receiver] + "." + called
	}
	if t.whole && t.context && t.err && t.out != nil {
		p.put("%s", called)
		return
	}
	context := p.use("context", "context", true) + ".Context"
	ctx, in, out := "_", "_ struct{}", "struct{}"
	var args []string
	if t.context {
		ctx, args = "ctx", []string{"ctx"}
	}
	switch {
	case t.whole:
		in, args = "in "+p.typeName(t.parameters[0].typ), append(args, "in")
	case len(t.parameters) > 0:
		in = "in " + p.argumentsOf[t]
		for _, a := range t.parameters {
			arg := "in." + p.fields[a]
			if _, ok := byAddress(a.typ); ok {
				arg = "&" + arg
			}
			args = append(args, arg)
		}
	}
	if t.out != nil {
		out = p.typeName(t.out)
	}
	call := called + "(" + strings.Join(args, ", ")
	if t.variadic {
		call += "..."
	}
	call += ")"
	p.put("func(%s %s, %s) (%s, error) {\n", ctx, context, in, out)
	switch {
	case t.out != nil && t.err:
		p.put("return %s", call)
	case t.out != nil:
		p.put("return %s, nil", call)
	case t.err:
		p.put("return struct{}{}, %s", call)
	default:
		p.put("%s\nreturn struct{}{}, nil", call)
	}
	p.put("\n}")
}

// options writes the options of one tool: those of every tool, then its own.
func (p *printer) options(t *tool) string {
	var single, lists []string
	if t.flags["unstructured"] {
		single = append(single, p.library()+".Unstructured()")
	}
	for _, o := range t.options {
		expr := o.obj.Name()
		if o.call {
			expr += "()"
		}
		if o.many {
			lists = append(lists, expr)
		} else {
			single = append(single, expr)
		}
	}
	switch {
	case len(single) == 0 && len(lists) == 0:
		return "opts"
	case len(lists) == 0:
		return "append(opts, " + strings.Join(single, ", ") + ")"
	case len(single) == 0 && len(lists) == 1:
		return "append(opts, " + lists[0] + "...)"
	}
	option := p.library() + ".Option"
	if t.data {
		option = p.data() + ".Option"
	}
	if len(single) > 0 {
		lists = append([]string{"[]" + option + "{" + strings.Join(single, ", ") + "}"}, lists...)
	}
	return p.use("slices", "slices", true) + ".Concat(opts, " + strings.Join(lists, ", ") + ")"
}

// arguments writes the struct that a tool's parameters arrive in.
func (p *printer) arguments(t *tool) {
	name := p.argumentsOf[t]
	if name == "" {
		return
	}
	called := t.fn.Name()
	if t.receiver != nil {
		called = t.receiver.Name() + "." + called
	}
	p.put("// %s are the arguments of [%s].\n", name, called)
	p.put("type %s struct {\n", name)
	for i, a := range t.parameters {
		typ := a.typ
		if elem, ok := byAddress(typ); ok {
			typ = elem
		}
		p.put("%s %s %s\n", p.fields[a], p.typeName(typ), fieldTag(t, a, t.variadic && i == len(t.parameters)-1))
	}
	p.put("}\n\n")
}

// byAddress reports whether t is a pointer to a struct. In Go that is how a struct is passed, and no promise that there may
// be none: the argument is the struct, and is required. A pointer to anything else is an argument that may be left out.
func byAddress(t types.Type) (elem types.Type, ok bool) {
	p, ok := types.Unalias(t).(*types.Pointer)
	if !ok {
		return nil, false
	}
	_, ok = p.Elem().Underlying().(*types.Struct)
	return p.Elem(), ok
}

// fieldTag says in struct tags what is known about an argument.
func fieldTag(t *tool, a *parameter, variadic bool) string {
	name := a.json
	_, required := byAddress(a.typ)
	switch {
	case required:
	case isNamed(a.typ, libraryPath, "Optional"):
		name += ",omitzero"
	case variadic || isPointer(a.typ):
		name += ",omitempty"
	}
	parts := []string{"json:" + strconv.Quote(name)}
	if a.text != "" {
		parts = append(parts, "jsonschema:"+strconv.Quote(a.text))
	}
	for _, k := range a.tags {
		parts = append(parts, k.keyword+":"+strconv.Quote(k.value))
	}
	return "`" + strings.ReplaceAll(strings.Join(parts, " "), "`", `\x60`) + "`"
}

// docs writes the Docs literal.
func (p *printer) docs() {
	if len(p.src.docs) == 0 {
		return
	}
	library := p.library()
	p.put("// %s is what comments and constants say about the types of the tools.\n", docsFunc)
	p.put("func %s() %s.Docs {\n", docsFunc, library)
	// Go calls the types of a main package by another path in a test than in the program.
	named := p.src.types.Name() == "main" && slices.ContainsFunc(p.src.docs, func(d *doc) bool { return d.pkg == p.src.types })
	if named {
		p.put("type here struct{}\n")
		p.put("pkg := %s.TypeFor[here]().PkgPath() // main in a program, the import path in a test\n", p.use("reflect", "reflect", true))
	}
	p.put("return %s.Docs{\n", library)
	for _, d := range p.src.docs {
		key := strconv.Quote(d.pkg.Path() + "." + d.name)
		if named && d.pkg == p.src.types {
			key = "pkg + " + strconv.Quote("."+d.name)
		}
		if len(d.values) == 0 {
			p.put("%s: {Text: %s},\n", key, quote(d.text))
			continue
		}
		p.put("%s: {\n", key)
		if d.text != "" {
			p.put("Text: %s,\n", quote(d.text))
		}
		p.put("Enum: []%s.Constant{\n", library)
		for _, v := range d.values {
			expr := v.literal
			if v.obj != nil {
				expr = v.obj.Name()
				if q := p.qualifier(v.obj.Pkg()); q != "" {
					expr = q + "." + expr
				}
			}
			if v.text == "" {
				p.put("{Value: %s},\n", expr)
			} else {
				p.put("{Value: %s, Text: %s},\n", expr, quote(v.text))
			}
		}
		p.put("},\n},\n")
	}
	p.put("}\n}\n")
}

// quote writes text as a Go string, one source line for each of its lines. Empty lines stay with the one before them.
func quote(text string) string {
	if text == "" {
		return `""`
	}
	var lines []string
	for text != "" {
		end := strings.IndexByte(text, '\n')
		for end >= 0 && end < len(text) && text[end] == '\n' {
			end++
		}
		if end < 0 {
			end = len(text)
		}
		lines = append(lines, strconv.Quote(text[:end]))
		text = text[end:]
	}
	return strings.Join(lines, " +\n")
}
