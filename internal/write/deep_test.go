package write_test

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"unicode"
)

// nested is a document with depth lists and objects around inside.
func nested(depth int, opening, inside, closing string) string {
	return strings.Repeat(opening, depth) + inside + strings.Repeat(closing, depth)
}

// deepDocuments would have texts of hundreds of times their size, were all of it indented.
var deepDocuments = map[string]string{
	"lists":                    nested(980, "[", "1"+strings.Repeat(",1", 5_000), "]"),
	"objects":                  nested(980, `{"a":`, `["b",2]`, "}"),
	"pairs":                    nested(400, `[{"a":`, "["+strings.Repeat("[],", 2_000)+"{}]", "}]"),
	"only brackets":            nested(990, "[", "", "]"),
	"siblings at level 16":     nested(15, "[", strings.Repeat("[1],", 2_000)+"1", "]"),
	"siblings at level 15":     nested(14, "[", strings.Repeat("[[1]],", 2_000)+"1", "]"),
	"siblings at level 14":     nested(13, "[", strings.Repeat("[[[1]]],", 2_000)+"1", "]"),
	"siblings at level 13":     nested(12, "[", strings.Repeat("[[[[1]]]],", 2_000)+"1", "]"),
	"siblings at level 10":     nested(9, "[", strings.Repeat("[[[[[[[1]]]]]]],", 2_000)+"1", "]"),
	"wide and deep":            nested(16, "[", "0"+strings.Repeat(",0", 2_000), "]"),
	"empty objects":            nested(15, "[", strings.Repeat("{},", 2_000)+"1", "]"),
	"objects of one at 15":     nested(14, `{"a":`, "["+strings.Repeat(`{"":[1]},`, 2_000)+"1]", "}"),
	"small":                    nested(16, "[", "1", "]"),
	"a list of deep documents": "[" + strings.Repeat(nested(30, "[", "1", "]")+",", 1000) + "1]",
}

// TestDeepText says that a text is at most twenty times its document, for each way in which a document comes about, and that
// they all make the same text of it.
func TestDeepText(t *testing.T) {
	for name, doc := range deepDocuments {
		var x any
		if err := json.Unmarshal([]byte(doc), &x); err != nil {
			t.Fatal(name, err)
		}
		var spaced bytes.Buffer
		for _, c := range doc {
			spaced.WriteRune(c)
			if unicode.IsPunct(c) && c != '"' {
				spaced.WriteString(" \n\t")
			}
		}
		texts := map[string]string{}
		for way, v := range map[string]any{
			"plain":       struct{ V any }{x},
			"raw":         struct{ V json.RawMessage }{json.RawMessage(doc)},
			"spaced":      struct{ V json.RawMessage }{spaced.Bytes()},
			"a marshaler": struct{ V wroteJSON }{wroteJSON(doc)},
			"a promise":   struct{ V raw[any] }{raw[any](spaced.Bytes())},
		} {
			rv := addressed(reflect.ValueOf(v))
			w, err := compile(rv.Type()).Walk(rv)
			if err != nil || !w.Accepted || len(w.Texts) != 1 || string(w.Doc) != `{"V":`+doc+`}` {
				t.Fatalf("%s, %s: %v, accepted %t, %d blocks", name, way, err, w.Accepted, len(w.Texts))
			}
			text := w.Texts[0]
			if len(text) > 20*len(doc) {
				t.Errorf("%s, %s: %d bytes of text for %d", name, way, len(text), len(doc))
			}
			var compact bytes.Buffer
			if err := json.Compact(&compact, []byte(text)); err != nil || compact.String() != string(w.Doc) {
				t.Errorf("%s, %s: the text is another document, %v", name, way, err)
			}
			texts[way] = text
		}
		for way, text := range texts {
			if text != texts["plain"] {
				t.Errorf("%s, %s: the text is not that of the plain value:\n%.900s\n%.900s", name, way, text, texts["plain"])
			}
		}
	}
}

// TestDeepBlocks is the same for values that are cut into blocks.
func TestDeepBlocks(t *testing.T) {
	deep := nested(980, "[", "1"+strings.Repeat(",1", 5_000), "]")
	item := "{\"a\":" + deep + "}"
	list := "[" + item + "," + item + "]"
	for name, v := range map[string]any{
		"raw":           json.RawMessage(list),
		"a promise":     raw[[]base](list),
		"nested blocks": raw[[][]base]("[" + list + "]"),
		"values":        []json.RawMessage{json.RawMessage(item), json.RawMessage(item)},
		"in an any":     []any{json.RawMessage(item), json.RawMessage(deep)},
	} {
		rv := addressed(reflect.ValueOf(v))
		w, err := compile(rv.Type()).Walk(rv)
		size := len(strings.Join(w.Texts, ""))
		if err != nil || !w.Accepted || size > 20*len(w.Doc) || size < len(w.Doc) {
			t.Errorf("%s: %v, accepted %t, %d bytes of text for %d", name, err, w.Accepted, size, len(w.Doc))
		}
	}
}

// TestLevels has the level at which lines end.
func TestLevels(t *testing.T) {
	for _, v := range []any{json.RawMessage(nested(18, "[", "1,2", "]")), []any{}} {
		if _, ok := v.([]any); ok {
			if err := json.Unmarshal([]byte(nested(18, "[", "1,2", "]")), &v); err != nil {
				t.Fatal(err)
			}
			v = struct{ V any }{v.([]any)[0]} // one level is the struct's
		}
		rv := addressed(reflect.ValueOf(v))
		w, err := compile(rv.Type()).Walk(rv)
		if err != nil {
			t.Fatal(err)
		}
		if want := "\n" + strings.Repeat("  ", 16) + "[[1,2]]\n"; !strings.Contains(w.Texts[0], want) {
			t.Errorf("%T: no line %q in\n%s", v, want, w.Texts[0])
		}
	}
}
