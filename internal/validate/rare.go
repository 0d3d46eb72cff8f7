package validate

// This file has the keywords that only the walker knows, from their compilation to their faults.

// A rest has the keywords that only the walker knows.
type rest struct {
	test, then, otherwise    *node
	patterns                 []patternProperty
	dependents               []dependent
	contains                 *node
	minContains, maxContains int
	unevaluatedProperties    *node
	unevaluatedItems         *node
}

type patternProperty struct {
	pattern *pattern
	node    *node
}

// A dependent is what the presence of a property asks for.
type dependent struct {
	name  string
	needs []string
	node  *node // or nil
}

// rare compiles the keywords that only the walker knows.
func (c *compiler) rare(n *node, name string, v *value, at string) (err error) {
	r := n.rest
	if r == nil {
		r = &rest{minContains: 1, maxContains: unbounded}
	}
	switch name {
	case "if":
		r.test, err = c.schema(v, at)
	case "then":
		r.then, err = c.schema(v, at)
	case "else":
		r.otherwise, err = c.schema(v, at)
	case "contains":
		r.contains, err = c.schema(v, at)
	case "minContains":
		r.minContains, err = count(v, at)
	case "maxContains":
		r.maxContains, err = count(v, at)
	case "unevaluatedProperties":
		r.unevaluatedProperties, err = c.schema(v, at)
		c.tracks = true
	case "unevaluatedItems":
		r.unevaluatedItems, err = c.schema(v, at)
		c.tracks = true
	case "patternProperties":
		if err := wants(at, v, kindObject); err != nil {
			return err
		}
		for _, m := range v.members {
			p, err := c.pattern(&value{kind: kindString, str: m.name}, step(at, m.name))
			if err != nil {
				return err
			}
			sub, err := c.schema(m.value, step(at, m.name))
			if err != nil {
				return err
			}
			r.patterns = append(r.patterns, patternProperty{p, sub})
		}
	case "dependentRequired":
		if err := wants(at, v, kindObject); err != nil {
			return err
		}
		for _, m := range v.members {
			names, err := strs(m.value, step(at, m.name))
			if err != nil {
				return err
			}
			r.dependents = append(r.dependents, dependent{name: m.name, needs: names})
		}
	case "dependentSchemas":
		if err := wants(at, v, kindObject); err != nil {
			return err
		}
		for _, m := range v.members {
			sub, err := c.schema(m.value, step(at, m.name))
			if err != nil {
				return err
			}
			r.dependents = append(r.dependents, dependent{name: m.name, node: sub})
		}
	default:
		return nil
	}
	n.rest = r
	c.slow = true
	return err
}

// rare checks v against the keywords that only the walker knows.
func (w *walker) rare(n *node, v *value, at *place, met []bool) bool {
	r, ok := n.rest, true
	if r.test != nil {
		branch := r.otherwise
		if w.silently(r.test, v, at, met) {
			branch = r.then
		}
		ok = branch == nil || w.apart(branch, v, at, met)
	}
	if v.kind == kindArray {
		ok = w.contains(r, v, at, met) && ok
	}
	if v.kind == kindObject {
		ok = w.dependents(r, v, at, met) && ok
	}
	if r.unevaluatedItems != nil && v.kind == kindArray {
		for i, item := range v.items {
			if !met[i] {
				met[i] = true
				ok = w.walk(r.unevaluatedItems, item, &place{at, "", i}, nil) && ok
			}
		}
	}
	if r.unevaluatedProperties != nil && v.kind == kindObject {
		for i := range v.members {
			m := &v.members[i]
			if met[i] {
				continue
			}
			met[i] = true
			here := &place{at, m.name, -1}
			if r.unevaluatedProperties.never {
				ok = w.fault(&value{start: m.start, end: m.end}, here, ruleUnknown)
				continue
			}
			ok = w.walk(r.unevaluatedProperties, m.value, here, nil) && ok
		}
	}
	return ok
}

func (w *walker) contains(r *rest, v *value, at *place, met []bool) bool {
	if r.contains == nil {
		return true
	}
	count := 0
	for i, item := range v.items {
		w.quiet++
		fits := w.walk(r.contains, item, &place{at, "", i}, nil)
		w.quiet--
		if fits {
			count++
			if met != nil {
				met[i] = true
			}
		}
	}
	switch {
	case count < r.minContains:
		return w.fault(v, at, ruleCount("at least", r.minContains, "fitting item"))
	case count > r.maxContains:
		return w.fault(v, at, ruleCount("at most", r.maxContains, "fitting item"))
	}
	return true
}

func (w *walker) dependents(r *rest, v *value, at *place, met []bool) bool {
	ok := true
	for _, d := range r.dependents {
		if !w.charge(1+len(v.members)/16) || v.find(d.name) == nil {
			continue
		}
		for _, name := range d.needs {
			if w.charge(1+len(v.members)/16) && v.find(name) == nil {
				ok = w.fault(v, &place{at, name, -1}, ruleMissing)
			}
		}
		if d.node != nil {
			ok = w.apart(d.node, v, at, met) && ok
		}
	}
	return ok
}
