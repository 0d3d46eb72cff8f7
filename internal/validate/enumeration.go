package validate

// An enumeration is a set of values. Strings, by far the commonest, are looked up as they are written in the document.
type enumeration struct {
	constant  bool
	kinds     kind     // that occur
	texts     []string // as the rule names them
	strings   []string // the values, where they are few and all strings: compared one by one
	canonical map[string]bool
}

func newEnumeration(values []*value, constant bool) *enumeration {
	e := &enumeration{constant: constant, canonical: make(map[string]bool, len(values))}
	for _, v := range values {
		e.kinds |= v.kind
		e.texts = append(e.texts, string(v.raw))
		e.canonical[string(appendCanonical(nil, v))] = true
		if v.kind == kindString {
			e.strings = append(e.strings, v.str)
		}
	}
	if len(e.strings) > 8 || e.kinds != kindString {
		e.strings = nil // the map is faster, or knows more
	}
	return e
}

// intersect is for a schema that has both enum and const.
func intersect(a, b *enumeration) *enumeration {
	if a == nil {
		return b
	}
	both := &enumeration{constant: true, kinds: a.kinds & b.kinds, canonical: make(map[string]bool)}
	for key := range a.canonical {
		if b.canonical[key] {
			both.canonical[key] = true
		}
	}
	both.texts = b.texts
	if a.constant {
		both.texts = a.texts
	}
	return both
}

// fills reports whether every value of these kinds is listed.
func (e *enumeration) fills(kinds kind) bool {
	return kinds&^(kindBoolean|kindNull) == 0 &&
		(kinds&kindNull == 0 || e.canonical["null"]) &&
		(kinds&kindBoolean == 0 || e.canonical["true"] && e.canonical["false"])
}

// hasScalar looks up the text of a scalar. scratch is working memory, which is returned.
func (e *enumeration) hasScalar(raw, scratch []byte) (bool, []byte) {
	scratch = appendCanonicalScalar(scratch[:0], raw)
	return e.canonical[string(scratch)], scratch
}

// rule names the values, the first of them where they are many.
func (e *enumeration) rule() string {
	if e.constant {
		return "must be " + cut(e.texts[0])
	}
	if len(e.texts) == 0 {
		return ruleNever
	}
	text := "must be one of "
	for i, t := range e.texts {
		if i > 0 {
			text += ", "
		}
		if len(text) > maxListing || i == maxListed {
			return text + "…"
		}
		text += cut(t)
	}
	return text
}

// cut shortens the text of one value of a schema.
func cut(text string) string {
	if len(text) <= maxText {
		return text
	}
	for i := range text {
		if i > maxText {
			return text[:i] + "…"
		}
	}
	return text
}
