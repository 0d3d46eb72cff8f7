package nearest

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

func TestTo(t *testing.T) {
	names := []string{"find_slots", "book_room", "list_rooms", "a"}
	for written, want := range map[string]string{
		"find_slot": "find_slots", "FIND_SLOTS": "find_slots", "fnid_slots": "find_slots", "bok_rom": "book_room",
		"list": "list_rooms", "li": "", "cancel": "", "": "", "b": "", "find_slots": "find_slots",
	} {
		if got, ok := To(written, names); got != want || ok != (want != "") {
			t.Errorf("%q: %q, %v; want %q", written, got, ok, want)
		}
	}
}

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b  string
		limit int
		want  int
	}{
		{"", "", 3, 0}, {"", "ab", 3, 2}, {"ab", "", 3, 2}, {"", "abc", 3, 3}, {"abc", "", 3, 3},
		{"ab", "ba", 3, 1}, {"abcd", "badc", 3, 2}, {"ca", "abc", 4, 3}, {"kitten", "sitting", 9, 3},
		{"abc", "xyz", 3, 3}, {"abc", "xyz", 2, 2}, {"abc", "abc", 0, 0}, {"abc", "abd", 1, 1},
	} {
		if got := Distance(c.a, c.b, c.limit); got != c.want {
			t.Errorf("%q to %q: %d, want %d", c.a, c.b, got, c.want)
		}
	}
}

// TestRandom compares distances within each limit with those of a whole table.
func TestRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	word := func() string {
		b := make([]byte, r.IntN(7))
		for i := range b {
			b[i] = "abc"[r.IntN(3)]
		}
		return string(b)
	}
	for range 5000 {
		a, b, limit := word(), word(), r.IntN(9)
		if got, want := Distance(a, b, limit), min(table(a, b), limit); got != want {
			t.Fatalf("%q to %q within %d: %d, want %d", a, b, limit, got, want)
		}
	}
}

// table is the distance by its definition.
func table(a, b string) int {
	if len(a) == 0 || len(b) == 0 {
		return len(a) + len(b)
	}
	m, n := len(a), len(b)
	cost := 1
	if a[m-1] == b[n-1] {
		cost = 0
	}
	least := min(table(a[:m-1], b)+1, table(a, b[:n-1])+1, table(a[:m-1], b[:n-1])+cost)
	if m > 1 && n > 1 && a[m-1] == b[n-2] && a[m-2] == b[n-1] {
		least = min(least, table(a[:m-2], b[:n-2])+1)
	}
	return least
}

func TestLimits(t *testing.T) {
	names := make([]string, maxNames+1)
	for i := range names {
		names[i] = fmt.Sprintf("other-%d", i)
	}
	names[maxNames-1], names[maxNames] = "humidity", "pressure"
	if got, _ := To("humidty", names); got != "humidity" {
		t.Errorf("the name at the bound: %q", got)
	}
	if got, ok := To("presure", names); ok {
		t.Errorf("the name past the bound: %q", got)
	}
	if got, ok := To("pres", names); ok {
		t.Errorf("the name past the bound, by its start: %q", got)
	}
	long := strings.Repeat("x", maxWord)
	if got := Distance(long[1:], long, 3); got != 1 {
		t.Errorf("names of %d bytes: %d, want 1", maxWord, got)
	}
	for _, pair := range [][2]string{{long, long + "x"}, {long + "x", long}} {
		if got := Distance(pair[0], pair[1], 3); got != 3 {
			t.Errorf("names of %d and %d bytes are compared: %d", len(pair[0]), len(pair[1]), got)
		}
	}
}
