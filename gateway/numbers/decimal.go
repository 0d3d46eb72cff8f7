package numbers

import (
	"math/big"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A decimal is a number as it is written.
type decimal struct {
	text     string // digits alone
	places   int    // of text after the point
	exponent int
}

// parse finds the numbers that a chain may be: "1.234" is two, "1.2.3" none.
func parse(s string) []decimal {
	exponent := 0
	if mantissa, e, ok := strings.Cut(strings.ToLower(s), "e"); ok {
		n, err := strconv.Atoi(e)
		if err != nil || n > maxExponent || n < -maxExponent {
			return nil
		}
		s, exponent = mantissa, n
	}
	groups, seps := split(s)
	digits := strings.Join(groups, "")
	if len(digits) > maxDigits {
		return nil
	}
	last := len(groups) - 1
	asDecimal := decimal{digits, len(groups[last]), exponent}
	asWhole := decimal{digits, 0, exponent}
	if last == 0 {
		return []decimal{asWhole}
	}
	grouped := grouping(groups, seps)
	point := seps[last-1] == '.' || seps[last-1] == ','
	var out []decimal
	if last == 1 && point || last > 1 && point && seps[last-1] != seps[0] && grouping(groups[:last], seps[:last-1]) {
		out = append(out, asDecimal)
	}
	if grouped {
		out = append(out, asWhole)
	}
	return out
}

// split takes a chain apart into digits and what separates them.
func split(s string) (groups []string, seps []rune) {
	for {
		i := strings.IndexFunc(s, func(r rune) bool { return r < '0' || r > '9' })
		if i < 0 {
			return append(groups, s), seps
		}
		r, width := utf8.DecodeRuneInString(s[i:])
		groups, seps, s = append(groups, s[:i]), append(seps, r), s[i+width:]
	}
}

// grouping reports whether separators group digits: all the same, by threes, or by twos before the last three as in India.
func grouping(groups []string, seps []rune) bool {
	first, last := len(groups[0]), len(groups)-1
	if last == 0 {
		return true
	}
	if first == 0 || first > 3 || len(groups[last]) != 3 || groups[0][0] == '0' {
		return false
	}
	size := len(groups[1])
	if size == 2 && (seps[0] != ',' || first > 2) || size != 2 && size != 3 {
		return false
	}
	for i := 1; i < last; i++ {
		if len(groups[i]) != size || seps[i] != seps[0] {
			return false
		}
	}
	return true
}

func (d decimal) rat() *big.Rat {
	n, _ := new(big.Int).SetString(d.text, 10)
	return new(big.Rat).Mul(new(big.Rat).SetInt(n), power(d.exponent-d.places))
}

// half is half a unit of the last place.
func (d decimal) half() *big.Rat {
	return new(big.Rat).Mul(power(d.exponent-d.places), big.NewRat(1, 2))
}

// rounded is half a unit of the last place that counts in a whole number: 37,400,000 counts hundreds of thousands.
// Two digits count in any case, and so does every digit below a thousand.
func (d decimal) rounded() *big.Rat {
	text := strings.TrimLeft(d.text, "0")
	zeros := len(text) - len(strings.TrimRight(text, "0"))
	if len(text) < 4 {
		zeros = 0
	}
	zeros = min(zeros, max(0, len(text)-2))
	return new(big.Rat).Mul(power(d.exponent+zeros), big.NewRat(1, 2))
}

// digits counts those that say something.
func (d decimal) digits() int { return len(strings.TrimLeft(d.text, "0")) }

func power(n int) *big.Rat {
	p := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(n, -n))), nil)
	if n < 0 {
		return new(big.Rat).SetFrac(big.NewInt(1), p)
	}
	return new(big.Rat).SetInt(p)
}

// isPlain reports whether s is a decimal as JSON writes it, or with a sign or zeros before it.
func isPlain(s string) bool {
	if len(s) > maxDigits {
		return false
	}
	digits := func() bool {
		n := 0
		for n < len(s) && s[n] >= '0' && s[n] <= '9' {
			n++
		}
		s = s[n:]
		return n > 0
	}
	if s != "" && (s[0] == '-' || s[0] == '+') {
		s = s[1:]
	}
	if !digits() {
		return false
	}
	if s != "" && s[0] == '.' {
		if s = s[1:]; !digits() {
			return false
		}
	}
	if s == "" || s[0] != 'e' && s[0] != 'E' {
		return s == ""
	}
	if s = s[1:]; s != "" && (s[0] == '-' || s[0] == '+') {
		s = s[1:]
	}
	return len(s) <= 4 && digits() && s == ""
}

// exact reads a decimal as JSON writes it.
func exact(s string) (*big.Rat, bool) {
	if !isPlain(s) {
		return nil, false
	}
	body := strings.TrimLeft(s, "+-")
	mantissa, e, _ := strings.Cut(strings.ToLower(body), "e")
	exponent, _ := strconv.Atoi(e)
	if exponent > maxExponent || exponent < -maxExponent {
		return nil, false
	}
	whole, part, _ := strings.Cut(mantissa, ".")
	v := decimal{whole + part, len(part), exponent}.rat()
	if s[0] == '-' {
		v.Neg(v)
	}
	return v, true
}
