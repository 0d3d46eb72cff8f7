package numbers

import (
	"cmp"
	"context"
	"math"
	"math/big"
	"slices"
	"sort"
	"strconv"
	"strings"
)

// A value is a number of the data as it was given, or one computed from it. What is exact is computed when it is asked for: of
// a hundred thousand values few are.
type value struct {
	near  float64
	small mantissa
	text  string // of one that was given
	calc  *calculation
}

// A calculation is how a value is computed.
type calculation struct {
	exact func() *big.Rat
	from  func() []string // at most maxFrom
}

func (v value) exact() *big.Rat {
	if v.calc != nil {
		return v.calc.exact()
	}
	if x, ok := exact(v.text); ok {
		return x
	}
	return new(big.Rat)
}

func (v value) from() []string {
	if v.calc != nil {
		return v.calc.from()
	}
	return []string{v.text}
}

// A mantissa is a decimal of few digits; places is -1 where a value is none.
type mantissa struct {
	digits int64
	places int
}

const maxPlaces = 18 // of a mantissa, and its digits: what an int64 holds

func mantissaOf(text string) mantissa {
	var m mantissa
	digits, fraction := 0, false
	for i := range len(text) {
		switch c := text[i]; {
		case c == '-' || c == '+':
		case c == '.':
			fraction = true
		case c < '0' || c > '9' || digits == maxPlaces:
			return mantissa{places: -1}
		default:
			m.digits = 10*m.digits + int64(c-'0')
			digits++
			if fraction {
				m.places++
			}
		}
	}
	if text[0] == '-' {
		m.digits = -m.digits
	}
	return m
}

// A total adds exactly: what is small as integers for each number of places.
type total struct {
	small [maxPlaces + 1]int64
	large big.Rat
	near  float64
}

func (t *total) add(v value) {
	t.near += v.near
	if p := v.small.places; p >= 0 {
		if sum := t.small[p] + v.small.digits; (sum > t.small[p]) == (v.small.digits > 0) {
			t.small[p] = sum
			return
		}
	}
	t.large.Add(&t.large, v.exact())
}

func (t *total) rat() *big.Rat {
	sum := new(big.Rat).Set(&t.large)
	for p, n := range t.small {
		if n != 0 {
			sum.Add(sum, new(big.Rat).Mul(new(big.Rat).SetInt64(n), power(-p)))
		}
	}
	return sum
}

// A column is a list of the data, with what lies beside each other in the same place of lists of one length.
type column struct {
	rows  int
	cells []cell
	total int // in values; -1: none
}

// A cell is a value of a column.
type cell struct{ row, value int }

// A dataset is the data, ready to be asked.
type dataset struct {
	values  []value
	columns []column
	present class
	counts  class
	classes []*class // of derivations, those that are written most often first
	ready   bool     // classes are
	scaled  bool     // some text of the data says that its figures are in thousands or millions
}

// newDataset returns nil where ctx ends, and where the lists exceed its limits: with a part of them it would report that a
// figure is nowhere.
func newDataset(ctx context.Context, lists [][]string) *dataset {
	d := &dataset{}
	left, bytes, text := maxValues, maxBytes, maxText
	for _, list := range lists {
		c := column{rows: len(list), total: -1}
		code := false
		for row, given := range list {
			if !strings.ContainsAny(given, "0123456789") {
				d.scaled = d.scaled || len(given) < maxHeader && scaleWord.MatchString(given)
				continue
			}
			if bytes -= len(given); bytes < 0 || ctx.Err() != nil {
				return nil
			}
			v, ok := valueOf(given)
			if !ok {
				if text -= len(given); text < 0 {
					return nil
				}
				d.scaled = d.scaled || len(given) < maxHeader && scaleWord.MatchString(given)
				found, alone := valuesIn(ctx, given)
				if left -= len(found); left < 0 {
					return nil
				}
				if alone {
					c.cells = append(c.cells, cell{row, len(d.values) + len(found) - 1})
				}
				d.values = append(d.values, found...)
				continue
			}
			if left--; left < 0 {
				return nil
			}
			code = code || isCode(given)
			if !math.IsInf(v.near, 0) {
				c.cells = append(c.cells, cell{row, len(d.values)})
				d.values = append(d.values, v)
			}
		}
		if len(c.cells) > 1 && !code && len(d.columns) < maxTotals {
			d.columns = append(d.columns, c)
		}
	}
	for i := range d.values {
		d.present.add(d.values[i].near, i, i, same)
	}
	d.count(lists)
	if ctx.Err() != nil {
		return nil
	}
	return d
}

// isCode reports whether digits are a code rather than a quantity: 00501 counts nothing.
func isCode(text string) bool {
	return len(text) > 1 && text[0] == '0' && text[1] >= '0' && text[1] <= '9'
}

// valueOf is the number that a text of the data is, alone.
func valueOf(text string) (value, bool) {
	text = strings.TrimSpace(text)
	if !isPlain(text) {
		return value{}, false
	}
	near, err := strconv.ParseFloat(text, 64)
	if err != nil {
		near = math.Inf(1)
	}
	return value{near: near, small: mantissaOf(text), text: text}, true
}

// valuesIn are the numbers that a text of the data has in it, or some of them where ctx ends. A text that is a number alone,
// with grouped digits or a unit, counts as its last one.
func valuesIn(ctx context.Context, text string) (out []value, alone bool) {
	tokens := scan(ctx, text)
	for _, t := range tokens {
		for _, part := range append([]token{t}, t.apart...) {
			for _, r := range part.readings {
				exact, from := r.value, text[part.start:part.end]
				if !math.IsInf(r.near, 0) {
					out = append(out, value{r.near, mantissa{places: -1}, "", &calculation{func() *big.Rat { return exact }, func() []string { return []string{from} }}})
				}
			}
		}
	}
	if len(tokens) != 1 || len(tokens[0].apart) > 0 || len(out) != len(tokens[0].readings) {
		return out, false
	}
	before, after := strings.TrimSpace(text[:tokens[0].start]), text[tokens[0].end:]
	return out, len(out) > 0 && len(before) <= maxCurrency && len(after) <= maxUnitText && !strings.ContainsAny(before+after, "0123456789:/")
}

// count keeps how many values lists have: all, all but a header, those that are missing and those that are distinct.
func (d *dataset) count(lists [][]string) {
	keep := func(n int) {
		if n > 1 {
			text := strconv.Itoa(n)
			v, _ := valueOf(text)
			d.values = append(d.values, v)
			d.counts.add(v.near, len(d.values)-1, len(d.values)-1, same)
		}
	}
	seen := map[int]bool{}
	for _, list := range lists[:min(len(lists), maxTotals)] {
		if len(list) < 2 {
			continue
		}
		distinct := map[string]bool{}
		missing := 0
		for _, text := range list {
			if distinct[text] = true; text == "" {
				missing++
			}
		}
		for _, n := range []int{len(list), len(list) - 1, missing, len(distinct), len(distinct) - 1} {
			if !seen[n] {
				seen[n] = true
				keep(n)
			}
		}
	}
}

// A class is derivations of one sort, by size without sign.
type class struct {
	verdict Verdict
	part    bool // gives ratios and shares, not amounts
	change  bool // of those, changes, which are given in percent alone
	all     []candidate
	sorted  bool
}

// A candidate is what an operation makes of two values.
type candidate struct {
	near float64
	a, b int32
	op   operation
}

type operation uint8

const (
	same operation = iota
	add
	subtract
	divide
	change
)

func (op operation) exact(a, b *big.Rat) (*big.Rat, bool) {
	switch op {
	case add:
		return new(big.Rat).Add(a, b), true
	case subtract:
		return new(big.Rat).Sub(a, b), true
	case divide, change:
		if b.Sign() == 0 {
			return nil, false
		}
		if op == change {
			a = new(big.Rat).Sub(a, b)
		}
		return new(big.Rat).Quo(a, b), true
	}
	return a, true
}

func (c *class) add(near float64, a, b int, op operation) {
	if !math.IsInf(near, 0) && !math.IsNaN(near) {
		c.all = append(c.all, candidate{math.Abs(near), int32(a), int32(b), op})
	}
}

// within returns the candidates from low to high, which are sorted when they are first asked for.
func (c *class) within(low, high float64) []candidate {
	if !c.sorted {
		slices.SortFunc(c.all, func(x, y candidate) int {
			switch {
			case x.near < y.near:
				return -1
			case x.near > y.near:
				return 1
			}
			return cmp.Compare(x.a, y.a) // the first one of the data
		})
		c.sorted = true
	}
	from := sort.Search(len(c.all), func(i int) bool { return c.all[i].near >= low })
	to := sort.Search(len(c.all), func(i int) bool { return c.all[i].near > high })
	return c.all[from:max(from, to)]
}

// find returns the values of which a reading is made, or nothing.
func (d *dataset) find(c *class, r reading, judge func(*big.Rat) bool) []string {
	size := math.Abs(r.near)
	slack := r.slack + size*1e-9
	var found []string
	for n, k := range c.within(size-slack, size+slack) {
		if n == maxNear {
			break
		}
		a, b := d.values[k.a], d.values[k.b]
		exact, ok := k.op.exact(a.exact(), b.exact())
		if !ok || !judge(exact) {
			continue
		}
		from := a.from()
		if k.op != same {
			from = append(slices.Clip(from), b.from()...)
		}
		from = from[:min(len(from), maxFrom)]
		if exact.Cmp(r.value) == 0 || found == nil {
			found = from
		}
		if exact.Cmp(r.value) == 0 {
			break
		}
	}
	return found
}

// chance is the part of all figures of a reading's precision and of about its size that candidates give, and how many that are.
func (c *class) chance(r reading) (part float64, hits int) {
	size, step := math.Abs(r.near), 2*r.slack
	if size == 0 || step == 0 {
		return 0, 0
	}
	figures := 1 + 1.5*size/step
	last := math.Inf(-1)
	for _, k := range c.within(size/2, size*2) {
		if at := math.Round(k.near / step); at != last {
			last = at
			if hits++; hits >= maxTold && float64(hits) > likely*figures {
				break // as likely as counts
			}
		}
	}
	return float64(hits) / figures, hits
}
