package validate

// This file draws from compiled schemas what makes the single pass quick.

// slot is the place of a kind in a fork. Both kinds of number share one: the first byte cannot tell them apart.
func (k kind) slot() int {
	switch k {
	case kindNull:
		return 0
	case kindBoolean:
		return 1
	case kindInteger, kindFraction:
		return 2
	case kindString:
		return 4
	case kindArray:
		return 5
	}
	return 6
}

// shorten finds the shortcuts of the single pass and notes which checks a value still needs once its kind was right.
func (n *node) shorten() {
	n.lowInt, n.highInt = n.low.floor(), n.high.ceiling()
	n.checksString = n.minLength > 0 || n.maxLength < unbounded || n.pattern != nil || n.format != nil || n.base64
	if n.enum != nil && n.enum.strings != nil && n.enum.kinds == kindString && n.kinds&kindString != 0 {
		n.kinds, n.words, n.checksString = kindString, n.enum.strings, true
	}
	n.checksNumber = n.low != nil || n.high != nil || n.multiple != nil
	n.checksMore = n.enum != nil && n.words == nil || n.ref != nil || n.allOf != nil || n.anyOf != nil || n.oneOf != nil || n.not != nil
	arms := n.anyOf
	if arms == nil {
		arms = n.oneOf
	}
	if !n.plain() || n.enum != nil || n.not != nil || n.kinds != anyKind {
		return
	}
	switch {
	case n.ref != nil && n.allOf == nil && n.anyOf == nil && n.oneOf == nil:
		n.jump, n.short = n.ref, true
	case n.ref == nil && n.allOf == nil && (n.anyOf == nil) != (n.oneOf == nil):
		var fork [7]*node
		for _, arm := range arms {
			for k := kindNull; k <= kindObject; k <<= 1 {
				if arm.admits&k == 0 {
					continue
				}
				if at := &fork[k.slot()]; *at != nil && *at != arm {
					return
				} else {
					*at = arm
				}
			}
		}
		n.fork, n.short = &fork, true
	}
}

// plain reports whether n asks nothing of strings, numbers, arrays or objects itself.
func (n *node) plain() bool {
	return !n.checksString && !n.checksNumber && n.rest == nil &&
		n.prefix == nil && n.items.open() && n.minItems == 0 && n.maxItems == unbounded && !n.unique &&
		len(n.properties) == 0 && n.additional.open() && n.names == nil && n.minProperties == 0 && n.maxProperties == unbounded
}

// open reports whether n only fills a gap: no keyword stands there.
func (n *node) open() bool { return n.gap }
