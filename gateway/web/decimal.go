package web

// Decimal numbers as text: whether a text is a JSON number, and how two of them compare, digit for digit and without floats.

import (
	"cmp"
	"regexp"
	"strconv"
	"strings"
)

var numberForm = regexp.MustCompile(`^(-?)(0|[1-9][0-9]*)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?$`)

func isNumber(text string) bool { return numberForm.MatchString(text) }

// A decimal is 0.digits × 10^exponent, digits without zeros at either end; zero has no digits.
type decimal struct {
	negative bool
	digits   string
	exponent int64
}

// readDecimal reads a text for which isNumber holds.
func readDecimal(text string) decimal {
	parts := numberForm.FindStringSubmatch(text)
	if parts == nil {
		return decimal{}
	}
	all := parts[2] + parts[3]
	digits := strings.TrimLeft(all, "0")
	lead := len(all) - len(digits)
	digits = strings.TrimRight(digits, "0")
	if digits == "" {
		return decimal{}
	}
	power := int64(0)
	if parts[4] != "" {
		// Past 64 bits the nearest bound is taken; halved, so that the sum below cannot wrap.
		power, _ = strconv.ParseInt(parts[4], 10, 64)
		power = max(-1<<62, min(power, 1<<62))
	}
	return decimal{parts[1] == "-", digits, power + int64(len(parts[2])-lead)}
}

var (
	groupedComma = regexp.MustCompile(`^(-?)([0-9]{1,3}(?:,[0-9]{3})+)(?:\.([0-9]+))?$`)
	groupedPoint = regexp.MustCompile(`^(-?)([0-9]{1,3}(?:\.[0-9]{3})+)(?:,([0-9]+))?$`)
	decimalComma = regexp.MustCompile(`^(-?)([0-9]+),([0-9]+)$`)
	ungroup      = strings.NewReplacer(",", "", ".", "")
)

// readShown reads a number in the forms in which texts show them: a JSON number, digits in groups, a decimal comma, with a
// plus or a percent sign. A point before three digits is a point, as in JSON; a comma there groups.
func readShown(text string) (decimal, bool) {
	text = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(text), "%"))
	text = strings.Replace(strings.TrimPrefix(text, "+"), "\u2212", "-", 1)
	if isNumber(text) {
		return readDecimal(text), true
	}
	for _, form := range []*regexp.Regexp{groupedComma, groupedPoint, decimalComma} {
		parts := form.FindStringSubmatch(text)
		if parts == nil {
			continue
		}
		whole := strings.TrimLeft(ungroup.Replace(parts[2]), "0")
		if whole == "" {
			whole = "0"
		}
		if parts[3] != "" {
			whole += "." + parts[3]
		}
		return readDecimal(parts[1] + whole), true
	}
	return decimal{}, false
}

func (d decimal) sign() int {
	switch {
	case d.digits == "":
		return 0
	case d.negative:
		return -1
	}
	return 1
}

func (d decimal) compare(e decimal) int {
	sign := d.sign()
	if c := cmp.Compare(sign, e.sign()); c != 0 {
		return c
	}
	if c := cmp.Compare(d.exponent, e.exponent); c != 0 {
		return sign * c
	}
	return sign * strings.Compare(d.digits, e.digits)
}
