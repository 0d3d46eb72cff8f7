package numbers

import (
	"cmp"
	"context"
	"math"
	"math/big"
	"slices"
	"sort"
	"strings"
)

// A value is a number of the data, or one computed from it.
type value struct {
	exact *big.Rat
	near  float64
	from  []string
}

func newValue(v *big.Rat, from ...string) (value, bool) {
	near, _ := v.Float64()
	return value{v, near, from}, !math.IsInf(near, 0)
}

// A dataset is the data, ready to be asked.
type dataset struct {
	exact  map[string]value // by what RatString makes of them
	sorted []value          // by near
	few    []value          // the first distinct ones, for pairs
	totals []value          // of whole lists
	means  []value
	runs   []value // sums of the first two, three, … values of a list
}

// newDataset returns nil where ctx ends, and where the lists are more than it looks at: of a part it would be told that a
// figure is nowhere.
func newDataset(ctx context.Context, lists [][]string) *dataset {
	d := &dataset{exact: map[string]value{}}
	left, bytes, text := maxValues, maxBytes, maxText
	for _, list := range lists {
		var values []value
		for _, given := range list {
			if !strings.ContainsAny(given, "0123456789") {
				continue
			}
			if bytes -= len(given); bytes < 0 || ctx.Err() != nil {
				return nil
			}
			found := valueOf(given)
			if found == nil {
				if text -= len(given); text < 0 {
					return nil
				}
				found = valuesIn(ctx, given)
			}
			if left -= len(found); left < 0 {
				return nil
			}
			for _, v := range found {
				values = append(values, v)
				key := v.exact.RatString()
				if _, ok := d.exact[key]; ok {
					continue
				}
				d.exact[key] = v
				if len(d.few) < maxPairs {
					d.few = append(d.few, v)
				}
			}
		}
		d.sorted = append(d.sorted, values...)
		d.add(ctx, values)
	}
	slices.SortStableFunc(d.sorted, func(a, b value) int { return cmp.Compare(a.near, b.near) })
	return d
}

// valueOf is the number that a text of the data is, alone; nil where it is none, and empty where it is none to compute with.
func valueOf(text string) []value {
	text = strings.TrimSpace(text)
	number, ok := exact(text)
	if !ok {
		return nil
	}
	if v, ok := newValue(number, text); ok {
		return []value{v}
	}
	return []value{}
}

// valuesIn are the numbers that a text of the data has in it, or some of them where ctx ends.
func valuesIn(ctx context.Context, text string) []value {
	var out []value
	for _, t := range scan(ctx, text) {
		for _, part := range append([]token{t}, t.apart...) {
			for _, r := range part.readings {
				if v, ok := newValue(r.value, text[part.start:part.end]); ok {
					out = append(out, v)
				}
			}
		}
	}
	return out
}

// add takes sums and mean of a list.
func (d *dataset) add(ctx context.Context, values []value) {
	if len(values) < 2 || len(d.totals) == maxTotals {
		return
	}
	sum := new(big.Rat)
	var from []string
	for i, v := range values {
		if ctx.Err() != nil {
			return
		}
		sum = new(big.Rat).Add(sum, v.exact)
		if len(from) < maxFrom {
			from = append(from, v.from...)
		}
		if i > 0 && i < len(values)-1 && i < maxRun {
			if run, ok := newValue(sum, slices.Clone(from)...); ok {
				d.runs = append(d.runs, run)
			}
		}
	}
	if total, ok := newValue(sum, from...); ok {
		d.totals = append(d.totals, total)
	}
	if mean, ok := newValue(new(big.Rat).Quo(sum, big.NewRat(int64(len(values)), 1)), from...); ok {
		d.means = append(d.means, mean)
	}
}

// present finds the value that a figure repeats: exactly, else rounded.
func (d *dataset) present(t token) []string {
	for _, r := range t.readings {
		if v, ok := d.exact[r.value.RatString()]; ok {
			return v.from
		}
		if v, ok := d.exact[new(big.Rat).Neg(r.value).RatString()]; ok && !r.signed {
			return v.from
		}
	}
	for _, r := range t.readings {
		centers := []float64{r.near}
		if !r.signed {
			centers = append(centers, -r.near)
		}
		for _, center := range centers {
			slack := r.slack + math.Abs(center)*1e-12
			i := sort.Search(len(d.sorted), func(i int) bool { return d.sorted[i].near >= center-slack })
			for n := 0; i < len(d.sorted) && d.sorted[i].near <= center+slack && n < maxNear; i, n = i+1, n+1 {
				if r.is(d.sorted[i].exact) {
					return d.sorted[i].from
				}
			}
		}
	}
	return nil
}
