package validate

import (
	"slices"
	"strconv"
)

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
	return w.fault(v, at, ruleNone+w.nearest(arms, v))
}

// nearest names the arm that v breaks in the fewest places, and the first of them, or nothing where no arm is nearer than
// the others.
func (w *walker) nearest(arms []*node, v *value) string {
	best, text, tied := 0, "", false
	for i, arm := range arms {
		if arm.admits&v.kind == 0 {
			continue
		}
		apart := walker{tracks: w.tracks, steps: w.steps, arguments: w.arguments, hints: maxHints}
		apart.walk(arm, v, &place{}, nil)
		if w.steps = apart.steps; apart.spent || len(apart.faults) == 0 {
			w.spent = w.spent || apart.spent
			return ""
		}
		switch n := len(apart.faults); {
		case text == "" || n < best:
			first := apart.faults[0]
			if first.Path != "" {
				first.Rule = first.Path + ": " + first.Rule
			}
			best, text, tied = n, "; nearest is "+arm.called(i)+": "+first.Rule, false
		case n == best:
			tied = true
		}
	}
	if tied && v.kind != kindObject {
		return ""
	}
	return text
}

// called is what a rule calls the i-th of several forms.
func (n *node) called(i int) string {
	for n.title == "" && n.jump != nil {
		n = n.jump
	}
	if n.title != "" {
		return cut(n.title)
	}
	return "form " + strconv.Itoa(i+1)
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
