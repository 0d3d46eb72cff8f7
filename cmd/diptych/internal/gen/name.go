package gen

import (
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// names are the identifiers of one generated file. None of them clashes with the package's own, nor with each other.
type names struct {
	src       *source
	faults    *faults
	imports   map[string]imported // by import path
	receivers map[*types.TypeName]string
	fields    map[*parameter]string
	reserved  map[string]bool // what no import may be called

	argumentsOf map[*tool]string // the argument struct of a tool
}

// An imported package goes by a name of its own in each file.
type imported struct {
	name     string
	standard bool // it is Go's own
}

// The functions and their variables that every generated file may have.
const (
	addTools     = "AddTools"
	addDataTools = "AddDataTools"
	docsFunc     = "toolDocs"
)

// newNames is the second step. It adds a fault for each name that is taken.
func newNames(src *source, faults *faults) *names {
	n := &names{
		src: src, faults: faults, imports: map[string]imported{}, receivers: map[*types.TypeName]string{},
		fields: map[*parameter]string{}, reserved: map[string]bool{}, argumentsOf: map[*tool]string{},
	}
	for _, v := range []string{"s", "r", "opts", "ctx", "in", "pkg", "here"} {
		n.reserved[v] = true
	}
	n.toolNames()
	n.goNames()
	n.predeclared()
	for _, t := range src.tools {
		if t.receiver != nil && n.receivers[t.receiver] == "" {
			n.receivers[t.receiver] = n.receiver(t.receiver.Name())
		}
	}
	return n
}

// toolNames refuses two tools of one name: on a server the second would replace the first.
func (n *names) toolNames() {
	first := map[string]*tool{}
	for _, t := range n.src.tools {
		if other := first[t.name]; other != nil {
			n.faults.add(t.pos, "tool %q is already made of %s (%s); give one of them another name with %stool name=…",
				t.name, other.fn.Name(), n.faults.place(other.pos), marker)
			continue
		}
		first[t.name] = t
	}
}

// goNames chooses the package-level identifiers, and refuses those that the package has.
func (n *names) goNames() {
	plain := slices.ContainsFunc(n.src.tools, func(t *tool) bool { return !t.data })
	data := slices.ContainsFunc(n.src.tools, func(t *tool) bool { return t.data })
	if plain {
		n.claim(addTools)
	}
	if data {
		n.claim(addDataTools)
	}
	if len(n.src.docs) > 0 {
		n.claim(docsFunc)
	}
	owner := map[string]*tool{}
	for _, t := range n.src.tools {
		if t.whole || len(t.parameters) == 0 {
			continue
		}
		name := lowerFirst(t.fn.Name()) + "Arguments"
		shared := slices.ContainsFunc(n.src.tools, func(o *tool) bool { return o != t && o.fn.Name() == t.fn.Name() })
		if t.receiver != nil && (shared || n.src.types.Scope().Lookup(name) != nil) {
			name = lowerFirst(t.receiver.Name()) + t.fn.Name() + "Arguments"
		}
		if other := owner[name]; other != nil {
			n.faults.add(t.pos, "%s and %s (%s) would both have the argument struct %s; rename one of them", t.fn.Name(),
				other.fn.Name(), n.faults.place(other.pos), name)
		}
		owner[name] = t
		n.claim(name)
		n.argumentsOf[t] = name
		used := map[string]bool{}
		for _, p := range t.parameters {
			field := fieldName(p.name)
			for used[field] {
				field += "_"
			}
			used[field] = true
			n.fields[p] = field
		}
	}
}

func (n *names) claim(name string) {
	if obj := n.src.types.Scope().Lookup(name); obj != nil {
		n.faults.add(obj.Pos(), "%s is declared here, and %s declares it too; rename this one", name, FileName)
	}
	n.reserved[name] = true
}

// predeclared refuses a package that hides what generated code means by Go's own names.
func (n *names) predeclared() {
	if len(n.src.tools) == 0 {
		return
	}
	used := map[string]bool{"error": true, "append": true, "new": true, "nil": true, "true": true, "false": true}
	for _, t := range n.src.tools {
		for _, p := range t.parameters {
			basics(p.typ, used)
		}
		if t.out != nil {
			basics(t.out, used)
		}
	}
	for name := range used {
		if obj := n.src.types.Scope().Lookup(name); obj != nil && types.Universe.Lookup(name) != nil {
			n.faults.add(obj.Pos(), "%s hides Go's own %s, which the generated code needs; rename it", name, name)
		}
	}
}

// basics notes the names of Go's own types with which t is written.
func basics(t types.Type, used map[string]bool) {
	for _, word := range strings.FieldsFunc(types.TypeString(t, nil), func(r rune) bool {
		return r != '_' && r != '.' && r != '/' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}) {
		used[word] = true
	}
}

// receiver is the name of the parameter that is the receiver of methods.
func (n *names) receiver(typeName string) string {
	name := lowerFirst(typeName)
	if n.taken(name) || slices.Contains(usual, name) {
		r, size := utf8.DecodeRuneInString(typeName)
		name = "the" + string(unicode.ToUpper(r)) + typeName[size:]
	}
	for n.taken(name) {
		name += "_"
	}
	n.reserved[name] = true
	return name
}

// usual are the packages that generated files import most, by names that readers expect.
var usual = []string{"context", "data", "diptych", "errors", "mcp", "reflect", "slices"}

// qualifier names the package of a type, and imports it.
func (n *names) qualifier(pkg *types.Package) string {
	if pkg == n.src.types {
		return ""
	}
	return n.use(pkg.Path(), pkg.Name(), n.src.standard(pkg))
}

func (n *names) library() string { return n.use(libraryPath, "diptych", false) }
func (n *names) data() string    { return n.use(dataPath, "data", false) }
func (n *names) mcp() string     { return n.use(sdkPath+"/mcp", "mcp", false) }

// use imports a package and returns the name that it goes by in this file.
func (n *names) use(path, name string, standard bool) string {
	if i, ok := n.imports[path]; ok {
		return i.name
	}
	chosen := name
	for i := 2; n.taken(chosen); i++ {
		chosen = name + strconv.Itoa(i)
	}
	n.imports[path] = imported{chosen, standard}
	n.reserved[chosen] = true
	return chosen
}

func (n *names) taken(name string) bool {
	return n.reserved[name] || n.src.types.Scope().Lookup(name) != nil || types.Universe.Lookup(name) != nil || token.IsKeyword(name)
}

// typeName writes a type as the generated file sees it.
func (n *names) typeName(t types.Type) string { return types.TypeString(t, n.qualifier) }

// lowerFirst starts a name with lower case: the whole first word where that is written in capitals.
func lowerFirst(name string) string {
	runes := []rune(name)
	for i, r := range runes {
		if !unicode.IsUpper(r) || i > 0 && i+1 < len(runes) && unicode.IsLower(runes[i+1]) {
			break
		}
		runes[i] = unicode.ToLower(r)
	}
	return string(runes)
}

// fieldName is the exported field of a parameter.
func fieldName(name string) string {
	name = strings.TrimLeft(name, "_")
	if name == "id" || name == "url" {
		return strings.ToUpper(name)
	}
	r, size := utf8.DecodeRuneInString(name)
	if up := unicode.ToUpper(r); unicode.IsUpper(up) {
		return string(up) + name[size:]
	}
	return "Arg" + name // a script without capitals, or a digit
}
