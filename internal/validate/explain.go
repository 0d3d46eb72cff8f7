package validate

import (
	"unicode/utf8"

	"github.com/diptych-mcp/diptych/internal/jsontext"
)

// This file is the slow and plain way to check a document against a schema: over a tree, with a rule for every fault. It
// knows every keyword, and decides where the single pass does not.

// Explain returns every fault of doc, in document order, each field once, at most a hundred; nil where doc is accepted.
func (c *Checker) Explain(doc []byte) []Fault {
	if !c.slow && c.Check(doc) {
		return nil
	}
	v, flawed := parse(doc, jsontext.MaxDepth)
	return c.faults(v, flawed, len(doc), false)
}

// accepts is the walker's verdict alone.
func (c *Checker) accepts(doc []byte) bool {
	v, flawed := parse(doc, jsontext.MaxDepth)
	if flawed {
		return false
	}
	w := walker{tracks: c.tracks, steps: steps(len(doc)), quiet: 1}
	return w.walk(c.root, v, &place{}, nil) && !w.spent
}

// faults walks a tree that was read from size bytes.
func (c *Checker) faults(v *value, flawed bool, size int, arguments bool) []Fault {
	var faults []Fault
	if flawed {
		if faults = flaws(v); stopped(v) {
			return faults
		}
	}
	w := walker{tracks: c.tracks, steps: steps(size), faults: faults, arguments: arguments}
	w.walk(c.root, v, &place{}, nil)
	if w.spent {
		return []Fault{{Rule: ruleCost, Start: v.start, End: v.end}}
	}
	return settle(w.faults)
}

// A walker checks a tree against nodes. Every method returns whether the value passed.
type walker struct {
	tracks bool
	steps  int
	spent  bool
	quiet  int // above zero: only the verdict counts, and the first fault ends the walk
	hints  int // given
	// arguments says that the sender can send the document again: faults say what would be right.
	arguments bool
	faults    []Fault
}

// telling reports whether a fault would be heard, which is worth asking before its text is made.
func (w *walker) telling() bool { return w.quiet == 0 && len(w.faults) < maxCollected }

func (w *walker) fault(v *value, at *place, rule string) bool {
	if w.telling() {
		w.faults = append(w.faults, Fault{at.String(), rule, v.start, v.end})
	}
	return false
}

func (w *walker) charge(n int) bool {
	if w.steps -= n; w.steps < 0 {
		w.spent = true
	}
	return !w.spent
}

// walk checks v against n. Where account is kept, met gets the members or items of v that n evaluates.
func (w *walker) walk(n *node, v *value, at *place, met []bool) bool {
	if !w.charge(1) {
		return false
	}
	if v.flaw != "" {
		return true // told already
	}
	if n.never {
		return w.fault(v, at, ruleNever)
	}
	if n.kinds&v.kind == 0 {
		return w.telling() && w.fault(v, at, ruleKind(v.kind, n.kinds)+w.listed(n, v))
	}
	if met == nil && w.tracks {
		met = make([]bool, len(v.items)+len(v.members))
	}
	ok := n.enum == nil || w.enum(n, v, at)
	switch {
	case !ok && w.quiet > 0:
		return false
	case v.kind == kindObject:
		ok = w.object(n, v, at, met) && ok
	case v.kind == kindArray:
		ok = w.array(n, v, at, met) && ok
	case v.kind == kindString && n.checksString:
		ok = w.string(n, v, at) && ok
	case v.kind&kindNumber != 0 && n.checksNumber:
		ok = w.number(n, v, at) && ok
	}
	if n.checksMore && (ok || w.quiet == 0) {
		ok = w.alternatives(n, v, at, met) && ok
	}
	if n.rest != nil && (ok || w.quiet == 0) {
		ok = w.rare(n, v, at, met) && ok
	}
	return ok
}

// apart checks v against a schema that applies in place, keeping its account apart until it has passed.
func (w *walker) apart(n *node, v *value, at *place, met []bool) bool {
	if !w.tracks {
		return w.walk(n, v, at, nil)
	}
	own := make([]bool, len(met))
	ok := w.charge(len(met)/16) && w.walk(n, v, at, own)
	if ok {
		for i := range own {
			met[i] = met[i] || own[i]
		}
	}
	return ok
}

// silently is apart without faults.
func (w *walker) silently(n *node, v *value, at *place, met []bool) bool {
	w.quiet++
	ok := w.apart(n, v, at, met)
	w.quiet--
	return ok
}

func (w *walker) enum(n *node, v *value, at *place) bool {
	if !w.charge((v.end - v.start) / 2) {
		return false
	}
	if n.enum.canonical[string(appendCanonical(nil, v))] {
		return true
	}
	return w.telling() && w.fault(v, at, n.enum.rule())
}

func (w *walker) number(n *node, v *value, at *place) bool {
	d := parseDecimal(v.raw)
	switch {
	case !n.low.below(&d) && n.low.strict:
		return w.fault(v, at, "must be greater than "+cut(n.low.text))
	case !n.low.below(&d):
		return w.fault(v, at, "must be at least "+cut(n.low.text))
	case !n.high.above(&d) && n.high.strict:
		return w.fault(v, at, "must be less than "+cut(n.high.text))
	case !n.high.above(&d):
		return w.fault(v, at, "must be at most "+cut(n.high.text))
	case n.multiple != nil && !n.multiple.divides(&d):
		return w.fault(v, at, "must be a multiple of "+cut(n.multipleText))
	}
	return true
}

func (w *walker) string(n *node, v *value, at *place) bool {
	length := utf8.RuneCountInString(v.str)
	w.charge(len(v.str) / 32)
	switch {
	case length < n.minLength:
		return w.fault(v, at, ruleCount("at least", n.minLength, "character"))
	case length > n.maxLength:
		return w.fault(v, at, ruleCount("at most", n.maxLength, "character"))
	case n.pattern != nil && w.charge(n.pattern.cost(len(v.str))) && !n.pattern.re.MatchString(v.str):
		return w.fault(v, at, n.pattern.rule())
	case n.format != nil && !n.format.ok([]byte(v.str)):
		return w.fault(v, at, n.format.rule)
	case n.base64 && !isBase64([]byte(v.str)):
		return w.fault(v, at, "must be base64")
	}
	return !w.spent
}

func (w *walker) array(n *node, v *value, at *place, met []bool) bool {
	if !w.charge(len(v.items)) {
		return false
	}
	ok := true
	if len(v.items) < n.minItems {
		ok = w.fault(v, at, ruleCount("at least", n.minItems, "item"))
	} else if len(v.items) > n.maxItems {
		ok = w.fault(v, at, ruleCount("at most", n.maxItems, "item"))
	}
	for i, item := range v.items {
		if !ok && w.quiet > 0 || w.spent {
			return false
		}
		sub := n.items
		if i < len(n.prefix) {
			sub = n.prefix[i]
		} else if sub.open() {
			continue
		}
		if met != nil {
			met[i] = true
		}
		ok = w.walk(sub, item, &place{at, "", i}, nil) && ok
	}
	if n.unique && ok {
		ok = w.unique(v, at)
	}
	return ok
}

func (w *walker) unique(v *value, at *place) bool {
	told := make(map[string]bool, len(v.items))
	for _, item := range v.items {
		if !w.charge(1 + (item.end-item.start)/2) {
			return false
		}
		key := string(appendCanonical(nil, item))
		if told[key] {
			return w.fault(v, at, ruleUnique)
		}
		told[key] = true
	}
	return true
}

func (w *walker) object(n *node, v *value, at *place, met []bool) bool {
	if !w.charge(len(v.members) + len(n.required)) {
		return false
	}
	ok := true
	if len(n.required) > 0 {
		there := make(map[string]bool, len(v.members))
		for i := range v.members {
			there[v.members[i].name] = true
		}
		for _, r := range n.required {
			if p := &n.properties[r]; !there[p.name] {
				if ok = false; !w.telling() {
					break
				}
				w.fault(v, &place{at, p.name, -1}, ruleMissing)
			}
		}
	}
	if len(v.members) < n.minProperties {
		ok = w.fault(v, at, ruleCount("at least", n.minProperties, "property"))
	} else if len(v.members) > n.maxProperties {
		ok = w.fault(v, at, ruleCount("at most", n.maxProperties, "property"))
	}
	for i := range v.members {
		if !ok && w.quiet > 0 || w.spent {
			return false
		}
		ok = w.member(n, v, i, at, met) && ok
	}
	return ok
}

// member checks one member against every keyword that reaches it.
func (w *walker) member(n *node, v *value, i int, at *place, met []bool) bool {
	m := &v.members[i]
	here := &place{at, m.name, -1}
	ok := true
	if n.names != nil {
		key := &value{kind: kindString, str: m.name, start: m.start, end: m.end}
		before := len(w.faults)
		ok = w.walk(n.names, key, here, nil)
		for i := range w.faults[before:] {
			w.faults[before+i].Rule = "the key " + w.faults[before+i].Rule
		}
	}
	reached := false
	if at, found := n.index[m.name]; found && at < n.declared {
		reached = true
		before := len(w.faults)
		fits := w.walk(n.properties[at].node, m.value, here, nil)
		if w.arguments && len(w.faults) > before && m.value.kind == kindString && m.value.str == "" && !n.properties[at].required {
			w.faults[before].Rule += "; leave it out"
		}
		ok = fits && ok
	}
	if n.rest != nil {
		for _, p := range n.rest.patterns {
			if w.charge(p.pattern.cost(len(m.name))) && p.pattern.re.MatchString(m.name) {
				reached = true
				ok = w.walk(p.node, m.value, here, nil) && ok
			}
		}
	}
	switch {
	case reached:
	case n.additional.open():
		return ok
	case n.additional.never:
		return w.telling() && w.fault(&value{start: m.start, end: m.end}, here, w.unknown(m.name, n))
	default:
		ok = w.walk(n.additional, m.value, here, nil) && ok
	}
	if met != nil {
		met[i] = true
	}
	return ok
}

// listed is the remedy for one item that was sent where a list of such items is wanted, or nothing.
func (w *walker) listed(n *node, v *value) string {
	if !w.arguments || n.kinds != kindArray || len(n.prefix) > 0 || n.minItems > 1 || v.kind&(kindString|kindNumber|kindBoolean) == 0 {
		return ""
	}
	w.quiet++
	fits := w.walk(n.items, v, &place{}, nil)
	w.quiet--
	switch {
	case !fits:
		return ""
	case v.end-v.start > maxText:
		return "; write it in brackets, as a list of one item"
	}
	return "; write [" + string(v.raw) + "]"
}

// unknown is the rule that an undeclared name breaks. Looking for what was meant has its price, so only the first few ask.
func (w *walker) unknown(name string, n *node) string {
	if w.hints++; w.hints > maxHints {
		return ruleUnknown
	}
	return ruleUnknownField(name, n.properties[:n.declared])
}
