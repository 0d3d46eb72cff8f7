//lint:file-ignore SA5008 the tags that releases of encoding/json read in different ways are what is tested

package write_test

import (
	"encoding"
	"encoding/json"
	"math/big"
	"reflect"
	"runtime"
	"strings"
	"testing"
)

// A difference is where a release of encoding/json does not write what this package writes. The bytes that leave are ours, the
// same on every release; a new release that changes its mind fails the test below and becomes a row.
type difference struct {
	name   string
	value  any
	want   string            // on every release
	theirs map[string]string // by release; a release that is not named writes the same as we do
	ours   func(theirs string) string
}

type (
	// quotedName has a tag that is no name by the rules of encoding/json before 1.27, so that the field's own name counts.
	quotedName struct {
		E int `json:"quo\"te"`
	}
	// clash has two fields of one name where the tag is read up to its quote.
	clash struct {
		A string `json:"a"`
		B int    `json:"a\"b"`
		Z int
	}
	oddNames struct {
		A int `json:"x\\b"`
		B int `json:"a\tb"`
		C int `json:"y'z"`
		D int `json:"'c'"`
	}
	asText struct {
		T encoding.TextMarshaler
	}
)

var differences = []difference{
	{
		name: "a line separator in what a MarshalJSON wrote", value: valueJSON{1}, want: "{\"n\":[1,\"a b\\\" \u2028<\"]}",
		theirs: map[string]string{"go1.27": `{"n":[1,"a b\" \u2028<"]}`},
		ours:   separated,
	},
	{
		name: "a line separator in raw JSON", value: json.RawMessage("\"\\u00Ff\u2029\""), want: "\"\\u00Ff\u2029\"",
		theirs: map[string]string{"go1.27": `"\u00Ff\u2029"`},
		ours:   separated,
	},
	{
		name: "a tag's name with a quote in it", value: quotedName{1}, want: `{"E":1}`,
		theirs: map[string]string{"go1.27": `{"quo":1}`},
	},
	{
		name: "a tag's name with a quote in it, beside another", value: clash{}, want: `{"a":"","B":0,"Z":0}`,
		theirs: map[string]string{"go1.27": `{"Z":0}`},
	},
	{
		name: "tags whose names have other characters that are not allowed", value: oddNames{}, want: `{"A":0,"B":0,"C":0,"D":0}`,
		theirs: map[string]string{"go1.27": `{"x":0,"a\tb":0,"y":0,"D":0}`},
	},
	{
		name: "an interface that asks for MarshalText, which holds a type with both", value: asText{big.NewInt(5)}, want: `{"T":5}`,
		theirs: map[string]string{"go1.26": `{"T":"5"}`},
	},
	{
		name: "the same, where MarshalJSON needs an address", value: []encoding.TextMarshaler{&textThenJSON{1}, textThenJSON{2}}, want: `[[1],"t2"]`,
		theirs: map[string]string{"go1.26": `["t1","t2"]`},
	},
}

// separated writes line separators inside of what others wrote as we do: as they are. No value of the tests has them in
// a string of ours together with such JSON, save as a text of the same kind.
func separated(theirs string) string {
	if !strings.Contains(theirs, `"a b\" \u2028<"`) && !strings.Contains(theirs, `\u00Ff`) {
		return theirs
	}
	s := strings.ReplaceAll(theirs, `"a b\" \u2028<"`, "\"a b\\\" \u2028<\"")
	return strings.ReplaceAll(s, `\u00Ff\n\u2028<`, "\\u00Ff\\n\u2028<")
}

// known reports whether this release differs.
func (d *difference) known() bool { _, ok := d.theirs[release()]; return ok }

// release is the release of Go that runs, such as go1.27.
func release() string {
	parts := strings.SplitN(runtime.Version(), ".", 3)
	return strings.Join(parts[:min(2, len(parts))], ".")
}

// TestDifferences checks the table from both sides.
func TestDifferences(t *testing.T) {
	for _, d := range differences {
		v := addressed(reflect.ValueOf(d.value))
		got, err := compile(v.Type()).Append(nil, v)
		if string(got) != d.want || err != nil {
			t.Errorf("%s: got %s, %v, want %s", d.name, got, err, d.want)
		}
		want, ok := d.theirs[release()]
		if !ok {
			want = d.want
		}
		if text, err := theirs(v); text != want || err != nil {
			t.Errorf("%s: encoding/json writes %s, %v, the table says %s", d.name, text, err, want)
		}
	}
}
