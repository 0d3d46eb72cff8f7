package splice

import (
	"bytes"
	"encoding/json"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// TestText holds text of any kind to encoding/json, in pieces of any size.
func TestText(t *testing.T) {
	k := new(keeper)
	rapid.Check(t, func(t *rapid.T) {
		var want string
		var b bytes.Buffer
		o := k.out(&b)
		o.string(`"`)
		for _, s := range rapid.SliceOfN(rapid.OneOf(rapid.String(), rapid.StringMatching(`[\x00-\x20"\\a-c]{0,9}`)), 0, 40).Draw(t, "texts") {
			for range rapid.SampledFrom([]int{1, 1, 1, 500}).Draw(t, "times") {
				want += s
				o.text(s)
			}
		}
		o.string(`"`)
		if err := o.flush(); err != nil {
			t.Fatal(err)
		}
		k.free(o)
		var got string
		if err := json.Unmarshal(b.Bytes(), &got); err != nil || got != want && utf8.ValidString(want) {
			t.Fatalf("%v: %q is read as %q", err, want, got)
		}
		if bytes.ContainsAny(b.Bytes(), "\r\n") {
			t.Fatal("a line ended")
		}
	})
}
