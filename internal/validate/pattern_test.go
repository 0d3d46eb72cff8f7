package validate

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestWithoutLookaround compares a rewritten pattern with what its look-ahead said: no dot in front, no two in a row.
func TestWithoutLookaround(t *testing.T) {
	const ahead = `(?!\.)(?!.*\.\.)`
	for published := range withoutLookaround {
		schema, err := json.Marshal(map[string]string{"type": "string", "pattern": published})
		if err != nil {
			t.Fatal(err)
		}
		if err := Screen(schema); err != nil {
			t.Fatal(err)
		}
		c, err := Compile(schema)
		if err != nil {
			t.Fatal(err)
		}
		rest := regexp.MustCompile(strings.Replace(published, ahead, "", 1))
		rapid.Check(t, func(t *rapid.T) {
			text := rapid.OneOf(rapid.StringMatching(`[a'.+-]{0,5}@?[a.-]{0,4}(\.[ab]{1,3})?\n?`), rapid.StringMatching(`[a.]{1,4}@a\.aa`)).Draw(t, "text")
			want := rest.MatchString(text) && !strings.HasPrefix(text, ".") && !strings.Contains(text, "..")
			doc, err := json.Marshal(text)
			if err != nil {
				t.Fatal(err)
			}
			if got := c.Check(doc); got != want {
				t.Fatalf("%q: got %t, want %t", text, got, want)
			}
		})
	}
}
