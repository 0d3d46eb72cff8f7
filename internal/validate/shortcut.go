package validate

import "math"

// This file draws from compiled schemas what makes the single pass quick.

// A fork has, for what the first byte of a value can tell, the only alternative that can take the value. Nil: none can.
type fork [6]*node

// forkKinds are the kinds of the places of a fork.
func forkKinds() [6]kind {
	return [6]kind{kindNumber, kindString, kindObject, kindArray, kindBoolean, kindNull}
}

// slot finds the place in a fork from the first byte of a value.
func slot(c byte) int {
	switch c {
	case '"':
		return 1
	case '{':
		return 2
	case '[':
		return 3
	case 't', 'f':
		return 4
	case 'n':
		return 5
	}
	return 0
}

// shorten finds the shortcuts of the single pass and notes which checks a value still needs once its kind was right.
func (n *node) shorten() {
	n.lowInt, n.highInt = n.low.floor(), n.high.ceiling()
	if n.enum != nil && n.enum.strings != nil && n.kinds&kindString != 0 {
		n.kinds, n.words = kindString, n.enum.strings
	}
	n.readsString = n.words != nil || n.pattern != nil || n.format != nil || n.base64
	n.checksString = n.readsString || n.minLength > 0 || n.maxLength < unbounded
	n.checksNumber = n.low != nil || n.high != nil || n.multiple != nil
	n.checksMore = n.enum != nil && n.words == nil && !n.enum.fills(n.kinds) || n.ref != nil || n.allOf != nil || n.anyOf != nil || n.oneOf != nil || n.not != nil
	n.straight = n.names == nil && 0 < len(n.properties) && len(n.properties) <= 64
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
		var f fork
		for i, kinds := range forkKinds() {
			for _, arm := range arms {
				if arm.admits&kinds == 0 {
					continue
				}
				if f[i] != nil {
					return // two alternatives for one kind: both have to be tried
				}
				f[i] = arm
			}
		}
		n.fork, n.short = &f, true
	}
}

// findPresets notes which properties have a default, once all references have their shortcuts.
func (n *node) findPresets() {
	for i := range n.properties[:n.declared] {
		switch {
		case n.properties[i].node.preset() == nil:
		case i < 64:
			n.presets |= 1 << i
		default:
			n.presets = math.MaxUint64 // no object has them all
		}
	}
}

// plain reports whether n asks nothing of strings, numbers, arrays or objects itself.
func (n *node) plain() bool {
	return !n.checksString && !n.checksNumber && n.rest == nil &&
		n.prefix == nil && n.items.open() && n.minItems == 0 && n.maxItems == unbounded && !n.unique &&
		len(n.properties) == 0 && n.additional.open() && n.names == nil && n.minProperties == 0 && n.maxProperties == unbounded
}

// open reports whether n only fills a gap: no keyword is there.
func (n *node) open() bool { return n.gap }
