package tree

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestParseKeepsOrderAndDigits(t *testing.T) {
	n, err := Parse([]byte(` {"b": 1.10, "a": [9007199254740993, "x\u00e9", null, true] , "b": {"c":1e400}} `))
	if err != nil {
		t.Fatal(err)
	}
	if got := n.Members[0].Value.Text + n.Get("a").Items[0].Text + n.Get("a").Items[1].Text; got != "1.109007199254740993xé" {
		t.Errorf("got %q", got)
	}
	if got := string(n.Get("b").Raw); got != `{"c":1e400}` {
		t.Errorf("the last of two keys is %s", got)
	}
	if got := string(n.Get("a").Raw); got != `[9007199254740993, "x\u00e9", null, true]` {
		t.Errorf("got %s", got)
	}
	if n.Get("no").Get("where").Str("x") != "" || n.Get("no").Is(Null) || n.Get("no").List("x") != nil {
		t.Error("what is not there is not empty")
	}
}

func TestParseRefuses(t *testing.T) {
	for _, doc := range []string{``, ` `, `{`, `[1,`, `{"a"`, `1 2`, `{"a":1}}`, `nul`, strings.Repeat("[", 200) + strings.Repeat("]", 200), strings.Repeat("[", 20000)} {
		if n, err := Parse([]byte(doc)); err == nil {
			t.Errorf("%.20s: got %v", doc, n)
		}
	}
}

func TestFollow(t *testing.T) {
	root, err := Parse([]byte(`{"$defs":{"A":{"$ref":"#/$defs/B"},"B":{"type":"string"},"C":{"$ref":"#/$defs/C"},"a/b":{"type":"null"}}}`))
	if err != nil {
		t.Fatal(err)
	}
	for ref, want := range map[string]string{"#/$defs/A": "string", "#/$defs/B": "string", "#/$defs/a~1b": "null", "#/$defs/C": "", "#/no": "", "http://x/y": ""} {
		if n, _ := Follow(root, &Node{Kind: Object, Members: []Member{{"$ref", &Node{Kind: String, Text: ref}}}}); n.Str("type") != want {
			t.Errorf("%s: got %q, want %q", ref, n.Str("type"), want)
		}
	}
}

// What Parse takes is valid JSON, and its raw bytes are the document's.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{`{"a":[1,2.5e3,"x",null,true,{}]}`, ` [ ] `, `"\ud800"`, `{"a":1,"a":2}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, doc []byte) {
		n, err := Parse(doc)
		if err != nil {
			return
		}
		if !json.Valid(doc) {
			t.Fatalf("%q is not JSON", doc)
		}
		if got, want := string(n.Raw), strings.Trim(string(doc), " \t\r\n"); got != want {
			t.Fatalf("raw %q, want %q", got, want)
		}
	})
}
