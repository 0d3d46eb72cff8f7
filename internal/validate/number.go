package validate

import "math/bits"

// This file is arithmetic on JSON numbers as they are written: exact at every length, without allocation, and in time
// bounded by the digits that are there, whatever the exponent says.

// numberForm says how a number was written, which settles most questions before any arithmetic.
type numberForm uint8

const (
	smallInteger numberForm = iota // at most 18 digits, no fraction, no exponent: its int64 is known
	longInteger                    // digits alone, more than 18 of them
	fractional                     // with a fraction or an exponent, and perhaps an integer all the same
	pointed                        // the same without an exponent: the int64 is the part before the point
)

// scanNumber reads the number that starts at i and returns the index after it, or -1.
func scanNumber(doc []byte, i int) (end int, small int64, form numberForm) {
	neg := false
	if i < len(doc) && doc[i] == '-' {
		neg = true
		i++
	}
	digits := i
	for i < len(doc) {
		d := doc[i] - '0'
		if d > 9 {
			break
		}
		small = small*10 + int64(d) // wraps past 18 digits, and is then not used
		i++
	}
	n := i - digits
	if n == 0 || n > 1 && doc[digits] == '0' {
		return -1, 0, 0
	}
	if n > 18 {
		form = longInteger
	}
	if i < len(doc) && doc[i] == '.' {
		if form = pointed; n > 18 {
			form = fractional
		}
		i++
		first := i
		for i < len(doc) && doc[i]-'0' <= 9 {
			i++
		}
		if i == first {
			return -1, 0, 0
		}
	}
	if i < len(doc) && doc[i]|0x20 == 'e' {
		form = fractional
		i++
		if i < len(doc) && (doc[i] == '+' || doc[i] == '-') {
			i++
		}
		first := i
		for i < len(doc) && doc[i]-'0' <= 9 {
			i++
		}
		if i == first {
			return -1, 0, 0
		}
	}
	if neg {
		small = -small
	}
	return i, small, form
}

// A decimal is a number as 0.DIGITS × 10^exp with neither leading nor trailing zeros; zero has no digits.
// The digits stay where they were written, in two runs.
type decimal struct {
	neg         bool
	whole, frac []byte
	exp         int64
}

// parseDecimal takes a number that scanNumber has accepted.
func parseDecimal(raw []byte) decimal {
	var d decimal
	i := 0
	if raw[0] == '-' {
		d.neg = true
		i++
	}
	start := i
	for i < len(raw) && raw[i]-'0' <= 9 {
		i++
	}
	d.whole = raw[start:i]
	if i < len(raw) && raw[i] == '.' {
		i++
		start = i
		for i < len(raw) && raw[i]-'0' <= 9 {
			i++
		}
		d.frac = raw[start:i]
	}
	if i < len(raw) {
		i++ // e
		down := raw[i] == '-'
		if down || raw[i] == '+' {
			i++
		}
		for ; i < len(raw); i++ {
			if d.exp = d.exp*10 + int64(raw[i]-'0'); d.exp > exponentLimit {
				d.exp = exponentLimit
			}
		}
		if down {
			d.exp = -d.exp
		}
	}
	d.exp += int64(len(d.whole))
	for len(d.whole) > 0 && d.whole[0] == '0' {
		d.whole = d.whole[1:]
		d.exp--
	}
	if len(d.whole) == 0 {
		for len(d.frac) > 0 && d.frac[0] == '0' {
			d.frac = d.frac[1:]
			d.exp--
		}
	}
	for len(d.frac) > 0 && d.frac[len(d.frac)-1] == '0' {
		d.frac = d.frac[:len(d.frac)-1]
	}
	if len(d.frac) == 0 {
		for len(d.whole) > 0 && d.whole[len(d.whole)-1] == '0' {
			d.whole = d.whole[:len(d.whole)-1]
		}
	}
	if d.digits() == 0 {
		return decimal{}
	}
	return d
}

func (d *decimal) digits() int { return len(d.whole) + len(d.frac) }

func (d *decimal) digit(i int) byte {
	if i < len(d.whole) {
		return d.whole[i]
	}
	return d.frac[i-len(d.whole)]
}

func (d *decimal) integer() bool { return int64(d.digits()) <= d.exp }

func (d *decimal) sign() int {
	switch {
	case d.digits() == 0:
		return 0
	case d.neg:
		return -1
	}
	return 1
}

// compare returns -1, 0 or 1 as d is less than, equal to or greater than e.
func (d *decimal) compare(e *decimal) int {
	s := d.sign()
	if t := e.sign(); s != t {
		if s < t {
			return -1
		}
		return 1
	}
	if s == 0 {
		return 0
	}
	if d.exp != e.exp {
		if d.exp < e.exp {
			return -s
		}
		return s
	}
	n, m := d.digits(), e.digits()
	for i := 0; i < n && i < m; i++ {
		if a, b := d.digit(i), e.digit(i); a != b {
			if a < b {
				return -s
			}
			return s
		}
	}
	switch {
	case n < m:
		return -s
	case n > m:
		return s
	}
	return 0
}

// small returns d as an int64 if it is an integer of at most 18 digits.
func (d *decimal) small() (int64, bool) {
	if !d.integer() || d.exp > 18 {
		return 0, false
	}
	var v int64
	for i := range int(d.exp) {
		v *= 10
		if i < d.digits() {
			v += int64(d.digit(i) - '0')
		}
	}
	if d.neg {
		v = -v
	}
	return v, true
}

// appendDecimal writes the one spelling that every spelling of the same number shares.
func appendDecimal(dst []byte, d *decimal) []byte {
	if d.neg {
		dst = append(dst, '-')
	}
	dst = append(dst, d.whole...)
	dst = append(dst, d.frac...)
	dst = append(dst, 'e')
	for shift := 56; shift >= 0; shift -= 8 {
		dst = append(dst, byte(uint64(d.exp)>>shift))
	}
	return dst
}

// appendInteger writes an integer in plain digits. ok is false, and nothing is written, where d is no integer or has
// more than limit digits.
func appendInteger(dst []byte, d *decimal, limit int64) (_ []byte, ok bool) {
	if !d.integer() || d.exp > limit {
		return dst, false
	}
	if d.digits() == 0 {
		return append(dst, '0'), true
	}
	if d.neg {
		dst = append(dst, '-')
	}
	dst = append(dst, d.whole...)
	dst = append(dst, d.frac...)
	for i := int64(d.digits()); i < d.exp; i++ {
		dst = append(dst, '0')
	}
	return dst, true
}

// A divisor is the value of multipleOf: mantissa × 10^scale, the mantissa without trailing zeros.
type divisor struct {
	mantissa uint64
	scale    int64
}

// newDivisor reports false where the number is not positive or has more than 18 significant digits.
func newDivisor(d *decimal) (divisor, bool) {
	if d.sign() <= 0 || d.digits() > maxDivisorDigits {
		return divisor{}, false
	}
	var m uint64
	for i := range d.digits() {
		m = m*10 + uint64(d.digit(i)-'0')
	}
	return divisor{m, d.exp - int64(d.digits())}, true
}

// divides reports whether d is a whole multiple. Both mantissas end in a digit other than zero, so a number finer than
// the divisor never is; for the rest, modular powers keep the work at 64 bits however large the exponent.
func (v divisor) divides(d *decimal) bool {
	if d.sign() == 0 {
		return true
	}
	e := d.exp - int64(d.digits()) - v.scale
	if e < 0 {
		return false
	}
	var r uint64
	for i := range d.digits() {
		r = (r*10 + uint64(d.digit(i)-'0')) % v.mantissa
	}
	for base := 10 % v.mantissa; e > 0 && r != 0; e >>= 1 {
		if e&1 == 1 {
			r = mulMod(r, base, v.mantissa)
		}
		base = mulMod(base, base, v.mantissa)
	}
	return r == 0
}

func mulMod(a, b, m uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	return bits.Rem64(hi, lo, m)
}
