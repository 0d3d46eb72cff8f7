package numbers

import (
	"context"
	"math"
	"math/big"
	"slices"
)

// derive computes what reports say of columns: totals and means, sums of the first values, differences, ratios, shares and
// changes, within one column or between columns in one row. What is said most often is in the first classes.
func (d *dataset) derive(ctx context.Context) {
	d.ready = true
	totals, runs := class{verdict: Sum}, class{verdict: Sum}
	means := class{verdict: Ratio}
	sums, rowSums := class{verdict: Sum}, class{verdict: Sum}
	near, rowNear, far := class{verdict: Difference}, class{verdict: Difference}, class{verdict: Difference}
	shares, nearShares := class{verdict: Share, part: true}, class{verdict: Share, part: true}
	rowShares, farShares := class{verdict: Share, part: true}, class{verdict: Share, part: true}
	changes, farChanges := class{verdict: Share, part: true, change: true}, class{verdict: Share, part: true, change: true}

	// two adds what can be said of two values of one kind.
	two := func(a, b int, difference, share, change *class) {
		x, y := d.values[a].near, d.values[b].near
		if x >= y {
			difference.add(x-y, a, b, subtract)
		} else {
			difference.add(y-x, b, a, subtract)
		}
		if y != 0 {
			share.add(x/y, a, b, divide)
			change.add((x-y)/y, a, b, changeOf)
		}
		if x != 0 {
			share.add(y/x, b, a, divide)
			change.add((y-x)/x, b, a, changeOf)
		}
	}
	few, beside := maxPairs, 0
	if n := len(d.columns); n > 0 {
		beside = maxCandidates / n
		few = min(maxPairs, max(2, int(math.Sqrt(maxCandidates/float64(n)))))
	}
	for i := range d.columns {
		c := &d.columns[i]
		if len(c.cells) < 2 {
			continue
		}
		var sum total
		partial := []int{}
		for k, cell := range c.cells {
			if ctx.Err() != nil {
				return
			}
			sum.add(d.values[cell.value])
			if 0 < k && k < len(c.cells)-1 && k < min(maxRun, beside) {
				partial = append(partial, d.keep(d.sum(sum.near, c.cells[:k+1])))
			}
		}
		whole := d.sum(sum.near, c.cells)
		c.total = d.keep(whole)
		totals.add(whole.near, c.total, c.total, same)
		mean := value{whole.near / float64(len(c.cells)), mantissa{places: -1}, "", &calculation{func() *big.Rat {
			return new(big.Rat).Quo(whole.exact(), big.NewRat(int64(len(c.cells)), 1))
		}, whole.from}}
		at := d.keep(mean)
		means.add(mean.near, at, at, same)
		for _, v := range partial {
			runs.add(d.values[v].near, v, v, same)
			if whole.near != 0 {
				nearShares.add(d.values[v].near/whole.near, v, c.total, divide)
			}
		}
		for k, cell := range c.cells {
			v := cell.value
			if whole.near != 0 {
				shares.add(d.values[v].near/whole.near, v, c.total, divide)
			}
			if 0 < k && k < beside {
				two(v, c.cells[k-1].value, &near, &nearShares, &changes)
			}
		}
		last := len(c.cells) - 1
		least, most := d.extremes(*c)
		two(c.cells[last].value, c.cells[0].value, &near, &nearShares, &changes)
		two(most, least, &near, &nearShares, &changes)
		first := c.cells[:min(few, len(c.cells))]
		for k, a := range first {
			if ctx.Err() != nil {
				return
			}
			for _, b := range first[:k] {
				sums.add(d.values[a.value].near+d.values[b.value].near, a.value, b.value, add)
				two(a.value, b.value, &far, &farShares, &farChanges)
			}
		}
	}
	d.across(ctx, two, &totals, &rowSums, &rowNear, &near, &rowShares, &shares, &changes)
	d.classes = []*class{&totals, &means, &shares, &near, &changes, &runs, &nearShares, &rowNear, &rowShares, &rowSums, &sums, &far, &farShares, &farChanges}
}

const changeOf = change

// across adds what can be said between columns of one length: of two values of one row, and of totals.
func (d *dataset) across(ctx context.Context, two func(a, b int, difference, share, change *class), totals, rowSums, rowNear, near, rowShares, shares, changes *class) {
	left := maxCandidates
	for i, a := range d.columns {
		for _, b := range d.columns[:i] {
			if a.rows != b.rows || ctx.Err() != nil || a.total < 0 || b.total < 0 {
				continue
			}
			totals.add(d.values[a.total].near+d.values[b.total].near, a.total, b.total, add)
			two(a.total, b.total, near, shares, changes)
			j := 0
			for _, x := range a.cells {
				for j < len(b.cells) && b.cells[j].row < x.row {
					j++
				}
				if j == len(b.cells) || b.cells[j].row != x.row {
					continue
				}
				if left--; left < 0 {
					return
				}
				y := b.cells[j].value
				rowSums.add(d.values[x.value].near+d.values[y].near, x.value, y, add)
				two(x.value, y, rowNear, rowShares, changes)
			}
		}
	}
}

// keep keeps a computed value and returns where.
func (d *dataset) keep(v value) int {
	d.values = append(d.values, v)
	return len(d.values) - 1
}

// sum is the value of a sum of cells.
func (d *dataset) sum(near float64, cells []cell) value {
	var exact *big.Rat
	return value{near, mantissa{places: -1}, "", &calculation{func() *big.Rat {
		if exact == nil {
			var sum total
			for _, c := range cells {
				sum.add(d.values[c.value])
			}
			exact = sum.rat()
		}
		return exact
	}, func() []string {
		var from []string
		for _, c := range cells[:min(len(cells), maxFrom)] {
			from = append(from, d.values[c.value].from()...)
		}
		return from[:min(len(from), maxFrom)]
	}}}
}

// extremes are the least and the greatest value of a column.
func (d *dataset) extremes(c column) (least, most int) {
	by := func(a, b cell) int {
		switch x, y := d.values[a.value].near, d.values[b.value].near; {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return 0
	}
	return slices.MinFunc(c.cells, by).value, slices.MaxFunc(c.cells, by).value
}

// derived finds a derivation that gives a figure, the class that is used most first. Where figures of its precision would be
// found as often by chance, the verdict is unclear.
func (d *dataset) derived(ctx context.Context, t token) (Verdict, []string) {
	if !d.ready {
		d.derive(ctx)
	}
	for _, r := range t.readings {
		if t.scaled && !r.scaled {
			continue
		}
		chance, exact := 0.0, 0.0 // of a figure that is rounded as it may be, and of one that is not
		for _, c := range d.classes {
			if ctx.Err() != nil {
				return Nowhere, nil
			}
			// Nearly every whole number is the ratio of some two values: only what is said to be a part or a ratio is one. A
			// scale word multiplies quantities.
			if c.part && (t.scaled || t.percent && !r.percent || !t.percent && (c.change || r.whole && !t.times)) ||
				!c.part && (t.times || r.percent) {
				continue
			}
			part, _ := c.chance(r)
			exactly, _ := c.chance(r.full())
			chance, exact = chance+part, exact+exactly
			whole := false // every digit is what was computed
			from := d.find(c, r, func(x *big.Rat) bool {
				whole = whole || r.equals(x)
				return t.says(r, x)
			})
			switch {
			case from != nil && whole && exact <= likely:
				return c.named(t), from
			case from == nil:
			case chance > likely:
				return Unclear, nil
			default:
				return c.named(t), from
			}
		}
	}
	return Nowhere, nil
}

// named is the verdict for a figure that a class gives.
func (c *class) named(t token) Verdict {
	if c.verdict == Share && !t.percent {
		return Ratio
	}
	return c.verdict
}

// full is the reading if the zeros at the end of a whole number count.
func (r reading) full() reading {
	if r.whole && r.slack > 0.5 {
		r.slack = 0.5
	}
	return r
}

// says reports whether x is what a reading says. A single digit says too little to be a rounded result.
func (t token) says(r reading, x *big.Rat) bool {
	if t.digits < 2 && !r.percent && !t.times {
		return x.Cmp(r.value) == 0 || !r.signed && new(big.Rat).Neg(x).Cmp(r.value) == 0
	}
	return r.is(x)
}
