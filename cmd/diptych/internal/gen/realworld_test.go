//go:build realworld

package gen_test

import (
	"context"
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/diptych-mcp/diptych/cmd/diptych/internal/gen"
)

// TestRealWorld puts the directive on every exported function and method of packages of other projects, takes it
// away from those that the generator says cannot be tools, and compiles what it makes of the rest. It needs the network,
// or a module cache that has the modules.
func TestRealWorld(t *testing.T) {
	for _, tt := range []struct {
		module, folder string
		least          int // tools that must come out of it
	}{
		{"github.com/dustin/go-humanize@v1.0.1", ".", 20},
		{"github.com/google/uuid@v1.6.0", ".", 20},
		{"github.com/Masterminds/semver/v3@v3.3.0", ".", 15}, // others have results without exported fields,
		{"github.com/montanaflynn/stats@v0.7.1", ".", 50},
		{"github.com/shopspring/decimal@v1.4.0", ".", 30}, // others have results with a marshaler and no schema,
		{"github.com/slack-go/slack@v0.15.0", ".", 200},
		{"golang.org/x/mod@v0.33.0", "semver", 8},
	} {
		t.Run(strings.ReplaceAll(tt.module, "/", "_"), func(t *testing.T) {
			dir := copied(t, tt.module)
			p := realPackage{dir: filepath.Join(dir, tt.folder), out: map[string]bool{}}
			for {
				p.mark(t)
				err := gen.Run(context.Background(), gen.Config{Dir: p.dir, Out: io.Discard})
				var faults *gen.SourceError
				if err == nil {
					break
				}
				if !errors.As(err, &faults) {
					t.Fatal(err)
				}
				p.unmark(t, faults.Faults)
			}
			src, err := os.ReadFile(filepath.Join(p.dir, gen.FileName))
			if err != nil {
				t.Fatal(err)
			}
			if n := strings.Count(string(src), "mcp.Tool{"); n < tt.least {
				t.Errorf("%d tools, want at least %d", n, tt.least)
			}
			command(t, p.dir, "go", "build", ".")
		})
	}
}

// copied puts a module from the cache into a folder of the test's own, with this library among its requirements.
func copied(t *testing.T, module string) string {
	t.Helper()
	var found struct{ Dir string }
	if err := json.Unmarshal(command(t, ".", "go", "mod", "download", "-json", module), &found); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(found.Dir)); err != nil {
		t.Fatal(err)
	}
	root, err := filepath.Abs("../../../..")
	if err != nil {
		t.Fatal(err)
	}
	if err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err == nil {
			err = os.Chmod(path, 0o755)
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	t.Setenv("GOWORK", "off")
	t.Setenv("GOFLAGS", "-mod=mod")
	const library = "github.com/diptych-mcp/diptych"
	if _, err := os.Stat(filepath.Join(dir, "go.mod")); err != nil {
		path, _, _ := strings.Cut(module, "@")
		command(t, dir, "go", "mod", "init", path)
	}
	command(t, dir, "go", "mod", "edit", "-go=1.26", "-require="+library+"@v0.0.0", "-replace="+library+"="+root)
	command(t, dir, "go", "get", library+"@v0.0.0")
	return dir
}

func command(t *testing.T, dir, name string, args ...string) []byte {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			t.Fatalf("%s: %v\n%s%s", cmd, err, out, exit.Stderr)
		}
		t.Fatalf("%s: %v", cmd, err)
	}
	return out
}

// A realPackage is somebody's package with directives in it.
type realPackage struct {
	dir     string
	sources map[string][]byte // as they came
	out     map[string]bool   // functions that are no tools
}

// mark writes every file with the directive above each function that is not out.
func (p *realPackage) mark(t *testing.T) {
	if p.sources == nil {
		p.sources = map[string][]byte{}
		names, err := filepath.Glob(filepath.Join(p.dir, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			if p.sources[name], err = os.ReadFile(name); err != nil {
				t.Fatal(err)
			}
		}
	}
	for name, src := range p.sources {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		fset, file := parsed(t, name, src)
		for _, fn := range slices.Backward(functions(file)) {
			if fn.Name.IsExported() && !p.out[key(name, fn)] {
				src = slices.Insert(slices.Clone(src), fset.Position(fn.Type.Func).Offset, []byte("//diptych:tool\n")...)
			}
		}
		if err := os.WriteFile(name, src, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// unmark puts the functions that have a fault out.
func (p *realPackage) unmark(t *testing.T, faults []string) {
	before := len(p.out)
	for _, f := range faults {
		at := regexp.MustCompile(`^(\S+\.go):(\d+):\d+: `).FindStringSubmatch(f)
		if at == nil {
			t.Fatalf("a fault without a position: %s", f)
		}
		name := filepath.Join(p.dir, at[1])
		line, _ := strconv.Atoi(at[2])
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		fset, file := parsed(t, name, src)
		for _, fn := range functions(file) {
			from := fn.Pos()
			if fn.Doc != nil {
				from = fn.Doc.Pos()
			}
			// A fault on the first line is about the whole file.
			if line == 1 || fset.Position(from).Line <= line && line <= fset.Position(fn.Type.End()).Line {
				p.out[key(name, fn)] = true
			}
		}
	}
	if len(p.out) == before {
		t.Fatalf("faults that no function has:\n%s", strings.Join(faults, "\n"))
	}
}

func parsed(t *testing.T, name string, src []byte) (*token.FileSet, *ast.File) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, name, src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	return fset, file
}

func functions(file *ast.File) []*ast.FuncDecl {
	var all []*ast.FuncDecl
	for _, d := range file.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok {
			all = append(all, fn)
		}
	}
	return all
}

func key(file string, fn *ast.FuncDecl) string {
	var receiver strings.Builder
	if fn.Recv != nil {
		ast.Inspect(fn.Recv, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				receiver.WriteString(id.Name + " ")
			}
			return true
		})
	}
	return file + " " + receiver.String() + fn.Name.Name
}
