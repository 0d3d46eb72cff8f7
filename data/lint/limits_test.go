package lint

import (
	"fmt"
	"strings"
	"testing"
)

// A number that is too long to compute with is compared as text, and none costs more than its length.
func TestNumberLimits(t *testing.T) {
	for name, c := range map[string]struct {
		text  string
		equal bool
	}{
		"digits":           {"1." + strings.Repeat("0", maxDigits-2), true},
		"more digits":      {"1." + strings.Repeat("0", maxDigits-1), false},
		"an exponent":      {"1000e-" + strings.Repeat("0", maxExponentDigits) + "3", true},
		"a large exponent": {"1e1" + strings.Repeat("0", maxExponentDigits), false},
	} {
		if got := canonical(c.text) == "1"; got != c.equal {
			t.Errorf("%s: equal to 1 is %v, want %v", name, got, c.equal)
		}
	}
}

func TestRankLimit(t *testing.T) {
	var rows strings.Builder
	for range maxRanks + 10 {
		rows.WriteString(`,["x",700]`)
	}
	structured := `{"sources":["https://example.org/d"],"table":[["A","B"]` + rows.String() + `]}`
	for rank, want := range map[int]int{maxRanks: 0, maxRanks + 1: 1} {
		if got := Result([]string{fmt.Sprintf("Number %d has 700.", rank)}, []byte(structured), 0); len(got) != want {
			t.Errorf("rank %d: %v", rank, got)
		}
	}
}
