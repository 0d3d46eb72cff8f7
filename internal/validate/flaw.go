package validate

import (
	"slices"
	"sort"
)

// This file turns what is wrong with the text of a document into faults, and puts all faults in order.

// settle puts faults in document order and keeps the first of each field.
func settle(faults []Fault) []Fault {
	told := make(map[string]bool, len(faults))
	kept := faults[:0]
	for _, f := range faults {
		if !told[f.Path] {
			told[f.Path] = true
			kept = append(kept, f)
		}
	}
	sort.SliceStable(kept, func(i, j int) bool { return kept[i].Start < kept[j].Start })
	return slices.Clip(kept[:min(len(kept), maxFaults)])
}

// flaws collects what is wrong with the text itself.
func flaws(v *value) []Fault {
	var faults []Fault
	var visit func(v *value, at *place)
	visit = func(v *value, at *place) {
		if len(faults) >= maxFaults {
			return
		}
		if v.flaw != "" {
			faults = append(faults, Fault{at.String(), v.flaw, v.start, max(v.start, v.end)})
		}
		for i, item := range v.items {
			visit(item, &place{at, "", i})
		}
		for i := range v.members {
			m := &v.members[i]
			here := &place{at, m.name, -1}
			switch m.flaw {
			case "":
			case ruleUTF8: // the name itself cannot be said
				faults = append(faults, Fault{at.String(), m.flaw, m.start, m.end})
				here.name = "?"
			default:
				faults = append(faults, Fault{here.String(), m.flaw, m.start, m.end})
			}
			visit(m.value, here)
		}
	}
	visit(v, &place{})
	return settle(faults)
}

// stopped reports whether the tree ends early, so that nothing can be said of what is missing.
func stopped(v *value) bool {
	for {
		switch {
		case v.flaw != "" && v.flaw != ruleUTF8 && v.flaw != ruleFinite:
			return true
		case len(v.items) > 0:
			v = v.items[len(v.items)-1]
		case len(v.members) > 0:
			v = v.members[len(v.members)-1].value
		default:
			return false
		}
	}
}
