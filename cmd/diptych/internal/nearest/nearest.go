// Package nearest finds the name that a person meant.
package nearest

import "strings"

// maxNames is how many names are looked at.
const maxNames = 1000

// To returns the one of names that is nearest to what was written, if one is near enough to be meant.
func To(written string, names []string) (string, bool) {
	best, least := "", len(written)/3+2
	names = names[:min(len(names), maxNames)]
	for _, name := range names {
		if d := distance(strings.ToLower(written), strings.ToLower(name)); d < least && d < len(name) {
			best, least = name, d
		}
	}
	for _, name := range names {
		if best == "" && len(written) > 2 && strings.HasPrefix(strings.ToLower(name), strings.ToLower(written)) {
			best = name
		}
	}
	return best, best != ""
}

// distance counts insertions, deletions, replacements and swaps of neighbours. Long names are far from everything.
func distance(a, b string) int {
	if len(a) > 64 || len(b) > 64 {
		return 64
	}
	rows := make([][]int, len(a)+1)
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			rows[i][j] = min(rows[i-1][j]+1, rows[i][j-1]+1, rows[i-1][j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				rows[i][j] = min(rows[i][j], rows[i-2][j-2]+1)
			}
		}
	}
	return rows[len(a)][len(b)]
}
