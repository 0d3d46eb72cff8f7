package gen

import (
	"bytes"
	"go/ast"
	"go/build"
	"go/build/constraint"
	"go/parser"
	"go/token"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// constraint is the build constraint that all files with directives share, which the generated file repeats. A tool that
// exists on some machines only would make a file that differs between them, or does not compile.
func (r *reader) constraint(pkg *packages.Package) string {
	type condition struct{ file, text string }
	var all []condition
	for _, name := range append(slices.Clone(pkg.GoFiles), pkg.IgnoredFiles...) {
		if filepath.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") || filepath.Base(name) == FileName {
			continue
		}
		src, err := os.ReadFile(name)
		if err != nil || !bytes.Contains(src, []byte(marker)) {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, src, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil && f == nil || f.Name.Name != pkg.Name || !hasDirective(f) {
			continue
		}
		if namedForSystem(name) {
			r.faults.addAt(token.Position{Filename: name, Line: 1, Column: 1},
				"the file is built on some systems only, by its name; move what has a %s directive to a file for every system", strings.TrimSuffix(marker, ":"))
			continue
		}
		all = append(all, condition{name, goBuild(f)})
	}
	for _, c := range all {
		if c.text != all[0].text {
			r.faults.addAt(token.Position{Filename: c.file, Line: 1, Column: 1},
				"the file is built under other conditions (%s) than %s (%s); give both files the same //go:build line, or none",
				orAlways(c.text), relative(r.faults.dir, all[0].file), orAlways(all[0].text))
		}
	}
	if len(all) == 0 {
		return ""
	}
	return all[0].text
}

func orAlways(s string) string {
	if s == "" {
		return "always"
	}
	return s
}

// goBuild is the expression of a file's //go:build line.
func goBuild(f *ast.File) string {
	for _, g := range f.Comments {
		if g.Pos() > f.Package {
			break
		}
		for _, c := range g.List {
			if constraint.IsGoBuild(c.Text) {
				if x, err := constraint.Parse(c.Text); err == nil {
					return x.String()
				}
			}
		}
	}
	return ""
}

// namedForSystem reports whether a file's name alone ties it to a system, as x_linux.go does: a system that does not exist
// would not build it.
func namedForSystem(name string) bool {
	nowhere := build.Context{GOOS: "nowhere", GOARCH: "nothing", Compiler: "gc",
		OpenFile: func(string) (io.ReadCloser, error) { return io.NopCloser(strings.NewReader("package p\n")), nil }}
	ok, err := nowhere.MatchFile(filepath.Split(name))
	return err == nil && !ok
}
