package numbers

import (
	"context"
	"math"
	"math/big"
)

// derive finds a computation that gives a figure, the simplest first.
func (d *dataset) derive(ctx context.Context, t token) (Verdict, []string) {
	for _, try := range []struct {
		verdict Verdict
		values  []value
	}{{Sum, d.totals}, {Ratio, d.means}, {Sum, d.runs}} {
		for _, r := range t.readings {
			for _, v := range try.values {
				if r.maybe(v.near) && t.says(r, v.exact) {
					return try.verdict, v.from
				}
			}
		}
	}
	whole := append(append([]value{}, d.few...), d.totals...)
	if v, from := t.pair(ctx, d.few, d.few, Sum, add); v != "" {
		return v, from
	}
	if v, from := t.pair(ctx, whole, whole, Difference, subtract); v != "" {
		return v, from
	}
	if v, from := t.pair(ctx, append(whole[:len(whole):len(whole)], d.runs[:min(len(d.runs), maxPairs)]...), whole, Share, divide); v != "" {
		return v, from
	}
	if t.percent {
		if v, from := t.pair(ctx, whole, whole, Share, change); v != "" {
			return v, from
		}
	}
	return Nowhere, nil
}

// An operation on two numbers, as floats to find candidates and exactly to judge them.
type operation struct {
	near  func(a, b float64) float64
	exact func(a, b *big.Rat) *big.Rat
	part  bool // gives a part of a whole, not an amount
}

var (
	add = operation{func(a, b float64) float64 { return a + b },
		func(a, b *big.Rat) *big.Rat { return new(big.Rat).Add(a, b) }, false}
	subtract = operation{func(a, b float64) float64 { return a - b },
		func(a, b *big.Rat) *big.Rat { return new(big.Rat).Sub(a, b) }, false}
	divide = operation{func(a, b float64) float64 { return a / b },
		func(a, b *big.Rat) *big.Rat { return new(big.Rat).Quo(a, b) }, true}
	change = operation{func(a, b float64) float64 { return (a - b) / b },
		func(a, b *big.Rat) *big.Rat { d := new(big.Rat).Sub(a, b); return d.Quo(d, b) }, true}
)

// pair looks for two values that op makes the figure of, until ctx ends.
func (t token) pair(ctx context.Context, as, bs []value, verdict Verdict, op operation) (Verdict, []string) {
	for _, r := range t.readings {
		// Nearly every whole number is the ratio of some two values: only what is said to be a part or a ratio is one.
		if op.part && (t.percent && !r.percent || !t.percent && r.whole && !t.times) {
			continue
		}
		for i, a := range as {
			if ctx.Err() != nil {
				return "", nil
			}
			for j, b := range bs {
				if i == j || op.part && b.near == 0 || !r.maybe(op.near(a.near, b.near)) {
					continue
				}
				if op.part && b.exact.Sign() == 0 || !t.says(r, op.exact(a.exact, b.exact)) {
					continue
				}
				if verdict == Share && !t.percent && (t.times || math.Abs(a.near) > math.Abs(b.near)) {
					verdict = Ratio
				}
				from := append(append([]string{}, a.from...), b.from...)
				return verdict, from[:min(len(from), maxFrom)]
			}
		}
	}
	return "", nil
}

// says reports whether x is what a reading says. A single digit says too little to be a rounded result.
func (t token) says(r reading, x *big.Rat) bool {
	if t.digits < 2 && !r.percent && !t.times {
		return x.Cmp(r.value) == 0 || !r.signed && new(big.Rat).Neg(x).Cmp(r.value) == 0
	}
	return r.is(x)
}

// maybe reports whether x is the reading as far as floats can tell, with something to spare.
func (r reading) maybe(x float64) bool {
	if !r.signed {
		x = math.Abs(x)
	}
	return math.Abs(x-r.near) <= r.slack+math.Max(math.Abs(x), math.Abs(r.near))*1e-9
}
