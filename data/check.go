package data

// The check on every result: sources, table, charts, force and size, over the bytes that are sent.

import (
	"encoding/json"
	"math/big"
	"strconv"
	"unicode/utf8"

	"github.com/diptych-mcp/diptych/internal/jsontext"
)

// Check reports what keeps structured content, in its bytes, from being a data tool's result. The error names
// every place and rule, up to ten and then a count, and never repeats a value. It is what a [Registry] asks of each result
// that it returns, and what a host asks of each that it receives.
func Check(structured []byte) error {
	var c checker
	c.document(structured)
	return c.err()
}

// A checker walks one document and gathers breaches.
type checker struct {
	place place
	breaches
}

func (c *checker) fault(rule string) { c.add(c.place.String(), rule) }

func (c *checker) document(doc []byte) {
	switch {
	case len(doc) > maxBytes:
		c.fault("structured content of " + strconv.Itoa(len(doc)) + " bytes, want at most 1 MiB; link to what is larger")
		return
	case len(doc) == 0:
		c.fault("no structured content; return sources, and a table or charts if there are any")
		return
	case !utf8.Valid(doc):
		c.fault("structured content is not valid UTF-8")
		return
	}
	root, ok := parse(doc)
	switch {
	case !ok && json.Valid(doc):
		c.fault("structured content is nested more than " + strconv.Itoa(jsontext.MaxDepth) + " deep")
		return
	case !ok:
		c.fault("structured content is not valid JSON")
		return
	}
	if !c.is(root, "an object", "an object with sources") {
		return
	}
	width := -1
	for key, v := range root.members() {
		if key == "table" && v[0] == '[' {
			width = 0
			for _, header := range v.elements() {
				if header[0] == '[' {
					for range header.elements() {
						width++
					}
				}
				break
			}
		}
	}
	c.object(root, func(key string, v value) string {
		switch key {
		case "sources":
			if n := c.list(v, maxSources, "a list of sources", c.source); n == 0 {
				c.fault("empty; name at least one source")
			}
		case "table":
			c.table(v)
		case "columns":
			c.columns(v, width)
		case "charts":
			c.list(v, maxCharts, "a list of Chart.js configurations", c.chart)
		case "force":
			c.text(v, maxForce)
		default:
			return "no part of a data tool's result; put what a view needs besides into _meta"
		}
		return ""
	}, "sources")
}

// is reports whether v has the wanted kind, and faults it otherwise.
func (c *checker) is(v value, kind, want string) bool {
	if v.kind() == kind {
		return true
	}
	rule := "got " + v.kind() + ", want " + want
	if v.isNull() {
		rule += "; leave out what is absent"
	}
	c.fault(rule)
	return false
}

// object walks the members of an object. The visitor returns why a member is refused, or nothing. Duplicates and missing
// members are faults.
func (c *checker) object(v value, visit func(key string, v value) string, required ...string) {
	seen := map[string]bool{}
	for key, member := range v.members() {
		c.place = append(c.place, key)
		if seen[key] {
			c.fault("given twice; keep one")
		} else if refused := visit(key, member); refused != "" {
			c.fault(refused)
		}
		c.place = c.place[:len(c.place)-1]
		if seen[key] = true; len(seen) > maxMembers {
			c.fault("more than " + strconv.Itoa(maxMembers) + " members")
			return
		}
	}
	for _, key := range required {
		if !seen[key] {
			c.place = append(c.place, key)
			c.fault("required but missing")
			c.place = c.place[:len(c.place)-1]
		}
	}
}

// list walks a list, bounds its length and returns it; -1 says that v is no list.
func (c *checker) list(v value, most int, want string, visit func(value)) int {
	if !c.is(v, "a list", want) {
		return -1
	}
	n := 0
	for i, element := range v.elements() {
		if n++; n <= most && visit != nil {
			c.place = append(c.place, i)
			visit(element)
			c.place = c.place[:len(c.place)-1]
		}
	}
	if n > most {
		c.fault(strconv.Itoa(n) + " entries, want at most " + strconv.Itoa(most))
	}
	return n
}

// text reads v as text of at most limit characters.
func (c *checker) text(v value, limit int) (string, bool) {
	if !c.is(v, "text", "text") {
		return "", false
	}
	return c.short(v.text(), limit)
}

func (c *checker) short(s string, limit int) (string, bool) {
	if len(s) > limit {
		if n := utf8.RuneCountInString(s); n > limit {
			c.fault(strconv.Itoa(n) + " characters, want at most " + strconv.Itoa(limit))
			return "", false
		}
	}
	return s, true
}

// boolean checks a boolean.
func (c *checker) boolean(v value) { c.is(v, "a boolean", "a boolean") }

// oneOf checks text out of a closed list and returns it.
func (c *checker) oneOf(v value, names ...string) string {
	want := "one of " + names[0]
	for _, name := range names[1:] {
		want += ", " + name
	}
	if !c.is(v, "text", want) {
		return ""
	}
	s := v.text()
	for _, name := range names {
		if s == name {
			return s
		}
	}
	c.fault("unknown, want " + want)
	return ""
}

// number checks a finite number from low to high.
func (c *checker) number(v value, low, high float64) bool {
	if !v.isNumber() {
		rule := "got " + v.kind() + ", want a number"
		if v.isText() {
			rule += "; a chart draws no figure that is written as text"
		}
		c.fault(rule)
		return false
	}
	if !c.digits(v, maxDigits) {
		return false
	}
	f, err := strconv.ParseFloat(string(v), 64)
	if err != nil {
		c.fault(notFinite)
		return false
	}
	// Rounding to a float keeps order: only a figure that lands on a bound needs its digits compared.
	if f < low || f > high || f == low && rational(v).Cmp(exact(low)) < 0 || f == high && rational(v).Cmp(exact(high)) > 0 {
		c.fault("out of range, want " + bound(low) + " to " + bound(high))
		return false
	}
	return true
}

func exact(f float64) *big.Rat { return new(big.Rat).SetFloat64(f) }

func bound(f float64) string { return strconv.FormatFloat(f, 'g', -1, 64) }
