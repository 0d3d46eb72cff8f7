package jsontext

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// seeds are texts that differ in one thing each.
var seeds = []string{
	``, ` `, `{`, `}`, `[]`, `{}`, ` { } `, `[ ]`, `7`, `-`, `-0`, `01`, `1.`, `.5`, `1e`, `1e+`, `1E-7`, `-0.5e+7`, `1 2`, `1,`,
	`true`, `tru`, `false`, `null`, `nul`, `truefalse`, `"`, `"a`, `"\`, `"\u`, `"\u12"`, `"\u12g4"`, `"\x"`, `"\u00e9\\\/\b\f\n\r\t\""`,
	`"\ud834\udd1e"`, `"\ud834"`, `"\udd1e"`, `"\ud834\u0041"`, "\"\x01\"", "\"\xff\"", "\"é 日本 \u2028\"", `"0123456\"789"`, `"01234567`,
	`{"a":[1,-0.5e+7,"\u00e9\\",true,false,null,{}]}`, `[[],{"":""}]`, `{"a" 1}`, `{"a":}`, `{"a":1,}`, `{,}`, `[1,]`, `[,]`, `[1 2]`, `{"a":1]`, `[1}`,
	`{"a":1,"a":2}`, "{\n\t\"a\" : [ 1 , 2 ] ,\r\n \"b\" : { \"c\" : \" d \" } }", `{a:1}`, `{"a":1}x`, "\xef\xbb\xbf1", `{"\u0061":1}`,
	strings.Repeat("[", 12) + strings.Repeat("]", 12), strings.Repeat(`{"a":`, 12) + `1` + strings.Repeat("}", 12),
}

// fatal is what the checks need of *testing.T.
type fatal interface {
	Helper()
	Fatalf(string, ...any)
}

func TestSeeds(t *testing.T) {
	for _, s := range seeds {
		check(t, []byte(s))
	}
}

// TestRandom checks texts of the bytes that JSON is made of.
func TestRandom(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		check(t, []byte(rapid.StringOf(rapid.SampledFrom([]rune(`{}[]:,"\un0123456789.eE+-truefalsn é`+"\n"))).Draw(t, "json")))
	})
}

func FuzzText(f *testing.F) {
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) { check(t, b) })
}

// check compares every function with encoding/json.
func check(t fatal, b []byte) {
	t.Helper()
	const depth = 10_000 // that of encoding/json
	valid := json.Valid(b)
	if got := Valid(b, depth); got != valid {
		t.Fatalf("%q: valid %v, want %v", b, got, valid)
	}
	var want bytes.Buffer
	_ = json.Compact(&want, b)
	got, ok := AppendCompact([]byte("x"), b, depth)
	switch {
	case ok != valid:
		t.Fatalf("%q: compacted %v, want %v", b, ok, valid)
	case valid && string(got) != "x"+want.String():
		t.Fatalf("%q: compacted to %q", b, got)
	case !valid && string(got) != "x":
		t.Fatalf("%q: left %q behind", b, got)
	}
	for i := range min(len(b), 100) + 2 { // no place in a text makes one panic
		Skip(b, i, 5)
		ScanString(b, i)
		if i <= len(b) {
			CountRunes(b[i:])
			AppendUnescaped(nil, b[i:])
			Unquote(b[i:])
		}
	}
	checkEscapes(t, b)
	if valid {
		at, _ := Only(b, depth)
		checkValue(t, at.Of(b))
		checkTracker(t, b)
	}
}

func checkEscapes(t fatal, b []byte) {
	t.Helper()
	quoted := AppendString(nil, b)
	if string(AppendString(nil, string(b))) != string(quoted) || len(quoted) != StringLen(b) || len(quoted) != StringLen(string(b)) {
		t.Fatalf("%q: %q and %d bytes", b, quoted, StringLen(b))
	}
	for cut := range min(len(b), 100) {
		if pieces := AppendEscaped(AppendEscaped(nil, b[:cut]), b[cut:]); Unquote([]byte(`"`+string(pieces)+`"`)) != string(b) {
			t.Fatalf("%q: in pieces %q", b, pieces)
		}
	}
	if SkipString(quoted, 0) != len(quoted) || Unquote(quoted) != string(b) {
		t.Fatalf("%q: quoted %q", b, quoted)
	}
	end, plain := ScanString(quoted, 0)
	if utf8.Valid(b) != (end == len(quoted)) || IsPlain(b) != (plain && end > 0) || IsPlain(string(b)) != IsPlain(b) {
		t.Fatalf("%q: %q is scanned up to %d, plain %v", b, quoted, end, plain)
	}
	if !utf8.Valid(b) {
		return
	}
	var want bytes.Buffer
	e := json.NewEncoder(&want)
	e.SetEscapeHTML(false)
	_ = e.Encode(string(b))
	if string(quoted) != strings.TrimSuffix(want.String(), "\n") {
		t.Fatalf("%q: quoted %q, want %q", b, quoted, want.String())
	}
}

func checkValue(t fatal, v []byte) {
	t.Helper()
	switch v[0] {
	case '"':
		var want string
		if err := json.Unmarshal(v, &want); err != nil {
			t.Fatalf("%q: %v", v, err)
		}
		if got := Unquote(v); strings.ToValidUTF8(got, "\ufffd") != strings.ToValidUTF8(want, "\ufffd") && utf8.Valid(v) {
			t.Fatalf("%q means %q, want %q", v, got, want)
		}
		if end, _ := ScanString(v, 0); end == len(v) && CountRunes(v[1:len(v)-1]) != utf8.RuneCountInString(want) {
			t.Fatalf("%q: %d code points", v, CountRunes(v[1:len(v)-1]))
		}
	case '{':
		var want map[string]json.RawMessage
		_ = json.Unmarshal(v, &want)
		got := map[string]json.RawMessage{}
		if Members(v, 0, len(v), func(name []byte, value Span) { got[strings.ToValidUTF8(string(name), "\ufffd")] = value.Of(v) }) != len(v) {
			t.Fatalf("%q: no object", v)
		}
		for name, value := range want {
			if utf8.Valid(v) && string(got[name]) != string(value) {
				t.Fatalf("%q: %q is %q, want %q", v, name, got[name], value)
			}
			checkValue(t, value)
		}
	case '[':
		var want, got []json.RawMessage
		_ = json.Unmarshal(v, &want)
		if Items(v, 0, len(v), func(item Span) { got = append(got, item.Of(v)) }) != len(v) || len(got) != len(want) {
			t.Fatalf("%q: %q, want %q", v, got, want)
		}
		for i := range got {
			if string(got[i]) != string(want[i]) {
				t.Fatalf("%q: item %d is %q, want %q", v, i, got[i], want[i])
			}
			checkValue(t, got[i])
		}
	}
}

// checkTracker compares the depth at each byte outside of strings with the tokens of encoding/json.
func checkTracker(t fatal, b []byte) {
	t.Helper()
	var tracker Tracker
	var got []string
	for i, c := range b {
		if tracker.Next(c) && strings.IndexByte("{}[]", c) >= 0 {
			got = append(got, string(b[i:i+1]))
		}
	}
	var want []string
	for d := json.NewDecoder(bytes.NewReader(b)); ; {
		token, err := d.Token()
		if err != nil {
			break
		}
		if delim, ok := token.(json.Delim); ok {
			want = append(want, delim.String())
		}
	}
	if tracker.Depth != 0 || strings.Join(got, "") != strings.Join(want, "") {
		t.Fatalf("%q: tracked %q to depth %d, want %q", b, got, tracker.Depth, want)
	}
}

// TestStrictStrings are the strings that encoding/json accepts and ScanString does not.
func TestStrictStrings(t *testing.T) {
	for _, s := range []string{"\"\xff\"", `"\ud834"`, `"\udd1e"`, `"\ud834\u0041"`, `"\udd1e\ud834"`, "\"\xed\xa0\x80\""} {
		if end, _ := ScanString([]byte(s), 0); end >= 0 {
			t.Errorf("%q is accepted", s)
		}
		if SkipString([]byte(s), 0) != len(s) {
			t.Errorf("%q is not skipped", s)
		}
	}
	if end, plain := ScanString([]byte(`"\ud834\udd1e"`), 0); end != 14 || plain {
		t.Errorf("a surrogate pair ends at %d, plain %v", end, plain)
	}
}

// TestDepth crosses the bound of nesting, with a text that would overflow the stack of a reader without one.
func TestDepth(t *testing.T) {
	nested := func(opening, inside, closing string, n int) []byte {
		return []byte(strings.Repeat(opening, n) + inside + strings.Repeat(closing, n))
	}
	for _, c := range []struct{ opening, inside, closing string }{{"[", "", "]"}, {`{"a":`, "1", "}"}} {
		if !Valid(nested(c.opening, c.inside, c.closing, MaxDepth), MaxDepth) {
			t.Errorf("%s %d times is refused", c.opening, MaxDepth)
		}
		for _, n := range []int{MaxDepth + 1, 20_000_000} {
			b := nested(c.opening, c.inside, c.closing, n)
			if _, ok := AppendCompact(nil, b, MaxDepth); ok || Valid(b, MaxDepth) {
				t.Errorf("%s %d times is accepted", c.opening, n)
			}
		}
	}
}

func TestAllocations(t *testing.T) {
	b := []byte(`{"id":12345,"name":"Amsterdam \"Centraal\"","delay":1.25,"tags":["a","b"],"cancelled":false}`)
	dst := make([]byte, 0, 4*len(b))
	if n := testing.AllocsPerRun(100, func() {
		Valid(b, MaxDepth)
		Members(b, 0, MaxDepth, func([]byte, Span) {})
		AppendCompact(dst, b, MaxDepth)
		AppendString(dst, b)
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkText(b *testing.B) {
	row := `{"id":12345,"name":"Amsterdam Centraal","delay":1.25,"tags":["a","b"],"cancelled":false}`
	doc := []byte(`{"rows":[` + strings.Repeat(row+",", 9_999) + row + `]}`)
	dst := make([]byte, 0, 2*len(doc))
	for name, f := range map[string]func(){
		"valid":   func() { Valid(doc, MaxDepth) },
		"compact": func() { AppendCompact(dst, doc, MaxDepth) },
		"quote":   func() { AppendString(dst, doc) },
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(doc)))
			for b.Loop() {
				f()
			}
		})
	}
}
