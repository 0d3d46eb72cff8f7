package audit

import (
	"crypto/sha256"
	"slices"
	"strconv"
	"strings"

	"github.com/diptych-mcp/diptych/cmd/diptych/internal/tree"
)

// A print is a fingerprint of a JSON value: equal values have equal ones, whatever the order of keys, the spaces or the
// way a number is written. It is made from the prints of the parts, so that all prints of a document cost one walk.
type print [sha256.Size]byte

// combine makes the print of a container.
func combine(kind tree.Kind, parts []print) print {
	h := sha256.New()
	h.Write([]byte{byte(kind)})
	for _, p := range parts {
		h.Write(p[:])
	}
	return print(h.Sum(nil))
}

func scalar(kind tree.Kind, text string) print {
	return sha256.Sum256(append([]byte{byte(kind)}, text...))
}

// prints returns the print of n, once with numbers by value and once with numbers as the nearest float, the way a
// careless peer takes them. visit gets those of every part too, the parts of a part first.
func prints(n *tree.Node, visit func(exact, rounded print)) (exact, rounded print) {
	switch n.Kind {
	case tree.Number:
		exact = scalar(n.Kind, decimal(n.Text))
		rounded = exact
		if f, err := strconv.ParseFloat(n.Text, 64); err == nil {
			rounded = scalar(n.Kind, strconv.FormatFloat(f, 'g', -1, 64))
		}
	case tree.String:
		exact = scalar(n.Kind, n.Text)
		rounded = exact
	case tree.Array:
		e, r := make([]print, len(n.Items)), make([]print, len(n.Items))
		for i, item := range n.Items {
			e[i], r[i] = prints(item, visit)
		}
		exact, rounded = combine(n.Kind, e), combine(n.Kind, r)
	case tree.Object:
		members := slices.Clone(n.Members)
		slices.SortStableFunc(members, func(a, b tree.Member) int { return strings.Compare(a.Name, b.Name) })
		var e, r []print
		for _, m := range members {
			name := scalar(tree.String, m.Name)
			pe, pr := prints(m.Value, visit)
			e, r = append(e, name, pe), append(r, name, pr)
		}
		exact, rounded = combine(n.Kind, e), combine(n.Kind, r)
	default:
		exact = scalar(n.Kind, string(n.Raw))
		rounded = exact
	}
	if visit != nil {
		visit(exact, rounded)
	}
	return exact, rounded
}

// decimal writes a JSON number as its significant digits and exponent: 1.10, 1.1 and 11e-1 are one.
func decimal(text string) string {
	mantissa, exponent, _ := strings.Cut(strings.ToLower(text), "e")
	sign := strings.HasPrefix(mantissa, "-")
	mantissa = strings.TrimPrefix(mantissa, "-")
	whole, fraction, _ := strings.Cut(mantissa, ".")
	shift, err := strconv.Atoi(strings.TrimPrefix(exponent, "+"))
	if err != nil && exponent != "" {
		return text // an exponent past all reason is itself alone
	}
	digits := strings.TrimLeft(whole+fraction, "0")
	shift -= len(fraction)
	trimmed := strings.TrimRight(digits, "0")
	shift += len(digits) - len(trimmed)
	if trimmed == "" {
		return "0"
	}
	out := trimmed + "e" + strconv.Itoa(shift)
	if sign {
		out = "-" + out
	}
	return out
}

// unsafeInteger reports whether a JavaScript host would read another integer.
func unsafeInteger(text string) bool {
	if strings.ContainsAny(text, ".eE") || len(text) < 16 {
		return false
	}
	n, err := strconv.ParseInt(text, 10, 64)
	return err != nil || n > 1<<53-1 || n < -(1<<53-1)
}
