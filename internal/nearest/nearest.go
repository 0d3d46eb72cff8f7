// Package nearest finds the name that was meant: the one that differs least from what was written.
package nearest

import "strings"

// To returns the one of names that is nearest to what was written, if one is near enough to be meant.
func To(written string, names []string) (string, bool) {
	best, least := "", len(written)/3+2
	names = names[:min(len(names), maxNames)]
	for _, name := range names {
		if d := Distance(strings.ToLower(written), strings.ToLower(name), least); d < least && d < len(name) {
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

// Distance counts the insertions, deletions, replacements and swaps of neighbours that make a into b, in bytes, up to
// limit. Long names are as far apart as that.
func Distance(a, b string, limit int) int {
	if len(a) > maxWord || len(b) > maxWord || max(len(a)-len(b), len(b)-len(a)) >= limit {
		return limit
	}
	// Each row is the distances of a[:i] to the starts of b. Only those fewer than limit columns from the diagonal can be
	// below limit.
	before, last, row := make([]int, len(b)+2), make([]int, len(b)+2), make([]int, len(b)+2)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		left, right := max(1, i-limit+1), min(len(b), i+limit-1)
		row[left-1], row[right+1] = limit, limit
		if left == 1 {
			row[0] = i
		}
		for j := left; j <= right; j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return min(last[len(b)], limit)
}
