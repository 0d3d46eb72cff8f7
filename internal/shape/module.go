package shape

import (
	"reflect"
	"runtime/debug"
	"strings"
	"sync"
)

// Foreign reports whether the author of the program cannot change t: a module other than those under development, or the
// standard library, declares it. A program that does not know its modules has no foreign types.
func Foreign(t reflect.Type) bool {
	path := t.PkgPath()
	if path == "" || path == "main" || len(modules()) == 0 {
		return false
	}
	for _, module := range modules() {
		if rest, ok := strings.CutPrefix(path, module); ok && (rest == "" || rest[0] == '/' || rest[0] == '_') {
			return false
		}
	}
	return true
}

// modules returns the paths of the program's main module and of those that a workspace or a replacement puts beside it.
var modules = sync.OnceValue(func() []string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Path == "" || info.Main.Path == "command-line-arguments" {
		return nil
	}
	paths := []string{info.Main.Path}
	for _, d := range info.Deps {
		if d.Version == "(devel)" || d.Replace != nil && d.Replace.Version == "" {
			paths = append(paths, d.Path)
		}
	}
	return paths
})
