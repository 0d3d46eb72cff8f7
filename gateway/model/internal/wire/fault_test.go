package wire

import (
	"strings"
	"testing"
)

func TestSaid(t *testing.T) {
	nested := func(n int, text string) string {
		return strings.Repeat(`{"error":`, n) + `"` + text + `"` + strings.Repeat(`}`, n)
	}
	for _, c := range []struct{ name, body, want string }{
		{"an error in an error", nested(2, "no credit"), "no credit"},
		{"an error in a list", `[{"error":{"message":"no credit."}}]`, "no credit"},
		{"too deep", nested(200, "no credit"), ""}, // each level costs another reading of the rest
		{"too long", nested(1, strings.Repeat("x", maxError)), ""},
		{"the key", nested(1, "bad key k3y"), "bad key [key]"},
	} {
		if got := Said([]byte(c.body), "k3y"); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
