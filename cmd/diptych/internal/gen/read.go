package gen

import (
	"context"
	"errors"
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/packages"
)

// A source is what one package says about its tools.
type source struct {
	path       string // import path
	dir        string
	types      *types.Package
	constraint string // of the build, or ""
	standard   func(*types.Package) bool
	tools      []*tool
	docs       []*doc
}

// A reader turns one package after the other into a source.
type reader struct {
	*loaded
	faults  *faults
	here    *types.Package     // the one being read
	obeyed  map[token.Pos]bool // directives in a place where they have an effect
	tried   map[string]bool    // names of tools of this package, those with a fault too
	indexes map[*types.Package]*index
}

func newReader(l *loaded, dir string) *reader {
	return &reader{
		loaded:  l,
		faults:  &faults{dir: dir, fset: l.fset},
		obeyed:  map[token.Pos]bool{},
		indexes: map[*types.Package]*index{},
	}
}

// read is the first step. It ignores packages without directives, whatever is wrong with them.
func read(ctx context.Context, cfg Config, p *progress) ([]*source, *faults, error) {
	l, err := load(ctx, cfg, p)
	if err != nil {
		return nil, nil, err
	}
	r := newReader(l, cfg.Dir)
	var sources []*source
	needed := false
	for _, pkg := range l.roots {
		p.say("reading %s", pkg.PkgPath)
		s := r.source(pkg)
		if s == nil {
			continue
		}
		needed = needed || len(s.tools) > 0
		if len(s.tools) > 0 || l.stale[pkg.PkgPath] {
			sources = append(sources, s)
		}
	}
	if len(r.faults.list) > 0 {
		return sources, r.faults, nil // the next step may find more
	}
	if needed {
		if err := l.requireLibrary(ctx, cfg); err != nil {
			return nil, nil, err
		}
	}
	if len(sources) == 0 && !cfg.Check {
		return nil, nil, errors.New("no tools in these packages; write //diptych:tool into the comment right above an exported function")
	}
	return sources, r.faults, nil
}

// source reads a package, or returns nil where there is nothing to do.
func (r *reader) source(pkg *packages.Package) *source {
	build := r.constraint(pkg)
	speaks := false
	for _, f := range pkg.Syntax {
		speaks = speaks || hasDirective(f)
	}
	if !speaks && !r.stale[pkg.PkgPath] {
		return nil
	}
	r.here, r.tried = pkg.Types, map[string]bool{}
	s := &source{path: pkg.PkgPath, dir: pkg.Dir, types: pkg.Types, constraint: build, standard: r.standard}
	if !speaks {
		return s
	}
	before := len(r.faults.list)
	r.sourceErrors(pkg, r.faults)
	if len(r.faults.list) > before {
		return s // what follows from an error in the source is no news
	}
	w := &walker{reader: r, seen: map[types.Type]bool{}}
	for _, f := range pkg.Syntax {
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok {
				if t := r.tool(pkg, f, fn); t != nil {
					s.tools = append(s.tools, t)
					w.tool(t)
				}
			}
		}
	}
	r.options(pkg, s)
	s.docs = w.sorted(pkg.Types)
	r.strayDirectives(pkg.Syntax)
	return s
}
