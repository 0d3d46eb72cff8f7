package gen

import (
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestNotes(t *testing.T) {
	for _, tt := range []struct {
		list string
		want []string
	}{
		{"", []string{}},
		{"a int", []string{""}},
		{"a int /* one */", []string{"one"}},
		{"/* one */ a int", []string{"one"}},
		{"a /* one */ int", []string{"one"}},
		{"a int /* one */, b int /* two */", []string{"one", "two"}},
		{"/* one */ a int, /* two */ b int", []string{"one", "two"}},
		{"a int, /* two, with a comma */ b int", []string{"", "two, with a comma"}},
		{"a /* one */, b /* two */ int", []string{"one", "two"}},
		{"\n\ta int, // one\n\tb int, // two\n", []string{"one", "two"}},
		{"\n\t// one\n\ta int,\n\t// two\n\tb int,\n", []string{"one", "two"}},
		{"\n\t// one\n\ta int, // more\n\tb int,\n", []string{"one\n\nmore", ""}},
		{"\n\t// both\n\ta, b int,\n\tc int, // three\n", []string{"both", "both", "three"}},
		{"\n\ta, b int, // both\n", []string{"both", "both"}},
		{"\n\ta /* one */, b int, // the other\n", []string{"one", "the other"}},
		{"\n\t/* one */ a, b int,\n", []string{"one", ""}},
		{"a int,\n\t// two\n\tb int", []string{"", "two"}},
		{"int /* one */, string", []string{"one", ""}},
		{"a func(x int /* inner */) int, b int", []string{"inner", ""}},
	} {
		src := "package p\n\n// f is not asked.\nfunc f(" + tt.list + ") { /* nor this */ }\n"
		name := filepath.Join(t.TempDir(), "p.go")
		if err := os.WriteFile(name, []byte(src), 0o644); err != nil {
			t.Fatal(err)
		}
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, name, src, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		r := newReader(&loaded{fset: fset}, "")
		if diff := cmp.Diff(tt.want, r.notes(file, file.Decls[0].(*ast.FuncDecl))); diff != "" {
			t.Errorf("f(%s):\n%s", tt.list, diff)
		}
	}
}

func TestWords(t *testing.T) {
	for _, tt := range []struct {
		line   string
		want   []word
		faults int
	}{
		{"", nil, 0},
		{" readonly\tname=x ", []word{{1, "readonly", "", false}, {10, "name", "x", true}}, 0},
		{` title="two \"words\"" a=`, []word{{1, "title", `two "words"`, true}, {23, "a", "", true}}, 0},
		{" default list=`[1, 2]`", []word{{1, "default", "", false}, {9, "list", "[1, 2]", true}}, 0},
		{` default url=http://x/?a=b`, []word{{1, "default", "", false}, {9, "url", "http://x/?a=b", true}}, 0},
		{` ok title="open`, []word{{1, "ok", "", false}}, 1},
	} {
		r := newReader(&loaded{fset: token.NewFileSet()}, "")
		got := r.words(0, tt.line)
		if diff := cmp.Diff(tt.want, got, cmp.AllowUnexported(word{})); diff != "" {
			t.Errorf("%q:\n%s", tt.line, diff)
		}
		if len(r.faults.list) != tt.faults {
			t.Errorf("%q: faults %v, want %d", tt.line, r.faults.list, tt.faults)
		}
	}
}

func TestLiteral(t *testing.T) {
	for _, tt := range []struct{ expr, want string }{
		{`"a\n"`, `"a\n"`},
		{`""`, `""`},
		{"-1", "-1"},
		{"2147483647", "2147483647"},
		{"2147483648", "int64(2147483648)"},
		{"-2147483649", "int64(-2147483649)"},
		{"9223372036854775808", "uint64(9223372036854775808)"},
	} {
		v := constant.MakeFromLiteral(tt.expr, token.INT, 0)
		if tt.expr[0] == '"' {
			v = constant.MakeFromLiteral(tt.expr, token.STRING, 0)
		} else if tt.expr[0] == '-' {
			v = constant.UnaryOp(token.SUB, constant.MakeFromLiteral(tt.expr[1:], token.INT, 0), 0)
		}
		if got := literal(v); got != tt.want {
			t.Errorf("literal(%s) = %s, want %s", tt.expr, got, tt.want)
		}
	}
}
