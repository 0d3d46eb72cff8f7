// Package numbers traces the figures in a text to the data that the text is about. It knows how people write numbers in
// English, Portuguese and Spanish, computes with exact decimals, and looks at a bounded number of combinations. A figure
// that it finds nowhere deserves a second look and no more: the check can be wrong in both directions.
package numbers

import (
	"context"
	"math/big"
	"strings"
)

// A Verdict says how a figure is related to the data.
type Verdict string

// The verdicts.
const (
	Present    Verdict = "present"    // a value of the data, exactly or rounded as the figure is written
	Sum        Verdict = "sum"        // of two values, of a list, or of the first values of a list
	Difference Verdict = "difference" // between two values
	Ratio      Verdict = "ratio"      // of two values, or the mean of a list
	Share      Verdict = "share"      // one value, or the change between two, as a share of another
	Unclear    Verdict = "unclear"    // some computation gives it, as it would give too many figures of its precision by chance
	Nowhere    Verdict = "nowhere"
)

// A Figure is a number in the prose.
type Figure struct {
	Start, End int      // bytes of the prose, with sign, percent sign and words such as "million"
	Verdict    Verdict  //
	From       []string // the values that it was traced to, as they were given; at most eight
}

// Check finds the figures in prose, in order, and traces each to the data: lists of values that belong together, such as
// the columns of a table, since totals are taken of whole lists. A value is a decimal such as "-12.50" or "1e-7"; of any
// other text, the figures in it are values. What else the prose may speak of, such as the numbers in the question or how
// many rows a table has, is a list too.
//
// Dates, times, versions, ordinals, numbers of list items and digits inside of words are no figures, and neither is what
// looks like a year unless the data has it. Where "1.234" may be two numbers, either will do.
//
// Of data that is more than can be looked at in some seconds, 100,000 values or 512 KiB of texts with figures in them, Check
// says nothing: it returns nil. So it does soon after ctx ends.
func Check(ctx context.Context, prose string, data ...[]string) []Figure {
	if len(prose) > maxProse {
		prose = strings.ToValidUTF8(prose[:maxProse], "")
	}
	d := newDataset(ctx, data)
	if d == nil {
		return nil
	}
	var out []Figure
	for _, t := range scan(ctx, prose) {
		if len(out) >= maxFigures || ctx.Err() != nil {
			break
		}
		out = append(out, d.trace(ctx, t)...)
	}
	if ctx.Err() != nil { // a part of the truth could be a lie
		return nil
	}
	return out
}

// trace finds where a figure comes from.
func (d *dataset) trace(ctx context.Context, t token) []Figure {
	f := Figure{Start: t.start, End: t.end}
	if f.Verdict, f.From = d.found(t); f.Verdict != Nowhere {
		return []Figure{f}
	}
	// "12 345" is one number or two.
	var apart []Figure
	for _, p := range t.apart {
		verdict, from := d.found(p)
		if verdict == Nowhere {
			apart = nil
			break
		}
		apart = append(apart, Figure{Start: p.start, End: p.end, Verdict: verdict, From: from})
	}
	if apart != nil {
		return apart
	}
	if t.year {
		return nil
	}
	f.Verdict, f.From = d.derived(ctx, t)
	return []Figure{f}
}

// found finds the value that a figure repeats, exactly or rounded, or what it counts. Where many values give so many figures of
// its precision that any would be found, the verdict is unclear.
func (d *dataset) found(t token) (Verdict, []string) {
	for _, judge := range []func(r reading, x *big.Rat) bool{reading.equals, reading.is} {
		for _, r := range t.readings {
			if t.scaled && !r.scaled && !d.scaled || t.times && t.digits < 2 {
				continue
			}
			from := d.find(&d.present, r, func(x *big.Rat) bool { return judge(r, x) })
			if from == nil && !t.percent && !t.scaled && !t.times {
				from = d.find(&d.counts, r, func(x *big.Rat) bool { return r.equals(x) })
			}
			if from == nil {
				continue
			}
			if part, hits := d.present.chance(r); part > likely && hits >= maxTold {
				return Unclear, nil
			}
			return Present, from
		}
	}
	return Nowhere, nil
}

// equals reports whether x is what a reading says, every digit. Without a sign a figure may speak of a fall.
func (r reading) equals(x *big.Rat) bool {
	return x.Cmp(r.value) == 0 || !r.signed && x.Sign() < 0 && new(big.Rat).Neg(x).Cmp(r.value) == 0
}

// A reading is one number that a figure may be.
type reading struct {
	value   *big.Rat
	half    *big.Rat // half a unit of the last place that is written
	whole   bool     // written without decimals
	signed  bool
	percent bool // value is already divided by 100
	scaled  bool // value is already multiplied by a scale word

	near, slack float64 // value and half, to find candidates with
}

// is reports whether x, rounded as the reading is written, is the reading. Without a sign a figure may speak of a fall.
func (r reading) is(x *big.Rat) bool {
	if !r.signed && x.Sign() < 0 {
		x = new(big.Rat).Neg(x)
	}
	if x.Cmp(r.value) == 0 {
		return true
	}
	if r.whole && !r.percent && x.Cmp(one) < 0 && x.Cmp(minusOne) > 0 { // 0.6 is neither 1 nor 0
		return false
	}
	off := new(big.Rat).Sub(x, r.value)
	return off.Abs(off).Cmp(r.half) <= 0
}

var (
	one      = big.NewRat(1, 1)
	minusOne = big.NewRat(-1, 1)
)
