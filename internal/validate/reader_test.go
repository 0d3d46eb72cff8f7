package validate

import (
	"bytes"
	"encoding/json"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// raw reads doc as raw JSON that is one block. known is false where only the walker can judge.
func raw(c *Checker, doc []byte) (compact, text string, ok, known bool) {
	d, known := c.Demand()
	if !known {
		return "", "", false, false
	}
	var r Reader
	r.Start()
	to := Raw{Cut: &Cut{}}
	ok = r.Raw(d, doc, &to)
	return string(to.Doc), string(to.Text), ok, true
}

// TestRaw compares one reading of raw JSON with the check, to json.Compact and to json.Indent, over random schemas and documents.
func TestRaw(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		schema := rooted(t, anySchema(t, 3))
		c, err := Compile([]byte(schema))
		if err != nil {
			return
		}
		doc := []byte(space.Draw(t, "before") + anyDocument(t, 3) + space.Draw(t, "after"))
		if rapid.IntRange(0, 4).Draw(t, "break") == 0 {
			at := rapid.IntRange(0, len(doc)-1).Draw(t, "at")
			doc[at] = rapid.SampledFrom([]byte(` ,:[]{}"\1e-t`)).Draw(t, "with")
		}
		compact, text, ok, known := raw(c, doc)
		if !known {
			return
		}
		if want := c.Check(doc); ok != want {
			t.Fatalf("read raw: %v, checked: %v; %s under %s", ok, want, doc, schema)
		}
		if !ok {
			return
		}
		var wantCompact, wantText bytes.Buffer
		if err := json.Compact(&wantCompact, doc); err != nil {
			t.Fatal(err)
		}
		if err := json.Indent(&wantText, wantCompact.Bytes(), "", "  "); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]string{wantCompact.String(), wantText.String()}, []string{compact, text}); diff != "" {
			t.Fatalf("%s under %s\n%s", doc, schema, diff)
		}
	})
}

// TestRawCut has the blocks of raw JSON, and that a Reader goes on after a refusal.
func TestRawCut(t *testing.T) {
	c, err := Compile([]byte("true"))
	if err != nil {
		t.Fatal(err)
	}
	var r Reader
	r.Start()
	for _, tt := range []struct {
		doc  string
		cut  Cut
		want []string
	}{
		{` [ "a" , {"b":[ ]} ,[1,2]]`, Cut{Each: true, Bare: true}, []string{"a", "{\n  \"b\": []\n}", "[\n  1,\n  2\n]"}},
		{`["a","b"]`, Cut{Each: true}, []string{`"a"`, `"b"`}},
		{`["a" "b"]`, Cut{Each: true}, nil},
		{`"a\n"`, Cut{Bare: true}, []string{"a\n"}},
		{`"a"`, Cut{Each: true, Bare: true}, []string{`"a"`}},
		{`["",""]`, Cut{Each: true, Bare: true}, []string{`""`, `""`}},
		{`{"a": [1]}`, Cut{Bare: true}, []string{"{\n  \"a\": [\n    1\n  ]\n}"}},
		{``, Cut{}, nil},
		{` [ ] `, Cut{Each: true}, nil},
	} {
		to := Raw{Cut: &tt.cut}
		ok := r.Raw(c.Anything(), []byte(tt.doc), &to)
		var got []string
		start := 0
		for _, end := range to.Ends {
			got = append(got, string(to.Text[start:end]))
			start = end
		}
		if ok != (json.Valid([]byte(tt.doc))) || ok && !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, %v, want %q", tt.doc, got, ok, tt.want)
		}
	}
}
