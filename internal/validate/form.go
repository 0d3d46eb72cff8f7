package validate

import "slices"

// This file is the walker among references and alternatives: schemas that apply to the same value.

func (w *walker) alternatives(n *node, v *value, at *place, met []bool) bool {
	ok := n.ref == nil || w.apart(n.ref, v, at, met)
	for _, sub := range n.allOf {
		if !ok && w.quiet > 0 {
			return false
		}
		ok = w.apart(sub, v, at, met) && ok
	}
	if n.anyOf != nil {
		ok = w.choose(n.anyOf, v, at, met, len(n.anyOf)) && ok
	}
	if n.oneOf != nil {
		ok = w.choose(n.oneOf, v, at, met, 1) && ok
	}
	if n.not != nil && w.silently(n.not, v, at, make([]bool, len(met))) {
		ok = w.fault(v, at, ruleNot)
	}
	return ok
}

// choose asks for at least one of the arms, and for at most so many.
func (w *walker) choose(arms []*node, v *value, at *place, met []bool, most int) bool {
	passed := 0
	for _, arm := range arms {
		if w.silently(arm, v, at, met) {
			passed++
			if passed > most {
				return w.fault(v, at, ruleSeveral)
			}
			if most > 1 && !w.tracks {
				return true
			}
		}
	}
	if passed > 0 || w.spent {
		return passed > 0
	}
	if w.quiet > 0 {
		return false
	}
	if want := union(arms); want&v.kind == 0 {
		return w.fault(v, at, ruleKind(v.kind, want))
	}
	if arm := w.meant(arms, v); arm != nil {
		if before := len(w.faults); !w.walk(arm, v, at, nil) && len(w.faults) > before {
			return false
		}
	}
	return w.fault(v, at, ruleNone)
}

// meant returns the only arm that takes values of this kind, or that names them by a constant, or nil.
func (w *walker) meant(arms []*node, v *value) *node {
	var fit []*node
	for _, arm := range arms {
		if arm.admits&v.kind != 0 {
			fit = append(fit, arm)
		}
	}
	if len(fit) > 1 && v.kind == kindObject {
		fit = slices.DeleteFunc(fit, func(arm *node) bool { return !w.tagged(arm, v) })
	}
	if len(fit) == 1 {
		return fit[0]
	}
	return nil
}

// tagged reports whether v has one of the constants by which n can be told from its neighbours.
func (w *walker) tagged(n *node, v *value) bool {
	for n.jump != nil {
		n = n.jump
	}
	found := false
	for i := range n.properties {
		p := &n.properties[i]
		if p.node.enum == nil {
			continue
		}
		tag := v.find(p.name)
		if !w.charge(1+len(v.members)/16) || tag == nil || tag.flaw != "" || !w.charge((tag.end-tag.start)/2) || !p.node.enum.canonical[string(appendCanonical(nil, tag))] {
			return false
		}
		found = true
	}
	return found
}
